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

/** Longer than any error has to be. */
const longAnswer = 60_000

/** The SDK reports every problem of a message. */
const shortErrors = (text: string) => {
  if (text.length <= longAnswer) return text
  const short = (message: Answer) =>
    message.error === undefined
      ? message
      : {
          ...message,
          error: { ...message.error, message: `${message.error.message.slice(0, 2000)}…`, data: undefined }
        }
  const answers = JSON.parse(text) as Answer | ReadonlyArray<Answer>
  return JSON.stringify(Array.isArray(answers) ? answers.map(short) : short(answers as Answer))
}

/** A message of JSON-RPC. */
interface Answer {
  readonly error?: { readonly message: string }
}

/** The SDK's answer; a body that is not a stream of events is read to its end, so that it has a length. */
export const fromWebResponse = Effect.fnUntraced(function* (response: Response) {
  const contentType = response.headers.get("content-type") ?? undefined
  const headers = Object.fromEntries(
    [...response.headers].filter(([name]) => !["content-type", "content-length"].includes(name))
  )
  const { status, body } = response
  if (body === null) return HttpServerResponse.empty({ status, headers })
  if (contentType?.startsWith("text/event-stream") === true) {
    return HttpServerResponse.stream(
      Stream.fromReadableStream({ evaluate: () => body, onError: (error) => error }),
      { status, headers, contentType }
    )
  }
  const text = shortErrors(yield* Effect.promise(() => response.text()))
  return HttpServerResponse.text(text, { status, headers, ...(contentType ? { contentType } : {}) })
})
