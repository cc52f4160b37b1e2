import { Exchange, Refused } from "@carillon/sandbox/Exchange"
import { Faults } from "@carillon/sandbox/Faults"
import { Journal } from "@carillon/sandbox/Journal"
import { Ledger } from "@carillon/sandbox/Ledger"
import { NodeServer } from "@carillon/sandbox/NodeServer"
import {
  type AuthorizationServer,
  authorizationRoutes,
  refusals,
  standardErrors
} from "@carillon/sandbox/oauth/AuthorizationServer"
import { authorization } from "@carillon/sandbox/oauth/Bearer"
import { Tokens } from "@carillon/sandbox/oauth/Tokens"
import { SandboxConfig } from "@carillon/sandbox/SandboxConfig"
import * as NodeHttpServer from "@effect/platform-node/NodeHttpServer"
import { assert, layer } from "@effect/vitest"
import { Effect, Layer, Option } from "effect"
import { HttpRouter } from "effect/http"
import { createHash } from "node:crypto"

/** As a server that registers apps by itself would keep them: id and secret. */
const apps = new Map([
  ["first", "secret-of-first"],
  ["second", "secret-of-second"]
])

const client = {
  errors: standardErrors("sandbox"),
  client: "parameters",
  isSecret: (secret: string, id: string) => apps.get(id) === secret,
  refusal: refusals((reason) =>
    reason === "client_id" || reason === "client_secret" ? { status: 401 } : undefined
  )
} as const

/** In the manner of https://docs.joinmastodon.org/methods/oauth/: PKCE is optional, and tokens never end. */
const lasting: AuthorizationServer = {
  platform: "sandbox",
  name: "A server",
  scopeSeparator: " ",
  pkce: true,
  consent: ["/oauth/authorize"],
  endpoints: [
    {
      ...client,
      method: "POST",
      path: "/oauth/token",
      grants: { authorization_code: { by: "code", access: null, refresh: null } },
      // Without a scope, as some compatible servers answer.
      answer: ({ access_token, now }) => ({ access_token, token_type: "Bearer", created_at: now })
    }
  ],
  revocation: { ...client, path: "/oauth/revoke", of: ["access"], ends: "token", answer: {} }
}

/** Its codes have run out when they are there. */
const hasty: AuthorizationServer = {
  ...lasting,
  codeSeconds: 0,
  consent: ["/hasty/authorize"],
  endpoints: lasting.endpoints.map((endpoint) => ({ ...endpoint, path: "/hasty/token" }) as const),
  revocation: { ...lasting.revocation!, path: "/hasty/revoke" }
}

const Routes = HttpRouter.addAll(
  Effect.gen(function* () {
    const exchange = yield* Exchange
    const caller = authorization(
      {
        platform: "sandbox",
        invalid: () => new Refused({ status: 401, code: "invalid", message: "The access token is invalid" })
      },
      yield* Tokens
    )
    return [
      ...(yield* authorizationRoutes(lasting)),
      ...(yield* authorizationRoutes(hasty)),
      exchange.endpoints({ dialect: standardErrors("sandbox"), caller })("GET", "/account", {
        operation: "account",
        answer: ({ account }) => ({ username: account })
      })
    ]
  })
)

const Server = Layer.effectDiscard(
  Effect.gen(function* () {
    const { listen } = yield* NodeServer
    yield* listen(Effect.orDie(yield* HttpRouter.toHttpEffect(Routes)))
  })
).pipe(
  Layer.provideMerge(Exchange.layer),
  Layer.provideMerge(Layer.mergeAll(Ledger.layer, Faults.layer, Tokens.layer)),
  Layer.provideMerge(Layer.mergeAll(Journal.layer, NodeServer.layer)),
  Layer.provide(
    Layer.succeed(SandboxConfig, { host: "127.0.0.1", port: 0, allowedHosts: [], directory: Option.none() })
  ),
  Layer.provide(NodeHttpServer.layerHttpServices)
)

const redirect_uri = "http://127.0.0.1:9/callback"
const verifier = "v".repeat(64)
const pkce = {
  code_challenge: createHash("sha256").update(verifier).digest("base64url"),
  code_challenge_method: "S256"
}

