import {
  badRequest,
  type BadRequest,
  type ConfirmResult,
  type Conflict,
  CurrentActor,
  type DismissResult,
  type Forbidden,
  type Found,
  mediaIdsOf,
  type NotFound,
  type Page,
  type PostResult,
  type SinglePostResult,
  type PostResultFilter,
  platformRules,
  problem,
  type ProblemItem,
  type ResultError,
  type RetryPost,
  sees,
  statesBefore,
  statesOf,
  TargetId,
  type TargetState,
  type SocialAccountStatus,
  type WaitingFor
} from "@carillon/domain"
import { Context, DateTime, Effect, Layer, Option, Schema } from "effect"
import { SqlClient } from "effect/sql"
import { SocialAccounts } from "../accounts/SocialAccounts.ts"
import { commitKey } from "../engine/ClaimedTarget.ts"
import { RemotePosts } from "../engine/RemotePosts.ts"
import { Imports } from "../media/imports/Imports.ts"
import { firstCommentFor } from "../publishing/FirstComments.ts"
import { Wakeup } from "../sql/Wakeup.ts"
import { PostAccess, requireAccounts } from "./PostAccess.ts"
import { contentFor } from "./PostContent.ts"
import { PostEvents } from "./PostEvents.ts"
import { PostResultListRepository } from "./PostResultListRepository.ts"
import { PostPlan } from "./PostPlan.ts"
import { PostRepository } from "./PostRepository.ts"
import type { TargetRow } from "./TargetColumns.ts"
import { type Versioned, versioned } from "./PostVersion.ts"
import { Repairs } from "./Repairs.ts"
import { statusOf, toPost, toResult, toSingleResult } from "./PostView.ts"

/** What became of posts, account by account, and what a person may still do about it. */
export class PostOutcomes extends Context.Service<
  PostOutcomes,
  {
    list(filter: PostResultFilter, page: Page): Effect.Effect<Found<PostResult>, never, CurrentActor>
    get(id: string): Effect.Effect<SinglePostResult, NotFound, CurrentActor>
    /** Sends failed targets again: all of them, or those on the named accounts. `force` includes unconfirmed ones. */
    retry(
      postId: string,
      asked: RetryPost
    ): Effect.Effect<Versioned, BadRequest | Forbidden | NotFound | Conflict, CurrentActor>
    /** A person says whether an unconfirmed result was published. */
    confirm(
      id: string,
      seen: ConfirmResult
    ): Effect.Effect<PostResult, BadRequest | Forbidden | NotFound | Conflict, CurrentActor>
    /** Nobody has to look at the result any more, until it is sent again. */
    dismiss(id: string, asked: DismissResult): Effect.Effect<PostResult, NotFound | Conflict, CurrentActor>
  }
