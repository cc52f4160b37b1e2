import { type PlatformData, PostId, TargetId, WorkspaceId } from "@carillon/domain"
import { TokenVault } from "@carillon/server/accounts/TokenVault"
import { inReview, type Platform, PublishError, type Reviewed } from "@carillon/server/platforms/Platform"
import { Platforms } from "@carillon/server/platforms/Platforms"
import { Reviews } from "@carillon/server/posts/Reviews"
import { firstReviewAt, nextReviewAt } from "@carillon/server/publishing/ReviewTimes"
import { Wakeup } from "@carillon/server/sql/Wakeup"
import * as TestConfig from "@carillon/testing/TestConfig"
import * as TestSql from "@carillon/testing/TestSql"
import { PgClient } from "@effect/sql-pg"
import { assert, describe, it, layer } from "@effect/vitest"
import { Context, DateTime, Deferred, Effect, Fiber, Layer, Option, Redacted } from "effect"
import { SecureRandom } from "effect/crypto"

const unused = () => assert.fail("is not used here")

describe("the times of questions about a review", () => {
  const published = DateTime.makeUnsafe("2026-12-01T00:00:00Z")
  const after = (seconds: number) => DateTime.addDuration(published, seconds * 1000)

  it("follow in growing pauses, at least one a day, and end after seven days", () => {
    const asked: Array<number> = []
    for (
      let at = firstReviewAt({ review: "pending" }, published);
      at !== null;
      at = nextReviewAt(published, at)
    )
      asked.push((at.epochMilliseconds - published.epochMilliseconds) / 1000)
    assert.deepStrictEqual(asked.slice(0, 5), [10, 20, 40, 80, 160])
    const pauses = asked.map((at, index) => at - (asked[index - 1] ?? 0))
    assert.isAtMost(Math.max(...pauses), 86_400)
    assert.strictEqual(asked.at(-1), 7 * 86_400)
    assert.isNull(nextReviewAt(published, after(8 * 86_400)))
  })

  it("begin a day later for what the network shows at once, and never where it reviews nothing", () => {
    assert.deepStrictEqual(firstReviewAt({ review: "approved" }, published), after(86_400))
    assert.isNull(firstReviewAt({}, published))
  })
})

const tables = Wakeup.layer.pipe(Layer.provideMerge(TestSql.layer), Layer.provide(TestConfig.layer))

