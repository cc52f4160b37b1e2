import { TokenVault } from "@carillon/server/accounts/TokenVault"
import type { Platform, PublishError, Reconciled } from "@carillon/server/platforms/Platform"
import { AppConfig, type AppConfigShape } from "@carillon/server/AppConfig"
import { MediaLibrary } from "@carillon/server/media/MediaLibrary"
import { MediaFiles } from "@carillon/server/media/serving/MediaFiles"
import { Platforms } from "@carillon/server/platforms/Platforms"
import type { ClaimedTarget } from "@carillon/server/engine/ClaimedTarget"
import type { Lease } from "@carillon/server/engine/Lease"
import { Publish } from "@carillon/server/publishing/Publish"
import { PublishRequests } from "@carillon/server/publishing/PublishRequests"
import { RemotePosts } from "@carillon/server/engine/RemotePosts"
import { lease } from "@carillon/server/engine/Claims"
import { TargetQueue } from "@carillon/server/engine/TargetQueue"
import { platformRules } from "@carillon/domain"
import {
  Clock,
  Context,
  DateTime,
  Duration,
  Effect,
  Layer,
  Random,
  Redacted,
  References,
  Scheduler,
  Scope
} from "effect"
import type { SeededRandom } from "../../../../../test/contract/SeededRandom.ts"
import {
  dataOf,
  type Kind,
  lookupApart,
  type ModelPlatform,
  type Reply,
  settleWait
} from "./ModelPlatform.ts"
import type { ModelStore } from "./ModelStore.ts"
import type { SimulatedTime } from "./SimulatedTime.ts"

/** What may happen to a process at the boundary of a step. */
type Fate = "goes_on" | "dies" | "stalls" | "unseen"

export interface World {
  readonly time: SimulatedTime
  readonly random: SeededRandom
  readonly kind: Kind
  /** Whether a look-up knows a post by its words alone. */
  readonly byWords: boolean
  /** Whether a thread is one call. */
  readonly atOnce: boolean
  readonly store: ModelStore
  readonly platform: ModelPlatform
  /** Asked before and after every statement and every call. */
  readonly fate: () => Fate
  /** A commit leaves a process. */
  readonly committing: (target: string, fence: number, item: number) => void
  readonly died: () => void
  /** Whether a process lives has changed for the others, or seems to have. */
  readonly looksChanged: () => void
}

/**
 * One process: the real `Publish` with its outcomes and retries; the loop around it in its simplest form. Its
 * statements go to the model store, its calls to the model platform, each with a way there and a way back on which
 * the process may die or stand still.
 */
export class SimulatedProcess {
  alive = true
  readonly number: number
  #stalledUntil = 0
  #unseenUntil = 0
  #cancelClaim = () => {}
  readonly #world: World
  readonly #held = new Map<string, { readonly target: ClaimedTarget; readonly lease: Lease }>()
  readonly #publish: Publish["Service"]
  readonly #context: Context.Context<never>

  constructor(world: World, number: number) {
    this.#world = world
    this.number = number
    const { time, random } = world
    this.#context = Context.empty().pipe(
      Context.add(Clock.Clock, time.clock(this.#whenAwake)),
      Context.add(Scheduler.Scheduler, time.scheduler),
      Context.add(References.MinimumLogLevel, "None"),
      Context.add(Random.Random, {
        nextIntUnsafe: () => random.below(2 ** 31),
        nextDoubleUnsafe: () => random.next()
      })
    )
    const built = Effect.runSyncWith(this.#context)(
      Layer.build(Publish.layer.pipe(Layer.provide(this.#services()))).pipe(
        Effect.provideService(Scope.Scope, Scope.makeUnsafe())
      )
    )
    this.#publish = Context.get(built, Publish)
    this.arm()
    this.#heartbeat()
  }

  /** Whether others can see that it lives. */
  get seen(): boolean {
    return this.alive && this.#world.time.now >= this.#unseenUntil
  }

  /** Claims when something is due. */
  arm(): void {
    this.#cancelClaim()
    if (!this.alive) return
    const { time, store } = this.#world
    const next = store.nextStepAt(this.number)
    if (next === null) return
    this.#cancelClaim = time.at(Math.max(next, time.now + 20), () =>
      this.#whenAwake(() => {
        const until = time.now + Duration.toMillis(lease)
        Effect.runForkWith(this.#context)(
          Effect.map(
            this.#statement(() => store.claim(this.number)),
            (claimed) => {
              for (const target of claimed) this.#start(target, until)
            }
          )
        )
        this.arm()
      })
    )
  }

  #start(target: ClaimedTarget, until: number): void {
    const hold = { target, lease: { until } }
    this.#held.set(target.id, hold)
    Effect.runForkWith(this.#context)(
      Effect.ensuring(
        this.#publish.target(target, hold.lease),
        Effect.sync(() => this.#held.get(target.id) === hold && this.#held.delete(target.id))
      )
    )
  }

