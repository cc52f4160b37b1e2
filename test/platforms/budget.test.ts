import { xPrices } from "@carillon/domain"
import { eventually, inSeconds, settled } from "@carillon/testing/Publishing"
import { Service, type ServiceProcess, startService } from "@carillon/testing/ServiceProcess"
import { assert, it } from "@effect/vitest"
import { Effect, Schedule } from "effect"
import {
  type Received,
  type Reply,
  scriptedServer
} from "../../packages/server/test/platforms/ScriptedServer.ts"

const link = "Bells at https://example.com"
const today = new Date()
const inMonths = (months: number, day: number) =>
  new Date(Date.UTC(today.getUTCFullYear(), today.getUTCMonth() + months, day))
/** In the middle of next month, of which nothing is spent yet. */
const nextMonth = inMonths(1, 15)
const monthAfter = inMonths(2, 1).toISOString().slice(0, 10)
const monthName = nextMonth.toLocaleString("en", { month: "long", year: "numeric", timeZone: "UTC" })

const answers: Readonly<Record<string, (received: Received) => Reply>> = {
  "POST /2/oauth2/token": () => ({
    status: 200,
    json: {
      token_type: "bearer",
      expires_in: 7200,
      access_token: "access",
      refresh_token: "refresh",
      scope: "tweet.read tweet.write users.read media.write offline.access"
    }
  }),
  "GET /2/users/me": () => ({ status: 200, json: { data: { id: "22", username: "alice" } } }),
  "GET /2/users/22/tweets": () => ({ status: 200, json: { meta: { result_count: 0 } } }),
  "POST /2/tweets": () => ({ status: 201, json: { data: { id: "1990000000000000001", text: "" } } })
}

/** X as it answers an app of the operator's, and how often each call came. */
const onX = Effect.fnUntraced(function* (create = answers["POST /2/tweets"]!) {
  const called = ({ method, path }: Received) => `${method} ${path.replace("/api.x.com", "")}`
  const server = yield* scriptedServer((received) => {
    const call = called(received)
    return (call === "POST /2/tweets" ? create : answers[call])?.(received) ?? { status: 500, json: {} }
  })
  const count = (call: string) => server.received.filter((received) => called(received) === call).length
  return { server, count, called }
})

const envOf = (x: Effect.Success<ReturnType<typeof onX>>, more: Record<string, string> = {}) => ({
  PLATFORMS_URL: x.server.url,
  TWITTER_CLIENT_ID: "client",
  TWITTER_CLIENT_SECRET: "s3cret-of-the-app",
  ...more
})

/** Connects @alice as a person does in a browser who allows everything. */
const connected = Effect.fnUntraced(function* (service: ServiceProcess) {
  const { body } = yield* service.call("POST", "/v1/social-accounts/connect", {
    platform: "twitter",
    redirect_url: "http://127.0.0.1:9/done"
  })
  const visit = (url: string, init: RequestInit = {}) =>
    Effect.promise(() => fetch(url, { redirect: "manual", ...init }))
  const begun = yield* visit(body.authorize_url, { method: "POST" })
  const state = new URL(begun.headers.get("location")!).searchParams.get("state")!
  const back = yield* visit(
    `${service.url}/oauth/callback/twitter?${new URLSearchParams({ state, code: "once" }).toString()}`,
    { headers: { cookie: begun.headers.get("set-cookie")!.split(";", 1)[0]! } }
  )
  const end = new URL(back.headers.get("location")!).searchParams
  assert.strictEqual(end.get("status"), "connected")
  return Number(end.get("social_account_id"))
})

const spending = (service: ServiceProcess) =>
  Effect.map(
    service.call("GET", "/v1/platform-apps"),
    ({ body }) => body.data.find(({ app }: any) => app === "twitter").spending
  )

