import { allowConsent } from "@carillon/testing/allowConsent"
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { createServer, type IncomingMessage } from "node:http"
import { text } from "node:stream/consumers"
import { listening } from "../../packages/server/test/http/TestServer.ts"
import { Service, type ServiceCalls } from "@carillon/testing/ServiceProcess"
import { anotherWorkspace, SharedService } from "@carillon/testing/SharedService"

/** A Mastodon server that sends whoever signs in to `leadsTo` instead, and keeps the codes that it is given. */
const dishonestServer = Effect.gen(function* () {
  const codes: Array<string> = []
  let leadsTo = (_asked: URLSearchParams) => "/"
  const answer = async (
    request: IncomingMessage
  ): Promise<[status: number, body: object, location?: string]> => {
    const { pathname, searchParams } = new URL(request.url!, "http://x")
    const form = new URLSearchParams(await text(request))
    switch (pathname) {
      case "/.well-known/oauth-authorization-server":
        return [200, { code_challenge_methods_supported: ["S256"], scopes_supported: ["profile"] }]
      case "/api/v2/instance":
        return [200, { domain: "kind.example", version: "4.5.2", api_versions: { mastodon: 7 } }]
      case "/api/v1/apps":
        return [200, { client_id: "its-app", client_secret: "its-secret" }]
      case "/oauth/authorize":
        return [302, {}, leadsTo(searchParams)]
      case "/oauth/token":
        if (form.has("code")) codes.push(form.get("code")!)
        return [200, { access_token: "its-token", token_type: "Bearer" }]
      case "/api/v1/accounts/verify_credentials":
        return [200, { id: "1", username: "its-own" }]
      default:
        return [404, { error: "Record not found" }]
    }
  }
  const { port } = yield* listening(
    createServer((request, response) => {
      void answer(request).then(([status, body, location]) =>
        response
          .writeHead(status, {
            "content-type": "application/json",
            ...(location === undefined ? {} : { location })
          })
          .end(JSON.stringify(body))
      )
    })
  )
  return {
    url: `http://127.0.0.1:${port}`,
    codes,
    leads: (to: typeof leadsTo) => {
      leadsTo = to
    }
  }
})

/** A person's browser in one visit; it goes where it is sent by hand. */
const begun = Effect.fnUntraced(function* (calls: ServiceCalls, server: string) {
  const { body, status } = yield* calls.call("POST", "/v1/social-accounts/connect", {
    platform: "mastodon",
    fields: { server }
  })
  assert.strictEqual(status, 201, JSON.stringify(body))
  const followed = yield* Effect.promise(() =>
    fetch(body.authorize_url, { method: "POST", redirect: "manual" })
  )
  const cookie = followed.headers.get("set-cookie")!.split(";", 1)[0]!
  const visit = (url: string) =>
    Effect.promise(async () => {
      const response = await fetch(url, { redirect: "manual", headers: { cookie } })
      return {
        status: response.status,
        location: response.headers.get("location") ?? "",
        text: await response.text()
      }
    })
  return { visit, page: new URL(followed.headers.get("location")!) }
})

/** Allows all that is asked for. */
const allow = (page: string | URL, username: string) =>
  allowConsent(page, username, new URL(page).searchParams.get("scope")!.split(" "))

const usernames = (calls: ServiceCalls) =>
  Effect.map(calls.call("GET", "/v1/social-accounts?limit=100"), ({ body }) =>
    body.data.map(({ username }: { readonly username: string }) => username)
  )

const refusals = (calls: ServiceCalls) =>
  Effect.map(calls.call("GET", "/v1/audit?action=account.refused"), ({ body }) =>
    body.data.map(({ subject }: any) => subject.name)
  )

