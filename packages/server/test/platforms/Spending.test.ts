import { PostId, WorkspaceId, xPrices } from "@carillon/domain"
import { AppConfig } from "@carillon/server/AppConfig"
import { makeTwitter } from "@carillon/server/platforms/twitter/Twitter"
import { Spending } from "@carillon/server/platforms/twitter/Spending"
import * as TestConfig from "@carillon/testing/TestConfig"
import * as TestSql from "@carillon/testing/TestSql"
import { NodeHttpClient } from "@effect/platform-node"
import { PgClient } from "@effect/sql-pg"
import { assert, layer } from "@effect/vitest"
import { Clock, Context, DateTime, Effect, Fiber, Layer, Option, Redacted, Result, Schema } from "effect"
import { SecureRandom } from "effect/crypto"
import { HttpClient } from "effect/http"
import { type Received, type Reply, scriptedServer } from "./ScriptedServer.ts"
import { image, noneTaken, request } from "./TestRequest.ts"

const stored = Redacted.make({ access_token: "access", refresh_token: "refresh" })
const created: Reply = { status: 201, json: { data: { id: "1990000000000000001", text: "Hello" } } }
const noCredits: Reply = { status: 402, json: { title: "Payment Required", detail: "No credits left." } }

/** The database below keeps its own time. */
const at = (now: string) =>
  Effect.updateService(Clock.Clock, (clock) =>
    Object.assign(Object.create(clock) as typeof clock, {
      currentTimeMillisUnsafe: () => Date.parse(now),
      currentTimeMillis: Effect.succeed(Date.parse(now))
    })
  )

/** A process of the service: nothing but the database is shared by two of them. */
const process = (dollars: number | null, prices = xPrices) =>
  Layer.build(
    Layer.fresh(Spending.layer).pipe(
      Layer.provide(
        Layer.effect(
          AppConfig,
          Effect.map(AppConfig, (config) => ({
            ...config,
            twitterPrices: prices,
            twitterBudget: Option.map(Option.fromNullOr(dollars), (amount) => amount * 1_000_000)
          }))
        )
      )
    )
  ).pipe(Effect.map(Context.get(Spending)))

const onX = Effect.fnUntraced(function* (script: (received: Received) => Reply) {
  const server = yield* scriptedServer(script)
  const client = yield* HttpClient.HttpClient
  const adapter = (spending: Spending["Service"]) =>
    makeTwitter(
      client,
      {
        id: "client",
        secret: Redacted.make("s3cret"),
        at: (host) => `${server.url}/${host}`,
        stand_in: false
      },
      { spending }
    )
  const posts = () => server.received.filter(({ path }) => path.endsWith("/tweets")).length
  return { server, adapter, posts }
})

const post = (caption: string) => request({ remote_id: "22", username: "alice", caption })
const spentBy = (spending: Spending["Service"]) => Effect.map(spending.figures, ({ spent }) => spent)

/** A post on X that is due then, and what it will cost. */
const scheduled = Effect.fnUntraced(function* (due: string, cost: number) {
  const sql = yield* PgClient.PgClient
  const [workspace, id] = [WorkspaceId, PostId].map((brand) => brand.make(SecureRandom.uuidV7Unsafe()))
  const now = DateTime.toDateUtc(yield* DateTime.now)
  const dueAt = DateTime.toDateUtc(DateTime.makeUnsafe(due))
  yield* sql`insert into workspaces ${sql.insert({ id: workspace!, name: "w", created_at: now })}`
  const [account] = yield* sql<{ id: bigint }>`
    insert into social_accounts (workspace_id, platform, remote_id, username, status, connected_at, created_at)
    values (${workspace!}, 'twitter', ${workspace!}, 'alice', 'connected', ${now}, ${now}) returning id`
  yield* sql`
    insert into posts (id, workspace_id, status, caption, social_accounts, media, processing_enabled, warnings,
      created_at, updated_at)
    values (${id!}, ${workspace!}, 'scheduled', 'Hello', ${[account!.id]}::bigint[], '{}', true, '{}', ${now}, ${now})`
  yield* sql`
    insert into targets (id, post_id, workspace_id, social_account_id, platform, state, due_at, next_step_at, lead, cost, created_at)
    values (${id!}, ${id!}, ${workspace!}, ${account!.id}, 'twitter', 'waiting', ${dueAt}, ${dueAt}, '0', ${cost}::int, ${now})`
  yield* Effect.addFinalizer(() => Effect.orDie(sql`delete from targets where id = ${id!}`))
  return id! as PostId
})

const Tables = Layer.merge(TestConfig.layer, NodeHttpClient.layerUndici).pipe(
  Layer.provideMerge(TestSql.layer)
)

