import {
  AuthenticationError,
  CarillonError,
  ConnectionError,
  errorFromResponse,
  InvalidRequestError,
  ServiceError,
  TimeoutError
} from "./Errors.ts"

export interface ClientOptions {
  /** Default: the environment variable `CARILLON_API_KEY`. */
  readonly apiKey?: string | undefined
  /** Where the service is. Default: the environment variable `CARILLON_URL`, then `http://localhost:4400`. */
  readonly baseUrl?: string | undefined
  /** Default: the global `fetch`. */
  readonly fetch?: typeof globalThis.fetch | undefined
  /** Longest time for one request in milliseconds, default 60,000. The bytes of an upload are not limited by it. */
  readonly timeout?: number | undefined
}

export interface RequestOptions {
  /** Gives the call up; it then rejects with the signal's reason. */
  readonly signal?: AbortSignal | undefined
  /** Overrides the client's `timeout`, in milliseconds. */
  readonly timeout?: number | undefined
}

type Method = "GET" | "POST" | "PUT" | "PATCH" | "DELETE"

/** The one place that talks HTTP: address, credential, JSON, time limit, errors. */
export class Transport {
  readonly #apiKey: string
  readonly #baseUrl: string
  readonly #fetch: typeof globalThis.fetch
  readonly #timeout: number

  constructor(options: ClientOptions) {
    const env: Record<string, string | undefined> = globalThis.process?.env ?? {}
    const apiKey = options.apiKey ?? env["CARILLON_API_KEY"]
    if (!apiKey) {
      throw new AuthenticationError(
        "There is no API key. Set the environment variable CARILLON_API_KEY, or pass apiKey to the client.",
        { code: "no_api_key" }
      )
    }
    this.#apiKey = apiKey
    this.#baseUrl = (options.baseUrl ?? (env["CARILLON_URL"] || "http://localhost:4400")).replace(/\/+$/, "")
    this.#fetch = options.fetch ?? globalThis.fetch
    this.#timeout = options.timeout ?? 60_000
  }

  /** Sends JSON and answers with the JSON that came back. `path` may be an absolute URL that the service gave. */
  request<A>(
    method: Method,
    path: string,
    {
      body,
      query,
      ...options
    }: RequestOptions & { readonly body?: unknown; readonly query?: object | undefined } = {}
  ): Promise<A> {
    return this.#send<A>(
      path.startsWith("/") ? `${this.#baseUrl}${path}${search(query ?? {})}` : path,
      {
        method,
        headers: {
          accept: "application/json",
          authorization: `Bearer ${this.#apiKey}`,
          ...(body === undefined ? {} : { "content-type": "application/json" })
        },
        ...(body === undefined ? {} : { body: JSON.stringify(body) })
      },
      { timeout: this.#timeout, ...options }
    )
  }

  /** Sends bytes to a signed URL, without the API key and without a limit of time. */
  put<A>(url: string, body: Blob, contentType: string, signal: AbortSignal | undefined): Promise<A> {
    // Without these two, Node's fetch keeps a copy of the whole body for a redirect (nodejs/undici#4058).
    const streamed = { redirect: "error", window: null } as const
    return this.#send<A>(
      url,
      { method: "PUT", headers: { "content-type": contentType }, body, ...streamed },
      { signal }
    )
  }

  async #send<A>(url: string, init: RequestInit, { signal, timeout }: RequestOptions): Promise<A> {
    const limit = timeout === undefined ? undefined : AbortSignal.timeout(timeout)
    try {
      const response = await this.#fetch(url, {
        ...init,
        signal: AbortSignal.any([signal, limit].filter((one) => one !== undefined))
      })
      const text = await response.text()
      if (!response.ok) throw errorFromResponse(response, text)
      return parseAnswer(response, text)
    } catch (error) {
      if (error instanceof CarillonError) throw error
      if (signal?.aborted) throw signal.reason
      if (limit?.aborted) {
        throw new TimeoutError(`${init.method} ${withoutQuery(url)} took longer than ${timeout} ms.`, {
          code: "timeout",
          cause: error
        })
      }
      throw new ConnectionError(`${init.method} ${withoutQuery(url)} got no answer: ${reason(error)}.`, {
        code: "connection_failed",
        cause: error
      })
    }
  }
}

/** The path of one thing of a collection. */
export const pathTo = (collection: string, id: string | number): string => {
  // An empty id would be the collection itself, and URLs resolve dots away.
  if (/^\.{0,2}$/.test(String(id))) {
    throw new InvalidRequestError(`${JSON.stringify(id)} is not an id.`, { code: "invalid_request" })
  }
  return `${collection}/${encodeURIComponent(id)}`
}

const search = (query: object): string => {
  const parameters = new URLSearchParams()
  for (const [name, values] of Object.entries(query)) {
    for (const value of Array.isArray(values) ? values : [values]) {
      if (value !== undefined)
        parameters.append(name, value instanceof Date ? value.toISOString() : String(value))
    }
  }
  return parameters.size === 0 ? "" : `?${parameters}`
}

// A redirect to a sign-in page or a wrong address often answers 200 with HTML.
const parseAnswer = (response: Response, text: string) => {
  try {
    return JSON.parse(text)
  } catch (cause) {
    throw new ServiceError(
      `${withoutQuery(response.url)} answered ${response.status} without JSON. Is this the address of Carillon?`,
      {
        code: "unexpected_answer",
        status: response.status,
        requestId: response.headers.get("x-request-id"),
        cause
      }
    )
  }
}

// Signed URLs carry their signature in the query.
const withoutQuery = (url: string) => url.split("?")[0]

/** fetch says only "fetch failed"; what happened is in its cause. */
const reason = (error: unknown): string => {
  const { cause, message } = error as { cause?: { code?: string; message?: string }; message?: string }
  return cause?.code ?? cause?.message ?? message ?? String(error)
}
