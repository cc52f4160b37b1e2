import { SendGuard, layerCheckingClient } from "@carillon/server/http/SendGuard"
import { RemoteFetch } from "@carillon/server/http/RemoteFetch"
import { PublishError } from "@carillon/server/platforms/Platform"
import {
  type PlatformCall,
  platformHttp,
  type Refusal,
  refusedByStatus,
  shortAnswer
} from "@carillon/server/platforms/PlatformHttp"
import { NodeDns } from "@effect/platform-node"
import { assert, describe, layer } from "@effect/vitest"
import { DateTime, Effect, Fiber, Layer, Schema, Stream } from "effect"
import { HttpBody, HttpClient } from "effect/http"
import { TestClock } from "effect/testing"
import { vi } from "vitest"
import { closedPort, type Reply, scriptedServer } from "./ScriptedServer.ts"

const Answer = Schema.Struct({ id: Schema.String })
const guarded = Layer.effect(
  HttpClient.HttpClient,
  Effect.map(RemoteFetch, ({ client }) => client)
).pipe(Layer.provide(RemoteFetch.layerWith({ allowPrivateHosts: true })), Layer.provide(NodeDns.layer))

const request = (url: string, options: Partial<PlatformCall<typeof Answer>> = {}) =>
  Effect.flatMap(HttpClient.HttpClient, (client) =>
    platformHttp(
      client,
      "Testnet"
    )({
      method: "POST",
      url,
      bearer: "secret-token",
      body: HttpBody.jsonUnsafe({ text: "hello" }),
      maxAnswerBytes: shortAnswer,
      answer: Answer,
      refuse: ({ status }: Refusal) => refusedByStatus("Testnet", status),
      ...options
    })
  )

/** What comes of one call to a server that gives this reply, as a step and as a commit. */
const outcomes = Effect.fn(function* (reply: Reply) {
  const { url } = yield* scriptedServer(() => reply)
  const step = yield* Effect.flip(request(url))
  const commit = yield* Effect.flip(request(url, { commit: true }))
  return [step, commit] as const
})
const classes = (errors: ReadonlyArray<PublishError>) => errors.map((error) => error.class)

const head = (contentLength: number) =>
  `HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: ${contentLength}\r\n\r\n`

