import { assert, layer } from "@effect/vitest"
import { Clock, Effect } from "effect"
import { connectInBrowser, signInAt, visitConsentPage } from "@carillon/testing/ConsentVisit"
import { callsWith, Service } from "@carillon/testing/ServiceProcess"
import { anotherWorkspace, SharedService } from "@carillon/testing/SharedService"

const start = (fields: object = {}) =>
  Effect.flatMap(Service, ({ call }) =>
    call("POST", "/v1/social-accounts/connect", {
      platform: "instagram",
      login: "facebook",
      redirect_url: "http://127.0.0.1:9/done?step=2",
      ...fields
    })
  )

/** A person signs in with what opens these accounts; where the browser ends. */
const signIn = Effect.fnUntraced(function* (username: string, fields: object = {}) {
  const { body, status } = yield* start(fields)
  assert.strictEqual(status, 201, JSON.stringify(body))
  const end = new URL(yield* visitConsentPage(body.authorize_url, username))
  return {
    query: end.searchParams,
    path: `/v1/social-accounts/pending/${body.pending_id}`,
    id: body.pending_id
  }
})

const connected = (q: string) =>
  Effect.map(
    Effect.flatMap(Service, ({ call }) =>
      call("GET", `/v1/social-accounts?platform=instagram&limit=100&q=${q}`)
    ),
    ({ body }): ReadonlyArray<any> => body.data
  )

