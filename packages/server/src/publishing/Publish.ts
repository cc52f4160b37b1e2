import { type PlatformData, type ResultError, resultAction } from "@carillon/domain"
import { Context, DateTime, Duration, Effect, Layer, Option, Random } from "effect"
import { TokenVault } from "../accounts/TokenVault.ts"
import { makeKeyedLock } from "../KeyedLock.ts"
import {
  type Credentials,
  type Handle,
  type Platform,
  PublishError,
  type PublishRequest
} from "../platforms/Platform.ts"
import { Platforms } from "../platforms/Platforms.ts"
import { decide } from "./RetryPolicy.ts"
import { PublishRequests } from "./PublishRequests.ts"
import { type ClaimedTarget, type Settlement, TargetQueue } from "./TargetQueue.ts"

/** How far ahead of its instant a target that is ready is held in memory, so that no query stands before the commit. */
export const holdAhead = Duration.millis(1500)

/** A commit that would start later than this after its marker does not start: a frozen process must not send late. */
const markerGrace = Duration.seconds(5)

type Outcome = Partial<Omit<Settlement, "id" | "fence">> & Pick<Settlement, "state">

/** One claim of one target, from where it stands to the next thing that has to be stored. */
export class Publish extends Context.Service<
  Publish,
  {
    /** Between the marker and the settlement it does not let itself be interrupted. */
    target(claimed: ClaimedTarget): Effect.Effect<void>
  }
