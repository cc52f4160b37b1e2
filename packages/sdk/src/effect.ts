import { Config, Context, Effect, Layer, Redacted, Stream } from "effect"
import { Carillon as Client } from "./Carillon.ts"
import {
  type AuthenticationError,
  CarillonError,
  type ConflictError,
  type ConnectionError,
  type InvalidRequestError,
  type NotFoundError,
  type PermissionError,
  type PublishFailedError,
  type RateLimitError,
  type ServiceError,
  type TimeoutError,
  type WebhookVerificationError
} from "./Errors.ts"
import type { ListPage, ListRequest } from "./ListRequest.ts"
import type { ClientOptions } from "./Transport.ts"
import { webhooks, type WebhookHeaders } from "./WebhookVerification.ts"
import type { WebhookEvent } from "./Wire.ts"

export * from "./Errors.ts"
export type * from "./Wire.ts"

/** The failures of a call; each has its class's name as `_tag`. */
export type Failure =
  | AuthenticationError
  | ConflictError
  | ConnectionError
  | InvalidRequestError
  | NotFoundError
  | PermissionError
  | RateLimitError
  | ServiceError
  | TimeoutError

/**
 * A list: its first page, or all of it.
 *
 * ```ts
 * const { meta } = yield* carillon.posts.list({ status: "failed" }).page
 * yield* Stream.runForEach(carillon.posts.list({ status: "failed" }).stream, (post) => Effect.log(post.id))
 * ```
 */
export interface List<Page extends ListPage<object>> {
  readonly page: Effect.Effect<Page, Failure>
  /** Goes on to the next page when it is needed. */
  readonly stream: Stream.Stream<Page["data"][number], Failure>
}

type Answered<Result> =
  Result extends ListRequest<infer Page>
    ? List<Page>
    : Result extends AsyncGenerator<infer A>
      ? Stream.Stream<A, Failure>
      : Result extends Promise<infer A>
        ? Effect.Effect<A, Failure>
        : never

/** The methods of one part of the client, as effects. Interrupting one aborts its request. */
export type Effects<Resource> = {
  readonly [Name in keyof Resource]: Resource[Name] extends (...args: infer Args) => infer Result
    ? (...args: Args) => Answered<Result>
    : never
}

type ResourceName = keyof Client

type Waiting = Client["posts"]["waitUntilPublished"]

export interface CarillonOptions extends Omit<ClientOptions, "apiKey" | "session" | "signal"> {
  readonly apiKey: Redacted.Redacted | string
}

/**
 * The client as a service: the methods of the promise API under the same names, as effects.
 *
 * ```ts
 * import { Effect } from "effect"
 * import { Carillon } from "@carillon/sdk/effect"
 *
 * const program = Effect.gen(function* () {
 *   const carillon = yield* Carillon
 *   const picture = yield* carillon.media.upload("./bells.jpg")
 *   return yield* carillon.posts.create({ social_accounts: [1], caption: "Bells", media: [picture.id] })
 * }).pipe(Effect.catchTag("InvalidRequestError", ({ errors }) => Effect.logError(errors)))
 *
 * Effect.runPromise(program.pipe(Effect.provide(Carillon.layer)))
 * ```
 */
export class Carillon extends Context.Service<
  Carillon,
  { readonly [Name in Exclude<ResourceName, "posts">]: Effects<Client[Name]> } & {
    readonly posts: Omit<Effects<Client["posts"]>, "waitUntilPublished"> & {
      /** As in the promise API; fails with `PublishFailedError` when the post is live on none of its accounts. */
      waitUntilPublished(
        ...args: Parameters<Waiting>
      ): Effect.Effect<Awaited<ReturnType<Waiting>>, Failure | PublishFailedError>
    }
  }
