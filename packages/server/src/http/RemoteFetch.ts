import * as NodeDns from "@effect/platform-node/NodeDns"
import * as NodeHttpClient from "@effect/platform-node/NodeHttpClient"
import * as NodeStream from "@effect/platform-node/NodeStream"
import type { Dispatcher } from "@effect/platform-node/Undici"
import { Clock, Context, Duration, Effect, Layer, Option, type Scope, Stream } from "effect"
import {
  Headers,
  HttpClient,
  HttpClientError,
  HttpClientRequest,
  HttpClientResponse,
  UrlParams
} from "effect/http"
import { Dns } from "effect/net"
import { AppConfig } from "../AppConfig.ts"
import { type ConnectionRules, makeGuardedDispatcher } from "./GuardedDispatcher.ts"
import { checking } from "./SendGuard.ts"
import { brokenExchange, errorCode, RemoteFetchError, shownUrl } from "./RemoteFetchError.ts"
import { contentTypeOf, headerText, remoteFileName } from "./RemoteFileName.ts"
import { parseRemoteUrl } from "./RemoteUrl.ts"

export interface RemoteFetchOptions extends ConnectionRules {
  readonly maxRedirects: number
  /** From a download's request to the head of its answer, lookup and connection included. */
  readonly firstByte: Duration.Input
  /** The longest time between two pieces of a body. */
  readonly idle: Duration.Input
  /** The longest time for a whole download with its redirects, or a whole exchange of the client. */
  readonly total: Duration.Input
  /** The largest body of an answer to the client. */
  readonly maxResponseBytes: number
}

const defaults: RemoteFetchOptions = {
  allowPrivateHosts: false,
  allowedPorts: [80, 443],
  connectTimeout: "5 seconds",
  maxRedirects: 5,
  firstByte: "15 seconds",
  idle: "30 seconds",
  total: "10 minutes",
  maxResponseBytes: 4 * 1024 * 1024
}

export interface Download {
  /** The final address, after redirects. */
  readonly url: string
  /** The server's type and subtype in lower case. It decides nothing. */
  readonly content_type: string | null
  /** The announced length. A body of another length fails. */
  readonly declared_bytes: number | null
  /** From Content-Disposition or the URL, without directories and control characters. */
  readonly file_name: string | null
  /** The body; to be run once, before the scope of the download closes. */
  readonly content: Stream.Stream<Uint8Array, RemoteFetchError>
}

/**
 * The only way to a URL from a user. Whatever its spelling, its DNS and its redirects say, connections go to public
 * unicast addresses only, and the answer is bounded in size and time.
 */
export class RemoteFetch extends Context.Service<
  RemoteFetch,
  {
    /** The rules that need no network, for refusing a URL at the moment it is given. */
    check(url: string): Effect.Effect<URL, RemoteFetchError>
    /** The file behind a URL, at most `maxBytes` of it: media_urls and imports. */
    download(
      url: string,
      options: { readonly maxBytes: number }
    ): Effect.Effect<Download, RemoteFetchError, Scope.Scope>
    /**
     * A client for servers that a user named: a PDS, a Mastodon server, a webhook. It follows no redirect, keeps no
     * cookie and reads the whole body before it answers. The `cause` of its errors is a `RemoteFetchError`, unless
     * the request itself could not be encoded. Give calls a timeout: `total` is the only one here.
     */
    readonly client: HttpClient.HttpClient
  }
>()("@carillon/server/http/RemoteFetch") {
  static readonly layerWith = (options: Partial<RemoteFetchOptions> = {}) =>
    Layer.effect(RemoteFetch, make({ ...defaults, ...options }))

  /** For this instance, with limits of its own. */
  static readonly layerOf = (
    options: Partial<RemoteFetchOptions> = {}
  ): Layer.Layer<RemoteFetch, never, AppConfig> =>
    Layer.unwrap(
      Effect.map(AppConfig, ({ allowPrivateHosts }) =>
        RemoteFetch.layerWith({ allowPrivateHosts, ...options })
      )
    ).pipe(
      Layer.provide(Layer.effect(Dns.Dns, Effect.orDie(NodeDns.make({ timeout: "2 seconds", tries: 2 }))))
    )

  static readonly layer = RemoteFetch.layerOf()
}

const redirects = [301, 302, 303, 307, 308]

