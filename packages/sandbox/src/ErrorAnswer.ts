import { HttpServerResponse } from "effect/http"

/** The body of every error outside the platforms: `{ error: { code, message } }`. */
export const errorAnswer = (
  status: number,
  code: string,
  message: string
): HttpServerResponse.HttpServerResponse =>
  HttpServerResponse.jsonUnsafe({ error: { code, message } }, { status })
