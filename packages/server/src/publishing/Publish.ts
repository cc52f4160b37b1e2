import type { MediaId } from "@carillon/domain"
import { Clock, Context, DateTime, Duration, Effect, Layer, Option } from "effect"
import { type WithCredentials, TokenVault } from "../accounts/TokenVault.ts"
import type { Handle } from "../engine/Handle.ts"
import { SendGuard } from "../http/SendGuard.ts"
import { type Platform, type Prepared, PublishError, type PublishRequest } from "../platforms/Platform.ts"
import { Platforms } from "../platforms/Platforms.ts"
import { AccountQueue, type Ticket } from "./AccountQueue.ts"
import type { ClaimedTarget } from "../engine/ClaimedTarget.ts"
import type { Lease } from "../engine/Lease.ts"
import { FairSemaphore } from "./FairSemaphore.ts"
import { commentEnded, commentsOf, isCommenting } from "./FirstComments.ts"
import { commitment, lateBy, until, workOf } from "./Commit.ts"
import { deadlineOf, Outcomes } from "./Outcomes.ts"
import { type MediaReadiness, PublishRequests } from "./PublishRequests.ts"
import { type Admission, reconciliation } from "./Reconcile.ts"
import { RemotePosts } from "../engine/RemotePosts.ts"
import { TargetQueue } from "../engine/TargetQueue.ts"

/** How far ahead of its instant a ready target is held in memory, so that no query stands before the commit. */
export const claimLead = Duration.millis(1500)

/**
 * How far ahead of its instant a target is marked: targets that are due together are marked together, and at the instant
 * only the call is left. An edit comes too late from then on.
 */
const markLead = 100

/** Media wake the targets that wait for them; this is for a process that dies before it could. */
const mediaPatience = Duration.minutes(1)

const concurrentPreparations = 32

/** Takes one claimed target from its present step to the next state that has to be stored. */
export class Publish extends Context.Service<
  Publish,
  {
    /** It cannot be interrupted between the marker and the settlement. */
    target(claimed: ClaimedTarget, lease: Lease): Effect.Effect<void>
  }
