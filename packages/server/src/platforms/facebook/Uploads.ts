import { DateTime, Duration, Effect, Schema, Stream } from "effect"
import { HttpBody } from "effect/http"
import type { Handle } from "../../engine/Handle.ts"
import { nextLook } from "../meta/ContainerWait.ts"
import type { Graph } from "../meta/Graph.ts"
import { refuseOfAccount } from "../meta/GraphErrors.ts"
import { type FormFile, sentName } from "../MultipartForm.ts"
import {
  type FittedImage,
  type Prepared,
  PublishError,
  type PublishMedia,
  type PublishRequest
} from "../Platform.ts"
import { type Refusal, shortAnswer, uploadTime } from "../PlatformHttp.ts"
import {
  Offsets,
  offsetsIn,
  refuseGraph,
  refuseOfFiles,
  refuseUpload,
  refuseVideo
} from "./FacebookErrors.ts"
import { type FacebookHandle, storedHandle, type Video } from "./FacebookHandle.ts"
import { kindOf } from "./PostFields.ts"
import type { VideoState } from "./VideoState.ts"

const Created = Schema.Struct({ id: Schema.String })
const Started = Schema.Struct({ video_id: Schema.String, upload_url: Schema.String })
const StartedInRanges = Schema.Struct({
  video_id: Schema.String,
  upload_session_id: Schema.String,
  ...Offsets.fields
})

/** How often Facebook may ask for other bytes than those that came. */
const mostCorrections = 10

/** How long Facebook is given for a reel or story before it is published; one that it processes then is published all the same. */
const patience = Duration.minutes(30)

/** A picture, as a form has it. */
export const imageFile = (
  name: string,
  filename: string,
  { bytes, mime_type }: Pick<FittedImage, "bytes" | "mime_type">
): FormFile => ({ name, filename, mime_type, size_bytes: bytes.length, content: Stream.succeed(bytes) })

type Save = (handle: Handle) => Effect.Effect<void, PublishError>

