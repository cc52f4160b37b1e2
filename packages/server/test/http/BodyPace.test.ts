import { AppConfig } from "@carillon/server/AppConfig"
import { BodyPace } from "@carillon/server/http/BodyPace"
import { Listener } from "@carillon/server/http/Listener"
import { problemResponse } from "@carillon/server/http/Problems"
import { OpenLayer, serve } from "@carillon/server/http/Server"
import { problem } from "@carillon/domain"
import * as NodeHttpServer from "@effect/platform-node/NodeHttpServer"
import * as NodeHttpServerRequest from "@effect/platform-node/NodeHttpServerRequest"
import { assert, layer } from "@effect/vitest"
import { ConfigProvider, Context, Effect, Layer } from "effect"
import { HttpRouter, HttpServerRequest, HttpServerResponse } from "effect/http"
import { once } from "node:events"
import type { IncomingMessage } from "node:http"
import { connect, type Socket } from "node:net"
import { takePort } from "@carillon/testing/FreePort"

class Port extends Context.Service<Port, number>()("@carillon/server/test/Port") {}

const Routes = HttpRouter.use(
  Effect.fnUntraced(function* (router) {
    const config = yield* AppConfig
    yield* router.add(
      "POST",
      "/read",
      Effect.gen(function* () {
        const { text } = yield* HttpServerRequest.HttpServerRequest
        return HttpServerResponse.text(`${(yield* text).length} read`)
      })
    )
    yield* router.add(
      "POST",
      "/refused",
      Effect.provideService(problemResponse(problem("unauthorized", "Who is it?")), AppConfig, config)
    )
    yield* router.add(
      "PUT",
      "/v1/media/:media_id/upload",
      Effect.gen(function* () {
        const incoming = NodeHttpServerRequest.toIncomingMessage(
          yield* HttpServerRequest.HttpServerRequest
        ) as IncomingMessage
        incoming.resume()
        yield* Effect.promise(() => once(incoming, "close"))
        return HttpServerResponse.text("uploaded")
      })
    )
  })
)

const TestService = Layer.unwrap(
  Effect.gen(function* () {
    const port = yield* Effect.promise(takePort)
    const env = { PORT: String(port), HOST: "127.0.0.1" }
    return Layer.succeed(Port, port).pipe(
      Layer.provideMerge(OpenLayer),
      Layer.provideMerge(serve(Routes)),
      Layer.provideMerge(Listener.layer),
      Layer.provide(Layer.succeed(BodyPace, { millis: 300, uploadBytes: 1000 })),
      Layer.provide(NodeHttpServer.layerHttpServices),
      Layer.provide(AppConfig.layer),
      Layer.provide(ConfigProvider.layer(ConfigProvider.fromUnknown(env)))
    )
  })
)

/** Sends this and no more by itself; what is answered until the connection is closed. */
const conversation = (begin: (socket: Socket) => void) =>
  Effect.flatMap(Port, (port) =>
    Effect.promise(async () => {
      const socket = connect(port, "127.0.0.1")
      let answer = ""
      socket.on("data", (bytes) => (answer += bytes.toString()))
      // A connection that is closed while bytes are on their way is reset.
      socket.on("error", () => {})
      begin(socket)
      await once(socket, "close")
      return answer
    })
  )

const head = (line: string, length: number) =>
  `${line} HTTP/1.1\r\nHost: x\r\nContent-Length: ${length}\r\n\r\n`

layer(TestService, { excludeTestServices: true, timeout: "60 seconds" })("the pace of bodies", (it) => {
  it.effect("ends a request whose body does not arrive with 408, and its connection", () =>
    Effect.gen(function* () {
      const answer = yield* conversation((socket) => socket.write(`${head("POST /read", 100)}only this`))
      assert.match(answer, /^HTTP\/1\.1 408 /)
      assert.match(answer, /connection: close/i)
      assert.include(answer, '"code":"body_too_slow"')
      assert.include(answer, "The body did not arrive within 0.3 s")
    })
  )

  it.effect("ends one whose body comes in drops, too", () =>
    Effect.gen(function* () {
      const answer = yield* conversation((socket) => {
        socket.write(head("POST /read", 1_000_000))
        const drops = setInterval(() => socket.write("x"), 20)
        socket.on("close", () => clearInterval(drops))
      })
      assert.match(answer, /^HTTP\/1\.1 408 /)
    })
  )

  it.effect("closes the connection after an answer to a body that nobody reads", () =>
    Effect.gen(function* () {
      const port = yield* Port
      // The limit on idle connections would end this one first.
      const idle = connect(port, "127.0.0.1")
      idle.write(`${head("POST /read", 3)}abc`)
      yield* Effect.promise(() => once(idle, "data"))
      const answer = yield* conversation((socket) => socket.write(head("POST /refused", 100)))
      assert.match(answer, /^HTTP\/1\.1 401 /)
      assert.isFalse(idle.readableEnded)
      idle.destroy()
    })
  )

  it.effect("keeps the connection of a body that is there", () =>
    Effect.gen(function* () {
      const answer = yield* conversation((socket) => {
        socket.write(`${head("POST /read", 3)}abc`)
        socket.once("data", () => {
          socket.write(`${head("POST /read", 4)}abcd`)
          socket.once("data", () => socket.end())
        })
      })
      assert.match(answer, /^HTTP\/1\.1 200 .*3 read.*HTTP\/1\.1 200 .*4 read/s)
    })
  )

  it.effect("keeps it if the rest came after the answer, while the process stood still", () =>
    Effect.gen(function* () {
      const answer = yield* conversation((socket) => {
        socket.write(head("POST /refused", 100))
        socket.once("data", () => {
          socket.write("x".repeat(100))
          const until = performance.now() + 1500
          while (performance.now() < until);
          socket.write(`${head("POST /read", 4)}abcd`)
          socket.once("data", () => socket.end())
        })
      })
      assert.match(answer, /^HTTP\/1\.1 401 .*HTTP\/1\.1 200 .*4 read/s)
    })
  )

  it.effect("lets an upload take its time as long as it moves, and ends one that does not", () =>
    Effect.gen(function* () {
      const upload = "PUT /v1/media/x/upload?expires=1"
      const moving = yield* conversation((socket) => {
        // Longer than the limit of any other body, in packets that each are enough for one period.
        let left = 10
        socket.write(head(upload, left * 5000))
        const packets = setInterval(() => {
          socket.write("x".repeat(5000))
          if (--left === 0) clearInterval(packets)
        }, 100)
        socket.on("close", () => clearInterval(packets))
        socket.once("data", () => socket.end())
      })
      assert.match(moving, /^HTTP\/1\.1 200 /)
      const stuck = yield* conversation((socket) =>
        socket.write(`${head(upload, 50_000)}${"x".repeat(5000)}`)
      )
      assert.match(stuck, /^HTTP\/1\.1 408 /)
    })
  )
})
