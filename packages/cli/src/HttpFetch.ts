import type { ClientRequest, IncomingMessage, request } from "node:http"

/**
 * The part of `fetch` that the SDK needs, over Node's plain HTTP client: Node's own `fetch` takes as long to load as the
 * whole command line. Redirects are not followed, so a key goes only to the address that it was given for.
 */
export const httpFetch: typeof globalThis.fetch = (input, init = {}) =>
  new Promise((resolve, reject) => {
    const url = new URL(String(input))
    const { body, headers, method = "GET", signal } = init
    const sent = requestTo(url)(url, {
      method,
      headers: headers as Record<string, string>,
      ...(signal ? { signal } : {})
    })
    let answered = false
    sent.once("response", (response) => {
      answered = true
      // A server that refuses an upload need not end its answer before it has read everything.
      const uploads = typeof body === "object" && body !== null
      const streams = streamed.has(response.headers["content-type"])
      const text = uploads || streams ? undefined : collect(response)
      Promise.resolve(text).then(
        () => resolve(answerOf(response, () => text ?? collect(response), String(input))),
        reject
      )
    })
    sent.on("error", (cause) => {
      // A server that refuses an upload answers first and then breaks the connection.
      if (!answered) reject(new TypeError("fetch failed", { cause }))
    })
    send(sent, body).catch((cause) => sent.destroy(cause))
  })

const streamed: ReadonlySet<string | undefined> = new Set(["application/x-tar", "text/event-stream"])

/** The modules are not imported, because an ES import makes every export ready, and one of them is the slow `fetch`. */
const requestTo = ({ protocol }: URL): typeof request =>
  protocol === "https:"
    ? process.getBuiltinModule("node:https").request
    : process.getBuiltinModule("node:http").request

const send = async (sent: ClientRequest, body: RequestInit["body"]) => {
  if (body === undefined || body === null || typeof body === "string") {
    sent.end(body ?? undefined)
    return
  }
  const { Readable } = process.getBuiltinModule("node:stream")
  const bytes = Readable.fromWeb(body as Parameters<typeof Readable.fromWeb>[0])
  bytes.on("error", (error) => sent.destroy(error))
  sent.once("close", () => bytes.destroy())
  bytes.pipe(sent)
}

const collect = async (response: IncomingMessage): Promise<string> => {
  let text = ""
  response.setEncoding("utf8")
  for await (const piece of response) text += piece
  return text
}

const answerOf = (response: IncomingMessage, text: () => Promise<string>, url: string): Response => {
  const status = response.statusCode ?? 0
  const answer: Pick<Response, "ok" | "status" | "url" | "text" | "body"> & {
    readonly headers: Pick<Headers, "get">
  } = {
    ok: status >= 200 && status < 300,
    status,
    url,
    text,
    get body() {
      const { Readable } = process.getBuiltinModule("node:stream")
      return Readable.toWeb(response) as ReadableStream<Uint8Array<ArrayBuffer>>
    },
    headers: { get: (name) => [response.headers[name.toLowerCase()] ?? null].flat().join(", ") || null }
  }
  return answer as Response
}
