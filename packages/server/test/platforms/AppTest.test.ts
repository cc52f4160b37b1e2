import type { PlatformAppName, PlatformAppTest } from "@carillon/domain"
import { testApp } from "@carillon/server/platforms/AppTest"
import * as NodeHttpClient from "@effect/platform-node/NodeHttpClient"
import { assert, it } from "@effect/vitest"
import { Effect, Redacted } from "effect"
import { HttpClient } from "effect/http"
import { type Received, type Reply, scriptedServer } from "./ScriptedServer.ts"

const secret = "a-very-s3cret-value"

const asked = Effect.fnUntraced(function* (
  name: PlatformAppName,
  reply: Reply | ((request: Received) => Reply)
) {
  const server = yield* scriptedServer(typeof reply === "function" ? reply : () => reply)
  const app = {
    id: "1234567",
    secret: Redacted.make(secret),
    bot_token: Redacted.make("token"),
    at: (host: string) => `${server.url}/${host}`,
    stand_in: true
  }
  return yield* testApp(yield* HttpClient.HttpClient, name, app, {
    redirect_uri: "https://carillon.example/oauth/callback/x",
    metaGraphVersion: "v25.0"
  })
})

const answers: ReadonlyArray<readonly [PlatformAppName, PlatformAppTest["result"], number, unknown]> = [
  ["tiktok", "accepted", 200, { access_token: "clt.x", expires_in: 7200, token_type: "Bearer" }],
  [
    "tiktok",
    "refused",
    200,
    { error: "invalid_client", error_description: "Client key or secret is incorrect." }
  ],
  ["tiktok", "wrong_id", 400, { error: "invalid_client", error_description: "client_key is invalid" }],
  ["tiktok", "unclear", 400, { error: "unsupported_grant_type", error_description: "Not supported." }],
  ["facebook", "accepted", 200, { access_token: "1234567|x", token_type: "bearer" }],
  [
    "facebook",
    "wrong_id",
    400,
    { error: { message: "Error validating application. Cannot get application info.", code: 101 } }
  ],
  ["facebook", "wrong_secret", 400, { error: { message: "Error validating client secret.", code: 1 } }],
  ["facebook", "unclear", 400, "not what is documented"],
  ["facebook_pages", "accepted", 200, { access_token: "1234567|x", token_type: "bearer" }],
  ["instagram", "wrong_id", 400, { error_type: "OAuthException", error_message: "Invalid platform app" }],
  ["instagram", "wrong_secret", 400, { error_message: "Error validating client secret." }],
  [
    "instagram",
    "accepted",
    400,
    { error_message: "Error validating verification code. Please make sure your redirect_uri is identical" }
  ],
  ["threads", "wrong_id", 400, { error_type: "OAuthException", error_message: "Invalid platform app" }],
  ["threads", "wrong_secret", 400, { error: { message: "Error validating client secret.", code: 1 } }],
  ["threads", "accepted", 400, { error_message: "Invalid authorization code" }],
  [
    "google",
    "wrong_id",
    401,
    { error: "invalid_client", error_description: "The OAuth client was not found." }
  ],
  [
    "google",
    "wrong_secret",
    401,
    { error: "invalid_client", error_description: "The provided client secret is invalid." }
  ],
  ["google", "accepted", 400, { error: "invalid_grant", error_description: "Malformed auth code." }],
  ["google", "accepted", 400, { error: "redirect_uri_mismatch" }],
  ["google", "unclear", 400, { error: "invalid_request" }],
  ["google_business", "accepted", 400, { error: "invalid_grant" }],
  ["pinterest", "refused", 401, { code: 2, message: "Authentication failed." }],
  ["pinterest", "accepted", 400, { code: 283, message: "Invalid or expired authorization code." }],
  ["pinterest", "unclear", 403, { code: 29, message: "You are not permitted." }],
  [
    "twitter",
    "refused",
    401,
    { error: "unauthorized_client", error_description: "Missing valid authorization header" }
  ],
  ["twitter", "refused", 400, { error: "invalid_client" }],
  [
    "twitter",
    "accepted",
    400,
    { error: "invalid_request", error_description: "Value passed for the authorization code was invalid." }
  ],
  ["twitter", "unclear", 403, { title: "Forbidden", detail: "Not enrolled." }],
  ["linkedin", "wrong_id", 401, { error: "invalid_client_id", error_description: "Not found." }],
  [
    "linkedin",
    "wrong_id",
    400,
    { error: "invalid_request", error_description: "The passed in client_id is invalid" }
  ],
  [
    "linkedin",
    "refused",
    401,
    { error: "invalid_client", error_description: "Client authentication failed" }
  ],
  [
    "linkedin_pages",
    "accepted",
    400,
    {
      error: "invalid_request",
      error_description:
        "Unable to retrieve access token: appid/redirect uri/code verifier does not match authorization code."
    }
  ],
  ["linkedin_pages", "accepted", 400, { error: "invalid_grant" }],
  ["linkedin_pages", "unclear", 400, { error: "unsupported_grant_type" }]
]

it.live.each([
  ["accepted", { status: 400, json: { error: "invalid_grant" } }, { status: 200, json: { id: "1234567" } }],
  ["refused", { status: 401, json: { error: "invalid_client" } }, { status: 200, json: { id: "1234567" } }],
  ["refused", { status: 400, json: { error: "invalid_grant" } }, { status: 401, json: { code: 0 } }],
  ["refused", { status: 400, json: { error: "invalid_grant" } }, { status: 200, json: { id: "7654321" } }],
  ["unclear", { status: 400, json: { error: "invalid_grant" } }, { status: 403, json: { code: 50001 } }]
] as const)("says %s of a Discord app for %o and the bot's %o", ([result, answer, application]) =>
  Effect.map(
    asked("discord", ({ path }) => (path.endsWith("/token") ? answer : application)),
    (found) => assert.strictEqual(found, result)
  ).pipe(Effect.provide(NodeHttpClient.layerUndici))
)

for (const [name, result, status, json] of answers) {
  it.live(`says ${result} of ${name} for ${status} ${JSON.stringify(json)}`, () =>
    Effect.map(asked(name, { status, json }), (found) => assert.strictEqual(found, result)).pipe(
      Effect.provide(NodeHttpClient.layerUndici)
    )
  )
}

it.live("quotes no secret when a platform fails or does not answer", () =>
  Effect.gen(function* () {
    for (const reply of [{ status: 503, text: `down, ${secret}` }, "reset"] as const) {
      const failure = yield* Effect.flip(asked("google", reply))
      assert.notInclude(JSON.stringify(failure), secret)
    }
  }).pipe(Effect.provide(NodeHttpClient.layerUndici))
)
