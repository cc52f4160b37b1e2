import { unpackExport } from "@carillon/cli/ExportFile"
import { assert, describe, it } from "@effect/vitest"
import { existsSync, mkdtempSync, readdirSync, readFileSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { buffer } from "node:stream/consumers"
import { pack } from "tar-stream"

const tarOf = (names: ReadonlyArray<string>) => {
  const archive = pack()
  for (const name of names) archive.entry({ name }, name)
  archive.finalize()
  return buffer(archive)
}

/** A file with these bytes, and the folder that it would be unpacked to. */
const saved = (bytes: Uint8Array) => {
  const directory = mkdtempSync(join(tmpdir(), "carillon-unpack-"))
  writeFileSync(join(directory, "export.tar"), bytes)
  return { directory, file: join(directory, "export.tar"), folder: join(directory, "export") }
}

const whyNot = (file: string) =>
  unpackExport(file).then(
    () => assert.fail("it was unpacked"),
    (error: Error) => error.message
  )

describe("the file of an export", () => {
  it("is unpacked beside itself, once", async () => {
    const { file, folder } = saved(await tarOf(["e/posts.jsonl", "e/media/a-1", "e/workspace.json"]))
    assert.strictEqual(await unpackExport(file), folder)
    assert.strictEqual(readFileSync(join(folder, "media/a-1"), "utf8"), "e/media/a-1")
    assert.match(await whyNot(file), /exists already/)
  })

  it.each([
    "e/../../pwned",
    "/tmp/pwned",
    "../e/workspace.json",
    "e/media/../../../pwned",
    "e/media/a/b",
    "workspace.json",
    "e/other.json"
  ])("writes nothing for one that contains %s", async (name) => {
    const { directory, file } = saved(await tarOf(["e/posts.jsonl", name]))
    assert.include(await whyNot(file), `it contains ${JSON.stringify(name)}`)
    assert.deepStrictEqual(readdirSync(directory), ["export.tar"])
  })

  it("is refused when it was cut off, has a name twice or is no tar", async () => {
    const whole = await tarOf(["e/posts.jsonl", "e/workspace.json"])
    for (const bytes of [
      whole.subarray(0, 1100),
      await tarOf(["e/posts.jsonl", "e/posts.jsonl"]),
      Buffer.from("no tar")
    ]) {
      const { file, folder } = saved(bytes)
      assert.match(await whyNot(file), /Cannot unpack/)
      assert.isFalse(existsSync(folder))
    }
    const { directory } = saved(whole)
    assert.match(await whyNot(directory), /neither a folder nor a \.tar file/)
  })
})
