import type { WorkspaceId } from "@carillon/domain"
import { Data, Effect, PartitionedSemaphore } from "effect"
import sharp, { type Metadata, type SharpOptions } from "sharp"
import { type ImageFrames, imageFrames } from "./ImageFrames.ts"

// One thread per image and two images at a time: more would only fill memory and starve the event loop's helpers.
sharp.concurrency(1)
// The cache is keyed by file name and only costs memory here: no file is read twice in a row.
sharp.cache(false)
// libvips picks its reader by content. These are all that media can be; SVG, PDF and the rest stay shut.
sharp.block({ operation: ["VipsForeignLoad"] })
sharp.unblock({
  operation: [
    "VipsForeignLoadJpeg",
    "VipsForeignLoadPng",
    "VipsForeignLoadWebp",
    "VipsForeignLoadNsgif",
    "VipsForeignLoadHeif"
  ]
})

const mebibyte = 1024 * 1024

export const maximumPixels = 100_000_000
/** An image with more pixels is worked on alone. */
const alonePixels = 50_000_000
/** The memory for decoding images; an image that needs more than half of it is decoded alone. */
const decodingBudget = 256 * mebibyte
const maximumFrames = 5_000

const slots = PartitionedSemaphore.makeUnsafe<WorkspaceId>({ permits: 2 })

/** An image: a file, or its bytes. */
export interface ImageSource {
  readonly input: string | Uint8Array
  readonly mime_type: string
  /** The workspace: workspaces take turns. */
  readonly workspace_id: WorkspaceId
}

export interface ImageHeader extends Metadata {
  /** The size of one picture, as stored and not yet turned upright. */
  readonly pictureHeight: number
  /** So much work that nothing else runs beside it. */
  readonly alone: boolean
}

/** null: the header cannot be read; else what is too large, the rule, and what to do. */
export class ImageRefused extends Data.TaggedError("ImageRefused")<{ readonly sentence: string | null }> {}

/** An image to work on. Broken ones fail, odd ones do not: browsers show them too. */
export const openImage = (input: string | Uint8Array, options: SharpOptions = {}) =>
  sharp(input, {
    limitInputPixels: maximumPixels,
    failOn: "error",
    sequentialRead: true,
    ...options
  }).timeout({
    seconds: 60
  })

/** Reads the header of an image and refuses one that is too large before its first pixel is decoded. */
export const readHeader = Effect.fn("readHeader")(function* (image: ImageSource) {
  return yield* Effect.tryPromise({
    try: () => headerOf(image),
    catch: (error) => (error instanceof ImageRefused ? error : new ImageRefused({ sentence: null }))
  }).pipe(slots.withPermit(image.workspace_id))
})

/** Works on the pixels of an image when it is its turn. */
export const inTurn = ({ workspace_id }: ImageSource, alone: boolean) =>
  slots.withPermits(workspace_id, alone ? 2 : 1)

const headerOf = async ({ input, mime_type }: ImageSource): Promise<ImageHeader> => {
  const found = await imageFrames(input, mime_type, maximumFrames)
  if (found.frames > maximumFrames) throw refused(manyFrames)
  const metadata = await openImage(input, { limitInputPixels: false }).metadata()
  if ((metadata.pages ?? 1) > maximumFrames) throw refused(manyFrames)
  const { width } = metadata
  const pictureHeight = metadata.pageHeight ?? metadata.height
  const size = `The image has ${width} x ${pictureHeight} pixels`
  if (width * pictureHeight > maximumPixels) {
    throw refused(
      `${size}; the limit is ${millions(maximumPixels)} million. Scale it down and upload it again.`
    )
  }
  const [bytes, why] = heldPerPixel(metadata, found)
  const decodingBytes = width * pictureHeight * bytes
  if (decodingBytes > decodingBudget) {
    throw refused(
      `${size} and is ${why}, so all of it must be decoded at once: that needs ` +
        `${Math.ceil(decodingBytes / mebibyte)} MiB of memory, and the limit is ${decodingBudget / mebibyte} MiB. ` +
        "Scale it down, or save it as a JPEG or PNG that is neither progressive nor interlaced, and upload " +
        "it again."
    )
  }
  const alone = width * pictureHeight > alonePixels || decodingBytes > decodingBudget / 2
  return { ...metadata, pictureHeight, alone }
}

const refused = (sentence: string) => new ImageRefused({ sentence })

const manyFrames =
  `The animation has more than ${maximumFrames.toLocaleString("en")} frames, which is the limit. Shorten it, or ` +
  "upload it as a video."

export const millions = (pixels: number) => Math.ceil(pixels / 100_000) / 10

/**
 * The bytes of each pixel that the decoder holds until the last one is there, and why; none if it reads from top to
 * bottom. HEIC is not decoded here.
 */
const heldPerPixel = (
  { format, isProgressive, channels, depth, chromaSubsampling }: Metadata,
  { lossless }: ImageFrames
): readonly [bytes: number, why: string] => {
  switch (format) {
    case "png":
      return isProgressive
        ? [channels * (depth === "ushort" ? 2 : 1), `an interlaced PNG with ${channels} channels`]
        : [0, ""]
    case "jpeg":
      // The coefficients, two bytes each. Subsampled colours have a quarter of them, or half.
      return isProgressive ? [2 * samples(channels, chromaSubsampling), "a progressive JPEG"] : [0, ""]
    case "webp":
      return lossless ? [8, "a WebP with transparency or without loss"] : [0, ""]
    case "gif":
      return [8, "a GIF"]
    default:
      return [0, ""]
  }
}

const samples = (channels: number, chromaSubsampling = "") => {
  if (channels < 3) return channels
  if (chromaSubsampling.startsWith("4:2:0")) return channels - 1.5
  return chromaSubsampling.startsWith("4:2:2") ? channels - 1 : channels
}
