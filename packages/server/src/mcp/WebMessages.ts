import { Effect, Stream } from "effect"
import { type HttpServerRequest, HttpServerResponse } from "effect/http"

/** The headers that the protocol uses. */
const spoken = /^(accept|content-type|last-event-id|mcp-.*)$/

/** A request in the SDK's form. Clients that accept only one of the two media types get JSON all the same. */
export const toWebRequest = (
  { method, headers }: HttpServerRequest.HttpServerRequest,
  url: string,
  body: string,
  signal: AbortSignal
): Request => {
  const passed = Object.entries(headers).filter(([name]) => spoken.test(name)) as Array<[string, string]>
  const both = ["application/json", "text/event-stream"]
  const accept = both.every((type) => headers["accept"]?.includes(type) ?? false)
    ? headers["accept"]!
    : both.join(", ")
  return new Request(url, {
    method,
    headers: [...passed.filter(([name]) => name !== "accept"), ["accept", accept]],
    signal,
    ...(method === "POST" ? { body } : {})
  })
}

/** What the errors of one answer have together at most, in bytes. */
const mostErrors = 64 * 1024

/** A message of JSON-RPC, as far as it may be an error: of the protocol, or of a tool. */
interface Message {
  readonly error?: { readonly message: string }
  readonly result?: {
    readonly isError?: boolean
    readonly content?: ReadonlyArray<{ readonly text: string }>
  }
}

const isError = ({ error, result }: Message) => error !== undefined || result?.isError === true

const bytesOf = (value: unknown) => Buffer.byteLength(JSON.stringify(value))

/** An error with as much of its text as there is room for; its data repeat the text. */
const cutTo = (room: number, message: Message): Message => {
  const { error, result } = message
  const text = error?.message ?? result?.content?.[0]?.text ?? ""
  const withText = (text: string) =>
    error === undefined
      ? { ...message, result: { ...result, content: [{ ...result?.content?.[0], text }] } }
      : { ...message, error: { ...error, message: text, data: undefined } }
  let length = text.length
  let cut: Message = message
  for (let bytes = bytesOf(message); bytes > room && length > 0; bytes = bytesOf(cut)) {
    length = Math.floor(Math.min(length * 0.9, (length * room) / bytes))
    cut = withText(`${text.slice(0, length).toWellFormed()}…`)
  }
  return cut
}

const shortErrors = (text: string) => {
  if (text.length <= mostErrors / 3) return text
  const answer = JSON.parse(text) as Message | ReadonlyArray<Message>
  const messages: ReadonlyArray<Message> = Array.isArray(answer) ? answer : [answer]
  const errors = messages.filter(isError)
  if (bytesOf(errors) <= mostErrors) return text
  // Without the brackets and commas of the list.
  const room = mostErrors / errors.length - 2
  const short = messages.map((message) => (isError(message) ? cutTo(room, message) : message))
  return JSON.stringify(Array.isArray(answer) ? short : short[0])
}

/** One line of a stream of events. */
const shortEvent = (room: number) => (line: string) => {
  const text = /^data: *(\{.*)$/s.exec(line)?.[1]
  if (text === undefined || text.length <= room / 3) return `${line}\n`
  const message = JSON.parse(text) as Message
  return `data: ${JSON.stringify(isError(message) ? cutTo(room, message) : message)}\n`
}

/**
 * The SDK's answer to this many messages; a body that is not a stream of events is read to its end, so that it has a
 * length. The SDK reports every problem of a message: errors are cut to what one answer may have.
 */
export const fromWebResponse = Effect.fnUntraced(function* (response: Response, messages: number) {
  const contentType = response.headers.get("content-type") ?? undefined
  const headers = Object.fromEntries(
    [...response.headers].filter(([name]) => !["content-type", "content-length"].includes(name))
  )
  const { status, body } = response
  if (body === null) return HttpServerResponse.empty({ status, headers })
  if (contentType?.startsWith("text/event-stream") === true) {
    return HttpServerResponse.stream(
      Stream.fromReadableStream({ evaluate: () => body, onError: (error) => error }).pipe(
        Stream.decodeText(),
        Stream.splitLines,
        // Each message is answered with one event, for whose other lines there is room too.
        Stream.map(shortEvent(mostErrors / messages - 100)),
        Stream.encodeText
      ),
      { status, headers, contentType }
    )
  }
  const text = shortErrors(yield* Effect.promise(() => response.text()))
  return HttpServerResponse.text(text, { status, headers, ...(contentType ? { contentType } : {}) })
})
