import { resolveContent, threadItems } from "../Overrides.ts"
import { rulesFor } from "../platforms/PlatformDefinitions.ts"
import { brokenLimits } from "./MediaLimits.ts"
import { convertsVideo } from "./MediaProblems.ts"
import { itemWith, placementOf, type PreflightInput } from "./Preflight.ts"
import { isKnown } from "./PreflightMedia.ts"
import { videoConversion } from "./VideoConversion.ts"
import { warnedAccount } from "./Warnings.ts"

/** The videos that are converted for an account, and why. */
export const conversionWarnings = (
  input: Pick<
    PreflightInput,
    "content" | "accounts" | "media" | "processing_enabled" | "video_transcoding"
  > & {
    /** The copies of this instance have the standard dynamic range. */
    readonly tone_mapping: boolean
  }
): ReadonlyArray<string> =>
  convertsVideo(input)
    ? input.accounts.flatMap((account) => {
        const { id, platform } = account
        const rules = rulesFor(account)
        return threadItems(rules, resolveContent(input.content, platform, id)).flatMap(
          ({ media, options }) => {
            const items = media.flatMap((one) => itemWith(input.media, one) ?? [])
            const videos = placementOf(rules, options, items).videos
            return items.filter(isKnown).flatMap((item) => {
              const shape =
                videos === undefined || item.kind !== "video" ? null : videoConversion(item, videos)
              if (videos === undefined || shape === null) return []
              const reasons = brokenLimits(item, videos, false).map(({ sentence }) => sentence)
              return [
                `${warnedAccount(platform, id)} gets a converted copy of the media item ${item.id} ` +
                  `(MP4 with H.264 and AAC, ${shape.width} x ${shape.height}, ${shape.frame_rate} frames per second): ` +
                  `it ${reasons.join("; it ")}.${item.transfer === null ? "" : range(input.tone_mapping)}`
              ]
            })
          }
        )
      })
    : []

const range = (mapped: boolean) =>
  mapped
    ? " Its HDR is tone-mapped to SDR."
    : " Its HDR is not tone-mapped to SDR, so its colors may look pale: the service's ffmpeg lacks the filters zscale and " +
      "tonemap. Upload an SDR version, or tell the operator."
