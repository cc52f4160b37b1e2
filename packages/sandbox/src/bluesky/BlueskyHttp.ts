/**
 * Bluesky at the wire (https://docs.bsky.app/docs/category/http-reference, https://atproto.com/specs), with the host as the first part of the path. Below
 * `/bsky.sandbox/xrpc`, and below `/xrpc` for those who name the test network's own address as their server, is the server of the
 * accounts, a PDS. The handle of the account `{name}` is `{name}.bsky.sandbox`, its DID `did:web:{handle}`, and any four groups of four
 * letters and digits with hyphens between them are an app password of it.
 *
 * `GET /{handle}/.well-known/atproto-did`: the DID · `…/did.json`: its document · `com.atproto.identity.resolveHandle` ·
 * `com.atproto.server.createSession`, `refreshSession`, `deleteSession`, `describeServer`, `getServiceAuth` ·
 * `com.atproto.repo.uploadBlob` · `com.atproto.repo.applyWrites`, which creates posts and their gates, all or none: 500 where a key
 * is taken, 400 where an answer does not name a post by its address and CID · `com.atproto.repo.createRecord`, the same for one
 * record · `com.atproto.repo.getRecord`: posts, and the profile · `com.atproto.sync.getBlob`: the picture of the profile.
 *
 * A session has the account's DID document, by which a client finds the server: with the address that was called, where that was the
 * test network's own.
 *
 * Errors: `{ error, message }`; 429 with `RateLimit-Reset`, in seconds since 1970.
 */
import { ByteSize, Clock, Effect, Result, Schema } from "effect"
import { HttpIncomingMessage, HttpRouter, HttpServerRequest, HttpServerResponse } from "effect/http"
import { avatarPng, displayName } from "../Avatar.ts"
import { type Dialect, Exchange, Granted, type Seen } from "../Exchange.ts"
import type { Fault } from "../Faults.ts"
import type { Publication } from "../Ledger.ts"
import { MediaStore } from "../MediaStore.ts"
import { Tokens } from "../oauth/Tokens.ts"
import { sha256 } from "../Redaction.ts"
import { blobOf, Bluesky, didOf, didOfHost, handleOf, nameOf, server } from "./Bluesky.ts"
import { cidOf, readRecord, readWrites } from "./Records.ts"
import { invalid, repositories, type Written } from "./Repositories.ts"
import { refused, sessions } from "./Sessions.ts"

export const blueskyDialect: Dialect = {
  platform: "bluesky",
  errorBody: (error, message) => ({ error, message }),
  words: {
    forbidden: { status: 401, code: "AccountTakedown" },
    unauthorized: { status: 400, code: "ExpiredToken" },
    rate_limited: { status: 429, code: "RateLimitExceeded" },
    server_error: { status: 502, code: "UpstreamFailure" }
  },
  // https://docs.bsky.app/docs/advanced-guides/rate-limits
  comeBack: (seconds) => ({
    "ratelimit-limit": "3000",
    "ratelimit-remaining": "0",
    "ratelimit-reset": String(Math.floor(Date.now() / 1000) + seconds),
    "ratelimit-policy": "3000;w=300"
  })
}

/** Bytes. A server that is set up by the PDS's installer takes as much. */
export const largestBlob = 104_857_600
/** Seconds that a token for another service is good for: as long as asked, within an hour. */
const serviceToken = { usual: 60, longest: 3600 }
const feedPost = "app.bsky.feed.post"

const decodeSignIn = Schema.decodeUnknownOption(
  Schema.fromJsonString(Schema.Struct({ identifier: Schema.String, password: Schema.String }))
)