layer(tables, { excludeTestServices: true })("a review", (it) => {
  /** A workspace whose webhook asks for rejections, and what its platform says of each post. */
  const made = Effect.gen(function* () {
    const sql = yield* PgClient.PgClient
    const workspace = WorkspaceId.make(SecureRandom.uuidV7Unsafe())
    const now = yield* DateTime.now
    const at = DateTime.toDateUtc(now)
    yield* sql`insert into workspaces ${sql.insert({ id: workspace, name: "w", created_at: at })}`
    yield* sql`
      insert into webhooks (id, workspace_id, url, events, secrets, status, created_at, updated_at)
      values (${workspace}, ${workspace}, 'https://example.com/', '{result.rejected}', '', 'active', ${at}, ${at})`
    const asked: Array<string> = []
    let answer: (post: string) => Effect.Effect<Reviewed | null, PublishError> = () =>
      Effect.die("is not scripted")
    const platform = {
      id: "sandbox",
      review: ({ data }: { readonly data: PlatformData }) =>
        Effect.suspend(() => {
          asked.push(data.id)
          return answer(data.id)
        })
    } as unknown as Platform
    /** Nothing but the database is shared by two of them, as by two processes, or by one before and after a kill. */
    const process = Effect.map(
      Layer.build(
        Layer.fresh(Reviews.layer).pipe(
          Layer.provide([
            Layer.mock(TokenVault, {
              use: (_, __, call) => call(Redacted.make({})),
              open: unused,
              renew: unused,
              sealing: unused
            }),
            Layer.mock(Platforms, {
              all: [platform],
              connectable: [],
              unreached: [],
              get: () => Option.some(platform)
            })
          ])
        )
      ),
      Context.get(Reviews)
    )
    const account = Effect.suspend(() =>
      Effect.map(
        sql<{ id: bigint }>`
          insert into social_accounts (workspace_id, platform, remote_id, username, status, connected_at, created_at)
          values (${workspace}, 'sandbox', ${SecureRandom.uuidV7Unsafe()}, 'a', 'connected', ${at}, ${at}) returning id`,
        ([row]) => Number(row!.id)
      )
    )
    const live = Effect.fnUntraced(function* (
      account: number,
      remoteId: string,
      review = "pending",
      daysAgo = 0,
      warnings: ReadonlyArray<string> = []
    ) {
      const [post, target] = [
        PostId.make(SecureRandom.uuidV7Unsafe()),
        TargetId.make(SecureRandom.uuidV7Unsafe())
      ]
      const published = DateTime.toDateUtc(DateTime.subtract(now, { days: daysAgo }))
      yield* sql`
        insert into posts (id, workspace_id, status, caption, social_accounts, media, processing_enabled, warnings, created_at,
          updated_at, published_at)
        values (${post}, ${workspace}, 'published', 'Hello', ${[account]}::bigint[], '{}', true, '{}', ${at}, ${at}, ${published})`
      yield* sql`
        insert into targets (id, post_id, workspace_id, social_account_id, platform, state, due_at, lead, created_at, published_at,
          review_at, platform_data)
        values (${target}, ${post}, ${workspace}, ${account}, 'sandbox', 'published', ${at}, '0', ${at}, ${published}, ${at},
          ${sql.json({ id: remoteId, url: null, username: "a", review, ...(warnings.length > 0 && { warnings }) })})`
      return { post, target }
    })
    const dueAgain = sql`update targets set review_at = ${at} where workspace_id = ${workspace} and review_at is not null`
    const told = Effect.map(
      sql<{ data: any }>`
        select e.data from events e join webhook_deliveries d on d.event_sequence = e.sequence
        where e.workspace_id = ${workspace} and e.type = 'result.rejected' order by e.sequence`,
      (rows) => rows.map(({ data }) => data)
    )
    const result = Effect.fnUntraced(function* ({ target }: { readonly target: string }) {
      const [row] = yield* sql<{ state: string; platform_data: any; left: number | null; version: number }>`
        select t.state, t.platform_data, extract(epoch from t.review_at - ${at}::timestamptz)::float8 as left, p.version
        from targets t join posts p on p.id = t.post_id where t.id = ${target}`
      return row!
    })
    return {
      account,
      asked,
      dueAgain,
      live,
      process,
      result,
      told,
      says: (next: typeof answer) => {
        answer = next
      }
    }
  })

  const rejected = Effect.succeed<Reviewed>({ _tag: "rejected", reason: "Phone number" })
  const hour = 3600

  it.effect(
    "that rejects a post is told once, by whichever of several processes asked, and changes no status",
    () =>
      Effect.gen(function* () {
        const { account, asked, dueAgain, live, process, result, says, told } = yield* made
        const one = yield* account
        const posts = yield* Effect.forEach(["1", "2", "3"], (id) => live(one, id))
        says(() => rejected)
        const processes = [yield* process, yield* process, yield* process]
        const all = Effect.forEach([...processes, ...processes], ({ ask }) => ask, {
          concurrency: "unbounded"
        })
        yield* all
        yield* dueAgain
        yield* all
        assert.deepStrictEqual(asked.toSorted(), ["1", "2", "3"])
        const events = yield* told
        assert.deepStrictEqual(
          events.map((data) => [data.id, data.status, data.platform_data]),
          events.map((data) => [
            data.id,
            "published",
            {
              id: data.platform_data.id,
              url: null,
              username: "a",
              review: "rejected",
              review_reason: "Phone number"
            }
          ])
        )
        assert.sameMembers(
          events.map(({ id }) => id),
          posts.map(({ target }) => target)
        )
        const { left, state, version } = yield* result(posts[0]!)
        assert.deepStrictEqual([state, left, version], ["published", null, 2])
      }).pipe(Effect.scoped)
  )

  it.effect(
    "goes on while it is pending, ends after a second approval, and finds what is rejected after the first",
    () =>
      Effect.gen(function* () {
        const { account, asked, dueAgain, live, process, result, says, told } = yield* made
        const one = yield* account
        const [kept, lost] = [yield* live(one, "kept"), yield* live(one, "lost", "pending", 1)]
        const { ask } = yield* process
        says(() => Effect.succeed({ _tag: "pending" }))
        yield* ask
        const waits = yield* result(kept)
        assert.deepStrictEqual([waits.platform_data.review, waits.version], ["pending", 1])
        assert.approximately(waits.left!, 10, 9)
        assert.approximately((yield* result(lost)).left!, 24 * hour, hour)

        yield* dueAgain
        says(() => Effect.succeed({ _tag: "approved" }))
        yield* ask
        const approved = yield* result(kept)
        assert.deepStrictEqual([approved.platform_data.review, approved.version], ["approved", 2])
        assert.approximately(approved.left!, 24 * hour, hour)

        yield* dueAgain
        says((post) => (post === "lost" ? rejected : Effect.succeed({ _tag: "approved" })))
        yield* ask
        assert.deepStrictEqual([(yield* result(kept)).left, (yield* result(lost)).left], [null, null])
        assert.deepStrictEqual(
          (yield* told).map(({ platform_data }) => platform_data.id),
          ["lost"]
        )
        yield* dueAgain
        yield* ask
        assert.lengthOf(asked, 6)
      }).pipe(Effect.scoped)
  )

  it.effect("stays pending, and is asked for no more, when the network has not decided for seven days", () =>
    Effect.gen(function* () {
      const { account, live, process, result, says } = yield* made
      const post = yield* live(yield* account, "1", "pending", 7)
      says(() => Effect.succeed({ _tag: "pending" }))
      yield* (yield* process).ask
      const { left, platform_data } = yield* result(post)
      assert.deepStrictEqual([left, platform_data.review], [null, "pending"])
    }).pipe(Effect.scoped)
  )

  it.effect("that fails holds up its own account alone, until the time that the network gives", () =>
    Effect.gen(function* () {
      const { account, asked, live, process, result, says, told } = yield* made
      const [limited, other] = [yield* account, yield* account]
      const posts = [yield* live(limited, "a1"), yield* live(limited, "a2")]
      yield* live(other, "b1")
      const retry_at = DateTime.add(yield* DateTime.now, { hours: 2 })
      const failure = new PublishError({ class: "rate_limited", code: "x", message: "Slower.", retry_at })
      says((post) => (post.startsWith("a") ? Effect.fail(failure) : rejected))
      const { ask } = yield* process
      yield* ask
      yield* ask
      assert.lengthOf(asked, 2)
      for (const post of posts) assert.approximately((yield* result(post)).left!, 2 * hour, 60)
      assert.lengthOf(yield* told, 1)
    }).pipe(Effect.scoped)
  )

  it.effect("that fails for one post holds up that post alone, and ends for one that is gone", () =>
    Effect.gen(function* () {
      const { account, asked, live, process, result, says } = yield* made
      const one = yield* account
      const [odd, gone, last] = [yield* live(one, "odd"), yield* live(one, "gone"), yield* live(one, "last")]
      const failure = new PublishError({ class: "forbidden", code: "x", message: "Not this one." })
      says((post) =>
        post === "odd" ? Effect.fail(failure) : Effect.succeed(post === "gone" ? null : { _tag: "approved" })
      )
      yield* (yield* process).ask
      assert.lengthOf(asked, 3)
      assert.isAbove((yield* result(odd)).left!, 0)
      assert.isNull((yield* result(gone)).left)
      assert.strictEqual((yield* result(last)).platform_data.review, "approved")
    }).pipe(Effect.scoped)
  )

  it.effect("that breaks is not repeated before its next time", () =>
    Effect.gen(function* () {
      const { account, live, process, result, says } = yield* made
      const one = yield* account
      const posts = [yield* live(one, "1", "pending", 1), yield* live(one, "2", "pending", 1)]
      says(() => Effect.die("by script"))
      yield* (yield* process).ask
      for (const post of posts) assert.approximately((yield* result(post)).left!, 24 * hour, hour)
    }).pipe(Effect.scoped)
  )

  it.effect.each(["approved", "rejected"] as const)("that ends as %s takes back its own warning", (_tag) =>
    Effect.gen(function* () {
      const { account, live, process, result, says } = yield* made
      const one = yield* account
      const posts = [
        yield* live(one, "1", "pending", 0, [inReview]),
        yield* live(one, "2", "pending", 0, [inReview, "Another."]),
        yield* live(one, "3")
      ]
      says(() => Effect.succeed(_tag === "rejected" ? { _tag, reason: null } : { _tag }))
      yield* (yield* process).ask
      const found = yield* Effect.forEach(posts, result)
      assert.deepStrictEqual(
        found.map(({ platform_data }) => [platform_data.review, platform_data.warnings]),
        [
          [_tag, undefined],
          [_tag, ["Another."]],
          [_tag, undefined]
        ]
      )
    }).pipe(Effect.scoped)
  )

  it.effect("is asked for again when its process dies between the answer and the write, and told once", () =>
    Effect.gen(function* () {
      const { account, asked, dueAgain, live, process, says, told } = yield* made
      yield* live(yield* account, "1")
      const answered = yield* Deferred.make<void>()
      const goOn = yield* Deferred.make<void>()
      says(() =>
        Deferred.succeed(answered, undefined).pipe(
          Effect.andThen(Deferred.await(goOn)),
          Effect.andThen(rejected)
        )
      )
      const first = yield* process
      // One that was only slow: it has the answer, and writes after its time is over.
      const slow = yield* Effect.forkChild(first.ask)
      yield* Deferred.await(answered)
      const second = yield* process
      yield* second.ask
      assert.lengthOf(asked, 1)
      yield* dueAgain
      says(() => rejected)
      yield* second.ask
      assert.lengthOf(yield* told, 1)
      yield* Deferred.succeed(goOn, undefined)
      yield* Fiber.join(slow)
      assert.lengthOf(asked, 2)
      assert.lengthOf(yield* told, 1)
    }).pipe(Effect.scoped)
  )
})