layer(SharedService, { excludeTestServices: true })("a choice among the accounts of a sign-in", (it) => {
  it.effect("connects two of sixty, and gives the same answer to the same choice", () =>
    Effect.gen(function* () {
      const { call } = yield* Service
      const { id, path, query } = yield* signIn("agency-sixty")
      assert.deepStrictEqual(Object.fromEntries(query), {
        step: "2",
        status: "pending",
        platform: "instagram",
        pending: id
      })
      const offer = yield* call("GET", path)
      assert.strictEqual(offer.status, 200)
      const { accounts, expires_at, ...rest } = offer.body
      assert.deepStrictEqual(rest, {
        id,
        platform: "instagram",
        login: "facebook",
        status: "choosing",
        social_accounts: []
      })
      assert.isAbove(Date.parse(expires_at), yield* Clock.currentTimeMillis)
      assert.lengthOf(accounts, 60)
      assert.hasAllKeys(accounts[0], ["id", "username", "display_name", "avatar_url", "social_account_id"])
      assert.isTrue(accounts.every((one: any) => one.social_account_id === null))
      // Tokens of the test network are 43 of these.
      assert.notMatch(JSON.stringify(offer.body), /[\w-]{43}/)
      assert.lengthOf((yield* call("GET", `${path}?q=BRANCH-1`)).body.accounts, 10)
      assert.lengthOf((yield* call("GET", `${path}?q=nobody`)).body.accounts, 0)

      const [, second] = accounts
      const choice = { accounts: ["@Agency-Branch-7", second.id] }
      const chosen = yield* call("POST", path, choice)
      assert.strictEqual(chosen.status, 200, JSON.stringify(chosen.body))
      assert.deepStrictEqual(
        chosen.body.data.map(({ status, username }: any) => [username, status]),
        [
          [second.username, "connected"],
          ["agency-branch-7", "connected"]
        ]
      )
      const ids = chosen.body.data.map((account: any) => account.id)
      const after = yield* call("GET", path)
      assert.deepInclude(after.body, { status: "connected", accounts: [], social_accounts: ids })
      assert.lengthOf(yield* connected("agency-"), 2)

      const again = yield* call("POST", path, { accounts: [second.id, "agency-branch-7"] })
      assert.deepStrictEqual([again.status, again.body.data.map((account: any) => account.id)], [200, ids])
      for (const other of [
        ["agency-branch-8"],
        [second.id],
        [second.id, "agency-branch-7", "agency-branch-8"]
      ]) {
        const refused = yield* call("POST", path, { accounts: other })
        assert.deepStrictEqual([refused.status, refused.body.code], [409, "nothing_to_choose"])
        assert.include(refused.body.detail, "@agency-branch-7")
      }
      assert.lengthOf(yield* connected("agency-"), 2)
    })
  )

  it.effect("keeps the id of an account that is chosen again, and marks it in the offer", () =>
    Effect.gen(function* () {
      const { call } = yield* Service
      const [first] = yield* connectInBrowser("instagram", "marked-two", { login: "facebook", choose: [1] })
      const { path } = yield* signIn("marked-two")
      const { accounts } = (yield* call("GET", path)).body
      assert.deepStrictEqual(
        accounts.map((one: any) => [one.username, one.social_account_id]),
        [
          ["marked-two", null],
          ["marked-shop", first]
        ]
      )
      const { body } = yield* call("POST", path, { accounts: ["marked-two", "marked-shop"] })
      assert.strictEqual(body.data[1].id, first)
      yield* call("DELETE", `/v1/social-accounts/${first}`)
      const later = yield* signIn("marked-two")
      const offered = (yield* call("GET", later.path)).body.accounts
      assert.deepStrictEqual(
        offered.map((one: any) => one.social_account_id),
        [body.data[0].id, null]
      )
      const back = yield* call("POST", later.path, { accounts: ["marked-shop"] })
      assert.strictEqual(back.body.data[0].id, first)
    })
  )

  it.effect("is asked of nobody who signs in to one account", () =>
    Effect.gen(function* () {
      const { call } = yield* Service
      const { path, query } = yield* signIn("alone")
      assert.strictEqual(query.get("status"), "connected")
      assert.deepInclude((yield* call("GET", path)).body, {
        status: "connected",
        social_accounts: [Number(query.get("social_account_id"))]
      })
    })
  )

  it.effect("is hidden from other keys and workspaces, as one that does not exist is", () =>
    Effect.gen(function* () {
      const { call, url } = yield* Service
      const { id, path } = yield* signIn("hidden-two")
      const { body: key } = yield* call("POST", "/v1/api-keys", { name: "other", scopes: ["admin"] })
      for (const other of [key.key, (yield* anotherWorkspace).key]) {
        const { call: ask } = callsWith(url, other)
        for (const [method, body] of [
          ["GET", undefined],
          ["POST", { accounts: ["hidden-two"] }]
        ] as const) {
          const refused = yield* ask(method, path, body)
          assert.deepStrictEqual([refused.status, refused.body.code], [404, "not_found"])
          assert.include(refused.body.detail, "another credential began it. Start again")
          const nowhere = yield* ask(method, path.replace(id, "0191f0a0-0000-7000-8000-00000000dead"), body)
          assert.strictEqual(
            nowhere.body.detail,
            refused.body.detail.replace(id, "0191f0a0-0000-7000-8000-00000000dead")
          )
        }
      }
      assert.strictEqual((yield* call("GET", path)).body.status, "choosing")
    })
  )

  it.effect("tells a key nothing of accounts that it may not see", () =>
    Effect.gen(function* () {
      const { call } = yield* Service
      const [seen, hidden] = yield* connectInBrowser("instagram", "limits-two", {
        login: "facebook",
        choose: [0, 1]
      })
      const { body: key } = yield* call("POST", "/v1/api-keys", {
        name: "of one account",
        scopes: ["accounts:write"],
        social_accounts: [seen]
      })
      const headers = { authorization: `Bearer ${key.key}` }
      const { body } = yield* call(
        "POST",
        "/v1/social-accounts/connect",
        { platform: "instagram", login: "facebook", redirect_url: "http://127.0.0.1:9/done" },
        headers
      )
      yield* visitConsentPage(body.authorize_url, "limits-two")
      const path = `/v1/social-accounts/pending/${body.pending_id}`
      const offer = (yield* call("GET", path, undefined, headers)).body.accounts
      assert.deepStrictEqual(
        offer.map((one: any) => one.social_account_id),
        [seen, null]
      )
      assert.notInclude(JSON.stringify(offer), `:${hidden},`)
    })
  )

  it.effect("stays open after names that are not offered, and says which", () =>
    Effect.gen(function* () {
      const { call } = yield* Service
      const { path } = yield* signIn("picky-two")
      const refused = yield* call("POST", path, { accounts: ["picky-shop", "picky-shed"] })
      assert.deepStrictEqual([refused.status, refused.body.code], [400, "account_not_offered"])
      assert.deepInclude(refused.body.errors[0], {
        path: "accounts[1]",
        message: 'The sign-in does not offer "picky-shed"; it offers @picky-two, @picky-shop.'
      })
      assert.strictEqual((yield* call("POST", path, { accounts: [] })).status, 400)
      assert.lengthOf(yield* connected("picky-"), 0)
      assert.strictEqual((yield* call("POST", path, { accounts: ["picky-shop"] })).status, 200)
    })
  )

  it.effect("is repeated by a name that is stored cut off", () =>
    Effect.gen(function* () {
      const { call } = yield* Service
      const { path } = yield* signIn(`${"long".repeat(80)}-two`)
      const [{ username }] = (yield* call("GET", path)).body.accounts
      assert.isAbove(username.length, 300)
      const choose = call("POST", path, { accounts: [username] })
      const first = yield* choose
      assert.strictEqual(first.status, 200, JSON.stringify(first.body))
      assert.isAtMost(first.body.data[0].username.length, 300)
      assert.deepStrictEqual((yield* choose).body, first.body)
    })
  )

  it.effect("cannot be made before the sign-in", () =>
    Effect.gen(function* () {
      const { call } = yield* Service
      const path = `/v1/social-accounts/pending/${(yield* start()).body.pending_id}`
      assert.deepInclude((yield* call("GET", path)).body, { status: "waiting", accounts: [] })
      const early = yield* call("POST", path, { accounts: ["early"] })
      assert.deepStrictEqual([early.status, early.body.code], [409, "nothing_to_choose"])
      assert.include(early.body.detail, "Nobody has signed in at Instagram")
    })
  )

  it.effect("that is made twelve times at once connects each account once", () =>
    Effect.gen(function* () {
      const { call } = yield* Service
      const { path } = yield* signIn("crowd-two")
      const answers = yield* Effect.forEach(
        Array.from({ length: 12 }, (_, index) => (index % 2 === 0 ? "crowd-two" : "crowd-shop")),
        (name) => Effect.map(call("POST", path, { accounts: [name] }), (answer) => ({ name, ...answer })),
        { concurrency: "unbounded" }
      )
      const [account, ...others] = yield* connected("crowd-")
      assert.lengthOf(others, 0)
      for (const { body, name, status } of answers) {
        assert.deepStrictEqual(
          name === account.username ? [status, body.data[0].id] : [status, body.code],
          name === account.username ? [200, account.id] : [409, "nothing_to_choose"]
        )
      }
    })
  )

  it.effect("is made on the page of the service or through the API, whichever comes first", () =>
    Effect.gen(function* () {
      const { call, url } = yield* Service
      const { body } = yield* start({ redirect_url: undefined })
      const { cookie, page } = yield* signInAt(body.authorize_url, "paged-two")
      assert.include(page, "Which Instagram accounts?")
      const path = `/v1/social-accounts/pending/${body.pending_id}`
      assert.strictEqual((yield* call("POST", path, { accounts: ["paged-shop"] })).status, 200)
      const form = new URLSearchParams([
        ...[...page.matchAll(/name="(ticket|cookie)" value="([^"]*)"/g)].map(
          ([, name, value]): [string, string] => [name!, value!]
        ),
        ["account", "0"]
      ])
      const late = yield* Effect.promise(() =>
        fetch(`${url}/oauth/callback/instagram`, { method: "POST", headers: { cookie }, body: form })
      )
      assert.strictEqual(late.status, 400)
      assert.deepStrictEqual(
        (yield* connected("paged-")).map(({ username }) => username),
        ["paged-shop"]
      )
    })
  )
})

