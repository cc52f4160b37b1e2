import { Agent, request as httpRequest } from "node:http"
import type { Answer } from "./Checker.ts"

/** One request as it goes over the socket: nothing is checked, escaped or added on the way. */
export interface WireRequest {
  readonly method: string
  /** Path and query. */
  readonly target: string
  readonly headers: Readonly<Record<string, string>>
  readonly body?: string | Uint8Array
}

/** The service did not answer within the limit, or closed the connection without an answer. */
class NoAnswer extends Error {}

const agent = new Agent({ keepAlive: true, maxSockets: 64 })

export const send = (url: string, request: WireRequest, limitMillis = 120_000): Promise<Answer> =>
  new Promise((resolve, reject) => {
    const { hostname, port } = new URL(url)
    const limit = AbortSignal.timeout(limitMillis)
    const body = request.body ?? ""
    const outgoing = httpRequest({
      hostname,
      port,
      agent,
      method: request.method,
      path: request.target,
      headers: {
        ...(request.body === undefined ? {} : { "content-length": String(Buffer.byteLength(body)) }),
        ...request.headers
      },
      signal: limit
    })
    const fail = (error: Error) =>
      reject(
        new NoAnswer(
          `${request.method} ${request.target}: ${limit.aborted ? `nothing within ${limitMillis} ms` : error.message}`
        )
      )
    outgoing.on("error", fail)
    outgoing.on("response", (response) => {
      const chunks: Array<Buffer> = []
      response.on("data", (chunk: Buffer) => {
        chunks.push(chunk)
        // It has no end.
        if (response.headers["content-type"] === "text/event-stream") {
          answered()
          outgoing.destroy()
        }
      })
      response.on("error", fail)
      const answered = () => {
        const headers = new Headers()
        for (let i = 0; i < response.rawHeaders.length; i += 2) {
          headers.append(response.rawHeaders[i]!, response.rawHeaders[i + 1]!)
        }
        resolve({ status: response.statusCode!, headers, text: Buffer.concat(chunks).toString() })
      }
      response.on("end", answered)
    })
    outgoing.end(body)
  })

export const json = (method: string, path: string, body: unknown): WireRequest =>
  body === undefined
    ? { method, target: path, headers: {} }
    : {
        method,
        target: path,
        headers: { "content-type": "application/json" },
        body: typeof body === "string" ? body : JSON.stringify(body)
      }
