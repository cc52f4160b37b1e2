import { Schema, SchemaGetter } from "effect"
import { Approval } from "./Approval.ts"
import { DateOrTime } from "./CalendarDate.ts"
import { CreatedBy } from "./CreatedBy.ts"
import { MediaId, PostId, SocialAccountId, TargetId } from "./Ids.ts"
import { anyOf, Flag, List, paging, Several, SeveralIds } from "./Lists.ts"
import { MediaUrl } from "./Media.ts"
import { PlatformId } from "./Platform.ts"
import { AccountConfigurations, PlatformConfigurations } from "./PlatformOptions.ts"
import { ProblemItems } from "./Problems.ts"
import { PostResult, ResultStatus, type TargetState } from "./Target.ts"
import { Text } from "./Text.ts"
import { mostThreadItems, Thread, ThreadFallback, ThreadItem } from "./Thread.ts"
import { TimeZoneName, Timestamp } from "./Time.ts"
import { field } from "./Field.ts"
import { success } from "./Success.ts"

/** The statuses of a post. */
export const PostStatus = Schema.Literals(["scheduled", "published", "failed", "draft"]).annotate({
  identifier: "PostStatus"
})
export type PostStatus = typeof PostStatus.Type

const mostAccounts = 200
const accounts = Schema.Array(Schema.Int).check(
  Schema.isMinLength(1, { expected: "at least one social account id" }),
  Schema.isMaxLength(mostAccounts)
)

/** The array, or the array wrapped in an object of the same name, as some clients send it. */
const accountConfigurations = Schema.Union([
  AccountConfigurations,
  Schema.Struct({
    account_configurations: field(
      "Content and options for single accounts: the array that may also stand without this object.",
      AccountConfigurations
    )
  })
]).pipe(
  Schema.decodeTo(Schema.toType(AccountConfigurations), {
    decode: SchemaGetter.transform((value) =>
      "account_configurations" in value ? value.account_configurations : value
    ),
    encode: SchemaGetter.passthrough({ strict: false })
  })
)

const InQueue = Schema.Struct({
  timezone: field(
    "IANA name of the time zone in which to read the slots' times, such as `Europe/Paris`. Default: the queue's.",
    Schema.optionalKey(TimeZoneName)
  ),
  slot: field(
    "The instant of a free slot: `scheduled_at` of `GET /v1/queue/slots`. One that is taken is refused. Default: the next free slot.",
    Schema.optionalKey(Timestamp)
  )
})
  .check(
    Schema.makeFilter(
      ({ slot, timezone }) =>
        (slot ?? timezone) !== undefined || "needs a timezone or a slot; for the next slot give true",
      { expected: "a timezone, a slot, or both" }
    )
  )
  .annotate({ identifier: "QueuePlace" })

