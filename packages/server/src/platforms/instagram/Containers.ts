import { Data, DateTime, Duration, Effect, Option, Schema } from "effect"
import { HttpBody } from "effect/http"
import type { Handle } from "../../engine/Handle.ts"
import { type Prepared, PublishError, type PublishMedia, type PublishRequest } from "../Platform.ts"
import { containerFields, parentFields } from "./ContainerFields.ts"
import type { InstagramCredentials } from "./Credentials.ts"
import type { InstagramGraph } from "./Graph.ts"
import { awaitContainers, containerExpired } from "../meta/ContainerWait.ts"
import { refuseOfAccount } from "../meta/GraphErrors.ts"
import { isKnownFailure, refuseContainer, refuseUpload } from "./GraphErrors.ts"
import { shortAnswer, uploadTime } from "../PlatformHttp.ts"
import { handleUnreadable, readHandleWith } from "../StoredHandle.ts"

const Item = Schema.Struct({
  id: Schema.String,
  /** Its bytes are sent to Meta, which need not fetch them. */
  pushed: Schema.Boolean,
  /** Meta has everything for it. */
  sent: Schema.Boolean,
  finished: Schema.Boolean
})

/** The containers: one for each medium, in order, and the carousel's own. */
const InstagramHandle = Schema.Struct({
  items: Schema.Array(Item),
  carousel: Schema.NullOr(Item),
  /** ISO 8601. */
  since: Schema.String,
  /** How often Meta was asked about it. */
  looks: Schema.Int,
  /** A container failed and Meta did not say of what: these are the second ones. */
  again: Schema.optionalKey(Schema.Boolean)
})
type InstagramHandle = typeof InstagramHandle.Type
type Item = typeof Item.Type

const decodeHandle = Schema.decodeUnknownOption(InstagramHandle)

const Created = Schema.Struct({ id: Schema.String })
export const ContainerStatus = Schema.Struct({
  status_code: Schema.String,
  status: Schema.optionalKey(Schema.String)
})
const Uploaded = Schema.Struct({
  video_status: Schema.optionalKey(
    Schema.Struct({
      uploading_phase: Schema.optionalKey(
        Schema.Struct({
          bytes_transferred: Schema.optionalKey(Schema.Union([Schema.Finite, Schema.FiniteFromString]))
        })
      )
    })
  )
})

/** A container failed, and its status is none that is known. */
class Unexplained extends Data.TaggedError("Unexplained")<{ readonly status: string }> {}

const nothing = Effect.map(DateTime.now, (now): InstagramHandle => ({
  items: [],
  carousel: null,
  since: DateTime.formatIso(now),
  looks: 0
}))

type Save = (handle: Handle) => Effect.Effect<void, PublishError>

