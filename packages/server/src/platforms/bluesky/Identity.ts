import { Effect, Schema } from "effect"
import { isPublicUrl } from "../../http/PublicAddress.ts"
import { PublishError } from "../Platform.ts"
import {
  type PlatformHttp,
  type Refusal,
  type Refused,
  refusedByStatus,
  shortAnswer
} from "../PlatformHttp.ts"
import { calledAt, isTestServer, type TestNetwork } from "../TestNetwork.ts"

export interface IdentityOptions {
  /** The directory of `did:plc` documents. */
  readonly plc_directory: string
  /** The resolver for a handle whose own host does not answer, e.g. because the handle is in DNS. */
  readonly handle_resolver: string
  /** Allows servers without TLS: for development. */
  readonly allow_http: boolean
  readonly test_network?: TestNetwork
}

/** An account as its DID document describes it. */
export interface Identity {
  readonly did: string
  /** The origin of the account's server, without a trailing slash. */
  readonly service: string
  /** As https://atproto.com/specs/handle wants it: `handle.invalid` unless the document and the handle name each other. */
  readonly handle: string
}

export const Did = Schema.String.check(Schema.isPattern(/^did:(plc|web):[A-Za-z0-9._:%-]{1,250}$/))

const DidDocument = Schema.Struct({
  id: Schema.String,
  alsoKnownAs: Schema.optionalKey(Schema.Array(Schema.String)),
  service: Schema.optionalKey(
    Schema.Array(Schema.Struct({ id: Schema.String, type: Schema.String, serviceEndpoint: Schema.Json }))
  )
})
type DidDocument = typeof DidDocument.Type

const ResolvedHandle = Schema.Struct({ did: Did })

export const invalidHandle = "handle.invalid"

/** A domain name of several labels. */
export const isHandle = (text: string) => text.length <= 253 && /^([a-z0-9-]+\.)+[a-z][a-z0-9-]*$/.test(text)

/**
 * Finds accounts by their DID documents (atproto.com/specs/handle and /specs/did), the only word on where an account is: what
 * its server says of itself proves nothing.
 */
export const identities = (call: PlatformHttp, options: IdentityOptions) => {
  const documentOf = Effect.fnUntraced(function* (did: string, unknown: Refused) {
    const url = documentUrl(did, options)
    if (url === undefined) return yield* new PublishError(unknown)
    const document = yield* call({
      method: "GET",
      url,
      maxAnswerBytes: shortAnswer,
      answer: DidDocument,
      refuse: refuseAs(unknown)
    }).pipe(Effect.mapError(unanswered(url)))
    const service = serviceOf(document, options)
    if (document.id !== did || service === undefined) return yield* new PublishError(unknown)
    const handles = (document.alsoKnownAs ?? [])
      .filter((name) => name.startsWith("at://"))
      .map((name) => name.slice("at://".length).toLowerCase())
    return { did, service, handles }
  })

  const asked = (resolver: string, handle: string) => {
    const url = `${resolver}/xrpc/com.atproto.identity.resolveHandle`
    return call({
      method: "GET",
      url,
      query: { handle },
      maxAnswerBytes: shortAnswer,
      answer: ResolvedHandle,
      refuse: refuseAs(notFound(handle))
    }).pipe(
      Effect.mapError(unanswered(url)),
      Effect.map(({ did }) => did)
    )
  }

  /** The handle's own host is asked first (`/.well-known/atproto-did`), then the resolver. */
  const didOf = (handle: string) =>
    call({
      method: "GET",
      url: `https://${handle}/.well-known/atproto-did`,
      format: "text",
      timeout: "10 seconds",
      maxAnswerBytes: shortAnswer,
      answer: Did,
      refuse: refuseAs(notFound(handle))
    }).pipe(Effect.catch(() => asked(options.handle_resolver, handle)))

  /** The names of a private network are known in it alone. */
  const handleOf = Effect.fnUntraced(function* ({ did, handles: [handle], service }: Found) {
    if (handle === undefined || !isHandle(handle)) return invalidHandle
    const named = yield* (isPublicUrl(service) ? didOf(handle) : asked(service, handle)).pipe(
      Effect.catchIf(
        (failure) => failure.class === "invalid",
        () => Effect.void
      )
    )
    return named === did ? handle : invalidHandle
  })

  return {
    /** The account of a handle or a DID. A handle counts only if the document names it too. */
    find: Effect.fn("Bluesky.findIdentity")(function* (identifier: string) {
      const unknown = notFound(identifier)
      if (identifier.startsWith("did:")) {
        const found = yield* documentOf(identifier, unknown)
        return { ...found, handle: yield* handleOf(found) } satisfies Identity
      }
      const found = yield* documentOf(yield* didOf(identifier), unknown)
      if (!found.handles.includes(identifier)) return yield* new PublishError(unknown)
      return { ...found, handle: identifier } satisfies Identity
    }),

    /** The account that a server has signed in, if its document names the server; null: whatever server it names. */
    signedIn: Effect.fn("Bluesky.signedIn")(function* (did: string, server: string | null) {
      const found = yield* documentOf(did, elsewhere(did, server))
      if (server !== null && originOf(found.service, options) !== originOf(server, options))
        return yield* new PublishError(elsewhere(did, server, found.service))
      const handle = yield* handleOf(found)
      return { did, handle, service: server ?? found.service } satisfies Identity
    }),

    serverOf: (did: string) => Effect.map(documentOf(did, notFound(did)), ({ service }) => service)
  }
}

