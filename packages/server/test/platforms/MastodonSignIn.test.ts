import { type Fault, SandboxProcess } from "@carillon/sandbox/testing"
import type { RegisteredApp } from "@carillon/server/AppConfig"
import { CredentialCipher } from "@carillon/server/crypto/CredentialCipher"
import { Secrets } from "@carillon/server/crypto/Secrets"
import { RemoteFetch } from "@carillon/server/http/RemoteFetch"
import { Throttle } from "@carillon/server/http/Throttle"
import { makeMastodon } from "@carillon/server/platforms/mastodon/Mastodon"
import { MastodonApps } from "@carillon/server/platforms/mastodon/MastodonApps"
import { allowConsent } from "@carillon/testing/allowConsent"
import { SharedSandbox } from "@carillon/testing/SharedService"
import * as TestConfig from "@carillon/testing/TestConfig"
import * as TestSql from "@carillon/testing/TestSql"
import { NodeHttpClient } from "@effect/platform-node"
import { PgClient } from "@effect/sql-pg"
import { assert, layer } from "@effect/vitest"
import { Deferred, Effect, Layer, Redacted, Result } from "effect"
import { HttpClient } from "effect/http"

// Every expectation here is from https://docs.joinmastodon.org: methods/apps, methods/oauth, api/oauth-scopes, entities/Instance.

const secretsOf = (present: number, ...former: ReadonlyArray<number>) =>
  Layer.succeed(
    Secrets,
    Secrets.of({
      root: Redacted.make("not used here"),
      key: () => new Uint8Array(32).fill(present),
      formerKeys: () => former.map((byte) => new Uint8Array(32).fill(byte))
    })
  )

const Below = Layer.mergeAll(
  CredentialCipher.layer.pipe(Layer.provideMerge(secretsOf(1))),
  Throttle.layer,
  RemoteFetch.layer.pipe(Layer.provide(TestConfig.layer)),
  SharedSandbox,
  NodeHttpClient.layerUndici
).pipe(Layer.provideMerge(TestSql.layer))

const redirect_uri = "http://127.0.0.1:9/oauth/callback/mastodon"

/** As one process of the service has it. */
const aProcess = Effect.gen(function* () {
  const { on, url } = yield* SandboxProcess
  const client = yield* HttpClient.HttpClient
  const guarded = yield* RemoteFetch
  const sql = yield* PgClient.PgClient
  const platform = makeMastodon(guarded.client, {
    allow_http: false,
    test_network: { client, at: (host) => `${url}/${host}` },
    apps: yield* MastodonApps.make,
    website: "http://127.0.0.1:9"
  })
  // The tests share an hour.
  yield* sql`delete from throttles`
  const oauth = platform.oauth!
  const { arrange: arrangeAt, named } = oauth.servers!
  const arrange = (server: string) =>
    Effect.flatMap(named({ server }), (address) => arrangeAt(address, redirect_uri))
  const registrations = (server: string) =>
    Effect.map(
      on("mastodon").requests(server),
      (requests) => requests.filter(({ operation }) => operation === "register").length
    )
  const script = (server: string, fault: object) => on("mastodon").script(server, [fault as Fault])
  const consented = Effect.fnUntraced(function* (server: string, username: string) {
    const consent = {
      login: "mastodon",
      redirect_uri,
      state: "state",
      code_verifier: "v".repeat(64),
      fields: yield* arrange(server)
    }
    const page = oauth.authorizeUrl(consent)
    const asked = new URL(page).searchParams
    const back = yield* allowConsent(page, username, asked.get("scope")!.split(" "))
    return { ...consent, asked, code: new URL(back!).searchParams.get("code")! }
  })
  return { platform, oauth, arrange, registrations, script, consented }
})

const app = (id: string): RegisteredApp => ({ id, secret: Redacted.make(`secret-of-${id}`) })
const placeOf = (server: string) => ({ server, redirect_uri, scopes: "write" })
const known = () => Effect.succeed(true)
const never = Effect.die("not registered anew")

