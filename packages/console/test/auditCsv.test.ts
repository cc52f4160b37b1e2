import { assert, describe, it } from "@effect/vitest"
import { auditCsv } from "@carillon/console/settings/auditCsv"

const entry = {
  id: "0198c7f2-0000-7000-8000-000000000001",
  at: "2026-12-04T09:00:00.000Z",
  actor: { type: "member", id: "m1", name: 'Ada, "the owner"' },
  action: "api_key.created",
  subject: { type: "api_key", id: "abcdefghijkl", name: "@SUM(A1)" },
  address: null
} as const

describe("the audit trail as CSV", () => {
  it("quotes commas and quotes, and keeps spreadsheets from running what somebody named", () => {
    assert.strictEqual(
      auditCsv([entry]).split("\r\n")[1],
      `2026-12-04T09:00:00.000Z,member,m1,"Ada, ""the owner""",api_key.created,api_key,abcdefghijkl,'@SUM(A1),`
    )
  })

  it("has a cell in each column for an entry that names nobody", () => {
    const line = auditCsv([{ ...entry, actor: null, subject: null }]).split("\r\n")[1]
    assert.strictEqual(line, "2026-12-04T09:00:00.000Z,,,,api_key.created,,,,")
  })
})
