import { EngineLayer } from "@carillon/server/posts/EngineLayer"
import { ApiKeyId, CurrentActor, type StartConnect, WorkspaceId } from "@carillon/domain"
import { AppConfig } from "@carillon/server/AppConfig"
import { Avatars } from "@carillon/server/accounts/Avatars"
import { Connect } from "@carillon/server/accounts/Connect"
import { ConnectPagesLayer } from "@carillon/server/accounts/ConnectPages"
import { CredentialCipher } from "@carillon/server/crypto/CredentialCipher"
import { PendingConnections } from "@carillon/server/accounts/PendingConnections"
import { SocialAccounts } from "@carillon/server/accounts/SocialAccounts"
import { TokenVault } from "@carillon/server/accounts/TokenVault"
import { Audit } from "@carillon/server/audit/Audit"
import { Secrets } from "@carillon/server/crypto/Secrets"
import {
  type ConnectedAccount,
  type ConsentFields,
  type ConsentRequest,
  type Platform,
  PublishError
} from "@carillon/server/platforms/Platform"
import { Platforms } from "@carillon/server/platforms/Platforms"
import { Wakeup } from "@carillon/server/sql/Wakeup"
import { PgClient } from "@effect/sql-pg"
import { assert, layer } from "@effect/vitest"
import { ConfigProvider, DateTime, Effect, Layer, Redacted } from "effect"
import { SecureRandom } from "effect/crypto"
import { HttpEffect, HttpRouter } from "effect/http"
import { TestClock } from "effect/testing"
import * as TestSql from "@carillon/testing/TestSql"
import { SocialAccountView } from "@carillon/server/accounts/SocialAccountView"

const account = (name: string): ConnectedAccount => ({
  remote_id: `remote-${name}`,
  username: name,
  display_name: null,
  avatar_url: null,
  credentials: Redacted.make({ token: `token-of-${name}` }),
  token_expires_at: null
})

/** A platform whose code is the list of the accounts that it opens. */
const platform = {
  id: "youtube",
  oauth: {
    logins: ["usual", "other"],
    issuer: () => "https://platform.example",
    authorizeUrl: ({ login, redirect_uri, state }: ConsentRequest) =>
      `https://platform.example/authorize?${new URLSearchParams({ login, redirect_uri, state }).toString()}`,
    exchange: ({ code }: { readonly code: string }) =>
      code === "bad"
        ? Effect.fail(
            new PublishError({
              class: "invalid",
              code: "scopes_missing",
              message: "Uploading was not allowed."
            })
          )
        : Effect.succeed(code.split(",").map(account))
  }
} as unknown as Platform

/** A platform of many servers: what it arranges is known at each step. */
const ofServers = {
  id: "mastodon",
  oauth: {
    logins: ["mastodon"],
    servers: {
      named: ({ server = "" }: ConsentFields) => Effect.succeed(server),
      arrange: (server: string, redirect_uri: string) =>
        server === "bad.example"
          ? Effect.fail(new PublishError({ class: "config", code: "server_too_old", message: "It is old." }))
          : Effect.succeed({ server, app: `app for ${redirect_uri}` })
    },
    issuer: ({ server }: ConsentFields) => `https://${server}`,
    authorizeUrl: ({ fields, redirect_uri, state }: ConsentRequest) =>
      `https://${fields!["server"]}/?${new URLSearchParams({ redirect_uri, state }).toString()}`,
    exchange: ({ code, fields }: ConsentRequest & { readonly code: string }) =>
      Effect.sync(() => {
        exchanged.push(code)
        return code.split(",").map((name) => account(`${name} ${fields!["server"]} ${fields!["app"]}`))
      })
  }
} as unknown as Platform

/** The codes that left this service. */
const exchanged: Array<string> = []

const tiktok = { ...platform, id: "tiktok" } as unknown as Platform

