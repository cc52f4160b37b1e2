import { makeBluesky } from "@carillon/server/platforms/bluesky/Bluesky"
import type { Handle } from "@carillon/server/engine/Handle"
import {
  type FollowingItem,
  type PublishError,
  type PublishRequest,
  WholeThread
} from "@carillon/server/platforms/Platform"
import { cidOf } from "@carillon/server/platforms/bluesky/Cid"
import { RemoteFetch } from "@carillon/server/http/RemoteFetch"
import { typedAt } from "@carillon/testing/ConnectedAccount"
import { SharedSandbox } from "@carillon/testing/SharedService"
import { NodeDns, NodeHttpClient } from "@effect/platform-node"
import { assert, describe, layer } from "@effect/vitest"
import { Clock, DateTime, Effect, Fiber, Layer, Redacted, Stream, type Schema } from "effect"
import { HttpClient, HttpClientRequest } from "effect/http"
import { TestClock } from "effect/testing"
import { adapters } from "./Adapters.ts"
import { publisher } from "./Publisher.ts"
import { type Received, type Reply, scriptedServer } from "./ScriptedServer.ts"
import { dueAt, image, live, noneTaken, request, savedHandles, video } from "./TestRequest.ts"

type Routes = Readonly<Record<string, Reply | ((request: Received) => Reply)>>
const nothingHere: Reply = { status: 404, json: { error: "NotFound" } }
const answer = (routes: Routes, received: Received): Reply => {
  const route =
    routes[`${received.method} ${received.path.replace(/^\/xrpc\/com\.atproto\./, "")}`] ?? nothingHere
  return typeof route === "function" ? route(received) : route
}
const refusal = (status: number, error: string, message = error): Reply => ({
  status,
  json: { error, message }
})

/** An adapter that talks to one scripted server; `https://host/path` reaches it as `/host/path`. */
const bluesky = Effect.fn(function* (
  routes: Routes,
  allowHttp = true,
  videoService = "https://video.bsky.app"
) {
  const server = yield* scriptedServer((received) => answer(routes, received))
  const client = HttpClient.mapRequest(yield* HttpClient.HttpClient, (toServer) =>
    HttpClientRequest.setUrl(toServer, toServer.url.replace("https://", `${server.url}/`))
  )
  const platform = makeBluesky(client, client, {
    video_service: videoService,
    plc_directory: "https://plc.example",
    handle_resolver: "https://resolver.example",
    allow_http: allowHttp,
    download: (yield* RemoteFetch).download
  })
  const credentials = Redacted.make({
    service: server.url,
    did: "did:plc:alice",
    accessJwt: "access",
    refreshJwt: "refresh"
  })
  const calls = () =>
    server.received.map(({ method, path }) => `${method} ${path.replace(/^\/xrpc\/com\.atproto\./, "")}`)
  return { ...server, platform, credentials, calls }
})

const claims = (values: object) => `e30.${Buffer.from(JSON.stringify(values)).toString("base64url")}.c2ln`
const session = {
  did: "did:plc:alice",
  handle: "alice.test",
  accessJwt: claims({ exp: 1_795_269_600 }),
  refreshJwt: "refresh-1"
}
const createSession = "POST server.createSession"
const applyWrites = "POST repo.applyWrites"
const getRecord = "GET repo.getRecord"
const uploadBlob = "POST repo.uploadBlob"
const resolveHandle = "GET identity.resolveHandle"
const written: Reply = { status: 200, json: { commit: { cid: "bafy", rev: "3k" }, results: [] } }
const blob = (link: string) => ({ $type: "blob", ref: { $link: link }, mimeType: "image/jpeg", size: 10 })
const uploaded = ({ body }: Received): Reply => ({
  status: 200,
  json: { blob: blob(body.toString().replace(" ", "-")) }
})
const json = (received: Received | undefined) => JSON.parse(received!.body.toString())
const writes = (handle: Handle) =>
  (handle as { writes: ReadonlyArray<{ collection: string; rkey: string; value: Record<string, unknown> }> })
    .writes
const record = (handle: Handle) => writes(handle)[0]!.value

const document = (values: object = {}) => ({
  id: "did:plc:alice",
  alsoKnownAs: ["at://alice.test"],
  service: [
    { id: "#atproto_pds", type: "AtprotoPersonalDataServer", serviceEndpoint: "https://pds.example" }
  ],
  ...values
})
const found: Routes = {
  "GET /alice.test/.well-known/atproto-did": { status: 200, text: "did:plc:alice\n" },
  "GET /plc.example/did:plc:alice": { status: 200, json: document() },
  "POST /pds.example/xrpc/com.atproto.server.createSession": { status: 200, json: session }
}
const signIn = { identifier: "alice.test", app_password: "abcd-efgh-ijkl-mnop" }
const chosen = { ...signIn, service: "https://pds.example" }
const described = { did: "did:web:pds.example", availableUserDomains: [], blobUploadLimit: 5_242_880 }
const identified: Routes = {
  ...found,
  "GET /resolver.example/xrpc/com.atproto.identity.resolveHandle": refusal(400, "InvalidRequest")
}

/** The account's document names the scripted server itself, which is in a private network and knows its handle. */
const onItsOwnServer = Effect.fnUntraced(function* (routes: Routes) {
  let own = ""
  const network = yield* bluesky({
    "GET /plc.example/did:plc:alice": () => ({
      status: 200,
      json: document({
        service: [{ id: "#atproto_pds", type: "AtprotoPersonalDataServer", serviceEndpoint: own }]
      })
    }),
    [resolveHandle]: { status: 200, json: { did: "did:plc:alice" } },
    ...routes
  })
  own = network.url
  return network
})

const publicOnly = RemoteFetch.layerWith({ allowPrivateHosts: false }).pipe(Layer.provide(NodeDns.layer))

const network = Layer.mergeAll(
  SharedSandbox,
  NodeHttpClient.layerUndici,
  RemoteFetch.layerWith({ allowPrivateHosts: true }).pipe(Layer.provide(NodeDns.layer))
)

/** On the test network, with an account of its own there. */
const onTestNetwork = Effect.map(publisher({ ...adapters.bluesky, typed: typedAt.bluesky }), (own) => ({
  ...own,
  posts: Effect.map(own.publications, (posts) => posts.map(adapters.bluesky.idOf))
}))