layer(Tables, { excludeTestServices: true })("what X charges", (it) => {
  it.effect("is counted before each call, by the price of its kind", () =>
    Effect.gen(function* () {
      const spending = yield* process(null)
      const x = yield* onX(({ path }) =>
        path.endsWith("/media/upload")
          ? { status: 200, json: { data: { id: "9", media_key: "3_9" } } }
          : path.endsWith("/users/me")
            ? { status: 200, json: { data: { id: "22", username: "alice" } } }
            : path.endsWith("/users/22/tweets")
              ? { status: 200, json: { meta: { result_count: 0 } } }
              : path.endsWith("/media/metadata")
                ? { status: 200, json: { data: { id: "9" } } }
                : created
      )
      const platform = x.adapter(spending)
      const after = (call: Effect.Effect<unknown, unknown>) =>
        Effect.gen(function* () {
          const before = yield* spentBy(spending)
          yield* Effect.orDie(call)
          return (yield* spentBy(spending)) - before
        })
      const withPicture = request({ ...post("Bells"), media: [image("a", { alt_text: "A bell" })] })
      assert.deepStrictEqual(
        yield* Effect.forEach(
          [
            platform.commit(post("Hello"), stored, { files: {} }),
            platform.commit(post("See example.com"), stored, { files: {} }),
            platform.prepare(withPicture, stored, null, () => Effect.void),
            platform.reconcile(post("Hello"), stored, { files: {} }, noneTaken),
            platform.limits!(stored)
          ],
          after
        ),
        [15_000, 200_000, 5_000, 25_000, 10_000]
      )
    }).pipe(Effect.scoped, at("2030-01-10T00:00:00Z"))
  )

  it.effect("is counted when the call is sent, so that a process that dies then has counted it", () =>
    Effect.gen(function* () {
      const x = yield* onX(() => "silence")
      const dying = yield* process(null)
      const call = yield* Effect.forkChild(x.adapter(dying).commit(post("Hello"), stored, { files: {} }))
      yield* x.server.arrival
      const other = yield* process(null)
      assert.strictEqual(yield* spentBy(other), 15_000)
      yield* Fiber.interrupt(call)
      assert.strictEqual(yield* spentBy(other), 15_000)
    }).pipe(Effect.scoped, at("2030-02-10T00:00:00Z"))
  )

  it.effect("lets one of two processes post where both posts fit singly, and says why not to the other", () =>
    Effect.gen(function* () {
      const x = yield* onX(() => created)
      const processes = [yield* process(0.2), yield* process(0.2)]
      const results = yield* Effect.forEach(
        processes,
        (spending) =>
          Effect.result(x.adapter(spending).commit(post("https://example.com"), stored, { files: {} })),
        { concurrency: "unbounded" }
      )
      assert.deepStrictEqual(results.map(({ _tag }) => _tag).toSorted(), ["Failure", "Success"])
      assert.strictEqual(x.posts(), 1)
      const failure = Option.getOrThrow(Option.firstSomeOf(results.map(Result.getFailure)))
      assert.deepInclude(failure, { class: "quota_exhausted", code: "budget_exhausted" })
      assert.strictEqual(
        failure.message,
        "The post would pass the operator's budget for X: of $0.20 for March 2030 (UTC), $0.20 is spent, and this costs about $0.20. The next budget begins on 2030-04-01. Choose a time from then on, make the post cheaper (a link costs most), or ask the operator to raise TWITTER_BUDGET."
      )
      assert.strictEqual(DateTime.formatIso(failure.retry_at!), "2030-04-01T00:00:00.000Z")
    }).pipe(Effect.scoped, at("2030-03-31T23:59:59.999Z"))
  )

  it.effect("begins anew with the month", () =>
    Effect.gen(function* () {
      const x = yield* onX(() => created)
      const spending = yield* process(0.015)
      const send = x.adapter(spending).commit(post("Hello"), stored, { files: {} })
      yield* at("2030-04-30T23:59:00Z")(send)
      yield* at("2030-04-30T23:59:59Z")(Effect.flip(send))
      yield* at("2030-05-01T00:00:00Z")(send)
      assert.strictEqual(x.posts(), 2)
    }).pipe(Effect.scoped)
  )

  it.effect("is looked up after a lost reply even where that passes the budget", () =>
    Effect.gen(function* () {
      const x = yield* onX(() => ({ status: 200, json: { meta: { result_count: 0 } } }))
      const spending = yield* process(0)
      const found = yield* x.adapter(spending).reconcile(post("Hello"), stored, { files: {} }, noneTaken)
      assert.strictEqual(found._tag, "not_published")
      assert.strictEqual(yield* spentBy(spending), 25_000)
    }).pipe(Effect.scoped, at("2030-06-10T00:00:00Z"))
  )

  const outcomes: ReadonlyArray<Reply> = [
    created,
    "reset",
    { raw: "HTTP/1.1 201 Created\r\ncontent-length: 100\r\n\r\n{" },
    { status: 500, json: {} },
    { status: 403, json: { detail: "Your account is suspended." } },
    { status: 429, json: {} }
  ]
  const isLive = (reply: Reply) => outcomes.indexOf(reply) < 3
  it.effect.prop(
    "is never less in the ledger than what X took, whatever becomes of the calls, and nothing of what it refused",
    [
      Schema.Array(
        Schema.Struct({
          outcome: Schema.Literals([0, 1, 2, 3, 4, 5]),
          link: Schema.Boolean
        })
      ).check(Schema.isMaxLength(8))
    ],
    ([calls]) =>
      Effect.gen(function* () {
        let next = 0
        const x = yield* onX(() => outcomes[calls[next++]!.outcome]!)
        const spending = yield* process(null)
        const before = yield* spentBy(spending)
        for (const { link } of calls)
          yield* Effect.ignore(
            x.adapter(spending).commit(post(link ? "https://example.com" : "Hello"), stored, { files: {} })
          )
        const priceOf = ({ link }: (typeof calls)[number]) => (link ? 200_000 : 15_000)
        const sum = (some: typeof calls) => some.reduce((total, call) => total + priceOf(call), 0)
        const spent = (yield* spentBy(spending)) - before
        assert.isAtLeast(spent, sum(calls.filter(({ outcome }) => isLive(outcomes[outcome]!))))
        assert.strictEqual(spent, sum(calls.filter(({ outcome }) => outcome < 4)))
      }).pipe(Effect.scoped, at("2030-07-10T00:00:00Z")),
    { arbitrary: { runs: 10 } }
  )

  it.effect("is what a post is refused for that would pass the budget with those that are scheduled", () =>
    Effect.gen(function* () {
      const { charges } = yield* process(0.5)
      const id = yield* scheduled("2030-08-20T00:00:00Z", 300_000)
      yield* scheduled("2030-09-20T00:00:00Z", 300_000)
      const due = DateTime.makeUnsafe("2030-08-25T00:00:00Z")
      assert.isNull(yield* charges.refuses(due, 200_000, null))
      assert.deepStrictEqual(yield* charges.refuses(due, 200_001, null), {
        sentence:
          "would pass the operator's budget for X: of $0.50 for August 2030 (UTC), $0.00 is spent and $0.30 scheduled, and this costs about $0.200001. The next budget begins on 2030-09-01. Choose a time from then on, make the post cheaper (a link costs most), or ask the operator to raise TWITTER_BUDGET.",
        limit: 500_000,
        value: 500_001
      })
      // It takes its own place.
      assert.isNull(yield* charges.refuses(due, 500_000, id))
    }).pipe(Effect.scoped, at("2030-08-10T00:00:00Z"))
  )

  it.effect("lets a post that was accepted be corrected after the budget was lowered", () =>
    Effect.gen(function* () {
      const id = yield* scheduled("2031-01-20T00:00:00Z", 200_000)
      const { charges } = yield* process(0.1)
      const due = DateTime.makeUnsafe("2031-01-21T00:00:00Z")
      assert.isNull(yield* charges.refuses(due, 200_000, id))
      assert.isNotNull(yield* charges.refuses(due, 200_001, id))
    }).pipe(Effect.scoped, at("2031-01-10T00:00:00Z"))
  )

  it.effect("warns a day before the first post is due that would pass the budget", () =>
    Effect.gen(function* () {
      const spending = yield* process(0.4)
      yield* scheduled("2031-02-20T00:00:00Z", 300_000)
      yield* scheduled("2031-02-20T12:00:00Z", 200_000)
      const warningAt = (now: string) => at(now)(Effect.andThen(spending.charges.look, spending.warning))
      assert.isNull(yield* warningAt("2031-02-19T11:59:59Z"))
      assert.match(
        (yield* warningAt("2031-02-19T12:00:01Z"))!,
        /due from 2031-02-20T12:00:00.000Z on would pass/
      )
    }).pipe(Effect.scoped)
  )

  it.effect("warns as soon as X accepts no more calls, in every process, until it accepts one", () =>
    Effect.gen(function* () {
      let reply = noCredits
      const x = yield* onX(() => reply)
      const [one, other] = [yield* process(null), yield* process(null)]
      const send = x.adapter(one).commit(post("Hello"), stored, { files: {} })
      const seen = Effect.andThen(other.charges.look, other.warning)
      assert.isNull(yield* seen)
      assert.strictEqual((yield* Effect.flip(send)).class, "quota_exhausted")
      assert.include((yield* seen)!, "X accepts no more calls of this instance's app")
      reply = created
      yield* send
      assert.isNull(yield* seen)
    }).pipe(Effect.scoped, at("2031-03-10T00:00:00Z"))
  )
})
