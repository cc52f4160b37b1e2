import type { MediaKind } from "../Media.ts"
import { type Content, resolveContent } from "../Overrides.ts"
import type { PlatformId } from "../Platform.ts"
import { platformOptions, platformRules } from "../platforms/PlatformDefinitions.ts"
import { placementOf } from "./Preflight.ts"

/**
 * What a post is in a few words, such as `1 video, reel`, `2 images, carousel` or `text, thread of 3`: the media of the first
 * account that has some, and the placements of networks that let one choose. `kindOf` has no kind of a file that is on its way.
 */
export const kindOfPost = (
  content: Content,
  accounts: ReadonlyArray<{ readonly id: number; readonly platform: PlatformId }>,
  kindOf: (media: string) => MediaKind | null
): string => {
  const resolved = accounts.map(({ id, platform }) => ({
    platform,
    ...resolveContent(content, platform, id)
  }))
  const media = resolved.find((one) => one.media.length > 0)?.media ?? []
  const counts = Map.groupBy(media, (id) => kindOf(id) ?? "file")
  const placements = resolved
    .filter(({ platform }) => "placement" in platformOptions[platform].fields)
    .map(
      ({ platform, media: own, options }) =>
        placementOf(
          platformRules[platform],
          options,
          own.map((id) => ({ kind: kindOf(id) }))
        ).name
    )
    .filter((name) => name !== "feed")
  const following = Math.max(0, ...resolved.map(({ thread }) => thread.length))
  return [
    ...(media.length === 0 ? ["text"] : []),
    ...Array.from(counts, ([kind, { length }]) => `${length} ${kind}${length === 1 ? "" : "s"}`),
    ...new Set(placements),
    ...(following === 0 ? [] : [`thread of ${following + 1}`])
  ].join(", ")
}
