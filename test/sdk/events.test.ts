import { AuthenticationError, Carillon, type StreamedEvent } from "@carillon/sdk"
import { SandboxProcess } from "@carillon/sandbox/testing"
import { assert, describe, it, layer } from "@effect/vitest"
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { once } from "node:events"
import { type AddressInfo, connect as dial, createServer, type Socket } from "node:net"
import { inDatabaseOf } from "@carillon/testing/DatabaseOf"
import { connect, settled } from "@carillon/testing/Publishing"
import { until } from "@carillon/testing/Receiver"
import { Service, type ServiceProcess, startService } from "@carillon/testing/ServiceProcess"
import { SharedService } from "@carillon/testing/SharedService"
import { kind } from "@carillon/testing/TestSql"
import { SeededRandom } from "../contract/SeededRandom.ts"

/** A way to the services: each connection leads to one of them, and is cut at random, often in the middle of an event. */
const brittleWay = (targets: ReadonlyArray<string>, random: SeededRandom) =>
  Effect.gen(function* () {
    const open = new Set<Socket>()
    const server = createServer((near) => {
      const { hostname, port } = new URL(random.pick(targets))
      const far = dial(Number(port), hostname)
      let left = random.below(random.chance(0.3) ? 1500 : 40_000)
      const cut = () => {
        near.destroy()
        far.destroy()
        open.delete(near)
      }
      open.add(near)
      near.pipe(far)
      far.on("data", (bytes: Buffer) => {
        near.write(bytes.subarray(0, left))
        left -= bytes.length
        if (left <= 0) near.end(cut)
      })
      for (const socket of [near, far]) socket.on("error", cut).on("close", cut)
    })
    yield* Effect.acquireRelease(
      Effect.promise(() => once(server.listen(0, "127.0.0.1"), "listening")),
      () =>
        Effect.sync(() => {
          open.forEach((socket) => socket.destroy())
          server.close()
        })
    )
    return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  })

const listen = (client: Carillon) =>
  Effect.gen(function* () {
    const aborter = yield* Effect.acquireRelease(
      Effect.sync(() => new AbortController()),
      (one) => Effect.sync(() => one.abort())
    )
    const heard: Array<StreamedEvent> = []
    let opened = 0
    const ended = (async () => {
      for await (const event of client.events.stream({
        signal: aborter.signal,
        onOpen: () => opened++
      })) {
        heard.push(event)
      }
    })().catch((error: unknown) => error)
    yield* until(() => opened > 0)
    return { heard, opened: () => opened, ended: Effect.promise(() => ended) }
  })

/** A request whose process may be killed meanwhile. */
const asked = (service: ServiceProcess, method: string, path: string, body?: unknown) =>
  Effect.catchCause(service.call(method, path, body), () => Effect.undefined)

/** Things that happen to posts in any of the processes, while one of them stops or is killed now and then. */
const live = Effect.fnUntraced(function* (services: ReadonlyArray<ServiceProcess>, random: SeededRandom) {
  const accounts = yield* Effect.provideService(
    Effect.forEach(["brittle", "frail", "weak"], connect),
    Service,
    services[0]!
  )
  const ids: Array<string> = []
  const step = Effect.gen(function* () {
    const service = random.pick(services)
    const id = ids.length === 0 ? "" : random.pick(ids)
    const caption = `Cut ${random.below(1e9)}`
    if (id !== "" && random.chance(0.2)) return yield* asked(service, "PATCH", `/v1/posts/${id}`, { caption })
    if (id !== "" && random.chance(0.1)) return yield* asked(service, "DELETE", `/v1/posts/${id}`)
    const answer = yield* asked(service, "POST", "/v1/posts", {
      social_accounts: accounts.slice(0, 1 + random.below(3)),
      caption,
      ...(random.chance(0.3) ? {} : { scheduled_at: "2100-01-01T00:00:00Z" })
    })
    if (answer?.status === 201) ids.push(answer.body.id)
  })
  const steps = (count: number) =>
    Effect.forEach(Array.from({ length: count }), () => step, { concurrency: 4, discard: true })
  for (const end of ["terminate", "kill"] as const) {
    const service = random.pick(services)
    yield* steps(10)
    yield* Effect.all([steps(5), service[end]], { concurrency: "unbounded" })
    yield* steps(services.length > 1 ? 5 : 0)
    yield* service.start
  }
  yield* steps(10)
  const { body } = yield* services[0]!.call("GET", "/v1/posts?limit=200")
  for (const { id, scheduled_at } of body.data) {
    if (scheduled_at === null) yield* Effect.provideService(settled(id), Service, services[0]!)
  }
})

/** The events that are stored. */
const stored = (service: ServiceProcess) =>
  inDatabaseOf({ service, database: service.database })(
    Effect.flatMap(
      SqlClient.SqlClient,
      (sql) => sql<{ id: string; type: string; data: unknown }>`
        select sequence::text as id, type, data from events order by sequence`
    )
  )

const readers = 5
const seeds = Array.from({ length: process.env["LONG"] ? 20 : 2 }, (_, index) => index + 1)
const histories = (kind === "postgres" ? [1, 3] : [1]).flatMap((processes) =>
  seeds.map((seed) => ({ processes, seed }))
)

describe.concurrent("the SDK's events", () => {
  it.live.each(histories)(
    "are each heard once and in order, from $processes of the service, wherever connections are cut (seed $seed)",
    ({ processes, seed }) =>
      Effect.gen(function* () {
        const sandbox = yield* SandboxProcess.make()
        const env = { SANDBOX_URL: sandbox.url }
        const first = yield* startService({ env })
        const others = yield* Effect.forEach(Array.from({ length: processes - 1 }), () =>
          startService({ env, database: first.database })
        )
        const services = [first, ...others]
        const random = new SeededRandom(seed)
        const urls = services.map(({ url }) => url)
        const cut = yield* Effect.forEach(Array.from({ length: readers }), (_, reader) =>
          Effect.gen(function* () {
            const baseUrl = yield* brittleWay(urls, new SeededRandom(seed * 1000 + reader))
            return yield* listen(new Carillon({ apiKey: first.key, baseUrl }))
          })
        )
        yield* live(services, random)
        const expected = yield* stored(first)
        yield* Effect.when(
          first.start,
          Effect.sync(() => kind === "embedded")
        )
        // What comes after it has been heard when something was heard twice.
        yield* Effect.provideService(connect("last"), Service, first)
        yield* until(() => cut.every(({ heard }) => heard.length > expected.length))
        for (const { heard, opened } of cut) {
          const before = heard.slice(0, -1).map((event) => ({
            id: event.id,
            type: event.type,
            data: "data" in event ? event.data : undefined
          }))
          assert.deepStrictEqual<unknown>(before, expected)
          assert.isAbove(opened(), 2)
        }
      })
  )
})

layer(SharedService, { excludeTestServices: true })("a stream of the SDK", (it) => {
  it.effect("ends with an error when the key ends", () =>
    Effect.gen(function* () {
      const service = yield* Service
      const { body } = yield* service.call("POST", "/v1/api-keys", { name: "ends", scopes: ["posts:read"] })
      const { ended } = yield* listen(new Carillon({ apiKey: body.key, baseUrl: service.url }))
      yield* service.call("DELETE", `/v1/api-keys/${body.id}`)
      assert.instanceOf(yield* ended, AuthenticationError)
    })
  )
})
