import { readFileSync } from "node:fs"
import { join } from "node:path"

const fixture = join(import.meta.dirname, "../../server/test/media/fixtures/video.mp4")

/** A box that every player skips. */
const filling = (bytes: number) => {
  const box = Buffer.alloc(8)
  box.writeUInt32BE(bytes)
  box.write("free", 4)
  return box
}

/** As LinkedIn wants it at least. */
const leastBytes = 75_000

/** The tables of an MP4 that say 720 by 1280 pixels, 25 frames a second and four seconds, as TikTok wants it at least. */
export const uprightVideo = (): Uint8Array<ArrayBuffer> => {
  const video = readFileSync(fixture)
  const at = (box: string) => video.indexOf(box)
  const sizes = at("tkhd") + 4
  video.writeUInt32BE(720 << 16, sizes + 76)
  video.writeUInt32BE(1280 << 16, sizes + 80)
  // The first `avc1` is a brand of the file.
  const picture = video.indexOf("avc1", at("stsd")) + 4
  video.writeUInt16BE(720, picture + 24)
  video.writeUInt16BE(1280, picture + 26)
  const timescale = 25 * 2048
  video.writeUInt32BE(timescale, at("mdhd") + 16)
  video.writeUInt32BE(4 * timescale, at("mdhd") + 20)
  video.writeUInt32BE(4000, at("mvhd") + 20)
  const left = leastBytes - video.length
  return Uint8Array.from(Buffer.concat([video, filling(left), Buffer.alloc(left - 8)]))
}

/** The same in so many bytes, made while it is sent. */
export const bigVideo = (size: number) => {
  const video = uprightVideo()
  const box = filling(size - video.length)
  const bytes = new Uint8Array(1024 * 1024).map((_, index) => index % 241)
  return function* () {
    yield video
    yield new Uint8Array(box)
    for (let left = size - video.length - box.length; left > 0; left -= bytes.length) {
      yield bytes.subarray(0, Math.min(left, bytes.length))
    }
  }
}
