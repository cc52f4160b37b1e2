import { Effect } from "effect"
import { readFile } from "node:fs/promises"
import { join } from "node:path"

const path = join(import.meta.dirname, "../../server/test/media/fixtures/video.mp4")

const frames = 150
const timescale = 12_800
const frameTicks = timescale / 25

const box = (type: string, ...parts: ReadonlyArray<Uint8Array>) => {
  const head = Buffer.alloc(8)
  head.write(type, 4, "latin1")
  const whole = Buffer.concat([head, ...parts])
  whole.writeUInt32BE(whole.length)
  return whole
}

const table = (type: string, ...numbers: ReadonlyArray<number>) => {
  const body = Buffer.alloc(4 + 4 * numbers.length)
  numbers.forEach((number, index) => body.writeUInt32BE(number, 4 + 4 * index))
  return box(type, body)
}

/** A box of the file by its name, the first of several, with some of its numbers replaced. */
const copied = (file: Buffer, type: string, changes: Readonly<Record<number, number>> = {}) => {
  const at = file.indexOf(type) - 4
  const copy = Buffer.from(file.subarray(at, at + file.readUInt32BE(at)))
  for (const [offset, value] of Object.entries(changes)) copy.writeUInt32BE(value, Number(offset))
  return copy
}

/**
 * An MP4 of six seconds with 25 frames each and at least so many bytes: the first picture of a shorter one again and
 * again, without sound, and a box that nobody reads.
 */
export const sixSeconds = (bytes = 0) =>
  Effect.promise(async () => {
    const file = await readFile(path)
    const firstSize = copied(file, "stsz").readUInt32BE(20)
    const firstOffset = copied(file, "stco").readUInt32BE(16)
    const samples = box(
      "stbl",
      copied(file, "stsd"),
      table("stts", 1, frames, frameTicks),
      table("stsc", 1, 1, 1, 1),
      table("stsz", firstSize, frames),
      table("stco", frames, ...Array.from({ length: frames }, () => firstOffset))
    )
    const media = box(
      "mdia",
      copied(file, "mdhd", { 20: timescale, 24: frames * frameTicks }),
      copied(file, "hdlr"),
      box("minf", copied(file, "vmhd"), copied(file, "dinf"), samples)
    )
    const movie = box(
      "moov",
      copied(file, "mvhd", { 24: 6000 }),
      box("trak", copied(file, "tkhd", { 28: 6000 }), media)
    )
    // The old tables stay where they are, so that the pictures do; nobody looks at them any more.
    file.write("free", file.indexOf("moov"), "latin1")
    const filling = box("free", Buffer.alloc(Math.max(0, bytes - file.length - movie.length)))
    return new Uint8Array(Buffer.concat([file, filling, movie]))
  })
