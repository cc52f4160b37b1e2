import type { PlatformRules } from "../Platform.ts"

/** reference: AT Protocol lexicon app.bsky.feed.post and app.bsky.embed.images. */
export const blueskyRules: PlatformRules = {
  platform: "bluesky",
  name: "Bluesky",
  caption: { unit: "graphemes", max: 300, max_bytes: 3000 },
  text_only: true,
  images: {
    max_count: 4,
    mime_types: ["image/jpeg", "image/png", "image/webp"],
    max_bytes: 2_000_000,
    max_side: 4000
  },
  mixed: false
}
