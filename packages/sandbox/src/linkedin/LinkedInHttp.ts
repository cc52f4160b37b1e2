/**
 * LinkedIn at the wire, for people and for organizations, every host as the first part of the path. There is no official
 * description; it follows learn.microsoft.com/linkedin.
 *
 * `GET /www.linkedin.com/oauth/v2/authorization`: the consent page, without PKCE; scopes of one product, spaces between them.
 * `POST /www.linkedin.com/oauth/v2/accessToken`, a form with `client_id` and `client_secret` (`sandbox`): `authorization_code`
 *   or `refresh_token`. 200 `{ access_token, expires_in (60 days), scope (commas), token_type }`, and for `...-partner`
 *   `refresh_token` and `refresh_token_expires_in`: a year from the consent, which a refresh does not extend.
 * `POST /www.linkedin.com/oauth/v2/revoke`, the same with `token`: 200; all that the account has allowed the app is over
 *
 * `GET /api.linkedin.com/v2/userinfo`: `sub` and `name`, which is the account's
 * Below `/api.linkedin.com/rest`, with `Authorization: Bearer`, `LinkedIn-Version` (400 `VERSION_MISSING`; 426
 * `NONEXISTENT_VERSION` of one that LinkedIn has ended) and `X-Restli-Protocol-Version: 2.0.0`, URNs in addresses percent-encoded:
 * `GET /organizationAcls?q=roleAssignee&role=&state=&start=&count=` (10 unless said, 100 at most) · `GET /organizations/{id}`:
 *   `rolesOf` says which a person has
 * `POST /images`, `/documents`, `/videos?action=initializeUpload`: addresses that are good for a day; of a video one for every
 *   4 MiB, each of which answers the `ETag` that `POST /videos?action=finalizeUpload` wants, in their order
 * `GET /images/{urn}`, `/documents/{urn}`, `/videos/{urn}`: the status; with a person's token of videos alone
 * `POST /posts`: 201 and `x-restli-id`. `commentary` is cut where `visibleText` says. 422 `DUPLICATE_POST`, with the URN, of
 *   what the author has posted before. A number as the ledger gives it that is no post cannot be reshared: 404.
 * `GET /posts?q=author&author=&count=&sortBy=CREATED`: an organization's; nobody may read a person's
 * `POST /socialActions/{urn}/comments`, and `GET` for organizations
 *
 * Errors: `{ status, code, message, serviceErrorCode? }`, and for what was sent `{ errorDetails: { inputErrors: [{ code,
 * description, input: { inputPath: { fieldPath } } }] }, message, status }`.
 */
import { ByteSize, Clock, Effect, Schema, Stream } from "effect"
import { HttpIncomingMessage, HttpRouter, HttpServerResponse } from "effect/http"
import { avatarPath, displayName } from "../Avatar.ts"
import { type Arrived, Exchange, Granted } from "../Exchange.ts"
import type { Fault } from "../Faults.ts"
import { type FileType, fileTypeOf } from "../FileType.ts"
import { isoTime, Ledger, type Publication } from "../Ledger.ts"
import { MediaStore } from "../MediaStore.ts"
import { NodeServer } from "../NodeServer.ts"
import { authorizationRoutes } from "../oauth/AuthorizationServer.ts"
import { authorization, type NeededScopes } from "../oauth/Bearer.ts"
import { type Grant, Tokens } from "../oauth/Tokens.ts"
import { sha256 } from "../Redaction.ts"
import { type Asset, type Kind, LinkedIn } from "./LinkedIn.ts"
import { linkedInLogin } from "./LinkedInAuthorization.ts"
import { denied, dialect, invalid, invalidToken, refused } from "./LinkedInErrors.ts"
import { publishes, rolesOf } from "./Organizations.ts"
import { CommentDraft, FileUpload, PostDraft, VideoEnd, VideoUpload } from "./PostDraft.ts"
import { type VisibleText, visibleText } from "./VisibleText.ts"

const rest = "/api.linkedin.com/rest"
const uploads = "/www.linkedin.com/dms-uploads"
const uploadSeconds = 24 * 3600
const partBytes = 4 * 1024 * 1024
const types: Readonly<Record<Kind, ReadonlyArray<FileType>>> = {
  image: ["image/jpeg", "image/png", "image/gif"],
  document: [
    "application/pdf",
    "application/msword",
    "application/vnd.openxmlformats-officedocument.wordprocessingml.document"
  ],
  video: []
}
const plural = { image: "images", document: "documents", video: "videos" } as const
/** LinkedIn ended the one before on 16 November 2026. */
const oldestVersion = 202_512
/** The slot of a video's cover; the others have numbers. */
const cover = "thumbnail"