>()("@carillon/server/posts/PostOutcomes") {
  static readonly layer = Layer.effect(
    PostOutcomes,
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const access = yield* PostAccess
      const plans = yield* PostPlan
      const repairs = yield* Repairs
      const repository = yield* PostRepository
      const lists = yield* PostResultListRepository
      const fetches = yield* Imports
      const socialAccounts = yield* SocialAccounts
      const remotePosts = yield* RemotePosts
      const wakeup = yield* Wakeup
      const events = yield* PostEvents

      const list = Effect.fn("PostOutcomes.list")(function* (filter: PostResultFilter, page: Page) {
        const actor = yield* CurrentActor
        const { data, ...rest } = yield* lists.results(
          actor.workspace_id,
          actor.social_accounts,
          filter,
          page
        )
        return { data: data.map(toResult), ...rest }
      })

      const find = Effect.fnUntraced(function* (text: string) {
        const actor = yield* CurrentActor
        const id = Schema.is(TargetId)(text) ? text : null
        const found = id === null ? Option.none() : yield* repository.result(actor.workspace_id, id)
        return Option.isNone(found) || !sees(found.value.social_account_id, actor.social_accounts)
          ? yield* problem("not_found", `There is no post result ${JSON.stringify(text)}.`)
          : found.value
      })

      const get = Effect.fn("PostOutcomes.get")((text: string) => Effect.map(find(text), toSingleResult))

      const retry = Effect.fn("PostOutcomes.retry")(function* (
        text: string,
        { social_accounts: named = null, force }: RetryPost
      ) {
        yield* access.personOnly("Sending a post again")
        const { workspace_id, social_accounts } = yield* CurrentActor
        yield* requireAccounts(named ?? [])
        const event = force ? "force_retry" : "retry"
        const retryable: ReadonlyArray<TargetState> = statesBefore(event)
        return yield* Effect.gen(function* () {
          const row = yield* access.lock(text)
          const seen = (yield* repository.lockTargets(row.id)).filter((target) =>
            sees(target.social_account_id, named ?? social_accounts)
          )
          const asked = seen.filter((target) => retryable.includes(target.state) || isBroken(target))
          const standing = yield* repairs.standingFor(asked)
          const failed = asked.filter(({ id }) => !standing.has(id))
          // Of a whole post goes out what nothing stands for.
          const [held] = standing
          if (held !== undefined && (named !== null || failed.length === 0))
            return yield* repairs.refusal(...held)
          if (failed.length === 0) {
            const open = seen.filter(({ state }) => statesOpen.has(state))
            const accounts = yield* socialAccounts.find(
              workspace_id,
              open.map(({ social_account_id: id }) => id)
            )
            const waits = row.status === "draft" ? [draftItem(row.id)] : open.map(waitingItem(accounts))
            if (waits.length > 0 && !seen.some(({ state }) => state === "unconfirmed"))
              return yield* problem("nothing_to_retry", waits)
            return yield* problem(
              "nothing_to_retry",
              `No target of the post ${row.id} has failed${force ? " or is unconfirmed" : ""}${named === null ? "" : ` on ${named.join(", ")}`}; see its results.` +
                (force ? "" : " Unconfirmed ones are sent again only on request, because they may be live.")
            )
          }
          const content = contentFor(row, [...new Set(failed.map((target) => target.social_account_id))])
          yield* fetches.restart(workspace_id, mediaIdsOf(content))
          yield* plans.recheck(content, Math.min(...failed.map(({ items }) => items.length)))
          const now = yield* DateTime.now
          yield* repository.restart(
            row.id,
            failed.map((target) => target.id),
            [event, "continue"],
            // A target whose media turned out not to fit fails before its time. It still goes out at its time.
            DateTime.max(now, row.scheduled_at ?? now),
            now
          )
          yield* wakeup.notify
          const [restarted] = yield* repository.withTargets([row.id])
          const { post, targets } = restarted!
          yield* events.scheduled(workspace_id, toPost(post, targets))
          return versioned(post, targets, social_accounts)
        }).pipe(sql.withTransaction, Effect.catchTag("SqlError", Effect.die))
      })

      const confirm = Effect.fn("PostOutcomes.confirm")(function* (
        text: string,
        { published, url }: ConfirmResult
      ) {
        yield* access.personOnly("Confirming a result")
        const { workspace_id } = yield* CurrentActor
        return yield* Effect.gen(function* () {
          // The engine's settlements lock the post first too.
          const before = yield* access.lock((yield* find(text)).post_id)
          const found = yield* find(text)
          const { id, post_id, social_account_id, platform, state, item_count, items } = found
          const atOnce = platformRules[platform].chains?.at_once === true
          const hasNext = !atOnce && item_count !== null && items.length + 1 < item_count
          if (published && hasNext && state === "unconfirmed" && (url ?? null) === null)
            return yield* badRequest([addressNeeded])
          const now = yield* DateTime.now
          const confirmed = yield* repository.confirm(
            id,
            published
              ? {
                  event: "confirm_published",
                  url: url ?? null,
                  atOnce,
                  error: hasNext ? goesOn : null,
                  warning:
                    firstCommentFor({ ...before, ...found, limits: null }) === undefined
                      ? null
                      : found.error?.code === "restored"
                        ? commentInDoubt
                        : withoutComment
                }
              : { event: "confirm_not_published", error: seenMissing },
            now
          )
          if (!confirmed) {
            const { status } = yield* get(text)
            return yield* problem(
              "result_not_unconfirmed",
              `The post result ${id} is ${status}; only an unconfirmed one can be confirmed.`
            )
          }
          if (published && url != null)
            yield* remotePosts.seenAt(social_account_id, url, commitKey({ id }, items.length))
          const targets = yield* repository.targetsOf(post_id)
          yield* repository.follow(post_id, statusOf(targets), now)
          yield* events.settled([{ id: post_id, workspace_id, status_before: before.status, targets: [id] }])
          return yield* get(text)
        }).pipe(sql.withTransaction, Effect.catchTag("SqlError", Effect.die))
      })

      const dismiss = Effect.fn("PostOutcomes.dismiss")(function* (
        text: string,
        { dismissed }: DismissResult
      ) {
        yield* access.personOnly("Dismissing a failure")
        const found = yield* find(text)
        yield* repository.dismiss(found.id, dismissed)
        return toResult(found)
      })

      return PostOutcomes.of({ list, get, retry, confirm, dismiss })
    })
  ).pipe(
    Layer.provide([
      PostAccess.layer,
      PostPlan.layer,
      Repairs.layer,
      PostRepository.layer,
      PostResultListRepository.layer,
      PostEvents.layer
    ])
  )
}