layer(SharedService, { excludeTestServices: true })("a reconnection", (it) => {
  it.effect("takes its account alone, without a choice", () =>
    Effect.gen(function* () {
      const [shop] = yield* connectInBrowser("instagram", "lonely-two", { login: "facebook", choose: [1] })
      const { query } = yield* signIn("lonely-two", { social_account_id: shop })
      assert.deepStrictEqual(
        [query.get("status"), query.getAll("social_account_id")],
        ["connected", [String(shop)]]
      )
      assert.lengthOf(yield* connected("lonely-"), 1)
    })
  )

  it.effect("offers the other accounts of the sign-in if that is asked", () =>
    Effect.gen(function* () {
      const { call } = yield* Service
      const [shop] = yield* connectInBrowser("instagram", "asking-two", { login: "facebook", choose: [1] })
      const { path, query } = yield* signIn("asking-two", { social_account_id: shop, offer_others: true })
      assert.strictEqual(query.get("status"), "pending")
      const { body } = yield* call("POST", path, { accounts: ["asking-two", "asking-shop"] })
      assert.deepInclude(
        body.data.map(({ id }: any) => id),
        shop
      )
      assert.lengthOf(yield* connected("asking-"), 2)
    })
  )

  it.effect("connects nothing for someone who signs in with other accounts", () =>
    Effect.gen(function* () {
      const { call } = yield* Service
      const [shop] = yield* connectInBrowser("instagram", "strict-two", { login: "facebook", choose: [1] })
      const { path, query } = yield* signIn("stranger-two", { social_account_id: shop })
      assert.deepStrictEqual([query.get("status"), query.get("error")], ["failed", "another_account"])
      assert.include(
        query.get("message"),
        "as @stranger-two, @stranger-shop, and @strict-shop was to be reconnected"
      )
      assert.lengthOf(yield* connected("stranger-"), 0)
      assert.strictEqual((yield* call("GET", path)).status, 404)
    })
  )

  it.effect("is of an account that is there, of the platform, and that the key may see", () =>
    Effect.gen(function* () {
      const { call, url } = yield* Service
      const [shop] = yield* connectInBrowser("instagram", "of-its-own")
      const begin = { platform: "tiktok", social_account_id: shop }
      const elsewhere = yield* call("POST", "/v1/social-accounts/connect", begin)
      assert.deepStrictEqual(
        [elsewhere.status, elsewhere.body.errors[0].path],
        [400, "social_account_id"],
        JSON.stringify(elsewhere.body)
      )
      assert.include(elsewhere.body.detail, "is on Instagram, not on TikTok")
      const { body } = yield* call("POST", "/v1/api-keys", {
        name: "of none",
        scopes: ["accounts:write"],
        social_accounts: [(yield* connectInBrowser("instagram", "seen"))[0]]
      })
      for (const [ask, id] of [
        [call, 999_999_999],
        [callsWith(url, body.key).call, shop]
      ] as const) {
        const missing = yield* ask("POST", "/v1/social-accounts/connect", {
          platform: "instagram",
          social_account_id: id
        })
        assert.deepStrictEqual([missing.status, missing.body.code], [400, "social_account_not_found"])
      }
      const alone = yield* start({ offer_others: true })
      assert.deepStrictEqual([alone.status, alone.body.errors[0].path], [400, "offer_others"])
    })
  )
})
