import { AuthenticationError, Carillon, type StreamedEvent } from "@carillon/sdk"
import { assert, it } from "@effect/vitest"
import { Effect } from "effect"
import { createServer, type Socket } from "node:net"
import type { AddressInfo } from "node:net"
import { connect as dial } from "node:net"
import { once } from "node:events"
import { ServiceWithSandbox, connect, create } from "@carillon/testing/Publishing"
import { until } from "@carillon/testing/Receiver"
import { Service } from "@carillon/testing/ServiceProcess"

/** A way to the service that is cut at random, often in the middle of an event. */
const brittleWay = (target: string) =>
  Effect.gen(function* () {
    const { hostname, port } = new URL(target)
    const open = new Set<Socket>()
    let seed = 20_260
    const random = () => (seed = (seed * 48_271) % 2_147_483_647) / 2_147_483_647
    const server = createServer((near) => {
      const far = dial(Number(port), hostname)
      let left = Math.floor(200 + random() * 9_000)
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
    return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` }
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

it.layer(ServiceWithSandbox(), { excludeTestServices: true, timeout: "180 seconds" })(
  "the SDK's events",
  (it) => {
    it.effect(
      "are each heard once and in order, wherever the connection is cut and when the service restarts",
      () =>
        Effect.gen(function* () {
          const service = yield* Service
          const { url } = yield* brittleWay(service.url)
          const whole = yield* listen(new Carillon({ apiKey: service.key, baseUrl: service.url }))
          const cut = yield* listen(new Carillon({ apiKey: service.key, baseUrl: url }))
          const account = yield* connect("brittle")
          const post = (index: number) =>
            create({
              social_accounts: [account],
              caption: `Cut ${index}`,
              scheduled_at: "2100-01-01T00:00:00Z"
            })
          const made = yield* Effect.forEach(Array.from({ length: 20 }), (_, index) => post(index))
          yield* service.terminate
          yield* service.start
          const later = yield* Effect.forEach(Array.from({ length: 20 }), (_, index) => post(20 + index))
          yield* service.kill
          yield* service.start
          const last = yield* post(40)
          // Each was created and got its time.
          const expected = [account, ...[...made, ...later, last].flatMap(({ id }) => [id, id])]
          const idsOf = ({ heard }: typeof cut) =>
            heard
              .map((event) => ("data" in event ? event.data : event.type))
              .map((data) => (typeof data === "string" ? data : "id" in data ? data.id : data))
          yield* until(() => [whole, cut].every((one) => idsOf(one).length >= expected.length))
          assert.deepStrictEqual<unknown>(idsOf(cut), expected)
          assert.deepStrictEqual(whole.heard, cut.heard)
          assert.isAbove(cut.opened(), whole.opened())
        })
    )

    it.effect("end with an error when the key ends", () =>
      Effect.gen(function* () {
        const service = yield* Service
        const { body } = yield* service.call("POST", "/v1/api-keys", { name: "ends", scopes: ["posts:read"] })
        const { ended } = yield* listen(new Carillon({ apiKey: body.key, baseUrl: service.url }))
        yield* service.call("DELETE", `/v1/api-keys/${body.id}`)
        assert.instanceOf(yield* ended, AuthenticationError)
      })
    )
  }
)
