import type { TextUnit } from "./Platform.ts"

const segmenter = new Intl.Segmenter("en", { granularity: "grapheme" })

/** The length of a text as a platform counts it. */
export const textLength = (text: string, unit: TextUnit): number => {
  switch (unit) {
    case "utf16":
      return text.length
    case "code_points":
      return [...text].length
    case "graphemes":
      return [...segmenter.segment(text)].length
  }
}

/** The length of a text in UTF-8. */
export const byteLength = (text: string): number => new TextEncoder().encode(text).length
