import { assert, describe, it } from "vitest"
import { misspelt } from "@carillon/server/Misspelt"

const known = new Set(["CARILLON_SECRET", "DATA_DIR", "HOST", "MAX_WORKSPACE_BYTES", "PUBLIC_URL"])

describe("misspelt", () => {
  it.each([
    ["CARILON_SECRET", "CARILLON_SECRET"],
    ["CARILLON_SECRETT", "CARILLON_SECRET"],
    ["PUBLIC_ULR", "PUBLIC_URL"],
    ["PUBLIC_URI", "PUBLIC_URL"],
    ["MAX_WORKSPACE_BYTE", "MAX_WORKSPACE_BYTES"],
    ["DATADIR", "DATA_DIR"]
  ])("takes %s for %s", (given, meant) => {
    assert.deepStrictEqual(misspelt(["PATH", given], known), [{ given, meant }])
  })

  it.each([
    "HOSTS",
    "POST",
    "DATABASE",
    "MAX_BYTES",
    "XDG_DATA_DIRS",
    "CARILLON_PORT_4400_TCP",
    "CARILLON_SERVICE_HOST",
    "PUBLIC_",
    "",
    "A".repeat(100_000)
  ])("leaves %s to other programs", (given) => {
    assert.deepStrictEqual(misspelt([given], known), [])
  })

  it("says nothing where the right one is set too", () => {
    assert.deepStrictEqual(misspelt(["PUBLIC_URI", "PUBLIC_URL"], known), [])
  })
})
