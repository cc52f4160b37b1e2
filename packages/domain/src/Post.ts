import { Schema, SchemaGetter } from "effect"
import { Approval } from "./Approval.ts"
import { DateOrTime } from "./CalendarDate.ts"
import { MediaId, PostId, SocialAccountId, TargetId } from "./Ids.ts"
import { Flag, List, paging, Several, SeveralIds } from "./Lists.ts"
import { MediaUrl } from "./Media.ts"
import { PlatformId } from "./Platform.ts"
import { AccountConfigurations, PlatformConfigurations } from "./PlatformOptions.ts"
import { ProblemItems } from "./Problems.ts"
import { PostResult, ResultStatus, type TargetState } from "./Target.ts"
import { Text } from "./Text.ts"
import { mostChainItems, Thread, ThreadFallback, ThreadItem } from "./Thread.ts"
import { TimeZoneName, Timestamp } from "./Time.ts"

/** The statuses of a post. */
export const PostStatus = Schema.Literals(["scheduled", "published", "failed", "draft"]).annotate({
  identifier: "PostStatus"
})
export type PostStatus = typeof PostStatus.Type

const accounts = Schema.Array(Schema.Int).check(
  Schema.isMinLength(1, { expected: "at least one social account id" }),
  Schema.isMaxLength(200)
)

/** The array, or the array wrapped in an object of the same name, as some clients send it. */
const accountConfigurations = Schema.Union([
  AccountConfigurations,
  Schema.Struct({ account_configurations: AccountConfigurations })
]).pipe(
  Schema.decodeTo(Schema.toType(AccountConfigurations), {
    decode: SchemaGetter.transform((value) =>
      "account_configurations" in value ? value.account_configurations : value
    ),
    encode: SchemaGetter.passthrough({ strict: false })
  })
)

const InQueue = Schema.Struct({
  timezone: Schema.optionalKey(TimeZoneName),
  slot: Schema.optionalKey(Timestamp)
}).check(
  Schema.makeFilter(
    ({ slot, timezone }) =>
      (slot ?? timezone) !== undefined || "needs a timezone or a slot; for the next slot give true",
    { expected: "a timezone, a slot, or both" }
  )
)

const content = {
  caption: Schema.optionalKey(Schema.NullOr(Text.check(Schema.isMaxLength(20_000)))),
  media: Schema.optionalKey(
    Schema.NullOr(Schema.Array(Schema.String.check(Schema.isMaxLength(100))).check(Schema.isMaxLength(100)))
  ),
  /**
   * Files that the service fetches itself; they follow those of `media`. In a change they replace the post's media
   * unless `media` is given too; null or an empty list changes nothing.
   */
  media_urls: Schema.optionalKey(Schema.NullOr(Schema.Array(MediaUrl).check(Schema.isMaxLength(100)))),
  /** The posts that follow it where a network has chains, in order; a text is an item's caption. */
  thread: Schema.optionalKey(Schema.NullOr(Thread)),
  /** `join`: where a network has no chains, the items become one post. Without it such a post is refused. */
  thread_fallback: Schema.optionalKey(Schema.NullOr(ThreadFallback)),
  /** ISO 8601 with an offset, `Z` or a zone in brackets; without any the profile's time zone holds. At most a minute in the past. */
  scheduled_at: Schema.optionalKey(Schema.NullOr(Schema.String.check(Schema.isMaxLength(1000)))),
  /** The next free slot of the workspace's queue, or the free one at `slot`; a time zone here overrides the queue's own. */
  use_queue: Schema.optionalKey(Schema.NullOr(Schema.Union([Schema.Boolean, InQueue]))),
  is_draft: Schema.optionalKey(Schema.NullOr(Schema.Boolean)),
  platform_configurations: Schema.optionalKey(Schema.NullOr(PlatformConfigurations)),
  account_configurations: Schema.optionalKey(Schema.NullOr(accountConfigurations)),
  /** Fits images, and videos where the instance converts them, to each platform; false sends files as they are or refuses them. */
  processing_enabled: Schema.optionalKey(Schema.NullOr(Schema.Boolean))
}

/** The body of `POST /v1/posts`. */
export const CreatePost = Schema.Struct({
  social_accounts: accounts,
  ...content,
  /**
   * The id of a failed result of one of the accounts, which this post goes out instead of. What the same post failed on
   * others of the accounts is mended too.
   */
  repairs: Schema.optionalKey(Schema.NullOr(Schema.String.check(Schema.isMaxLength(100))))
}).annotate({ identifier: "CreatePost" })
export interface CreatePost extends Schema.Schema.Type<typeof CreatePost> {}

