import { kindOfPost, type MediaKind } from "@carillon/domain"
import { assert, describe, it } from "@effect/vitest"

const kinds: Record<string, MediaKind> = {
  film: "video",
  picture: "image",
  other: "image",
  paper: "document"
}
const [instagram, facebook, bluesky] = [
  { id: 1, platform: "instagram" },
  { id: 2, platform: "facebook" },
  { id: 3, platform: "bluesky" }
] as const

describe("what a post is", () => {
  it.each([
    ["1 video, reel", { media: ["film"] }, [instagram]],
    [
      "1 video, reel",
      { media: ["film"], platform_configurations: { facebook: { placement: "reel" } } },
      [facebook, bluesky]
    ],
    ["1 video", { media: ["film"] }, [facebook]],
    ["2 images, carousel", { media: ["picture", "other"] }, [bluesky, instagram]],
    ["1 image, 1 video", { media: ["picture", "film"] }, [bluesky]],
    [
      "1 image, story",
      { account_configurations: [{ account_id: 1, media: ["picture"], placement: "story" }] },
      [bluesky, instagram]
    ],
    ["1 document", { media: ["paper"] }, [facebook]],
    ["1 file", { media: ["coming"] }, [facebook]],
    [
      "text, thread of 3",
      {
        thread: [
          { caption: "b", media: [] },
          { caption: "c", media: [] }
        ]
      },
      [bluesky]
    ],
    ["text", {}, [instagram]]
  ] as const)("what a post is is %s", (said, fields, accounts) => {
    const content = {
      caption: "a",
      media: [],
      platform_configurations: null,
      account_configurations: null,
      ...fields
    }
    assert.strictEqual(
      kindOfPost(content as never, accounts, (id) => kinds[id] ?? null),
      said
    )
  })
})
