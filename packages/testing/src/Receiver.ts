import { Effect } from "effect"
import { once } from "node:events"
import { createServer, type IncomingHttpHeaders, type ServerResponse } from "node:http"
import type { AddressInfo } from "node:net"
import { text } from "node:stream/consumers"

export interface Received {
  readonly at: number
  readonly headers: IncomingHttpHeaders
  readonly body: string
  readonly event: { readonly type: string; readonly timestamp: string; readonly data: any }
}

/** A receiver's answer to a request: a status, or a function that does anything with the response, or never answers. */
export type Answer = (received: Received, response: ServerResponse) => number | void

/** An address for webhooks on a socket of its own, until the scope closes. */
export const receiver = (answer: Answer = () => 200) =>
  Effect.gen(function* () {
    const received: Array<Received> = []
    let decide = answer
    const server = createServer(async (request, response) => {
      const body = await text(request)
      const isJson = request.headers["content-type"] === "application/json"
      const one = { at: Date.now(), headers: request.headers, body, event: isJson ? JSON.parse(body) : null }
      received.push(one)
      const status = decide(one, response)
      if (status !== undefined) response.writeHead(status).end(`answer ${status}`)
    })
    yield* Effect.acquireRelease(
      Effect.promise(() => once(server.listen(0, "127.0.0.1"), "listening")),
      () =>
        Effect.promise(async () => {
          server.closeAllConnections()
          server.close()
          await once(server, "close")
        })
    )
    const of = (subject: string) =>
      received.filter(({ event: { data } }) => [data.id, data.post_id].includes(subject))
    return {
      url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`,
      received,
      /** The events about a post or its results. */
      of,
      types: (subject: string) => of(subject).map(({ event }) => event.type),
      answerWith: (next: Answer) => {
        decide = next
      }
    }
  })

/** Until it holds; there is nothing to wait for but what the receiver has got so far. */
export const until = (holds: () => boolean, withinSeconds = 120) =>
  Effect.promise(async () => {
    // Looks are counted and not seconds: while the machine stands still there are none.
    for (let looks = 0; !holds(); looks++) {
      if (looks > withinSeconds * 100) throw new Error(`not within ${withinSeconds} s`)
      await new Promise((resolve) => setTimeout(resolve, 10))
    }
  })
