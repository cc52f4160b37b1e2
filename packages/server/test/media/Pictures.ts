import { Effect } from "effect"
import { readFile } from "node:fs/promises"
import { join } from "node:path"
import sharp, { type Create, type Sharp } from "sharp"

export const fixture = (name: string) =>
  Effect.promise(async (): Promise<Uint8Array> => readFile(join(import.meta.dirname, "fixtures", name)))

/** A picture with grain, as a camera makes it: noise does not compress away. */
export const grainy = (width: number, height: number, channels: Create["channels"] = 3, sigma = 20) =>
  sharp({
    create: { width, height, channels, background: "#335577", noise: { type: "gaussian", mean: 128, sigma } }
  })

export const encoded = (picture: Sharp) =>
  Effect.promise(async (): Promise<Uint8Array> => new Uint8Array(await picture.toBuffer()))

export const jpeg = (width = 30, height = 20) => encoded(grainy(width, height).jpeg())

/** A JPEG of exactly this many bytes: what follows the end of the picture is ignored by every reader. */
export const jpegOf = (bytes: number) =>
  Effect.map(jpeg(), (picture) => {
    const padded = new Uint8Array(bytes)
    padded.set(picture)
    return padded
  })