>()("@carillon/sdk/Carillon") {
  /**
   * The client with the given key and address.
   *
   * ```ts
   * const layer = Carillon.layerWith({ apiKey: "crl_...", baseUrl: "https://carillon.example.com" })
   * ```
   */
  static readonly layerWith = ({ apiKey, ...options }: CarillonOptions): Layer.Layer<Carillon> =>
    Layer.sync(Carillon, () =>
      effectsOf({ ...options, apiKey: Redacted.isRedacted(apiKey) ? Redacted.value(apiKey) : apiKey })
    )

  /**
   * The client from the configuration: `CARILLON_API_KEY` and `CARILLON_URL` (default `http://localhost:4400`).
   *
   * ```ts
   * Effect.runPromise(program.pipe(Effect.provide(Carillon.layer)))
   * ```
   */
  static readonly layer: Layer.Layer<Carillon, Config.ConfigError> = Layer.unwrap(
    Effect.gen(function* () {
      const apiKey = yield* Config.Redacted("CARILLON_API_KEY")
      const baseUrl = yield* Config.String("CARILLON_URL").pipe(Config.withDefault("http://localhost:4400"))
      return Carillon.layerWith({ apiKey, baseUrl })
    })
  )
}

/**
 * Checks that a webhook came from the service and is fresh; its event and the event's id.
 *
 * ```ts
 * const event = yield* verifyWebhook(request.headers, body, secret)
 * ```
 */
export const verifyWebhook = (
  headers: WebhookHeaders,
  body: string | Uint8Array,
  secret: string | ReadonlyArray<string>
): Effect.Effect<WebhookEvent & { readonly id: string }, WebhookVerificationError> =>
  attempt(() => webhooks.verify(headers, body, secret))

/** The methods that answer with a `ListRequest`. */
const listMethods: ReadonlySet<string> = new Set(["list", "deliveries", "next"])

type Method = (...args: ReadonlyArray<unknown>) => unknown

const effectsOf = (options: ClientOptions): Carillon["Service"] => {
  // Each call has its own client, so that its signal aborts all that the call does.
  const methodOf = (resource: ResourceName, name: string, signal: AbortSignal): Method => {
    const of = new Client({ ...options, signal })[resource] as unknown as Record<string, Method>
    return (...args) => of[name]!(...args)
  }
  const method = (resource: ResourceName, name: string) => {
    const call = (args: ReadonlyArray<unknown>) =>
      attempt((signal) => methodOf(resource, name, signal)(...args) as PromiseLike<unknown>).pipe(
        Effect.withSpan(`Carillon.${resource}.${name}`)
      )
    const stream = (args: ReadonlyArray<unknown>) =>
      Stream.unwrap(
        Effect.map(abortedAtTheEnd, ({ signal }) =>
          Stream.fromAsyncIterable(
            methodOf(resource, name, signal)(...args) as AsyncIterable<object>,
            (error) => error
          )
        )
      ).pipe(
        Stream.catch((error) => (error instanceof CarillonError ? Stream.fail(error) : Stream.die(error)))
      )
    if (name === "stream") return (...args: ReadonlyArray<unknown>) => stream(args)
    return listMethods.has(name)
      ? (...args: ReadonlyArray<unknown>) => ({ page: call(args), stream: stream(args) })
      : (...args: ReadonlyArray<unknown>) => call(args)
  }
  const client = new Client(options)
  return Object.fromEntries(
    (Object.keys(client) as Array<ResourceName>).map((resource) => [
      resource,
      Object.fromEntries(
        Object.getOwnPropertyNames(Object.getPrototypeOf(client[resource]))
          .filter((name) => name !== "constructor")
          .map((name) => [name, method(resource, name)])
      )
    ])
  ) as unknown as Carillon["Service"]
}

const abortedAtTheEnd = Effect.acquireRelease(
  Effect.sync(() => new AbortController()),
  (controller) => Effect.sync(() => controller.abort())
)

/** An error that the client throws on purpose is a failure; anything else is a defect. */
const attempt = <A, E extends CarillonError>(
  run: (signal: AbortSignal) => PromiseLike<A>
): Effect.Effect<A, E> =>
  Effect.promise(run).pipe(
    Effect.catchDefect((error) =>
      error instanceof CarillonError ? Effect.fail(error as E) : Effect.die(error)
    )
  )