>()("@carillon/server/publishing/Publish") {
  static readonly layer = Layer.effect(
    Publish,
    Effect.gen(function* () {
      const queue = yield* TargetQueue
      const outcomes = yield* Outcomes
      const platforms = yield* Platforms
      const vault = yield* TokenVault
      const requests = yield* PublishRequests
      const posts = yield* RemotePosts
      const accounts = new AccountQueue()
      const preparing = new FairSemaphore(concurrentPreparations)
      const reconcile = reconciliation({ outcomes, posts, requests })
      const commit = commitment({ outcomes, queue })

      // Each generator costs a backlog a kilobyte a target: what every target passes through has few (`bench/README.md`).
      const target = (claimed: ClaimedTarget, lease: Lease, ticket: Ticket) => {
        const offered = Option.getOrUndefined(Option.map(platforms.get(claimed.platform), vault.sealing))
        const platform =
          offered !== undefined && isCommenting(claimed) ? commentsOf(offered, claimed) : offered
        if (platform === undefined) {
          const gone = notOffered(claimed.platform)
          return claimed.state === "unknown"
            ? outcomes.unconfirmed(claimed, gone)
            : outcomes.failed(claimed, gone)
        }
        const { social_account_id: id, remote_id, credentials } = claimed
        const withCredentials = vault.open(platform, { id, remote_id }, credentials)

        return Effect.flatMap(
          claimed.state === "unknown"
            ? Clock.clockWith((clock) =>
                // A network that cannot be asked is sent the post again, as a question.
                Effect.provideService(
                  reconcile(claimed, platform, withCredentials),
                  SendGuard,
                  lateBy(lease, clock)
                )
              )
            : admit(claimed, platform),
          (admission) => {
            if (admission === "settled") return Effect.void
            const failed = admission === "perhaps_live" ? outcomes.retryWhileUnknown : outcomes.retryOrFail
            const committed = Effect.flatMap(requests.resolve(claimed, platform), (request) =>
              Effect.flatMap(prepared(claimed, platform, request, withCredentials), (handle) =>
                handle === undefined
                  ? Effect.void
                  : Effect.andThen(
                      until(claimed.due_at.epochMilliseconds - markLead),
                      commit({ claimed, lease, ticket, platform, request, handle, withCredentials, failed })
                    )
              )
            )
            return committed.pipe(Effect.catch((failure) => failed(claimed, failure, false)))
          }
        )
      }

      /** Whether a target that was never committed may go on now. */
      const admit = (claimed: ClaimedTarget, platform: Platform): Effect.Effect<Admission> =>
        Effect.flatMap(DateTime.now, (now) => {
          const deadline = deadlineOf(claimed)
          const { account_status: status, paused_until } = claimed
          const ended = isCommenting(claimed)
            ? commentEnded(claimed, DateTime.isGreaterThan(now, deadline))
            : undefined
          if (ended !== undefined) return settled(outcomes.failed(claimed, ended))
          if (DateTime.isGreaterThan(now, deadline)) {
            return settled(
              outcomes.failed(claimed, status === "needs_reconnect" ? mustReconnect : missed(claimed))
            )
          }
          if (status === "disconnected") {
            // It fails at its time, not before: until then somebody may connect the account again.
            return settled(
              DateTime.isLessThan(now, claimed.due_at)
                ? outcomes.reschedule(claimed, claimed.due_at)
                : outcomes.failed(claimed, claimed.is_demo ? demoStopped : disconnected)
            )
          }
          if (status === "needs_reconnect") {
            return settled(outcomes.reschedule(claimed, deadline, { failure: mustReconnect }))
          }
          if (paused_until !== null && DateTime.isGreaterThan(paused_until, now)) {
            return settled(outcomes.reschedule(claimed, DateTime.min(paused_until, deadline)))
          }
          if (isCommenting(claimed)) return notLive
          return Effect.flatMap(requests.media(claimed, platform), (media) => {
            switch (media._tag) {
              case "usable":
                return DateTime.isLessThan(now, claimed.prepare_at)
                  ? settled(outcomes.reschedule(claimed, claimed.prepare_at))
                  : notLive
              case "refused":
                return settled(outcomes.failed(claimed, media.failure))
              case "missing":
                // It fails at its time, not before: until then it may be fetched, or taken off the post.
                return settled(
                  DateTime.isLessThan(now, claimed.due_at)
                    ? awaitMedia(claimed, platform, media, claimed.due_at)
                    : outcomes.failed(claimed, media.failure)
                )
              case "awaited": {
                const patience = DateTime.addDuration(now, mediaPatience)
                // A fetch that fails wakes only what is due.
                const later = DateTime.isLessThan(now, claimed.due_at)
                  ? DateTime.min(patience, claimed.due_at)
                  : patience
                return settled(awaitMedia(claimed, platform, media, later))
              }
            }
          })
        })

      const awaitMedia = Effect.fnUntraced(function* (
        claimed: ClaimedTarget,
        platform: Platform,
        { _tag, media_id, failure }: Extract<MediaReadiness, { media_id: MediaId }>,
        patience: DateTime.Utc
      ) {
        const now = yield* DateTime.now
        const later = DateTime.min(patience, deadlineOf(claimed))
        // Of what is on its way nobody has to be told anything before it is due.
        const isTold = _tag === "missing" || DateTime.isGreaterThan(now, claimed.due_at)
        yield* outcomes.reschedule(claimed, later, isTold ? { failure } : {})
        // Media that arrived before the target waited have woken nobody.
        const since = yield* requests.media(claimed, platform)
        if (since._tag !== _tag) yield* queue.resumePostsOf(media_id)
      })

      const prepared = (
        claimed: ClaimedTarget,
        platform: Platform,
        request: PublishRequest,
        withCredentials: WithCredentials
      ) => {
        const handle = prepare(claimed, platform, request, withCredentials)
        const inRest = request.thread?.rest.some(({ media }) => media.length > 0) === true
        return request.media.length === 0 && !inRest
          ? handle
          : preparing.run(workOf(claimed, platform))(handle)
      }

      /** The handle to commit with; undefined when the target was put back for later. */
      const prepare = (
        claimed: ClaimedTarget,
        platform: Platform,
        request: PublishRequest,
        withCredentials: WithCredentials
      ) => {
        if (claimed.step === "commit") return keptOrHeld(claimed, claimed.handle ?? {})
        const save = (next: Handle) =>
          Effect.flatMap(queue.saveHandle(claimed, next), (ours) => (ours ? Effect.void : notOurs))
        return Effect.flatMap(
          withCredentials((credentials) =>
            claimed.step === "poll"
              ? platform.poll(request, credentials, claimed.handle ?? {})
              : platform.prepare(request, credentials, claimed.handle, save)
          ),
          (done) => (done._tag === "wait" ? pollLater(claimed, done) : keptOrHeld(claimed, done.handle))
        )
      }

      const pollLater = Effect.fnUntraced(function* (
        claimed: ClaimedTarget,
        { handle, poll_after }: Extract<Prepared, { readonly _tag: "wait" }>
      ) {
        const at = DateTime.addDuration(yield* DateTime.now, poll_after)
        yield* outcomes.reschedule(claimed, at, { prepared: { handle, step: "poll" } })
        return undefined
      })

      const keptOrHeld = (claimed: ClaimedTarget, handle: Handle): Effect.Effect<Handle | undefined> =>
        Effect.flatMap(DateTime.now, (now) => {
          const left = claimed.due_at.epochMilliseconds - now.epochMilliseconds
          if (left <= 2 * Duration.toMillis(claimLead)) return Effect.succeed(handle)
          const hold = DateTime.subtractDuration(claimed.due_at, claimLead)
          return Effect.as(
            outcomes.reschedule(claimed, hold, { prepared: { handle, step: "commit" } }),
            undefined
          )
        })

      return Publish.of({
        target: (claimed, lease) =>
          Effect.annotateLogs(
            Effect.suspend(() => {
              const ticket = accounts.join(claimed.social_account_id, claimed.due_at, claimed.id)
              return Effect.ensuring(target(claimed, lease, ticket), Effect.sync(ticket.leave))
            }),
            { target: claimed.id, post: claimed.post_id, platform: claimed.platform }
          )
      })
    })
  ).pipe(Layer.provide(Outcomes.layer))
}

