import {
  AuthenticationError,
  CarillonError,
  ConnectionError,
  errorFromResponse,
  InvalidRequestError,
  ServiceError,
  TimeoutError,
  withoutQuery
} from "./Errors.ts"
import { pause } from "./Pause.ts"
import { fetchTelling, tellsProgress } from "./ProgressRequest.ts"
import { defaultRetries, retryDelay } from "./RetryPolicy.ts"

export interface ClientOptions {
  /**
   * Default: the environment variable `CARILLON_API_KEY`. A function is asked before every request, for access tokens that
   * are renewed. When a request was answered with 401 it is asked once more, with what was refused, and what it then gives is tried.
   */
  readonly apiKey?: string | ((refused?: string) => string | Promise<string>) | undefined
  /**
   * Instead of a key, in a page of the service itself: the member who is signed in there, in one of their workspaces. The
   * default of `baseUrl` is then the page's own origin.
   */
  readonly session?: { readonly workspaceId: string } | undefined
  /** Where the service is. Default: the environment variable `CARILLON_URL`, then `http://localhost:4400`. */
  readonly baseUrl?: string | undefined
  /** Default: the global `fetch`. */
  readonly fetch?: typeof globalThis.fetch | undefined
  /**
   * Longest time for one try of a request in milliseconds, default 60,000. Of an upload it is the longest time that
   * its bytes may stand still.
   */
  readonly timeout?: number | undefined
  /**
   * How often a call is tried again after no answer, 429 and 5xx; default 2, 0 for never. A `Retry-After` of up to a
   * minute is waited for.
   */
  readonly maxRetries?: number | undefined
  /** Gives up everything that this client does, besides the signal of each call. */
  readonly signal?: AbortSignal | undefined
}

export interface RequestOptions {
  /** Gives the call up; it then rejects with the signal's reason. */
  readonly signal?: AbortSignal | undefined
  /** Overrides the client's `timeout`, in milliseconds. */
  readonly timeout?: number | undefined
  /** Overrides the client's `maxRetries`. */
  readonly maxRetries?: number | undefined
}

/** Options of a call that creates something. */
export interface SendOptions extends RequestOptions {
  /**
   * 1 to 255 printable ASCII characters. For 24 hours the service does what was sent with it once, and answers the
   * same again. Default: a new one for each call, kept over its tries. Give your own to be safe across a crash of your program too.
   */
  readonly idempotencyKey?: string | undefined
}

export type Method = "GET" | "POST" | "PUT" | "PATCH" | "DELETE"

interface RequestParts {
  readonly body?: unknown
  readonly query?: object | undefined
  readonly ifMatch?: string | undefined
}

/** Bytes on their way to a signed URL. */
export interface Upload {
  readonly url: string
  readonly mimeType: string
  readonly size: number
  readonly body: Blob | ReadableStream<Uint8Array>
  readonly signal: AbortSignal
  /** Told how many bytes of a Blob have gone out, where the runtime knows. */
  readonly onSent?: ((sent: number) => void) | undefined
}

/** The one place that talks HTTP: address, credential, JSON, time limit, tries, errors. */
export class Transport {
  readonly timeout: number
  readonly maxRetries: number
  /** Whether `put` tells how far a Blob has gone. */
  readonly tellsProgress: boolean
  readonly #apiKey: Exclude<ClientOptions["apiKey"], undefined> | undefined
  readonly #session: ClientOptions["session"]
  readonly #baseUrl: string
  readonly #fetch: typeof globalThis.fetch
  readonly #signal: AbortSignal | undefined

  constructor(options: ClientOptions) {
    this.#session = options.session
    this.#apiKey = options.session ? undefined : (options.apiKey ?? environment("CARILLON_API_KEY"))
    if (!this.#apiKey && !options.session) {
      throw new AuthenticationError(
        "There is no API key. Set the environment variable CARILLON_API_KEY, or pass apiKey to the client.",
        { code: "no_api_key" }
      )
    }
    const here = options.session ? page?.origin : environment("CARILLON_URL")
    this.#baseUrl = (options.baseUrl ?? (here || "http://localhost:4400")).replace(/\/+$/, "")
    // Called as a method of something else, a browser's fetch refuses.
    const own = options.fetch
    this.tellsProgress = own === undefined && tellsProgress
    this.#fetch = own ?? ((input, init) => globalThis.fetch(input, init))
    this.timeout = options.timeout ?? 60_000
    this.maxRetries = options.maxRetries ?? defaultRetries
    this.#signal = options.signal
  }

