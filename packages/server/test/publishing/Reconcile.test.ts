import type { PlatformData } from "@carillon/domain"
import type { ClaimedTarget } from "@carillon/server/engine/ClaimedTarget"
import { RemotePosts } from "@carillon/server/engine/RemotePosts"
import type { Platform } from "@carillon/server/platforms/Platform"
import { Outcomes } from "@carillon/server/publishing/Outcomes"
import { PublishRequests } from "@carillon/server/publishing/PublishRequests"
import { reconciliation } from "@carillon/server/publishing/Reconcile"
import { assert, it } from "@effect/vitest"
import { DateTime, Duration, Effect, Layer, Redacted } from "effect"
import { TestClock } from "effect/testing"
import { dueAt, request } from "../platforms/TestRequest.ts"

const data: PlatformData = { id: "posts/1", url: null, username: "alice.test" }

/** What becomes of a post that the platform says is live, beside an unconfirmed one of the same words. */
const settled = Effect.fnUntraced(function* (exact: boolean, isFree: boolean) {
  yield* TestClock.setTime(DateTime.toEpochMillis(dueAt) + 60_000)
  const done: Array<string> = []
  const note = (what: string) => Effect.sync(() => void done.push(what))
  const outcomes = yield* Effect.service(Outcomes).pipe(
    Effect.provide(
      Layer.mock(Outcomes, {
        published: () => note("published"),
        publishedUnlessTaken: () => Effect.as(note(isFree ? "published" : "taken"), isFree),
        unconfirmed: () => note("unconfirmed")
      })
    )
  )
  const unconfirmed = { state: "unconfirmed" as const, remote_id: "alice", username: "alice.test" }
  const posts = yield* Effect.service(RemotePosts).pipe(
    Effect.provide(
      Layer.mock(RemotePosts, {
        doubtful: () => Effect.succeed([{ ...unconfirmed, due_at: dueAt, marked_at: dueAt }])
      })
    )
  )
  const requests = yield* Effect.service(PublishRequests).pipe(
    Effect.provide(Layer.mock(PublishRequests, { resolve: () => Effect.succeed(request()) }))
  )
  const target = {
    account_status: "connected",
    paused_until: null,
    marked_at: dueAt,
    due_at: dueAt,
    lateness_limit_seconds: 3600,
    handle: {}
  } as unknown as ClaimedTarget
  const platform = {
    capabilities: {
      reconcile: () => "lookup",
      by_words: true,
      settle_wait: Duration.seconds(1),
      lookup_apart: Duration.seconds(1)
    },
    reconcile: () => Effect.succeed({ _tag: "published", data, ...(exact ? { exact } : {}) })
  } as unknown as Platform
  yield* reconciliation({ outcomes, posts, requests })(target, platform, (call) => call(Redacted.make({})))
  return done
})

it.effect.each([
  ["is left to a person if it is known by its words", false, true, ["unconfirmed"]],
  ["is published if the platform named it itself", true, true, ["published"]],
  ["is published so though it was taken for another", true, false, ["taken", "published"]]
] as const)("a live post beside an unconfirmed one of the same words %s", ([, exact, isFree, expected]) =>
  Effect.map(settled(exact, isFree), (done) => assert.deepStrictEqual(done, [...expected]))
)
