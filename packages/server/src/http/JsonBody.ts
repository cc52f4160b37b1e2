import { badRequest } from "@carillon/domain"
import { ByteSize, Effect } from "effect"
import { HttpIncomingMessage, HttpServerRequest } from "effect/http"

/** The limit on the body of a request whose credential is known. */
export const withLargeBody = Effect.provideService(HttpIncomingMessage.MaxBodySize, ByteSize.mebibytes(1))

/** The body as text, unless it is longer than the limit. */
export const jsonText = Effect.gen(function* () {
  const request = yield* HttpServerRequest.HttpServerRequest
  const text = yield* Effect.orDie(request.text)
  const message = tooMuchJson(text)
  return message === null ? text : yield* badRequest([{ path: "", code: "invalid_request", message }])
})

/** More values than any post needs, and few enough to report all of them in milliseconds. */
const mostValues = 10_000
const deepest = 32

/** Checked before the body is parsed: decoding and reporting cost by the number and depth of its values. */
const tooMuchJson = (text: string): string | null => {
  let values = 0
  let depth = 0
  for (let index = 0; index < text.length; index++) {
    switch (text.charCodeAt(index)) {
      case quote:
        index = endOfString(text, index)
        break
      case comma:
        values++
        break
      case bracket:
      case brace:
        values++
        if (++depth > deepest) return `The body is nested more than ${deepest} deep; send it flatter.`
        break
      case closingBracket:
      case closingBrace:
        depth--
    }
    if (values > mostValues) return `The body has more than ${mostValues} values; send fewer at once.`
  }
  return null
}

const [quote, comma, bracket, closingBracket, brace, closingBrace, backslash] = [...'",[]{}\\'].map(
  (character) => character.charCodeAt(0)
)

const endOfString = (text: string, start: number) => {
  for (let index = start + 1; index < text.length; index++) {
    const code = text.charCodeAt(index)
    if (code === quote) return index
    if (code === backslash) index++
  }
  return text.length
}