/** `PATCH /v1/posts/{id}`: an absent key is unchanged, `scheduled_at: null` makes a draft, `is_draft: false` schedules one. */
export const UpdatePost = Schema.Struct({
  social_accounts: Schema.optionalKey(accounts),
  ...content
}).annotate({ identifier: "UpdatePost" })
export interface UpdatePost extends Schema.Schema.Type<typeof UpdatePost> {}

/** How many of the post's targets have each status. */
export const Progress = Schema.Struct({
  total: Schema.Int,
  waiting: Schema.Int,
  publishing: Schema.Int,
  published: Schema.Int,
  failed: Schema.Int,
  unconfirmed: Schema.Int,
  failed_items: Schema.optionalKey(
    Schema.Int.annotate({
      description: "Items that are missing because their threads broke off. Absent if there are none."
    })
  ),
  repaired: Schema.optionalKey(
    Schema.Int.annotate({
      description:
        "Failed results that another post has repaired; `failed` leaves them out. Absent if there are none."
    })
  )
}).annotate({ identifier: "Progress" })
export interface Progress extends Schema.Schema.Type<typeof Progress> {}

/** The credential that made a post: a member's session, a key or a connected app. */
export const CreatedBy = Schema.Struct({
  type: Schema.Literals(["member", "key", "app"]),
  /** As it was then; null: the key of the service's configuration. */
  name: Schema.NullOr(Schema.String)
}).annotate({ identifier: "CreatedBy" })
export interface CreatedBy extends Schema.Schema.Type<typeof CreatedBy> {}

export const QueueSlot = Schema.optionalKey(
  Timestamp.annotate({
    description: "The queue slot that it holds."
  })
)

export const BlockedBy = Schema.NullOr(SocialAccountId).annotate({
  description: "An account that must be reconnected first."
})

/** The credential that changed a post last, and when. */
export const UpdatedBy = Schema.Struct({ ...CreatedBy.fields, at: Timestamp }).annotate({
  identifier: "UpdatedBy"
})
export interface UpdatedBy extends Schema.Schema.Type<typeof UpdatedBy> {}

/** At most one for each account and file, and some more. */
const warnings = Schema.Array(Schema.String).check(Schema.isMaxLength(100_000))

const post = {
  id: PostId,
  status: PostStatus,
  caption: Schema.NullOr(Schema.String),
  scheduled_at: Schema.NullOr(Timestamp),
  is_draft: Schema.Boolean,
  use_queue: Schema.Boolean,
  queue_slot: QueueSlot,
  social_accounts: Schema.Array(SocialAccountId).check(Schema.isMaxLength(200)),
  // The media of `media`, then those behind `media_urls`.
  media: Schema.Array(MediaId).check(Schema.isMaxLength(200)),
  thread: Schema.NullOr(Schema.Array(ThreadItem).check(Schema.isMaxLength(mostChainItems - 1))),
  thread_fallback: Schema.NullOr(ThreadFallback),
  platform_configurations: Schema.NullOr(PlatformConfigurations),
  account_configurations: Schema.NullOr(AccountConfigurations),
  processing_enabled: Schema.Boolean,
  progress: Progress,
  warnings,
  version: Schema.String.annotate({
    description:
      "The value for If-Match. Every change gives it a new one, including changes by the service itself."
  }),
  /** Only for a post of an app whose posts are held for approval. */
  approval: Schema.optionalKey(Approval),
  created_by: Schema.NullOr(CreatedBy).annotate({
    description: "Who created it; null: it was created before this was recorded."
  }),
  blocked_by: BlockedBy,
  /** The failed result that it goes out instead of. Its own `results` say it for each account. */
  repairs: Schema.optionalKey(TargetId),
  updated_by: Schema.NullOr(UpdatedBy).annotate({
    description:
      "Who last changed its content, accounts or time; null: nobody, or it was before this was recorded. `updated_at` " +
      "includes the service's own changes."
  }),
  created_at: Timestamp,
  updated_at: Timestamp,
  published_at: Schema.NullOr(Timestamp)
}

export const Excerpt = Schema.NullOr(Schema.String).annotate({
  description:
    "The first 120 characters of `caption`; without one, of what its first account gets that gets a caption of its own or of its platform."
})

/** A post as the list shows it. */
export const PostSummary = Schema.Struct({ ...post, excerpt: Excerpt }).annotate({
  identifier: "PostSummary"
})
export interface PostSummary extends Schema.Schema.Type<typeof PostSummary> {}