const Below = Connect.layer.pipe(
  Layer.provideMerge(PendingConnections.layer),
  Layer.provideMerge(SocialAccounts.layer),
  Layer.provideMerge(Layer.merge(TokenVault.layer, Avatars.layer)),
  Layer.provideMerge(Layer.mergeAll(EngineLayer, Audit.layer)),
  Layer.provideMerge(SocialAccountView.layer),
  Layer.provideMerge(CredentialCipher.layer),
  Layer.provideMerge(Layer.merge(Wakeup.layer, Platforms.layerOf([platform, ofServers, tiktok]))),
  Layer.provideMerge(Secrets.layer),
  Layer.provideMerge(TestSql.layer),
  Layer.provideMerge(
    AppConfig.layer.pipe(
      Layer.provide(
        ConfigProvider.layer(
          ConfigProvider.fromUnknown({
            PUBLIC_URL: "https://carillon.example",
            CARILLON_SECRET: "a secret of at least thirty-two characters"
          })
        )
      )
    )
  )
)

const actor = Effect.gen(function* () {
  const sql = yield* PgClient.PgClient
  const workspace_id = WorkspaceId.make(SecureRandom.uuidV7Unsafe())
  const created_at = DateTime.toDateUtc(yield* DateTime.now)
  yield* sql`insert into workspaces ${sql.insert({ id: workspace_id, name: "w", created_at })}`
  return CurrentActor.of({
    workspace_id,
    timezone: "UTC",
    key_id: null,
    key_name: null,
    member: null,
    member_id: null,
    instance: true,
    grant: null,
    scopes: ["admin"],
    social_accounts: null
  })
})

/** The pages, as a server would answer. */
const pages = Effect.gen(function* () {
  const routes = yield* HttpRouter.toHttpEffect(ConnectPagesLayer)
  return HttpEffect.toWebHandler(Effect.orDie(Effect.provideContext(routes, yield* Effect.context<never>())))
})

/** A browser with cookies of its own. */
const aBrowser = Effect.map(pages, (handle) => {
  const cookies = new Map<string, string>()
  return (
    url: string,
    form?: Record<string, string>,
    { headers, method }: { headers?: Record<string, string>; method?: string } = {}
  ) =>
    Effect.promise(async () => {
      const cookie = [...cookies].map((pair) => pair.join("=")).join("; ")
      const response = await handle(
        new Request(url, {
          method: method ?? (form === undefined ? "GET" : "POST"),
          headers: { ...(cookie === "" ? {} : { cookie }), ...headers },
          ...(form === undefined ? {} : { body: new URLSearchParams(form) })
        })
      )
      for (const given of response.headers.getSetCookie()) {
        const [name, value] = given.split(";", 1)[0]!.split("=")
        cookies.set(name!, value!)
      }
      return {
        status: response.status,
        location: response.headers.get("location") ?? "",
        policy: response.headers.get("content-security-policy") ?? "",
        headers: response.headers,
        cookie: response.headers.getSetCookie().join(),
        text: await response.text()
      }
    })
})

type Browser = Effect.Success<typeof aBrowser>

const begin = (who: CurrentActor["Service"], request: StartConnect) =>
  Effect.flatMap(Connect, (connect) => connect.start(request)).pipe(
    Effect.catchTag("ConnectLater", Effect.die),
    Effect.provideService(CurrentActor, who)
  )

const start = (who: CurrentActor["Service"], more: { redirect_url?: string; login?: string } = {}) =>
  begin(who, { platform: "youtube", ...more })

const startAt = (who: CurrentActor["Service"], server: string) =>
  begin(who, { platform: "mastodon", fields: { server } })

/** Follows the link to the platform; the address to which the platform would send the browser back. */
const consent = Effect.fnUntraced(function* (browser: Browser, authorizeUrl: string) {
  const sent = yield* browser(authorizeUrl, {})
  assert.strictEqual(sent.status, 303)
  const asked = new URL(sent.location).searchParams
  return (answer: Record<string, string>) =>
    `${asked.get("redirect_uri")}?${new URLSearchParams({ state: asked.get("state")!, ...answer })}`
})

const accountsOf = (who: CurrentActor["Service"]) =>
  Effect.flatMap(SocialAccounts, (accounts) => accounts.list({}, { limit: 50, offset: 0 })).pipe(
    Effect.provideService(CurrentActor, who),
    Effect.map(({ data }) => data.map(({ username }) => username).sort())
  )

const field = (html: string, name: string) =>
  new RegExp(`name="${name}" value="([^"]+)"`).exec(html)?.[1] ?? ""