/** The content of a new post, or what a change says of it. */
const content = (
  none: string,
  times: Record<"media_urls" | "scheduled_at" | "use_queue" | "is_draft", string>
) => ({
  caption: field(
    `The text. A caption for a platform or an account wins over it. Each platform has its own limit. ${none}`,
    Schema.optionalKey(Schema.NullOr(Text.check(Schema.isMaxLength(20_000))))
  ),
  media: field(
    `Ids of media items, in the order in which they appear. Any number of posts can use an item. ${none}`,
    Schema.optionalKey(
      Schema.NullOr(Schema.Array(Schema.String.check(Schema.isMaxLength(100))).check(Schema.isMaxLength(100)))
    )
  ),
  media_urls: field(
    `Public http or https URLs of files that the service fetches. ${times.media_urls}`,
    Schema.optionalKey(Schema.NullOr(Schema.Array(MediaUrl).check(Schema.isMaxLength(100))))
  ),
  thread: field(
    `At most ${mostThreadItems - 1} posts that follow this one, in order, each a reply to the one before: texts, or objects with \`caption\` and \`media\`. ${none}`,
    Schema.optionalKey(Schema.NullOr(Thread))
  ),
  thread_fallback: field(
    `\`join\`: on platforms without threads, all items become one post. Without it, a thread to such a platform is refused. ${none}`,
    Schema.optionalKey(Schema.NullOr(ThreadFallback))
  ),
  scheduled_at: field(
    `When it goes out: ISO 8601 with an offset, \`Z\` or a zone in brackets, such as \`2026-12-24T09:00[Europe/Paris]\`; without any of these, in the profile's time zone. At most a minute in the past. ${times.scheduled_at}`,
    Schema.optionalKey(Schema.NullOr(Schema.String.check(Schema.isMaxLength(1000))))
  ),
  use_queue: field(
    `true: takes the queue's next free slot; an object chooses the slot or its time zone. Not with \`scheduled_at\` or \`is_draft: true\`. ${times.use_queue}`,
    Schema.optionalKey(Schema.NullOr(Schema.Union([Schema.Boolean, InQueue])))
  ),
  is_draft: field(
    `true: nothing goes out, not even at \`scheduled_at\`. ${times.is_draft}`,
    Schema.optionalKey(Schema.NullOr(Schema.Boolean))
  ),
  platform_configurations: field(
    `Content and options for all accounts of a platform; they win over the post's own. An entry for a platform without an account in the post is checked and not used. ${none}`,
    Schema.optionalKey(Schema.NullOr(PlatformConfigurations))
  ),
  account_configurations: field(
    `Content and options for single accounts, one entry each; they win over \`platform_configurations\`, option by option. An object that wraps the array in a field of the same name is accepted too. ${none}`,
    Schema.optionalKey(Schema.NullOr(accountConfigurations))
  ),
  processing_enabled: field(
    `true: images are fitted to each platform, and so are videos if the instance has \`video_transcoding\`. false: a file that does not fit is refused. ${none.replaceAll("none", "true")}`,
    Schema.optionalKey(Schema.NullOr(Schema.Boolean))
  )
})

/** The body of `POST /v1/posts`. */
export const CreatePost = Schema.Struct({
  social_accounts: field(
    `Ids of the 1 to ${mostAccounts} accounts that the post goes to. Each gets its own result.`,
    accounts
  ),
  ...content("null or absent: none.", {
    media_urls: "They follow the items of `media`. null or absent: none.",
    scheduled_at: "null or absent: at once, unless `use_queue` or `is_draft` says otherwise.",
    use_queue: "Default: false.",
    is_draft: "Default: false."
  }),
  repairs: field(
    "The id of a failed result on one of the accounts, in place of which this post goes out. On its other accounts, it also repairs the failures of that result's post. null or absent: it is no repair.",
    Schema.optionalKey(Schema.NullOr(Schema.String.check(Schema.isMaxLength(100))))
  )
}).annotate({ identifier: "CreatePost" })
export interface CreatePost extends Schema.Schema.Type<typeof CreatePost> {}

/** `PATCH /v1/posts/{id}`: an absent key is unchanged, `scheduled_at: null` makes a draft, `is_draft: false` schedules one. */
export const UpdatePost = Schema.Struct({
  social_accounts: field(
    `Ids of the 1 to ${mostAccounts} accounts that the post goes to from now on; the others leave it. Absent: unchanged.`,
    Schema.optionalKey(accounts)
  ),
  ...content("null: none. Absent: unchanged.", {
    media_urls:
      "They replace the post's media, or follow the items of `media` if that is given too. null, empty or absent: unchanged.",
    scheduled_at: "null: it becomes a draft without a time. Absent: unchanged.",
    use_queue:
      "A post that has a slot keeps it with true. false: frees the slot and keeps the time. null or absent: unchanged.",
    is_draft: "false: schedules a draft that has a time. null or absent: unchanged."
  })
}).annotate({ identifier: "UpdatePost" })
export interface UpdatePost extends Schema.Schema.Type<typeof UpdatePost> {}

/** How many of the post's targets have each status. */
export const Progress = Schema.Struct({
  total: field(
    "How many results the post has in all: one for each account, or for each board of an account.",
    Schema.Int
  ),
  waiting: field("How many results have not begun to publish, including those of drafts.", Schema.Int),
  publishing: field(
    "How many results are being sent, or have an outcome that is being looked up.",
    Schema.Int
  ),
  published: field(
    "How many results are live, including threads that broke off after their first item.",
    Schema.Int
  ),
  failed: field(
    "How many results are not live and not retried by the service, without those in `repaired`.",
    Schema.Int
  ),
  unconfirmed: field(
    "How many results may be live: a person must look, and then confirm or retry them.",
    Schema.Int
  ),
  failed_items: field(
    "How many thread items are missing, because a thread broke off before them. Absent: none.",
    Schema.optionalKey(Schema.Int)
  ),
  rejected: field(
    "How many of the `published` results their platform reviewed and rejected (`platform_data.review`). Absent: none.",
    Schema.optionalKey(Schema.Int)
  ),
  repaired: field(
    "How many failed results another post has repaired; `failed` leaves them out. Absent: none.",
    Schema.optionalKey(Schema.Int)
  )
}).annotate({ identifier: "Progress" })
export interface Progress extends Schema.Schema.Type<typeof Progress> {}

