import type { VideoRules } from "../Platform.ts"
import { type BrokenLimit, brokenLimits, largestSide, type MediaFacts } from "./MediaLimits.ts"

/** The shape of a converted video: pixels, frames per second, and the most bits per second of its picture. */
export interface VideoShape {
  readonly width: number
  readonly height: number
  readonly frame_rate: number
  readonly bit_rate: number
}

/** Bits per second of the sound of a converted video. */
export const convertedSound = 128_000

/** A picture below this is not worth a post. */
const leastBitRate = 500_000
const mostBitRate = 50_000_000

/** The shape of a copy that the rules take; null if the video needs none or none would help. */
export const videoConversion = (facts: MediaFacts, rules: VideoRules): VideoShape | null => {
  if (brokenLimits(facts, rules, false).length === 0) return null
  const converted = conversionOf(facts, rules)
  return converted === null || brokenLimits(converted.copy, rules, false).length > 0 ? null : converted.shape
}

/** The limits that a video breaks and a conversion does not mend. */
export const unmended = (facts: MediaFacts, rules: VideoRules): ReadonlyArray<BrokenLimit> => {
  const broken = brokenLimits(facts, rules, false)
  const converted = conversionOf(facts, rules)
  if (converted === null) return broken
  const left = brokenLimits(converted.copy, rules, false).map(({ rule }) => rule)
  if (left.length === 0) return []
  const same = broken.filter(({ rule }) => left.includes(rule))
  // A copy small enough for one limit would be too small for another.
  return same.length > 0 ? same : broken
}

const conversionOf = (facts: MediaFacts, rules: VideoRules) => {
  const { width, height, duration_ms, frame_rate, size_bytes } = facts
  if (width === null || height === null || !rules.mime_types.includes("video/mp4")) return null
  const scale = largestSide(width, height, rules) / Math.max(width, height)
  const most = rules.max_bytes ?? Infinity
  // A twentieth goes to the container and to the encoder's overshoot.
  const room =
    most === Infinity
      ? mostBitRate
      : duration_ms === null
        ? null
        : (0.95 * most * 8) / (duration_ms / 1000) - convertedSound
  const shape: VideoShape = {
    width: even(width * scale),
    height: even(height * scale),
    frame_rate: fewerFrames(frame_rate ?? 30, rules.max_fps ?? Infinity),
    bit_rate: Math.floor(Math.max(leastBitRate, Math.min(mostBitRate, room ?? mostBitRate)))
  }
  const copy: MediaFacts = {
    ...facts,
    mime_type: "video/mp4",
    video_codec: "avc",
    audio_codec: facts.audio_codec === null ? null : "aac",
    width: shape.width,
    height: shape.height,
    frame_rate: frame_rate === null ? null : shape.frame_rate,
    size_bytes: room !== null && room >= leastBitRate ? Math.min(size_bytes, most) : size_bytes
  }
  return { shape, copy }
}

/** H.264 with subsampled colours needs sides of an even number of pixels. */
const even = (side: number) => Math.max(2, Math.floor((side + 1e-6) / 2) * 2)

/** Keeps every second or third frame and so on, so that the rest is evenly spaced. */
const fewerFrames = (rate: number, most: number) =>
  Math.round((rate / Math.max(1, Math.ceil(rate / most))) * 1000) / 1000
