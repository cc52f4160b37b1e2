/** The baseline of bench/streams.ts: what is posted is written to every open response, on bare node:http. */
import { once } from "node:events"
import { createServer, type ServerResponse } from "node:http"
import type { AddressInfo } from "node:net"
import { text } from "node:stream/consumers"

const open = new Set<ServerResponse>()
let sequence = 0

const server = createServer(async (request, response) => {
  if (request.method === "GET") {
    response.writeHead(200, { "content-type": "text/event-stream" }).write(`id: ${sequence}\n\n`)
    open.add(response)
    response.once("close", () => open.delete(response))
    return
  }
  const message = `event: post.created\ndata: ${await text(request)}\nid: ${++sequence}\n\n`
  for (const one of open) one.write(message)
  response.writeHead(204).end()
}).listen(0, "127.0.0.1")
await once(server, "listening")
process.send!({ url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` })