layer(Below)("connecting in the browser", (it) => {
  it.effect("keeps of an account's names and picture what a list can show, whatever its server says", () =>
    Effect.gen(function* () {
      const { workspace_id } = yield* CurrentActor
      const long = { ...account("long"), username: "u".repeat(9000), display_name: "d".repeat(9000) }
      const avatar_url = `https://platform.example/${"a".repeat(9000)}`
      const { store } = yield* SocialAccounts
      const stored = yield* store(null, workspace_id, "youtube", { ...long, avatar_url })
      assert.deepStrictEqual([stored.username.length, stored.display_name!.length], [300, 300])
      const sql = yield* PgClient.PgClient
      const [row] = yield* sql`select avatar_url from social_accounts where id = ${stored.id}`
      assert.strictEqual(row!["avatar_url"], null)
    }).pipe(Effect.provideServiceEffect(CurrentActor, actor))
  )

  it.effect("finds an account under the id that it had before its server was upgraded", () =>
    Effect.gen(function* () {
      const { workspace_id } = yield* CurrentActor
      const { store } = yield* SocialAccounts
      const { open } = yield* TokenVault
      const sql = yield* PgClient.PgClient
      const connect = (remote_id: string, former_remote_id?: string) =>
        store(null, workspace_id, "mastodon", {
          ...account("upgraded"),
          credentials: Redacted.make({ token: remote_id }),
          remote_id,
          ...(former_remote_id === undefined ? {} : { former_remote_id })
        })
      const before = yield* connect("compatible/a.example/1")
      const after = yield* connect("mastodon/a.example/1", "compatible/a.example/1")
      assert.strictEqual(after.id, before.id)
      const rows = yield* sql<{ remote_id: string; credentials: Uint8Array }>`
        select remote_id, credentials from social_accounts where workspace_id = ${workspace_id}`
      assert.deepStrictEqual(
        rows.map(({ remote_id }) => remote_id),
        ["compatible/a.example/1"]
      )
      // They are encrypted for the id that is stored.
      const token = open(ofServers, { id: after.id, remote_id: rows[0]!.remote_id }, rows[0]!.credentials)
      assert.deepStrictEqual(yield* token((credentials) => Effect.succeed(Redacted.value(credentials))), {
        token: "mastodon/a.example/1"
      })
      const fresh = yield* connect("mastodon/a.example/2", "compatible/a.example/2")
      const again = yield* connect("mastodon/a.example/2", "compatible/a.example/2")
      assert.strictEqual(again.id, fresh.id)
      assert.notStrictEqual(fresh.id, before.id)
      // Posts of a keyed account are repeated: a server that takes no keys gets none.
      assert.notStrictEqual((yield* connect("compatible/a.example/2")).id, fresh.id)
    }).pipe(Effect.provideServiceEffect(CurrentActor, actor))
  )

  it.effect("connects the account that the person allowed, and says so", () =>
    Effect.gen(function* () {
      const who = yield* actor
      const browser = yield* aBrowser
      const back = yield* consent(browser, (yield* start(who)).authorize_url)
      const page = yield* browser(back({ code: "alice" }))
      assert.strictEqual(page.status, 200)
      assert.include(page.text, "@alice")
      assert.deepStrictEqual(yield* accountsOf(who), ["alice"])
    }).pipe(Effect.scoped)
  )

  it.effect("keeps the id of an account that is connected again", () =>
    Effect.gen(function* () {
      const who = yield* actor
      const browser = yield* aBrowser
      const ids = []
      for (const _ of [1, 2]) {
        const back = yield* consent(
          browser,
          (yield* start(who, { redirect_url: "https://app.example/done?x=1" })).authorize_url
        )
        const sent = yield* browser(back({ code: "again" }))
        assert.strictEqual(sent.status, 303)
        const end = new URL(sent.location)
        assert.strictEqual(`${end.origin}${end.pathname}`, "https://app.example/done")
        assert.deepInclude(Object.fromEntries(end.searchParams), {
          x: "1",
          status: "connected",
          platform: "youtube"
        })
        ids.push(end.searchParams.get("social_account_id"))
      }
      assert.strictEqual(ids[0], ids[1])
    }).pipe(Effect.scoped)
  )

  it.effect("lets the person choose where one sign-in opens several accounts", () =>
    Effect.gen(function* () {
      const who = yield* actor
      const browser = yield* aBrowser
      const back = yield* consent(browser, (yield* start(who)).authorize_url)
      const choice = yield* browser(back({ code: "one,two,three" }))
      assert.match(choice.text, /@one[^]*@two[^]*@three/)
      assert.notInclude(choice.text, "token-of-")
      assert.include(choice.policy, "frame-ancestors 'none'")
      assert.deepStrictEqual(yield* accountsOf(who), [])
      const chosen = {
        ticket: field(choice.text, "ticket"),
        cookie: field(choice.text, "cookie"),
        account: "1"
      }
      const other = yield* aBrowser
      assert.strictEqual(
        (yield* other("https://carillon.example/oauth/callback/youtube", chosen)).status,
        400
      )
      const done = yield* browser("https://carillon.example/oauth/callback/youtube", chosen)
      assert.include(done.text, "@two")
      assert.deepStrictEqual(yield* accountsOf(who), ["two"])
      const again = yield* browser("https://carillon.example/oauth/callback/youtube", chosen)
      assert.strictEqual(again.status, 400)
    }).pipe(Effect.scoped)
  )

  /** A sign-in that opened several accounts, which wait for a choice. */
  const waiting = Effect.fnUntraced(function* (who: CurrentActor["Service"], code: string) {
    const { authorize_url, pending_id } = yield* start(who, { redirect_url: "https://app.example/done" })
    const browser = yield* aBrowser
    const end = yield* browser((yield* consent(browser, authorize_url))({ code }))
    assert.strictEqual(new URL(end.location).searchParams.get("pending"), pending_id)
    return pending_id
  })

  const offer = (who: CurrentActor["Service"], id: string) =>
    Effect.flatMap(PendingConnections, (pending) => pending.get(id, {})).pipe(
      Effect.provideService(CurrentActor, who)
    )

  const choose = (who: CurrentActor["Service"], id: string, ...accounts: ReadonlyArray<string>) =>
    Effect.flatMap(PendingConnections, (pending) => pending.choose(id, { accounts })).pipe(
      Effect.provideService(CurrentActor, who)
    )

  it.effect("hides a choice from whoever did not begin it: another member, key, app, or workspace", () =>
    Effect.gen(function* () {
      const who = yield* actor
      const member = { id: SecureRandom.uuidV7Unsafe(), name: "Olive", role: "owner" as const }
      const grant = { id: "grant", connection: "app", app: "Claude", needs_approval: false, asked: [] }
      const key_id = ApiKeyId.make("newsletter01")
      const credentials = [
        { ...who, member },
        { ...who, member: { ...member, id: SecureRandom.uuidV7Unsafe() } },
        { ...who, grant },
        { ...who, grant: { ...grant, id: "grant of the same app to another person" } },
        { ...who, key_id },
        { ...who, key_id: ApiKeyId.make("newsletter02") }
      ]
      const others = [...credentials, { ...(yield* actor), member }]
      for (const mine of credentials) {
        const id = yield* waiting(mine, "one,two")
        for (const other of others.filter((one) => one !== mine)) {
          assert.strictEqual((yield* Effect.flip(offer(other, id))).code, "not_found")
          assert.strictEqual((yield* Effect.flip(choose(other, id, "one"))).code, "not_found")
        }
        // Whatever the member is called by then.
        const later = mine.member === null ? mine : { ...mine, member: { ...mine.member, name: "Olivia" } }
        assert.lengthOf((yield* offer(later, id)).accounts, 2)
        assert.lengthOf((yield* choose(later, id, "one")).data, 1)
      }
    }).pipe(Effect.scoped)
  )

  it.effect(
    "forgets the tokens of what was not chosen with the choice, and all of them after a quarter of an hour",
    () =>
      Effect.gen(function* () {
        const sql = yield* PgClient.PgClient
        const { collect } = yield* PendingConnections
        const who = yield* actor
        const kept = sql<{ secrets: Uint8Array | null }>`
        select secrets from account_connections where workspace_id = ${who.workspace_id} order by id`
        const chosen = yield* waiting(who, "one,two,three")
        assert.deepStrictEqual(
          (yield* kept).map(({ secrets }) => secrets === null),
          [false]
        )
        yield* choose(who, chosen, "three", "one")
        assert.deepStrictEqual(
          (yield* kept).map(({ secrets }) => secrets),
          [null]
        )
        assert.deepStrictEqual(yield* accountsOf(who), ["one", "three"])

        yield* TestClock.adjust("10 minutes")
        const late = yield* waiting(who, "four,five")
        yield* TestClock.adjust("14 minutes")
        assert.lengthOf((yield* offer(who, late)).accounts, 2)
        yield* TestClock.adjust("1 minute")
        for (const question of [
          Effect.asVoid(offer(who, late)),
          Effect.asVoid(choose(who, late, "four")),
          Effect.asVoid(offer(who, chosen))
        ]) {
          const refused = yield* Effect.flip(question)
          assert.strictEqual(refused.code, "not_found")
          assert.include(refused.detail, "Start again with POST /v1/social-accounts/connect")
        }
        yield* collect
        assert.deepStrictEqual(yield* kept, [])
        assert.deepStrictEqual(yield* accountsOf(who), ["one", "three"])
      }).pipe(Effect.scoped)
  )

  it.effect("asks for the id where two accounts of a sign-in have one name", () =>
    Effect.gen(function* () {
      const who = yield* actor
      const id = yield* waiting(who, "Same,same,other")
      const refused = yield* Effect.flip(choose(who, id, "same"))
      assert.strictEqual(refused.code, "account_not_offered")
      assert.include(refused.detail, "give the id of one: remote-Same or remote-same")
      const { data } = yield* choose(who, id, "remote-same")
      assert.deepStrictEqual(
        data.map(({ username }) => username),
        ["same"]
      )
    }).pipe(Effect.scoped)
  )

  it.effect("is gone once the platform has refused the code, and waits while it is asked", () =>
    Effect.gen(function* () {
      const who = yield* actor
      const browser = yield* aBrowser
      const { authorize_url, pending_id } = yield* start(who)
      assert.strictEqual((yield* offer(who, pending_id)).status, "waiting")
      const back = yield* consent(browser, authorize_url)
      assert.strictEqual((yield* offer(who, pending_id)).status, "waiting")
      assert.strictEqual((yield* browser(back({ code: "bad" }))).status, 400)
      assert.strictEqual((yield* Effect.flip(offer(who, pending_id))).code, "not_found")
    }).pipe(Effect.scoped)
  )

  it.effect("accepts a code only in the browser that followed the link, and once", () =>
    Effect.gen(function* () {
      const who = yield* actor
      const [mine, other] = [yield* aBrowser, yield* aBrowser]
      const back = yield* consent(mine, (yield* start(who)).authorize_url)
      assert.strictEqual((yield* other(back({ code: "mallory" }))).status, 400)
      assert.strictEqual((yield* mine(back({ code: "alice" }))).status, 200)
      assert.strictEqual((yield* mine(back({ code: "alice" }))).status, 400)
      assert.deepStrictEqual(yield* accountsOf(who), ["alice"])
    }).pipe(Effect.scoped)
  )

  it.effect("follows a link once, and not after a quarter of an hour", () =>
    Effect.gen(function* () {
      const who = yield* actor
      const browser = yield* aBrowser
      const first = yield* start(who)
      yield* consent(browser, first.authorize_url)
      for (const form of [{}, undefined]) {
        assert.strictEqual((yield* browser(first.authorize_url, form)).status, 400)
      }
      const late = yield* start(who)
      const back = yield* consent(browser, (yield* start(who)).authorize_url)
      yield* TestClock.adjust("15 minutes")
      for (const form of [{}, undefined]) {
        assert.strictEqual((yield* browser(late.authorize_url, form)).status, 400)
      }
      assert.strictEqual((yield* browser(back({ code: "late" }))).status, 400)
      assert.deepStrictEqual(yield* accountsOf(who), [])
    }).pipe(Effect.scoped)
  )

  it.effect("tells the person, and where they wanted to go, why nothing was connected", () =>
    Effect.gen(function* () {
      const who = yield* actor
      const browser = yield* aBrowser
      const denied = yield* consent(browser, (yield* start(who)).authorize_url)
      const page = yield* browser(denied({ error: "access_denied" }))
      assert.strictEqual(page.status, 400)
      assert.include(page.text, "You did not allow this service")
      const refused = yield* consent(
        browser,
        (yield* start(who, { redirect_url: "https://app.example/done" })).authorize_url
      )
      const end = new URL((yield* browser(refused({ code: "bad" }))).location).searchParams
      assert.deepStrictEqual([end.get("status"), end.get("error")], ["failed", "scopes_missing"])
      const script = yield* consent(browser, (yield* start(who)).authorize_url)
      assert.notInclude((yield* browser(script({ error: "<script>" }))).text, "<script>")
    }).pipe(Effect.scoped)
  )

  it.effect("refuses platforms that are not there, each with what to do", () =>
    Effect.gen(function* () {
      const who = yield* actor
      const refusal = (platform: "pinterest" | "bluesky") => Effect.flip(begin(who, { platform }))
      assert.include((yield* refusal("pinterest")).detail, "PUT /v1/platform-apps/pinterest")
      assert.strictEqual((yield* refusal("bluesky")).code, "platform_not_supported")
      const login = yield* Effect.flip(start(who, { login: "third" }))
      assert.include(login.detail, "usual or other")
    })
  )

  it.effect("keeps what was typed before, encrypted, from the start to the exchange", () =>
    Effect.gen(function* () {
      const who = yield* actor
      const browser = yield* aBrowser
      const sql = yield* PgClient.PgClient
      const { authorize_url } = yield* startAt(who, "bells.example")
      const rows = yield* sql<{ secrets: Uint8Array }>`
        select secrets from account_connections where workspace_id = ${who.workspace_id}`
      assert.notInclude(Buffer.from(rows[0]!.secrets).toString("latin1"), "bells.example")
      const back = yield* consent(browser, authorize_url)
      assert.strictEqual((yield* browser(back({ code: "any" }))).status, 200)
      const [name] = yield* accountsOf(who)
      assert.match(
        name!,
        /^any bells\.example app for https:\/\/carillon\.example\/oauth\/callback\/mastodon\/[0-9a-f]{32}$/
      )
    }).pipe(Effect.scoped)
  )

  const trail = (who: CurrentActor["Service"]) =>
    Effect.flatMap(Audit, (audit) =>
      audit.list({ action: ["account.refused"] }, { limit: 50, offset: 0 })
    ).pipe(
      Effect.provideService(CurrentActor, who),
      Effect.map(({ data }) => data.map(({ subject }) => subject?.name))
    )

  it.effect("sends each server's people back to an address that no other server has", () =>
    Effect.gen(function* () {
      const who = yield* actor
      const browser = yield* aBrowser
      const addresses = yield* Effect.forEach(
        ["one.example", "two.example", "one.example", "one.example:8443"],
        (server) =>
          Effect.gen(function* () {
            const sent = yield* browser((yield* startAt(who, server)).authorize_url, {})
            return new URL(sent.location).searchParams.get("redirect_uri")
          })
      )
      assert.strictEqual(addresses[0], addresses[2])
      assert.strictEqual(new Set(addresses).size, 3)
    }).pipe(Effect.scoped)
  )

  /** Where a visit at `asked.example` may end instead. */
  const elsewhere: ReadonlyArray<readonly [string, (own: URL, other: URL) => string]> = [
    ["at another server's address", (own, other) => `${other.origin}${other.pathname}${own.search}`],
    [
      "at the address that all servers had",
      ({ origin, search }) => `${origin}/oauth/callback/mastodon${search}`
    ],
    ["at another platform's address", ({ origin, search }) => `${origin}/oauth/callback/youtube${search}`],
    ["below its own address", ({ origin, pathname, search }) => `${origin}${pathname}/x${search}`],
    ["with the name of another server", ({ href }) => `${href}&iss=https%3A%2F%2Fother.example`],
    ["with two names", ({ href }) => `${href}&iss=https://asked.example&iss=https://other.example`],
    ["with a name that only begins alike", ({ href }) => `${href}&iss=https://asked.example.other.example`]
  ]

  it.effect.each(
    elsewhere.flatMap(([where, to]) => [[where, "code", to] as const, [where, "error", to] as const])
  )(
    "refuses what comes back %s with a %s, before any request leaves, and says so in the trail",
    ([, what, to]) =>
      Effect.gen(function* () {
        const who = yield* actor
        const browser = yield* aBrowser
        const [own, other] = yield* Effect.forEach(["asked.example", "other.example"], (server) =>
          Effect.flatMap(startAt(who, server), ({ authorize_url }) => consent(browser, authorize_url))
        )
        const before = exchanged.length
        const page = yield* browser(
          to(new URL(own!({ [what]: "access_denied" })), new URL(other!({ [what]: "access_denied" })))
        )
        assert.strictEqual(page.status, 400)
        assert.include(page.text, "the answer came from elsewhere")
        assert.include(page.text, "asked.example may have tried")
        assert.strictEqual(exchanged.length, before)
        assert.deepStrictEqual(yield* accountsOf(who), [])
        assert.deepStrictEqual(yield* trail(who), ["asked.example"])
        // The visit is over.
        assert.include((yield* browser(own!({ code: "late" }))).text, "This link has been used")
      }).pipe(Effect.scoped)
  )

  it.effect("completes no visit at the address of another platform, nor with another's name", () =>
    Effect.gen(function* () {
      const who = yield* actor
      const browser = yield* aBrowser
      for (const [name, value] of [
        ["path", "/oauth/callback/tiktok"],
        ["path", "/oauth/callback/mastodon/0123456789abcdef0123456789abcdef"],
        ["iss", "https://www.tiktok.com"]
      ] as const) {
        const back = new URL((yield* consent(browser, (yield* start(who)).authorize_url))({ code: "alice" }))
        if (name === "path") back.pathname = value
        else back.searchParams.set(name, value)
        const page = yield* browser(back.href)
        assert.strictEqual(page.status, 400)
        assert.include(page.text, "an account at YouTube, and the answer came from elsewhere")
      }
      assert.deepStrictEqual(yield* accountsOf(who), [])
      assert.deepStrictEqual(yield* trail(who), ["YouTube", "YouTube", "YouTube"])
      const back = yield* consent(browser, (yield* start(who)).authorize_url)
      assert.strictEqual(
        (yield* browser(back({ code: "alice", iss: "https://platform.example" }))).status,
        200
      )
    }).pipe(Effect.scoped)
  )

  it.effect.each(["in the query", "in the form", "at another address"] as const)(
    "refuses a choice that comes from another server: %s",
    (where) =>
      Effect.gen(function* () {
        const who = yield* actor
        const browser = yield* aBrowser
        const back = yield* consent(browser, (yield* startAt(who, "asked.example")).authorize_url)
        const own = new URL(back({ code: "one,two", iss: "https://asked.example/" }))
        const choice = yield* browser(own.href)
        const chosen = {
          ticket: field(choice.text, "ticket"),
          cookie: field(choice.text, "cookie"),
          account: "1"
        }
        if (where === "in the query") own.searchParams.append("iss", "https://other.example")
        if (where === "at another address") own.pathname = "/oauth/callback/mastodon"
        const page = yield* browser(own.href, {
          ...chosen,
          ...(where === "in the form" ? { iss: "https://other.example" } : {})
        })
        assert.strictEqual(page.status, 400)
        assert.deepStrictEqual(yield* accountsOf(who), [])
        assert.deepStrictEqual(yield* trail(who), ["asked.example"])
      }).pipe(Effect.scoped)
  )

  it.effect("refuses fields that are missing, that nobody asks for, and a server that cannot be used", () =>
    Effect.gen(function* () {
      const who = yield* actor
      const flaws = (platform: "mastodon" | "youtube", fields?: Readonly<Record<string, string>>) =>
        Effect.flip(begin(who, { platform, ...(fields === undefined ? {} : { fields }) })).pipe(
          Effect.map((problem) => problem.errors?.map(({ code, path }) => `${path} ${code}`))
        )
      assert.deepStrictEqual(yield* flaws("mastodon"), ["fields.server missing"])
      assert.deepStrictEqual(yield* flaws("mastodon", { server: "a.example", token: "x" }), [
        "fields.token unknown_field"
      ])
      assert.deepStrictEqual(yield* flaws("youtube", { server: "a.example" }), [
        "fields.server unknown_field"
      ])
      assert.deepStrictEqual(yield* flaws("mastodon", { server: "bad.example" }), ["fields server_too_old"])
    })
  )

  it.effect("says who asks before anything is used up, to previews, programs and other sites too", () =>
    Effect.gen(function* () {
      const sql = yield* PgClient.PgClient
      const who = yield* actor
      yield* sql`update workspaces set name = ${"The <b>bakery</b>"} where id = ${who.workspace_id}`
      const member = { id: SecureRandom.uuidV7Unsafe(), name: "Olive & Co", role: "owner" as const }
      const redirect_url = "https://app.example/done"
      const { authorize_url } = yield* start({ ...who, member }, { redirect_url })
      const browser = yield* aBrowser
      const looks = [
        [undefined, { method: "HEAD" }],
        [undefined, { headers: { purpose: "prefetch" } }],
        [undefined, { headers: { "user-agent": "chat preview" } }],
        // A page elsewhere that sends the form takes nobody past this one.
        [{}, { headers: { "sec-fetch-site": "cross-site" } }],
        [{}, { headers: { "sec-fetch-site": "same-site" } }],
        [undefined, {}]
      ] as const
      for (const [form, more] of looks) {
        const { headers, location, status, text } = yield* browser(authorize_url, form, more)
        assert.deepStrictEqual([status, location], [200, ""], JSON.stringify(more))
        assert.strictEqual(headers.get("cache-control"), "no-store")
        assert.strictEqual(headers.get("x-robots-tag"), "noindex")
        assert.deepStrictEqual(headers.getSetCookie(), [])
        if ("method" in more) continue
        for (const words of ["The &lt;b&gt;bakery&lt;/b&gt;", "Olive &amp; Co", "YouTube", "app.example"]) {
          assert.include(text, words)
        }
        assert.include(text, '<form method="post">')
        assert.notInclude(text, "<script")
      }
      // The network may lead the browser on to hosts of its own.
      assert.match((yield* browser(authorize_url)).policy, /form-action 'self' https:;/)
      const sent = yield* browser(authorize_url, {}, { headers: { "sec-fetch-site": "same-origin" } })
      assert.strictEqual(sent.status, 303)
      assert.include(sent.location, "https://platform.example/authorize?")
    }).pipe(Effect.scoped)
  )

  it.effect("names whoever made the link: a key by its name, an app, and the service itself", () =>
    Effect.gen(function* () {
      const sql = yield* PgClient.PgClient
      const who = yield* actor
      const created_at = DateTime.toDateUtc(yield* DateTime.now)
      const key = {
        id: ApiKeyId.make("newsletter01"),
        workspace_id: who.workspace_id,
        name: "Newsletter",
        secret_hash: new Uint8Array(32),
        scopes: ["admin"],
        created_at
      }
      yield* sql`insert into api_keys ${sql.insert(key)}`
      const browser = yield* aBrowser
      const by = Effect.fnUntraced(function* (actor: Partial<CurrentActor["Service"]>) {
        const { authorize_url } = yield* start({ ...who, ...actor })
        return /<dt>Invited by<\/dt><dd>([^<]*)</.exec((yield* browser(authorize_url)).text)?.[1]
      })
      const grant = { id: "grant", connection: "app", app: "Claude", needs_approval: false, asked: [] }
      assert.strictEqual(yield* by({ key_id: key.id }), "the API key Newsletter")
      assert.strictEqual(yield* by({ grant }), "the app Claude")
      assert.strictEqual(yield* by({}), "the operator of this service")
    }).pipe(Effect.scoped)
  )

  it.effect("gives the cookie to this service alone, out of reach of scripts", () =>
    Effect.gen(function* () {
      const browser = yield* aBrowser
      const { cookie } = yield* browser((yield* start(yield* actor)).authorize_url, {})
      for (const wanted of ["HttpOnly", "Secure", "SameSite=Lax", "Path=/oauth/callback"]) {
        assert.include(cookie, wanted)
      }
    }).pipe(Effect.scoped)
  )
})
