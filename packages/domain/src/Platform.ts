import { Schema } from "effect"

/** Every platform of contract.md section 6. `sandbox` is the test network. */
export const PlatformId = Schema.Literals([
  "tiktok",
  "instagram",
  "youtube",
  "pinterest",
  "twitter",
  "linkedin",
  "facebook",
  "threads",
  "bluesky",
  "mastodon",
  "sandbox"
]).annotate({ identifier: "PlatformId" })
export type PlatformId = typeof PlatformId.Type

/**
 * How a platform counts the length of a text.
 * `graphemes`: what a person sees as one character. `code_points`: Unicode scalar values.
 * `utf16`: JavaScript's `length`.
 */
export type TextUnit = "graphemes" | "code_points" | "utf16"

export interface ImageRules {
  readonly max_count: number
  /** What the platform takes; with `processing_enabled` other image types are converted to the first one. */
  readonly mime_types: ReadonlyArray<string>
  readonly max_bytes: number
  readonly max_side?: number
}

export interface VideoRules {
  readonly max_count: number
  readonly mime_types: ReadonlyArray<string>
  readonly max_bytes: number
  readonly max_duration_ms: number
}

/**
 * A platform's limits as data: pre-flight, the options endpoint and the documentation read the same object.
 * Sizes are bytes, durations milliseconds.
 */
export interface PlatformRules {
  readonly platform: PlatformId
  readonly name: string
  readonly caption: { readonly unit: TextUnit; readonly max: number; readonly max_bytes?: number }
  /** A post of text alone is possible. */
  readonly text_only: boolean
  readonly images?: ImageRules
  readonly videos?: VideoRules
  /** Images and videos in one post. */
  readonly mixed: boolean
}
