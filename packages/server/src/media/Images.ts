import { Semaphore } from "effect"
import sharp, { type SharpOptions } from "sharp"

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

/** Decoding an image takes four bytes a pixel: this many are refused before the first is decoded. */
export const maximumPixels = 100_000_000

/** Permits for work on pixels. */
export const imageSlots = Semaphore.makeUnsafe(2)

/** An image to work on. Broken ones fail, odd ones do not: what browsers show is good enough. */
export const openImage = (input: string | Uint8Array, options: SharpOptions = {}) =>
  sharp(input, {
    limitInputPixels: maximumPixels,
    failOn: "error",
    sequentialRead: true,
    ...options
  }).timeout({
    seconds: 60
  })
