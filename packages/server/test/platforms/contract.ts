import type { ErrorClass } from "@carillon/domain"
import type { Handle } from "@carillon/server/engine/Handle"
import {
  type ConnectedAccount,
  type Platform,
  type PublishError,
  type PublishMedia,
  type PublishRequest
} from "@carillon/server/platforms/Platform"
import { assert, describe, type Vitest } from "@effect/vitest"
import { DateTime, Effect, Fiber, type Scope, Stream } from "effect"
import { TestClock } from "effect/testing"
import { image, live, noneTaken, request, savedHandles, takenAre, video } from "./TestRequest.ts"

/** The calls that a stand-in can be told to get wrong. */
export type Operation = "session" | "media" | "media_status" | "post" | "post_search"
export type CommitKind = ReturnType<Platform["capabilities"]["reconcile"]>

/** What can go wrong with any call, as the stand-ins of packages/sandbox know it. */
export type ContractFault =
  | { readonly fault: "refuse"; readonly code: string }
  | { readonly fault: "forbidden" }
  | { readonly fault: "unauthorized" }
  | { readonly fault: "rate_limited"; readonly retry_after?: number }
  | { readonly fault: "server_error_before" }
  | { readonly fault: "reset_before" }
  | { readonly fault: "effect_then_server_error" }
  | { readonly fault: "effect_then_lost_reply" }
  | { readonly fault: "long_answer" }
  | { readonly fault: "half_body"; readonly cut?: boolean }
  | { readonly fault: "late_effect"; readonly ms: number; readonly connection: "cut" | "hang" }
  | { readonly fault: "processing"; readonly polls: number; readonly becomes: "ready" | "failed" }

/** A network that stands in for the platform, on a real socket. */
export interface StandIn {
  readonly platform: Platform
  /** A new account of this kind: what a person types to connect it, and what comes of it. */
  account(kind: CommitKind): Effect.Effect<
    {
      readonly signIn: unknown
      readonly account: ConnectedAccount
      /** What makes its posts of this kind, where the account alone does not. */
      readonly post?: Partial<PublishRequest>
    },
    PublishError
  >
  /** The account's next calls of the operation go wrong so, in order; what was scripted before is forgotten. */
  script(username: string, on: Operation, faults: ReadonlyArray<ContractFault>): Effect.Effect<void>
  /** Resolves when the account has so many posts. */
  awaitPosts(username: string, count: number): Effect.Effect<void>
  /** Ids of the account's posts. */
  posts(username: string): Effect.Effect<ReadonlyArray<string>>
  /** How many calls of the operation it has had from the account. */
  calls(username: string, on: Operation): Effect.Effect<number>
}

/** What follows from a fault in a call that is not the commit. */
const steps: ReadonlyArray<readonly [ContractFault, ErrorClass]> = [
  [{ fault: "refuse", code: "some_rule" }, "invalid"],
  [{ fault: "forbidden" }, "forbidden"],
  [{ fault: "unauthorized" }, "reconnect"],
  [{ fault: "rate_limited", retry_after: 30 }, "rate_limited"],
  [{ fault: "rate_limited" }, "rate_limited"],
  [{ fault: "server_error_before" }, "transient"],
  [{ fault: "reset_before" }, "transient"],
  [{ fault: "effect_then_server_error" }, "transient"],
  [{ fault: "effect_then_lost_reply" }, "transient"],
  [{ fault: "long_answer" }, "transient"],
  [{ fault: "half_body" }, "transient"],
  [{ fault: "half_body", cut: true }, "transient"]
]

/** The commit: what follows, and how many posts there are then. */
const commits: ReadonlyArray<readonly [ContractFault, ErrorClass, number]> = [
  [{ fault: "refuse", code: "some_rule" }, "invalid", 0],
  [{ fault: "forbidden" }, "forbidden", 0],
  [{ fault: "unauthorized" }, "reconnect", 0],
  [{ fault: "rate_limited", retry_after: 30 }, "rate_limited", 0],
  [{ fault: "rate_limited" }, "rate_limited", 0],
  [{ fault: "server_error_before" }, "ambiguous", 0],
  [{ fault: "reset_before" }, "ambiguous", 0],
  [{ fault: "effect_then_server_error" }, "ambiguous", 1],
  [{ fault: "effect_then_lost_reply" }, "ambiguous", 1],
  [{ fault: "long_answer" }, "ambiguous", 1],
  [{ fault: "half_body" }, "ambiguous", 1],
  [{ fault: "half_body", cut: true }, "ambiguous", 1],
  [{ fault: "late_effect", ms: 20, connection: "cut" }, "ambiguous", 1]
]
const openCommits = commits.filter(([, errorClass]) => errorClass === "ambiguous")

