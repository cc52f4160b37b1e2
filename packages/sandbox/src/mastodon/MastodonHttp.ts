/**
 * Servers that speak Mastodon's API (https://docs.joinmastodon.org), with the host as the first part of the path:
 * `mastodon.sandbox` honours `Idempotency-Key` for an hour; `gotosocial.sandbox`, `snac.sandbox`, `pleroma.sandbox` and
 * `terse.sandbox` ignore it.
 * `MastodonServers.ts` says how else they differ. The token of the account `{name}` is `{name}.sandbox`; `MastodonAuthorization.ts`
 * gives others on a consent page.
 *
 * `GET /api/v2/instance` · `GET /api/v1/instance` · `GET /api/v1/accounts/verify_credentials` · `POST /api/v2/media`: 200, or 202
 * while it works on the file; 422 for a focus out of range and a thumbnail that is no image · `GET /api/v1/media/{id}`: 200, 206
 * or 422 · `POST /api/v1/statuses`, JSON or a form: 404 where what it answers is not there · `GET /api/v1/statuses/{id}` · `GET /api/v2/search?q&resolve`, which finds the page of a post by the number at its end, on every
 * server; `GET /api/v1/accounts/{id}/statuses?limit&max_id` · `GET /api/v1/timelines/home?limit&max_id`.
 *
 * Errors: `{ error }`; 429 with `X-RateLimit-Reset`, an ISO time.
 */
import { ByteSize, Clock, Effect, Option, Result, Stream } from "effect"
import { HttpIncomingMessage, HttpRouter, HttpServerRequest, HttpServerResponse } from "effect/http"
import { type Dialect, Exchange, Refused, type Seen } from "../Exchange.ts"
import { isoTime, Ledger } from "../Ledger.ts"
import { MediaStore, type ReceivedMedia } from "../MediaStore.ts"
import { NodeServer } from "../NodeServer.ts"
import { authorizationRoutes } from "../oauth/AuthorizationServer.ts"
import { authorization, bearerOf, type NeededScopes } from "../oauth/Bearer.ts"
import { Tokens } from "../oauth/Tokens.ts"
import { parametersOf } from "../Parameters.ts"
import { accountId, Mastodon, type Upload } from "./Mastodon.ts"
import { mastodonLogin, metadataOf, registration } from "./MastodonAuthorization.ts"
import { isFocus, lengthOf, readDraft, shownWith } from "./MastodonDraft.ts"
import { entitiesOf, foreign } from "./MastodonEntities.ts"
import { type MastodonServer, mastodonServers } from "./MastodonServers.ts"

type Request = HttpServerRequest.HttpServerRequest

const largestRequest = ByteSize.mebibytes(120)

const dialectOf = ({ unauthorized: { hasBody, status } }: MastodonServer): Dialect => ({
  platform: "mastodon",
  errorBody: (_code, message, answered) => (hasBody || answered !== status ? { error: message } : ""),
  ...(hasBody ? {} : { errorType: "text/html" }),
  words: { unauthorized: { status, code: "unauthorized" } },
  comeBack: (seconds) => ({
    "x-ratelimit-limit": "300",
    "x-ratelimit-remaining": "0",
    "x-ratelimit-reset": isoTime(Date.now() + seconds * 1000)
  })
})

const refused = (status: number, message: string) =>
  new Refused({ status, code: String(status), message, body: { error: message } })

