import { createReadStream } from "node:fs"

export interface ImageFrames {
  /** The frames of an animation, counted only a little beyond the number asked for. */
  frames: number
  /** A WebP with a lossless part: all of it, or its transparency. */
  lossless: boolean
}

/**
 * Counts frames of GIF and WebP from the file's bytes alone. libvips tells the number only after it has listed every
 * frame, which takes minutes where a small file has many.
 */
export const imageFrames = async (
  input: string | Uint8Array,
  mimeType: string,
  atMost: number
): Promise<ImageFrames> => {
  const found = { frames: 0, lossless: false }
  const look = looks[mimeType]?.(found)
  if (look === undefined) return found
  for await (const chunk of typeof input === "string" ? createReadStream(input) : [Buffer.from(input)]) {
    look(chunk as Buffer)
    if (found.frames > atMost) break
  }
  return found
}

const gif = (found: ImageFrames) => {
  const walk = gifBlocks(found)
  let next = walk.next()
  return (chunk: Buffer) => {
    let at = 0
    while (!next.done) {
      const wanted = at + next.value
      if (wanted >= chunk.length) {
        next = { done: false, value: wanted - chunk.length }
        return
      }
      next = walk.next(chunk[wanted]!)
      at = wanted + 1
    }
  }
}

/** Yields the number of bytes to skip, and gets the one after them. */
function* gifBlocks(found: ImageFrames): Generator<number, void, number> {
  const colours = (flags: number) => (flags & 0x80 ? 3 << ((flags & 7) + 1) : 0)
  let skip = 2 + colours(yield 10)
  while (true) {
    const block = yield skip
    // The label of an extension and the code size of a frame come before its parts of at most 255 bytes.
    if (block === 0x21) skip = 1
    else if (block === 0x2c) {
      found.frames++
      skip = 1 + colours(yield 8)
    } else return
    while ((skip = yield skip) > 0);
  }
}

/** Looks for chunk names everywhere, because libwebp finds frames in more places than the format has for them. */
const webp = (found: ImageFrames) => {
  let before = Buffer.alloc(0)
  return (chunk: Buffer) => {
    const bytes = Buffer.concat([before, chunk])
    for (let at = bytes.indexOf("ANMF"); at !== -1; at = bytes.indexOf("ANMF", at + 4)) found.frames++
    found.lossless ||= bytes.includes("VP8L") || bytes.includes("ALPH")
    before = bytes.subarray(-3)
  }
}

const looks: Readonly<Record<string, (found: ImageFrames) => (chunk: Buffer) => void>> = {
  "image/gif": gif,
  "image/webp": webp
}
