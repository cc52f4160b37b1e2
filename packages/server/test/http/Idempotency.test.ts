import {
  ApiKeyId,
  Authorization,
  BadRequest,
  CurrentActor,
  NeededScope,
  PostEffect,
  problem,
  RequestProblems,
  WorkspaceId
} from "@carillon/domain"
import { CredentialCipher } from "@carillon/server/crypto/CredentialCipher"
import { AppConfig } from "@carillon/server/AppConfig"
import { Secrets } from "@carillon/server/crypto/Secrets"
import { withEdge } from "@carillon/server/http/Edge"
import { Idempotency } from "@carillon/server/http/Idempotency"
import { RequestProblemsLayer } from "@carillon/server/http/Problems"
import { NodeHttpServer } from "@effect/platform-node"
import { assert, layer } from "@effect/vitest"
import { Context, Deferred, Duration, Effect, Fiber, Layer, Queue, Redacted, Schema } from "effect"
import { HttpRouter } from "effect/http"
import { HttpApi, HttpApiBuilder, HttpApiEndpoint, HttpApiGroup, HttpApiSchema } from "effect/http-api"
import { SqlClient } from "effect/sql"
import { TestClock } from "effect/testing"
import { createServer } from "node:http"
import * as TestDirectory from "@carillon/testing/TestDirectory"
import * as TestSql from "@carillon/testing/TestSql"
import { testConfig } from "../media/MediaServer.ts"

const home = "0190a000-0000-7000-8000-000000000001"
const elsewhere = "0190a000-0000-7000-8000-000000000002"

const Thing = Schema.Struct({ id: Schema.Int, name: Schema.String })
const NewThing = Schema.Struct({ name: Schema.String })
const success = HttpApiSchema.WithHeaders(Thing.pipe(HttpApiSchema.status(201)), { etag: Schema.String })

/** One POST of each kind. */
class ThingsApi extends HttpApiGroup.make("things")
  .add(
    HttpApiEndpoint.post("make", "/", { payload: NewThing, success, error: BadRequest }),
    HttpApiEndpoint.post("call", "/call", { payload: NewThing, success, error: BadRequest }).annotate(
      PostEffect,
      "outside"
    ),
    HttpApiEndpoint.patch("change", "/", { payload: NewThing, success })
  )
  .middleware(Authorization)
  .annotate(NeededScope, "admin")
  .prefix("/things") {}

class TestApi extends HttpApi.make("test").add(ThingsApi).prefix("/v1").middleware(RequestProblems) {}

/** The key is `<workspace>` or `<workspace>/<API key>`. */
const authorization = Layer.effect(
  Authorization,
  Effect.gen(function* () {
    const idempotency = yield* Idempotency
    return Authorization.of({
      bearer: (httpEffect, { credential, endpoint }) => {
        const [workspace, key] = Redacted.value(credential).split("/")
        const actor = {
          workspace_id: WorkspaceId.make(workspace!),
          timezone: "UTC",
          key_id: key === undefined ? null : ApiKeyId.make(key),
          key_name: null,
          member: null,
          member_id: null,
          instance: true,
          grant: null,
          scopes: ["admin" as const],
          social_accounts: null
        }
        return Effect.provideService(idempotency.once(httpEffect, { actor, endpoint }), CurrentActor, actor)
      }
    })
  })
)

/** What stands outside of the database: each call arrives here and waits until it is let go. */
class Outside extends Context.Service<
  Outside,
  { readonly calls: Queue.Queue<Deferred.Deferred<void, "down">> }
>()("test/Outside") {
  static readonly layer = Layer.effect(
    Outside,
    Effect.map(Queue.unbounded<Deferred.Deferred<void, "down">>(), (calls) => ({ calls }))
  )
}

const things = HttpApiBuilder.group(
  TestApi,
  "things",
  Effect.fnUntraced(function* (handlers) {
    const sql = yield* SqlClient.SqlClient
    const { calls } = yield* Outside
    const insert = Effect.fnUntraced(function* ({ name }: typeof NewThing.Type) {
      const [row] = yield* Effect.orDie(
        sql<{ id: number }>`insert into things (name) values (${name}) returning id`
      )
      if (name === "refused") return yield* problem("invalid_request", "No.")
      if (name === "broken") return yield* Effect.die(new Error("broken on purpose"))
      return HttpApiSchema.withHeaders({ body: { id: row!.id, name }, headers: { etag: `"${row!.id}"` } })
    })
    return handlers.handleAll({
      make: ({ payload }) =>
        sql.withTransaction(insert(payload)).pipe(Effect.catchTag("SqlError", Effect.die)),
      call: Effect.fnUntraced(function* ({ payload }) {
        const answered = yield* Deferred.make<void, "down">()
        yield* Queue.offer(calls, answered)
        yield* Effect.orDie(Deferred.await(answered))
        return yield* insert(payload)
      }),
      change: ({ payload }) => Effect.orDie(insert(payload))
    })
  })
)

