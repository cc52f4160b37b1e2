import type { PlatformData, ResultError } from "@carillon/domain"
import type { ClaimedTarget } from "@carillon/server/engine/ClaimedTarget"
import { RemotePosts } from "@carillon/server/engine/RemotePosts"
import type { Platform, Reconciled } from "@carillon/server/platforms/Platform"
import { Outcomes } from "@carillon/server/publishing/Outcomes"
import { PublishRequests } from "@carillon/server/publishing/PublishRequests"
import { reconciliation } from "@carillon/server/publishing/Reconcile"
import { assert, it } from "@effect/vitest"
import { DateTime, Duration, Effect, Layer, Redacted } from "effect"
import { TestClock } from "effect/testing"
import { dueAt, request } from "../platforms/TestRequest.ts"

const data: PlatformData = { id: "posts/1", url: null, username: "alice.test" }

/** What becomes of a post of which the platform says so much, beside an unconfirmed one of the same words. */
const settled = Effect.fnUntraced(function* (
  found: Reconciled,
  {
    after = Duration.minutes(1),
    isFree = true,
    ...more
  }: { readonly after?: Duration.Duration; readonly isFree?: boolean } & Partial<ClaimedTarget> = {}
) {
  yield* TestClock.setTime(DateTime.toEpochMillis(dueAt) + Duration.toMillis(after))
  const done: Array<string> = []
  const note = (what: string) => Effect.sync(() => void done.push(what))
  const outcomes = yield* Effect.service(Outcomes).pipe(
    Effect.provide(
      Layer.mock(Outcomes, {
        published: () => note("published"),
        publishedUnlessTaken: () => Effect.as(note(isFree ? "published" : "taken"), isFree),
        unconfirmed: () => note("unconfirmed"),
        working: () => note("working")
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
    error: null,
    taken_over: false,
    handle: {},
    ...more
  } as unknown as ClaimedTarget
  const platform = {
    capabilities: {
      reconcile: () => "lookup",
      by_words: true,
      settle_wait: Duration.seconds(1),
      lookup_apart: Duration.seconds(1)
    },
    reconcile: () => Effect.succeed(found)
  } as unknown as Platform
  yield* reconciliation({ outcomes, posts, requests })(target, platform, (call) => call(Redacted.make({})))
  return done
})

const live: Reconciled = { _tag: "published", data }
const named: Reconciled = { ...live, exact: true }

it.effect.each([
  ["is left to a person if it is known by its words", live, true, ["unconfirmed"]],
  ["is published if the platform named it itself", named, true, ["published"]],
  ["is published so though it was taken for another", named, false, ["taken", "published"]]
] as const)("a live post beside an unconfirmed one of the same words %s", ([, found, isFree, expected]) =>
  Effect.map(settled(found, { isFree }), (done) => assert.deepStrictEqual(done, [...expected]))
)

const working: Reconciled = { _tag: "working", handle: {}, ask_after: Duration.seconds(10) }
const late = Duration.minutes(61)
const lost = { code: "reply_lost" } as ResultError

it.effect.each([
  ["is asked about once it is late", named, { after: late }, "published"],
  ["is asked about again while the platform works on it", working, { after: late }, "working"],
  ["is left to a person an hour later", working, { after: Duration.hours(3) }, "unconfirmed"],
  ["is still published then", named, { after: Duration.hours(30) }, "published"],
  ["is left to a person if its reply was lost", named, { after: late, error: lost }, "unconfirmed"],
  ["is left to a person if its process died", named, { after: late, taken_over: true }, "unconfirmed"]
] as const)("a post that the platform accepted %s", ([, found, target, expected]) =>
  Effect.map(settled(found, target), (done) => assert.deepStrictEqual(done, [expected]))
)