/** The files of a post, which nobody sees before it. `look` asks what became of a video. */
export const facebookUploads = (
  { call, post }: Graph<"facebook">,
  look: (token: string, id: string) => Effect.Effect<VideoState, PublishError>
) => {
  const page = (token: string) => ({ login: "facebook", token }) as const
  const ofPage = ({ remote_id }: PublishRequest) => refuseOfAccount("Facebook", remote_id, refuseGraph)

  /** https://developers.facebook.com/docs/graph-api/reference/page/photos */
  const photo = Effect.fnUntraced(function* (
    request: PublishRequest,
    media: PublishMedia,
    index: number,
    token: string
  ) {
    const image = yield* media.image
    const { mime_type, bytes } = image
    const filename = sentName(media, { mime_type, size_bytes: bytes.length }, index)
    const alt = media.alt_text ?? ""
    const { id } = yield* post(
      page(token),
      `${request.remote_id}/photos`,
      { published: "false", ...(alt === "" ? {} : { alt_text_custom: alt }) },
      Created,
      {
        file: imageFile("source", filename, image),
        timeout: uploadTime(bytes.length),
        refuse: ofPage(request)
      }
    )
    return id
  })

  const begin = Effect.fnUntraced(function* (
    request: PublishRequest,
    media: PublishMedia,
    token: string
  ): Effect.fn.Return<Video, PublishError> {
    const kind = kindOf(request)
    const special = { refuse: ofPage(request) }
    if (kind === "video") {
      const { end_offset, start_offset, upload_session_id, video_id } = yield* post(
        page(token),
        `${request.remote_id}/videos`,
        { upload_phase: "start", file_size: String(media.size_bytes) },
        StartedInRanges,
        special
      )
      return { id: video_id, session: { id: upload_session_id, start_offset, end_offset } }
    }
    const edge = kind === "reel" ? "video_reels" : "video_stories"
    const { upload_url, video_id } = yield* post(
      page(token),
      `${request.remote_id}/${edge}`,
      { upload_phase: "start" },
      Started,
      special
    )
    return { id: video_id, upload_url }
  })

  /** Sends a reel or story, or what is missing of one: https://developers.facebook.com/docs/video-api/guides/reels-publishing */
  const sendRest = Effect.fnUntraced(function* (
    url: string,
    media: PublishMedia,
    token: string,
    known: Video | undefined
  ) {
    const nothing = { arrived: 0, isComplete: false }
    const { arrived, isComplete } = known === undefined ? nothing : yield* look(token, known.id)
    if (isComplete || arrived >= media.size_bytes) return
    const length = media.size_bytes - arrived
    yield* call({
      method: "POST",
      url,
      headers: {
        authorization: `OAuth ${token}`,
        offset: String(arrived),
        file_size: String(media.size_bytes)
      },
      body: HttpBody.stream(
        media.part({ start: arrived, end: media.size_bytes - 1 }),
        "application/octet-stream",
        length
      ),
      secrets: [token],
      timeout: uploadTime(length),
      maxAnswerBytes: shortAnswer,
      answer: Schema.Unknown,
      refuse: refuseUpload
    })
  })

  /** Sends the range that comes next of a video in the feed; gives the one after it. */
  const sendRange = Effect.fnUntraced(function* (
    request: PublishRequest,
    media: PublishMedia,
    { end_offset, id, start_offset }: NonNullable<Video["session"]>,
    token: string
  ) {
    let corrected: Offsets | undefined
    const size_bytes = end_offset - start_offset
    const file = {
      name: "video_file_chunk",
      filename: sentName(media, media, 0),
      mime_type: "application/octet-stream",
      size_bytes,
      content: media.part({ start: start_offset, end: end_offset - 1 })
    }
    const refuse = (refusal: Refusal) => {
      corrected = offsetsIn(refusal)
      return refuseOfFiles(refusal)
    }
    const next = yield* post(
      page(token),
      `${request.remote_id}/videos`,
      { upload_phase: "transfer", upload_session_id: id, start_offset: String(start_offset) },
      Offsets,
      { file, timeout: uploadTime(size_bytes), refuse }
    ).pipe(
      Effect.catchIf(
        () => corrected !== undefined,
        () => Effect.succeed(corrected!)
      )
    )
    return { next, isCorrected: corrected !== undefined }
  })

  const sendVideo = Effect.fnUntraced(function* (
    request: PublishRequest,
    media: PublishMedia,
    token: string,
    known: Video | undefined,
    keep: (video: Video) => Effect.Effect<void, PublishError>
  ) {
    const video = known ?? (yield* begin(request, media, token))
    const { id, upload_url: url } = video
    if (known === undefined) yield* keep(video)
    if (url !== undefined) return yield* sendRest(url, media, token, known)
    let session = video.session
    let corrections = 0
    while (session !== undefined && session.start_offset < media.size_bytes) {
      const { end_offset, id: session_id, start_offset } = session
      if (start_offset < 0 || end_offset <= start_offset || end_offset > media.size_bytes)
        return yield* rangesWrong
      const { isCorrected, next } = yield* sendRange(request, media, session, token)
      corrections += isCorrected ? 1 : 0
      if (corrections > mostCorrections || (!isCorrected && next.start_offset <= start_offset))
        return yield* rangesWrong
      session = { id: session_id, ...next }
      yield* keep({ id, session })
    }
  })

  /** Whether the post can go out now: a reel or story whose processing has begun is waited for. */
  const standing = Effect.fnUntraced(function* (
    handle: FacebookHandle,
    token: string
  ): Effect.fn.Return<Prepared, PublishError> {
    const ready = { _tag: "ready", handle: storedHandle(handle) } as const
    if (handle.video?.upload_url === undefined) return ready
    const { failed, isComplete, isWorking } = yield* look(token, handle.video.id)
    if (failed !== undefined) return yield* new PublishError(refuseVideo(failed))
    const now = (yield* DateTime.now).epochMilliseconds
    const { looks = 0, since = now } = handle
    const isLate = now - since > Duration.toMillis(patience)
    if (isComplete && (isLate || !isWorking)) return ready
    if (isLate) return yield* neverArrived
    return {
      _tag: "wait",
      handle: storedHandle({ ...handle, since, looks: looks + 1 }),
      poll_after: nextLook(looks)
    }
  })

  const prepare = Effect.fnUntraced(function* (
    request: PublishRequest,
    token: string,
    started: FacebookHandle,
    save: Save
  ): Effect.fn.Return<Prepared, PublishError> {
    let handle = started
    const keep = (changed: FacebookHandle) => {
      handle = changed
      return save(storedHandle(handle))
    }
    for (const [index, media] of request.media.entries()) {
      if (media.kind === "video") {
        yield* sendVideo(request, media, token, handle.video, (video) => keep({ ...handle, video }))
      } else if (handle.photos[media.id] === undefined) {
        const id = yield* photo(request, media, index, token)
        yield* keep({ ...handle, photos: { ...handle.photos, [media.id]: id } })
      }
    }
    return yield* standing(handle, token)
  })

  return { prepare, standing }
}

const neverArrived = new PublishError({
  class: "transient",
  code: "upload_not_taken",
  message: "Facebook still waits for a video that was sent. Carillon will send it again.",
  discard_handle: true
})

const rangesWrong = new PublishError({
  class: "transient",
  code: "upload_ranges",
  message:
    "Facebook asked for ranges of the video that do not make up the whole file. Carillon will start the upload again.",
  discard_handle: true
})
