import {
  type Content as PostContent,
  CreatedBy,
  CurrentActor,
  isHeld,
  kindOfPost,
  mediaIdsOf,
  type MediaKind,
  mostProblems,
  type PlatformId,
  Post,
  PostSummary,
  type PostResult,
  PostStatus,
  type Progress,
  oneLine,
  ResultAction,
  type ResultError,
  ResultStatus,
  SocialAccountId,
  Timestamp,
  quoted,
  UpdatedBy,
  truncate
} from "@carillon/domain"
import { DateTime, Effect, Schema, Struct } from "effect"
import { AppConfig } from "../../AppConfig.ts"
import { MediaLibrary } from "../../media/MediaLibrary.ts"
import { PostOutcomes } from "../../posts/PostOutcomes.ts"
import { consoleRooms } from "../ConsoleRooms.ts"
import { makeAccountNames, makeKnownAccounts, type NameOf } from "./AccountNames.ts"
import { fitted } from "./AnswerSize.ts"
import { LocalTime, localTimeOrNull } from "./LocalTime.ts"

const captionInList = 300
const mostNames = 8
export const textAlone = "text"
export const mostTrouble = 5
const longestWhy = 200
const mostResults = 1000

/** What did not work on an account. */
export const Trouble = Schema.Struct({
  account_id: SocialAccountId,
  account: Schema.String,
  status: ResultStatus,
  why: Schema.String,
  action: ResultAction,
  where: Schema.optionalKey(Schema.String).annotate({ description: "Where a person can fix it." })
})
const troubles = Schema.optionalKey(Schema.Array(Trouble).check(Schema.isMaxLength(mostTrouble)))

const names = Schema.Array(Schema.String).check(Schema.isMaxLength(mostNames + 1))
const local = { scheduled_at_local: Schema.NullOr(LocalTime) }

const { id, status, social_accounts, approval } = PostSummary.fields

export const kind = Schema.String.annotate({
  description: "Its media and placement, such as 1 video, reel; absent: text."
})

/** What `detail: full` adds. */
const inFull = [
  "media",
  "thread",
  "thread_fallback",
  "platform_configurations",
  "account_configurations",
  "progress",
  "use_queue",
  "created_at"
] as const

/** A post in a list. */
export const ListedPost = Schema.Struct({
  id,
  status,
  caption: Schema.NullOr(Schema.String),
  caption_truncated: Schema.optionalKey(Schema.Boolean),
  scheduled_at: Schema.NullOr(Timestamp),
  ...local,
  published_at: Schema.NullOr(Timestamp),
  social_accounts,
  accounts: names,
  kind: Schema.optionalKey(kind),
  warnings: Schema.optionalKey(PostSummary.fields.warnings),
  approval,
  trouble: troubles,
  ...Struct.map(Struct.pick(PostSummary.fields, inFull), Schema.optionalKey)
}).annotate({ identifier: "ToolListedPost" })

/** A post with the result of each account. */
export const WholePost = Schema.Struct({
  ...Post.fields,
  version: Schema.String,
  created_by: Schema.NullOr(CreatedBy),
  updated_by: Schema.NullOr(UpdatedBy),
  ...local,
  accounts: names,
  caption_truncated: Schema.optionalKey(Schema.Boolean),
  next_step: Schema.optionalKey(Schema.String)
}).annotate({ identifier: "ToolPost" })

/** What became of a post that a call made or changed. */
export const ChangedPost = Schema.Struct({
  id,
  status: PostStatus,
  what_happened: Schema.String,
  scheduled_at: Schema.NullOr(Timestamp),
  ...local,
  social_accounts,
  accounts: names,
  warnings: PostSummary.fields.warnings,
  draft_problems: Schema.optionalKey(Schema.Array(Schema.String).check(Schema.isMaxLength(mostProblems + 1))),
  approval,
  next_step: Schema.optionalKey(Schema.String)
}).annotate({ identifier: "ToolChangedPost" })

export const namesOf = (
  ids: ReadonlyArray<number>,
  nameOf: NameOf,
  most = mostNames
): ReadonlyArray<string> => [
  ...ids.slice(0, most).map(nameOf),
  ...(ids.length > most ? [`and ${ids.length - most} more`] : [])
]

type Content = PostContent & { readonly social_accounts: ReadonlyArray<number> }

type Counts = Partial<Pick<Progress, "failed" | "unconfirmed" | "failed_items" | "rejected">>