it.live("a post on X says what it costs, and is refused where that passes the budget", () =>
  Effect.gen(function* () {
    const x = yield* onX()
    const service = yield* startService({ env: envOf(x, { TWITTER_BUDGET: "0.30" }) })
    const account = yield* connected(service)
    const post = (caption: string) => ({
      social_accounts: [account],
      caption,
      scheduled_at: nextMonth.toISOString()
    })
    const { body: valid } = yield* service.call("POST", "/v1/posts/validate", post(link))
    assert.strictEqual(valid.estimated_cost, 200_000)
    const warned = `X (account ${account}) charges this service's operator about $0.20 for the post.`
    assert.deepStrictEqual(valid.warnings, [warned])

    // Each of the two fits by itself.
    const both = yield* Effect.all(
      [
        service.call("POST", "/v1/posts", post(`${link}/1`)),
        service.call("POST", "/v1/posts", post(`${link}/2`))
      ],
      { concurrency: 2 }
    )
    const [made, refused] = both.toSorted((one, other) => one.status - other.status)
    assert.deepStrictEqual([made!.status, refused!.status], [201, 400])
    assert.deepStrictEqual(made!.body.warnings, [warned])
    const [problem] = refused!.body.errors
    assert.deepInclude(problem, {
      path: "social_accounts",
      code: "budget_exceeded",
      rule: "budget",
      limit: 300_000,
      value: 400_000,
      platform: "twitter"
    })
    assert.strictEqual(
      problem.message,
      `The post on X would pass the operator's budget for X: of $0.30 for ${monthName} (UTC), $0.00 is spent and $0.20 scheduled, and this costs about $0.20. The next budget begins on ${monthAfter}. Choose a time from then on, make the post cheaper (a link costs most), or ask the operator to raise TWITTER_BUDGET.`
    )
    const draft = yield* service.call("POST", "/v1/posts", { ...post(link), is_draft: true })
    assert.strictEqual(draft.status, 201)
    const later = yield* service.call("PATCH", `/v1/posts/${draft.body.id}`, { is_draft: false })
    assert.deepStrictEqual([later.status, later.body.code], [400, "budget_exceeded"])

    // Without its link the first one leaves room for the draft.
    const cheaper = yield* service.call("PATCH", `/v1/posts/${made!.body.id}`, { caption: "Bells" })
    assert.strictEqual(cheaper.status, 200)
    const fits = yield* service.call("PATCH", `/v1/posts/${draft.body.id}`, { is_draft: false })
    assert.deepStrictEqual([fits.status, fits.body.status], [200, "scheduled"])
    assert.deepInclude(yield* spending(service), { budget: 300_000, scheduled: 0 })
    const metrics = yield* Effect.promise(async () => (await fetch(`${service.url}/metrics`)).text())
    assert.match(metrics, /^carillon_twitter_budget_dollars(?:\{[^}]*\})? 0\.3$/m)
  }).pipe(Effect.scoped)
)

it.live("a service that is killed during a call has counted it, and counts on when it starts again", () =>
  Effect.gen(function* () {
    let silent = true
    const x = yield* onX((received: Received) => (silent ? "silence" : answers["POST /2/tweets"]!(received)))
    const service = yield* startService({ env: envOf(x) })
    const account = yield* connected(service)
    const { body } = yield* service.call("POST", "/v1/posts", { social_accounts: [account], caption: link })
    while (x.called(yield* x.server.arrival) !== "POST /2/tweets") continue
    yield* service.kill
    silent = false
    yield* service.start
    const post = yield* settled(body.id).pipe(Effect.provideService(Service, service))
    assert.strictEqual(post.status, "published")
    assert.strictEqual(x.count("POST /2/tweets"), 2)
    const atLeast =
      2 * xPrices.post_with_url +
      x.count("GET /2/users/me") * xPrices.user_read +
      x.count("GET /2/users/22/tweets") * 5 * xPrices.post_read
    assert.isAtLeast((yield* spending(service)).spent, atLeast)
  }).pipe(Effect.scoped)
)

it.live(
  "a post that was accepted before fails when it is due and would pass the budget; its account warns",
  () =>
    Effect.gen(function* () {
      const x = yield* onX()
      const before = yield* startService({ env: envOf(x) })
      const account = yield* connected(before)
      // Else the last day of a month would let it wait for the next one.
      yield* before.call("PATCH", "/v1/profile", { lateness_limit_seconds: 600 })
      const due = inSeconds(30)
      const { body } = yield* before.call("POST", "/v1/posts", {
        social_accounts: [account],
        caption: link,
        scheduled_at: due
      })
      yield* before.terminate
      const service = yield* startService({
        env: envOf(x, { TWITTER_BUDGET: "0.1" }),
        database: before.database,
        dataDir: before.dataDir
      })
      const { body: warned } = yield* Effect.repeat(service.call("GET", `/v1/social-accounts/${account}`), {
        until: ({ body }) => body.warning !== null,
        schedule: Schedule.spaced("100 millis")
      })
      assert.include(warned.warning, `The posts due from ${due} on would pass the operator's budget for X`)
      const failed = yield* eventually(body.id, ({ status }) => status === "failed").pipe(
        Effect.provideService(Service, service)
      )
      const [{ error }] = failed.results
      assert.deepInclude(error, { class: "quota_exhausted", code: "budget_exhausted" })
      assert.match(
        error.message,
        /^The post would pass the operator's budget for X: of \$0\.10 for .+ \(UTC\), \$0\.0\d+ is spent, and this costs about \$0\.20\./
      )
      assert.strictEqual(x.count("POST /2/tweets"), 0)
    }).pipe(Effect.scoped)
)