layer(network)("what is Bluesky's own", (it) => {
  describe("connect", () => {
    it.effect("signs in at the server that the person names and reads the profile", () =>
      Effect.gen(function* () {
        const { platform, url, received } = yield* onItsOwnServer({
          [createSession]: { status: 200, json: session },
          "GET server.describeServer": { status: 200, json: described },
          [getRecord]: { status: 200, json: { value: { displayName: "Alice", avatar: blob("bafyavatar") } } }
        })
        const account = yield* platform.connect!({ ...signIn, service: `${url}/` })
        assert.deepStrictEqual(
          { ...account, credentials: Redacted.value(account.credentials) },
          {
            remote_id: "did:plc:alice",
            username: "alice.test",
            display_name: "Alice",
            avatar_url: `${url}/xrpc/com.atproto.sync.getBlob?did=did%3Aplc%3Aalice&cid=bafyavatar`,
            credentials: {
              service: url,
              did: "did:plc:alice",
              accessJwt: session.accessJwt,
              refreshJwt: "refresh-1"
            },
            limits: { file_bytes: 5_242_880, video_service: false },
            token_expires_at: DateTime.makeUnsafe("2026-11-21T14:00:00.000Z")
          }
        )
        assert.deepStrictEqual(json(received[0]), {
          identifier: "alice.test",
          password: "abcd-efgh-ijkl-mnop"
        })
      })
    )

    it.effect("takes a handle as the app copies it, and an account without a profile", () =>
      Effect.gen(function* () {
        const { platform, url, received } = yield* onItsOwnServer({
          [createSession]: { status: 200, json: { ...session, accessJwt: "opaque" } },
          [getRecord]: refusal(400, "RecordNotFound")
        })
        const account = yield* platform.connect!({
          identifier: " \u202a@Alice.Test\u202c",
          app_password: " abcd ",
          service: url
        })
        assert.deepStrictEqual(json(received[0]), { identifier: "alice.test", password: "abcd" })
        assert.deepInclude(account, { display_name: null, avatar_url: null, token_expires_at: null })
      })
    )

    it.effect.each([
      ["from the handle's own host", found, "alice.test"],
      [
        "from the resolver when the handle's host says nothing",
        {
          ...found,
          "GET /alice.test/.well-known/atproto-did": { status: 404, text: "no" },
          "GET /resolver.example/xrpc/com.atproto.identity.resolveHandle": {
            status: 200,
            json: { did: "did:plc:alice" }
          }
        },
        "alice.test"
      ],
      ["from a DID", found, "did:plc:alice"],
      [
        "from a DID on a host of its own",
        {
          ...found,
          "GET /alice.example/.well-known/did.json": {
            status: 200,
            json: document({ id: "did:web:alice.example" })
          },
          "POST /pds.example/xrpc/com.atproto.server.createSession": {
            status: 200,
            json: { ...session, did: "did:web:alice.example" }
          }
        },
        "did:web:alice.example"
      ]
    ] satisfies ReadonlyArray<readonly [string, Routes, string]>)(
      "finds the server %s",
      ([, routes, identifier]) =>
        Effect.gen(function* () {
          const { platform } = yield* bluesky(routes)
          const account = yield* platform.connect!({ ...signIn, identifier })
          assert.strictEqual(
            (Redacted.value(account.credentials) as { service: string }).service,
            "https://pds.example"
          )
        })
    )

    it.effect("signs an e-mail address in at the main provider and goes on at the account's own server", () =>
      Effect.gen(function* () {
        const { platform, calls } = yield* bluesky({
          ...identified,
          "POST /bsky.social/xrpc/com.atproto.server.createSession": { status: 200, json: session }
        })
        for (const more of [
          { identifier: "Alice@Example.com" },
          { identifier: "Alice@Example.com", service: "https://bsky.social/" },
          { service: "https://bsky.social" }
        ]) {
          const account = yield* platform.connect!({ ...signIn, ...more })
          assert.strictEqual(
            (Redacted.value(account.credentials) as { service: string }).service,
            "https://pds.example"
          )
          assert.deepStrictEqual(calls().slice(-5), [
            "POST /bsky.social/xrpc/com.atproto.server.createSession",
            "GET /plc.example/did:plc:alice",
            "GET /alice.test/.well-known/atproto-did",
            "GET /pds.example/xrpc/com.atproto.repo.getRecord",
            "GET /pds.example/xrpc/com.atproto.server.describeServer"
          ])
        }
      })
    )

    const onPds = (serviceEndpoint: unknown): Routes => ({
      ...identified,
      "GET /plc.example/did:plc:alice": {
        status: 200,
        json: document({
          service: [{ id: "#atproto_pds", type: "AtprotoPersonalDataServer", serviceEndpoint }]
        })
      }
    })
    const noDocument = (reply: Reply): Routes => ({ ...identified, "GET /plc.example/did:plc:alice": reply })

    it.effect.each([
      ["is written otherwise", "https://PDS.example:443/", "did:plc:alice"],
      ["is the one of its host", "https://pds.example", "did:web:alice.example"]
    ] as const)("takes a chosen server that the account's document names, where it %s", ([, endpoint, did]) =>
      Effect.gen(function* () {
        const { platform } = yield* bluesky({
          ...onPds(endpoint),
          "GET /alice.example/.well-known/did.json": { status: 200, json: document({ id: did }) },
          "GET /alice.test/.well-known/atproto-did": { status: 200, text: did },
          "POST /pds.example/xrpc/com.atproto.server.createSession": {
            status: 200,
            json: { ...session, did }
          }
        })
        const account = yield* platform.connect!(chosen)
        assert.deepInclude(account, { remote_id: did, username: "alice.test" })
      })
    )

    it.effect.each([
      ["another", onPds("https://elsewhere.example")],
      ["another port of its host", onPds("https://pds.example:8443")],
      ["it without TLS", onPds("http://pds.example")],
      ["a host that begins as it does", onPds("https://pds.example.mallory.example")],
      ["what is no address", onPds({ uri: "https://pds.example" })],
      ["nothing, because there is none", noDocument({ status: 404 })],
      ["nothing, because it was deleted", noDocument({ status: 410 })],
      [
        "it, but is another account's",
        noDocument({ status: 200, json: document({ id: "did:plc:mallory" }) })
      ],
      [
        "another service as it",
        noDocument({
          status: 200,
          json: document({ service: [{ id: "#labeler", type: "X", serviceEndpoint: "https://pds.example" }] })
        })
      ]
    ] satisfies ReadonlyArray<readonly [string, Routes]>)(
      "believes no chosen server about an account whose document names %s",
      ([, routes]) =>
        Effect.gen(function* () {
          const { platform, calls } = yield* bluesky(routes)
          const error = yield* Effect.flip(platform.connect!(chosen))
          assert.deepInclude(error, { class: "invalid", code: "account_elsewhere" })
          assert.match(error.message, /Nothing was connected/)
          assert.notInclude(calls().join(" "), "getRecord")
          assert.strictEqual(calls().at(-1), "POST /pds.example/xrpc/com.atproto.server.deleteSession")
        })
    )

    it.effect.each([
      ["the directory", noDocument({ status: 503 })],
      ["a busy directory", noDocument({ status: 429 })],
      ["a directory that hangs up", noDocument("reset")],
      [
        "the resolver of its handle",
        {
          ...identified,
          "GET /alice.test/.well-known/atproto-did": "reset",
          "GET /resolver.example/xrpc/com.atproto.identity.resolveHandle": { status: 502 }
        }
      ]
    ] satisfies ReadonlyArray<readonly [string, Routes]>)(
      "takes nothing on trust while %s does not answer, and says to try again",
      ([, routes]) =>
        Effect.gen(function* () {
          const { platform } = yield* bluesky(routes)
          const error = yield* Effect.flip(platform.connect!(chosen))
          assert.include(["transient", "rate_limited"], error.class)
          assert.strictEqual(error.code, "identity_unavailable")
          assert.match(error.message, /^https:\/\/(plc|resolver)\.example.* Try again later\.$/)
        })
    )

    it.effect.each([["did:plc:../../admin"], ["did:key:z6Mk"], ["did:web:127.0.0.1/x"]])(
      "asks nobody about %s, which is no account",
      ([did]) =>
        Effect.gen(function* () {
          const { platform, calls } = yield* bluesky({
            ...identified,
            "POST /pds.example/xrpc/com.atproto.server.createSession": {
              status: 200,
              json: { ...session, did }
            }
          })
          yield* Effect.flip(platform.connect!(chosen))
          assert.deepStrictEqual(calls(), ["POST /pds.example/xrpc/com.atproto.server.createSession"])
        })
    )

    it.effect("asks no host of a private network for a document", () =>
      Effect.gen(function* () {
        const server = yield* scriptedServer(() => ({
          status: 200,
          json: { ...session, did: "did:web:127.0.0.1%3A9" }
        }))
        const platform = makeBluesky(
          (yield* Effect.provide(RemoteFetch, Layer.fresh(publicOnly))).client,
          yield* HttpClient.HttpClient,
          {
            video_service: "https://video.bsky.app",
            plc_directory: server.url,
            handle_resolver: "https://resolver.example",
            allow_http: true,
            download: (yield* RemoteFetch).download
          }
        )
        for (const identifier of ["did:plc:alice", "did:web:127.0.0.1", "did:web:localhost"]) {
          const error = yield* Effect.flip(platform.connect!({ ...signIn, identifier }))
          assert.match(error.message, /address_not_allowed|url_not_allowed/, identifier)
        }
        assert.lengthOf(server.received, 0)
      })
    )

    it.effect.each([
      ["which its document does not name", noDocument({ status: 200, json: document({ alsoKnownAs: [] }) })],
      [
        "which leads to somebody else",
        {
          ...identified,
          "GET /alice.test/.well-known/atproto-did": { status: 200, text: "did:plc:bob" }
        }
      ],
      [
        "which nobody has",
        { ...identified, "GET /alice.test/.well-known/atproto-did": { status: 404, text: "no" } }
      ],
      [
        "which is no domain name",
        noDocument({ status: 200, json: document({ alsoKnownAs: ["at://alice/../x"] }) })
      ]
    ] satisfies ReadonlyArray<readonly [string, Routes]>)(
      "calls an account handle.invalid instead of by a handle %s",
      ([, routes]) =>
        Effect.gen(function* () {
          const { platform } = yield* bluesky(routes)
          const account = yield* platform.connect!(chosen)
          assert.deepInclude(account, { remote_id: "did:plc:alice", username: "handle.invalid" })
        })
    )

    it.effect("calls an account as its document does, whatever its server says", () =>
      Effect.gen(function* () {
        const { platform } = yield* bluesky({
          ...identified,
          "POST /pds.example/xrpc/com.atproto.server.createSession": {
            status: 200,
            json: { ...session, handle: "bsky.app" }
          }
        })
        assert.strictEqual((yield* platform.connect!(chosen)).username, "alice.test")
        const byDid = yield* platform.connect!({ ...signIn, identifier: "did:plc:alice" })
        assert.strictEqual(byDid.username, "alice.test")
      })
    )

    it.effect.each([
      ["that nobody knows", { ...found, "GET /alice.test/.well-known/atproto-did": { status: 404 } }],
      [
        "whose document names another",
        {
          ...found,
          "GET /plc.example/did:plc:alice": {
            status: 200,
            json: document({ alsoKnownAs: ["at://mallory.test"] })
          }
        }
      ],
      [
        "whose document is of another account",
        {
          ...found,
          "GET /plc.example/did:plc:alice": { status: 200, json: document({ id: "did:plc:mallory" }) }
        }
      ],
      [
        "whose document has no server",
        { ...found, "GET /plc.example/did:plc:alice": { status: 200, json: document({ service: [] }) } }
      ],
      [
        "whose document is gone",
        {
          ...found,
          "GET /plc.example/did:plc:alice": { status: 410, json: { message: "DID not available" } }
        }
      ]
    ] satisfies ReadonlyArray<readonly [string, Routes]>)("refuses a handle %s", ([, routes]) =>
      Effect.gen(function* () {
        const { platform, calls } = yield* bluesky(routes)
        const error = yield* Effect.flip(platform.connect!(signIn))
        assert.deepInclude(error, { class: "invalid", code: "account_not_found" })
        assert.notInclude(calls().join(" "), "createSession")
      })
    )

    it.effect("sends the password over https only", () =>
      Effect.gen(function* () {
        const { platform, url, received } = yield* bluesky(
          { [createSession]: { status: 200, json: session } },
          false
        )
        const error = yield* Effect.flip(platform.connect!({ ...signIn, service: url }))
        assert.strictEqual(error.code, "credentials_rejected")
        assert.lengthOf(received, 0)
      })
    )

    it.effect("takes no server that signs in somebody else", () =>
      Effect.gen(function* () {
        const { platform } = yield* bluesky({
          ...found,
          "POST /pds.example/xrpc/com.atproto.server.createSession": {
            status: 200,
            json: { ...session, did: "did:plc:mallory" }
          }
        })
        assert.strictEqual((yield* Effect.flip(platform.connect!(signIn))).code, "credentials_rejected")
      })
    )

    it.effect.each([
      [
        "a wrong password",
        refusal(401, "AuthenticationRequired", "Invalid identifier or password"),
        "reconnect",
        "credentials_rejected",
        /app password/
      ],
      [
        "the main password",
        refusal(401, "AuthFactorTokenRequired"),
        "reconnect",
        "credentials_rejected",
        /main password/
      ],
      [
        "an account taken down",
        refusal(401, "AccountTakedown"),
        "forbidden",
        "AccountTakedown",
        /taken down/
      ],
      [
        "a deactivated account",
        { status: 200, json: { ...session, active: false } },
        "forbidden",
        "AccountDeactivated",
        /deactivated/
      ],
      [
        "too many sign-ins",
        { status: 429, json: { error: "RateLimitExceeded" } },
        "rate_limited",
        "rate_limited",
        /rate limiting/
      ],
      ["a server in trouble", { status: 502 }, "transient", "http_502", /502/],
      ["a server that is no PDS", { status: 404, text: "not found" }, "config", "http_404", /address/]
    ] as const)("says what to do about %s", ([, reply, errorClass, code, words]) =>
      Effect.gen(function* () {
        const { platform, url } = yield* bluesky({ [createSession]: reply })
        const error = yield* Effect.flip(platform.connect!({ ...signIn, service: url }))
        assert.deepInclude(error, { class: errorClass, code })
        assert.match(error.message, words)
        assert.notInclude(JSON.stringify(error), signIn.app_password)
      })
    )

    it.effect.each([
      ["no password", { identifier: "alice.test" }],
      ["half a handle", { ...signIn, identifier: "alice" }],
      ["a handle with a path", { ...signIn, identifier: "alice.test/../x" }],
      ["a server without a scheme", { ...signIn, service: "pds.example" }]
    ])("asks nobody when it is given %s", ([, credentials]) =>
      Effect.gen(function* () {
        const { platform, received } = yield* bluesky({})
        assert.strictEqual((yield* Effect.flip(platform.connect!(credentials))).code, "credentials_rejected")
        assert.lengthOf(received, 0)
      })
    )
  })

  describe("the limits of a server", () => {
    const at = (service: string) =>
      Redacted.make({ service, did: "did:plc:alice", accessJwt: "access", refreshJwt: "refresh" })
    const describeServer = "GET /pds.example/xrpc/com.atproto.server.describeServer"

    it.effect.each([
      [5_242_880, { file_bytes: 5_242_880 }],
      [1, { file_bytes: 1 }],
      // As much as any file that is sent.
      [9_007_199_254_740_991, { file_bytes: 1_000_000_000 }],
      [0, {}],
      [-5, {}],
      [1.5, {}],
      [1e300, {}],
      ["5242880", {}],
      [null, {}],
      [undefined, {}]
    ] as const)(
      "the limits of a server are what it names, if that is one: %s",
      ([blobUploadLimit, expected]) =>
        Effect.gen(function* () {
          const { platform } = yield* bluesky({
            ...identified,
            [describeServer]: { status: 200, json: { ...described, blobUploadLimit } }
          })
          const limits = yield* platform.limits!(at("https://pds.example"))
          assert.deepStrictEqual(limits, { ...expected, video_service: true })
          assert.deepStrictEqual((yield* platform.connect!(chosen)).limits, limits)
        })
    )

    it.effect(
      "the limits of a server are those of the account's own server where it was connected through the entryway",
      () =>
        Effect.gen(function* () {
          const { platform } = yield* bluesky({
            ...identified,
            [describeServer]: { status: 200, json: described }
          })
          assert.deepStrictEqual(yield* platform.limits!(at("https://bsky.social")), {
            file_bytes: 5_242_880,
            video_service: true
          })
        })
    )

    it.effect(
      "the limits of a server do not keep an account from being connected, and stay as they were while nobody answers",
      () =>
        Effect.gen(function* () {
          const { platform } = yield* bluesky({ ...identified, [describeServer]: { status: 503 } })
          assert.notProperty(yield* platform.connect!(chosen), "limits")
          assert.strictEqual(
            (yield* Effect.flip(platform.limits!(at("https://pds.example")))).class,
            "transient"
          )
        })
    )

    it.effect.each([
      ["http://pds.example", "https://video.bsky.app", false],
      ["https://10.0.0.7", "https://video.bsky.app", false],
      ["https://pds.internal", "https://video.bsky.app", false],
      ["https://10.0.0.7", "http://10.0.0.8:4000", true]
    ] as const)("say whether the video service reaches it: %s by %s", ([service, videoService, reached]) =>
      Effect.gen(function* () {
        const host = service.replace("https://", "/")
        const { platform, url } = yield* bluesky(
          {
            [`GET ${host}/xrpc/com.atproto.server.describeServer`]: { status: 200, json: described },
            "GET server.describeServer": { status: 200, json: described }
          },
          true,
          videoService
        )
        const limits = yield* platform.limits!(at(service === "http://pds.example" ? url : service))
        assert.strictEqual(limits.video_service, reached)
      })
    )
  })

  describe("refresh", () => {
    it.effect("gets new tokens for the refresh token", () =>
      Effect.gen(function* () {
        const { platform, credentials, received } = yield* bluesky({
          "POST server.refreshSession": { status: 200, json: { ...session, refreshJwt: "refresh-2" } }
        })
        const renewed = yield* platform.refresh(credentials)
        assert.strictEqual(received[0]!.headers.authorization, "Bearer refresh")
        assert.deepInclude(Redacted.value(renewed.credentials), {
          accessJwt: session.accessJwt,
          refreshJwt: "refresh-2"
        })
        assert.deepStrictEqual(renewed.token_expires_at, DateTime.makeUnsafe("2026-11-21T14:00:00.000Z"))
      })
    )

    it.effect.each([
      ["run out", refusal(400, "ExpiredToken"), "reconnect"],
      ["revoked", refusal(400, "InvalidToken"), "reconnect"],
      ["no longer accepted", { status: 401 }, "reconnect"],
      ["of a suspended account", refusal(401, "AccountSuspended"), "forbidden"]
    ] as const)("refresh is not asked for again when the refresh token is %s", ([, reply, errorClass]) =>
      Effect.gen(function* () {
        const { platform, credentials } = yield* bluesky({ "POST server.refreshSession": reply })
        const error = yield* Effect.flip(platform.refresh(credentials))
        assert.strictEqual(error.class, errorClass)
        assert.isUndefined(error.token_expired)
      })
    )

    it.effect("wants a new connection when the server answers for another account", () =>
      Effect.gen(function* () {
        const { platform, credentials } = yield* bluesky({
          "POST server.refreshSession": { status: 200, json: { ...session, did: "did:plc:bob" } }
        })
        assert.strictEqual((yield* Effect.flip(platform.refresh(credentials))).class, "reconnect")
      })
    )

    it.effect("wants a new connection when what is stored cannot be read", () =>
      Effect.gen(function* () {
        const { platform } = yield* bluesky({})
        assert.strictEqual(
          (yield* Effect.flip(platform.refresh(Redacted.make({ token: "old" })))).class,
          "reconnect"
        )
      })
    )
  })

  describe("revoke", () => {
    it.effect("ends the session by its refresh token", () =>
      Effect.gen(function* () {
        // https://docs.bsky.app/docs/api/com-atproto-server-delete-session
        const { platform, credentials, received } = yield* bluesky({
          "POST server.deleteSession": { status: 200 }
        })
        assert.strictEqual(yield* platform.revocation!.revoke(credentials), "revoked")
        assert.deepInclude(received[0], { path: "/xrpc/com.atproto.server.deleteSession" })
        assert.strictEqual(received[0]!.headers.authorization, "Bearer refresh")
        assert.lengthOf(received[0]!.body, 0)
      })
    )

    it.effect("says in words, without the token, why a session may be there still", () =>
      Effect.gen(function* () {
        const { platform, credentials } = yield* bluesky({
          "POST server.deleteSession": refusal(400, "ExpiredToken", "refresh has expired")
        })
        const error = yield* Effect.flip(platform.revocation!.revoke(credentials))
        assert.strictEqual(error.class, "reconnect")
        assert.notInclude(JSON.stringify(error), "refresh has")
      })
    )
  })

  describe("prepare", () => {
    it.effect("freezes the record with the due time before anything is sent", () =>
      Effect.gen(function* () {
        yield* TestClock.setTime(DateTime.toEpochMillis(dueAt) - 1000)
        const { platform, credentials, received } = yield* bluesky({})
        const { save } = yield* savedHandles
        const options = { langs: ["en", "de"] }
        const prepared = yield* platform.prepare(request({ options }), credentials, null, save)
        assert.strictEqual(prepared._tag, "ready")
        assert.deepStrictEqual(record(prepared.handle), {
          $type: "app.bsky.feed.post",
          text: "Hello",
          createdAt: "2026-11-21T12:00:00.000Z",
          langs: ["en", "de"]
        })
        assert.match(writes(prepared.handle)[0]!.rkey, /^[2-7a-z]{13}$/)
        assert.lengthOf(received, 0)

        yield* TestClock.adjust("1 hour")
        const again = yield* platform.prepare(request({ options }), credentials, prepared.handle, save)
        assert.deepStrictEqual(again, prepared)
      })
    )

    it.effect("dates a post that goes out late with the present", () =>
      Effect.gen(function* () {
        yield* TestClock.setTime(DateTime.toEpochMillis(dueAt) + 60_000)
        const { platform, credentials } = yield* bluesky({})
        const { save } = yield* savedHandles
        const { handle } = yield* platform.prepare(request(), credentials, null, save)
        assert.strictEqual(record(handle).createdAt, "2026-11-21T12:01:00.000Z")
      })
    )

    it.effect("gives two posts of one instant different keys", () =>
      Effect.gen(function* () {
        const { platform, credentials } = yield* bluesky({})
        const { save } = yield* savedHandles
        const keys = yield* Effect.forEach(Array.from({ length: 200 }), () =>
          Effect.map(
            platform.prepare(request(), credentials, null, save),
            ({ handle }) => writes(handle)[0]!.rkey
          )
        )
        assert.strictEqual(new Set(keys).size, 200)
      })
    )

    it.effect("keeps each image before the next, and shows both with their texts", () =>
      Effect.gen(function* () {
        const { platform, credentials, received } = yield* bluesky({ [uploadBlob]: uploaded })
        const { save, all } = yield* savedHandles
        const post = request({
          media: [image("a"), image("b", { alt_text: "B" })],
          options: { alt_text: ["first", "second"] }
        })
        const { handle } = yield* platform.prepare(post, credentials, null, save)
        const shown = (image: ReturnType<typeof blob>) => ({
          image,
          aspectRatio: { width: 640, height: 480 }
        })
        const a = shown(blob("image-a"))
        const b = shown(blob("image-b"))
        assert.deepStrictEqual(yield* all, [{ images: { a } }, { images: { a, b } }])
        assert.strictEqual(received[0]!.headers["content-type"], "image/jpeg")
        assert.deepStrictEqual(record(handle).embed, {
          $type: "app.bsky.embed.images",
          images: [
            { alt: "first", ...a },
            { alt: "B", ...b }
          ]
        })
      })
    )

    it.effect("gives one alternative text to every image, and none where there is none", () =>
      Effect.gen(function* () {
        const { platform, credentials } = yield* bluesky({ [uploadBlob]: uploaded })
        const { save } = yield* savedHandles
        const alts = Effect.fn(function* (options: { readonly [key: string]: unknown }) {
          const post = request({ media: [image("a"), image("b")], options })
          const { handle } = yield* platform.prepare(post, credentials, null, save)
          return (record(handle).embed as { images: ReadonlyArray<{ alt: string }> }).images.map(
            ({ alt }) => alt
          )
        })
        assert.deepStrictEqual(yield* alts({ alt_text: "both" }), ["both", "both"])
        assert.deepStrictEqual(yield* alts({ alt_text: ["one"] }), ["one", ""])
        assert.deepStrictEqual(yield* alts({}), ["", ""])
      })
    )

    it.effect("turns handles into accounts and leaves unknown ones as text", () =>
      Effect.gen(function* () {
        const { platform, credentials } = yield* bluesky({
          [resolveHandle]: ({ query }) =>
            query.handle === "bob.test"
              ? { status: 200, json: { did: "did:plc:bob" } }
              : refusal(400, "InvalidRequest", "Unable to resolve handle")
        })
        const { save } = yield* savedHandles
        const caption = "🎉 @bob.test @nobody.test https://example.com #tag"
        const post = request({ caption, options: { link_card: "off" } })
        const { handle } = yield* platform.prepare(post, credentials, null, save)
        assert.deepStrictEqual(record(handle).facets, [
          {
            index: { byteStart: 5, byteEnd: 14 },
            features: [{ $type: "app.bsky.richtext.facet#mention", did: "did:plc:bob" }]
          },
          {
            index: { byteStart: 28, byteEnd: 47 },
            features: [{ $type: "app.bsky.richtext.facet#link", uri: "https://example.com" }]
          },
          {
            index: { byteStart: 48, byteEnd: 52 },
            features: [{ $type: "app.bsky.richtext.facet#tag", tag: "tag" }]
          }
        ])
      })
    )

    it.effect.each([
      ["the server is in trouble", { status: 502 }, { class: "transient" }],
      ["the token has run out", refusal(400, "ExpiredToken"), { class: "reconnect", token_expired: true }]
    ] as const)("prepare does not lose a mention because %s", ([, reply, expected]) =>
      Effect.gen(function* () {
        const { platform, credentials } = yield* bluesky({ [resolveHandle]: reply })
        const { save } = yield* savedHandles
        const post = request({ caption: "@bob.test" })
        assert.deepInclude(yield* Effect.flip(platform.prepare(post, credentials, null, save)), expected)
      })
    )

    it.effect("prepare refuses a document", () =>
      Effect.gen(function* () {
        const { platform, credentials } = yield* bluesky({})
        const { save } = yield* savedHandles
        const post = request({ media: [{ ...video("a", Stream.empty, 0), kind: "document" }] })
        assert.strictEqual(
          (yield* Effect.flip(platform.prepare(post, credentials, null, save))).code,
          "media_not_supported"
        )
      })
    )

    it.effect("writes labels and tags into the record, and the gates beside it under the same key", () =>
      Effect.gen(function* () {
        const { platform, credentials, calls } = yield* bluesky({
          [getRecord]: ({ query }) => ({
            status: 200,
            json: { uri: `at://${query.repo}/${query.collection}/${query.rkey}`, cid: "bafylist" }
          })
        })
        const { save } = yield* savedHandles
        const options = {
          labels: ["nudity", "graphic-media"],
          tags: ["bells", "old towns"],
          reply_gate: ["mentioned", "following"],
          reply_lists: ["https://bsky.app/profile/did:plc:bob/lists/3klist"],
          quote_gate: "nobody"
        }
        const { handle } = yield* platform.prepare(request({ options }), credentials, null, save)
        const [root, ...gates] = writes(handle)
        assert.deepInclude(root!.value, {
          labels: {
            $type: "com.atproto.label.defs#selfLabels",
            values: [{ val: "nudity" }, { val: "graphic-media" }]
          },
          tags: ["bells", "old towns"]
        })
        const { rkey } = root!
        const shared = {
          post: `at://did:plc:alice/app.bsky.feed.post/${rkey}`,
          createdAt: root!.value.createdAt
        }
        assert.deepStrictEqual(gates, [
          {
            collection: "app.bsky.feed.threadgate",
            rkey,
            value: {
              $type: "app.bsky.feed.threadgate",
              ...shared,
              allow: [
                { $type: "app.bsky.feed.threadgate#mentionRule" },
                { $type: "app.bsky.feed.threadgate#followingRule" },
                {
                  $type: "app.bsky.feed.threadgate#listRule",
                  list: "at://did:plc:bob/app.bsky.graph.list/3klist"
                }
              ]
            }
          },
          {
            collection: "app.bsky.feed.postgate",
            rkey,
            value: {
              $type: "app.bsky.feed.postgate",
              ...shared,
              embeddingRules: [{ $type: "app.bsky.feed.postgate#disableRule" }]
            }
          }
        ])
        assert.deepStrictEqual(calls(), [getRecord])
      })
    )

    it.effect.each([
      ["nobody", [[]]],
      ["everyone", []]
    ] as const)("prepare lets %s reply", ([reply_gate, allowed]) =>
      Effect.gen(function* () {
        const { platform, credentials } = yield* bluesky({})
        const { save } = yield* savedHandles
        const post = request({ options: { reply_gate: [reply_gate], quote_gate: "everyone" } })
        const { handle } = yield* platform.prepare(post, credentials, null, save)
        assert.deepStrictEqual(
          writes(handle)
            .slice(1)
            .map(({ value }) => value.allow),
          [...allowed]
        )
      })
    )

    const quotable: Routes = {
      [resolveHandle]: { status: 200, json: { did: "did:plc:bob" } },
      [getRecord]: { status: 200, json: { uri: "at://x", cid: "bafyquoted", value: {} } },
      [uploadBlob]: uploaded
    }
    const quotedRecord = {
      $type: "app.bsky.embed.record",
      record: { uri: "at://did:plc:bob/app.bsky.feed.post/3kquoted", cid: "bafyquoted" }
    }

    it.effect.each([
      ["at:// with a DID", "at://did:plc:bob/app.bsky.feed.post/3kquoted"],
      ["at:// with a handle", "at://bob.test/app.bsky.feed.post/3kquoted"],
      ["at bsky.app with a DID", "https://bsky.app/profile/did:plc:bob/post/3kquoted"],
      ["at bsky.app with a handle", "https://bsky.app/profile/bob.test/post/3kquoted?ref=app"]
    ])("quotes a post by its address: %s", ([, quote]) =>
      Effect.gen(function* () {
        const { platform, credentials, received } = yield* bluesky(quotable)
        const { save } = yield* savedHandles
        const { handle } = yield* platform.prepare(request({ options: { quote } }), credentials, null, save)
        assert.deepStrictEqual(record(handle).embed, quotedRecord)
        assert.deepStrictEqual(received.at(-1)!.query, {
          repo: "did:plc:bob",
          collection: "app.bsky.feed.post",
          rkey: "3kquoted"
        })
      })
    )

    it.effect("shows a quoted post together with images", () =>
      Effect.gen(function* () {
        const { platform, credentials } = yield* bluesky(quotable)
        const { save } = yield* savedHandles
        const post = request({ media: [image("a")], options: { quote: quotedRecord.record.uri } })
        const { handle } = yield* platform.prepare(post, credentials, null, save)
        assert.deepStrictEqual(record(handle).embed, {
          $type: "app.bsky.embed.recordWithMedia",
          record: quotedRecord,
          media: {
            $type: "app.bsky.embed.images",
            images: [{ alt: "", image: blob("image-a"), aspectRatio: { width: 640, height: 480 } }]
          }
        })
      })
    )

    it.effect.each([
      ["is not there", { [getRecord]: refusal(400, "RecordNotFound") }],
      ["is in no repository that the server knows", { [getRecord]: refusal(400, "InvalidRequest") }],
      ["is of a handle that nobody has", { [resolveHandle]: refusal(400, "InvalidRequest") }]
    ] satisfies ReadonlyArray<readonly [string, Routes]>)("refuses a quoted post that %s", ([, routes]) =>
      Effect.gen(function* () {
        const { platform, credentials } = yield* bluesky({ ...quotable, ...routes })
        const { save } = yield* savedHandles
        const post = request({ options: { quote: "https://bsky.app/profile/bob.test/post/3kquoted" } })
        const error = yield* Effect.flip(platform.prepare(post, credentials, null, save))
        assert.deepInclude(error, {
          class: "invalid",
          code: "post_not_found",
          message: `Bluesky has no post "https://bsky.app/profile/bob.test/post/3kquoted". Check its address; it may have been deleted.`
        })
      })
    )

    it.effect("waits with a quoted post while the server is in trouble", () =>
      Effect.gen(function* () {
        const { platform, credentials } = yield* bluesky({ ...quotable, [getRecord]: { status: 502 } })
        const { save } = yield* savedHandles
        const post = request({ options: { quote: quotedRecord.record.uri } })
        const error = yield* Effect.flip(platform.prepare(post, credentials, null, save))
        assert.strictEqual(error.class, "transient")
      })
    )

    it.effect("shows more than four images as a gallery", () =>
      Effect.gen(function* () {
        const { platform, credentials } = yield* bluesky({ [uploadBlob]: uploaded })
        const { save } = yield* savedHandles
        const embed = Effect.fn(function* (count: number) {
          const media = Array.from({ length: count }, (_, index) => image(`${index}`))
          const { handle } = yield* platform.prepare(request({ media }), credentials, null, save)
          return record(handle).embed as { $type: string; items: ReadonlyArray<object> }
        })
        assert.strictEqual((yield* embed(4)).$type, "app.bsky.embed.images")
        const { $type, items } = yield* embed(5)
        assert.strictEqual($type, "app.bsky.embed.gallery")
        assert.lengthOf(items, 5)
        assert.deepStrictEqual(items[4], {
          $type: "app.bsky.embed.gallery#image",
          alt: "",
          image: blob("image-4"),
          aspectRatio: { width: 640, height: 480 }
        })
      })
    )

    const html = (head: string): Reply => ({
      status: 200,
      headers: { "content-type": "text/html; charset=utf-8" },
      text: `<!doctype html><html><head>${head}</head></html>`
    })
    const jpeg = "\u00ff\u00d8\u00ff"
    const picture = (bytes: Buffer): Reply => ({
      status: 200,
      headers: { "content-type": "application/octet-stream", "content-length": String(bytes.length) },
      text: bytes
    })
    const page: Routes = {
      "GET /page": html(
        `<meta property="og:title" content="Bells"><meta property="og:description" content="Of towns">` +
          `<meta property="og:image" content="/picture">`
      ),
      "GET /picture": picture(Buffer.from(`${jpeg} picture`, "latin1")),
      [uploadBlob]: ({ headers }) => ({
        status: 200,
        json: { blob: blob(String(headers["content-type"])) }
      })
    }
    const card = Effect.fn(function* (
      routes: Routes,
      post: (url: string) => Parameters<typeof request>[0] = (url) => ({ caption: `On ${url}/page now` })
    ) {
      const network = yield* bluesky({ ...routes, [applyWrites]: written })
      const { platform, credentials, url } = network
      const { save, all } = yield* savedHandles
      const { handle } = yield* platform.prepare(request(post(url)), credentials, null, save)
      const done = live(yield* platform.commit(request(), credentials, handle))
      return { ...network, embed: record(handle).embed, warnings: done.warnings, saved: yield* all }
    })
    const cardOf = (uri: string, values: object = { thumb: blob("image/jpeg") }) => ({
      $type: "app.bsky.embed.external",
      external: { uri, title: "Bells", description: "Of towns", ...values }
    })

    it.effect("shows the page that the text leads to first as a card", () =>
      Effect.gen(function* () {
        const { embed, platform, credentials, saved, url, warnings, calls } = yield* card(page)
        assert.deepStrictEqual(embed, cardOf(`${url}/page`))
        assert.isUndefined(warnings)
        const fetched = calls().filter((call) => call === "GET /page").length
        const { save } = yield* savedHandles
        const again = yield* platform.prepare(request(), credentials, saved.at(-1)!, save)
        assert.deepStrictEqual(record(again.handle).embed, embed)
        assert.strictEqual(calls().filter((call) => call === "GET /page").length, fetched)
      })
    )

    it.effect("shows the page that an option names, also below a quoted post", () =>
      Effect.gen(function* () {
        const { embed, url } = yield* card(
          { ...page, ...quotable, [uploadBlob]: page[uploadBlob]! },
          (own) => ({
            caption: "https://example.com",
            options: { link: `${own}/page`, quote: quotedRecord.record.uri }
          })
        )
        assert.deepStrictEqual(embed, {
          $type: "app.bsky.embed.recordWithMedia",
          record: quotedRecord,
          media: cardOf(`${url}/page`)
        })
      })
    )

    it.effect.each([
      ["it is switched off", { options: { link_card: "off" } }],
      ["the post has media", { media: [image("a")] }]
    ] as const)("fetches no page when %s", ([, values]) =>
      Effect.gen(function* () {
        const { calls } = yield* card(page, (url) => ({ caption: `${url}/page`, ...values }))
        assert.notInclude(calls(), "GET /page")
      })
    )

    it.effect.each([
      ["too large", picture(Buffer.concat([Buffer.from(jpeg, "latin1"), Buffer.alloc(1_000_000)]))],
      ["no picture", picture(Buffer.from("<svg/>"))],
      ["not there", { status: 404 }]
    ] satisfies ReadonlyArray<readonly [string, Reply]>)(
      "shows a card without its picture when it is %s",
      ([, reply]) =>
        Effect.gen(function* () {
          const { embed, url } = yield* card({ ...page, "GET /picture": reply })
          assert.deepStrictEqual(embed, cardOf(`${url}/page`, {}))
        })
    )

    it.effect("shows a card without its picture when the server does not take it", () =>
      Effect.gen(function* () {
        const { embed, url } = yield* card({ ...page, [uploadBlob]: refusal(400, "BlobTooLarge") })
        assert.deepStrictEqual(embed, cardOf(`${url}/page`, {}))
      })
    )

    it.effect.each([
      ["is not there", { status: 404 }, /status 404/],
      ["is none", { status: 200, text: "{}" }, /not a web page/],
      ["says no title", html("<p>"), /no title/],
      ["ends in the middle", { raw: "" }, /./]
    ] satisfies ReadonlyArray<readonly [string, Reply, RegExp]>)(
      "publishes without a card, and says so, when the page %s",
      ([, reply, words]) =>
        Effect.gen(function* () {
          const { embed, url, warnings } = yield* card({ ...page, "GET /page": reply })
          assert.isUndefined(embed)
          assert.lengthOf(warnings!, 1)
          assert.include(warnings![0], `The post has no link card for "${url}/page".`)
          assert.match(warnings![0]!, words)
        })
    )

    it.effect("waits five seconds for a page", () =>
      Effect.gen(function* () {
        const { platform, credentials, url, arrival } = yield* bluesky({ "GET /page": "silence" })
        const { save } = yield* savedHandles
        const post = request({ caption: `${url}/page` })
        const preparing = yield* Effect.forkChild(platform.prepare(post, credentials, null, save))
        yield* arrival
        yield* TestClock.adjust("5 seconds")
        const { handle } = yield* Fiber.join(preparing)
        assert.isUndefined(record(handle).embed)
      })
    )

    it.effect("prepare does not lose the picture of a card because the server is in trouble", () =>
      Effect.gen(function* () {
        const { platform, credentials, url } = yield* bluesky({ ...page, [uploadBlob]: { status: 502 } })
        const { save } = yield* savedHandles
        const post = request({ caption: `${url}/page` })
        const error = yield* Effect.flip(platform.prepare(post, credentials, null, save))
        assert.strictEqual(error.class, "transient")
      })
    )

    it.effect("keeps text that is no valid Unicode sendable", () =>
      Effect.gen(function* () {
        const { platform, credentials } = yield* bluesky({})
        const { save } = yield* savedHandles
        const { handle } = yield* platform.prepare(
          request({ caption: "\ud83d #tag" }),
          credentials,
          null,
          save
        )
        assert.strictEqual(record(handle).text, "\ufffd #tag")
        assert.deepInclude((record(handle).facets as ReadonlyArray<object>)[0], {
          index: { byteStart: 4, byteEnd: 8 }
        })
      })
    )
  })

  // https://docs.bsky.app/docs/tutorials/video and the lexicons app.bsky.video.*
  describe("a video", () => {
    const getServiceAuth = "GET /pds.example/xrpc/com.atproto.server.getServiceAuth"
    const describeServer = "GET /pds.example/xrpc/com.atproto.server.describeServer"
    const getUploadLimits = "GET /video.bsky.app/xrpc/app.bsky.video.getUploadLimits"
    const startUpload = "POST /video.bsky.app/xrpc/app.bsky.video.startUpload"
    const uploadVideo = "POST /video.bsky.app/xrpc/app.bsky.video.uploadVideo"
    const getJobStatus = "GET /video.bsky.app/xrpc/app.bsky.video.getJobStatus"
    const job = (values: object = {}) => ({
      jobId: "job-1",
      did: "did:plc:alice",
      state: "JOB_STATE_ENCODING",
      ...values
    })
    const made = { ...blob("bafyvideo"), mimeType: "video/mp4" }
    const service: Routes = {
      [getServiceAuth]: ({ query }) => ({ status: 200, json: { token: `${query.lxm} for ${query.aud}` } }),
      [describeServer]: { status: 200, json: { did: "did:web:pds.example", availableUserDomains: [] } },
      [getUploadLimits]: { status: 200, json: { canUpload: true, remainingDailyVideos: 25 } },
      [uploadVideo]: { status: 200, json: job() },
      [getJobStatus]: { status: 200, json: { jobStatus: job({ state: "JOB_STATE_COMPLETED", blob: made }) } }
    }
    const film = video("film", Stream.make(Buffer.from("moving pictures")), 15)
    const post = request({ media: [{ ...film, alt_text: "Bells swing" }] })
    const alice = (address: string) =>
      Redacted.make({ service: address, did: "did:plc:alice", accessJwt: "access", refreshJwt: "refresh" })
    const publicly = alice("https://pds.example")
    const embedded = {
      $type: "app.bsky.embed.video",
      video: made,
      alt: "Bells swing",
      aspectRatio: { width: 1280, height: 720 }
    }

    it.effect("goes through the video service, which writes it to the account's server", () =>
      Effect.gen(function* () {
        const { platform, received, calls } = yield* bluesky(service)
        const { save, all } = yield* savedHandles
        const first = yield* platform.prepare(post, publicly, null, save)
        assert.strictEqual(first._tag, "wait")
        assert.deepStrictEqual(yield* all, [first.handle])
        assert.deepStrictEqual(calls(), [
          getServiceAuth,
          getUploadLimits,
          describeServer,
          getServiceAuth,
          // The service has no uploads in parts.
          startUpload,
          uploadVideo
        ])
        const upload = received.at(-1)!
        assert.strictEqual(
          upload.headers.authorization,
          "Bearer com.atproto.repo.uploadBlob for did:web:pds.example"
        )
        assert.deepStrictEqual(upload.query, { did: "did:plc:alice", name: "film.mp4" })
        assert.strictEqual(upload.headers["content-type"], "video/mp4")
        assert.strictEqual(upload.headers["content-length"], "15")
        assert.strictEqual(upload.body.toString(), "moving pictures")
        assert.strictEqual(
          received[1]!.headers.authorization,
          "Bearer app.bsky.video.getUploadLimits for did:web:video.bsky.app"
        )
        const second = yield* platform.poll(post, publicly, first.handle)
        assert.strictEqual(second._tag, "ready")
        assert.deepStrictEqual(record(second.handle).embed, embedded)
        assert.deepStrictEqual(received.at(-1)!.query, { jobId: "job-1" })
        assert.isUndefined(received.at(-1)!.headers.authorization)
      })
    )

    it.effect("a video has its subtitles and how it is shown in the record, once it is ready", () =>
      Effect.gen(function* () {
        const upload = "POST /pds.example/xrpc/com.atproto.repo.uploadBlob"
        const { platform, received, calls } = yield* bluesky({
          ...service,
          [upload]: ({ body, headers }) => ({
            status: 200,
            json: {
              blob: { ...blob(`bafy${body.length}`), mimeType: headers["content-type"], size: body.length }
            }
          })
        })
        const { save } = yield* savedHandles
        const texts = [
          "WEBVTT\n\n00:00.000 --> 00:02.000\nBells",
          "WEBVTT\n\n00:00.000 --> 00:02.000\nGlöcklein"
        ]
        const captions = ["en", "de"].map((lang, index) => ({ lang, text: texts[index]! }))
        const shown = { ...post, options: { captions, presentation: "gif" } }
        const first = yield* platform.prepare(shown, publicly, null, save)
        assert.notInclude(calls(), upload)
        const { handle } = yield* platform.poll(shown, publicly, first.handle)
        const uploads = received.filter(({ path }) => path.endsWith("uploadBlob"))
        assert.deepStrictEqual(
          uploads.map(({ body, headers }) => [
            headers["content-type"],
            headers.authorization,
            body.toString()
          ]),
          texts.map((text) => ["text/vtt", "Bearer access", text])
        )
        assert.deepStrictEqual(record(handle).embed, {
          ...embedded,
          captions: captions.map(({ lang, text }) => {
            const size = Buffer.byteLength(text)
            return { lang, file: { ...blob(`bafy${size}`), mimeType: "text/vtt", size } }
          }),
          presentation: "gif"
        })
      })
    )

    it.effect.each([
      ["its answer is wrapped", { [uploadVideo]: { status: 200, json: { jobStatus: job({ blob: made }) } } }],
      [
        "it was there since an earlier try",
        { [uploadVideo]: { status: 409, json: job({ error: "already_exists", blob: made }) } }
      ],
      [
        "it was there and has no job any more",
        { [uploadVideo]: { status: 409, json: { error: "already_exists", blob: made } } }
      ]
    ] satisfies ReadonlyArray<readonly [string, Routes]>)("a video is ready at once when %s", ([, routes]) =>
      Effect.gen(function* () {
        const { platform } = yield* bluesky({ ...service, ...routes })
        const { save } = yield* savedHandles
        const { handle } = yield* platform.prepare(post, publicly, null, save)
        assert.deepStrictEqual(record(handle).embed, embedded)
      })
    )

    it.effect.each([["JOB_STATE_CREATED"], ["JOB_STATE_SCANNING"], ["a state that is new"]])(
      "a video is waited for while its job is in %s, and not sent again",
      ([state]) =>
        Effect.gen(function* () {
          const { platform, calls } = yield* bluesky({
            ...service,
            [uploadVideo]: { status: 409, json: job({ error: "already_exists" }) },
            [getJobStatus]: { status: 200, json: { jobStatus: job({ state }) } }
          })
          const { save, all } = yield* savedHandles
          const first = yield* platform.prepare(post, publicly, null, save)
          const second = yield* platform.poll(post, publicly, first.handle)
          const third = yield* platform.prepare(post, publicly, (yield* all)[0]!, save)
          assert.deepStrictEqual([first._tag, second._tag, third._tag], ["wait", "wait", "wait"])
          assert.lengthOf(
            calls().filter((call) => call === uploadVideo),
            1
          )
        })
    )

    const failed = (values: object): Routes => ({
      [getJobStatus]: { status: 200, json: { jobStatus: job({ state: "JOB_STATE_FAILED", ...values }) } }
    })

    it.effect.each([
      [
        "validation_failure",
        failed({ failureCode: "validation_failure", message: "too long" }),
        "media_rejected",
        /too long/
      ],
      ["encoding_failure", failed({ failureCode: "encoding_failure" }), "media_rejected", /H\.264/],
      [
        "pds_upload_unsupported_blob_size",
        failed({ failureCode: "pds_upload_unsupported_blob_size" }),
        "media_rejected",
        /shorter/
      ],
      ["pds_upload_failure", failed({ failureCode: "pds_upload_failure" }), "transient", /send it again/],
      ["generic_failure", failed({ failureCode: "generic_failure" }), "transient", /send it again/],
      ["no code", failed({ error: "what" }), "transient", /send it again/],
      [
        "no blob at its end",
        { [getJobStatus]: { status: 200, json: { jobStatus: job({ state: "JOB_STATE_COMPLETED" }) } } },
        "transient",
        /send it again/
      ],
      ["no job any more", { [getJobStatus]: refusal(404, "JobNotFound") }, "transient", /send it again/],
      ["a service in trouble", { [getJobStatus]: { status: 503 } }, "transient", /503/]
    ] as const)("a video has failed with %s", ([, routes, errorClass, words]) =>
      Effect.gen(function* () {
        const { platform } = yield* bluesky({ ...service, ...routes })
        const { save } = yield* savedHandles
        const { handle } = yield* platform.prepare(post, publicly, null, save)
        const error = yield* Effect.flip(platform.poll(post, publicly, handle))
        assert.strictEqual(error.class, errorClass)
        assert.match(error.message, words)
        assert.strictEqual(error.discard_handle ?? false, /send it again/.test(error.message))
      })
    )

    it.effect("a video has worked when its job has a blob, whatever else it says", () =>
      Effect.gen(function* () {
        const { platform } = yield* bluesky({
          ...service,
          ...failed({ error: "already_exists", blob: made })
        })
        const { save } = yield* savedHandles
        const { handle } = yield* platform.prepare(post, publicly, null, save)
        const done = yield* platform.poll(post, publicly, handle)
        assert.deepStrictEqual(record(done.handle).embed, embedded)
      })
    )

    it.effect.each([
      [
        "may not upload",
        { [getUploadLimits]: { status: 200, json: { canUpload: false, message: "Confirm your e-mail" } } },
        "forbidden",
        /Confirm your e-mail/
      ],
      [
        "has had all videos of the day",
        { [getUploadLimits]: { status: 200, json: { canUpload: false, remainingDailyVideos: 0 } } },
        "quota_exhausted",
        /today/
      ],
      [
        "has had all bytes of the day",
        { [getUploadLimits]: { status: 200, json: { canUpload: true, remainingDailyBytes: 14 } } },
        "quota_exhausted",
        /today/
      ],
      ["is refused a token", { [getServiceAuth]: refusal(400, "ExpiredToken") }, "reconnect", /Connect/],
      ["is not let in", { [uploadVideo]: refusal(401, "Unauthorized") }, "forbidden", /video service/],
      [
        "sends what is no video",
        { [uploadVideo]: refusal(400, "InvalidVideo", "not a video") },
        "media_rejected",
        /not a video/
      ],
      ["sends too much", { [uploadVideo]: refusal(413, "PayloadTooLarge") }, "media_rejected", /too large/],
      ["sends too often", { [uploadVideo]: { status: 429 } }, "rate_limited", /rate limiting/],
      ["loses the reply", { [uploadVideo]: "reset" }, "transient", /again/],
      ["is told neither job nor blob", { [uploadVideo]: { status: 200, json: {} } }, "transient", /again/]
    ] as const)("a video is not sent when the account %s", ([, routes, errorClass, words]) =>
      Effect.gen(function* () {
        const { platform } = yield* bluesky({ ...service, ...(routes as Routes) })
        const { save, all } = yield* savedHandles
        const error = yield* Effect.flip(platform.prepare(post, publicly, null, save))
        assert.strictEqual(error.class, errorClass)
        assert.match(error.message, words)
        assert.deepStrictEqual(yield* all, [])
      })
    )

    it.effect.each([
      ["ready", "ready", undefined],
      ["refused", "failed", "encoding_failure"]
    ] as const)(
      "a video is %s on the test network when its job has ended, and sent once",
      ([, becomes, code]) =>
        Effect.gen(function* () {
          // The tokens for the service end at a time of the clock.
          yield* TestClock.setTime(yield* TestClock.withLive(Clock.currentTimeMillis))
          const { account, platform, posts, script } = yield* onTestNetwork
          const { credentials, username } = account
          yield* script({ on: "media", fault: "processing", polls: 1, becomes })
          const ofAccount = { ...post, username }
          const { save, all } = yield* savedHandles
          const first = yield* platform.prepare(ofAccount, credentials, null, save)
          const second = yield* platform.poll(ofAccount, credentials, first.handle)
          assert.deepStrictEqual([first._tag, second._tag], ["wait", "wait"])
          const third = platform.poll(ofAccount, credentials, second.handle)
          if (code !== undefined)
            return assert.deepInclude(yield* Effect.flip(third), { class: "media_rejected", code })
          // A try that has lost its handle is told the job of the same bytes.
          yield* platform.prepare(ofAccount, credentials, null, save)
          const [upload, job, another, same] = (yield* all).map(
            ({ video }) => video as Record<string, unknown>
          )
          assert.deepStrictEqual(upload!["upload"], job!["job"])
          assert.notStrictEqual(another!["upload"], upload!["upload"])
          assert.property(same, "blob")
          yield* platform.commit(ofAccount, credentials, (yield* third).handle)
          assert.lengthOf(yield* posts, 1)
        })
    )

    it.effect("a video is sent as it is to a server that the service cannot reach", () =>
      Effect.gen(function* () {
        const { platform, credentials, calls, received } = yield* bluesky({
          [uploadBlob]: { status: 200, json: { blob: made } }
        })
        const { save } = yield* savedHandles
        const { handle } = yield* platform.prepare(post, credentials, null, save)
        assert.deepStrictEqual(record(handle).embed, embedded)
        assert.deepStrictEqual(calls(), [uploadBlob])
        assert.strictEqual(received[0]!.body.toString(), "moving pictures")
        assert.strictEqual(received[0]!.headers["content-type"], "video/mp4")
      })
    )

    it.effect("takes the account's own server where the account was connected through the entryway", () =>
      Effect.gen(function* () {
        const { platform, received } = yield* bluesky({
          ...service,
          "GET /bsky.social/xrpc/com.atproto.server.getServiceAuth": {
            status: 200,
            json: { token: "token" }
          },
          "GET /plc.example/did:plc:alice": { status: 200, json: document() }
        })
        const { save } = yield* savedHandles
        yield* platform.prepare(post, alice("https://bsky.social"), null, save)
        const tokens = received.filter(({ path }) => path.endsWith("getServiceAuth"))
        assert.deepStrictEqual(
          tokens.map(({ query }) => query.aud),
          ["did:web:video.bsky.app", "did:web:pds.example"]
        )
      })
    )
  })

  const post = {
    collection: "app.bsky.feed.post",
    rkey: "3kabcdefghijk",
    value: { $type: "app.bsky.feed.post", text: "Hello", createdAt: "2026-11-21T12:00:00.000Z" }
  }
  const ready: Handle = { images: {}, writes: [post] }
  const missing = refusal(400, "RecordNotFound")
  const there: Reply = { status: 200, json: { uri: "at://x", cid: "bafy", value: {} } }
  const data = {
    id: "at://did:plc:alice/app.bsky.feed.post/3kabcdefghijk",
    url: "https://bsky.app/profile/alice.test/post/3kabcdefghijk",
    username: "alice.test"
  }

  describe("commit", () => {
    it.effect("creates the frozen record under its key, which must be free", () =>
      Effect.gen(function* () {
        const { platform, credentials, received } = yield* bluesky({ [applyWrites]: written })
        assert.deepStrictEqual(yield* platform.commit(request(), credentials, ready), data)
        assert.deepStrictEqual(json(received[0]), {
          repo: "did:plc:alice",
          writes: [{ $type: "com.atproto.repo.applyWrites#create", ...post }]
        })
        assert.strictEqual(received[0]!.headers.authorization, "Bearer access")
      })
    )

    it.effect("links by DID when the handle has lapsed", () =>
      Effect.gen(function* () {
        const { platform, credentials } = yield* bluesky({ [applyWrites]: written })
        const done = yield* platform.commit(request({ username: "handle.invalid" }), credentials, ready)
        assert.strictEqual(live(done).url, "https://bsky.app/profile/did:plc:alice/post/3kabcdefghijk")
      })
    )

    it.effect.each([
      ["as the reference server says it", refusal(500, "InternalServerError")],
      ["as others may say it", refusal(400, "InvalidRequest", "Record already exists")]
    ] as const)("a commit has worked when the key is taken: by an earlier try, %s", ([, reply]) =>
      Effect.gen(function* () {
        const { platform, credentials, calls } = yield* bluesky({ [applyWrites]: reply, [getRecord]: there })
        assert.deepStrictEqual(yield* platform.commit(request(), credentials, ready), data)
        assert.deepStrictEqual(calls(), [applyWrites, getRecord])
      })
    )

    it.effect.each([
      ["no answer", { status: 502 }],
      ["no session", refusal(400, "ExpiredToken")]
    ] satisfies ReadonlyArray<readonly [string, Reply]>)(
      "commit is open when it was refused and there is %s about an earlier try",
      ([, look]) =>
        Effect.gen(function* () {
          for (const refused of [refusal(500, "InternalServerError"), refusal(400, "InvalidRequest")]) {
            const { platform, credentials } = yield* bluesky({ [applyWrites]: refused, [getRecord]: look })
            const error = yield* Effect.flip(platform.commit(request(), credentials, ready))
            assert.strictEqual(error.class, "ambiguous")
          }
        })
    )

    it.effect.each([
      ["ExpiredToken", refusal(400, "ExpiredToken"), { class: "reconnect", token_expired: true }],
      ["InvalidToken", refusal(400, "InvalidToken"), { class: "reconnect", token_expired: true }],
      ["AuthMissing", refusal(401, "AuthMissing"), { class: "reconnect", token_expired: true }],
      ["401 without a code", { status: 401 }, { class: "reconnect", token_expired: true }],
      ["AccountTakedown", refusal(401, "AccountTakedown"), { class: "forbidden" }],
      ["AccountDeactivated", refusal(400, "AccountDeactivated"), { class: "forbidden" }],
      ["AccountSuspended", refusal(403, "AccountSuspended"), { class: "forbidden" }],
      [
        "BlobNotFound",
        refusal(400, "BlobNotFound", "Could not find blob: bafy"),
        { class: "transient", discard_handle: true }
      ],
      ["InvalidMimeType", refusal(400, "InvalidMimeType"), { class: "media_rejected" }],
      [
        "InvalidRequest",
        refusal(400, "InvalidRequest", "text must not be longer than 300 graphemes"),
        {
          class: "invalid",
          message: `Bluesky rejected the request with status 400: "text must not be longer than 300 graphemes". Change the post's content or options.`
        }
      ],
      ["PayloadTooLarge", refusal(413, "PayloadTooLarge"), { class: "media_rejected" }],
      ["RateLimitExceeded", refusal(429, "RateLimitExceeded"), { class: "rate_limited" }],
      ["a gateway's page", { status: 502, text: "<html>" }, { class: "ambiguous" }]
    ] satisfies ReadonlyArray<readonly [string, Reply, Partial<PublishError>]>)(
      "commit knows %s",
      ([, reply, expected]) =>
        Effect.gen(function* () {
          const { platform, credentials } = yield* bluesky({ [applyWrites]: reply, [getRecord]: missing })
          assert.deepInclude(yield* Effect.flip(platform.commit(request(), credentials, ready)), expected)
        })
    )

    it.effect("commit is prepared again when its handle cannot be read", () =>
      Effect.gen(function* () {
        const { platform, credentials, received } = yield* bluesky({})
        const error = yield* Effect.flip(platform.commit(request(), credentials, { images: {} }))
        assert.deepInclude(error, { class: "transient", discard_handle: true })
        assert.lengthOf(received, 0)
      })
    )
  })

  describe("a thread", () => {
    const threaded = (following: ReadonlyArray<FollowingItem>, values: Partial<PublishRequest> = {}) =>
      request({
        caption: "The first",
        thread: { index: 0, count: following.length + 1, root: null, parent: null, rest: following },
        ...values
      })

    it.effect(
      "a thread is one commit of all posts with their gates, each a little later than what it answers",
      () =>
        Effect.gen(function* () {
          const { platform, credentials } = yield* bluesky({
            [uploadBlob]: {
              status: 200,
              json: { blob: blob("bafkreihwqn2azxwwnagz3fg742rfrzcms2rhe6fityk2znjmbohterj5ha") }
            }
          })
          const { save } = yield* savedHandles
          const post = threaded(
            [
              { caption: "", media: [image("a", { alt_text: "A bell" })] },
              { caption: "The third", media: [] }
            ],
            {
              options: {
                langs: ["en"],
                labels: ["nudity"],
                reply_gate: ["nobody"],
                quote_gate: "nobody",
                alt_text: ["x"]
              }
            }
          )
          const { handle } = yield* platform.prepare(post, credentials, null, save)
          const all = writes(handle)
          const named = all.map(({ collection, rkey }) => `${collection.split(".").at(-1)} ${rkey}`)
          const keys = all
            .filter(({ value }) => value["$type"] === "app.bsky.feed.post")
            .map(({ rkey }) => rkey)
          assert.deepStrictEqual(named, [
            `post ${keys[0]}`,
            `threadgate ${keys[0]}`,
            `postgate ${keys[0]}`,
            `post ${keys[1]}`,
            `postgate ${keys[1]}`,
            `post ${keys[2]}`,
            `postgate ${keys[2]}`
          ])
          assert.deepStrictEqual(keys, keys.toSorted())
          const [first, second, third] = all.flatMap(({ value }) =>
            value["$type"] === "app.bsky.feed.post" ? [value] : []
          )
          const dates = [first, second, third].map((one) => one!["createdAt"] as string)
          assert.deepStrictEqual(dates, dates.toSorted())
          assert.lengthOf(new Set(dates), 3)
          const refs = [first, second].map((value, index) => ({
            uri: `at://did:plc:alice/app.bsky.feed.post/${keys[index]}`,
            cid: cidOf(value as Schema.JsonObject)
          }))
          assert.notProperty(first, "reply")
          assert.deepStrictEqual(
            [second!["reply"], third!["reply"]],
            [
              { root: refs[0], parent: refs[0] },
              { root: refs[0], parent: refs[1] }
            ]
          )
          assert.deepInclude(third, { langs: ["en"], labels: first!["labels"] })
          assert.deepInclude(second!["embed"] as object, { $type: "app.bsky.embed.images" })
        })
    )

    it.effect("a thread is tried again where an upload was answered with no link", () =>
      Effect.gen(function* () {
        const { platform, credentials } = yield* bluesky({ [uploadBlob]: uploaded })
        const { save } = yield* savedHandles
        const post = threaded([{ caption: "The second", media: [] }], { media: [image("a")] })
        const failure = yield* Effect.flip(platform.prepare(post, credentials, null, save))
        assert.deepInclude(failure, { class: "transient", code: "unreadable_answer" })
      })
    )

    it.effect("a thread is live whole or not at all, and a second try of it makes nothing twice", () =>
      Effect.gen(function* () {
        const { account, platform, posts, script } = yield* onTestNetwork
        const { credentials, username } = account
        const post = threaded([{ caption: "The second", media: [] }], { username })
        const { handle } = yield* platform.prepare(post, credentials, null, () => Effect.void)
        assert.deepStrictEqual(yield* platform.reconcile(post, credentials, handle, noneTaken), {
          _tag: "not_published"
        })
        // A record that is not what the next one answers is refused with all.
        const [first, ...others] = writes(handle)
        const changed = {
          images: {},
          writes: [{ ...first!, value: { ...first!.value, text: "?" } }, ...others]
        }
        const refused = yield* Effect.flip(platform.commit(post, credentials, changed as Handle))
        assert.deepInclude(refused, { class: "invalid" })
        assert.deepStrictEqual(yield* posts, [])

        yield* script({ on: "post", fault: "effect_then_lost_reply" })
        assert.deepInclude(yield* Effect.flip(platform.commit(post, credentials, handle)), {
          class: "ambiguous"
        })
        const found = yield* platform.reconcile(post, credentials, handle, noneTaken)
        const again = yield* platform.commit(post, credentials, handle)
        assert.instanceOf(again, WholeThread)
        const live = yield* posts
        assert.lengthOf(live, 2)
        assert.deepStrictEqual(
          (again as WholeThread).items.map(({ id }) => id),
          [...live]
        )
        assert.deepStrictEqual(found, { _tag: "thread_published", thread: again })
      })
    )
  })

  describe("reconcile", () => {
    it.effect.each([
      ["its record is there", there, { _tag: "published", data }],
      ["nothing is there", refusal(400, "RecordNotFound"), { _tag: "not_published" }]
    ] as const)("reconcile tells that %s", ([, reply, expected]) =>
      Effect.gen(function* () {
        const { platform, credentials } = yield* bluesky({ [getRecord]: reply })
        assert.deepStrictEqual(yield* platform.reconcile(request(), credentials, ready, noneTaken), expected)
      })
    )
  })
})
