import { Carillon, type Failure, verifyWebhook } from "@carillon/sdk/effect"
import { afterAll, assert, beforeAll, beforeEach, describe, it } from "@effect/vitest"
import { ConfigProvider, Deferred, Effect, Fiber, Layer, Redacted, Stream } from "effect"
import { type Call, ContractServer } from "./ContractServer.ts"
import { listOf, media, mediaId, post, postId, problem } from "./Samples.ts"

let server: ContractServer

beforeAll(async () => {
  server = await ContractServer.start()
})
afterAll(() => server.close())
beforeEach(() => {
  server.calls.length = 0
})

const run = <A, E>(effect: Effect.Effect<A, E, Carillon>) =>
  Effect.suspend(() =>
    Effect.provide(effect, Carillon.layerWith({ apiKey: Redacted.make("crl_key"), baseUrl: server.url }))
  )

describe("the Effect client", () => {
  it.live("the Effect client has the methods of the promise client", () =>
    run(
      Effect.gen(function* () {
        const carillon = yield* Carillon
        server.on("posts.create", post)
        server.on("media.get", media)
        const made = yield* carillon.posts.create({ social_accounts: [1], caption: "Bells" })
        assert.strictEqual(made.id, postId)
        assert.strictEqual((yield* carillon.media.get(mediaId)).id, mediaId)
        assert.strictEqual(server.calls[0]!.headers.authorization, "Bearer crl_key")
        assert.isString(server.calls[0]!.headers["idempotency-key"])
      })
    )
  )

  it.live("fails with the class of the failure as its tag", () =>
    run(
      Effect.gen(function* () {
        const carillon = yield* Carillon
        server.on("posts.get", (_: Call, response) => {
          response.writeHead(404).end(JSON.stringify(problem(404, "not_found")))
        })
        const code = yield* carillon.posts.get(postId).pipe(
          Effect.as("found"),
          Effect.catchTag("NotFoundError", (error) => Effect.succeed(error.code))
        )
        assert.strictEqual(code, "not_found")
        const failure: Failure = yield* Effect.flip(carillon.posts.get(".."))
        assert.strictEqual(failure._tag, "InvalidRequestError")
      })
    )
  )

  it.live("the Effect client has each list as a page and as a stream", () =>
    run(
      Effect.gen(function* () {
        const carillon = yield* Carillon
        server.on("posts.list", ({ query }: Call) => {
          const { offset = 0 } = query as { offset?: number }
          const next = `${server.url}/v1/posts?offset=${offset + 1}`
          return {
            data: [{ ...post, id: String(offset) }],
            meta: { ...listOf().meta, next: offset < 2 ? next : null }
          }
        })
        for (const endpoint of ["webhooks.deliveries", "queue.slots"])
          server.on(endpoint, listOf({ id: "1" }))

        const list = carillon.posts.list()
        assert.lengthOf((yield* list.page).data, 1)
        const ids = yield* Stream.runCollect(Stream.map(list.stream, ({ id }) => id))
        assert.deepStrictEqual(ids, ["0", "1", "2"])
        server.calls.length = 0
        yield* Stream.runDrain(Stream.take(list.stream, 1))
        assert.lengthOf(server.calls, 1)
        for (const { stream } of [carillon.webhooks.deliveries(postId), carillon.queue.next()]) {
          assert.lengthOf(yield* Stream.runCollect<object, Failure, never>(stream), 1)
        }
      })
    )
  )

  it.live("gives a request up when it is interrupted", () =>
    run(
      Effect.gen(function* () {
        const carillon = yield* Carillon
        const [arrived, closed] = [yield* Deferred.make<void>(), yield* Deferred.make<void>()]
        const waits = (_: Call, response: NodeJS.EventEmitter) => {
          response.once("close", () => Deferred.doneUnsafe(closed, Effect.void))
          Deferred.doneUnsafe(arrived, Effect.void)
        }
        server.on("posts.list", waits)
        const fiber = yield* Effect.forkChild(Stream.runDrain(carillon.posts.list().stream))
        yield* Deferred.await(arrived)
        yield* Fiber.interrupt(fiber)
        yield* Deferred.await(closed)
        // Between two looks at a post there is no request, but a pause.
        server.on("posts.get", post)
        const waiting = yield* Effect.forkChild(
          carillon.posts.waitUntilPublished(postId, { onUpdate: () => server.on("posts.get", problem) })
        )
        yield* Effect.repeat(
          Effect.sync(() => server.calls.some(({ endpoint }) => endpoint === "posts.get")),
          { until: Boolean }
        )
        yield* Fiber.interrupt(waiting)
      })
    )
  )

  it.live("the Effect client is made from the configuration, which must have a key", () =>
    Effect.gen(function* () {
      server.on("profile.get", { id: postId })
      const from = (values: Record<string, string>) =>
        Carillon.layer.pipe(Layer.provide(ConfigProvider.layer(ConfigProvider.fromUnknown(values))))
      const ask = Effect.flatMap(Carillon, (carillon) => carillon.profile.get())
      yield* Effect.provide(ask, from({ CARILLON_API_KEY: "crl_configured", CARILLON_URL: server.url }))
      assert.strictEqual(server.calls[0]!.headers.authorization, "Bearer crl_configured")
      const error = yield* Effect.flip(Effect.provide(ask, from({})))
      assert.strictEqual(error._tag, "ConfigError")
    })
  )

  it.live("refuses what is no webhook", () =>
    Effect.gen(function* () {
      const error = yield* Effect.flip(verifyWebhook({}, "{}", "whsec_AAAA"))
      assert.strictEqual(error._tag, "WebhookVerificationError")
    })
  )
})