const notLive = Effect.succeed<Admission>("not_live")

const settled = (outcome: Effect.Effect<void>): Effect.Effect<Admission> => Effect.as(outcome, "settled")

const notOurs = new PublishError({
  class: "transient",
  code: "taken",
  message: "The post was changed or taken over in the meantime."
})

const disconnected = new PublishError({
  class: "reconnect",
  code: "account_disconnected",
  message: "The social account was disconnected before the post was due. Connect it again and retry the post."
})

const demoStopped = new PublishError({
  class: "config",
  code: "account_disconnected",
  message:
    "This was a demo account of the test network, which does not play this network here any more. Send the post to an account of yours."
})

const mustReconnect = new PublishError({
  class: "reconnect",
  code: "needs_reconnect",
  message:
    "The platform no longer accepts the account's authorization. Connect it again, and the post is published."
})

const missed = (target: ClaimedTarget) =>
  new PublishError({
    class: "missed",
    code: "missed",
    message:
      `The post was due at ${DateTime.formatIso(target.due_at)} and could not be published within ` +
      `${target.lateness_limit_seconds / 3600} hours of that, the workspace's limit for late posts.`
  })

const notOffered = (platform: string) =>
  new PublishError({
    class: "config",
    code: "platform_not_supported",
    message: `This instance no longer publishes to ${platform}.`
  })
