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
import { field } from "./Field.ts"

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
  Schema.Struct({
    account_configurations: field("The same array as without the wrapping object.", AccountConfigurations)
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
    "An IANA name: reads the slots by this clock instead of the queue's own.",
    Schema.optionalKey(TimeZoneName)
  ),
  slot: field(
    "The instant of one free slot, as `GET /v1/queue/slots` lists it. Absent: the next one.",
    Schema.optionalKey(Timestamp)
  )
}).check(
  Schema.makeFilter(
    ({ slot, timezone }) =>
      (slot ?? timezone) !== undefined || "needs a timezone or a slot; for the next slot give true",
    { expected: "a timezone, a slot, or both" }
  )
)

const content = {
  caption: field(
    "The text. A platform's or an account's own caption wins over it; each platform has its own limit. null: none.",
    Schema.optionalKey(Schema.NullOr(Text.check(Schema.isMaxLength(20_000))))
  ),
  media: field(
    "Ids of media items, in the order in which they appear; an item may be on any number of posts. null: none.",
    Schema.optionalKey(
      Schema.NullOr(Schema.Array(Schema.String.check(Schema.isMaxLength(100))).check(Schema.isMaxLength(100)))
    )
  ),
  media_urls: field(
    "Public http or https URLs of files that the service fetches itself; they follow those of `media`. In a change, they replace the post's media unless `media` is given too; null or an empty list changes nothing.",
    Schema.optionalKey(Schema.NullOr(Schema.Array(MediaUrl).check(Schema.isMaxLength(100))))
  ),
  thread: field(
    "The posts that follow it, in order, each a reply to the one before. A text is an item's caption. null: none.",
    Schema.optionalKey(Schema.NullOr(Thread))
  ),
  thread_fallback: field(
    "`join`: where a platform has no threads, all items become one post. null: such a post is refused.",
    Schema.optionalKey(Schema.NullOr(ThreadFallback))
  ),
  scheduled_at: field(
    "When it goes out: ISO 8601 with an offset, `Z` or a zone in brackets, such as `2026-12-24T09:00[Europe/Paris]`; with none of them, in the profile's time zone. At most a minute in the past. null: a new post goes out at once, a changed one becomes a draft without a time.",
    Schema.optionalKey(Schema.NullOr(Schema.String.check(Schema.isMaxLength(1000))))
  ),
  use_queue: field(
    "true: takes the queue's next free slot; an object chooses the slot or its time zone. In a change, false frees the slot and keeps the time. Not together with `scheduled_at` or `is_draft`. Default: false.",
    Schema.optionalKey(Schema.NullOr(Schema.Union([Schema.Boolean, InQueue])))
  ),
  is_draft: field(
    "true: nothing goes out, not even at `scheduled_at`. In a change, false schedules a draft that has a time. Default: false.",
    Schema.optionalKey(Schema.NullOr(Schema.Boolean))
  ),
  platform_configurations: field(
    "Content and options for all accounts of a platform; they win over the post's own. An entry for a platform without an account in the post is checked and not used.",
    Schema.optionalKey(Schema.NullOr(PlatformConfigurations))
  ),
  account_configurations: field(
    "Content and options for single accounts; they win over `platform_configurations`. An object that wraps the array in a field of the same name is accepted too.",
    Schema.optionalKey(Schema.NullOr(accountConfigurations))
  ),
  processing_enabled: field(
    "true: images are fitted to each platform, and so are videos where the instance converts them. false: a file that does not fit is refused. Default: true.",
    Schema.optionalKey(Schema.NullOr(Schema.Boolean))
  )
}

/** The body of `POST /v1/posts`. */
export const CreatePost = Schema.Struct({
  social_accounts: field(
    "Ids of the accounts that it goes to, 1 to 200. Each gets a result of its own.",
    accounts
  ),
  ...content,
  repairs: field(
    "The id of a failed result of one of the accounts, which this post goes out instead of. It also repairs what the same post failed on others of its accounts.",
    Schema.optionalKey(Schema.NullOr(Schema.String.check(Schema.isMaxLength(100))))
  )
}).annotate({ identifier: "CreatePost" })
export interface CreatePost extends Schema.Schema.Type<typeof CreatePost> {}

/** `PATCH /v1/posts/{id}`: an absent key is unchanged, `scheduled_at: null` makes a draft, `is_draft: false` schedules one. */
export const UpdatePost = Schema.Struct({
  social_accounts: field(
    "Ids of all accounts that it goes to from now on. Absent: those that it has.",
    Schema.optionalKey(accounts)
  ),
  ...content
}).annotate({ identifier: "UpdatePost" })
export interface UpdatePost extends Schema.Schema.Type<typeof UpdatePost> {}