const isTroubled = ({ failed = 0, unconfirmed = 0, failed_items = 0, rejected = 0 }: Counts) =>
  failed + unconfirmed + failed_items + rejected > 0

const isRejected = ({ platform_data }: PostResult) => platform_data?.review === "rejected"

/** A thread that broke off is live with its first item, and what its platform rejected after that is published too. */
const isWrong = (result: PostResult) =>
  (result.status === "failed" && result.repaired_by === undefined) ||
  result.status === "unconfirmed" ||
  (result.failed_items ?? 0) > 0 ||
  isRejected(result)

/** A network's answer as it came is for who asks for everything. */
const told = <A extends { readonly error: ResultError | null }>(result: A, full: boolean): A => {
  if (result.error === null) return result
  const { platform_response, ...error } = result.error
  return {
    ...result,
    error: {
      ...error,
      message: oneLine(error.message),
      ...(full && platform_response !== undefined ? { platform_response } : {})
    }
  }
}

/** Posts as tools answer them: with the names of their accounts, with what went wrong, and where it is put right. */
export const makePostAnswers = Effect.gen(function* () {
  const outcomes = yield* PostOutcomes
  const knownAccounts = yield* makeKnownAccounts
  const library = yield* MediaLibrary
  const accountNames = yield* makeAccountNames
  const { publicUrl } = yield* AppConfig
  const rooms = consoleRooms(publicUrl)

  const whereFor = (action: ResultAction, status: ResultStatus, post: string) => {
    if (status === "unconfirmed") return { where: rooms.post(post) }
    return action === "reconnect_account" ? { where: rooms.accounts } : {}
  }

  /** By the ids of posts, what failed or has to be looked at. */
  const troubleOf = Effect.fnUntraced(function* (
    posts: ReadonlyArray<{
      readonly id: string
      readonly status: PostStatus
      readonly progress: Counts
      readonly blocked_by?: number | null
      /** Its time; null or none: it goes out at once. */
      readonly at?: DateTime.Utc
      readonly scheduled_at?: DateTime.Utc | null
    }>,
    nameOf: NameOf
  ) {
    const now = yield* DateTime.now
    const ids = posts
      .filter(
        ({ at, progress, scheduled_at = null, status }) =>
          isTroubled(progress) ||
          (status === "scheduled" && DateTime.isLessThanOrEqualTo(at ?? scheduled_at ?? now, now))
      )
      .map((post) => post.id)
    const { data } =
      ids.length === 0
        ? { data: [] }
        : yield* outcomes.list({ post_id: ids, status: ["all"] }, { limit: mostResults, offset: 0 })
    return ({ blocked_by = null, id: post, status }: (typeof posts)[number]) => {
      const blocked: ReadonlyArray<typeof Trouble.Type> =
        status !== "scheduled" || blocked_by === null
          ? []
          : [
              {
                account_id: SocialAccountId.make(blocked_by),
                account: nameOf(blocked_by),
                status: "waiting",
                why: "Nothing is published to it until it is connected again.",
                action: "reconnect_account",
                where: rooms.accounts
              }
            ]
      const failed = data
        .filter((result) => result.post_id === post && (isWrong(result) || result.waiting_for === "retry"))
        .map(
          ({
            social_account_id,
            status,
            waiting_for,
            error,
            failed_items = 0,
            open_repair,
            platform_data
          }): typeof Trouble.Type => ({
            account_id: social_account_id,
            account: nameOf(social_account_id),
            status,
            why: truncate(
              oneLine(
                (open_repair === undefined ? "" : `The post ${open_repair.post_id} stands in its place. `) +
                  (waiting_for === "retry" ? "It is tried again by itself. " : "") +
                  (failed_items > 0 ? `The last ${failed_items} posts of the thread are missing. ` : "") +
                  (platform_data?.review === "rejected"
                    ? `The network rejected it in its review: ${platform_data.review_reason ?? "it gives no reason"}. `
                    : "") +
                  (error?.message ?? "")
              ),
              longestWhy
            ),
            action: error?.action ?? "none",
            ...whereFor(error?.action ?? "none", status, post)
          })
        )
      const found = [...blocked, ...failed].slice(0, mostTrouble)
      return found.length === 0 ? {} : { trouble: found }
    }
  })

  /** What each of the posts is; their contents with the accounts that are seen. */
  const kindsOf = Effect.fnUntraced(function* (contents: ReadonlyArray<Content>) {
    const { workspace_id } = yield* CurrentActor
    const media = yield* library.find(workspace_id, [...new Set(contents.flatMap(mediaIdsOf))])
    const kinds = new Map<string, MediaKind | null>(media.map((row) => [row.id, row.kind]))
    const platforms = new Map<number, PlatformId>(
      (yield* knownAccounts(contents.flatMap((one) => one.social_accounts))).map(({ id, platform }) => [
        id,
        platform
      ])
    )
    return ({ social_accounts: ids, ...content }: Content) =>
      kindOfPost(
        content,
        ids.flatMap((id) => {
          const platform = platforms.get(id)
          return platform === undefined ? [] : [{ id, platform }]
        }),
        (id) => kinds.get(id) ?? null
      )
  })

  const listed = Effect.fnUntraced(function* (
    posts: ReadonlyArray<PostSummary>,
    timezone: string,
    full: boolean
  ) {
    const nameOf = yield* accountNames(posts.flatMap((post) => post.social_accounts))
    const trouble = yield* troubleOf(posts, nameOf)
    const kindOf = yield* kindsOf(posts)
    return posts.map((post): typeof ListedPost.Type => {
      const caption = post.caption || post.excerpt
      const what = kindOf(post)
      const shown = caption === null || full ? caption : truncate(caption, captionInList)
      return {
        id: post.id,
        status: post.status,
        caption: shown,
        ...(shown === caption ? {} : { caption_truncated: true }),
        scheduled_at: post.scheduled_at,
        scheduled_at_local: localTimeOrNull(post.scheduled_at, timezone),
        published_at: post.published_at,
        social_accounts: post.social_accounts,
        accounts: namesOf(post.social_accounts, nameOf),
        ...(what === textAlone ? {} : { kind: what }),
        ...(post.warnings.length === 0
          ? {}
          : {
              warnings: full
                ? post.warnings
                : post.warnings.slice(0, 3).map((one) => truncate(one, longestWhy))
            }),
        ...(post.approval === undefined ? {} : { approval: post.approval }),
        ...trouble(post),
        ...(full ? Struct.pick(post, inFull) : {})
      }
    })
  })

  const whole = Effect.fnUntraced(function* (post: Post, timezone: string, full: boolean) {
    const nameOf = yield* accountNames(post.social_accounts)
    const next = nextStep(post, rooms, nameOf, isHeld(yield* CurrentActor))
    const answer: typeof WholePost.Type = {
      ...post,
      // What has to be seen stays where a long list is cut.
      results: [...post.results]
        .sort((one, other) => Number(isWrong(other)) - Number(isWrong(one)))
        .map((result) => ({
          ...told(result, full),
          ...(result.items === undefined ? {} : { items: result.items.map((item) => told(item, full)) })
        })),
      scheduled_at_local: localTimeOrNull(post.scheduled_at, timezone),
      accounts: namesOf(post.social_accounts, nameOf),
      ...(next === null ? {} : { next_step: next })
    }
    const shown = full ? answer : fitted(answer)
    return shown === answer ? answer : { ...shown, caption_truncated: true }
  })

  /** A sentence for a post that a call made or changed. */
  const whatHappenedTo = Effect.fnUntraced(function* (post: Post, timezone: string) {
    const { scheduled_at } = post
    // A post that is sent again keeps the time that it had.
    const isOver = scheduled_at !== null && DateTime.isLessThanOrEqualTo(scheduled_at, yield* DateTime.now)
    return whatHappened(post, isOver ? null : localTimeOrNull(scheduled_at, timezone))
  })

  const changed = Effect.fnUntraced(function* (
    post: Post,
    timezone: string
  ): Effect.fn.Return<typeof ChangedPost.Type, never, CurrentActor> {
    const nameOf = yield* accountNames(post.social_accounts)
    const next = nextStep(post, rooms, nameOf, isHeld(yield* CurrentActor))
    // They stand among the warnings too.
    const problems = (post.draft_problems ?? []).map(({ message }) => message)
    return fitted({
      id: post.id,
      status: post.status,
      what_happened: yield* whatHappenedTo(post, timezone),
      scheduled_at: post.scheduled_at,
      scheduled_at_local: localTimeOrNull(post.scheduled_at, timezone),
      social_accounts: post.social_accounts,
      accounts: namesOf(post.social_accounts, nameOf),
      warnings: post.warnings.filter((one) => !problems.includes(one)),
      ...(post.draft_problems === undefined ? {} : { draft_problems: problems }),
      ...(post.approval === undefined ? {} : { approval: post.approval }),
      ...(next === null ? {} : { next_step: next })
    })
  })

  /** The same in a sentence, for one of many. */
  const brief = (post: Post, timezone: string) =>
    Effect.map(whatHappenedTo(post, timezone), (sentence) => ({
      post_id: post.id,
      what_happened: [sentence, ...post.warnings.slice(0, 2).map((one) => truncate(one, longestWhy))].join(
        " "
      )
    }))

  return { listed, whole, changed, brief, troubleOf, kindsOf, accountNames }
})

