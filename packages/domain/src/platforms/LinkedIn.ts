import { Schema } from "effect"
import {
  onePlacement,
  type OptionConflict,
  type PlatformRules,
  type PostOptions,
  rulesOf
} from "../Platform.ts"
import { Text } from "../Text.ts"
import { field } from "../Field.ts"
import {
  altText,
  coverImage,
  coverTimestamp,
  filledText,
  firstComment,
  flag,
  linkCards,
  named,
  option,
  overrides,
  text
} from "./OptionFields.ts"
import { pollConflicts } from "./Poll.ts"

const maximumAltText = 4086

const types = ["image/jpeg", "image/png", "image/gif"]

const polls = { question: 140, options: 4, option: 30, days: [1, 3, 7, 14] } as const

const post = String.raw`(share|ugcPost|activity)`
const postForms = [
  new RegExp(`^urn:li:${post}:(\\d{1,30})$`, "i"),
  new RegExp(`^https://(?:www\\.)?linkedin\\.com/feed/update/urn:li:${post}:(\\d{1,30})/?(?:[?#].*)?$`, "i"),
  new RegExp(
    `^https://(?:www\\.)?linkedin\\.com/posts/[^/?#]*-${post}-(\\d{1,30})-[^/?#]*/?(?:[?#].*)?$`,
    "i"
  )
]
const kinds: Readonly<Record<string, string>> = { share: "share", ugcpost: "ugcPost", activity: "activity" }

/** The URN of a post, by itself or in an address of the post. */
export const linkedinPost = (address: string): string | undefined => {
  const plain = address.replaceAll(/%3a/gi, ":")
  const found = postForms.map((form) => form.exec(plain)).find((match) => match !== null)
  return found === undefined ? undefined : `urn:li:${kinds[found[1]!.toLowerCase()]}:${found[2]}`
}

/** What a post shows besides its text: one of these. */
const shownBesides = ["poll", "link", "reshare"] as const

const conflictsOf = (post: PostOptions): ReadonlyArray<OptionConflict> => {
  const { media, options } = post
  const [first, second] = shownBesides.filter((name) => options[name] !== undefined)
  const noVideo = media.every(({ kind }) => kind !== "video" && kind !== null)
  const noDocument = media.every(({ kind }) => kind !== "document" && kind !== null)
  const conflict = (option: string, rule: string, sentence: string) => ({ option, rule, sentence })
  return [
    ...pollConflicts(polls.question)(post),
    ...(second === undefined
      ? []
      : [
          conflict(
            second,
            "one_attachment",
            `shows ${first} or ${second} in one post, not both; leave one of them out.`
          )
        ]),
    ...(media.length === 0
      ? []
      : (["link", "reshare"] as const)
          .filter((name) => options[name] !== undefined)
          .map((name) =>
            conflict(
              name,
              `${name}_without_media`,
              `shows ${name} or media in one post, not both; remove one of them.`
            )
          )),
    ...(options["link"] !== undefined && options["link_card"] === "off"
      ? [
          conflict(
            "link",
            "link_needs_card",
            "uses link for the link card, which link_card turns off; leave one of the two out."
          )
        ]
      : []),
    ...["cover_image", "video_cover_timestamp_ms"]
      .filter((name) => options[name] !== undefined && noVideo)
      .map((name) =>
        conflict(
          name,
          "only_with_video",
          `accepts ${name} only with a video; add a video or leave ${name} out.`
        )
      ),
    ...(options["document_title"] !== undefined && noDocument
      ? [
          conflict(
            "document_title",
            "only_with_document",
            "accepts document_title only with a document; add a document or leave document_title out."
          )
        ]
      : []),
    ...(typeof options["first_comment"] === "string" && [...options["first_comment"]].length > longestComment
      ? [
          conflict(
            "first_comment",
            "too_long",
            `accepts a first comment of at most ${longestComment} characters; this one has ${[...options["first_comment"]].length}. Shorten it.`
          )
        ]
      : [])
  ]
}

/** Characters of a comment, as LinkedIn's own pages allow them. */
const longestComment = 1250

/** https://learn.microsoft.com/linkedin/marketing/community-management/shares/posts-api */
export const linkedinRules: PlatformRules = rulesOf("linkedin", {
  alt_text: maximumAltText,
  poll_is_content: true,
  cover_frame: { min_width: 640, min_height: 360 },
  ...onePlacement({
    caption: { unit: "code_points", max: 3000 },
    text_only: true,
    images: {
      max_count: 20,
      mime_types: types,
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
    covers: { max_count: 1, mime_types: ["image/jpeg", "image/png"], max_pixels: 36_152_319 },
    mixed: false
  }),
  conflicts: conflictsOf,
  first_comment: () => undefined,
  within: ({ organization }) =>
    organization !== true
      ? linkedinRules
      : {
          ...linkedinRules,
          conflicts: (post) => [
            ...conflictsOf(post),
            ...(post.options["visibility"] === "CONNECTIONS"
              ? [
                  {
                    option: "visibility",
                    rule: "pages_post_publicly",
                    sentence:
                      'is an organization\'s page, whose posts anyone can see; set visibility to "PUBLIC" or leave it out.'
                  }
                ]
              : [])
          ]
        }
})

export const LinkedInOptions = Schema.Struct({
  ...overrides,
  document_title: option(
    text(400),
    "Document title",
    "The title that people see on the attached document, in at most 400 characters. Default: the file's name."
  ),
  visibility: option(
    named({ PUBLIC: "Anyone", CONNECTIONS: "Connections only" }),
    "Who can see it",
    "Who can see it. Default: anyone. `CONNECTIONS`: the account's connections; refused for pages."
  ),
  disable_reshare: option(flag, "Turn off reposts", "true: others cannot repost the post. Default: `false`."),
  reshare: option(
    Text.check(
      Schema.isMaxLength(1000),
      Schema.makeFilter(
        (value: string) =>
          linkedinPost(value) !== undefined || "is neither the linkedin.com URL of a post nor its URN",
        {
          expected: "the linkedin.com URL or URN of a post",
          toJsonSchema: () => ({ format: "uri", maxLength: 1000 })
        }
      )
    ),
    "Reposted post",
    "The post to repost under the caption, by its URL or URN. Not with media, a poll or `link`."
  ),
  poll: option(
    Schema.Struct({
      question: field(
        `What the poll asks, in at most ${polls.question} characters. Default: the post's caption.`,
        Schema.optionalKey(filledText(polls.question))
      ),
      options: field(
        `The choices in the order shown: 2 to ${polls.options}, of at most ${polls.option} characters each.`,
        Schema.Array(filledText(polls.option)).check(
          Schema.isBetweenLength(2, polls.options, { expected: `2 to ${polls.options} choices` })
        )
      ),
      duration_days: field("How long the poll is open, in days.", Schema.Literals(polls.days))
    }),
    "Poll",
    `2 to ${polls.options} choices of at most ${polls.option} characters, open for 1 to 14 days. Not with media, \`link\` or \`reshare\`.`
  ),
  ...linkCards,
  video_cover_timestamp_ms: coverTimestamp,
  cover_image: coverImage,
  alt_text: altText(maximumAltText),
  first_comment: firstComment
}).annotate({ identifier: "LinkedInOptions" })