/** How many of the post's targets have each status. */
export const Progress = Schema.Struct({
  total: field("All of the post's results, whatever their status.", Schema.Int),
  waiting: field("Results that have not begun to publish, those of a draft among them.", Schema.Int),
  publishing: field("Results that are being sent, or whose outcome is being looked up.", Schema.Int),
  published: field("Results that are live, including threads that broke off.", Schema.Int),
  failed: field(
    "Results that are not live and are not tried again. Those that another post has repaired are in `repaired` instead.",
    Schema.Int
  ),
  unconfirmed: field("Results that may be live: a person has to look and confirm.", Schema.Int),
  failed_items: field(
    "Thread items that are missing because the thread broke off before them. Absent: none.",
    Schema.optionalKey(Schema.Int)
  ),
  repaired: field(
    "Failed results that another post has repaired; `failed` leaves them out. Absent: none.",
    Schema.optionalKey(Schema.Int)
  )
}).annotate({ identifier: "Progress" })
export interface Progress extends Schema.Schema.Type<typeof Progress> {}

/** The credential that made a post: a member's session, a key or a connected app. */
export const CreatedBy = Schema.Struct({
  type: field(
    "`member`: somebody in the console. `key`: an API key. `app`: a connected app.",
    Schema.Literals(["member", "key", "app"])
  ),
  name: field(
    "The member's, key's or app's name at that time; null: the key of the service's configuration.",
    Schema.NullOr(Schema.String)
  )
}).annotate({ identifier: "CreatedBy" })
export interface CreatedBy extends Schema.Schema.Type<typeof CreatedBy> {}

export const QueueSlot = field(
  "The slot of the queue that it holds; `scheduled_at` may be later, by the queue's jitter. Absent: none.",
  Schema.optionalKey(Timestamp)
)

/** The credential that changed a post last, and when. */
export const UpdatedBy = Schema.Struct({
  ...CreatedBy.fields,
  at: field("When that credential made the change, in UTC.", Timestamp)
}).annotate({
  identifier: "UpdatedBy"
})
export interface UpdatedBy extends Schema.Schema.Type<typeof UpdatedBy> {}

/** At most one for each account and file, and some more. */
const warnings = Schema.Array(Schema.String).check(Schema.isMaxLength(100_000))

const post = {
  id: field("A version 7 UUID: it begins with the time at which the post was created.", PostId),
  status: field(
    "`scheduled` until every result is settled, then `published` if at least one is live, else `failed`.",
    PostStatus
  ),
  caption: field(
    "The shared text; null: none. An account may get another one from its configuration.",
    Schema.NullOr(Schema.String)
  ),
  scheduled_at: field(
    "When it goes out; null: at once, or a draft without a time. On a draft, nothing happens at this time.",
    Schema.NullOr(Timestamp)
  ),
  is_draft: field("true: `status` is `draft`, and nothing goes out.", Schema.Boolean),
  use_queue: field("true: it holds a slot of the queue, which `queue_slot` names.", Schema.Boolean),
  queue_slot: QueueSlot,
  social_accounts: field(
    "Ids of its accounts, as far as the credential may use them.",
    Schema.Array(SocialAccountId).check(Schema.isMaxLength(200))
  ),
  media: field(
    "Ids of its media items in order; those from `media_urls` come last.",
    Schema.Array(MediaId).check(Schema.isMaxLength(200))
  ),
  thread: field(
    "The posts that follow it, in order, each a reply to the one before; null: none.",
    Schema.NullOr(Schema.Array(ThreadItem).check(Schema.isMaxLength(mostChainItems - 1)))
  ),
  thread_fallback: field(
    "`join`: where a platform has no threads, all items become one post. null: such a post is refused.",
    Schema.NullOr(ThreadFallback)
  ),
  platform_configurations: field(
    "Content and options for all accounts of a platform, instead of the post's own; null: none.",
    Schema.NullOr(PlatformConfigurations)
  ),
  account_configurations: field(
    "Content and options for single accounts; they win over `platform_configurations`. null: none.",
    Schema.NullOr(AccountConfigurations)
  ),
  processing_enabled: field(
    "Whether media are fitted to each platform. false: a file that does not fit is refused.",
    Schema.Boolean
  ),
  progress: field("How many of its results have each status; `results` has more of each.", Progress),
  warnings: field(
    "Sentences about what will differ from what was asked, or may fail. None of them stops the post.",
    warnings
  ),
  version: field(
    "The value for `If-Match`. Every change gives it a new one, including changes by the service itself.",
    Schema.String
  ),
  approval: field(
    "Only for a post of an app whose posts a person approves: what was asked, and the decision.",
    Schema.optionalKey(Approval)
  ),
  created_by: field("The credential that created it; null: not recorded.", Schema.NullOr(CreatedBy)),
  blocked_by: field(
    "The id of an account that must be reconnected before this post can go out there; null: none.",
    Schema.NullOr(SocialAccountId)
  ),
  repairs: field(
    "The id of the failed result that it goes out instead of. Absent: it repairs nothing.",
    Schema.optionalKey(TargetId)
  ),
  updated_by: field(
    "Who last changed its content, accounts or time, and when; null: nobody, or not recorded. The service's own changes count only for `updated_at`.",
    Schema.NullOr(UpdatedBy)
  ),
  created_at: field("When it was created, in UTC.", Timestamp),
  updated_at: field("When anything of it last changed, including by the service itself.", Timestamp),
  published_at: field(
    "When it first went live on an account; null: it is live nowhere.",
    Schema.NullOr(Timestamp)
  )
}