class TestServer extends Context.Service<TestServer, { readonly url: string }>()("test/TestServer") {}

const testServer = Layer.unwrap(
  Effect.gen(function* () {
    const node = createServer()
    const server = yield* NodeHttpServer.make(() => node, { port: 0, host: "127.0.0.1" })
    const url = `http://127.0.0.1:${(node.address() as { readonly port: number }).port}`
    const table = Layer.effectDiscard(
      Effect.flatMap(
        SqlClient.SqlClient,
        (sql) => sql`create table things (id serial primary key, name text not null)`
      )
    )
    const services = Layer.mergeAll(CredentialCipher.layer, Outside.layer).pipe(
      Layer.provideMerge(table),
      Layer.provideMerge(Layer.mergeAll(TestSql.layer, Secrets.layer)),
      Layer.provideMerge(testConfig(yield* TestDirectory.make, url))
    )
    const routes = HttpApiBuilder.layer(TestApi).pipe(
      Layer.provide(things),
      Layer.provide([authorization, RequestProblemsLayer]),
      Layer.provide(Idempotency.layer),
      Layer.provide(NodeHttpServer.layerHttpServices)
    )
    const serving = Layer.effectDiscard(
      Effect.gen(function* () {
        yield* server.serve(withEdge(yield* HttpRouter.toHttpEffect(routes), yield* AppConfig, () => []))
      })
    )
    return Layer.mergeAll(serving, Layer.succeed(TestServer, { url })).pipe(Layer.provideMerge(services))
  })
)

interface Call {
  readonly key?: string
  readonly body?: unknown
  readonly path?: string
  readonly method?: string
  readonly as?: string
}

const send = Effect.fnUntraced(function* ({
  key,
  body = { name: "one" },
  path = "",
  method = "POST",
  as = home
}: Call) {
  const { url } = yield* TestServer
  return yield* Effect.promise(async () => {
    const response = await fetch(`${url}/v1/things${path}`, {
      method,
      headers: {
        authorization: `Bearer ${as}`,
        "content-type": "application/json",
        ...(key === undefined ? {} : { "idempotency-key": key })
      },
      body: JSON.stringify(body)
    })
    return { status: response.status, headers: response.headers, text: await response.text() }
  })
})

type Answer = Effect.Success<ReturnType<typeof send>>

const codeOf = (answer: Answer) => JSON.parse(answer.text).code
const isReplay = (answer: Answer) => answer.headers.get("idempotency-replayed") === "true"

const named = Effect.fnUntraced(function* (name: string) {
  const sql = yield* SqlClient.SqlClient
  return (yield* sql`select id from things where name = ${name}`).length
})

const rowOf = Effect.fnUntraced(function* (key: string) {
  const sql = yield* SqlClient.SqlClient
  return yield* sql<{ answer: Uint8Array | null }>`select answer from idempotency_keys where key = ${key}`
})

