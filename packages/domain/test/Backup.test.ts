import { backupsFinding } from "@carillon/domain"
import { assert, it } from "@effect/vitest"

const hour = 3_600_000
const now = Date.parse("2030-12-24T18:00:00.000Z")
const ago = (hours: number) => new Date(now - hours * hour).toISOString()
const ended = (at: string) => ({ started_at: at, ended_at: at, error: null })

const found = (schedule: Parameters<typeof backupsFinding>[0]) => backupsFinding(schedule, now)

it("nobody is alarmed where backups are made by hand, or the first is not due", () => {
  const none = found({ every_seconds: null, last: null, succeeded_at: null })
  assert.deepInclude(none, { level: "ok", found: "the service makes no scheduled backups" })
  assert.match(none.advice!, /^Make one with carillon backup FILE, /)
  const before = found({ every_seconds: null, last: ended(ago(999)), succeeded_at: ago(999) })
  assert.deepInclude(before, {
    level: "ok",
    found: `the service makes no scheduled backups; the last was made at ${ago(999)}`
  })
  assert.strictEqual(found({ every_seconds: 3600, last: null, succeeded_at: null }).level, "ok")
  const first = { started_at: ago(1), ended_at: null, error: null }
  assert.strictEqual(found({ every_seconds: 3600, last: first, succeeded_at: null }).level, "ok")
})

it("a scheduled backup that failed, or is older than two periods, is warned of", () => {
  const good = found({ every_seconds: 3600, last: ended(ago(2)), succeeded_at: ago(2) })
  assert.deepInclude(good, { level: "ok", found: `the last was made at ${ago(2)}`, advice: null })
  const old = found({ every_seconds: 3600, last: ended(ago(2.1)), succeeded_at: ago(2.1) })
  assert.deepInclude(old, {
    level: "warning",
    found: `the last was made at ${ago(2.1)}, although the next was due more than one interval ago`
  })
  const error = "ENOSPC: no space left on device"
  const failed = found({ every_seconds: 3600, last: { ...ended(ago(1)), error }, succeeded_at: ago(2) })
  assert.deepInclude(failed, {
    level: "warning",
    found: `the backup of ${ago(1)} failed: ${error}; the last was made at ${ago(2)}`
  })
  assert.match(failed.advice!, /log/)
  const stuck = { started_at: ago(3), ended_at: null, error: null }
  assert.strictEqual(found({ every_seconds: 3600, last: stuck, succeeded_at: null }).level, "warning")
})
