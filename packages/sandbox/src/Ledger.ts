import { Clock, Context, DateTime, Effect, Layer, Schema } from "effect"
import { Journal } from "./Journal.ts"
import { Operation, PlatformId } from "./Platforms.ts"
import { withoutSecrets } from "./Redaction.ts"

export interface PublishedMedia extends Schema.Schema.Type<typeof PublishedMedia> {}
export const PublishedMedia = Schema.Struct({
  id: Schema.String,
  /** Hexadecimal, of the bytes as they arrived. */
  sha256: Schema.String,
  /** Bytes. */
  size: Schema.Int,
  content_type: Schema.String,
  alt_text: Schema.NullOr(Schema.String)
})

/** Further facts that a platform was told of a post, in the platform's own words. */
const Details = Schema.Record(Schema.String, Schema.Json)
type Details = typeof Details.Type

/** A publication that is live on a platform; tests count these. */
export interface Publication extends Schema.Schema.Type<typeof Publication> {}
export const Publication = Schema.Struct({
  /** A number above 2^53, as a string. */
  id: Schema.String,
  platform: PlatformId,
  /** The username. */
  account: Schema.String,
  title: Schema.NullOr(Schema.String),
  text: Schema.String,
  media: Schema.Array(PublishedMedia),
  idempotency_key: Schema.NullOr(Schema.String),
  client_reference: Schema.NullOr(Schema.String),
  /** When its request arrived: UTC, ISO 8601 with milliseconds. */
  received_at: Schema.String,
  /** When it took effect. Later than `received_at` by the delay of a `late_effect`. */
  published_at: Schema.String,
  /** Everything else that was sent with it: its placement, its options, its cover. */
  details: Schema.optionalKey(Details),
  /** The ids of the requests that it answered: the one that made it, then every repetition of its key. */
  requests: Schema.Array(Schema.String)
})

/** The result of a request, as its sender saw it. */
export const RequestOutcome = Schema.Literals([
  "answered",
  /** The connection was closed without an answer. */
  "cut",
  /** The connection was reset without an answer. */
  "reset",
  "half_body",
  "left_hanging",
  /** The sender went away before the request was complete. */
  "client_gone"
])
export type RequestOutcome = typeof RequestOutcome.Type

export interface RequestRecord extends Schema.Schema.Type<typeof RequestRecord> {}
export const RequestRecord = Schema.Struct({
  /** `req_1`, `req_2`, ... in the order in which they arrived. */
  id: Schema.String,
  platform: PlatformId,
  /** The username; null when the request did not name a valid one. */
  account: Schema.NullOr(Schema.String),
  method: Schema.String,
  /** With the query, but for the values of its secrets. */
  path: Schema.String,
  operation: Schema.NullOr(Operation),
  received_at: Schema.String,
  outcome: RequestOutcome,
  /** Null when none was sent. */
  status: Schema.NullOr(Schema.Int),
  /** The error code of the answer. */
  code: Schema.NullOr(Schema.String),
  /** The scripted fault that was applied. */
  fault: Schema.NullOr(Schema.String),
  idempotency_key: Schema.NullOr(Schema.String),
  /** The publication that it made or was answered with. */
  publication: Schema.NullOr(Schema.String)
})

export type Arrival = Pick<RequestRecord, "id" | "received_at">

const LedgerEvent = Schema.Union([
  Schema.Struct({ type: Schema.Literal("published"), publication: Publication }),
  Schema.Struct({ type: Schema.Literal("told"), publication: Schema.String, details: Details }),
  Schema.Struct({ type: Schema.Literal("request"), request: RequestRecord }),
  Schema.Struct({ type: Schema.Literal("reset") })
])
type LedgerEvent = typeof LedgerEvent.Type

export interface Whose {
  readonly platform?: PlatformId | undefined
  readonly account?: string | undefined
}

type Entry = Omit<Publication, "requests" | "details"> & {
  readonly requests: Array<string>
  details?: Details
}

interface Account {
  readonly publications: Array<Entry>
  readonly byKey: Map<string, Entry>
  readonly byReference: Map<string, Array<Entry>>
}

interface Waiter {
  readonly count: number
  readonly wake: () => void
}

/**
 * The publications and requests of every platform, in order. Changes take effect at once and together, so a check and
 * the publication that follows it cannot be separated; await `Journal.flushed` before answering.
 */
export class Ledger extends Context.Service<
  Ledger,
  {
    /** Numbers and dates a request. */
    readonly arrive: Effect.Effect<Arrival>
    record(request: RequestRecord): void
    publish(publication: Omit<Publication, "id" | "requests">, request: string): Publication
    /** A detail that came after the publication. */
    tell(publication: string, details: Details): void
    publications(whose: Whose): ReadonlyArray<Publication>
    requests(whose: Whose): ReadonlyArray<RequestRecord>
    find(platform: PlatformId, id: string): Publication | undefined
    byKey(platform: PlatformId, account: string, key: string): Publication | undefined
    /** By client reference or idempotency key. */
    byReference(platform: PlatformId, account: string, reference: string): ReadonlyArray<Publication>
    /** The platforms on which an account of this name has been active. */
    platformsOf(account: string): ReadonlyArray<PlatformId>
    /** Waits until the account has at least so many publications. */
    awaitCount(platform: PlatformId, account: string, count: number): Effect.Effect<void>
  }