export const QueueSlot = field(
  "The instant of the queue slot that the post holds, in UTC; the queue's jitter can make `scheduled_at` later. Absent: none.",
  Schema.optionalKey(Timestamp)
)

/** The credential that changed a post last, and when. */
export const UpdatedBy = Schema.Struct({
  ...CreatedBy.fields,
  at: field("When the credential made its last change, in UTC.", Timestamp)
}).annotate({
  identifier: "UpdatedBy"
})
export interface UpdatedBy extends Schema.Schema.Type<typeof UpdatedBy> {}

/** At most one for each account and file, and some more. */
const warnings = Schema.Array(Schema.String).check(Schema.isMaxLength(100_000))

const post = {
  id: field("A version 7 UUID: posts created later have greater ids. It never changes.", PostId),
  status: field(
    "`draft`, or `scheduled` until every result is settled; then `published` if at least one is live, else `failed`.",
    PostStatus
  ),
  caption: field(
    "The text for accounts whose configuration has no caption of its own; null: none.",
    Schema.NullOr(Schema.String)
  ),
  scheduled_at: field(
    "When it goes out, in UTC; null: at once, or a draft without a time. A draft does not go out at this time.",
    Schema.NullOr(Timestamp)
  ),
  is_draft: field(
    "The same as `status: draft`. true: nothing goes out, not even at `scheduled_at`.",
    Schema.Boolean
  ),
  use_queue: field("true: the post holds the slot in `queue_slot`. false: it holds none.", Schema.Boolean),
  queue_slot: QueueSlot,
  social_accounts: field(
    "Ids of the accounts that it goes to, in the order given, without those that the credential may not use.",
    Schema.Array(SocialAccountId).check(Schema.isMaxLength(200))
  ),
  media: field(
    "Ids of its media items, in the order in which they appear; those from `media_urls` come last. Empty: none.",
    Schema.Array(MediaId).check(Schema.isMaxLength(200))
  ),
  thread: field(
    "The posts that follow this one, in order, each a reply to the one before. Platforms and accounts may have others in their configurations. null: none.",
    Schema.NullOr(Schema.Array(ThreadItem).check(Schema.isMaxLength(mostThreadItems - 1)))
  ),
  thread_fallback: field(
    "`join`: on platforms without threads, all items become one post. null: a thread to such a platform is refused.",
    Schema.NullOr(ThreadFallback)
  ),
  platform_configurations: field(
    "Content and options for all accounts of a platform, as they were given; they win over the post's own. null: none.",
    Schema.NullOr(PlatformConfigurations)
  ),
  account_configurations: field(
    "Content and options for single accounts, as they were given; they win over `platform_configurations`, option by option. null: none.",
    Schema.NullOr(AccountConfigurations)
  ),
  processing_enabled: field(
    "true: images are fitted to each platform, and so are videos if the instance has `video_transcoding`. false: a file that does not fit is refused.",
    Schema.Boolean
  ),
  progress: field("How many of the post's results have each status.", Progress),
  warnings: field(
    "Sentences for people about what may fail or will differ from the request. None of them stops the post. Empty: none.",
    warnings
  ),
  version: field(
    "Send it as `If-Match` to change only what you have seen: a newer version is answered with 412. It changes with every change, even by the service itself.",
    Schema.String
  ),
  approval: field(
    "A request to let the post go out, and a person's decision. Absent: nobody has asked, or the request was taken back.",
    Schema.optionalKey(Approval)
  ),
  created_by: field(
    "The kind and name of the credential that created it; null: not recorded.",
    Schema.NullOr(CreatedBy)
  ),
  blocked_by: field(
    "The id of the account that must be reconnected before the post can go out there: the lowest, if there are several. null: none.",
    Schema.NullOr(SocialAccountId)
  ),
  repairs: field(
    "The id of the failed result that this post repairs. Absent: it repairs none.",
    Schema.optionalKey(TargetId)
  ),
  updated_by: field(
    "Who last changed its content, accounts or time, and when; null: nobody, or not recorded. Changes by the service itself do not count.",
    Schema.NullOr(UpdatedBy)
  ),
  created_at: field("When it was created, in UTC; it never changes.", Timestamp),
  updated_at: field("When anything in it last changed, including by the service itself, in UTC.", Timestamp),
  published_at: field(
    "When it first went live on an account, in UTC; null: it is live nowhere.",
    Schema.NullOr(Timestamp)
  )
}

