import type { PlatformId } from "@carillon/domain"
import type { Media } from "@carillon/sdk"

/** The ways in which networks show posts. */
export type Look = "photo-feed" | "upright" | "story" | "watch" | "pin" | "post"

type Item = Pick<Media, "kind" | "width" | "height" | "duration_ms">

/** The longest a Short may be. */
const longestShort = 3 * 60_000

/** How a network shows a post with these media, and its name for that. */
export const lookOf = (
  platform: PlatformId,
  placement: string,
  media: ReadonlyArray<Item>
): { readonly look: Look; readonly name: string } => {
  switch (platform) {
    case "instagram":
      if (placement === "story") return { look: "story", name: "Story" }
      return placement === "reel" ? { look: "upright", name: "Reel" } : { look: "photo-feed", name: "Feed" }
    case "facebook":
      if (placement === "story") return { look: "story", name: "Story" }
      return placement === "reel" ? { look: "upright", name: "Reel" } : { look: "post", name: "Feed" }
    case "tiktok":
      return { look: "upright", name: placement === "photos" ? "Photos" : "Video" }
    case "youtube": {
      const [video] = media
      const short =
        video?.width != null &&
        video.height != null &&
        video.height >= video.width &&
        (video.duration_ms ?? 0) <= longestShort
      return short ? { look: "upright", name: "Short" } : { look: "watch", name: "Video" }
    }
    case "pinterest":
      return { look: "pin", name: "Pin" }
    case "google_business":
      return { look: "post", name: "Update" }
    default:
      return { look: "post", name: "Post" }
  }
}

/** How much of a text is shown before "more". Networks without an entry show all of it. */
export const folds: Readonly<Record<string, { readonly characters: number; readonly lines: number }>> = {
  "instagram photo-feed": { characters: 125, lines: 3 },
  "instagram upright": { characters: 55, lines: 1 },
  "facebook post": { characters: 480, lines: 5 },
  "facebook upright": { characters: 55, lines: 1 },
  "tiktok upright": { characters: 100, lines: 2 },
  "youtube upright": { characters: 100, lines: 2 },
  "youtube watch": { characters: 150, lines: 3 },
  "pinterest pin": { characters: 100, lines: 3 },
  "linkedin post": { characters: 210, lines: 3 }
}
