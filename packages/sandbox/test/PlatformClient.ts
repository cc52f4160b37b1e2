import { SandboxProcess } from "@carillon/sandbox/testing"
import { Data, Effect } from "effect"

/** No answer came, or not all of it. */
class ConnectionBroke extends Data.TaggedError("ConnectionBroke")<{ readonly cause: unknown }> {}

export interface Answer {
  readonly status: number
  readonly headers: Headers
  readonly text: string
  readonly body: any
}

const parsed = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** One request to the test network, over a real socket; a path or a whole URL. */
export const send = Effect.fnUntraced(function* (path: string, init: RequestInit = {}) {
  const { url } = yield* SandboxProcess
  return yield* Effect.tryPromise({
    try: async (signal): Promise<Answer> => {
      const response = await fetch(new URL(path, url), { ...init, signal })
      const text = await response.text()
      return { status: response.status, headers: response.headers, text, body: parsed(text) }
    },
    catch: (cause) => new ConnectionBroke({ cause })
  })
})

export const json = (body: unknown): RequestInit => ({
  method: "POST",
  headers: { "content-type": "application/json" },
  body: JSON.stringify(body)
})

export const signIn = (username: string, password = "sandbox") =>
  send("/api/session", json({ username, password }))

/** What a client of the platform does as one account, signed in once. */
export const clientOf = Effect.fnUntraced(function* (username: string) {
  const { body } = yield* signIn(username)
  const authorization = `Bearer ${body.access_token}`
  return {
    username,
    token: body.access_token as string,
    post: (draft: unknown, key?: string) =>
      send("/api/posts", {
        ...json(draft),
        headers: {
          authorization,
          "content-type": "application/json",
          ...(key === undefined ? {} : { "idempotency-key": key })
        }
      }),
    upload: (bytes: string | Uint8Array<ArrayBuffer>, type = "image/png") =>
      send("/api/media", { method: "POST", headers: { authorization, "content-type": type }, body: bytes }),
    get: (path: string) => send(path, { headers: { authorization } })
  }
})