/** What a post is, in a list and by itself. */
export const PostFields = Schema.Struct(post).annotate({ identifier: "PostFields" })

export const Excerpt = field(
  "The first 120 characters of `caption` or, without one, of what the first account with a caption gets. null: no text at all.",
  Schema.NullOr(Schema.String)
)

/** A post as the list shows it. */
export const PostSummary = Schema.Struct({
  ...PostFields.fields,
  excerpt: Excerpt
}).annotate({
  identifier: "PostSummary"
})
export interface PostSummary extends Schema.Schema.Type<typeof PostSummary> {}

/** A post with the result of each of its targets. */
export const Post = Schema.Struct({
  ...PostFields.fields,
  draft_problems: field(
    "Everything that keeps this draft from being published now; empty: nothing. Absent: it is not a draft, or it is in a list.",
    Schema.optionalKey(ProblemItems)
  ),
  results: field(
    "One result for each account, or for each board of an account, from the moment the post exists. They change as it goes out.",
    // 200 accounts with 50 boards each.
    Schema.Array(PostResult).check(Schema.isMaxLength(10_000))
  )
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
  status: anyOf(
    "Only posts with any of these statuses. `posted`: the same as `published`. `processing`: `scheduled`, and going out at once or already on an account. `waiting`: `scheduled`, but not `processing`.",
    Several(StatusFilter)
  ),
  result: anyOf(
    "Only posts with at least one result like this. `failed` includes threads that broke off and leaves out repaired results. `waiting` means held up: `waiting_for` is `account` or `retry`. With `platform` or `social_account_id`, that result must be on one of those.",
    Several(ResultStatus.pick(["failed", "unconfirmed", "waiting"]))
  ),
  approval: anyOf(
    "Only posts whose `approval` has any of these statuses: those that nobody asks about are left out.",
    Several(Approval.fields.status)
  ),
  platform: anyOf(
    "Only posts to an account on any of these platforms, such as `bluesky`.",
    Several(PlatformId)
  ),
  social_account_id: anyOf(
    "Only posts to any of the accounts with these ids; an unknown id finds nothing.",
    SeveralIds
  ),
  from: field(
    "Only posts from this day (`2026-12-24`, in the workspace's time zone) or instant on. A post's date is `published_at`, else `scheduled_at`, else when it was sent. Drafts without a time never match. Absent: from the first.",
    Schema.optionalKey(DateOrTime)
  ),
  to: field(
    "Only posts up to and including this day or instant, by the date that `from` explains. Absent: without an end.",
    Schema.optionalKey(DateOrTime)
  ),
  undated: field(
    "true: only drafts without a time. false: only other posts. Absent: both.",
    Schema.optionalKey(Flag)
  ),
  created_from: field(
    "Only posts created on or after this day (`2026-12-24`, in the workspace's time zone) or instant. Absent: from the first.",
    Schema.optionalKey(DateOrTime)
  ),
  created_to: field(
    "Only posts created up to and including this day (`2026-12-24`, in the workspace's time zone) or instant. Absent: to the last.",
    Schema.optionalKey(DateOrTime)
  ),
  q: field(
    "Only posts with this text, in any case, in a caption: the post's, a thread item's, or one for an account or platform. Absent: all.",
    Schema.optionalKey(Text.check(Schema.isMaxLength(1000)))
  )
})
export interface PostFilter extends Schema.Schema.Type<typeof PostFilter> {}