const statesOpen: ReadonlySet<TargetState> = new Set([...statesOf("waiting"), ...statesOf("publishing")])

const draftItem = (id: string): ProblemItem => ({
  path: "",
  code: "nothing_to_retry",
  rule: "still_draft",
  message: `The post ${id} is a draft: nothing of it was sent, so nothing has failed.`
})

/** What a target that has not failed waits for. */
const waitingItem =
  (
    accounts: ReadonlyArray<{
      readonly id: number
      readonly username: string
      readonly status: SocialAccountStatus
    }>
  ) =>
  (target: TargetRow): ProblemItem => {
    const { platform, social_account_id: id, waiting_for } = target
    const { next_attempt_at: next } = toResult(target)
    const account = accounts.find((one) => one.id === id)
    const who = `${platform} ${account === undefined ? `account ${id}` : `@${account.username}`}`
    const time = next === null ? "" : `, ${DateTime.formatIso(next)}`
    return {
      path: "",
      code: "nothing_to_retry",
      rule: waiting_for === "account" ? "waits_for_account" : "still_waiting",
      message: `${who} ${account?.status === "disconnected" ? isDisconnected : waitsFor[waiting_for ?? "publishing"](time)} Nothing has failed there.`
    }
  }

const isDisconnected =
  "is disconnected: its post fails when it is due, unless the account is connected again by then."

const waitsFor: Record<WaitingFor | "publishing", (time: string) => string> = {
  account: () => "waits until the account is connected again, and is sent then by itself.",
  retry: (time) => `waits for its next try${time}, which is made by itself.`,
  time: (time) => `waits for its time${time}.`,
  pause: (time) => `waits until the network takes posts again${time}, and is sent then by itself.`,
  media: () => "waits for its media, and is sent once they are there.",
  approval: () => "waits for a person's approval.",
  person: () => "waits for a person.",
  publishing: () => "is being sent right now."
}

/** Whether it is a thread that broke off after its first item. */
const isBroken = ({ state, item_count, items }: TargetRow) =>
  state === "published" && item_count !== null && items.length < item_count

const withoutComment =
  "The first comment was not posted: a person has seen that the post is live, and its id is not known here. Write it yourself."

/** What was published before a backup may have its comment. */
const commentInDoubt = "The first comment may be missing. Look at the post."

const addressNeeded = {
  path: "url",
  code: "invalid_request",
  message:
    "url is missing; give the address at which this item of the thread is live, because the next item replies to it."
}

/** The error of a thread that stopped at an item which a person has seen to be live, with others to follow. */
const goesOn: ResultError = {
  code: "chain_stopped",
  class: "ambiguous",
  message:
    "The thread stopped at an item whose reply was lost, and a person has seen that it is live; retry the post to send what follows.",
  action: "none",
  retry_at: null
}

/** The error of a target that a person has found missing on its platform. */
const seenMissing: ResultError = {
  code: "confirmed_not_published",
  class: "ambiguous",
  message:
    "The platform's reply was lost, and a person has seen that the post is not live; retry the post to send it again.",
  action: "none",
  retry_at: null
}