const make = Effect.fnUntraced(function* (options: RemoteFetchOptions) {
  const dns = yield* Dns.Dns
  const connections = checking(yield* makeGuardedDispatcher(options))
  const undici = HttpClient.withScope(
    yield* Effect.provideService(NodeHttpClient.makeUndici, NodeHttpClient.Dispatcher, connections)
  )

  const check = (url: string) => Effect.fromResult(parseRemoteUrl(url, options))

  const newDeadline = Effect.map(Clock.currentTimeMillis, (now) => now + Duration.toMillis(options.total))

  /** Waits for the peer, at most `limit` and not beyond `deadline`. */
  const awaiting = <A, E, R>(
    wait: Effect.Effect<A, E, R>,
    url: URL,
    limit: Duration.Input,
    deadline: number
  ) =>
    Effect.flatMap(Clock.currentTimeMillis, (now) => {
      const left = deadline - now
      const flaw =
        left < Duration.toMillis(limit)
          ? `was not complete within ${spelled(options.total)}`
          : `sent nothing for ${spelled(limit)}`
      const timedOut = Effect.fail(
        new RemoteFetchError({
          reason: "timed_out",
          message: `"${shownUrl(url)}" ${flaw}. Check that the server is up and fast enough, or try again later.`,
          retryable: true
        })
      )
      // Without this a body whose next piece is always ready would never meet the deadline.
      if (left <= 0) return timedOut
      return Effect.timeoutOrElse(wait, {
        duration: Math.min(left, Duration.toMillis(limit)),
        orElse: () => timedOut
      })
    })

  const bounded = (
    body: Stream.Stream<Uint8Array, RemoteFetchError>,
    url: URL,
    maxBytes: number,
    deadline: number
  ): Stream.Stream<Uint8Array, RemoteFetchError> =>
    Stream.transformPull(body, (pull) =>
      Effect.sync(() => {
        let received = 0
        return Effect.tap(awaiting(pull, url, options.idle, deadline), (chunks) => {
          for (const chunk of chunks) received += chunk.length
          return received > maxBytes ? Effect.fail(tooLarge(url, maxBytes)) : Effect.void
        })
      })
    )

  const get = (dispatcher: Dispatcher, url: URL) =>
    Effect.tryPromise({
      try: async (signal) => {
        const response = await dispatcher.request({
          method: "GET",
          origin: url.origin,
          path: url.pathname + url.search,
          headers: { accept: "*/*", "accept-encoding": "identity", "user-agent": "Carillon" },
          // The limits here are Effect's, which include the lookup and connection before undici's.
          headersTimeout: 0,
          bodyTimeout: 0,
          signal
        })
        // A body that is destroyed unread emits an error, and an unhandled one ends the process.
        response.body.on("error", () => {})
        return response
      },
      catch: (cause) => brokenExchange(cause, url)
    })

  const redirected = Effect.fnUntraced(function* (from: URL, location: string) {
    const to = yield* check(URL.parse(location, from.href)?.href ?? location)
    if (from.protocol === "https:" && to.protocol === "http:") {
      return yield* new RemoteFetchError({
        reason: "url_not_allowed",
        message:
          `"${shownUrl(from)}" redirects from https to http. Such a redirect is never followed: ` +
          `give a URL that stays on https.`,
        retryable: false
      })
    }
    return to
  })

  const download = Effect.fn("RemoteFetch.download")(function* (
    given: string,
    { maxBytes }: { readonly maxBytes: number }
  ) {
    const deadline = yield* newDeadline
    let url = yield* check(given)
    // Its own connections, so that no look-up, attempt or socket of a download outlives the scope.
    const dispatcher = yield* Effect.provideService(makeGuardedDispatcher(options), Dns.Dns, dns)
    for (let hops = 0; hops <= options.maxRedirects; hops++) {
      const { statusCode, headers, body } = yield* awaiting(
        get(dispatcher, url),
        url,
        options.firstByte,
        deadline
      )
      const header = (name: string) => {
        const value = headers[name]
        return Array.isArray(value) ? value.join(", ") : value
      }
      const location = header("location")
      if (redirects.includes(statusCode) && location !== undefined) {
        body.destroy()
        url = yield* redirected(url, headerText(location))
        continue
      }
      if (statusCode !== 200) return yield* badStatus(url, statusCode)
      yield* unencoded(url, header("content-encoding"), header("transfer-encoding"))
      const declared = header("content-length")
      if (Number(declared) > maxBytes) return yield* tooLarge(url, maxBytes)
      const from = url
      const bytes = NodeStream.fromReadable<Uint8Array, RemoteFetchError>({
        evaluate: () => body,
        onError: (cause) => brokenExchange(cause, from)
      })
      return {
        url: url.href,
        content_type: contentTypeOf(header("content-type")),
        declared_bytes: declared === undefined ? null : Number(declared),
        file_name: remoteFileName(header("content-disposition"), url),
        content: bounded(bytes, url, maxBytes, deadline)
      } satisfies Download
    }
    return yield* new RemoteFetchError({
      reason: "too_many_redirects",
      message:
        `"${shownUrl(given)}" redirects more than ${options.maxRedirects} times. ` +
        `Give the URL of the file itself.`,
      retryable: false
    })
  })

  const exchange = Effect.fnUntraced(function* (request: HttpClientRequest.HttpClientRequest, url: URL) {
    const deadline = yield* newDeadline
    const response = yield* awaiting(undici.execute(request), url, options.total, deadline).pipe(
      Effect.mapError((error) => (isPeerFault(error) ? brokenExchange(error.cause, url) : error)),
      // A stranger's server does not need the trace ids of this service.
      Effect.provideService(HttpClient.TracerPropagationEnabled, false)
    )
    // Effect's response in memory is a web Response, which can have no other status.
    if (response.status < 200 || response.status > 599) return yield* badStatus(url, response.status)
    const { status } = response
    const bytes = yield* Effect.gen(function* () {
      yield* unencoded(url, response.headers["content-encoding"], response.headers["transfer-encoding"])
      const body = Stream.mapError(response.stream, (error) => brokenExchange(error.cause, url))
      return yield* Stream.mkUint8Array(bounded(body, url, options.maxResponseBytes, deadline))
    }).pipe(
      // The peer said this whether or not its body could be read.
      Effect.mapError(
        ({ reason, message, retryable }) => new RemoteFetchError({ reason, message, retryable, status })
      )
    )
    const empty = bytes.length === 0 || [204, 205, 304].includes(response.status)
    return HttpClientResponse.fromWeb(
      request,
      new Response(empty ? null : bytes, {
        status: response.status,
        headers: Object.entries(response.headers)
      })
    )
  }, Effect.scoped)

  // Not a transformation of the request, because one of those would see it before the caller's own (a base URL).
  const client = HttpClient.makeWith<never, never, HttpClientError.HttpClientError, never>(
    Effect.flatMap((request) => {
      const given = Option.match(HttpClientRequest.toUrl(request), {
        onNone: () => request.url,
        onSome: (url) => url.href
      })
      return check(given).pipe(
        Effect.flatMap((url) =>
          exchange(
            HttpClientRequest.makeWith(
              request.method,
              url.href,
              UrlParams.empty,
              Option.none(),
              Headers.set(
                Headers.removeMany(request.headers, ["host", "upgrade"]),
                "accept-encoding",
                "identity"
              ),
              request.body
            ),
            url
          )
        ),
        Effect.mapError((error) => clientError(request, error))
      )
    }),
    Effect.succeed
  )

  return RemoteFetch.of({ check, download, client })
})