/** `POST /v1/posts/validate`: every check that is possible now has passed. */
export const PostValid = Schema.Struct({
  valid: field(
    "Always true: a post with problems is answered with 400, and they are in `errors`.",
    Schema.Literal(true)
  ),
  scheduled_at: field(
    "When the post would go out, in UTC; null: at once, or it would be a draft without a time.",
    Schema.NullOr(Timestamp)
  ),
  warnings: field(
    "The `warnings` that the created post would have: what may fail or will differ from the request. Empty: none.",
    warnings
  ),
  estimated_cost: field(
    "About what platforms will charge the operator for the post, in millionths of a US dollar; 0: nothing.",
    Schema.Int
  )
}).annotate({ identifier: "PostValid" })
export interface PostValid extends Schema.Schema.Type<typeof PostValid> {}

/** `POST /v1/posts/{id}/retry`: the failed targets, or those of them on these accounts. */
export const RetryPost = Schema.Struct({
  social_accounts: field(
    "Ids of the accounts to send to again, of those on which the post failed. null or absent: all of them.",
    Schema.optionalKey(Schema.NullOr(Schema.Array(Schema.Int).check(Schema.isMaxLength(200))))
  ),
  force: field(
    "true: `unconfirmed` results are sent too, and one that is live after all is then posted twice. Default: false.",
    Schema.optionalKey(Schema.NullOr(Schema.Boolean))
  )
}).annotate({ identifier: "RetryPost" })
export interface RetryPost extends Schema.Schema.Type<typeof RetryPost> {}

/** `POST /v1/posts/{id}/request-approval`: when it is to go out. */
export const RequestApproval = Schema.Struct({
  scheduled_at: field(
    "When it is to go out, as in `POST /v1/posts`. null or absent: at the time that it has; without one, when whoever approves says.",
    Schema.optionalKey(Schema.NullOr(Schema.String.check(Schema.isMaxLength(1000))))
  ),
  use_queue: field(
    "true: at the queue's next free slot. Default: false.",
    Schema.optionalKey(Schema.NullOr(Schema.Boolean))
  )
}).annotate({ identifier: "RequestApproval" })
export interface RequestApproval extends Schema.Schema.Type<typeof RequestApproval> {}

/** `POST /v1/posts/{id}/approve`: as was asked, or when the person says. */
export const ApprovePost = Schema.Struct({
  scheduled_at: field(
    "Another time at which it goes out, as in `POST /v1/posts`. null or absent: as was asked.",
    Schema.optionalKey(Schema.NullOr(Schema.String.check(Schema.isMaxLength(1000))))
  ),
  use_queue: field(
    "true: at the queue's next free slot; an object chooses the slot or its time zone. Default: as was asked.",
    Schema.optionalKey(Schema.NullOr(Schema.Union([Schema.Boolean, InQueue])))
  ),
  publish_now: field(
    "true: it goes out at once, which no approval does by itself. Default: as was asked.",
    Schema.optionalKey(Schema.NullOr(Schema.Boolean))
  )
}).annotate({ identifier: "ApprovePost" })
export interface ApprovePost extends Schema.Schema.Type<typeof ApprovePost> {}

/** `POST /v1/posts/{id}/refuse`. */
export const RefusePost = Schema.Struct({
  reason: field(
    "Why, in your own words, which whoever asked reads. null, empty or absent: no reason.",
    Schema.optionalKey(Schema.NullOr(Text.check(Schema.isMaxLength(1000))))
  )
}).annotate({ identifier: "RefusePost" })
export interface RefusePost extends Schema.Schema.Type<typeof RefusePost> {}

export const PostDeleted = Schema.Struct({
  success,
  id: field("The deleted post's id. Its results are gone with it, and its queue slot is free again.", PostId)
}).annotate({
  identifier: "PostDeleted"
})

/**
 * A post's status follows from its targets: `scheduled` until the last one is terminal, then `published` when at
 * least one is live, else `failed`. `live`: the beginning of a thread is, though its target is in doubt.
 */
export const postStatus = (states: ReadonlyArray<TargetState>, live = false): PostStatus => {
  if (states.some((state) => state === "draft")) return "draft"
  if (states.some((state) => ["waiting", "claimed", "committing", "unknown"].includes(state)))
    return "scheduled"
  return live || states.includes("published") ? "published" : "failed"
}
