import {
  AccountConfigurations,
  CreatePost,
  PlatformId,
  platformIds,
  platformName,
  platformRules,
  UpdatePost
} from "@carillon/domain"
import { Schema } from "effect"

export const postId = Schema.String.check(Schema.isMaxLength(100)).annotate({
  description: "Id from list_posts, show_calendar or create_post."
})

/** Its names fill a page. */
export const ToolPlatform = PlatformId.annotate({ identifier: "ToolPlatform" })

/** A filter of lists. */
export const ofPlatform = Schema.optionalKey(Schema.NullOr(ToolPlatform)).annotate({
  description: "Such as instagram or twitter (X)."
})

const withThreads = platformIds
  .filter((id) => id !== "sandbox" && platformRules[id].chains !== undefined)
  .map(platformName)

const { fields } = UpdatePost

/** The time of a post. */
export const when = {
  scheduled_at: fields.scheduled_at.annotate({
    description: "2026-12-24T09:00 in the user's time zone, or with an offset or [Europe/Paris]."
  }),
  use_queue: fields.use_queue.annotate({ description: "true: the next free slot of the queue." })
}

/** What a post says and when it goes out, in the fewest words. */
const content = {
  caption: fields.caption.annotate({ description: "The text." }),
  media: fields.media.annotate({ description: "Ids from list_media or import_media, in order." }),
  media_urls: fields.media_urls.annotate({ description: "Public URLs of further files." }),
  thread: fields.thread.annotate({ description: "Posts that follow it as a thread." }),
  thread_fallback: fields.thread_fallback.annotate({
    description: "join: one post where there are no threads."
  }),
  ...when,
  is_draft: fields.is_draft.annotate({ description: "true: a draft, which does not go out." }),
  platform_configurations: fields.platform_configurations.annotate({
    description: "What a platform's accounts get instead; get_platform_options has all."
  }),
  processing_enabled: fields.processing_enabled.annotate({
    description: "false: media that do not fit are refused."
  }),
  // REST also takes the array wrapped in an object, which no agent needs.
  account_configurations: Schema.optionalKey(Schema.NullOr(AccountConfigurations)).annotate({
    description: "What single accounts get instead."
  })
}

/** The content of a new post. */
export const newContent = {
  social_accounts: CreatePost.fields.social_accounts.annotate({
    description: "Ids of the accounts to post to, from list_accounts."
  }),
  ...content
}

/** The arguments for a new post. */
export const newPost = {
  ...newContent,
  scheduled_at: content.scheduled_at.annotate({
    description:
      "ISO 8601: with a zone in brackets (2026-12-24T09:00[Europe/Paris]), an offset or Z; with neither, in the " +
      "time zone of list_accounts. Not together with use_queue."
  }),
  caption: content.caption.annotate({
    description: "The text of the post. May be left out if there is media."
  }),
  media: content.media.annotate({
    description:
      "Ids in order, from list_media, or from import_media and complete_media_upload, which take alt_text."
  }),
  media_urls: content.media_urls.annotate({
    description: "Public URLs of files that the service fetches itself; they follow those of media."
  }),
  thread: content.thread.annotate({
    description: `Posts that follow it as a thread (${withThreads.join(", ")}).`
  }),
  thread_fallback: content.thread_fallback.annotate({
    description: "join: elsewhere the thread becomes one post; without it that is refused."
  }),
  repairs: CreatePost.fields.repairs.annotate({
    description: "The id of a failed result (get_post) that it replaces."
  }),
  platform_configurations: content.platform_configurations.annotate({
    description:
      "What a platform's accounts get instead: caption, media and options; get_platform_options has all."
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
  social_accounts: fields.social_accounts.annotate({
    description: "Ids of all accounts that it goes to from now on."
  }),
  media_urls: content.media_urls.annotate({
    description:
      "Public URLs of files, put after those of media; without media they replace what the post has."
  }),
  is_draft: content.is_draft.annotate({
    description: "true: take it off the schedule, its time stays as a plan. false: schedule the draft."
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
