import { Schema } from "effect"
import { onePlacement, type OptionConflict, type PostOptions, rulesOf } from "../Platform.ts"
import { textLength } from "../TextLength.ts"
import type { CredentialForm } from "./ConnectForm.ts"
import { altText, flag, language, named, option, overrides, text, webAddress } from "./OptionFields.ts"
import { poll, pollConflicts } from "./Poll.ts"

const maximumAltText = 1500
const longest = 500
const polls = { question: 300, options: 4, option: 50, hours: 730 } as const

/** Mastodon's default limits; a server may set others: https://docs.joinmastodon.org/methods/instance/ */
export const mastodonRules = rulesOf("mastodon", {
  alt_text: maximumAltText,
  ...onePlacement({
    caption: { unit: "mastodon", max: longest },
    text_only: true,
    images: {
      max_count: 4,
      mime_types: ["image/jpeg", "image/png", "image/webp", "image/gif"],
      max_bytes: 16_000_000
    },
    videos: {
      max_count: 1,
      mime_types: ["video/mp4", "video/quicktime", "video/webm"],
      max_bytes: 99_000_000
    },
    mixed: false
  }),
  counted_option: "spoiler_text",
  conflicts: (post) => [...pollConflicts(longest)(post), ...longQuestion(post)]
})

/** Polls have no question: one of their own stands below the caption. */
export const mastodonText = ({ options: { poll }, caption }: Pick<PostOptions, "options" | "caption">) =>
  [caption, typeof poll === "object" && poll !== null && "question" in poll ? String(poll.question) : ""]
    .filter((part) => part !== "")
    .join("\n\n")

const longQuestion = (post: PostOptions): ReadonlyArray<OptionConflict> => {
  const length = textLength(mastodonText(post), "mastodon")
  const alone = textLength(post.caption, "mastodon")
  return length > longest && alone <= longest
    ? [
        {
          option: "poll",
          rule: "poll_question",
          sentence: `takes ${longest} characters with the poll's question, which stands below the caption; these are ${length}.`,
          limit: longest,
          value: length
        }
      ]
    : []
}

export const MastodonOptions = Schema.Struct({
  ...overrides,
  visibility: option(
    named({
      public: "Everyone",
      unlisted: "Everyone, but not in public lists",
      private: "Followers",
      direct: "People who are mentioned"
    }),
    "Who can see it",
    "Who can see it. Left out: as the account has it."
  ),
  spoiler_text: option(
    text(500),
    "Content warning",
    "Shown before the text, which has to be opened. Counts with the caption."
  ),
  sensitive: option(flag, "Cover the media", "The media are covered until they are opened."),
  language: option(language, "Language", "Language of the text, such as en."),
  poll: poll(polls),
  quote: option(
    webAddress,
    "Quoted post",
    "The address of a post, also of another server, which is shown below the text. Since Mastodon 4.5."
  ),
  quote_policy: option(
    named({ public: "Everyone", followers: "Followers", nobody: "Nobody" }),
    "Who may quote",
    "Who may quote the post. Left out: as the account has it. Since Mastodon 4.5."
  ),
  alt_text: altText(maximumAltText)
}).annotate({ identifier: "MastodonOptions" })

export const mastodonForm = {
  summary: "You allow it at your server",
  fields: {
    server: { label: "Server", help: "Where the account is, such as mastodon.social", before_consent: true },
    access_token: {
      label: "Access token",
      help: "On your server: Preferences, Development, New application, with write:statuses, write:media, read:accounts, read:statuses and read:search.",
      secret: true
    }
  },
  link: { text: "What an application is", href: "https://docs.joinmastodon.org/client/token/" }
} as const satisfies CredentialForm
