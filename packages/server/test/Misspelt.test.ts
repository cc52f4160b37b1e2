import { assert, describe, it } from "vitest"
import { isFatal, misspelt } from "@carillon/server/Misspelt"

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

  const settings = [
    "DATABASE_URL",
    "DATABASE_URL_FILE",
    "DATA_DIR",
    "MEDIA_STORE",
    "S3_BUCKET",
    "S3_ENDPOINT",
    "BACKUP_TO",
    "PUBLIC_URL",
    "SANDBOX_PORT"
  ]
  const isFatalOf = (given: string) => misspelt([given], new Set(settings)).map(isFatal)

  it.each([
    "DATABSE_URL",
    "DATABASE_ULR",
    "DATABASE_URL_FIL",
    "DATA_DRI",
    "MEDIA_STROE",
    "S3_BUKET",
    "S3_ENDPONT",
    "BACKUP_TOO"
  ])("stops a start that would keep data elsewhere because of %s", (given) => {
    assert.deepStrictEqual(isFatalOf(given), [true])
  })

  it.each(["DATABASE_URI", "DATADIR", "PUBLIC_URI", "SANDBOX_PORTS"])("the service warns of %s", (given) => {
    assert.deepStrictEqual(isFatalOf(given), [false])
  })

  it.each([
    "DATABASE_URL_FOO",
    "PGDATABASE_URL",
    "MY_DATABASE_URL",
    "DATABASE_URL_NON_POOLING",
    "DATABASE_HOST",
    "DATABASE_NAME",
    "S3_ENDPOINT_URL",
    "S3_BUCKET_NAME",
    "AWS_S3_BUCKET",
    "DATA_DIRECTORY",
    "MEDIA_ROOT",
    "BACKUP_DIR"
  ])("leaves %s to other programs, as near as it is", (given) => {
    assert.deepStrictEqual(isFatalOf(given), [])
  })

  it("takes a secret in a file for a secret that is set", () => {
    assert.deepStrictEqual(misspelt(["DATABASE_URL_FILE", "DATABASE_URI"], new Set(settings)), [])
  })

  it("says nothing where the right one is set too", () => {
    assert.deepStrictEqual(misspelt(["PUBLIC_URI", "PUBLIC_URL"], known), [])
  })
})