const call = Effect.fnUntraced(function* (path: string, init: RequestInit = {}) {
  const url = (yield* NodeServer).url()
  return yield* Effect.promise(async () => {
    const response = await fetch(url + path, { redirect: "manual", ...init })
    const text = await response.text()
    const location = response.headers.get("location")
    return { status: response.status, body: location ?? (JSON.parse(text) as any) }
  })
})

const form = (path: string, fields: Record<string, string>) =>
  call(path, {
    method: "POST",
    body: new URLSearchParams({ client_id: "first", client_secret: "secret-of-first", ...fields })
  })

const redeem = Effect.fnUntraced(function* (
  consent: Record<string, string> = {},
  given: Record<string, string> = {},
  base = "/oauth"
) {
  const asked = new URLSearchParams({
    client_id: "first",
    redirect_uri,
    response_type: "code",
    scope: "write",
    ...consent
  })
  const { body } = yield* call(`${base}/authorize?${asked}`, {
    method: "POST",
    body: new URLSearchParams({ username: "anna", decision: "allow", scope: "write" })
  })
  const code = new URL(body as string).searchParams.get("code")!
  return yield* form(`${base}/token`, { grant_type: "authorization_code", code, redirect_uri, ...given })
})

const statusWith = (token: string) =>
  Effect.map(call("/account", { headers: { authorization: `Bearer ${token}` } }), ({ status }) => status)

layer(Server, { excludeTestServices: true })("an authorization server that a dialect describes", (it) => {
  it.effect(
    "asks for the account's name with a pattern that browsers read, as they do, with the flag v",
    () =>
      Effect.gen(function* () {
        const asked = new URLSearchParams({
          client_id: "first",
          redirect_uri,
          response_type: "code",
          scope: "write"
        })
        const url = `${(yield* NodeServer).url()}/oauth/authorize?${asked}`
        const html = yield* Effect.promise(() => fetch(url).then((response) => response.text()))
        const pattern = new RegExp(`^(?:${/pattern="([^"]+)"/.exec(html)![1]})$`, "v")
        for (const name of ["demo", "bells-two", "a.b_c"]) assert.match(name, pattern)
        for (const name of ["", "two words", "x".repeat(61)]) assert.notMatch(name, pattern)
      })
  )

  it.effect("gives tokens that never end, with PKCE or without it", () =>
    Effect.gen(function* () {
      for (const answer of [yield* redeem(), yield* redeem(pkce, { code_verifier: verifier })]) {
        assert.strictEqual(answer.status, 200)
        assert.hasAllKeys(answer.body, ["access_token", "token_type", "created_at"])
        assert.strictEqual(yield* statusWith(answer.body.access_token), 200)
      }
    })
  )

  it.effect(
    "refuses another verifier, another app's code, one that has run out, and an app that it does not know",
    () =>
      Effect.gen(function* () {
        const error = ({ status, body }: { status: number; body: any }) => [status, body.error]
        const second = { client_id: "second", client_secret: "secret-of-second" }
        assert.deepStrictEqual(error(yield* redeem(pkce, { code_verifier: "x" })), [400, "invalid_grant"])
        assert.deepStrictEqual(error(yield* redeem({}, second)), [400, "invalid_grant"])
        assert.deepStrictEqual(error(yield* redeem({}, {}, "/hasty")), [400, "invalid_grant"])
        assert.deepStrictEqual(error(yield* redeem({}, { client_secret: "x" })), [401, "invalid_client"])
        assert.deepStrictEqual(error(yield* redeem({}, { client_id: "third" })), [401, "invalid_client"])
      })
  )

  it.effect("revokes the token that it is given, for the app that has it, and no other", () =>
    Effect.gen(function* () {
      const [first, other] = [(yield* redeem()).body.access_token, (yield* redeem()).body.access_token]
      const foreign = { client_id: "second", client_secret: "secret-of-second", token: first }
      assert.strictEqual((yield* form("/oauth/revoke", foreign)).status, 400)
      assert.strictEqual(yield* statusWith(first), 200)
      assert.deepStrictEqual(yield* form("/oauth/revoke", { token: first }), { status: 200, body: {} })
      assert.deepStrictEqual([yield* statusWith(first), yield* statusWith(other)], [401, 200])
    })
  )
})