const writing = { scopes: [["w_member_social", "w_organization_social"]] }
const administering = { scopes: ["rw_organization_admin"] }

interface Signed {
  /** Who has signed in. */
  readonly person: string
  readonly grant: Grant
}
type Call = Arrived & Signed

/** Reads a body of JSON, and takes no field that it does not know. */
const received = <A>({ request }: Arrived, schema: Schema.Decoder<A>) =>
  request.text.pipe(
    Effect.flatMap(Schema.decodeEffect(Schema.fromJsonString(schema), { onExcessProperty: "error" })),
    Effect.catchTag("SchemaError", ({ message }) => {
      const field = [...message.matchAll(/\["?([^"\]]+)"?\]/g)].map(([, name]) => name).join("/")
      return message.includes("excess property")
        ? denied(
            `Unpermitted fields present in REQUEST_BODY: Data Processing Exception while processing fields [/${field}]`
          )
        : invalid("INVALID_VALUE_FOR_FIELD", message.slice(0, 300), field)
    })
  )

const kindOf = (urn: string) => urn.split(":")[2]
const notFound = (urn: string) => refused(404, "NOT_FOUND", `Could not find entity ${urn.slice(0, 60)}`)

/** A post's own URN: those with a video have one of the older kind. */
const urnOf = ({ id, media }: Publication) =>
  `urn:li:${media[0]?.content_type === "video/mp4" ? "ugcPost" : "share"}:${id}`

