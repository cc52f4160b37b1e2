import { Schema } from "effect"
import { onePlacement, rulesOf } from "../Platform.ts"
import { altText, firstComment, named, option, overrides, text } from "./OptionFields.ts"

const maximumAltText = 4086

/** https://learn.microsoft.com/linkedin/marketing/community-management/shares/posts-api */
export const linkedinRules = rulesOf("linkedin", {
  alt_text: maximumAltText,
  ...onePlacement({
    caption: { unit: "code_points", max: 3000 },
    text_only: true,
    images: {
      max_count: 20,
      mime_types: ["image/jpeg", "image/png", "image/gif"],
      // Fewer than 36,152,320.
      max_pixels: 36_152_319,
      max_frames: 250
    },
    videos: {
      max_count: 1,
      mime_types: ["video/mp4"],
      min_bytes: 75_000,
      max_bytes: 500_000_000,
      min_ratio: 1 / 2.4,
      max_ratio: 2.4,
      min_duration_ms: 3000,
      max_duration_ms: 1_800_000
    },
    documents: { max_count: 1, mime_types: ["application/pdf"], max_bytes: 100_000_000 },
    mixed: false
  })
})

export const LinkedInOptions = Schema.Struct({
  ...overrides,
  document_title: option(
    text(400),
    "Document title",
    "The title that people see on the attached document, at most 400 characters. Default: `null`, none."
  ),
  visibility: option(
    named({ PUBLIC: "Anyone", CONNECTIONS: "Connections only" }),
    "Who can see it",
    "Who can see it. Default: anyone. `CONNECTIONS`: the account's connections."
  ),
  alt_text: altText(maximumAltText),
  first_comment: firstComment
}).annotate({ identifier: "LinkedInOptions" })