export const BlueskyHttpLayer = HttpRouter.addAll(
  Effect.gen(function* () {
    const bluesky = yield* Bluesky
    const store = yield* MediaStore
    const exchange = yield* Exchange
    const { published, write } = yield* repositories
    const { authorized, begin, forService, refreshing } = sessions(yield* Tokens)

    const didDocument = (name: string, serviceEndpoint = `https://${server}`) => ({
      "@context": ["https://www.w3.org/ns/did/v1"],
      id: didOf(name),
      alsoKnownAs: [`at://${handleOf(name)}`],
      service: [{ id: "#atproto_pds", type: "AtprotoPersonalDataServer", serviceEndpoint }]
    })

    const session = (name: string, request: HttpServerRequest.HttpServerRequest, fault: Fault | undefined) =>
      Effect.map(begin(name, fault?.fault === "short_lived" ? fault.seconds : undefined), (tokens) => ({
        did: didOf(name),
        didDoc: didDocument(name, reachedAt(request)),
        handle: handleOf(name),
        emailConfirmed: true,
        active: true,
        ...tokens
      }))

    const open = exchange.endpoints({ dialect: blueskyDialect })
    const endpoint = exchange.endpoints({ dialect: blueskyDialect, caller: authorized })
    const refresh = exchange.endpoints({ dialect: blueskyDialect, caller: refreshing })

    const recordIn = (name: string, collection: string, rkey: string) => {
      if (collection === feedPost)
        return recordOf(bluesky.post(name, `at://${didOf(name)}/${feedPost}/${rkey}`))
      return collection === "app.bsky.actor.profile" && rkey === "self" ? profileOf(name) : undefined
    }

    /** The picture of the profile. */
    const getBlob = Effect.gen(function* () {
      const { cid, did = "" } = yield* HttpServerRequest.ParsedSearchParams
      const name = nameOf(String(did))
      return name === undefined || avatarOf(name).ref.$link !== cid
        ? HttpServerResponse.jsonUnsafe({ error: "BlobNotFound", message: "Blob not found" }, { status: 400 })
        : HttpServerResponse.uint8Array(avatarPng(name), { contentType: "image/png" })
    })

    const ofHandle = (answer: (name: string) => HttpServerResponse.HttpServerResponse) =>
      Effect.map(HttpRouter.params, ({ handle = "" }) => {
        const name = nameOf(handle)
        return name === undefined ? HttpServerResponse.text("Not found", { status: 404 }) : answer(name)
      })

    /** The page behind a link: the post in the feed. */
    const page = Effect.gen(function* () {
      const { actor = "", rkey = "" } = yield* HttpRouter.params
      const publication = published(`at://${didOf(nameOf(actor) ?? "")}/${feedPost}/${rkey}`)
      return publication === undefined
        ? HttpServerResponse.text("Not found", { status: 404 })
        : HttpServerResponse.redirect(`/posts/${publication.id}`)
    })

    const wrote = (
      { account, seen }: { readonly account: string; readonly seen: Seen },
      asked: ReturnType<typeof readWrites>,
      answer: (written: Written) => Schema.Json
    ) =>
      Effect.gen(function* () {
        if (Result.isFailure(asked)) return yield* invalid(asked.failure)
        const written = yield* write(account, asked.success, seen)
        return new Granted({ body: answer(written), publication: written.publication })
      })

    const methods = (["/xrpc", `/${server}/xrpc`] as const).flatMap((base) => [
      open("POST", `${base}/com.atproto.server.createSession`, {
        operation: "session",
        read: ({ request, seen }) =>
          Effect.gen(function* () {
            const { identifier, password } = yield* Effect.mapError(
              Effect.fromOption(decodeSignIn(yield* request.text)),
              () => refused(400, "InvalidRequest", "Input must have the properties identifier and password")
            )
            const name = nameOf(identifier)
            if (name === undefined || !/^[a-z\d]{4}(-[a-z\d]{4}){3}$/.test(password))
              return yield* refused(401, "AuthenticationRequired", "Invalid identifier or password")
            seen.account = name
            return name
          }),
        answer: ({ fault, request }, name) => session(name, request, fault)
      }),
      refresh("POST", `${base}/com.atproto.server.refreshSession`, {
        operation: "session",
        answer: ({ account, fault, request }) => session(account, request, fault)
      }),
      refresh("POST", `${base}/com.atproto.server.deleteSession`, {
        operation: "revoke",
        answer: ({ expireToken }) => {
          expireToken()
          return new Granted({})
        }
      }),
      open("GET", `${base}/com.atproto.server.describeServer`, {
        operation: null,
        answer: () => ({
          did: didOfHost(server),
          availableUserDomains: [`.${server}`],
          inviteCodeRequired: false,
          blobUploadLimit: largestBlob
        })
      }),
      endpoint("GET", `${base}/com.atproto.server.getServiceAuth`, {
        operation: "upload_start",
        answer: ({ account, query }) =>
          Effect.gen(function* () {
            const [aud = "", exp, lxm = ""] = ["aud", "exp", "lxm"].map(
              (name) => query.get(name) ?? undefined
            )
            const now = Math.floor((yield* Clock.currentTimeMillis) / 1000)
            const seconds = exp === undefined ? serviceToken.usual : Number(exp) - now
            if (!(seconds > 0 && seconds <= serviceToken.longest))
              return yield* refused(400, "BadExpiration", "The token can last for an hour at most")
            return { token: yield* forService(account, aud, lxm, seconds) }
          })
      }),
      open("GET", `${base}/com.atproto.identity.resolveHandle`, {
        operation: null,
        answer: ({ query }) => {
          const name = nameOf(query.get("handle") ?? "")
          return name === undefined
            ? refused(400, "InvalidRequest", "Unable to resolve handle")
            : { did: didOf(name) }
        }
      }),
      endpoint("POST", `${base}/com.atproto.repo.uploadBlob`, {
        operation: "media",
        read: ({ request }) =>
          Number(request.headers["content-length"] ?? 0) > largestBlob
            ? refused(413, "PayloadTooLarge", "request entity too large")
            : store
                .receive(request.headers["content-type"] ?? "*/*", request.stream)
                .pipe(Effect.provideService(HttpIncomingMessage.MaxBodySize, ByteSize.bytes(largestBlob))),
        answer: ({ account }, received) =>
          Effect.map(received.keep, (media) => {
            bluesky.upload(account, media)
            return { blob: blobOf(media) }
          })
      }),
      endpoint("POST", `${base}/com.atproto.repo.applyWrites`, {
        operation: "post",
        read: ({ request }) => Effect.map(request.text, readWrites),
        answer: (call, asked) =>
          wrote(call, asked, ({ commit, results }) => ({
            commit,
            results: results.map((result) => ({
              $type: "com.atproto.repo.applyWrites#createResult",
              ...result
            }))
          }))
      }),
      endpoint("POST", `${base}/com.atproto.repo.createRecord`, {
        operation: "post",
        read: ({ request }) => Effect.map(request.text, readRecord),
        answer: (call, asked) =>
          wrote(call, asked, ({ commit, results: [result] }) => ({ ...result!, commit }))
      }),
      open("GET", `${base}/com.atproto.repo.getRecord`, {
        operation: "account",
        read: ({ query, seen }) =>
          Effect.sync(() => {
            const name = nameOf(query.get("repo") ?? "")
            seen.account = name ?? null
            if (query.get("collection") === feedPost) seen.operation = "post_status"
            return name
          }),
        answer: ({ query }, name) => {
          const [collection, rkey] = [query.get("collection") ?? "", query.get("rkey") ?? ""]
          const found = name === undefined ? undefined : recordIn(name, collection, rkey)
          return name === undefined || found === undefined
            ? refused(400, "RecordNotFound", `Could not locate record: ${collection}/${rkey}`)
            : { uri: `at://${didOf(name)}/${collection}/${rkey}`, cid: cidOf(found), value: found }
        }
      }),
      HttpRouter.route("GET", `${base}/com.atproto.sync.getBlob`, getBlob)
    ])
    return [
      ...methods,
      HttpRouter.route(
        "GET",
        "/:handle/.well-known/atproto-did",
        ofHandle((name) => HttpServerResponse.text(didOf(name)))
      ),
      HttpRouter.route(
        "GET",
        "/:handle/.well-known/did.json",
        ofHandle((name) => HttpServerResponse.jsonUnsafe(didDocument(name)))
      ),
      HttpRouter.route("GET", "/bsky.app/profile/:actor/post/:rkey", page)
    ]
  })
)

/** Clients go on at the address in the document of a session. Who came by the test network's own address can reach no other. */
const reachedAt = ({ headers, url }: HttpServerRequest.HttpServerRequest) =>
  url.startsWith("/xrpc/") ? `http://${headers["host"]}` : undefined

const recordOf = (publication: Publication | undefined) => {
  if (publication === undefined) return undefined
  const { cid: _, postgate: __, threadgate: ___, uri: ____, ...record } = publication.details ?? {}
  return { $type: feedPost, text: publication.text, ...record }
}

const avatarOf = (name: string) => {
  const png = avatarPng(name)
  return blobOf({ content_type: "image/png", sha256: sha256(png), size: png.length })
}

const profileOf = (name: string) => ({
  $type: "app.bsky.actor.profile",
  displayName: displayName(name),
  avatar: avatarOf(name)
})