  /** Aborts with the client's own signal and with these. */
  untilAborted(...signals: ReadonlyArray<AbortSignal | undefined>): AbortSignal {
    return AbortSignal.any([this.#signal, ...signals].filter((one) => one !== undefined))
  }

  /** Sends JSON and answers with the JSON that came back. */
  async request<A>(
    method: Method,
    path: string,
    { body, idempotencyKey, ifMatch, maxRetries, query, signal, timeout }: SendOptions & RequestParts = {}
  ): Promise<A> {
    const url = `${this.#baseUrl}${path}${search(query ?? {})}`
    const init = {
      method,
      headers: {
        accept: "application/json",
        ...(body === undefined ? {} : { "content-type": "application/json" }),
        // The same one for all tries: what came through and was not answered does not happen twice.
        ...(method === "POST" ? { "idempotency-key": idempotencyKey ?? randomKey() } : {}),
        ...(ifMatch === undefined ? {} : { "if-match": ifMatch })
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) })
    }
    const tries = maxRetries ?? this.maxRetries
    const given = this.untilAborted(signal)
    for (let retry = 0; ; retry++) {
      try {
        return await this.#authorized<A>(url, init, given, timeout ?? this.timeout)
      } catch (error) {
        const delay = retry < tries ? retryDelay(error, retry) : undefined
        if (delay === undefined) throw error
        await pause(delay, given)
      }
    }
  }

  /** Sends JSON and answers with the bytes that come back: once, and without a limit of time. */
  download(path: string, body: unknown, signal: AbortSignal | undefined): Promise<Response> {
    const headers = { accept: "*/*", "content-type": "application/json" }
    const init = { method: "POST", headers, body: JSON.stringify(body) }
    return this.#authorized(
      `${this.#baseUrl}${path}`,
      init,
      this.untilAborted(signal),
      undefined,
      async (response) => response
    )
  }

  /** Opens a stream of server-sent events that goes on after this id: once, and without a limit of time. */
  open(path: string, query: object, lastEventId: string | undefined, signal: AbortSignal): Promise<Response> {
    const headers = {
      accept: "text/event-stream",
      ...(lastEventId === undefined ? {} : { "last-event-id": lastEventId })
    }
    return this.#authorized(
      `${this.#baseUrl}${path}${search(query)}`,
      { method: "GET", headers },
      signal,
      undefined,
      async (response) => response
    )
  }

  /** Sends it with the session or the key; a key that a function gave and that is refused is replaced once. */
  async #authorized<A>(
    url: string,
    init: RequestInit & { readonly headers: Record<string, string> },
    given: AbortSignal,
    timeout: number | undefined,
    read?: (response: Response) => Promise<A>
  ): Promise<A> {
    const sent = (more: RequestInit) =>
      this.#send<A>(url, { ...init, ...more }, given, timeout, this.#fetch, read)
    const send = (key: string) => sent({ headers: { ...init.headers, authorization: `Bearer ${key}` } })
    if (this.#session !== undefined) {
      const headers = { ...init.headers, "carillon-workspace": this.#session.workspaceId }
      return sent({ headers, credentials: "same-origin" })
    }
    const source = this.#apiKey!
    if (typeof source === "string") return send(source)
    const key = await source()
    return send(key).catch(async (error) => {
      if (!(error instanceof AuthenticationError)) throw error
      return send(await source(key))
    })
  }

  /** Sends bytes to a signed URL, once, without the API key and without a limit of time. */
  async put<A>({ body, mimeType, onSent, signal, size, url }: Upload): Promise<A> {
    const init = {
      method: "PUT",
      headers: {
        "content-type": mimeType,
        // Browsers set it themselves and allow nobody else to.
        ...(body instanceof Blob ? {} : { "content-length": String(size) })
      },
      body,
      ...(body instanceof Blob ? {} : { duplex: "half" as const }),
      // Without these two, Node's fetch keeps a copy of the whole body for a redirect (nodejs/undici#4058).
      redirect: "error" as const,
      window: null
    }
    const send =
      body instanceof Blob && onSent !== undefined && this.tellsProgress ? fetchTelling(onSent) : this.#fetch
    try {
      return await this.#send<A>(url, init, signal, undefined, send)
    } catch (error) {
      throw perhapsTooLarge(error, url, size)
    }
  }

  async #send<A>(
    url: string,
    init: RequestInit,
    given: AbortSignal,
    timeout?: number,
    send: (url: string, init: RequestInit) => Promise<Response> = this.#fetch,
    read = async (response: Response): Promise<A> => parseAnswer(response, await response.text(), url)
  ): Promise<A> {
    const limit = timeout === undefined ? undefined : AbortSignal.timeout(timeout)
    const failed = new AbortController()
    const signals = [given, failed.signal, ...(limit === undefined ? [] : [limit])]
    try {
      const response = await send(url, { ...init, signal: AbortSignal.any(signals) })
      if (response.ok) return await read(response)
      const isProblem = (response.headers.get("content-type") ?? "json").includes("json")
      throw errorFromResponse(response, isProblem ? await response.text() : "")
    } catch (error) {
      const query = url.slice(withoutQuery(url).length)
      const cause = query !== "" && quotes(error, query) ? undefined : error
      // Do not wait for the rest of a refusal, and stop sending a body that is not wanted.
      failed.abort()
      if (error instanceof CarillonError) throw error
      if (given.aborted) throw given.reason
      if (limit?.aborted) {
        throw new TimeoutError(`${init.method} ${withoutQuery(url)} took longer than ${timeout} ms.`, {
          code: "timeout",
          cause
        })
      }
      const why = reason(error).replaceAll(query, "")
      throw new ConnectionError(`${init.method} ${withoutQuery(url)} got no answer: ${why}.`, {
        code: "connection_failed",
        cause
      })
    }
  }
}