const named = <const Row extends readonly [ContractFault, ...ReadonlyArray<unknown>]>(
  rows: ReadonlyArray<Row>
) => rows.map((row) => [JSON.stringify(row[0]), row] as const)

/**
 * What every adapter keeps to, whatever its platform does, in tests of `it`: the rules of `Platform.ts`. What the platform
 * does not have is left out. `writes_alone`: no person writes as the account.
 */
export const adapterContract = <R>(
  it: Vitest.MethodsNonLive<R>,
  standIn: Effect.Effect<StandIn, PublishError, R | Scope.Scope>,
  offers: ReadonlyArray<Operation | "video" | "always_tells" | "writes_alone">,
  usual: CommitKind = "replay"
) => {
  const has = (what: (typeof offers)[number]) => offers.includes(what)

  /** An account with a request of its own, ready to run the steps. */
  const connected = Effect.fnUntraced(function* (
    media: ReadonlyArray<PublishMedia> = [],
    kind: CommitKind = usual
  ) {
    const network = yield* standIn
    const { platform } = network
    const { signIn, account, post: values = {} } = yield* network.account(kind)
    const { username, remote_id, credentials } = account
    const post: PublishRequest = request({
      username,
      remote_id,
      media,
      target_id: `target-of-${username}`,
      ...values
    })
    const { save, all } = yield* savedHandles
    return {
      network,
      platform,
      signIn,
      username,
      post,
      credentials,
      saved: all,
      script: (on: Operation, ...faults: ReadonlyArray<ContractFault>) =>
        network.script(username, on, faults),
      prepare: (handle: Handle | null = null) => platform.prepare(post, credentials, handle, save),
      kindNow: Effect.map(DateTime.now, (now) => platform.capabilities.reconcile(post, now)),
      commit: (handle: Handle) => Effect.map(platform.commit(post, credentials, handle), live)
    }
  })

  const assertClass = (error: PublishError, fault: ContractFault, expected: ErrorClass) => {
    assert.strictEqual(error.class, expected)
    // Where there is nothing to refresh, no refresh is asked for.
    assert.strictEqual(error.token_expired ?? false, fault.fault === "unauthorized" && has("session"))
    assert.strictEqual(
      error.retry_at !== undefined,
      fault.fault === "rate_limited" && fault.retry_after !== undefined
    )
    assert.match(error.message, /^[A-Z].+[.!)]/)
  }

  describe("connect and refresh", () => {
    it.effect("connects, and connects again as the same account", () =>
      Effect.gen(function* () {
        const { platform, signIn, username } = yield* connected()
        const [first, second] = [yield* platform.connect!(signIn), yield* platform.connect!(signIn)]
        assert.strictEqual(first.username, username)
        assert.strictEqual(first.remote_id, second.remote_id)
      })
    )

    it.effect("works on with what a refresh gives", () =>
      Effect.gen(function* () {
        const { platform, post, credentials, prepare } = yield* connected()
        const { handle } = yield* prepare()
        const renewed = yield* platform.refresh(credentials)
        assert.isString(live(yield* platform.commit(post, renewed.credentials, handle)).id)
      })
    )

    it.effect.each(named(steps.filter(([{ fault }]) => has("session") && fault !== "unauthorized")))(
      "knows %s of a sign-in and of a refresh",
      ([, [fault, expected]]) =>
        Effect.gen(function* () {
          const { platform, signIn, credentials, script } = yield* connected()
          yield* script("session", fault, fault)
          assertClass(yield* Effect.flip(platform.connect!(signIn)), fault, expected)
          assertClass(yield* Effect.flip(platform.refresh(credentials)), fault, expected)
          assert.isString((yield* platform.connect!(signIn)).remote_id)
        })
    )

    it.effect("says when credentials make no sense", () =>
      Effect.gen(function* () {
        const { platform } = yield* connected()
        const errors = yield* Effect.forEach([{}, null, "x", { username: 1 }], (input) =>
          Effect.flip(platform.connect!(input))
        )
        assert.deepStrictEqual([...new Set(errors.map(({ code }) => code))], ["credentials_rejected"])
      })
    )
  })

  describe("prepare and poll", () => {
    it.effect("leaves nothing to be seen", () =>
      Effect.gen(function* () {
        const { network, prepare, username } = yield* connected([image("a")])
        assert.strictEqual((yield* prepare())._tag, "ready")
        assert.deepStrictEqual(yield* network.posts(username), [])
      })
    )

    it.effect("gives a handle that JSON keeps", () =>
      Effect.gen(function* () {
        const { prepare, commit } = yield* connected([image("a")])
        const { handle } = yield* prepare()
        const kept = JSON.parse(JSON.stringify(handle))
        assert.deepStrictEqual(kept, handle)
        assert.isString((yield* commit(kept)).id)
      })
    )

    it.effect.each(named(steps.filter(() => has("media"))))(
      "goes on after %s of an upload",
      ([, [fault, expected]]) =>
        Effect.gen(function* () {
          const { network, platform, signIn, post, username, prepare, saved, script } = yield* connected([
            image("a"),
            image("b")
          ])
          yield* script("media", fault)
          const error = yield* Effect.flip(prepare())
          assertClass(error, fault, expected)
          assert.deepStrictEqual(yield* saved, [])

          const { credentials } = yield* platform.connect!(signIn)
          const { handle } = yield* platform.prepare(post, credentials, null, () => Effect.void)
          yield* platform.commit(post, credentials, handle)
          assert.lengthOf(yield* network.posts(username), 1)
        })
    )

    it.effect.each(has("media") ? ["nothing" as const] : [])("uploads %s twice", () =>
      Effect.gen(function* () {
        const { network, username, prepare, saved } = yield* connected([image("a"), image("b")])
        yield* prepare()
        yield* prepare((yield* saved)[0]!)
        assert.strictEqual(yield* network.calls(username, "media"), 3)
        yield* prepare((yield* saved).at(-1)!)
        assert.strictEqual(yield* network.calls(username, "media"), 3)
      })
    )

    it.effect.each(has("media_status") ? ["ready" as const] : [])("waits until a file is %s", () =>
      Effect.gen(function* () {
        const { platform, post, credentials, script, prepare, commit } = yield* connected([
          image("a"),
          image("b")
        ])
        yield* script("media", { fault: "processing", polls: 1, becomes: "ready" })
        const first = yield* prepare()
        const second = yield* platform.poll(post, credentials, first.handle)
        const third = yield* platform.poll(post, credentials, second.handle)
        assert.deepStrictEqual([first._tag, second._tag, third._tag], ["wait", "wait", "ready"])
        assert.isString((yield* commit(third.handle)).id)
      })
    )

    it.effect.each(has("media_status") ? ["failed" as const] : [])("says that a file has %s", () =>
      Effect.gen(function* () {
        const { platform, post, credentials, script, prepare } = yield* connected([image("a")])
        yield* script("media", { fault: "processing", polls: 1, becomes: "failed" })
        const first = yield* prepare()
        const second = yield* platform.poll(post, credentials, first.handle)
        const error = yield* Effect.flip(platform.poll(post, credentials, second.handle))
        assert.deepStrictEqual([first._tag, second._tag, error.class], ["wait", "wait", "media_rejected"])
      })
    )

    it.effect.each(named(steps.filter(() => has("media_status"))))(
      "knows %s of a look at a file",
      ([, [fault, expected]]) =>
        Effect.gen(function* () {
          const { platform, post, credentials, script, prepare } = yield* connected([image("a")])
          yield* script("media", { fault: "processing", polls: 5, becomes: "ready" })
          const { handle } = yield* prepare()
          yield* script("media_status", fault)
          assertClass(yield* Effect.flip(platform.poll(post, credentials, handle)), fault, expected)
        })
    )
  })

  describe("commit", () => {
    it.effect("publishes once and says what it is called", () =>
      Effect.gen(function* () {
        const { network, username, prepare, commit } = yield* connected()
        const data = yield* commit((yield* prepare()).handle)
        assert.deepStrictEqual(yield* network.posts(username), [data.id])
        assert.isString(data.id)
        assert.isTrue(URL.canParse(data.url ?? ""))
        assert.strictEqual(data.username, username)
      })
    )

    it.effect.each(named(commits))("knows %s", ([, [fault, expected, count]]) =>
      Effect.gen(function* () {
        const { network, username, script, prepare, commit } = yield* connected()
        const { handle } = yield* prepare()
        yield* script("post", fault)
        assertClass(yield* Effect.flip(commit(handle)), fault, expected)
        yield* network.awaitPosts(username, count)
        assert.lengthOf(yield* network.posts(username), count)
      })
    )

    it.effect("is open when no answer comes in its time", () =>
      Effect.gen(function* () {
        const { network, platform, username, script, prepare, commit } = yield* connected()
        const { handle } = yield* prepare()
        yield* script("post", { fault: "late_effect", ms: 0, connection: "hang" })
        const call = yield* Effect.forkChild(Effect.flip(commit(handle)))
        yield* network.awaitPosts(username, 1)
        yield* TestClock.adjust(platform.capabilities.commit_timeout)
        assert.deepInclude(yield* Fiber.join(call), { class: "ambiguous", code: "timeout" })
      })
    )

    it.effect.each(has("video") ? ["video" as const] : [])("sends a %s of any size without holding it", () =>
      Effect.gen(function* () {
        const chunk = new Uint8Array(1024 * 1024)
        let ahead = 0
        const bytes = Stream.fromIterable(Array.from({ length: 64 }, () => chunk)).pipe(
          Stream.tap(() =>
            Effect.sync(() => void (ahead = Math.max(ahead, process.memoryUsage().arrayBuffers)))
          )
        )
        const { prepare, commit } = yield* connected([video("a", bytes, 64 * chunk.length)])
        const before = process.memoryUsage().arrayBuffers
        yield* commit((yield* prepare()).handle)
        assert.isBelow(ahead - before, 32 * chunk.length)
      })
    )
  })

  describe("after a commit that stayed open", () => {
    it.effect.each(named(openCommits.filter(() => usual === "replay")))(
      "the same commit again is the same post: %s",
      ([, [fault, , count]]) =>
        Effect.gen(function* () {
          const { network, kindNow, username, script, prepare, commit } = yield* connected()
          assert.strictEqual(yield* kindNow, "replay")
          const { handle } = yield* prepare()
          yield* script("post", fault, fault)
          yield* Effect.flip(commit(handle))
          yield* network.awaitPosts(username, count)
          // The status alone may tell that the key is taken.
          yield* Effect.exit(commit(handle))
          const data = yield* commit(handle)
          assert.deepStrictEqual(yield* network.posts(username), [data.id])
        })
    )

    it.effect.each(named(openCommits.filter(() => has("post_search"))))(
      "a look tells: %s",
      ([, [fault, , count]]) =>
        Effect.gen(function* () {
          const { network, platform, post, credentials, username, kindNow, script, prepare, commit } =
            yield* connected([], "lookup")
          assert.strictEqual(yield* kindNow, "lookup")
          const { handle } = yield* prepare()
          yield* script("post", fault)
          yield* Effect.flip(commit(handle))
          yield* network.awaitPosts(username, count)
          const found = yield* platform.reconcile(post, credentials, handle, noneTaken)
          const ids = yield* network.posts(username)
          assert.deepStrictEqual(
            found._tag === "published" ? [found.data.id] : [found._tag],
            count === 1 ? ids : ["not_published"]
          )
        })
    )

    it.effect.each(named(steps.filter(() => has("post_search"))))(
      "knows %s of a look",
      ([, [fault, expected]]) =>
        Effect.gen(function* () {
          const { platform, post, credentials, script, prepare } = yield* connected([], "lookup")
          const { handle } = yield* prepare()
          yield* script("post_search", fault)
          assertClass(
            yield* Effect.flip(platform.reconcile(post, credentials, handle, noneTaken)),
            fault,
            expected
          )
        })
    )

    it.effect.each((has("post_search") && !has("always_tells")) || usual === "none" ? ["none" as const] : [])(
      "nobody can tell for a platform with %s of it",
      (kind) =>
        Effect.gen(function* () {
          const { platform, post, credentials, kindNow, prepare } = yield* connected([], kind)
          assert.strictEqual(yield* kindNow, "none")
          const { handle } = yield* prepare()
          assert.deepStrictEqual(yield* platform.reconcile(post, credentials, handle, noneTaken), {
            _tag: "unknown"
          })
        })
    )
  })
  describe("posts of the same words within a minute", () => {
    const unheard: ContractFault = { fault: "reset_before" }
    const lost: ContractFault = { fault: "effect_then_lost_reply" }
    const kinds = [usual, ...(has("post_search") && usual !== "lookup" ? (["lookup"] as const) : [])]
    const histories = [
      ["the second of two is never heard", [null, unheard]],
      ["the reply to the second of two is lost", [null, lost]],
      ["the first of two is never heard", [unheard, null]],
      ["the reply to the first of two is lost", [lost, null]],
      ["the third of three is never heard", [null, null, unheard]],
      ["neither of two is heard at first", [unheard, unheard]],
      ["the replies to two are lost", [lost, lost]],
      ["the reply to the first is lost, and the second is never heard", [lost, unheard]]
    ] as const

    it.effect.each(
      kinds.flatMap((kind) => histories.map(([what, faults]) => [`${what} (${kind})`, kind, faults] as const))
    )("are as many posts in the end: %s", ([, kind, faults]) =>
      Effect.gen(function* () {
        const { network, platform, post, credentials, username, script, kindNow } = yield* connected([], kind)
        assert.strictEqual(yield* kindNow, kind)
        const { save } = yield* savedHandles
        const known: Array<string> = []
        const items = yield* Effect.forEach(faults, (fault, index) =>
          Effect.gen(function* () {
            const one = { ...post, target_id: `${post.target_id}-of-${index}` }
            const { handle } = yield* platform.prepare(one, credentials, null, save)
            return { one, fault, commit: Effect.map(platform.commit(one, credentials, handle), live), handle }
          })
        )
        for (const { commit, fault } of items) {
          yield* script("post", ...(fault === null ? [] : [fault]))
          if (fault === null) known.push((yield* commit).id)
          else assert.strictEqual((yield* Effect.flip(commit)).class, "ambiguous")
        }
        for (const { commit, fault, handle, one } of items) {
          if (fault === null || kind === "none") continue
          if (kind === "lookup") {
            const found = yield* platform.reconcile(one, credentials, handle, takenAre(known))
            if (found._tag === "published") {
              assert.notInclude(known, found.data.id)
              known.push(found.data.id)
              continue
            }
            assert.strictEqual(found._tag, "not_published")
          }
          known.push((yield* commit).id)
        }
        const there = yield* network.posts(username)
        if (kind !== "none") assert.sameMembers(known, [...there])
        assert.lengthOf(there, faults.filter((fault) => kind !== "none" || fault !== unheard).length)
      })
    )

    it.effect.each(kinds.filter((kind) => kind === "lookup" && !has("writes_alone")))(
      "are not taken for one that was there by hand before it was prepared (%s)",
      (kind) =>
        Effect.gen(function* () {
          const { platform, post, credentials, script } = yield* connected([], kind)
          const { save } = yield* savedHandles
          const byHand = { ...post, target_id: `${post.target_id}-by-hand` }
          const before = yield* platform.prepare(byHand, credentials, null, save)
          yield* platform.commit(byHand, credentials, before.handle)
          const { handle } = yield* platform.prepare(post, credentials, null, save)
          yield* script("post", unheard)
          yield* Effect.flip(platform.commit(post, credentials, handle))
          const found = yield* platform.reconcile(post, credentials, handle, noneTaken)
          assert.notStrictEqual(found._tag, "published")
        })
    )
  })
}
