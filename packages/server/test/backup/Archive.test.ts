import {
  chunksOf,
  isSignedWith,
  type NewPart,
  partsOf,
  verifyArchive,
  writeArchive
} from "@carillon/server/backup/Archive"
import { assert, describe, it } from "@effect/vitest"
import { execFileSync } from "node:child_process"
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { Readable } from "node:stream"
import { buffer, text } from "node:stream/consumers"

const long = Buffer.alloc(300_000, "bell ")

async function* parts(...more: ReadonlyArray<NewPart>): AsyncGenerator<NewPart> {
  yield { name: "tables/bells.jsonl", size_bytes: 5, content: () => chunksOf([Buffer.from("hello")]) }
  yield { name: "media/none", size_bytes: 0, content: () => chunksOf([]) }
  yield { name: "media/long", size_bytes: long.length, content: () => chunksOf([long]) }
  yield* more
}

const key = Buffer.alloc(32, "ours")

const whole = () => buffer(writeArchive(parts(), () => ({ kind: "test" }), key))

const refusal = (bytes: Uint8Array) =>
  verifyArchive(Readable.from([bytes])).then(
    () => assert.fail("it was taken"),
    (error: Error) => error.message
  )

describe("an archive", () => {
  it("an archive is opened by tar, with the size and SHA-256 of each part in its manifest", async () => {
    const directory = mkdtempSync(join(tmpdir(), "carillon-archive-"))
    writeFileSync(join(directory, "a.tar"), await whole())
    execFileSync("tar", ["xf", "a.tar"], { cwd: directory })
    assert.isTrue(readFileSync(join(directory, "media/long")).equals(long))
    const manifest = JSON.parse(readFileSync(join(directory, "manifest.json"), "utf8"))
    assert.deepStrictEqual(manifest.parts[0], {
      name: "tables/bells.jsonl",
      size_bytes: 5,
      sha256: "2cf24dba5fb0a30e26e83b2ac5b9e29e1b161e5c1fa7425e73043362938b9824"
    })
    // One that a person packed again is taken too.
    execFileSync("tar", ["cf", "b.tar", "./manifest.json", "./media", "./tables"], { cwd: directory })
    const again = readFileSync(join(directory, "b.tar"))
    assert.deepStrictEqual(await verifyArchive(Readable.from([again])), manifest)
    assert.isTrue(isSignedWith(key, await verifyArchive(Readable.from([again]))))
    rmSync(directory, { recursive: true })
  })

  it("an archive is refused with a sentence when it is cut off, damaged, incomplete, or something else", async () => {
    const bytes = await whole()
    const end = bytes.lastIndexOf("manifest.json")
    for (const at of [100_000, end - 1000, end + 600]) {
      assert.match(await refusal(bytes.subarray(0, at)), /^It is truncated/)
    }
    assert.match(await refusal(bytes.subarray(0, end)), /^It is truncated: manifest.json is missing/)
    const damaged = Buffer.from(bytes)
    damaged[100_000]! ^= 1
    assert.match(await refusal(damaged), /the bytes of media\/long do not match its checksum/)
    assert.match(await refusal(Buffer.alloc(5000, "x")), /^It is not a tar archive/)
    const without = Buffer.concat([bytes.subarray(1024)])
    assert.match(await refusal(without), /tables\/bells.jsonl is missing/)
    assert.match(await refusal(Buffer.concat([bytes.subarray(0, 1024), bytes])), /tables\/bells.jsonl twice/)
    const outside = parts({ name: "../etc/passwd", size_bytes: 1, content: () => chunksOf([Buffer.of(1)]) })
    assert.match(
      await refusal(await buffer(writeArchive(outside, () => ({}), key))),
      /it contains "\.\.\/etc\/passwd"/
    )
  })

  it("fails when a part is shorter or longer than it should be, and when a part cannot be read", async () => {
    for (const size_bytes of [1, 3]) {
      const wrong = { name: "media/wrong", size_bytes, content: () => chunksOf([Buffer.of(1, 2)]) }
      const failed = await buffer(writeArchive(parts(wrong), () => ({}), key)).catch(
        (error: Error) => error.message
      )
      assert.match(String(failed), /media\/wrong does not have the \d bytes/)
    }
  })

  it("an archive is signed: what a stranger made or changed is not ours, though every checksum fits", async () => {
    const signed = async (bytes: Uint8Array) => isSignedWith(key, await verifyArchive(Readable.from([bytes])))
    const made = await whole()
    assert.isTrue(await signed(made))
    const strangers = Buffer.alloc(32, "theirs")
    assert.isFalse(await signed(await buffer(writeArchive(parts(), () => ({ kind: "test" }), strangers))))
    const { mac, ...manifest } = await verifyArchive(Readable.from([made]))
    const [first, ...others] = manifest.parts
    const changed = [
      { ...manifest, kind: "other" },
      { ...manifest, more: true },
      { ...manifest, parts: others },
      { ...manifest, parts: [...others, first!] },
      { ...manifest, parts: [{ ...first!, sha256: others[0]!.sha256 }, ...others] }
    ]
    for (const one of changed) assert.isFalse(isSignedWith(key, { ...one, mac }))
    for (const other of ["", "00", mac.toUpperCase(), `${mac}00`, 1 as never, undefined as never]) {
      assert.isFalse(isSignedWith(key, { ...manifest, mac: other }))
    }
  })

  it("gives one part without the others", async () => {
    for await (const { name, content } of partsOf(Readable.from([await whole()]))) {
      if (name !== "media/long") continue
      assert.strictEqual(await text(Readable.from(content)), long.toString())
      break
    }
  })
})
