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
import { ByteSize, Clock, Effect, Option, Result } from "effect"
import { HttpRouter, HttpServerResponse } from "effect/http"
import { type Dialect, Exchange, Granted, Refused } from "../Exchange.ts"
import { isoTime, Ledger, type Publication } from "../Ledger.ts"
import { MediaStore } from "../MediaStore.ts"
import { NodeServer } from "../NodeServer.ts"
import { authorizationRoutes } from "../oauth/AuthorizationServer.ts"
import { authorization, bearerOf, type NeededScopes } from "../oauth/Bearer.ts"
import { Tokens } from "../oauth/Tokens.ts"
import { parametersOf } from "../Parameters.ts"
import { receivedForm } from "../ReceivedForm.ts"
import { accountId, Mastodon, type Upload } from "./Mastodon.ts"
import { mastodonLogin, metadataOf, registration } from "./MastodonAuthorization.ts"
import { isFocus, lengthOf, readDraft, shownWith } from "./MastodonDraft.ts"
import { entitiesOf, foreign } from "./MastodonEntities.ts"
import { type MastodonServer, mastodonServers } from "./MastodonServers.ts"

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

      const open = exchange.endpoints({ dialect })
      const endpoint = exchange.endpoints({
        dialect,
        caller: (arrived, needs: { readonly scopes: NeededScopes }) =>
          Effect.gen(function* () {
            const name = /^([\w-]{1,60})\.sandbox$/.exec(bearerOf(arrived.request) ?? "")?.[1]
            const account = name ?? (yield* granted(arrived, needs)).account
            arrived.seen.account = account
            // Mastodon's tokens never end, not by script either.
            return { account, expireToken: () => undefined }
          })
      })

      const entities = entitiesOf(server, url, ledger, mastodon, store)
      const { approvalOf, attachment, seenBy, status, visible } = entities
      const made = (publication: Publication) =>
        new Granted({ body: status(publication), publication: publication.id })

      const timeline = (statuses: ReadonlyArray<Publication>, query: URLSearchParams) => {
        const max_id = query.get("max_id") ?? ""
        return statuses
          .filter(({ id }) => max_id === "" || BigInt(id) < BigInt(max_id))
          .slice(0, Math.min(Number(query.get("limit") ?? "20"), 40))
          .map((one) => status(one))
      }

      /** The page behind a link: the status in the feed. */
      const page = Effect.gen(function* () {
        const { status: last = "" } = yield* HttpRouter.params
        const id = last.split(".").at(-1)!
        return ledger.find("mastodon", id) === undefined
          ? HttpServerResponse.text("Not found", { status: 404 })
          : HttpServerResponse.redirect(`/posts/${id}`)
      })

      return [
        ...(yield* authorizationRoutes(login)),
        open("GET", `${base}/.well-known/oauth-authorization-server`, {
          operation: null,
          answer: () => (server.api === undefined ? notFound : metadataOf(server, `${url()}${base}`))
        }),
        yield* registration(server, mastodon),
        open("GET", `${base}/api/v2/instance`, {
          operation: null,
          answer: () => (server.hasV2Instance ? entities.instance(2) : notFound)
        }),
        open("GET", `${base}/api/v1/instance`, { operation: null, answer: () => entities.instance(1) }),
        endpoint("GET", `${base}/api/v1/accounts/verify_credentials`, {
          operation: "account",
          scopes: [["profile", "read", "read:accounts"]],
          answer: ({ account }) => entities.credentials(account)
        }),
        endpoint("GET", `${base}/api/v1/accounts/:id/statuses`, {
          operation: "post_search",
          scopes: [["read", "read:statuses"]],
          answer: ({ account, path, query }) => {
            if (path["id"] !== accountId(account)) return notFound
            const listed = mastodon
              .statuses(account)
              .filter(
                ({ details = {} }) =>
                  !server.listsPublicAlone || (details["visibility"] ?? "public") === "public"
              )
            return timeline(listed, query)
          }
        }),
        endpoint("GET", `${base}/api/v1/timelines/home`, {
          operation: "post_search",
          scopes: [["read", "read:statuses"]],
          answer: ({ account, query }) => timeline(mastodon.statuses(account), query)
        }),
        endpoint("POST", `${base}/api/v2/media`, {
          operation: "media",
          scopes: [["write", "write:media"]],
          read: ({ request }) =>
            Effect.filterOrFail(
              receivedForm(request, store, largestRequest, () => noFile),
              (form) => form !== undefined,
              () => noFile
            ),
          answer: ({ account, fault }, { fields, files }) =>
            Effect.gen(function* () {
              const [file, thumbnail] = [files.get("file"), files.get("thumbnail")]
              const focus = fields.get("focus")
              if (file === undefined) return yield* noFile
              if (file.size > 103_809_024) return yield* refused(413, "Payload Too Large")
              if (focus !== undefined && !isFocus(focus))
                return yield* refused(422, "Validation failed: Focus is not two numbers from -1.0 to 1.0")
              if (thumbnail !== undefined && !thumbnail.content_type.startsWith("image/"))
                return yield* refused(422, "Validation failed: Thumbnail content type is invalid")
              if (thumbnail !== undefined && thumbnail.size > 16_777_216)
                return yield* refused(422, "Validation failed: Thumbnail file size must be less than 16 MB")
              const work = fault?.fault === "processing" ? fault : undefined
              const { id } = yield* file.keep
              const upload: Upload = {
                id,
                account,
                alt_text: fields.get("description") ?? null,
                filename: file.filename,
                ...(focus === undefined ? {} : { focus }),
                ...(thumbnail === undefined ? {} : { thumbnail: yield* thumbnail.keep }),
                polls: work?.polls ?? 0,
                becomes: work?.becomes ?? "ready"
              }
              mastodon.upload(upload)
              return new Granted({ status: work === undefined ? 200 : 202, body: attachment(upload) })
            })
        }),
        endpoint("GET", `${base}/api/v1/media/:id`, {
          operation: "media_status",
          scopes: [["write", "write:media"]],
          answer: ({ account, path: { id = "" } }) => {
            const found = mastodon.find(account, id)
            if (found === undefined || !server.hasMediaStatus) return notFound
            if (found.polls > 0) {
              mastodon.look(id)
              return new Granted({ status: 206, body: attachment(found) })
            }
            return found.becomes === "failed"
              ? refused(422, "Error processing thumbnail for uploaded media")
              : attachment(found)
          }
        }),
        endpoint("POST", `${base}/api/v1/statuses`, {
          operation: "post",
          scopes: [["write", "write:statuses"]],
          read: ({ request, seen }) => {
            seen.idempotency_key = request.headers["idempotency-key"] ?? null
            return Effect.map(parametersOf(request), readDraft)
          },
          answer: ({ account, seen }, read) =>
            Effect.gen(function* () {
              const now = yield* Clock.currentTimeMillis
              if (Result.isFailure(read)) return yield* refused(422, `Validation failed: ${read.failure}`)
              const draft = read.success
              const { media_ids = [], status: text = "", ...told } = draft
              const key = seen.idempotency_key
              const earlier =
                key === null || !server.honoursKey ? undefined : mastodon.withKey(account, key, now)
              if (earlier !== undefined) return made(earlier)
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
                return yield* notFound
              if (media_ids.length > server.media)
                return yield* refused(422, "Validation failed: Cannot attach more files")
              const quoted = draft.quoted_status_id?.replace(foreign, "")
              if (
                quoted !== undefined &&
                Option.match(visible(quoted), {
                  onNone: () => true,
                  onSome: (found) => approvalOf(account, found) === "denied"
                })
              )
                return yield* refused(422, "The post you are trying to quote does not appear to exist.")
              const uploads: Array<Upload> = []
              for (const id of media_ids) {
                const found = mastodon.find(account, id)
                if (found === undefined || store.find(id) === undefined) return yield* notFound
                if (found.polls > 0)
                  return yield* refused(
                    422,
                    "Cannot attach files that have not finished processing. Try again in a moment!"
                  )
                const { refusesAttached } = server
                if (
                  refusesAttached !== undefined &&
                  mastodon.statuses(account).some(({ media }) => media.some((item) => item.id === id))
                )
                  return yield* refused(refusesAttached.status, refusesAttached.words(id))
                uploads.push(server.keepsByName ? mastodon.newestNamed(account, found.filename) : found)
              }
              const publication = ledger.publish(
                {
                  platform: "mastodon",
                  account,
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
              return made(publication)
            })
        }),
        endpoint("GET", `${base}/api/v1/statuses/:id`, {
          operation: "post_status",
          scopes: [["read", "read:statuses"]],
          answer: ({ account, path: { id = "" } }) =>
            Option.match(visible(id), {
              onNone: () => notFound,
              onSome: (found) => Effect.succeed(seenBy(account, found))
            })
        }),
        endpoint("GET", `${base}/api/v2/search`, {
          operation: "post_status",
          scopes: [["read", "read:search"]],
          answer: ({ account, query }) => {
            const q = query.get("q") ?? ""
            const quoting = server.searchesTexts
              ? mastodon.statuses(account).filter(({ text }) => text.includes(q))
              : []
            const found =
              query.get("resolve") === "true"
                ? Option.toArray(visible(/\d+$/.exec(q)?.[0] ?? "", account))
                : []
            const statuses = [...quoting, ...found].map((one) => seenBy(account, one))
            return { accounts: [], hashtags: [], statuses }
          }
        }),
        HttpRouter.route("GET", `${base}/:name/:status`, page),
        HttpRouter.route("GET", `${base}/:name/p/:status`, page)
      ]
    })

    return (yield* Effect.forEach(mastodonServers, routesOf)).flat()
  })
)

const notFound = refused(404, "Record not found")
const noFile = refused(422, "Validation failed: File can't be blank")
