import { resolveContent } from "../Overrides.ts"
import { platformRules } from "../platforms/PlatformRules.ts"
import { brokenLimits } from "./MediaLimits.ts"
import { convertsVideo } from "./MediaProblems.ts"
import { itemWith, placementOf, type PreflightInput } from "./Preflight.ts"
import { isKnown } from "./PreflightMedia.ts"
import { videoConversion } from "./VideoConversion.ts"

/** Which videos an account gets a converted copy of, and why. */
export const conversionWarnings = (
  input: Pick<PreflightInput, "content" | "accounts" | "media" | "processing_enabled" | "video_transcoding">
): ReadonlyArray<string> =>
  convertsVideo(input)
    ? input.accounts.flatMap(({ id, platform }) => {
        const { media, options } = resolveContent(input.content, platform, id)
        const items = media.flatMap((one) => itemWith(input.media, one) ?? [])
        const rules = placementOf(platformRules[platform], options, items).videos
        return items.filter(isKnown).flatMap((item) => {
          const shape = rules === undefined || item.kind !== "video" ? null : videoConversion(item, rules)
          if (rules === undefined || shape === null) return []
          const reasons = brokenLimits(item, rules, false).map(({ sentence }) => sentence)
          return [
            `${platformRules[platform].name} (account ${id}) gets a converted copy of the media item ${item.id} ` +
              `(MP4 with H.264 and AAC, ${shape.width} x ${shape.height}, ${shape.frame_rate} frames per second): ` +
              `it ${reasons.join("; it ")}.`
          ]
        })
      })
    : []