  #heartbeat(): void {
    const { time, store } = this.#world
    // Only while there is something to renew; a history ends when nothing is left to happen.
    time.at(time.now + 1000, () =>
      this.#whenAwake(() => {
        const until = time.now + Duration.toMillis(lease)
        for (const { target, lease: held } of this.#held.values()) {
          if (held.until - time.now < 10_000 && store.renew(target, until)) held.until = until
        }
        if (this.#held.size > 0 || store.nextStepAt(this.number) !== null) this.#heartbeatLater()
      })
    )
  }

  #heartbeatLater(): void {
    const { time, store } = this.#world
    if (this.#held.size > 0) return this.#heartbeat()
    time.at(Math.max(time.now + 1000, store.nextStepAt(this.number)! - 1000), () =>
      this.#whenAwake(() => this.#heartbeat())
    )
  }

  /** What a process does while it stands still happens when it goes on; what a dead one does, never. */
  readonly #whenAwake = (run: () => void): void => {
    if (!this.alive) return
    if (this.#world.time.now >= this.#stalledUntil) return run()
    this.#world.time.at(this.#stalledUntil, () => this.#whenAwake(run))
  }

  #boundary(): void {
    const { time, random, fate, died, looksChanged } = this.#world
    switch (fate()) {
      case "dies":
        this.alive = false
        looksChanged()
        return died()
      case "stalls":
        this.#stalledUntil = time.now + random.below(40_000)
        return
      case "unseen": {
        const pause = random.below(5000)
        this.#unseenUntil = time.now + pause
        looksChanged()
        time.at(time.now + pause, looksChanged)
      }
    }
  }

  readonly #statement = <A>(run: () => A): Effect.Effect<A> =>
    Effect.callback<A>((resume) => {
      const { time, random } = this.#world
      this.#boundary()
      this.#whenAwake(() => {
        time.at(time.now + random.below(30), () => {
          const answer = run()
          this.#boundary()
          time.at(time.now + random.below(30), () => this.#whenAwake(() => resume(Effect.succeed(answer))))
        })
      })
    })

  /** `leaves`: at once. Between the last look at the lease and a commit there is no time to stand still. */
  readonly #call = <A>(
    run: () => Reply<A>,
    leaves: "at once" | "when awake"
  ): Effect.Effect<A, PublishError> =>
    Effect.callback<A, PublishError>((resume) => {
      const { time } = this.#world
      const send = () => {
        const { after, answer } = run()
        this.#boundary()
        if (after === "never") return
        time.at(time.now + after, () =>
          this.#whenAwake(() => resume(isFailure(answer) ? Effect.fail(answer) : Effect.succeed(answer as A)))
        )
      }
      if (leaves === "at once") return send()
      this.#boundary()
      this.#whenAwake(send)
    })

  #services() {
    const { store, platform: model, kind, atOnce, byWords, committing } = this.#world
    const fences = new Map<string, number>()
    const platform: Platform = {
      id: "sandbox",
      rules: { ...platformRules.sandbox, chains: { max_items: 25, ...(atOnce ? { at_once: true } : {}) } },
      capabilities: {
        reconcile: () => kind,
        by_words: byWords,
        prepare_ahead: Duration.minutes(1),
        settle_wait: Duration.millis(settleWait),
        lookup_apart: Duration.millis(lookupApart),
        concurrent_commits: 10,
        commit_timeout: Duration.seconds(10)
      },
      connect: () => Effect.die("not here"),
      refresh: () => Effect.die("not here"),
      prepare: (_, __, handle, save) =>
        Effect.tap(
          this.#call(() => model.prepare(handle), "when awake"),
          (done) => save(done.handle)
        ),
      poll: (_, __, handle) => this.#call(() => model.poll(handle), "when awake"),
      commit: (request, _, handle) =>
        this.#call(() => {
          const { index = 0 } = request.thread ?? {}
          const target = index === 0 ? request.target_id : request.target_id.slice(0, -`-${index}`.length)
          committing(target, fences.get(target)!, index)
          return model.commit(request, handle)
        }, "at once"),
      reconcile: (request, _, handle, taken) =>
        Effect.flatMap(
          this.#call(() => model.reconcile(request, handle), "when awake"),
          (found): Effect.Effect<Reconciled> =>
            "_tag" in found
              ? Effect.succeed(found)
              : Effect.map(taken(found), (others) => {
                  const id = found.find((one) => !others.has(one))
                  return id === undefined
                    ? { _tag: "not_published" }
                    : { _tag: "published", data: dataOf(id) }
                })
        ),
      confirm: (_, __, ___, data) => Effect.succeed(data)
    }
    return Layer.mergeAll(
      Layer.mock(TargetQueue, {
        mark: (marking) =>
          this.#statement(() => {
            const marked = store.mark(marking, this.number)
            if (marked === "marked") fences.set(marking.id, marking.fence)
            return marked
          }),
        settle: (settlement) => this.#statement(() => store.settle(settlement)),
        release: (held) =>
          Effect.as(
            this.#statement(() =>
              store.release(
                held,
                held.until === undefined ? this.#world.time.now : DateTime.toEpochMillis(held.until)
              )
            ),
            undefined
          ),
        saveHandle: (held, handle) => this.#statement(() => store.saveHandle(held, handle)),
        pauseAccount: (id, until) =>
          this.#statement(() => store.pauseAccount(id, DateTime.toEpochMillis(until))),
        accountNeedsReconnect: (id) => this.#statement(() => store.needsReconnect(id))
      }),
      Layer.mock(RemotePosts, {
        take: (post) => this.#statement(() => store.take(post)),
        ofOthers: (owner, ids) => this.#statement(() => store.ofOthers(owner, ids)),
        doubtful: (claimed) => this.#statement(() => store.doubtful(claimed))
      }),
      Platforms.layerOf([platform]),
      Layer.mock(TokenVault, {
        open: () => (call) => call(Redacted.make({})),
        sealing: (platform) => platform
      }),
      PublishRequests.layer.pipe(
        Layer.provide([
          Layer.mock(MediaLibrary, {}),
          Layer.mock(MediaFiles, { toneMaps: false }),
          Layer.mock(AppConfig, { videoTranscoding: false } as AppConfigShape),
          Platforms.layerOf([platform])
        ])
      )
    )
  }
}

const isFailure = (answer: unknown): answer is PublishError =>
  typeof answer === "object" && answer !== null && "_tag" in answer && answer._tag === "PublishError"