>()("@carillon/sandbox/Ledger") {
  static readonly layer = Layer.effect(
    Ledger,
    Effect.gen(function* () {
      const waiters = new Map<string, Set<Waiter>>()
      let accounts = new Map<string, Account>()
      let publications = new Map<string, Entry>()
      let requests: Array<RequestRecord> = []
      const platforms = new Map<string, Set<PlatformId>>()
      let lastPublication = 0
      let lastRequest = 0

      const accountOf = (platform: PlatformId, username: string): Account => {
        const key = keyOf(platform, username)
        const known = accounts.get(key)
        if (known !== undefined) return known
        const account: Account = { publications: [], byKey: new Map(), byReference: new Map() }
        accounts.set(key, account)
        return account
      }

      const published = (publication: Entry) => {
        const { platform, account: username, idempotency_key, client_reference } = publication
        const account = accountOf(platform, username)
        publications.set(publication.id, publication)
        account.publications.push(publication)
        if (idempotency_key !== null && !account.byKey.has(idempotency_key)) {
          account.byKey.set(idempotency_key, publication)
        }
        for (const reference of new Set([idempotency_key, client_reference])) {
          if (reference === null) continue
          account.byReference.set(reference, [...(account.byReference.get(reference) ?? []), publication])
        }
        lastPublication += 1
        lastRequest = Math.max(lastRequest, ...publication.requests.map(numberOf))
        for (const { count, wake } of waiters.get(keyOf(platform, username)) ?? []) {
          if (account.publications.length >= count) wake()
        }
      }

      const requested = (request: RequestRecord) => {
        requests.push(request)
        if (request.account !== null) {
          const known = platforms.get(request.account) ?? new Set()
          platforms.set(request.account, known.add(request.platform))
        }
        lastRequest = Math.max(lastRequest, numberOf(request.id))
        const publication = request.publication === null ? undefined : publications.get(request.publication)
        if (publication?.requests.includes(request.id) === false) publication.requests.push(request.id)
      }

      const apply = (event: LedgerEvent) => {
        switch (event.type) {
          case "published":
            return published({ ...event.publication, requests: [...event.publication.requests] })
          case "told": {
            const publication = publications.get(event.publication)
            if (publication !== undefined) {
              publication.details = { ...publication.details, ...event.details }
            }
            return
          }
          case "request":
            return requested(event.request)
          case "reset":
            // The counters stay: ids are not used again.
            accounts = new Map()
            publications = new Map()
            requests = []
        }
      }
      const happen = yield* (yield* Journal).stream("ledger", LedgerEvent, apply, { type: "reset" })

      return Ledger.of({
        arrive: Clock.clockWith((clock) =>
          Effect.sync(() => ({
            id: `req_${++lastRequest}`,
            received_at: isoTime(clock.currentTimeMillisUnsafe())
          }))
        ),
        record: (request) =>
          happen({ type: "request", request: { ...request, path: withoutSecrets(request.path) } }),
        publish: (draft, request) => {
          const id = String(firstPublicationId + BigInt(lastPublication))
          happen({ type: "published", publication: { id, ...draft, requests: [request] } })
          return publications.get(id)!
        },
        tell: (publication, details) => happen({ type: "told", publication, details }),
        platformsOf: (account) => [...(platforms.get(account) ?? [])],
        publications: (whose) => [...publications.values()].filter(belongsTo(whose)),
        requests: (whose) =>
          requests.filter(belongsTo(whose)).sort((a, b) => numberOf(a.id) - numberOf(b.id)),
        find: (platform, id) => {
          const publication = publications.get(id)
          return publication?.platform === platform ? publication : undefined
        },
        byKey: (platform, account, key) => accountOf(platform, account).byKey.get(key),
        byReference: (platform, account, reference) =>
          accountOf(platform, account).byReference.get(reference) ?? [],
        awaitCount: (platform, username, count) =>
          Effect.callback<void>((resume) => {
            if (accountOf(platform, username).publications.length >= count) return resume(Effect.void)
            const key = keyOf(platform, username)
            const waiting = waiters.get(key) ?? new Set()
            const waiter = { count, wake: () => resume(Effect.void) }
            waiters.set(key, waiting.add(waiter))
            return Effect.sync(() => waiting.delete(waiter))
          })
      })
    })
  )
}

// Neighbours above 2^53: a client that reads them as numbers gets the same one for several posts.
const firstPublicationId = 7_500_000_000_000_000_001n

const keyOf = (platform: PlatformId, username: string) => `${platform}/${username}`

const numberOf = (requestId: string) => Number(requestId.slice("req_".length))

const belongsTo =
  ({ platform, account }: Whose) =>
  (entry: { readonly platform: PlatformId; readonly account: string | null }) =>
    (platform === undefined || entry.platform === platform) &&
    (account === undefined || entry.account === account)

/** UTC, ISO 8601 with milliseconds. */
export const isoTime = (milliseconds: number): string => DateTime.formatIso(DateTime.makeUnsafe(milliseconds))