describe.each([
  ["the plain client", layerCheckingClient],
  ["the guarded client", guarded]
])("through %s", (_name, client) => {
  layer(client)((it) => {
    it.effect.each([
      ["a reset after the request", "reset" as const],
      ["a connection that ends without an answer", { raw: "" }],
      ["an answer that is not HTTP", { raw: "Hello?\r\n\r\n" }],
      ["half a body", { raw: `${head(100)}{"id":` }],
      ["a body that is no JSON", { status: 200, text: "<html>" }],
      ["a body of another shape", { status: 200, json: { identifier: "1" } }],
      ["an empty body", { status: 204 }],
      ["a body beyond the limit", { status: 200, json: { id: "1", more: "x".repeat(70_000) } }],
      ["status 500", { status: 500, json: { error: "oops" } }],
      ["status 502 with a page", { status: 502, text: "<html>" }],
      ["status 503", { status: 503 }],
      ["status 504", { status: 504 }]
    ] satisfies ReadonlyArray<readonly [string, Reply]>)("leaves a commit open on %s", ([, reply]) =>
      Effect.gen(function* () {
        assert.deepStrictEqual(classes(yield* outcomes(reply)), ["transient", "ambiguous"])
      })
    )

    it.effect("leaves a commit open when the answer takes too long", () =>
      Effect.gen(function* () {
        const { url, arrival } = yield* scriptedServer(() => "silence")
        const late = Effect.fn(function* (commit: boolean) {
          const call = yield* Effect.forkChild(Effect.flip(request(url, { timeout: "20 seconds", commit })))
          yield* arrival
          yield* TestClock.adjust("20 seconds")
          return yield* Fiber.join(call)
        })
        const errors = [yield* late(false), yield* late(true)]
        assert.deepStrictEqual(classes(errors), ["transient", "ambiguous"])
        assert.strictEqual(errors[0]?.message, "Testnet did not answer within 20s. Carillon will try again.")
      })
    )

    it.effect.each([
      ["refused", Effect.succeed(closedPort)],
      ["to a name without an address", Effect.succeed("http://no-such-host.invalid")],
      [
        "answered without TLS",
        Effect.map(
          scriptedServer(() => "silence"),
          ({ url }) => url.replace("http:", "https:")
        )
      ],
      ["to an address that is none", Effect.succeed("http://")]
    ] as const)("knows that nothing was sent when the connection is %s", ([, address]) =>
      Effect.gen(function* () {
        const error = yield* Effect.flip(request(yield* address, { commit: true }))
        assert.strictEqual(error.class, "transient")
        assert.match(error.message, /^Testnet could not be reached \(\w+\)\. Nothing was sent\.$/)
      })
    )

    it.effect("sends nothing of a commit that is found to be late when its connection is open", () =>
      Effect.gen(function* () {
        const { url, received } = yield* scriptedServer(() => ({ status: 200, json: { id: "1" } }))
        const late = new PublishError({ class: "transient", code: "process_stalled", message: "Too late." })
        const send = (options: Partial<PlatformCall<typeof Answer>>, timely: number) => {
          let asked = 0
          return Effect.provideService(request(url, options), SendGuard, () =>
            ++asked > timely ? late : undefined
          )
        }
        assert.strictEqual(yield* Effect.flip(send({ commit: true }, 0)), late)
        const body = HttpBody.stream(Stream.make(Buffer.from("{"), Buffer.from("}")), "application/json", 2)
        assert.strictEqual(yield* Effect.flip(send({ commit: true, body }, 2)), late)
        assert.lengthOf(received, 0)
        assert.deepStrictEqual(yield* send({ commit: true, body }, 3), { id: "1" })
        assert.deepStrictEqual(yield* send({}, 0), { id: "1" })
      })
    )

    it.effect("hands every other status to the adapter's table, with the body", () =>
      Effect.gen(function* () {
        const { url } = yield* scriptedServer(() => ({ status: 422, text: `{"id":9007199254740993}` }))
        const error = yield* request(url, {
          commit: true,
          refuse: ({ status, body }) => ({
            class: "invalid",
            code: `own_${status}`,
            message: JSON.stringify(body)
          })
        }).pipe(Effect.flip)
        assert.deepInclude(error, { class: "invalid", code: "own_422", message: `{"id":"9007199254740993"}` })
      })
    )

    it.effect("replaces in an answer what no database column takes", () =>
      Effect.gen(function* () {
        const { url } = yield* scriptedServer(() => ({
          status: 200,
          text: String.raw`{"id":"a\u0000b\ud800"}`
        }))
        assert.deepStrictEqual(yield* request(url), { id: "a\ufffdb\ufffd" })
        const { url: refusing } = yield* scriptedServer(() => ({ status: 400, text: "a\0b" }))
        assert.strictEqual((yield* Effect.flip(request(refusing))).platform_response, "a\ufffdb")
      })
    )

    it.effect.each([200, 204])("takes an answer without a body for an empty text (%i)", (status) =>
      Effect.gen(function* () {
        const { url } = yield* scriptedServer(() => ({ status }))
        const call = platformHttp(yield* HttpClient.HttpClient, "Testnet")
        const refuse = () => assert.fail("It was no refusal.")
        const answer = Schema.String
        assert.strictEqual(
          yield* call({ method: "GET", url, format: "text", maxAnswerBytes: shortAnswer, answer, refuse }),
          ""
        )
      })
    )

    it.effect.each([
      ["", '""'],
      ["<p>No</p>", "null"]
    ] as const)("tells a refusal without a body from one that is no JSON (%j)", ([text, expected]) =>
      Effect.gen(function* () {
        const { url } = yield* scriptedServer(() => ({ status: 422, text }))
        const refuse = ({ body }: Refusal) =>
          ({ class: "invalid", code: "own", message: JSON.stringify(body) }) as const
        assert.strictEqual((yield* Effect.flip(request(url, { refuse }))).message, expected)
      })
    )

    it.effect("gives status and headers where they are the answer, of other statuses too", () =>
      Effect.gen(function* () {
        const { url } = yield* scriptedServer(({ method }) => ({
          status: method === "PUT" ? 308 : 201,
          headers: { "Content-Range": "bytes 0-9/20" }
        }))
        const whole = Effect.fn(function* (method: "PUT" | "POST") {
          const client = yield* HttpClient.HttpClient
          return yield* platformHttp(
            client,
            "Testnet"
          )({
            method,
            url,
            format: "whole",
            also: [308],
            maxAnswerBytes: shortAnswer,
            answer: Schema.Any,
            refuse: () => assert.fail()
          })
        })
        assert.deepNestedInclude(yield* whole("POST"), { status: 201, body: null })
        assert.deepNestedInclude(yield* whole("PUT"), {
          status: 308,
          "headers.content-range": "bytes 0-9/20"
        })
      })
    )

    it.effect("reads of an answer as much as the call says, to the byte", () =>
      Effect.gen(function* () {
        const text = `{"id":"${"x".repeat(200_000)}"}`
        const { url } = yield* scriptedServer(() => ({ status: 200, text }))
        assert.lengthOf((yield* request(url, { maxAnswerBytes: text.length })).id, 200_000)
        const error = yield* Effect.flip(request(url, { maxAnswerBytes: text.length - 1 }))
        assert.deepInclude(error, { class: "transient", code: "answer_too_long" })
        assert.match(
          error.message,
          /^Testnet answered 200 with more than 200008 bytes, the most that Carillon reads/
        )
      })
    )

    it.effect.each([
      ["numbers", `{"id":"1","more":[${"1,".repeat(20_000)}1]}`],
      ["empty objects", `{"id":"1","more":[${"{},".repeat(10_000)}{}]}`],
      ["brackets", "[".repeat(40_000)],
      ["lists in lists", `{"id":"1","more":${"[".repeat(40)}${"]".repeat(40)}}`],
      ["names", `{"id":"1"${',"\\a":0'.repeat(12_000)}}`],
      ["fields", `{"id":"1"${',"a":0'.repeat(10_001)}}`],
      ["long ids", `{"id":"1","more":[${"7412345678901234567,".repeat(3_000)}1${",1".repeat(7_000)}]}`]
    ] as const)("the client of platforms does not parse an answer of too many or too deep %s", ([, text]) =>
      Effect.gen(function* () {
        const { url } = yield* scriptedServer(({ path }) => ({
          status: path === "/refused" ? 422 : 200,
          text
        }))
        const parse = vi.spyOn(JSON, "parse")
        yield* Effect.addFinalizer(() => Effect.sync(() => parse.mockRestore()))
        const maxAnswerBytes = 512 * 1024
        const error = yield* Effect.flip(request(url, { maxAnswerBytes }))
        assert.deepInclude(error, { class: "transient", code: "answer_too_long" })
        assert.match(
          error.message,
          /^Testnet answered 200 with (more than 10000 values|values nested more than 32 levels deep), the most that/
        )
        const commit = yield* Effect.flip(request(url, { maxAnswerBytes, commit: true }))
        assert.strictEqual(commit.class, "ambiguous")
        const bodies: Array<unknown> = []
        const refuse = ({ body, status }: Refusal) => {
          bodies.push(body)
          return refusedByStatus("Testnet", status)
        }
        yield* Effect.flip(request(`${url}/refused`, { maxAnswerBytes, refuse }))
        assert.deepStrictEqual(bodies, [null])
        assert.lengthOf(
          parse.mock.calls.filter(([parsed]) => parsed === text),
          0
        )
      })
    )

    it.effect("reads more values of an answer that may be longer: one for each hundred bytes", () =>
      Effect.gen(function* () {
        const { url } = yield* scriptedServer(() => ({
          status: 200,
          text: `{"id":"1","more":[${"1,".repeat(20_000)}1]}`
        }))
        assert.strictEqual((yield* request(url, { maxAnswerBytes: 4 * 1024 * 1024 })).id, "1")
        const error = yield* Effect.flip(request(url, { maxAnswerBytes: 1_900_000 }))
        assert.include(error.message, "more than 19000 values")
      })
    )

    it.effect("waits as long as Meta says of this use case, in minutes", () =>
      Effect.gen(function* () {
        const usage = (...minutes: ReadonlyArray<readonly [string, number]>) => ({
          "x-business-use-case-usage": JSON.stringify({
            "1": minutes.map(([type, estimated_time_to_regain_access]) => ({
              type,
              call_count: 100,
              estimated_time_to_regain_access
            }))
          })
        })
        const waits = Effect.fnUntraced(function* (headers: Record<string, string>) {
          const { url } = yield* scriptedServer(() => ({ status: 400, headers, json: {} }))
          const error = yield* Effect.flip(
            request(url, { refuse: () => ({ class: "rate_limited", code: "80002", message: "Wait." }) })
          )
          const now = DateTime.toEpochMillis(yield* DateTime.now)
          return error.retry_at && (DateTime.toEpochMillis(error.retry_at) - now) / 60_000
        })
        assert.strictEqual(yield* waits(usage(["instagram", 19], ["ads_management", 60])), 19)
        assert.isUndefined(yield* waits(usage(["instagram", 0])))
        assert.isUndefined(yield* waits({ "x-business-use-case-usage": "soon" }))
      })
    )

    it.effect("the client of platforms follows no redirect", () =>
      Effect.gen(function* () {
        const { url, received } = yield* scriptedServer(() => ({
          status: 307,
          headers: { location: "/elsewhere" }
        }))
        const error = yield* Effect.flip(request(url, { commit: true }))
        assert.deepInclude(error, { class: "config", code: "http_307" })
        assert.strictEqual(received.length, 1)
      })
    )

    it.effect("sends each request once, whatever the answer", () =>
      Effect.gen(function* () {
        const { url, received } = yield* scriptedServer(() => ({ status: 503 }))
        yield* Effect.flip(request(url))
        yield* Effect.flip(request(url, { commit: true }))
        assert.strictEqual(received.length, 2)
      })
    )

    it.effect("reads ids beyond 2^53 as they were written", () =>
      Effect.gen(function* () {
        const { url } = yield* scriptedServer(() => ({
          status: 200,
          text: `{"id":7412345678901234567,"n":12}`
        }))
        assert.deepStrictEqual(yield* request(url), { id: "7412345678901234567" })
      })
    )

    it.effect("sends the credentials and no trace ids", () =>
      Effect.gen(function* () {
        const { url, received } = yield* scriptedServer(() => ({ status: 200, json: { id: "1" } }))
        yield* Effect.withSpan(request(url), "publish")
        assert.strictEqual(received[0]!.headers.authorization, "Bearer secret-token")
        assert.notProperty(received[0]!.headers, "traceparent")
        assert.notProperty(received[0]!.headers, "b3")
      })
    )

    it.effect("quotes the platform without what is secret", () =>
      Effect.gen(function* () {
        const { url } = yield* scriptedServer(({ headers }) => ({
          status: 400,
          text: `${headers.authorization} pass-word eyJhbGciOi.eyJzdWIiOi.c2lnbg ${"x".repeat(2000)}`
        }))
        const error = yield* request(url, {
          secrets: ["pass-word"],
          refuse: () => ({ class: "invalid", code: "no", message: "secret-token and pass-word" })
        }).pipe(Effect.flip)
        assert.strictEqual(error.message, "<redacted> and <redacted>")
        assert.match(error.platform_response ?? "", /^Bearer <redacted> <redacted> <redacted> x+…$/)
        assert.isBelow(error.platform_response!.length, 600)
      })
    )

    it.effect("fails with our own error when the media cannot be read", () =>
      Effect.gen(function* () {
        const { url } = yield* scriptedServer(() => ({ status: 200, json: { id: "1" } }))
        const own = new PublishError({
          class: "transient",
          code: "media_store",
          message: "The store is away."
        })
        const body = Stream.concat(Stream.succeed(new Uint8Array(10)), Stream.fail(own))
        const error = yield* Effect.flip(request(url, { body: HttpBody.stream(body, "video/mp4", 100) }))
        assert.deepInclude(error, { code: "media_store", message: "The store is away." })
      })
    )

    const noon = "2026-11-21T12:00:00.000Z"
    it.effect.each([
      ["a header", { "retry-after": "120" }, {}, "2026-11-21T12:02:00.000Z"],
      ["its body", {}, { retry_after: 1.5 }, "2026-11-21T12:00:01.500Z"],
      ["nothing", {}, {}, undefined]
    ] as const)("understands when to come back from %s", ([, headers, json, expected]) =>
      Effect.gen(function* () {
        yield* TestClock.setTime(Date.parse(noon))
        const [step, commit] = yield* outcomes({ status: 429, headers, json })
        assert.deepStrictEqual(classes([step, commit]), ["rate_limited", "rate_limited"])
        assert.strictEqual(commit.retry_at && DateTime.formatIso(commit.retry_at), expected)
      })
    )
  })
})

layer(layerCheckingClient)("an answer that breaks off", (it) => {
  it.effect("an answer that breaks off is a refusal all the same when its status is one", () =>
    Effect.gen(function* () {
      const { url } = yield* scriptedServer(() => ({
        raw: `${head(100).replace("200 OK", "403 Forbidden")}{"er`
      }))
      assert.deepInclude(yield* Effect.flip(request(url, { commit: true })), {
        class: "forbidden",
        code: "http_403"
      })
    })
  )
})