interface Found {
  readonly did: string
  readonly service: string
  readonly handles: ReadonlyArray<string>
}

const documentUrl = (did: string, { plc_directory }: IdentityOptions): string | undefined => {
  if (did.startsWith("did:plc:")) return `${plc_directory}/${did}`
  const host = /^did:web:([a-z0-9.-]+)(?:%3A(\d{1,5}))?$/i.exec(did)
  if (host === null) return undefined
  return `https://${host[1]}${host[2] === undefined ? "" : `:${host[2]}`}/.well-known/did.json`
}

/** The server's origin in a DID document; undefined without a usable one. */
const serviceOf = (document: DidDocument, options: IdentityOptions): string | undefined => {
  const entry = document.service?.find(
    ({ id }) => id === "#atproto_pds" || id === `${document.id}#atproto_pds`
  )
  return typeof entry?.serviceEndpoint === "string"
    ? serviceOrigin(entry.serviceEndpoint, options)
    : undefined
}

export const serviceOrigin = (address: string, { allow_http }: IdentityOptions): string | undefined => {
  const url = URL.parse(address)
  return url !== null && (url.protocol === "https:" || (allow_http && url.protocol === "http:"))
    ? url.origin
    : undefined
}

/** As a person would name it: the test network is at one address, whichever of its hosts is meant. */
const originOf = (service: string, { test_network }: IdentityOptions) =>
  new URL(isTestServer(service) ? calledAt(service, test_network) : service).origin

const notFound = (identifier: string): Refused => ({
  class: "invalid",
  code: "account_not_found",
  message:
    `Carillon found no account with a reachable server for "${identifier}". Check the spelling, or set "service" ` +
    "to the https address of the account's server."
})

const elsewhere = (did: string, server: string | null, named?: string): Refused => ({
  class: "invalid",
  code: "account_elsewhere",
  message:
    `${server ?? "The server"} signed in the account ${did}, ` +
    (named === undefined
      ? "whose DID document does not exist or names no server. Nothing was connected. Check the server's address."
      : `but its DID document names ${named} as its server. Nothing was connected. Set "service" to that address, or leave it out.`)
})

const refuseAs =
  (unknown: Refused) =>
  ({ status }: Refusal): Refused =>
    status === 400 || status === 404 || status === 410 ? unknown : refusedByStatus("Bluesky", status)

/** Whoever does not answer now may do so later. Until then nothing is taken on trust. */
const unanswered = (url: string) => (failure: PublishError) =>
  failure.class === "transient" || failure.class === "rate_limited"
    ? new PublishError({
        ...failure,
        code: "identity_unavailable",
        message: `${new URL(url).origin}, which says where the account is, did not answer: ${failure.message} Nothing was changed. Try again later.`
      })
    : failure
