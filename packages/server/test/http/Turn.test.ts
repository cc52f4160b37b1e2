import { turnFor } from "@carillon/server/http/Turn"
import { assert, describe, it } from "@effect/vitest"
import { Effect, Fiber } from "effect"
import { createServer } from "node:http"
import { createConnection } from "node:net"
import { listening } from "./TestServer.ts"

const costly = "x".repeat(10_000)

/** Keeps the event loop, as a text does that is long to read. */
const work = (milliseconds: number) => {
  const until = performance.now() + milliseconds
  while (performance.now() < until);
}

/** Asks again and again over one connection, and tells each answer. */
const askOnAndOn = (port: number, answered: () => void) =>
  Effect.acquireRelease(
    Effect.sync(() => {
      const socket = createConnection(port, "127.0.0.1")
      const ask = () => socket.write("GET / HTTP/1.1\r\nHost: x\r\n\r\n")
      socket.on("connect", ask).on("data", () => {
        answered()
        ask()
      })
      return socket
    }),
    (socket) => Effect.sync(() => socket.destroy())
  )

describe("costly texts", () => {
  it.live("take turns, and others are answered in between", () =>
    Effect.gen(function* () {
      const order: Array<string> = []
      const server = yield* listening(createServer((_, response) => response.end("here")))
      yield* askOnAndOn(server.port, () => order.push("answer"))
      const turn = Effect.sync(() => {
        order.push("turn")
        work(10)
      })
      yield* Effect.forEach(Array.from({ length: 8 }), () => Effect.andThen(turnFor(costly), turn), {
        concurrency: "unbounded"
      })
      const between = order.slice(order.indexOf("turn"), order.lastIndexOf("turn"))
      assert.isAtLeast(between.filter((event) => event === "answer").length, 2, order.join(" "))
    })
  )

  it.live("leave the queue when nobody waits for them any longer", () =>
    Effect.gen(function* () {
      const done: Array<number> = []
      const [first, second, third] = yield* Effect.forEach([1, 2, 3], (index) =>
        turnFor(costly).pipe(Effect.andThen(Effect.sync(() => done.push(index))), Effect.forkChild)
      )
      yield* Fiber.interrupt(second!)
      yield* Fiber.join(first!)
      yield* Fiber.join(third!)
      assert.deepStrictEqual(done, [1, 3])
    })
  )
})