layer(testServer)("Idempotency-Key", (it) => {
  it.effect("gives the first answer again, byte for byte, and does nothing twice", () =>
    Effect.gen(function* () {
      const first = yield* send({ key: "again", body: { name: "again" } })
      const second = yield* send({ key: "again", body: { name: "again" } })
      assert.strictEqual(first.status, 201)
      assert.isFalse(isReplay(first))
      assert.isTrue(isReplay(second))
      assert.strictEqual(second.status, 201)
      assert.strictEqual(second.text, first.text)
      for (const header of ["etag", "content-type"]) {
        assert.isNotNull(first.headers.get(header))
        assert.strictEqual(second.headers.get(header), first.headers.get(header))
      }
      assert.notStrictEqual(second.headers.get("x-request-id"), first.headers.get("x-request-id"))
      assert.strictEqual(yield* named("again"), 1)
    })
  )

  it.effect("refuses a key that was used for another body or another address", () =>
    Effect.gen(function* () {
      yield* send({ key: "reused" })
      for (const other of [{ body: { name: "two" } }, { path: "/call" }, { body: { nonsense: 1 } }]) {
        const answer = yield* send({ key: "reused", ...other })
        assert.strictEqual(answer.status, 409)
        assert.strictEqual(codeOf(answer), "idempotency_key_reused")
      }
    })
  )

  it.effect("belongs to one API key of one workspace", () =>
    Effect.gen(function* () {
      const owners = [home, `${home}/aaaaaaaaaaaa`, `${home}/bbbbbbbbbbbb`, elsewhere]
      const answers = yield* Effect.forEach(owners, (as) => send({ key: "mine", body: { name: "mine" }, as }))
      for (const answer of answers) assert.isFalse(isReplay(answer))
      assert.strictEqual(yield* named("mine"), owners.length)
    })
  )

  it.effect("lets one of twenty at once through and gives the others its answer", () =>
    Effect.gen(function* () {
      const call = send({ key: "crowd", body: { name: "crowd" } })
      const answers = yield* Effect.all(
        Array.from({ length: 20 }, () => call),
        { concurrency: "unbounded" }
      )
      assert.lengthOf(
        answers.filter((answer) => !isReplay(answer)),
        1
      )
      assert.lengthOf(new Set(answers.map(({ text }) => text)), 1)
      assert.strictEqual(yield* named("crowd"), 1)
    })
  )

  it.effect("keeps no refusal and no failure: they changed nothing, and the key may be used again", () =>
    Effect.gen(function* () {
      for (const [name, status] of [
        ["refused", 400],
        ["broken", 500]
      ] as const) {
        for (const path of ["", "/call"]) {
          const key = `${name}${path}`
          const calling = yield* Effect.forkChild(send({ key, path, body: { name } }))
          if (path === "/call") yield* letGo
          assert.strictEqual((yield* Fiber.join(calling)).status, status)
          assert.deepStrictEqual(yield* rowOf(key), [])
        }
        // Outside of a transaction the effect is the handler's own to undo.
        assert.strictEqual(yield* named(name), 1)
        const corrected = yield* send({ key: name, body: { name: "corrected" } })
        assert.strictEqual(corrected.status, 201)
        assert.isFalse(isReplay(corrected))
      }
    })
  )

  it.effect("says that a request is still running while something outside keeps it waiting", () =>
    Effect.gen(function* () {
      const call = { key: "slow", path: "/call", body: { name: "slow" } }
      const calling = yield* Effect.forkChild(send(call))
      const { calls } = yield* Outside
      const answered = yield* Queue.take(calls)
      const second = yield* send(call)
      assert.strictEqual(second.status, 409)
      assert.strictEqual(codeOf(second), "idempotency_in_progress")
      assert.strictEqual(second.headers.get("retry-after"), "1")
      assert.strictEqual(codeOf(yield* send({ ...call, body: { name: "other" } })), "idempotency_key_reused")

      yield* Deferred.succeed(answered, undefined)
      const first = yield* Fiber.join(calling)
      const third = yield* send(call)
      assert.isTrue(isReplay(third))
      assert.strictEqual(third.text, first.text)
      assert.strictEqual(yield* named("slow"), 1)
    })
  )

  it.effect("lets a request that was cut off be run again once nobody renews it", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const call = { key: "dead", path: "/call", body: { name: "dead" } }
      const first = yield* Effect.forkChild(send(call))
      yield* letGo
      yield* Fiber.join(first)
      // As the process would have left it that died after it had begun.
      yield* sql`
        update idempotency_keys set answer = null, run_id = ${home},
          running_until = to_timestamp(1) where key = 'dead'`
      yield* TestClock.adjust("2 seconds")
      assert.strictEqual(codeOf(yield* send({ ...call, body: { name: "other" } })), "idempotency_key_reused")
      const second = yield* Effect.forkChild(send(call))
      yield* letGo
      assert.isFalse(isReplay(yield* Fiber.join(second)))
    })
  )

  it.effect("forgets a key after 24 hours", () =>
    Effect.gen(function* () {
      const call = { key: "day", body: { name: "day" } }
      yield* send(call)
      yield* TestClock.adjust(Duration.subtract(Duration.hours(24), Duration.seconds(1)))
      assert.isTrue(isReplay(yield* send(call)))
      yield* TestClock.adjust("1 second")
      assert.isFalse(isReplay(yield* send(call)))
      assert.isTrue(isReplay(yield* send(call)))
      assert.strictEqual(yield* named("day"), 2)
    })
  )

  it.effect("keeps the answer encrypted, and for its own key only", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      yield* send({ key: "secret", body: { name: "a secret of the answer" } })
      const [row] = yield* rowOf("secret")
      assert.isFalse(Buffer.from(row!.answer!).includes("secret"))
      yield* sql`update idempotency_keys set key = 'moved' where key = 'secret'`
      const moved = yield* send({ key: "moved", body: { name: "a secret of the answer" } })
      assert.strictEqual(moved.status, 500)
    })
  )

  it.effect("takes 1 to 255 printable ASCII characters and refuses the rest", () =>
    Effect.gen(function* () {
      for (const key of ["x", " ~!\"'".trim(), "k".repeat(255)]) {
        assert.strictEqual((yield* send({ key })).status, 201)
      }
      for (const key of ["", "k".repeat(256), "caf\u00e9", "tab\there"]) {
        const answer = yield* send({ key })
        assert.strictEqual(answer.status, 400)
        assert.strictEqual(JSON.parse(answer.text).errors[0].path, "Idempotency-Key")
      }
    })
  )

  it.effect("means nothing to other methods", () =>
    Effect.gen(function* () {
      const change = { method: "PATCH", key: "patched", body: { name: "patched" } }
      yield* send(change)
      assert.isFalse(isReplay(yield* send(change)))
      assert.strictEqual(yield* named("patched"), 2)
    })
  )
})

/** The next call outside gets its answer. */
const letGo = Effect.gen(function* () {
  const { calls } = yield* Outside
  yield* Deferred.succeed(yield* Queue.take(calls), undefined)
})
