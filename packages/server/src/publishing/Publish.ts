import type { MediaId, PlatformData } from "@carillon/domain"
import { Clock, Context, DateTime, Duration, Effect, Layer, Option } from "effect"
import { SendGuard } from "../http/SendGuard.ts"
import { type WithCredentials, TokenVault } from "../accounts/TokenVault.ts"
import type { Handle } from "../engine/Handle.ts"
import {
  Accepted,
  type Platform,
  type Prepared,
  PublishError,
  type PublishRequest,
  WholeChain
} from "../platforms/Platform.ts"
import { Platforms } from "../platforms/Platforms.ts"
import { AccountQueue, type Ticket } from "./AccountQueue.ts"
import type { ClaimedTarget } from "../engine/ClaimedTarget.ts"
import { type Lease, millisOf, monotonicMillis } from "../engine/Lease.ts"
import { FairSemaphore } from "./FairSemaphore.ts"
import { alikeUnconfirmed, answeredWithAnother, deadlineOf, Outcomes, replyLost } from "./Outcomes.ts"
import { type MediaReadiness, PublishRequests } from "./PublishRequests.ts"
import { RemotePosts } from "../engine/RemotePosts.ts"
import { TargetQueue } from "../engine/TargetQueue.ts"

/** How far ahead of its instant a ready target is held in memory, so that no query stands before the commit. */
export const claimLead = Duration.millis(1500)

/**
 * How far ahead of its instant a target is marked: targets that are due together are marked together, and at the instant
 * only the call is left. An edit comes too late from then on.
 */
const markLead = 100

/** A commit does not start with less than this left of its lease: a frozen process must not send late. */
const leaseReserve = Duration.toMillis(Duration.seconds(5))

/**
 * How soon a target that the account's gate held back is tried again. The first tries keep the claim, because releasing
 * and claiming again costs more than the commit; after them any process may take it.
 */
const gatePause = Duration.millis(250)
const gateTries = 8
const gateRest = Duration.seconds(1)

/** How soon the same commit is sent again after its reply was lost, where the platform honours that. */
const firstReplay = Duration.seconds(2)

/** Media wake the targets that wait for them; this is for a process that dies before it could. */
const mediaPatience = Duration.minutes(1)