const isWaiting = ({ status, approval }: Post) => status === "draft" && approval?.status === "waiting"

const whatHappened = (post: Post, local: string | null): string => {
  if (isWaiting(post)) return "It waits as a draft for the user's approval; nothing is published before that."
  if (post.status === "draft") {
    return `It is a draft: nothing goes out.${local === null ? "" : ` ${local} is only its plan.`}`
  }
  if (local !== null) return `It is scheduled and goes out at ${local}.`
  return post.blocked_by === null
    ? "It is being published now. get_post shows the outcome in a few seconds."
    : "It is being published now, but not to an account that has to be connected again: see next_step."
}

/** What is left to do with a post, and who does it where; null: nothing. */
const nextStep = (
  post: Post,
  rooms: ReturnType<typeof consoleRooms>,
  nameOf: NameOf,
  held: boolean
): string | null => {
  const { id, status, approval, results, draft_problems = [] } = post
  if (isWaiting(post)) {
    return `Only the user can approve it. get_post later shows whether approval.status is approved or refused. Give them this link: ${rooms.approval(id)}`
  }
  if (status === "draft" && approval?.status === "refused") {
    const why = approval.reason === null ? "without a reason" : `because: ${quoted(approval.reason)}`
    return `The user refused it ${why}. ${
      held
        ? "Change it with update_post, which asks them again, or delete it with delete_post."
        : `Only they can let it go out, and only they and whoever asked can change it: ${rooms.approval(id)}`
    }`
  }
  if (status === "draft") {
    const first = draft_problems.length === 0 ? "" : "First fix draft_problems with update_post. "
    return held
      ? `${first}schedule_post and publish_post ask the user to approve it. Until then they find it under Drafts of apps at ${rooms.approvals}`
      : `${first}schedule_post schedules it, publish_post publishes it at once. The user finds it at ${rooms.post(id)}`
  }
  const accountsThat = (is: (result: PostResult) => boolean) =>
    [...new Set(results.filter(is).map(({ social_account_id }) => nameOf(social_account_id)))].join(", ")
  const failed = accountsThat(
    (result) => isWrong(result) && result.status === "failed" && result.open_repair === undefined
  )
  const repairs = [...new Set(results.flatMap(({ open_repair }) => open_repair?.post_id ?? []))].join(", ")
  const broken = accountsThat(({ failed_items = 0, status }) => failed_items > 0 && status === "published")
  const rejected = accountsThat(isRejected)
  const lost = [
    ...new Set([
      ...(post.blocked_by === null ? [] : [post.blocked_by]),
      ...results
        .filter((result) => isWrong(result) && result.error?.action === "reconnect_account")
        .map(({ social_account_id }) => social_account_id)
    ])
  ]
    .map(nameOf)
    .join(", ")
  const unconfirmed = accountsThat((result) => result.status === "unconfirmed")
  const steps = [
    ...(lost === "" ? [] : [`Ask the user to connect ${lost} again at ${rooms.accounts}`]),
    ...(failed === ""
      ? []
      : [
          `retry_post sends it again to ${failed}; if the content was the cause, create_post with repairs, the id of the failed result, replaces it`
        ]),
    ...(repairs === "" ? [] : [`Another post stands for it: see get_post of ${repairs}`]),
    ...(broken === ""
      ? []
      : [`retry_post continues the thread after its last live post on ${broken}, as it is`]),
    ...(rejected === ""
      ? []
      : [
          `The network rejected it on ${rejected} (platform_data.review_reason): nothing sends it again; create_post makes a changed one if the user wants it`
        ]),
    ...(unconfirmed === ""
      ? []
      : [
          `Only the user can say whether it is live on ${unconfirmed}, at ${rooms.post(id)}; if they say that it is not, call retry_post with not_live: true`
        ])
  ]
  return steps.length === 0 ? null : `${steps.join(". ")}.`
}