export const Excerpt = field(
  "The first 120 characters of `caption`; without one, of the first caption that an account or its platform has instead. null: no text at all.",
  Schema.NullOr(Schema.String)
)

/** A post as the list shows it. */
export const PostSummary = Schema.Struct({
  ...post,
  excerpt: Excerpt
}).annotate({
  identifier: "PostSummary"
})
export interface PostSummary extends Schema.Schema.Type<typeof PostSummary> {}

/** A post with the result of each of its targets. */
export const Post = Schema.Struct({
  ...post,
  draft_problems: field(
    "Only for a draft that is read or written by itself: everything that keeps it from being published now. Empty: nothing does.",
    Schema.optionalKey(ProblemItems)
  ),
  results: field(
    "One for each account, or for each board of an account, from the moment the post exists.",
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
  status: field(
    "`posted` is a synonym of `published`. `processing`: not settled, and going out at once or on an account already. `waiting`: `scheduled`, but not `processing`.",
    Schema.optionalKey(Several(StatusFilter))
  ),
  result: field(
    "Posts with a target of that outcome, whatever the outcome of the others; `failed` also finds threads that broke off, and not what another post has repaired. `waiting`: one that is held up, because its account must be connected again or a try failed (`waiting_for: account` or `retry`). With `platform` or `social_account_id`: a target there.",
    Schema.optionalKey(Several(ResultStatus.pick(["failed", "unconfirmed", "waiting"])))
  ),
  platform: field(
    "Only posts with an account on one of these platforms.",
    Schema.optionalKey(Several(PlatformId))
  ),
  social_account_id: field("Only posts with one of these accounts, by id.", Schema.optionalKey(SeveralIds)),
  from: field(
    "The first day, of the workspace's time zone, or the earliest time. A post is dated at its `published_at`, before that at its `scheduled_at`, and if it goes out at once at the time when it was sent. A draft without a time has no day.",
    Schema.optionalKey(DateOrTime)
  ),
  to: field("The last day, or the latest time, included.", Schema.optionalKey(DateOrTime)),
  undated: field(
    "`true`: only drafts without a time, which have no day. `false`: all others.",
    Schema.optionalKey(Flag)
  ),
  created_from: field(
    "The first day, or the earliest time, at which posts were created.",
    Schema.optionalKey(DateOrTime)
  ),
  created_to: field(
    "The last day, or the latest time, at which posts were created.",
    Schema.optionalKey(DateOrTime)
  ),
  q: field(
    "Text in the caption of the post or of an item of its thread, or in one that an account or a platform has instead.",
    Schema.optionalKey(Text.check(Schema.isMaxLength(1000)))
  )
})
export interface PostFilter extends Schema.Schema.Type<typeof PostFilter> {}

/** `POST /v1/posts/validate`: every check that is possible now has passed. */
export const PostValid = Schema.Struct({
  valid: field("Always true: problems are answered with 400.", Schema.Literal(true)),
  scheduled_at: field(
    "When the post would go out, in UTC; null: at once, or it would be a draft without a time.",
    Schema.NullOr(Timestamp)
  ),
  warnings: field(
    "What a create would answer in `warnings`: sentences about what will differ from what was asked, or may fail.",
    warnings
  )
}).annotate({ identifier: "PostValid" })
export interface PostValid extends Schema.Schema.Type<typeof PostValid> {}

/** `POST /v1/posts/{id}/retry`: the failed targets, or those of them on these accounts. */
export const RetryPost = Schema.Struct({
  social_accounts: field(
    "Ids of the accounts to send to again; null: all on which the post failed.",
    Schema.optionalKey(Schema.NullOr(Schema.Array(Schema.Int).check(Schema.isMaxLength(200))))
  ),
  force: field(
    "true: unconfirmed results are sent too; one that is live after all is then posted twice. Default: false.",
    Schema.optionalKey(Schema.NullOr(Schema.Boolean))
  )
}).annotate({ identifier: "RetryPost" })
export interface RetryPost extends Schema.Schema.Type<typeof RetryPost> {}

export const PostDeleted = Schema.Struct({
  success: field("Always true; a failure has a status and a body of its own.", Schema.Literal(true)),
  id: field("The id of the post that is gone.", PostId)
}).annotate({
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