const tooLarge = (url: URL, maxBytes: number) =>
  new RemoteFetchError({
    reason: "too_large",
    message: `"${shownUrl(url)}" has more than ${maxBytes} bytes, which is the limit here. Give a smaller file.`,
    retryable: false
  })

const badStatus = (url: URL, status: number) =>
  new RemoteFetchError({
    reason: "bad_status",
    message:
      `"${shownUrl(url)}" answered with status ${status} instead of 200. ` +
      `Check that the file can be downloaded without signing in.`,
    retryable: status === 408 || status === 425 || status === 429 || (status >= 500 && status <= 599),
    status
  })

const unencoded = Effect.fnUntraced(function* (
  url: URL,
  contentCoding = "identity",
  transferCoding = "chunked"
) {
  const codings = `${contentCoding},${transferCoding}`.toLowerCase().split(/[\s,]+/)
  const foreign = codings.find((coding) => !["", "identity", "chunked"].includes(coding))
  if (foreign === undefined) return
  return yield* new RemoteFetchError({
    reason: "encoded",
    message:
      `"${shownUrl(url)}" was sent with the coding "${foreign.slice(0, 20)}". Files are stored as received and never ` +
      `decompressed: turn compression off for this file.`,
    retryable: false
  })
})

/** Otherwise the error is the caller's: its request body failed, perhaps with the code of a broken disk. */
const isPeerFault = (error: RemoteFetchError | HttpClientError.HttpClientError) =>
  error.cause instanceof RemoteFetchError || peerCodes.test(errorCode(error.cause))

const peerCodes = /^(UND_ERR_|ERR_SSL_|ERR_TLS_|HTTPParserError$|(ECONN|ENET|EHOST)[A-Z]+$|EPIPE$|ETIMEDOUT$)/

/** Refusals by rule become `InvalidUrlError`, so that nothing takes them for a passing trouble of the network. */
const clientError = (
  request: HttpClientRequest.HttpClientRequest,
  error: RemoteFetchError | HttpClientError.HttpClientError
): HttpClientError.HttpClientError => {
  if (error._tag === "HttpClientError") return error
  const details = { request, cause: error, description: error.message }
  return new HttpClientError.HttpClientError({
    reason:
      error.reason === "url_not_allowed" || error.reason === "address_not_allowed"
        ? new HttpClientError.InvalidUrlError(details)
        : new HttpClientError.TransportError(details)
  })
}

const spelled = (duration: Duration.Input) => Duration.format(Duration.fromInputUnsafe(duration))