layer(SharedService, { excludeTestServices: true })("a dishonest Mastodon server", (it) => {
  it.effect.each(["mastodon.sandbox", "gotosocial.sandbox", "pleroma.sandbox"])(
    "gets no code of %s by sending a person there, and nobody else gets the account",
    (honest) =>
      Effect.gen(function* () {
        const victims = yield* Service
        const attackers = yield* anotherWorkspace
        const dishonest = yield* dishonestServer
        const victim = `mixed-up-${honest.split(".")[0]}`
        // The attacker begins at the honest server and keeps the address of its consent page.
        const kept = yield* begun(attackers, honest)
        dishonest.leads((asked) => {
          const page = new URL(kept.page)
          page.searchParams.set("state", asked.get("state")!)
          return page.href
        })
        // The victim connects an account of the dishonest server, and consents on the honest one's page.
        const { page, visit } = yield* begun(victims, dishonest.url)
        const consent = (yield* visit(page.href)).location
        assert.include(consent, `/${honest}/oauth/authorize`)
        const ended = yield* visit((yield* allow(consent, victim))!)
        // The attacker ends their own visit with what the dishonest server got.
        for (const code of dishonest.codes) {
          const { searchParams } = kept.page
          const answer = new URLSearchParams({ state: searchParams.get("state")!, code })
          yield* kept.visit(`${searchParams.get("redirect_uri")}?${answer}`)
        }
        assert.deepStrictEqual(yield* usernames(attackers), [])
        assert.deepStrictEqual(dishonest.codes, [])
        assert.strictEqual(ended.status, 400)
        assert.include(ended.text, new URL(dishonest.url).host)
        assert.notInclude(yield* usernames(victims), `${victim}@${honest}`)
        assert.include(yield* refusals(victims), new URL(dishonest.url).host)
      }).pipe(Effect.scoped)
  )

  it.effect("a dishonest Mastodon server cannot have its own redirect address used at an honest server", () =>
    Effect.gen(function* () {
      const victims = yield* Service
      const dishonest = yield* dishonestServer
      const kept = yield* begun(yield* anotherWorkspace, "mastodon.sandbox")
      const { page } = yield* begun(victims, dishonest.url)
      const own = page.searchParams.get("redirect_uri")!
      assert.notStrictEqual(own, kept.page.searchParams.get("redirect_uri"))
      kept.page.searchParams.set("redirect_uri", own)
      kept.page.searchParams.set("state", page.searchParams.get("state")!)
      assert.isNull(yield* allow(kept.page, "mixed-up-own"))
    }).pipe(Effect.scoped)
  )

  it.effect.each([
    ["alone", (other: string) => [other]],
    ["beside the right one", (other: string, right: string) => [right, other]],
    ["empty", () => [""]]
  ] as const)(
    "a dishonest Mastodon server is refused before any request where iss names another server: %s",
    ([, issuers]) =>
      Effect.gen(function* () {
        const victims = yield* Service
        const dishonest = yield* dishonestServer
        const { page, visit } = yield* begun(victims, dishonest.url)
        const back = new URL(page.searchParams.get("redirect_uri")!)
        back.searchParams.set("state", page.searchParams.get("state")!)
        back.searchParams.set("code", "a-code")
        for (const iss of issuers("https://mastodon.sandbox", dishonest.url))
          back.searchParams.append("iss", iss)
        const { status } = yield* visit(back.href)
        assert.strictEqual(status, 400)
        assert.deepStrictEqual(dishonest.codes, [])
        assert.include(yield* refusals(victims), new URL(dishonest.url).host)
      }).pipe(Effect.scoped)
  )

  it.effect(
    "a dishonest Mastodon server is taken for what it is where the answer is its own, with its name or without",
    () =>
      Effect.gen(function* () {
        const calls = yield* Service
        const server = yield* dishonestServer
        for (const iss of [{}, { iss: server.url }, { iss: `${server.url}/` }]) {
          const { page, visit } = yield* begun(calls, server.url)
          const answer = { state: page.searchParams.get("state")!, code: "own", ...iss }
          const ended = yield* visit(
            `${page.searchParams.get("redirect_uri")}?${new URLSearchParams(answer)}`
          )
          assert.strictEqual(ended.status, 200, ended.text)
        }
        assert.lengthOf(server.codes, 3)
      }).pipe(Effect.scoped)
  )
})