/** The default of nginx; other proxies have none, or a larger one. */
const smallestLimit = 1024 * 1024

/** The connection was refused or could not be opened. */
const unreachable = /ECONNREFUSED|ENOTFOUND|EAI_AGAIN/

/**
 * What a refused upload may mean. The service says in JSON what it does not take; a proxy answers 413 for a body that is
 * too large for it, or 502 (Caddy), or breaks the connection.
 */
const perhapsTooLarge = (error: unknown, url: string, size: number): unknown => {
  const remedy =
    "Raise its limit to at least that (client_max_body_size of nginx, max_size of Caddy's request_body, LimitRequestBody of " +
    "Apache), or send a smaller file."
  if (error instanceof ServiceError && error.status === 413) {
    return new InvalidRequestError(
      `A proxy in front of the service refused the upload with 413: it takes no body of ${size} bytes. ${remedy}`,
      { code: "too_large_for_proxy", status: 413, requestId: error.requestId }
    )
  }
  if (size <= smallestLimit) return error
  const perhaps =
    `Perhaps a proxy in front of the service takes no body of ${size} bytes. ${remedy} ` +
    "If none limits bodies, the service or the connection to it is broken: try again later."
  if (error instanceof ServiceError && error.status === 502 && error.code === "unexpected_answer") {
    return new ServiceError(`The upload to ${withoutQuery(url)} was answered with 502. ${perhaps}`, error)
  }
  return error instanceof ConnectionError && !unreachable.test(error.message)
    ? new ConnectionError(`${error.message} ${perhaps}`, error)
    : error
}

/** `crypto.randomUUID` is not there in a page on plain http. */
const randomKey = (): string =>
  Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, "0")).join(
    ""
  )

const { location: page } = globalThis as { location?: { readonly origin: string } }

const environment = (name: string): string | undefined => globalThis.process?.env?.[name]

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
const parseAnswer = (response: Response, text: string, asked: string) => {
  try {
    return JSON.parse(text)
  } catch (cause) {
    throw new ServiceError(
      `${withoutQuery(response.url || asked)} answered ${response.status} without JSON. Is this the address of Carillon?`,
      {
        code: "unexpected_answer",
        status: response.status,
        requestId: response.headers.get("x-request-id"),
        cause
      }
    )
  }
}

/** Some runtimes tell the whole address when a request fails. */
const quotes = (error: unknown, query: string): boolean =>
  error instanceof Error &&
  (`${error.message} ${error.stack ?? ""}`.includes(query) || quotes(error.cause, query))

/** fetch says only "fetch failed"; what happened is in its cause. */
const reason = (error: unknown): string => {
  const { cause, message } = error as { cause?: { code?: string; message?: string }; message?: string }
  return cause?.code ?? cause?.message ?? message ?? String(error)
}