>()("@carillon/server/publishing/Publish") {
  static readonly layer = Layer.effect(
    Publish,
    Effect.gen(function* () {
      const queue = yield* TargetQueue
      const platforms = yield* Platforms
      const vault = yield* TokenVault
      const requests = yield* PublishRequests
      const oneCommit = yield* makeKeyedLock<number>()

      const settle = (target: ClaimedTarget, outcome: Outcome) =>
        queue.settle({
          id: target.id,
          fence: target.fence,
          next_step_at: null,
          error: null,
          platform_data: null,
          published_at: null,
          counted: false,
          discard_handle: false,
          ...outcome
        })

      const fail = (target: ClaimedTarget, failure: PublishError) =>
        settle(target, { state: "failed", error: resultError(failure, null), counted: true })

      const published = (target: ClaimedTarget, data: PlatformData) =>
        Effect.flatMap(DateTime.now, (now) =>
          settle(target, { state: "published", platform_data: data, published_at: now, counted: true })
        )

      const unconfirmed = (target: ClaimedTarget) =>
        settle(target, { state: "unconfirmed", error: resultError(lost, null), counted: true })

      /** A failure of which it is certain that nothing was published. */
      const refused = Effect.fnUntraced(function* (
        target: ClaimedTarget,
        failure: PublishError,
        marked: boolean
      ) {
        const now = yield* DateTime.now
        const decision = decide(failure, target.attempts + 1, now, deadlineOf(target), yield* Random.next)
        const again = (at: DateTime.Utc, counted: boolean) =>
          settle(target, {
            state: "waiting",
            next_step_at: at,
            error: resultError(failure, at),
            counted: counted || marked,
            discard_handle: failure.discard_handle ?? false
          })
        switch (decision._tag) {
          case "fail":
            return yield* fail(target, failure)
          case "retry":
            return yield* again(decision.at, decision.counted)
          case "pause":
            yield* queue.pauseAccount(target.social_account_id, decision.until)
            return yield* again(decision.until, false)
          case "reconnect":
            yield* queue.accountNeedsReconnect(target.social_account_id, failure.message)
            return yield* again(decision.at, false)
        }
      })

      const target = Effect.fn("Publish.target")(function* (claimed: ClaimedTarget) {
        const now = yield* DateTime.now
        const deadline = deadlineOf(claimed)
        const platform = Option.getOrUndefined(platforms.get(claimed.platform))
        if (platform === undefined) return yield* fail(claimed, notOffered(claimed.platform))

        const lend = <A>(call: (credentials: Credentials) => Effect.Effect<A, PublishError>) =>
          vault.use(platform, { id: claimed.social_account_id, remote_id: claimed.account.remote_id }, call)

        if (claimed.state === "unknown" && claimed.account.status !== "connected") {
          // Nobody can be asked; a person reconnects or the time runs out.
          return DateTime.isLessThan(now, deadline) && claimed.account.status === "needs_reconnect"
            ? yield* settle(claimed, {
                state: "unknown",
                next_step_at: deadline,
                error: resultError(lost, null)
              })
            : yield* unconfirmed(claimed)
        }
        if (claimed.state === "unknown") {
          const proceed = yield* reconcile(claimed, platform, lend)
          if (!proceed) return
        } else {
          if (DateTime.isGreaterThan(now, deadline)) return yield* fail(claimed, missed(claimed))
          if (claimed.account.status === "disconnected") {
            // At its time, not before: until then somebody may connect the account again.
            return DateTime.isLessThan(now, claimed.due_at)
              ? yield* settle(claimed, { state: "waiting", next_step_at: claimed.due_at })
              : yield* fail(claimed, disconnected)
          }
          if (claimed.account.status === "needs_reconnect") {
            return yield* settle(claimed, {
              state: "waiting",
              next_step_at: deadline,
              error: resultError(mustReconnect, null)
            })
          }
          const pausedUntil = claimed.account.paused_until
          if (pausedUntil !== null && DateTime.isGreaterThan(pausedUntil, now)) {
            return yield* settle(claimed, {
              state: "waiting",
              next_step_at: DateTime.min(pausedUntil, deadline)
            })
          }
        }

        yield* Effect.gen(function* () {
          const request = yield* requests.resolve(claimed, platform)
          const handle = yield* prepare(claimed, platform, request, lend)
          if (handle === undefined) return
          yield* Effect.sleep(DateTime.distance(yield* DateTime.now, claimed.due_at))
          yield* oneCommit(claimed.social_account_id)(commit(claimed, platform, request, handle, lend))
        }).pipe(Effect.catchTag("PublishError", (failure) => refused(claimed, failure, false)))
      })

      /** True when the commit is known not to have happened, or may safely be repeated. */
      const reconcile = Effect.fnUntraced(function* (claimed: ClaimedTarget, platform: Platform, lend: Lend) {
        const kind = platform.capabilities.reconcile(claimed.account)
        if (kind === "replay") return true
        if (kind === "none") {
          yield* unconfirmed(claimed)
          return false
        }
        const now = yield* DateTime.now
        const settled = DateTime.addDuration(claimed.marked_at ?? now, platform.capabilities.settle_wait)
        if (DateTime.isLessThan(now, settled)) {
          yield* settle(claimed, {
            state: "unknown",
            next_step_at: settled,
            error: resultError(lost, settled)
          })
          return false
        }
        return yield* Effect.gen(function* () {
          const request = yield* requests.resolve(claimed, platform)
          const found = yield* lend((credentials) =>
            platform.reconcile(request, credentials, claimed.handle ?? {})
          )
          switch (found._tag) {
            case "published":
              yield* published(claimed, found.data)
              return false
            case "not_published":
              return true
            case "unknown":
              yield* unconfirmed(claimed)
              return false
          }
        }).pipe(
          Effect.catchTag("PublishError", (failure) => {
            const again = DateTime.max(failure.retry_at ?? now, DateTime.add(now, { minutes: 1 }))
            return Effect.as(
              DateTime.isLessThan(again, deadlineOf(claimed))
                ? settle(claimed, {
                    state: "unknown",
                    next_step_at: again,
                    error: resultError(failure, again)
                  })
                : unconfirmed(claimed),
              false
            )
          })
        )
      })

      /** The handle to commit with; undefined when the target was put back for later. */
      const prepare = Effect.fnUntraced(function* (
        claimed: ClaimedTarget,
        platform: Platform,
        request: PublishRequest,
        lend: Lend
      ) {
        let handle = claimed.handle ?? {}
        if (claimed.step !== "commit") {
          const save = (next: Handle) =>
            Effect.flatMap(queue.saveHandle(claimed, next, "prepare"), (ours) =>
              ours ? Effect.void : notOurs
            )
          const done = yield* lend((credentials) =>
            claimed.step === "poll"
              ? platform.poll(request, credentials, handle)
              : platform.prepare(request, credentials, claimed.handle, save)
          )
          handle = done.handle
          const ours = yield* queue.saveHandle(claimed, handle, done._tag === "wait" ? "poll" : "commit")
          if (!ours) return undefined
          if (done._tag === "wait") {
            const at = DateTime.addDuration(yield* DateTime.now, done.poll_after)
            yield* settle(claimed, { state: "waiting", next_step_at: at })
            return undefined
          }
        }
        const hold = DateTime.subtractDuration(claimed.due_at, holdAhead)
        if (DateTime.isGreaterThan(hold, DateTime.addDuration(yield* DateTime.now, holdAhead))) {
          yield* settle(claimed, { state: "waiting", next_step_at: hold })
          return undefined
        }
        return handle
      })

      // Once marked, what follows is stored whatever happens to this process; a shutdown waits for it.
      const commit = (
        claimed: ClaimedTarget,
        platform: Platform,
        request: PublishRequest,
        handle: Handle,
        lend: Lend
      ) =>
        Effect.gen(function* () {
          const before = yield* DateTime.now
          if (!(yield* queue.mark(claimed))) return
          if (DateTime.isGreaterThan(yield* DateTime.now, DateTime.addDuration(before, markerGrace))) {
            return yield* refused(claimed, frozen, true)
          }
          yield* lend((credentials) => platform.commit(request, credentials, handle)).pipe(
            Effect.interruptible,
            Effect.timeoutOrElse({
              duration: platform.capabilities.commit_timeout,
              orElse: () => Effect.fail(lost)
            }),
            Effect.matchEffect({
              onSuccess: (data) =>
                Effect.flatMap(confirm(platform, request, handle, data, lend), (complete) =>
                  published(claimed, complete)
                ),
              onFailure: (failure) =>
                failure.class === "ambiguous"
                  ? ambiguous(claimed, platform, failure)
                  : refused(claimed, failure, true)
            })
          )
        }).pipe(Effect.uninterruptible)

      const ambiguous = Effect.fnUntraced(function* (
        claimed: ClaimedTarget,
        platform: Platform,
        failure: PublishError
      ) {
        const kind = platform.capabilities.reconcile(claimed.account)
        if (kind === "none")
          return yield* settle(claimed, {
            state: "unconfirmed",
            error: resultError(failure, null),
            counted: true
          })
        const now = yield* DateTime.now
        const wait = kind === "lookup" ? platform.capabilities.settle_wait : Duration.seconds(2)
        const at = DateTime.addDuration(now, wait)
        return yield* settle(claimed, {
          state: "unknown",
          next_step_at: at,
          error: resultError(failure, at),
          counted: true
        })
      })

      const confirm = (
        platform: Platform,
        request: PublishRequest,
        handle: Handle,
        data: PlatformData,
        lend: Lend
      ) =>
        lend((credentials) => platform.confirm(request, credentials, handle, data)).pipe(
          Effect.interruptible,
          Effect.timeout(platform.capabilities.commit_timeout),
          Effect.orElseSucceed(() => data)
        )

      return Publish.of({
        target: (claimed) =>
          target(claimed).pipe(
            Effect.asVoid,
            Effect.annotateLogs({ target: claimed.id, post: claimed.post_id, platform: claimed.platform })
          )
      })
    })
  )
}

