import { Effect, Schema } from "effect"
import { PublishError } from "../Platform.ts"
import {
  type PlatformHttp,
  type Refusal,
  type Refused,
  refusedByStatus,
  shortAnswer
} from "../PlatformHttp.ts"

export interface IdentityOptions {
  /** The directory of `did:plc` documents. */
  readonly plc_directory: string
  /** The resolver for a handle whose own host does not answer, e.g. because the handle is in DNS. */
  readonly handle_resolver: string
  /** Allows servers without TLS: for development. */
  readonly allow_http: boolean
}

export interface Identity {
  readonly did: string
  /** The origin of the account's server, without a trailing slash. */
  readonly service: string
}

export const DidDocument = Schema.Struct({
  id: Schema.String,
  alsoKnownAs: Schema.optionalKey(Schema.Array(Schema.String)),
  service: Schema.optionalKey(
    Schema.Array(Schema.Struct({ id: Schema.String, type: Schema.String, serviceEndpoint: Schema.Json }))
  )
})
export type DidDocument = typeof DidDocument.Type

const Did = Schema.String.check(Schema.isPattern(/^did:(plc|web):[A-Za-z0-9._:%-]{1,250}$/))
const ResolvedHandle = Schema.Struct({ did: Did })

/**
 * Finds the server of an account (atproto.com/specs/handle and /specs/did): handle → DID → DID document →
 * `#atproto_pds`. The handle's own host is asked first (`/.well-known/atproto-did`), then the resolver. A handle
 * counts only if the document names it too.
 */
export const resolveIdentity = (call: PlatformHttp, options: IdentityOptions) =>
  Effect.fn("Bluesky.resolveIdentity")(function* (identifier: string) {
    const isDid = identifier.startsWith("did:")
    const did = isDid ? identifier : yield* didOf(call, options, identifier)
    const url = documentUrl(did, options)
    if (url === undefined) return yield* notFound(identifier)
    const document = yield* call({
      method: "GET",
      url,
      maxAnswerBytes: shortAnswer,
      answer: DidDocument,
      refuse: refuseAs(identifier)
    })
    const names = document.alsoKnownAs?.map((name) => name.toLowerCase()) ?? []
    if (document.id !== did || !(isDid || names.includes(`at://${identifier}`)))
      return yield* notFound(identifier)
    const service = serviceOf(document, options)
    if (service === undefined) return yield* notFound(identifier)
    return { did, service } satisfies Identity
  })

const didOf = (call: PlatformHttp, options: IdentityOptions, handle: string) =>
  call({
    method: "GET",
    url: `https://${handle}/.well-known/atproto-did`,
    format: "text",
    timeout: "10 seconds",
    maxAnswerBytes: shortAnswer,
    answer: Did,
    refuse: refuseAs(handle)
  }).pipe(
    Effect.catch(() =>
      call({
        method: "GET",
        url: `${options.handle_resolver}/xrpc/com.atproto.identity.resolveHandle`,
        query: { handle },
        maxAnswerBytes: shortAnswer,
        answer: ResolvedHandle,
        refuse: refuseAs(handle)
      }).pipe(Effect.map(({ did }) => did))
    )
  )

const documentUrl = (did: string, { plc_directory }: IdentityOptions): string | undefined => {
  if (did.startsWith("did:plc:")) return `${plc_directory}/${did}`
  const host = /^did:web:([a-z0-9.-]+)(?:%3A(\d{1,5}))?$/i.exec(did)
  if (host === null) return undefined
  return `https://${host[1]}${host[2] === undefined ? "" : `:${host[2]}`}/.well-known/did.json`
}

/** The server's origin in a DID document; undefined without a usable one. */
export const serviceOf = (document: DidDocument, options: IdentityOptions): string | undefined => {
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

const notFound = (identifier: string) => new PublishError(unresolved(identifier))

const unresolved = (identifier: string): Refused => ({
  class: "invalid",
  code: "account_not_found",
  message:
    `Carillon found no account with a reachable server for "${identifier}". Check the spelling, or set "service" ` +
    "to the https address of the account's server."
})

const refuseAs =
  (identifier: string) =>
  ({ status }: Refusal): Refused =>
    status === 400 || status === 404 || status === 410
      ? unresolved(identifier)
      : refusedByStatus("Bluesky", status)
