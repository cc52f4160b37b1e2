import {
  AccountConfigurations,
  CreatePost,
  platformIds,
  platformName,
  platformRules,
  UpdatePost
} from "@carillon/domain"
import { Schema, Struct } from "effect"

export const postId = Schema.String.check(Schema.isMaxLength(100)).annotate({
  description: "An id from list_posts, show_calendar or create_post."
})

/** What a post says and when it goes out. */
const content = {
  ...Struct.pick(UpdatePost.fields, [
    "caption",
    "media",
    "media_urls",
    "thread",
    "thread_fallback",
    "scheduled_at",
    "use_queue",
    "is_draft",
    "platform_configurations",
    "processing_enabled"
  ]),
  // REST also takes the array wrapped in an object, which no agent needs.
  account_configurations: Schema.optionalKey(Schema.NullOr(AccountConfigurations))
}

/** The arguments for a new post, which tools without many words say to be those of `create_post`. */
export const briefPost = { social_accounts: CreatePost.fields.social_accounts, ...content }

/** The time of a post that is there already. */
export const when = {
  scheduled_at: content.scheduled_at.annotate({ description: "As in create_post." }),
  use_queue: content.use_queue.annotate({ description: "true: the next free slot of the user's queue." })
}

const withChains = platformIds
  .filter((id) => id !== "sandbox" && platformRules[id].chains !== undefined)
  .map(platformName)

/** The arguments for a new post. */
export const newPost = {
  social_accounts: briefPost.social_accounts.annotate({
    description: "Ids of the accounts to post to, from list_accounts."
  }),
  ...content,
  scheduled_at: content.scheduled_at.annotate({
    description:
      "ISO 8601: with a zone in brackets (2026-12-24T09:00[Europe/Paris]), an offset or Z; with neither, in the " +
      "time zone of list_accounts. Not together with use_queue."
  }),
  use_queue: content.use_queue.annotate({
    description: "true: the next free slot of the user's queue."
  }),
  caption: content.caption.annotate({
    description: "The text of the post. May be left out if there is media."
  }),
  media: content.media.annotate({
    description:
      "Ids of media items, in order, from list_media, import_media or complete_media_upload, which take their alt_text."
  }),
  media_urls: content.media_urls.annotate({
    description: "Public URLs of files that the service fetches itself; they follow those of media."
  }),
  thread: content.thread.annotate({
    description: `Posts that follow it as a chain (${withChains.join(", ")}).`
  }),
  thread_fallback: content.thread_fallback.annotate({
    description: "join: elsewhere the chain becomes one post; without it that is refused."
  }),
  repairs: CreatePost.fields.repairs.annotate({
    description: "The id of a failed result (get_post) that it replaces."
  }),
  is_draft: content.is_draft.annotate({
    description:
      "true: keep it as a draft, which may be incomplete; nothing goes out, and scheduled_at is only its plan."
  }),
  account_configurations: content.account_configurations.annotate({
    description: "What single accounts get instead; any option of their platform too."
  }),
  processing_enabled: content.processing_enabled.annotate({
    description: "false: media that do not fit are refused; else they are fitted."
  })
}

/** The arguments of a change. */
export const changes = {
  ...content,
  ...when,
  social_accounts: UpdatePost.fields.social_accounts.annotate({
    description: "Ids of all accounts that it goes to from now on."
  }),
  is_draft: content.is_draft.annotate({
    description: "true: take it off the schedule; nothing goes out, and its time stays as a plan."
  }),
  account_configurations: content.account_configurations.annotate({
    description: "Merged by account_id: [{account_id, caption}] changes the caption of one account alone."
  })
}

/** Whether a post like this goes out at once; that cannot be undone. */
export const publishesNow = (args: unknown): boolean => {
  const { scheduled_at, use_queue, is_draft } = (args ?? {}) as Record<string, unknown>
  return (scheduled_at ?? null) === null && !use_queue && is_draft !== true
}