layer(Below, { excludeTestServices: true })("signing in at a Mastodon server", (it) => {
  it.effect("registers once for a server, for all who begin at once and later", () =>
    Effect.gen(function* () {
      const { arrange, registrations } = yield* aProcess
      const begun = yield* Effect.all([arrange("mastodon.sandbox"), arrange("https://mastodon.sandbox/")], {
        concurrency: 2
      })
      const later = yield* (yield* aProcess).arrange("@bells@mastodon.sandbox")
      assert.strictEqual(new Set([...begun, later].map(({ client_id }) => client_id)).size, 1)
      assert.strictEqual(yield* registrations("mastodon.sandbox"), 1)
    }).pipe(Effect.scoped)
  )

  it.effect("registers anew where the server has forgotten the app", () =>
    Effect.gen(function* () {
      const { arrange, script } = yield* aProcess
      const before = yield* arrange("mastodon.sandbox")
      yield* script("mastodon.sandbox", {
        on: "session",
        fault: "refuse",
        status: 401,
        code: "invalid_client"
      })
      const after = yield* arrange("mastodon.sandbox")
      assert.notStrictEqual(after["client_id"], before["client_id"])
      assert.strictEqual((yield* arrange("mastodon.sandbox"))["client_id"], after["client_id"])
      yield* script("mastodon.sandbox", { on: "session", fault: "refuse", status: 401, code: "unauthorized" })
      const last = yield* arrange("mastodon.sandbox")
      assert.notStrictEqual(last["client_id"], after["client_id"])
      // What else it may say of the question tells nothing of the app.
      yield* script("mastodon.sandbox", {
        on: "session",
        fault: "refuse",
        status: 400,
        code: "unsupported_grant_type"
      })
      assert.strictEqual((yield* arrange("mastodon.sandbox"))["client_id"], last["client_id"])
    }).pipe(Effect.scoped)
  )

  it.effect("shares no app where a server may not look at the code", () =>
    Effect.gen(function* () {
      const { arrange, registrations } = yield* aProcess
      const [one, other] = [yield* arrange("snac.sandbox"), yield* arrange("snac.sandbox")]
      assert.notStrictEqual(one["client_id"], other["client_id"])
      assert.strictEqual(yield* registrations("snac.sandbox"), 2)
    }).pipe(Effect.scoped)
  )

  it.effect(
    "registers five times an hour at a server, in all processes together, and counts nothing else",
    () =>
      Effect.gen(function* () {
        const processes = [yield* aProcess, yield* aProcess]
        const tries = yield* Effect.forEach(
          Array.from({ length: 8 }, (_, index) => processes[index % 2]!),
          ({ arrange }) => Effect.result(arrange("pleroma.sandbox")),
          { concurrency: "unbounded" }
        )
        const refused = tries.filter(Result.isFailure).map(({ failure }) => failure)
        assert.deepStrictEqual(
          refused.map(({ class: errorClass, code }) => `${errorClass} ${code}`),
          Array(3).fill("rate_limited too_many_registrations")
        )
        assert.isTrue(refused.every(({ message }) => message.includes("pleroma.sandbox five times")))
        const { arrange, registrations, script } = processes[0]!
        assert.strictEqual(yield* registrations("pleroma.sandbox"), 5)
        // A server that is asked for no registration is never counted.
        for (let visit = 0; visit < 6; visit++) {
          assert.strictEqual((yield* Effect.flip(arrange("nothing.sandbox"))).code, "not_a_mastodon_server")
          yield* arrange("mastodon.sandbox")
        }
        // One that forgets its apps is.
        const before = yield* registrations("mastodon.sandbox")
        for (let visit = 0; visit < 6; visit++) {
          yield* script("mastodon.sandbox", {
            on: "session",
            fault: "refuse",
            status: 401,
            code: "unauthorized"
          })
          yield* Effect.result(arrange("mastodon.sandbox"))
        }
        assert.isAtMost((yield* registrations("mastodon.sandbox")) - before, 5)
      }).pipe(Effect.scoped)
  )

  it.effect("asks for PKCE and the least scopes that the server offers", () =>
    Effect.gen(function* () {
      const { consented, oauth } = yield* aProcess
      const mastodon = yield* consented("mastodon.sandbox", "signs-in")
      assert.strictEqual(mastodon.asked.get("code_challenge_method"), "S256")
      assert.strictEqual(
        mastodon.asked.get("scope"),
        "profile write:statuses write:media read:statuses read:search"
      )
      const [account] = yield* oauth.exchange(mastodon)
      assert.strictEqual(account!.username, "signs-in@mastodon.sandbox")
      const other = yield* consented("snac.sandbox", "signs-in")
      assert.isNull(other.asked.get("code_challenge"))
      assert.strictEqual(
        other.asked.get("scope"),
        "read:accounts write:statuses write:media read:statuses read:search"
      )
      assert.strictEqual((yield* oauth.exchange(other))[0]!.username, "signs-in@snac.sandbox")
    }).pipe(Effect.scoped)
  )

  it.effect(
    "says of a code that is used twice, and of an app that was forgotten meanwhile, to begin again",
    () =>
      Effect.gen(function* () {
        const { consented, oauth } = yield* aProcess
        const consent = yield* consented("mastodon.sandbox", "twice")
        yield* oauth.exchange(consent)
        assert.deepInclude(yield* Effect.flip(oauth.exchange(consent)), {
          code: "invalid_grant",
          message: "The consent has expired or was already used. Start connecting the account again."
        })
        const forgotten = { ...consent, fields: { ...consent.fields, client_id: "none" } }
        const error = yield* Effect.flip(oauth.exchange(forgotten))
        assert.strictEqual(error.code, "invalid_client")
        assert.include(error.message, "will register itself again")
      }).pipe(Effect.scoped)
  )

  it.effect("revokes the token at the server, and none that a person made", () =>
    Effect.gen(function* () {
      const { consented, oauth, platform } = yield* aProcess
      const [account] = yield* oauth.exchange(yield* consented("mastodon.sandbox", "leaves"))
      const { access_token } = Redacted.value(account!.credentials)
      const typed = { server: "mastodon.sandbox", access_token }
      const pasted = yield* platform.connect!(typed)
      const { revoke, shared } = platform.revocation!
      const of = { platform: "mastodon" as const }
      assert.isTrue(shared({ ...account!, ...of }, { ...pasted, ...of }))
      assert.strictEqual(yield* revoke(pasted.credentials), "not_offered")
      assert.strictEqual(yield* revoke(account!.credentials), "revoked")
      const error = yield* Effect.flip(platform.connect!(typed))
      assert.match(error.message, /rejected the access token/)
    }).pipe(Effect.scoped)
  )

  it.effect.each([
    [
      "nothing.sandbox",
      null,
      "not_a_mastodon_server",
      /nothing\.sandbox does not answer like a Mastodon server/
    ],
    ["old.sandbox", null, "server_too_old", /old\.sandbox runs Mastodon 3\.1\.2\. Carillon needs 3\.1\.3/],
    [
      "terse.sandbox",
      {
        on: "register",
        fault: "refuse",
        status: 422,
        message: "Validation failed: Redirect URI is forbidden."
      },
      "registration_refused",
      /does not allow Carillon to register.* "Validation failed: Redirect URI is forbidden\."/
    ],
    [
      "terse.sandbox",
      { on: "register", fault: "forbidden" },
      "registration_refused",
      /terse\.sandbox rejected the request with status 403/
    ],
    [
      "terse.sandbox",
      { on: "register", fault: "server_error_before" },
      "server_unreachable",
      /terse\.sandbox did not give a usable answer \(http_500\)/
    ],
    [
      "terse.sandbox",
      { on: "register", fault: "half_body" },
      "not_a_mastodon_server",
      /Give the server's own name/
    ],
    ["terse.sandbox", { on: "register", fault: "long_answer" }, "server_unreachable", /answer_too_long/],
    ["terse.sandbox", { on: "register", fault: "rate_limited" }, "rate_limited", /rate limiting/],
    ["127.0.0.1", null, "server_unreachable", /address_not_allowed/],
    ["http://mastodon.social", null, "credentials_rejected", /is not a server/],
    // Another name of a server, which would be counted apart.
    ["mastodon.sandbox.", null, "credentials_rejected", /is not a server/]
  ] as const)("says why nobody can sign in at %s: %j", ([server, fault, code, message]) =>
    Effect.gen(function* () {
      const { arrange, script } = yield* aProcess
      if (fault !== null) yield* script(server, fault)
      const error = yield* Effect.flip(arrange(server))
      assert.strictEqual(error.code, code)
      assert.match(error.message, message)
    }).pipe(Effect.scoped)
  )

  it.effect("uses one of the apps that two processes have registered at once", () =>
    Effect.gen(function* () {
      const place = placeOf("https://raced.example")
      const both = yield* Deferred.make<void>()
      let begun = 0
      const register = (id: string) =>
        Effect.suspend(() => (++begun === 2 ? Deferred.succeed(both, undefined) : Effect.void)).pipe(
          Effect.andThen(Deferred.await(both)),
          Effect.as(app(id))
        )
      const used = yield* Effect.forEach(
        ["one", "two"],
        (id) => Effect.flatMap(MastodonApps.make, ({ obtain }) => obtain(place, known, register(id))),
        { concurrency: 2 }
      )
      const { obtain } = yield* MastodonApps.make
      used.push(yield* obtain(place, known, never))
      assert.strictEqual(new Set(used.map(({ id, secret }) => `${id} ${Redacted.value(secret)}`)).size, 1)
    }).pipe(Effect.scoped)
  )

  it.effect("keeps the secret encrypted, and renews that under a new secret of the service", () =>
    Effect.gen(function* () {
      const sql = yield* PgClient.PgClient
      const place = placeOf("https://kept.example")
      yield* (yield* MastodonApps.make).obtain(place, known, Effect.succeed(app("kept")))
      const [row] = yield* sql<{ client_secret: Uint8Array }>`
        select client_secret from mastodon_apps where server = ${place.server}`
      assert.notInclude(Buffer.from(row!.client_secret).toString("latin1"), "secret-of-kept")
      const under = (...secrets: readonly [number, ...ReadonlyArray<number>]) =>
        MastodonApps.make.pipe(
          Effect.provide(Layer.fresh(CredentialCipher.layer).pipe(Layer.provide(secretsOf(...secrets))))
        )
      const rotated = yield* under(2, 1)
      assert.isAtLeast(yield* rotated.reencrypt, 1)
      assert.strictEqual(yield* rotated.reencrypt, 0)
      const found = yield* (yield* under(2)).obtain(place, known, never)
      assert.strictEqual(Redacted.value(found.secret), "secret-of-kept")
      assert.isAtLeast(yield* (yield* under(1, 2)).reencrypt, 1)
    }).pipe(Effect.scoped)
  )

  it.effect("keeps a thousand apps, the newest", () =>
    Effect.gen(function* () {
      const sql = yield* PgClient.PgClient
      yield* sql`
        insert into mastodon_apps
        select 'https://' || number || '.example', 'x', 'x', 'x', ''::bytea, now() - interval '1 day' * number
        from generate_series(1, 1000) as number`
      const { obtain } = yield* MastodonApps.make
      yield* obtain(placeOf("https://newest.example"), known, Effect.succeed(app("newest")))
      const [{ count }] = (yield* sql<{ count: number }>`
        select count(*)::int as count from mastodon_apps`) as [{ count: number }]
      assert.strictEqual(count, 1000)
      yield* obtain(placeOf("https://newest.example"), known, never)
    }).pipe(Effect.scoped)
  )
})
