import { detectFacets } from "@carillon/domain"
import { DateTime, Duration, Effect } from "effect"
import type { Handle } from "../../engine/Handle.ts"
import type { RemoteFetch } from "../../http/RemoteFetch.ts"
import { pageCard } from "../PageCard.ts"
import { type Prepared, PublishError, type PublishMedia, type PublishRequest } from "../Platform.ts"
import { processingFailed } from "./LinkedInErrors.ts"
import { type LinkedInHandle, storedHandle } from "./LinkedInHandle.ts"
import type { linkedInUploads } from "./Uploads.ts"
import { isOrganization, optionsOf } from "./PostBody.ts"

type Save = (handle: Handle) => Effect.Effect<void, PublishError>

/** The picture that a card takes. */
const pictures = { max_bytes: 5_000_000, mime_types: ["image/jpeg", "image/png"] }

/** How many ranges of a video are sent between two looks at the database: each may be sent again. */
const partsTogether = 8

/** How often a file may still be missing that was sent. */
const patience = 10

/** Everything before the post: its files, which nobody sees, and its link card. */
export const linkedInPreparation = (
  uploads: ReturnType<typeof linkedInUploads>,
  {
    download,
    grace
  }: {
    readonly download: RemoteFetch["Service"]["download"]
    /** How long a picture or document of a person is given, whose token may not ask about it. */
    readonly grace: Duration.Duration
  }
) => {
  const cardAt = pageCard(download, pictures)

  /** The address that the options name or the text has first, where nothing else is shown besides the text. */
  const cardOf = Effect.fnUntraced(function* (
    request: PublishRequest,
    bearer: string
  ): Effect.fn.Return<LinkedInHandle["card"], PublishError> {
    const { link, link_card, poll, reshare } = optionsOf(request)
    const { caption, media, remote_id } = request
    const source = link ?? detectFacets(caption.toWellFormed()).find((facet) => facet.kind === "link")?.uri
    if (source === undefined || link_card === "off" || media.length > 0) return undefined
    if (poll !== undefined || reshare !== undefined) return undefined
    const card = yield* cardAt(source)
    if (typeof card === "string") return { article: null, warnings: [card] }
    const { description, picture, title } = card
    const thumbnail =
      picture === null
        ? null
        : yield* uploads.image(remote_id, bearer, picture).pipe(
            Effect.catchIf(
              (failure) => failure.class === "media_rejected",
              () => Effect.succeed(null)
            )
          )
    return {
      article: {
        source,
        title,
        ...(description === "" ? {} : { description }),
        ...(thumbnail === null ? {} : { thumbnail })
      },
      warnings: []
    }
  })

  const sendVideo = Effect.fnUntraced(function* (
    request: PublishRequest,
    media: PublishMedia,
    bearer: string,
    started: LinkedInHandle,
    save: Save
  ): Effect.fn.Return<LinkedInHandle, PublishError> {
    const cover = request.cover === null ? request.cover_frame : request.cover.image
    const { upload: known, video: begun, ...handle } = started
    const begin = Effect.gen(function* () {
      const { upload, urn } = yield* uploads.beginVideo(request.remote_id, bearer, media, cover !== null)
      yield* save(storedHandle({ ...handle, video: { urn, etags: [] }, upload }))
      return { upload, urn, etags: [] }
    })
    const { upload, urn, ...sent } =
      begun === undefined || known === undefined ? yield* begin : { ...begun, upload: known }
    const { parts, thumbnail, token } = upload
    const etags: Array<string> = [...sent.etags]
    for (const part of parts.slice(etags.length)) {
      etags.push(yield* uploads.part(media, part))
      if (etags.length % partsTogether === 0 || etags.length === parts.length)
        yield* save(storedHandle({ ...handle, video: { urn, etags: [...etags] }, upload }))
    }
    // The reply to an earlier call that finished it may have been lost.
    const isFinished = sent.etags.length === parts.length && (yield* isTaken(bearer, urn))
    if (!isFinished) {
      if (thumbnail !== undefined && cover !== null) yield* uploads.thumbnail(thumbnail, yield* cover)
      yield* uploads.finishVideo(bearer, urn, token, etags)
    }
    return { ...handle, assets: { ...handle.assets, [media.id]: urn } }
  })

  const isTaken = (bearer: string, urn: string) =>
    Effect.map(uploads.state(bearer, "videos", urn), (state) => state !== "WAITING_UPLOAD")

  /** Whether LinkedIn has processed the files. A person's token may ask about videos alone. */
  const standing = Effect.fnUntraced(function* (
    request: PublishRequest,
    bearer: string,
    handle: LinkedInHandle
  ): Effect.fn.Return<Prepared, PublishError> {
    const looks = handle.looks ?? 0
    const asked = request.media.filter(({ kind }) => kind === "video" || isOrganization(request))
    for (const { id, kind } of asked) {
      const state = yield* uploads.state(bearer, `${kind}s`, handle.assets[id]!)
      if (state === "AVAILABLE") continue
      if (state === "PROCESSING_FAILED")
        return yield* new PublishError({ ...processingFailed, discard_handle: true })
      if (state === "WAITING_UPLOAD" && looks >= patience) return yield* neverArrived
      return {
        _tag: "wait",
        handle: storedHandle({ ...handle, looks: looks + 1 }),
        poll_after: Duration.seconds(Math.min(60, 2 * 2 ** Math.min(looks, 5)))
      }
    }
    const since =
      (handle.uploaded_at ?? 0) + Duration.toMillis(grace) - (yield* DateTime.now).epochMilliseconds
    const isUnseen = asked.length < request.media.length || handle.card?.article?.thumbnail !== undefined
    return isUnseen && since > 0
      ? { _tag: "wait", handle: storedHandle(handle), poll_after: Duration.millis(since) }
      : { _tag: "ready", handle: storedHandle(handle) }
  })

  const prepare = Effect.fnUntraced(function* (
    request: PublishRequest,
    bearer: string,
    started: LinkedInHandle,
    save: Save
  ): Effect.fn.Return<Prepared, PublishError> {
    let handle = started
    const keep = Effect.fnUntraced(function* (changed: LinkedInHandle) {
      handle = { ...changed, uploaded_at: (yield* DateTime.now).epochMilliseconds }
      yield* save(storedHandle(handle))
    })
    for (const media of request.media) {
      if (handle.assets[media.id] !== undefined) continue
      if (media.kind === "video") {
        yield* keep(yield* sendVideo(request, media, bearer, handle, save))
        continue
      }
      const urn =
        media.kind === "image"
          ? yield* uploads.image(request.remote_id, bearer, yield* media.image)
          : yield* uploads.document(request.remote_id, bearer, media)
      yield* keep({ ...handle, assets: { ...handle.assets, [media.id]: urn } })
    }
    if (handle.card === undefined) {
      const card = yield* cardOf(request, bearer)
      if (card !== undefined) yield* keep({ ...handle, card })
    }
    return yield* standing(request, bearer, handle)
  })

  return { prepare, standing }
}

const neverArrived = new PublishError({
  class: "transient",
  code: "upload_not_taken",
  message: "LinkedIn says that it still waits for a file that was sent. Carillon will send it again.",
  discard_handle: true
})