export const LinkedInHttpLayer = HttpRouter.addAll(
  Effect.gen(function* () {
    const linkedin = yield* LinkedIn
    const ledger = yield* Ledger
    const store = yield* MediaStore
    const exchange = yield* Exchange
    const tokens = yield* Tokens
    const { url } = yield* NodeServer

    const numberOf = (name: string) => BigInt(tokens.accountId("linkedin", name))
    const memberId = (person: string) => numberOf(person).toString(36)
    /** Below 2^53, as LinkedIn's are. */
    const organizationId = (name: string) => Number(numberOf(name) - 17_841_300_000_000_000n)
    const organizationUrn = (name: string) => `urn:li:organization:${organizationId(name)}`

    const authorized = authorization(
      {
        platform: "linkedin",
        invalid: invalidToken,
        outOfScope: (missing) => denied(`Not enough permissions to access: ${missing.join(" or ")}.`)
      },
      tokens
    )
    const signed = (arrived: Arrived, needs: { readonly scopes: NeededScopes }) =>
      Effect.map(authorized(arrived, needs), ({ account, ...rest }) => ({ person: account, ...rest }))

    const userinfo = exchange.endpoints({ dialect, caller: signed })
    const endpoint = exchange.endpoints({
      dialect,
      caller: (arrived, needs: { readonly scopes: NeededScopes }) =>
        Effect.gen(function* () {
          const { headers, url: address } = arrived.request
          const version = headers["linkedin-version"]
          if (version === undefined) {
            return yield* refused(
              400,
              "VERSION_MISSING",
              "A version must be present. Please specify a version by adding the LinkedIn-Version header."
            )
          }
          if (!/^20\d\d(0[1-9]|1[0-2])$/.test(version) || Number(version) < oldestVersion) {
            const message = `Requested version ${version.slice(0, 20)} is not active`
            return yield* refused(426, "NONEXISTENT_VERSION", message)
          }
          if (headers["x-restli-protocol-version"] !== "2.0.0") {
            return yield* refused(400, "ILLEGAL_ARGUMENT", "X-Restli-Protocol-Version must be 2.0.0")
          }
          if (address.includes("urn:")) {
            return yield* refused(400, "ILLEGAL_ARGUMENT", "Syntax exception: a URN is not percent-encoded")
          }
          return yield* signed(arrived, needs)
        })
    })

    /** The account that a URN names, if the caller may write or read as it. */
    const actAs = ({ grant, person, seen }: Call, urn: string, right: "w" | "r") =>
      Effect.suspend(() => {
        const isMember = kindOf(urn) === "person"
        const scope = `${right}_${isMember ? "member" : "organization"}_social`
        if (!grant.scopes.includes(scope)) return denied(`Not enough permissions to access: ${scope}.`)
        const account = isMember
          ? [person].find((one) => `urn:li:person:${memberId(one)}` === urn)
          : rolesOf(person).find((role) => publishes(role) && organizationUrn(role.name) === urn)?.name
        if (account === undefined) {
          return denied("This resource is forbidden. Please check your permissions for this resource")
        }
        seen.account = account
        return Effect.succeed(account)
      })

    /** A file of the caller's. */
    const owned = Effect.fnUntraced(function* (call: Call, urn: string) {
      const asset = linkedin.find(urn)
      if (asset === undefined) return yield* notFound(urn)
      yield* actAs(call, asset.owner, "w")
      return asset
    })

    const objections = {
      WAITING_UPLOAD: ["MEDIA_ASSET_WAITING_UPLOAD", "is waiting upload"],
      PROCESSING: ["MEDIA_ASSET_PROCESSING", "is still processing"],
      PROCESSING_FAILED: ["MEDIA_ASSET_PROCESSING_FAILED", "failed processing"]
    } as const

    /** The files that a post shows, in which order, and its cover. */
    const filesOf = Effect.fnUntraced(function* (call: Call, { author, content = {} }: PostDraft) {
      const found = (id: string) =>
        Effect.gen(function* () {
          const asset = yield* owned(call, id)
          if (asset.owner !== author) {
            return yield* invalid("INVALID_URN_ID", `${id} is not the author's`, "content")
          }
          const status = linkedin.look(asset)
          if (status === "AVAILABLE") return asset
          const [code, words] = objections[status]
          return yield* invalid(code, `Media asset ${id} ${words}`, "content", 400)
        })
      const { article, media, multiImage } = content
      const images = multiImage?.images ?? (media === undefined ? [] : [media])
      const shown = yield* Effect.forEach(images, ({ altText = null, id }) =>
        Effect.map(found(id), ({ file, parts }) => ({
          file: { ...file!, alt_text: altText },
          cover: parts.get(cover)?.file
        }))
      )
      const card = article?.thumbnail === undefined ? undefined : (yield* found(article.thumbnail)).file
      return { files: shown.map(({ file }) => file), cover: shown[0]?.cover ?? card }
    })

    /** What is wrong with what a post says or reposts. */
    const objection = (draft: PostDraft, { text }: VisibleText) => {
      const { author, commentary, content, reshareContext, visibility } = draft
      if ([...text].length > 3000) {
        return invalid("FIELD_LENGTH_TOO_LONG", "commentary is longer than 3000 characters", "commentary")
      }
      if (visibility !== "PUBLIC" && kindOf(author) === "organization") {
        return invalid("INVALID_VALUE_FOR_FIELD", "an organization posts to PUBLIC alone", "visibility")
      }
      if (commentary === "" && content === undefined && reshareContext === undefined) {
        return invalid("MISSING_FIELD", "a post without content needs commentary", "commentary")
      }
      const parent = reshareContext?.parent
      if (parent !== undefined) {
        const original = ledger.find("linkedin", parent.split(":").at(-1)!)
        if (original === undefined && /:75\d{17}$/.test(parent)) return notFound(parent)
        if (original?.details?.["isReshareDisabledByAuthor"] === true) {
          return denied("The author of the parent post has turned off reshares")
        }
      }
      const said = JSON.stringify([commentary, content, reshareContext])
      const twin = linkedin
        .posts(author)
        .find(
          ({ details = {} }) =>
            JSON.stringify([details["commentary"], details["content"], details["reshareContext"]]) === said
        )
      return twin && invalid("DUPLICATE_POST", `Content is a duplicate of ${urnOf(twin)}`)
    }

    const postBody = (publication: Publication): Schema.Json => {
      const { author, commentary, content, visibility } = publication.details ?? {}
      const at = Date.parse(publication.published_at)
      return {
        id: urnOf(publication),
        author: author!,
        commentary: commentary!,
        visibility: visibility!,
        ...(content === undefined ? {} : { content }),
        lifecycleState: "PUBLISHED",
        createdAt: at,
        publishedAt: at,
        lastModifiedAt: at
      }
    }

    /** A post of the path, with its comments. */
    const commented = ({ path }: Arrived) => {
      const urn = decodeURIComponent(path["urn"] ?? "")
      const post = ledger.find("linkedin", urn.split(":").at(-1)!)
      if (post === undefined) return notFound(urn)
      const comments = (post.details?.["comments"] ?? []) as ReadonlyArray<typeof CommentDraft.Type>
      return Effect.succeed({ urn, post, comments })
    }
    const commentBody = (urn: string, draft: typeof CommentDraft.Type, index: number): Schema.Json => ({
      id: String(index + 1),
      $URN: `urn:li:comment:(${urn},${index + 1})`,
      ...draft
    })

    const begin = Effect.fnUntraced(function* (
      given: Pick<Asset, "kind" | "owner" | "account" | "sizes">,
      withCover: boolean,
      fault: Fault | undefined
    ) {
      const seconds = fault?.fault === "short_lived" ? fault.seconds : uploadSeconds
      const { asset, secret } = yield* linkedin.initialize(given, seconds)
      const address = (slot: string) =>
        `${url()}${uploads}/${asset.urn.split(":").at(-1)}/${slot}?signature=${secret}`
      if (asset.kind !== "video") {
        return {
          value: { uploadUrlExpiresAt: asset.expires_at, uploadUrl: address("0"), [asset.kind]: asset.urn }
        }
      }
      const starts = asset.sizes.map((_, index) => index * partBytes)
      return {
        value: {
          uploadUrlsExpireAt: asset.expires_at,
          video: asset.urn,
          uploadInstructions: starts.map((firstByte, index) => ({
            uploadUrl: address(String(index)),
            firstByte,
            lastByte: firstByte + asset.sizes[index]! - 1
          })),
          uploadToken: "",
          ...(withCover ? { thumbnailUploadUrl: address(cover) } : {})
        }
      }
    })

    const finalize = (asset: Asset, partIds: ReadonlyArray<string>) =>
      Effect.gen(function* () {
        const { file, parts } = linkedin.find(asset.urn)!
        const all = asset.sizes.map((_, index) => parts.get(String(index)))
        if (all.includes(undefined)) {
          return yield* invalid("MEDIA_ASSET_WAITING_UPLOAD", "Media asset is waiting upload", undefined, 400)
        }
        if (all.map((part) => part!.etag).join() !== partIds.join()) {
          const message = "uploadedPartIds are not the ETags of all parts in their order"
          return yield* invalid("INVALID_VALUE_FOR_FIELD", message, "uploadedPartIds", 400)
        }
        if (file === null) {
          const whole = yield* store.receive(
            "video/mp4",
            Stream.flatMap(Stream.fromIterable(all), (part) => store.read(part!.file))
          )
          linkedin.completed(asset.urn, yield* whole.keep)
        }
        return new Granted({})
      }).pipe(Effect.scoped)

    const uploading = (kind: Kind) =>
      endpoint("POST", `${rest}/${plural[kind]}`, {
        operation: "upload_start",
        ...writing,
        read: (call) =>
          Effect.gen(function* () {
            const action = call.query.get("action")
            if (action === "finalizeUpload" && kind === "video") {
              call.seen.operation = "upload_end"
              const { uploadedPartIds, video } = (yield* received(call, VideoEnd)).finalizeUploadRequest
              const asset = yield* owned(call, video)
              return () => finalize(asset, uploadedPartIds)
            }
            if (action !== "initializeUpload") {
              return yield* refused(
                400,
                "ILLEGAL_ARGUMENT",
                `There is no action ${action} of ${plural[kind]}`
              )
            }
            const asked =
              kind === "video"
                ? (yield* received(call, VideoUpload)).initializeUploadRequest
                : { ...(yield* received(call, FileUpload)).initializeUploadRequest, fileSizeBytes: null }
            const { fileSizeBytes: bytes, owner } = asked
            const account = yield* actAs(call, owner, "w")
            const sizes =
              bytes === null
                ? [null]
                : Array.from({ length: Math.ceil(bytes / partBytes) }, (_, index) =>
                    Math.min(partBytes, bytes - index * partBytes)
                  )
            const withCover = "uploadThumbnail" in asked && asked.uploadThumbnail === true
            return (fault: Fault | undefined) => begin({ kind, owner, account, sizes }, withCover, fault)
          }),
        answer: ({ fault }, act) => act(fault)
      })

    const status = (kind: Kind) =>
      endpoint("GET", `${rest}/${plural[kind]}/:urn`, {
        operation: "media_status",
        ...writing,
        read: (call) => {
          const urn = decodeURIComponent(call.path["urn"] ?? "")
          return kindOf(urn) !== kind
            ? notFound(urn)
            : Effect.filterOrElse(
                owned(call, urn),
                ({ owner }) => kind === "video" || kindOf(owner) === "organization",
                () => denied(`Not enough permissions to access: ${plural[kind]}.GET`)
              )
        },
        answer: (_call, asset) => ({ owner: asset.owner, id: asset.urn, status: linkedin.look(asset) })
      })

    const uploader = exchange.endpoints({
      dialect,
      caller: (arrived) =>
        Effect.gen(function* () {
          const { path, query, request, seen } = arrived
          const asset = linkedin.byAddress(path["id"] ?? "")
          const slot = path["slot"] ?? ""
          if (asset?.secret_sha256 !== sha256(query.get("signature") ?? "")) {
            return yield* refused(403, "ACCESS_DENIED", "The signature of the upload URL is wrong")
          }
          if (asset.expires_at <= (yield* Clock.currentTimeMillis)) {
            return yield* refused(400, "EXPIRED_UPLOAD_URL", "The upload URL is expired")
          }
          // The address of a part of a video says enough; a token beside it must be good.
          const { expireToken } =
            asset.kind === "video" && request.headers.authorization === undefined
              ? {}
              : yield* authorized(arrived, {})
          seen.account = asset.account
          return { asset, slot, ...(expireToken === undefined ? {} : { expireToken }) }
        })
    })

    /** The page behind the link: the post in the feed. */
    const look = Effect.gen(function* () {
      const { urn = "" } = yield* HttpRouter.params
      const publication = ledger.find("linkedin", urn.split(":").at(-1)!)
      return publication === undefined
        ? HttpServerResponse.text("This post cannot be displayed.", { status: 404 })
        : HttpServerResponse.redirect(`${url()}/posts/${publication.id}`)
    })

    return [
      ...(yield* authorizationRoutes(linkedInLogin)),
      userinfo("GET", "/api.linkedin.com/v2/userinfo", {
        operation: "account",
        scopes: ["openid", "profile"],
        answer: ({ person }) => ({
          sub: memberId(person),
          name: person,
          given_name: person,
          family_name: "",
          picture: url() + avatarPath(person),
          locale: { country: "US", language: "en" }
        })
      }),
      endpoint("GET", `${rest}/organizationAcls`, {
        operation: "account",
        ...administering,
        read: ({ person, query }) => {
          const start = Number(query.get("start") ?? 0)
          const count = Number(query.get("count") ?? 10)
          const isWanted = (name: "role" | "state", value: string) => (query.get(name) ?? value) === value
          return query.get("q") !== "roleAssignee" || !(start >= 0 && count >= 1 && count <= 100)
            ? refused(400, "ILLEGAL_ARGUMENT", "q is roleAssignee, start at least 0, count from 1 to 100")
            : Effect.succeed({
                paging: { start, count, links: [] },
                elements: rolesOf(person)
                  .filter(({ role, state }) => isWanted("role", role) && isWanted("state", state))
                  .slice(start, start + count)
                  .map(({ name, role, state }) => ({
                    organization: organizationUrn(name),
                    role,
                    roleAssignee: `urn:li:person:${memberId(person)}`,
                    state
                  }))
              })
        },
        answer: (_call, page) => page
      }),
      endpoint("GET", `${rest}/organizations/:id`, {
        operation: "account",
        ...administering,
        read: ({ path: { id }, person }) => {
          const role = rolesOf(person).find(({ name }) => String(organizationId(name)) === id)
          return role === undefined ? notFound(`urn:li:organization:${id}`) : Effect.succeed(role.name)
        },
        answer: (_call, name) => ({
          id: organizationId(name),
          vanityName: name,
          localizedName: displayName(name),
          name: {
            localized: { en_US: displayName(name) },
            preferredLocale: { country: "US", language: "en" }
          }
        })
      }),
      uploading("image"),
      uploading("document"),
      uploading("video"),
      status("image"),
      status("document"),
      status("video"),
      uploader("PUT", `${uploads}/:id/:slot`, {
        operation: "media",
        read: ({ asset, request, slot }) =>
          Effect.gen(function* () {
            const size = asset.sizes[Number(slot)]
            if (size === undefined && slot !== cover) return yield* notFound(`${asset.urn}/${slot}`)
            if (typeof size === "number") {
              const file = yield* store.receive("video/mp4", request.stream)
              return file.size === size
                ? file
                : yield* refused(
                    400,
                    "ILLEGAL_ARGUMENT",
                    `The part has ${file.size} bytes instead of ${size}`
                  )
            }
            const bytes = new Uint8Array(yield* request.arrayBuffer)
            const type = fileTypeOf(bytes, types[slot === cover ? "image" : asset.kind])
            const file = yield* store.receive(type ?? "application/octet-stream", Stream.succeed(bytes))
            return { ...file, isUnfit: type === undefined }
          }).pipe(Effect.provideService(HttpIncomingMessage.MaxBodySize, ByteSize.mebibytes(100))),
        answer: ({ asset, fault, slot }, received) =>
          Effect.gen(function* () {
            const file = yield* received.keep
            const { polls, becomes = "ready" } = fault?.fault === "processing" ? fault : { polls: 0 }
            const isUnfit = becomes === "failed" || ("isUnfit" in received && received.isUnfit)
            const etag = `/ambry-video/signedId/${file.sha256.slice(0, 32)}.bin`
            linkedin.received(
              asset.urn,
              { slot, etag, file },
              { polls, becomes: isUnfit ? "PROCESSING_FAILED" : "AVAILABLE" }
            )
            if (asset.kind !== "video") linkedin.completed(asset.urn, file)
            return new Granted({ status: asset.kind === "video" ? 200 : 201, headers: { etag } })
          })
      }),
      endpoint("POST", `${rest}/posts`, {
        operation: "post",
        ...writing,
        read: (call) => Effect.tap(received(call, PostDraft), ({ author }) => actAs(call, author, "w")),
        answer: (call, draft) =>
          Effect.gen(function* () {
            const { seen } = call
            const visible = visibleText(draft.commentary)
            const wrong = objection(draft, visible)
            if (wrong !== undefined) return yield* wrong
            const { cover, files } = yield* filesOf(call, draft)
            const { article, media } = draft.content ?? {}
            const { hashtags, mentions, text } = visible
            const publication = ledger.publish(
              {
                platform: "linkedin",
                account: seen.account!,
                title: media?.title ?? article?.title ?? null,
                text,
                media: files,
                idempotency_key: null,
                client_reference: null,
                received_at: seen.received_at,
                published_at: isoTime(yield* Clock.currentTimeMillis),
                details: {
                  ...draft,
                  ...(cover === undefined ? {} : { cover }),
                  ...(mentions.length === 0 ? {} : { mentions }),
                  ...(hashtags.length === 0 ? {} : { hashtags })
                }
              },
              seen.id
            )
            const headers = { "x-restli-id": urnOf(publication) }
            return new Granted({ status: 201, headers, publication: publication.id })
          })
      }),
      endpoint("GET", `${rest}/posts`, {
        operation: "post_search",
        scopes: [["r_organization_social", "w_member_social"]],
        read: (call) => {
          const { query } = call
          const count = Number(query.get("count") ?? 10)
          return query.get("q") !== "author" || !(count >= 1 && count <= 100)
            ? refused(400, "ILLEGAL_ARGUMENT", "q is author, count from 1 to 100")
            : Effect.as(actAs(call, query.get("author") ?? "", "r"), count)
        },
        answer: ({ query }, count) => {
          const start = Number(query.get("start") ?? 0)
          const posts = linkedin.posts(query.get("author")!)
          return {
            paging: { start, count, links: [] },
            elements: posts.slice(start, start + count).map(postBody)
          }
        }
      }),
      endpoint("POST", `${rest}/socialActions/:urn/comments`, {
        operation: "comment",
        ...writing,
        read: (call) => Effect.tap(received(call, CommentDraft), ({ actor }) => actAs(call, actor, "w")),
        answer: (call, draft) =>
          Effect.map(commented(call), ({ comments, post, urn }) => {
            ledger.tell(post.id, { comments: [...comments, draft] })
            const body = commentBody(urn, draft, comments.length)
            return new Granted({ status: 201, headers: { "x-restli-id": String(comments.length + 1) }, body })
          })
      }),
      endpoint("GET", `${rest}/socialActions/:urn/comments`, {
        operation: "comment_search",
        scopes: ["r_organization_social"],
        answer: (call) =>
          Effect.map(commented(call), ({ comments, urn }) => ({
            paging: { start: 0, count: 10, links: [] },
            elements: comments.map((comment, index) => commentBody(urn, comment, index))
          }))
      }),
      HttpRouter.route("GET", "/www.linkedin.com/feed/update/:urn/", look),
      exchange.unknown(dialect, "/api.linkedin.com/*", (method, path) =>
        refused(404, "RESOURCE_NOT_FOUND", `No virtual resource found: ${method} ${path}`)
      )
    ]
  })
)