const concurrentPreparations = 32
const concurrentCommits = 2048

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
      const committing = new FairSemaphore(concurrentCommits)

      // Each generator costs a backlog a kilobyte a target: what every target passes through has few (`bench/README.md`).
      const target = (claimed: ClaimedTarget, lease: Lease, ticket: Ticket) => {
        const platform = Option.getOrUndefined(Option.map(platforms.get(claimed.platform), vault.sealing))
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
            ? reconcile(claimed, platform, withCredentials)
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
                : outcomes.failed(claimed, disconnected)
            )
          }
          if (status === "needs_reconnect") {
            return settled(outcomes.reschedule(claimed, deadline, { failure: mustReconnect }))
          }
          if (paused_until !== null && DateTime.isGreaterThan(paused_until, now)) {
            return settled(outcomes.reschedule(claimed, DateTime.min(paused_until, deadline)))
          }
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

      /** Finds out what became of a commit whose reply or process was lost. */
      const reconcile = Effect.fnUntraced(function* (
        claimed: ClaimedTarget,
        platform: Platform,
        withCredentials: WithCredentials
      ): Effect.fn.Return<Admission> {
        const now = yield* DateTime.now
        const deadline = deadlineOf(claimed)
        const kind = platform.capabilities.reconcile(claimed, now)
        if (
          kind === "none" ||
          claimed.account_status === "disconnected" ||
          DateTime.isGreaterThan(now, deadline)
        ) {
          yield* outcomes.unconfirmed(claimed)
          return "settled"
        }
        if (claimed.account_status === "needs_reconnect") {
          yield* outcomes.unknown(claimed, deadline, replyLost, false)
          return "settled"
        }
        // A paused account is not asked either: while it may not send, the lookups would never end.
        const { paused_until } = claimed
        if (paused_until !== null && DateTime.isGreaterThan(paused_until, now)) {
          yield* outcomes.release(claimed, DateTime.min(paused_until, deadline))
          return "settled"
        }
        if (kind === "replay") return "perhaps_live"

        const answerable = DateTime.addDuration(claimed.marked_at ?? now, platform.capabilities.settle_wait)
        if (DateTime.isLessThan(now, answerable)) {
          yield* outcomes.unknown(claimed, answerable, replyLost, false)
          return "settled"
        }
        return yield* Effect.gen(function* (): Effect.fn.Return<Admission, PublishError> {
          const request = yield* requests.resolve(claimed, platform)
          const owner = {
            platform: claimed.platform,
            account: claimed.remote_id,
            owner: request.target_id
          }
          const found = yield* withCredentials((credentials) =>
            platform.reconcile(request, credentials, claimed.handle ?? {}, (ids) =>
              posts.ofOthers(owner, ids)
            )
          )
          if (found._tag === "not_published") {
            const apart = platform.capabilities.lookup_apart
            const before = claimed.looked_up_at
            if (
              before !== null &&
              DateTime.isGreaterThanOrEqualTo(now, DateTime.addDuration(before, apart))
            ) {
              return "not_live"
            }
            yield* outcomes.awaitSecondLookup(claimed, DateTime.addDuration(yield* DateTime.now, apart))
            return "settled"
          }
          switch (found._tag) {
            case "published":
              yield* foundLive(claimed, platform, found.data)
              break
            case "chain_published":
              yield* foundLive(claimed, platform, found.chain)
              break
            case "working": {
              const at = DateTime.addDuration(yield* DateTime.now, found.ask_after)
              yield* outcomes.working(claimed, at, found.handle, false)
              break
            }
            case "refused":
              yield* outcomes.retryOrFail(claimed, found.failure, false)
              break
            case "unknown":
              yield* outcomes.unconfirmed(claimed)
          }
          return "settled"
        }).pipe(
          Effect.catchTag("PublishError", (failure) =>
            Effect.as(outcomes.retryWhileUnknown(claimed, failure, false), "settled" as const)
          )
        )
      })

      /**
       * Words alone do not say whose a post is. It is believed when no other commit to the account can still turn out to have
       * made it; of several that are looked up by words each takes one, once no more can come of any.
       */
      const foundLive = Effect.fnUntraced(function* (
        claimed: ClaimedTarget,
        platform: Platform,
        data: PlatformData | WholeChain
      ) {
        const { by_words, lookup_apart, reconcile: kindOf, settle_wait } = platform.capabilities
        if (by_words !== true) return yield* outcomes.published(claimed, data)
        const now = yield* DateTime.now
        const mayCome = ({ marked_at }: Pick<ClaimedTarget, "marked_at">) =>
          marked_at !== null &&
          DateTime.isLessThan(now, DateTime.addDuration(marked_at, Duration.sum(settle_wait, lookup_apart)))
        const others = yield* posts.doubtful(claimed)
        const isOpen = others.some(
          (other) =>
            other.state === "committing" ||
            (other.state === "unknown" &&
              (kindOf(other, now) === "replay" || mayCome(other) || mayCome(claimed)))
        )
        if (!isOpen && others.some(({ state }) => state === "unconfirmed"))
          return yield* outcomes.unconfirmed(claimed, alikeUnconfirmed)
        if (isOpen || !(yield* outcomes.publishedUnlessTaken(claimed, data)))
          yield* outcomes.unknown(claimed, DateTime.addDuration(now, lookup_apart), replyLost, false)
      })

      const prepared = (
        claimed: ClaimedTarget,
        platform: Platform,
        request: PublishRequest,
        withCredentials: WithCredentials
      ) => {
        const handle = prepare(claimed, platform, request, withCredentials)
        const inRest = request.chain?.rest.some(({ media }) => media.length > 0) === true
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

      /** Calls in the account's order, within the limits, marked and at the instant; then stores the result. */
      const commit = (work: Commit) =>
        Effect.uninterruptibleMask((restore) => {
          const { claimed } = work
          const slot = workOf(claimed, work.platform)
          const taken = restore(committing.acquire(slot))
          const sent = Effect.ensuring(
            send(work),
            Effect.sync(() => committing.release(slot))
          )
          const attempt = (tries: number): Effect.Effect<void> =>
            Effect.flatMap(Effect.andThen(taken, sent), (settle) => {
              if (settle !== "not_its_turn") return settle()
              if (tries < gateTries)
                return Effect.andThen(restore(Effect.sleep(gatePause)), () => attempt(tries + 1))
              // It keeps its place in the order; behind later targets, which all wait for it, it would be last.
              return Effect.flatMap(DateTime.now, (now) =>
                queue.release({
                  id: claimed.id,
                  fence: claimed.fence,
                  until: DateTime.addDuration(now, gateRest)
                })
              )
            })
          return Effect.andThen(restore(work.ticket.turn), attempt(1))
        })

      // Once it is marked a shutdown waits until the result is stored.
      const send = (work: Commit): Effect.Effect<Settle | "not_its_turn"> => {
        const { claimed, handle } = work
        return Effect.flatMap(
          queue.mark({ id: claimed.id, fence: claimed.fence, handle }),
          (marked): Effect.Effect<Settle | "not_its_turn"> => {
            switch (marked) {
              case "marked":
                return call(work)
              case "not_its_turn":
                return Effect.succeed(marked)
              case "lost":
                return Effect.succeed(() => Effect.void)
              case "account_closed":
                // The next claim finds out what it waits for.
                return Effect.map(DateTime.now, (now) => () => outcomes.release(claimed, now))
            }
          }
        )
      }

      const call = (work: Commit) =>
        answered(work).pipe(
          Effect.catch((failure) =>
            Effect.succeed((): Effect.Effect<void> =>
              failure.class === "ambiguous"
                ? lost(work.claimed, work.platform, failure)
                : work.failed(work.claimed, failure, true)
            )
          )
        )

      const answered = ({ claimed, lease, platform, request, handle, withCredentials, failed }: Commit) => {
        const called = Clock.clockWith((clock): Effect.Effect<Settle, PublishError> => {
          const late = () => (lease.until - millisOf(clock) < leaseReserve ? stalled : undefined)
          if (late() !== undefined) return Effect.succeed(() => failed(claimed, stalled, true))
          const limit = Duration.toMillis(platform.capabilities.commit_timeout)
          const deadline = { at: millisOf(clock) + limit }
          let published: PlatformData | undefined
          const answer = Effect.flatMap(
            Effect.provideService(
              withCredentials((credentials) => platform.commit(request, credentials, handle)),
              // Checked before the call, and again when its connection is open.
              SendGuard,
              late
            ),
            (data): Effect.Effect<PlatformData | WholeChain | Accepted> => {
              if (data instanceof Accepted || data instanceof WholeChain) return Effect.succeed(data)
              published = data
              deadline.at = millisOf(clock) + limit
              const confirmed = withCredentials((credentials) =>
                platform.confirm(request, credentials, handle, data)
              )
              return Effect.orElseSucceed(confirmed, (): PlatformData => data)
            }
          )
          // A confirmation that takes too long leaves a published post published.
          const cutOff = Effect.suspend(() =>
            Effect.andThen(
              overdue(deadline, lease),
              Effect.suspend(() => (published === undefined ? replyLost : Effect.succeed(published)))
            )
          )
          return Effect.flatMap(
            // Each of the two can be interrupted by the other, neither by a shutdown.
            Effect.raceFirst(Effect.interruptible(answer), Effect.interruptible(cutOff)),
            (data): Effect.Effect<Settle> =>
              data instanceof Accepted
                ? Effect.map(DateTime.now, (now) => () => {
                    const at = DateTime.addDuration(now, data.ask_after)
                    return outcomes.working(claimed, at, data.handle, true)
                  })
                : Effect.succeed(() => answeredWith(claimed, platform, data))
          )
        })
        return Effect.andThen(until(claimed.due_at.epochMilliseconds), called)
      }

      const answeredWith = (claimed: ClaimedTarget, platform: Platform, data: PlatformData | WholeChain) =>
        platform.capabilities.by_words !== true
          ? outcomes.published(claimed, data)
          : Effect.flatMap(outcomes.publishedUnlessTaken(claimed, data), (settled) => {
              if (settled) return Effect.void
              // The key of a first commit is new, so the answer is its own, whatever a platform called another post before.
              return claimed.attempts === 0 || data instanceof WholeChain
                ? outcomes.published(claimed, data)
                : outcomes.unconfirmed(claimed, answeredWithAnother(data))
            })

      const lost = Effect.fnUntraced(function* (
        claimed: ClaimedTarget,
        platform: Platform,
        failure: PublishError
      ) {
        const now = yield* DateTime.now
        const kind = platform.capabilities.reconcile(claimed, now)
        if (kind === "none") return yield* outcomes.unconfirmed(claimed, failure)
        if (claimed.state === "unknown") return yield* outcomes.retryWhileUnknown(claimed, failure, true)
        const pause = kind === "lookup" ? platform.capabilities.settle_wait : firstReplay
        yield* outcomes.unknown(claimed, DateTime.addDuration(now, pause), failure, true)
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

/** Stores the result of a call, after its permit was released. */
type Settle = () => Effect.Effect<void>

/** Ends at the deadline, or sooner when the lease was not renewed: other processes may take the target then. */
const overdue = Effect.fnUntraced(function* (deadline: { readonly at: number }, lease: Lease) {
  while (true) {
    const left = Math.min(deadline.at, lease.until) - (yield* monotonicMillis)
    if (left <= 0) return
    yield* Effect.sleep(left)
  }
})

const until = (instant: number) =>
  Clock.clockWith((clock) => {
    const left = instant - clock.currentTimeMillisUnsafe()
    return left > 0 ? Effect.sleep(left) : Effect.void
  })

const workOf = ({ workspace_id, platform }: ClaimedTarget, { capabilities }: Platform) => ({
  workspace: workspace_id,
  platform,
  platformLimit: capabilities.concurrent_commits
})

/**
 * `not_live`: certainly nothing is published, go on. `perhaps_live`: the same commit may be sent again, but its
 * failure proves nothing. `settled`: there is nothing to do now.
 */
type Admission = "not_live" | "perhaps_live" | "settled"

const notLive = Effect.succeed<Admission>("not_live")

const settled = (outcome: Effect.Effect<void>): Effect.Effect<Admission> => Effect.as(outcome, "settled")

interface Commit {
  readonly claimed: ClaimedTarget
  readonly lease: Lease
  readonly ticket: Ticket
  readonly platform: Platform
  readonly request: PublishRequest
  readonly handle: Handle
  readonly withCredentials: WithCredentials
  readonly failed: Outcomes["Service"]["retryOrFail"]
}

const notOurs = new PublishError({
  class: "transient",
  code: "taken",
  message: "The post was changed or taken over in the meantime."
})

const stalled = new PublishError({
  class: "transient",
  code: "process_stalled",
  message: "The service stalled between storing the attempt and sending it, so nothing was sent."
})

const disconnected = new PublishError({
  class: "reconnect",
  code: "account_disconnected",
  message: "The social account was disconnected before the post was due. Connect it again and retry the post."
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