export const MastodonHttpLayer = HttpRouter.addAll(
  Effect.gen(function* () {
    const mastodon = yield* Mastodon
    const ledger = yield* Ledger
    const store = yield* MediaStore
    const exchange = yield* Exchange
    const { url } = yield* NodeServer
    const tokens = yield* Tokens

    const routesOf = Effect.fnUntraced(function* (server: MastodonServer) {
      const dialect = dialectOf(server)
      const base = `/${server.host}` as const

      const invalid = () => {
        const message = "The access token is invalid"
        return new Refused({
          status: server.unauthorized.status,
          code: "unauthorized",
          message,
          body: dialect.errorBody("unauthorized", message, server.unauthorized.status),
          ...(dialect.errorType === undefined ? {} : { headers: { "content-type": dialect.errorType } })
        })
      }
      const login = mastodonLogin(server, mastodon)
      const granted = authorization(
        {
          platform: "mastodon",
          invalid,
          outOfScope: () => refused(403, "This action is outside the authorized scopes"),
          ...(login.owns === undefined ? {} : { owns: login.owns })
        },
        tokens
      )

      const authorized = (
        request: Request,
        seen: Seen,
        operation: NonNullable<Seen["operation"]>,
        needs: NeededScopes
      ) => {
        const token = bearerOf(request)
        const name = /^([\w-]{1,60})\.sandbox$/.exec(token ?? "")?.[1]
        if (name === undefined)
          return Effect.map(granted(seen, operation, token, needs), ({ account }) => account)
        seen.operation = operation
        seen.account = name
        return Effect.succeed(name)
      }

      const entities = entitiesOf(server, url, ledger, mastodon, store)
      const { approvalOf, attachment, seenBy, status, visible } = entities

      const instance = (version: 1 | 2) =>
        exchange.answer(dialect, () =>
          Effect.succeed({
            effect: () =>
              version === 2 && !server.hasV2Instance
                ? refused(404, "Record not found")
                : Effect.succeed({ status: 200, body: entities.instance(version) })
          })
        )

      const verify = exchange.answer(
        dialect,
        Effect.fnUntraced(function* (request, seen) {
          const name = yield* authorized(request, seen, "account", [["profile", "read", "read:accounts"]])
          return { effect: () => Effect.succeed({ status: 200, body: entities.credentials(name) }) }
        })
      )

      const upload = exchange.answer(
        dialect,
        Effect.fnUntraced(function* (request, seen) {
          const name = yield* authorized(request, seen, "media", [["write", "write:media"]])
          let received: ReceivedMedia | undefined
          let thumbnail: ReceivedMedia | undefined
          let thumbnailType = ""
          let description: string | null = null
          let focus: string | undefined
          let filename = ""
          yield* Stream.runForEach(
            request.multipartStream,
            Effect.fnUntraced(function* (part) {
              if (part._tag === "Field") {
                if (part.key === "description") description = part.value
                if (part.key === "focus") focus = part.value
              } else if (part.key === "file") {
                filename = part.name
                received = yield* store.receive(part.contentType, part.content)
              } else if (part.key === "thumbnail") {
                thumbnailType = part.contentType
                thumbnail = yield* store.receive(part.contentType, part.content)
              }
            })
          ).pipe(
            Effect.provideService(HttpIncomingMessage.MaxBodySize, largestRequest),
            Effect.catchTag("MultipartError", () => refused(422, "Validation failed: File can't be blank"))
          )
          return {
            effect: Effect.fnUntraced(function* (fault) {
              if (received === undefined) return yield* refused(422, "Validation failed: File can't be blank")
              if (received.size > 103_809_024) return yield* refused(413, "Payload Too Large")
              if (focus !== undefined && !isFocus(focus))
                return yield* refused(422, "Validation failed: Focus is not two numbers from -1.0 to 1.0")
              if (thumbnail !== undefined) {
                if (!thumbnailType.startsWith("image/"))
                  return yield* refused(422, "Validation failed: Thumbnail content type is invalid")
                if (thumbnail.size > 16_777_216)
                  return yield* refused(422, "Validation failed: Thumbnail file size must be less than 16 MB")
              }
              const work = fault?.fault === "processing" ? fault : undefined
              const { id } = yield* received.keep
              const made: Upload = {
                id,
                account: name,
                alt_text: description,
                filename,
                ...(focus === undefined ? {} : { focus }),
                ...(thumbnail === undefined ? {} : { thumbnail: yield* thumbnail.keep }),
                polls: work?.polls ?? 0,
                becomes: work?.becomes ?? "ready"
              }
              mastodon.upload(made)
              return { status: work === undefined ? 200 : 202, body: attachment(made) }
            })
          }
        })
      )

      const look = exchange.answer(
        dialect,
        Effect.fnUntraced(function* (request, seen) {
          const name = yield* authorized(request, seen, "media_status", [["write", "write:media"]])
          const { id = "" } = yield* HttpRouter.params
          return {
            effect: Effect.fnUntraced(function* () {
              const found = mastodon.find(name, id)
              if (found === undefined || !server.hasMediaStatus)
                return yield* refused(404, "Record not found")
              if (found.polls > 0) {
                mastodon.look(id)
                return { status: 206, body: attachment(found) }
              }
              return found.becomes === "failed"
                ? yield* refused(422, "Error processing thumbnail for uploaded media")
                : { status: 200, body: attachment(found) }
            })
          }
        })
      )

      const create = exchange.answer(
        dialect,
        Effect.fnUntraced(function* (request, seen) {
          const name = yield* authorized(request, seen, "post", [["write", "write:statuses"]])
          const key = request.headers["idempotency-key"] ?? null
          seen.idempotency_key = key
          const read = readDraft(yield* parametersOf(request))
          return {
            effect: Effect.fnUntraced(function* () {
              const now = yield* Clock.currentTimeMillis
              if (Result.isFailure(read)) return yield* refused(422, `Validation failed: ${read.failure}`)
              const draft = read.success
              const { media_ids = [], status: text = "", ...told } = draft
              const earlier =
                key === null || !server.honoursKey ? undefined : mastodon.withKey(name, key, now)
              if (earlier !== undefined)
                return { status: 200, body: status(earlier), publication: earlier.id }
              if (text.trim() === "" && media_ids.length === 0)
                return yield* refused(422, "Validation failed: Text can't be blank")
              if (lengthOf(`${draft.spoiler_text ?? ""}${text}`, server) > server.characters)
                return yield* refused(
                  422,
                  `Validation failed: Text character limit of ${server.characters} exceeded`
                )
              const { options: choices = [] } = draft.poll ?? {}
              if (choices.length > (server.more?.choices ?? 4))
                return yield* refused(422, "Validation failed: Poll options can't contain more items")
              if (new Set(choices.map((choice) => choice.trim())).size < choices.length)
                return yield* refused(422, "Validation failed: Poll options contain duplicate items")
              if (media_ids.length > 0 && draft.poll !== undefined)
                return yield* refused(422, "Validation failed: Cannot attach both media and a poll")
              if (
                draft.in_reply_to_id !== undefined &&
                ledger.find("mastodon", draft.in_reply_to_id) === undefined
              )
                return yield* refused(404, "Record not found")
              if (media_ids.length > server.media)
                return yield* refused(422, "Validation failed: Cannot attach more files")
              const quoted = draft.quoted_status_id?.replace(foreign, "")
              if (
                quoted !== undefined &&
                Option.match(visible(quoted), {
                  onNone: () => true,
                  onSome: (found) => approvalOf(name, found) === "denied"
                })
              )
                return yield* refused(422, "The post you are trying to quote does not appear to exist.")
              const uploads: Array<Upload> = []
              for (const id of media_ids) {
                const found = mastodon.find(name, id)
                if (found === undefined || store.find(id) === undefined)
                  return yield* refused(404, "Record not found")
                if (found.polls > 0)
                  return yield* refused(
                    422,
                    "Cannot attach files that have not finished processing. Try again in a moment!"
                  )
                const { refusesAttached } = server
                if (
                  refusesAttached !== undefined &&
                  mastodon.statuses(name).some(({ media }) => media.some((item) => item.id === id))
                )
                  return yield* refused(refusesAttached.status, refusesAttached.words(id))
                uploads.push(server.keepsByName ? mastodon.newestNamed(name, found.filename) : found)
              }
              const publication = ledger.publish(
                {
                  platform: "mastodon",
                  account: name,
                  title: null,
                  text,
                  media: uploads.map(({ alt_text, id }) => ({ ...store.find(id)!, alt_text })),
                  idempotency_key: key,
                  client_reference: null,
                  received_at: seen.received_at,
                  published_at: isoTime(now),
                  details: {
                    ...JSON.parse(JSON.stringify({ ...told, poll: server.hasPolls ? told.poll : undefined })),
                    ...shownWith(uploads),
                    server: server.host
                  }
                },
                seen.id
              )
              return { status: 200, body: status(publication), publication: publication.id }
            })
          }
        })
      )

      const one = exchange.answer(
        dialect,
        Effect.fnUntraced(function* (request, seen) {
          const name = yield* authorized(request, seen, "post_status", [["read", "read:statuses"]])
          const { id = "" } = yield* HttpRouter.params
          return {
            effect: () =>
              Option.match(visible(id), {
                onNone: () => refused(404, "Record not found"),
                onSome: (found) => Effect.succeed({ status: 200, body: seenBy(name, found) })
              })
          }
        })
      )

      const search = exchange.answer(
        dialect,
        Effect.fnUntraced(function* (request, seen) {
          const name = yield* authorized(request, seen, "post_status", [["read", "read:search"]])
          const { q = "", resolve } = yield* HttpServerRequest.ParsedSearchParams
          const quoting = server.searchesTexts
            ? mastodon.statuses(name).filter(({ text }) => text.includes(String(q)))
            : []
          const found = resolve === "true" ? visible(/\d+$/.exec(String(q))?.[0] ?? "", name) : Option.none()
          return {
            effect: () =>
              Effect.succeed({
                status: 200,
                body: {
                  accounts: [],
                  hashtags: [],
                  statuses: [...quoting, ...Option.toArray(found)].map((one) => seenBy(name, one))
                }
              })
          }
        })
      )

      const list = (timeline: "account" | "home") =>
        exchange.answer(
          dialect,
          Effect.fnUntraced(function* (request, seen) {
            const name = yield* authorized(request, seen, "post_search", [["read", "read:statuses"]])
            const { id } = yield* HttpRouter.params
            const { limit = "20", max_id } = yield* HttpServerRequest.ParsedSearchParams
            return {
              effect: () =>
                timeline === "home" || id === accountId(name)
                  ? Effect.succeed({
                      status: 200,
                      body: mastodon
                        .statuses(name)
                        .filter(
                          ({ details = {} }) =>
                            timeline === "home" ||
                            !server.listsPublicAlone ||
                            (details["visibility"] ?? "public") === "public"
                        )
                        .filter(({ id }) => !max_id || BigInt(id) < BigInt(String(max_id)))
                        .slice(0, Math.min(Number(limit), 40))
                        .map((one) => status(one))
                    })
                  : refused(404, "Record not found")
            }
          })
        )

      /** The page behind a link: the status in the feed. */
      const page = Effect.gen(function* () {
        const { status: last = "" } = yield* HttpRouter.params
        const id = last.split(".").at(-1)!
        return ledger.find("mastodon", id) === undefined
          ? HttpServerResponse.text("Not found", { status: 404 })
          : HttpServerResponse.redirect(`/posts/${id}`)
      })

      const metadata = exchange.answer(dialect, () =>
        Effect.succeed({
          effect: () =>
            server.api === undefined
              ? refused(404, "Record not found")
              : Effect.succeed({ status: 200, body: metadataOf(server, `${url()}${base}`) })
        })
      )

      return [
        ...(yield* authorizationRoutes(login)),
        HttpRouter.route("GET", `${base}/.well-known/oauth-authorization-server`, metadata, whole),
        HttpRouter.route("POST", `${base}/api/v1/apps`, yield* registration(server, mastodon), whole),
        HttpRouter.route("GET", `${base}/api/v2/instance`, instance(2), whole),
        HttpRouter.route("GET", `${base}/api/v1/instance`, instance(1), whole),
        HttpRouter.route("GET", `${base}/api/v1/accounts/verify_credentials`, verify, whole),
        HttpRouter.route("GET", `${base}/api/v1/accounts/:id/statuses`, list("account"), whole),
        HttpRouter.route("GET", `${base}/api/v1/timelines/home`, list("home"), whole),
        HttpRouter.route("POST", `${base}/api/v2/media`, upload, whole),
        HttpRouter.route("GET", `${base}/api/v1/media/:id`, look, whole),
        HttpRouter.route("POST", `${base}/api/v1/statuses`, create, whole),
        HttpRouter.route("GET", `${base}/api/v1/statuses/:id`, one, whole),
        HttpRouter.route("GET", `${base}/api/v2/search`, search, whole),
        HttpRouter.route("GET", `${base}/:name/:status`, page),
        HttpRouter.route("GET", `${base}/:name/p/:status`, page)
      ]
    })

    return (yield* Effect.forEach(mastodonServers, routesOf)).flat()
  })
)

const whole = { uninterruptible: true }