/** A post with the result of each of its targets. */
export const Post = Schema.Struct({
  ...post,
  draft_problems: Schema.optionalKey(
    ProblemItems.annotate({
      description:
        "Only for drafts, and not in lists and events: what prevents it from being published now. Empty: nothing."
    })
  ),
  // 200 accounts with 50 boards each.
  results: Schema.Array(PostResult).check(Schema.isMaxLength(10_000))
}).annotate({
  identifier: "Post"
})
export interface Post extends Schema.Schema.Type<typeof Post> {}

export const PostList = List(PostSummary).annotate({ identifier: "PostList" })

/** With words that clients of similar services filter by, and one for the rest of `scheduled`; no answer has them. */
const StatusFilter = Schema.Literals([...PostStatus.literals, "posted", "processing", "waiting"])

/** `processing` as a filter: not settled, and it goes out at once or a target has begun to. The lists have it in SQL. */
export const isProcessing = ({
  status,
  scheduled_at,
  progress
}: Pick<PostSummary, "status" | "progress"> & { readonly scheduled_at: unknown }): boolean =>
  status === "scheduled" && (scheduled_at === null || progress.publishing > 0)

export const PostFilter = Schema.Struct({
  ...paging,
  status: Schema.optionalKey(
    Several(StatusFilter).annotate({
      description:
        "`posted` is a synonym of `published`. `processing`: not settled, and going out at once or on an account already. " +
        "`waiting`: `scheduled`, but not `processing`."
    })
  ),
  result: Schema.optionalKey(
    Several(ResultStatus.pick(["failed", "unconfirmed", "waiting"])).annotate({
      description:
        "Posts with a target of that outcome, whatever the outcome of the others; `failed` also finds threads that broke off, and not what another post has repaired. " +
        "`waiting`: one that is held up, because its account must be connected again or a try failed (`waiting_for: account` or `retry`). With `platform` or " +
        "`social_account_id`: a target there."
    })
  ),
  platform: Schema.optionalKey(Several(PlatformId)),
  social_account_id: Schema.optionalKey(SeveralIds),
  from: Schema.optionalKey(
    DateOrTime.annotate({
      description:
        "The first day, of the workspace's time zone, or the earliest time. A post is dated at its `published_at`, before that at its " +
        "`scheduled_at`, and if it goes out at once at the time when it was sent. A draft without a time has no day."
    })
  ),
  to: Schema.optionalKey(DateOrTime.annotate({ description: "The last day, or the latest time, included." })),
  undated: Schema.optionalKey(
    Flag.annotate({
      description: "`true`: only drafts without a time, which have no day. `false`: all others."
    })
  ),
  created_from: Schema.optionalKey(
    DateOrTime.annotate({ description: "The first day, or the earliest time, at which posts were created." })
  ),
  created_to: Schema.optionalKey(
    DateOrTime.annotate({ description: "The last day, or the latest time, at which posts were created." })
  ),
  q: Schema.optionalKey(
    Text.check(Schema.isMaxLength(1000)).annotate({
      description:
        "Text in the caption of the post or of an item of its thread, or in one that an account or a platform has instead."
    })
  )
})
export interface PostFilter extends Schema.Schema.Type<typeof PostFilter> {}

/** `POST /v1/posts/validate`: every check that is possible now has passed. */
export const PostValid = Schema.Struct({
  valid: Schema.Literal(true),
  scheduled_at: Schema.NullOr(Timestamp),
  warnings
}).annotate({ identifier: "PostValid" })
export interface PostValid extends Schema.Schema.Type<typeof PostValid> {}

/** `POST /v1/posts/{id}/retry`: the failed targets, or those of them on these accounts. */
export const RetryPost = Schema.Struct({
  social_accounts: Schema.optionalKey(Schema.NullOr(Schema.Array(Schema.Int).check(Schema.isMaxLength(200)))),
  force: Schema.optionalKey(
    Schema.NullOr(Schema.Boolean).annotate({
      description: "true: also unconfirmed targets. Any that is already live is then posted a second time."
    })
  )
}).annotate({ identifier: "RetryPost" })
export interface RetryPost extends Schema.Schema.Type<typeof RetryPost> {}

export const PostDeleted = Schema.Struct({ success: Schema.Literal(true), id: PostId }).annotate({
  identifier: "PostDeleted"
})

/**
 * A post's status follows from its targets: `scheduled` until the last one is terminal, then `published` when at
 * least one is live, else `failed`. `live`: the beginning of a chain is, though its target is in doubt.
 */
export const postStatus = (states: ReadonlyArray<TargetState>, live = false): PostStatus => {
  if (states.some((state) => state === "draft")) return "draft"
  if (states.some((state) => ["waiting", "claimed", "committing", "unknown"].includes(state)))
    return "scheduled"
  return live || states.includes("published") ? "published" : "failed"
}
