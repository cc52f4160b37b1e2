import { Api } from "@carillon/domain"
import { Schema } from "effect"
import type { HttpApiEndpoint } from "effect/http-api"
import { createServer, type IncomingMessage, type ServerResponse } from "node:http"
import type { AddressInfo } from "node:net"
import { text } from "node:stream/consumers"

/** A request, understood by the contract. */
export interface Call {
  /** `posts.create` */
  readonly endpoint: string
  readonly params: Record<string, string>
  /** Decoded by the contract's schemas. */
  readonly query: unknown
  readonly payload: unknown
  readonly headers: IncomingMessage["headers"]
  /** How many bytes of an upload arrived. */
  readonly received: number
}

type Answer = (call: Call, response: ServerResponse) => unknown

const endpoints = Object.values(Api.groups).flatMap((group) =>
  Object.values(group.endpoints as Record<string, HttpApiEndpoint.Top>).map((endpoint) => ({
    name: `${group.identifier}.${endpoint.identifier}`,
    method: endpoint.method,
    pattern: new RegExp(`^${endpoint.path.replace(/\/$/, "").replace(/:(\w+)/g, "(?<$1>[^/]+)")}$`),
    query: strict(endpoint.query),
    payload: strict(endpoint.payload.get("application/json")?.schemas[0])
  }))
)

/** Everything that the contract has, as `posts.create`. */
export const endpointNames = endpoints.map(({ name }) => name)

function strict(schema: Schema.Top | undefined) {
  return schema === undefined
    ? (value: unknown) => Schema.decodeUnknownSync(Schema.Struct({}))(value, { onExcessProperty: "error" })
    : Schema.decodeUnknownSync(schema as Schema.Codec<unknown, unknown>, { onExcessProperty: "error" })
}

/**
 * A real HTTP server that has the contract's endpoints and refuses what the contract does not allow. What it
 * answers is given by the test, by endpoint: a body for 200, or a function that may write the response itself.
 */
export class ContractServer {
  readonly calls: Array<Call> = []
  readonly #answers = new Map<string, unknown>()
  #upload: ((request: IncomingMessage) => Promise<void>) | undefined
  readonly #server = createServer((request, response) => void this.#handle(request, response))

  static async start(): Promise<ContractServer> {
    const server = new ContractServer()
    await new Promise<void>((resolve) => server.#server.listen(0, "127.0.0.1", resolve))
    return server
  }

  get url() {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`
  }

  /** From now on the endpoint answers with this. */
  on(endpoint: string, answer: Answer | object) {
    this.#answers.set(endpoint, answer)
  }

  /** Leaves the bytes of uploads to the test. */
  onUpload(take: ((request: IncomingMessage) => Promise<void>) | undefined) {
    this.#upload = take
  }

  close() {
    this.#server.closeAllConnections()
    return new Promise((resolve) => this.#server.close(resolve))
  }

  async #handle(request: IncomingMessage, response: ServerResponse) {
    const send = (status: number, body: object) =>
      response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(body))
    try {
      const url = new URL(request.url!, this.url)
      const endpoint = endpoints.find(
        ({ method, pattern }) => method === request.method && pattern.test(url.pathname)
      )
      if (endpoint?.name === "media.upload" && this.#upload !== undefined) return await this.#upload(request)
      if (endpoint === undefined) throw new Error(`The contract has no ${request.method} ${url.pathname}`)
      const isUpload = endpoint.name === "media.upload"
      const body = isUpload ? "" : await text(request)
      const query = Object.fromEntries(
        [...new Set(url.searchParams.keys())].map((key) => {
          const values = url.searchParams.getAll(key)
          return [key, values.length === 1 ? values[0] : values]
        })
      )
      const call: Call = {
        endpoint: endpoint.name,
        params: { ...endpoint.pattern.exec(url.pathname)!.groups },
        query: endpoint.query(query),
        payload: isUpload ? undefined : endpoint.payload(body === "" ? {} : JSON.parse(body)),
        headers: request.headers,
        received: isUpload ? await drain(request) : 0
      }
      this.calls.push(call)
      const answer = this.#answers.get(endpoint.name)
      const result = typeof answer === "function" ? await answer(call, response) : answer
      if (!response.headersSent && result !== undefined) send(200, result as object)
    } catch (error) {
      if (!response.headersSent) send(400, { code: "invalid_request", detail: String(error), errors: [] })
    }
  }
}

const drain = async (request: IncomingMessage): Promise<number> => {
  let received = 0
  for await (const chunk of request) received += chunk.length
  return received
}