type Lend = <A>(
  call: (credentials: Credentials) => Effect.Effect<A, PublishError>
) => Effect.Effect<A, PublishError>

const deadlineOf = (target: ClaimedTarget) =>
  DateTime.add(target.due_at, { seconds: target.lateness_limit_seconds })

const resultError = (failure: PublishError, retryAt: DateTime.Utc | null): ResultError => ({
  code: failure.code,
  class: failure.class,
  message: failure.message,
  action: resultAction(failure.class),
  retry_at: retryAt,
  ...(failure.platform_response === undefined ? {} : { platform_response: failure.platform_response })
})

const lost = new PublishError({
  class: "ambiguous",
  code: "reply_lost",
  message:
    "The platform's reply was lost; the post may or may not be live. Look at the account before posting it again."
})

const notOurs = new PublishError({
  class: "transient",
  code: "taken",
  message: "The post was changed or taken over meanwhile."
})

const frozen = new PublishError({
  class: "transient",
  code: "process_stalled",
  message: "The service stood still between storing the attempt and sending it, so it was not sent."
})

const disconnected = new PublishError({
  class: "reconnect",
  code: "account_disconnected",
  message: "The social account was disconnected before the post was due; connect it again and retry the post."
})

const mustReconnect = new PublishError({
  class: "reconnect",
  code: "needs_reconnect",
  message:
    "The platform does not accept the account's access any more; connect it again and the post goes out."
})

const missed = (target: ClaimedTarget) =>
  new PublishError({
    class: "missed",
    code: "missed",
    message: `The post was due at ${DateTime.formatIso(target.due_at)} and could not be published within ${
      target.lateness_limit_seconds / 3600
    } hours of that, the workspace's limit for late posts.`
  })

const notOffered = (platform: string) =>
  new PublishError({
    class: "config",
    code: "platform_not_supported",
    message: `This instance does not publish to ${platform} any more.`
  })