/** The containers of a post before it goes out; none of them is visible. */
export const instagramContainers = (graph: InstagramGraph) => {
  const { call, get, post, appOf, version, refuse } = graph

  /** Facebook Login has an upload of its own; Instagram Login tries it where Meta cannot fetch. */
  const videoSource = Effect.fnUntraced(function* (media: PublishMedia, { login }: InstagramCredentials) {
    if (login === "facebook") return { pushed: true, fields: { upload_type: "resumable" } }
    return yield* media.public_url.pipe(
      Effect.map((video_url) => ({ pushed: false, fields: { video_url } })),
      Effect.catchIf(
        ({ code }) => code === "platform_cannot_fetch",
        () => Effect.succeed({ pushed: true, fields: { upload_type: "resumable" } })
      )
    )
  })

  const createdBy = (
    { remote_id }: PublishRequest,
    credentials: InstagramCredentials,
    fields: Readonly<Record<string, string>>
  ) =>
    post(credentials, `${remote_id}/media`, fields, Created, {
      refuse: refuseOfAccount("Instagram", remote_id, refuse)
    })

  const create = Effect.fnUntraced(function* (
    request: PublishRequest,
    media: PublishMedia,
    credentials: InstagramCredentials
  ): Effect.fn.Return<Item, PublishError> {
    const source: { readonly pushed: boolean; readonly fields: Readonly<Record<string, string>> } =
      media.kind === "image"
        ? { pushed: false, fields: { image_url: yield* media.public_url } }
        : yield* videoSource(media, credentials)
    const cover_url = request.cover === null ? undefined : yield* request.cover.public_url
    const fields = { ...containerFields(request, media, cover_url), ...source.fields }
    const { id } = yield* createdBy(request, credentials, fields).pipe(
      // If the upload is not offered, the missing address is the problem.
      Effect.catchIf(
        ({ message }) => source.pushed && credentials.login === "instagram" && message.includes("video_url"),
        () =>
          Effect.flatMap(media.public_url, (video_url) =>
            createdBy(request, credentials, { ...fields, video_url })
          )
      )
    )
    return { id, pushed: source.pushed, sent: !source.pushed, finished: false }
  })

  const bytesThere = Effect.fnUntraced(function* (container: string, credentials: InstagramCredentials) {
    const { video_status } = yield* get(
      credentials,
      container,
      { fields: "status_code,video_status" },
      Uploaded
    )
    return video_status?.uploading_phase?.bytes_transferred ?? 0
  })

  /** Continues where an earlier upload broke off. */
  const upload = Effect.fnUntraced(function* (
    container: string,
    media: PublishMedia,
    credentials: InstagramCredentials,
    resumed: boolean
  ) {
    const offset = resumed ? yield* bytesThere(container, credentials) : 0
    if (offset >= media.size_bytes) return
    const app = yield* appOf(credentials.login)
    const length = media.size_bytes - offset
    yield* call({
      method: "POST",
      url: `${app.at("rupload.facebook.com")}/ig-api-upload/${version}/${container}`,
      headers: {
        authorization: `OAuth ${credentials.token}`,
        offset: String(offset),
        file_size: String(media.size_bytes)
      },
      body: HttpBody.stream(
        media.part({ start: offset, end: media.size_bytes - 1 }),
        "application/octet-stream",
        length
      ),
      secrets: [credentials.token],
      timeout: uploadTime(length),
      maxAnswerBytes: shortAnswer,
      answer: Schema.Unknown,
      refuse: refuseUpload
    })
  })

  const look = Effect.fnUntraced(function* (item: Item, credentials: InstagramCredentials) {
    if (item.finished) return item
    const { status_code, status = "" } = yield* get(
      credentials,
      item.id,
      { fields: "status_code,status" },
      ContainerStatus
    )
    switch (status_code) {
      case "FINISHED":
      case "PUBLISHED":
        return { ...item, finished: true }
      case "ERROR":
        return yield* isKnownFailure(status)
          ? new PublishError(refuseContainer(status))
          : new Unexplained({ status })
      case "EXPIRED":
        return yield* containerExpired("Instagram")
      default:
        return item
    }
  })

  /** Looks at what is there, and goes on as far as possible now. */
  const goOn = Effect.fnUntraced(function* (
    request: PublishRequest,
    credentials: InstagramCredentials,
    before: InstagramHandle,
    save: Save | null
  ): Effect.fn.Return<Prepared, PublishError | Unexplained> {
    const items = yield* Effect.forEach(before.items, (item) => look(item, credentials))
    let handle: InstagramHandle = { ...before, items, looks: before.looks + 1 }
    if (!items.every(({ finished }) => finished)) return yield* awaitContainers("Instagram", { ...handle })
    if (items.length === 1) return { _tag: "ready", handle: { ...handle } }
    if (handle.carousel === null) {
      const fields = parentFields(
        request,
        items.map(({ id }) => id)
      )
      const { id } = yield* createdBy(request, credentials, fields)
      handle = { ...handle, carousel: { id, pushed: false, sent: true, finished: false }, looks: 0 }
      if (save === null) return { _tag: "wait", handle: { ...handle }, poll_after: Duration.seconds(1) }
      yield* save({ ...handle })
    }
    const carousel = yield* look(handle.carousel!, credentials)
    handle = { ...handle, carousel }
    return carousel.finished
      ? { _tag: "ready", handle: { ...handle } }
      : yield* awaitContainers("Instagram", { ...handle })
  })

  /** Prepares as far as possible now. Without `save`, the new containers are in the returned handle alone. */
  const advance = Effect.fnUntraced(function* (
    request: PublishRequest,
    credentials: InstagramCredentials,
    before: InstagramHandle,
    save: Save | null
  ) {
    let handle = before
    const keep = (index: number, item: Item) => {
      handle = { ...handle, items: [...handle.items.slice(0, index), item, ...handle.items.slice(index + 1)] }
      return save === null ? Effect.void : save({ ...handle })
    }
    for (const [index, media] of request.media.entries()) {
      const known = handle.items[index]
      const item = known ?? (yield* create(request, media, credentials))
      if (known === undefined) yield* keep(index, item)
      if (item.sent) continue
      yield* upload(item.id, media, credentials, known !== undefined)
      yield* keep(index, { ...item, sent: true })
    }
    return yield* goOn(request, credentials, handle, save).pipe(
      Effect.catchTag("Unexplained", ({ status }) =>
        handle.again === true
          ? Effect.fail(new PublishError(refuseContainer(status)))
          : Effect.map(nothing, (fresh): Prepared => ({
              _tag: "wait",
              handle: { ...fresh, again: true },
              poll_after: Duration.seconds(1)
            }))
      )
    )
  })

  const prepare = Effect.fnUntraced(function* (
    request: PublishRequest,
    credentials: InstagramCredentials,
    saved: Handle | null,
    save: Save
  ) {
    const handle = Option.getOrNull(decodeHandle(saved)) ?? (yield* nothing)
    return yield* advance(request, credentials, handle, save)
  })

  const poll = Effect.fnUntraced(function* (
    request: PublishRequest,
    credentials: InstagramCredentials,
    saved: Handle
  ) {
    return yield* advance(request, credentials, yield* readHandle(saved), null)
  })

  /** The container that is published. */
  const creationId = Effect.fnUntraced(function* (saved: Handle) {
    const { items, carousel } = yield* readHandle(saved)
    const id = (carousel ?? items[0])?.id
    return id ?? (yield* handleUnreadable("Instagram"))
  })

  return { prepare, poll, creationId }
}

const readHandle = readHandleWith(decodeHandle, "Instagram")
