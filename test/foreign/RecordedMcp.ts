import type { ServiceProcess } from "@carillon/testing/ServiceProcess"
import { once } from "node:events"
import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import { text } from "node:stream/consumers"

export interface RecordedMcp {
  readonly url: string
  /** The names of the last `tools/list`. */
  readonly listed: () => ReadonlyArray<string>
  /** By tool, the result of its last call. */
  readonly results: ReadonlyMap<string, any>
}

/** The service's endpoint for agents with its key, which keeps the results of calls as they are on the wire. */
export const startRecordedMcp = async ({ key, url }: ServiceProcess): Promise<RecordedMcp> => {
  const results = new Map<string, any>()
  let listed: ReadonlyArray<string> = []
  const server = createServer(async (incoming, outgoing) => {
    const { connection: _, "content-length": __, host: ___, ...headers } = incoming.headers
    const body = await text(incoming)
    const answer = await fetch(`${url}/mcp`, {
      method: incoming.method!,
      headers: { ...(headers as Record<string, string>), authorization: `Bearer ${key}` },
      ...(body === "" ? {} : { body })
    })
    const came = await answer.text()
    const asked = body === "" ? {} : JSON.parse(body)
    if (asked.method === "tools/list") listed = JSON.parse(came).result.tools.map(({ name }: any) => name)
    if (asked.method === "tools/call") results.set(asked.params.name, JSON.parse(came).result)
    outgoing.writeHead(answer.status, { "content-type": answer.headers.get("content-type") ?? "text/plain" })
    outgoing.end(came)
  })
  server.listen(0, "127.0.0.1").unref()
  await once(server, "listening")
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`,
    listed: () => listed,
    results
  }
}
