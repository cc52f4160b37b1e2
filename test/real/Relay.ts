import { once } from "node:events"
import { createServer, type IncomingMessage, type Server } from "node:http"
import type { AddressInfo } from "node:net"
import { buffer } from "node:stream/consumers"

/** Passes calls on to a server, and can keep an answer back. */
export interface Relay {
  readonly origin: string
  /** Of the next call that publishes the answer is lost; the promise is kept when the server has answered. */
  readonly loseNextReply: () => Promise<void>
  /** How often that was called. */
  readonly posts: () => number
  readonly stop: () => void
}

/** `commit`: the path of the call that publishes. `target` is asked at each call: a server may need the relay's address first. */
export const startRelay = async (target: () => string, commit: string): Promise<Relay> => {
  let posts = 0
  let lose: (() => void) | undefined
  const pass = async (request: IncomingMessage, body: Buffer) => {
    const { host: _, connection: _c, ...headers } = request.headers
    const answer = await fetch(new URL(request.url!, target()), {
      method: request.method!,
      headers: headers as Record<string, string>,
      ...(body.length === 0 ? {} : { body: new Uint8Array(body) })
    })
    return { answer, content: Buffer.from(await answer.arrayBuffer()) }
  }
  const server: Server = createServer(async (request, response) => {
    const isPost = request.method === "POST" && request.url === commit
    if (isPost) posts += 1
    const { answer, content } = await pass(request, await buffer(request))
    if (isPost && lose !== undefined) {
      lose()
      lose = undefined
      return void request.socket.destroy()
    }
    const type = answer.headers.get("content-type")
    response.writeHead(answer.status, type === null ? {} : { "content-type": type })
    response.end(content)
  })
  server.listen(0, "127.0.0.1")
  await once(server, "listening")
  return {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    loseNextReply: () => new Promise((resolve) => (lose = resolve)),
    posts: () => posts,
    stop: () => {
      server.close()
      server.closeAllConnections()
    }
  }
}
