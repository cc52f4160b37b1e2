import type { MediaId, MimeType, WorkspaceId } from "@carillon/domain"
import { Context, Duration, Effect, Layer, type Scope } from "effect"
import { stat } from "node:fs/promises"
import { AppConfig } from "../../AppConfig.ts"
import { PublishError } from "../../platforms/Platform.ts"
import { BlobStore } from "../files/BlobStore.ts"
import { bytesMissing } from "../files/BytesMissing.ts"
import { ffmpeg, type FfmpegFailed } from "./Ffmpeg.ts"
import { frameArguments, type WantedFrame } from "./FrameArguments.ts"
import { type ReadyMedia, transferOf } from "../files/MediaRow.ts"
import { canToneMap } from "./ToneMapping.ts"

/** A post that goes out at once waits for it, and a commit's confirmation has a minute in all. */
const patience = Duration.seconds(30)

/** How long the presence of ffmpeg is believed. */
const believedFor = Duration.minutes(1)

/** A frame as an image: a local file. */
export interface CutFrame {
  readonly input: string
  readonly mime_type: MimeType
  readonly size_bytes: number
  readonly workspace_id: WorkspaceId
}

/** Cuts frames out of videos, by ffmpeg. */
export class VideoFrames extends Context.Service<
  VideoFrames,
  {
    /** Whether ffmpeg is there to cut with. */
    readonly available: Effect.Effect<boolean>
    /** Whether a video has such a variant, or could get it from ffmpeg. */
    has(id: MediaId, variant: RegExp): Effect.Effect<boolean>
    /** The file is gone when the scope closes. */
    cut(row: ReadyMedia, frame: WantedFrame): Effect.Effect<CutFrame, PublishError, Scope.Scope>
  }
>()("@carillon/server/media/videos/VideoFrames") {
  static readonly layerNoDeps = Layer.effect(
    VideoFrames,
    Effect.gen(function* () {
      const { ffmpeg: program } = yield* AppConfig
      const blobs = yield* BlobStore
      const available = yield* ffmpeg(program, ["-hide_banner", "-version"]).pipe(
        Effect.timeout("10 seconds"),
        Effect.as(true),
        Effect.orElseSucceed(() => false),
        Effect.cachedWithTTL(believedFor)
      )

      const cut = Effect.fn("VideoFrames.cut")(function* (row: ReadyMedia, frame: WantedFrame) {
        const input = yield* blobs.file(row).pipe(Effect.mapError(bytesMissing(row.id)))
        const output = yield* blobs.temporary
        const found = transferOf(row.probe)
        const range = found !== null && (yield* canToneMap(program)) ? found : null
        yield* ffmpeg(program, frameArguments({ ...row, path: input }, output, frame, range)).pipe(
          Effect.mapError(notCut),
          Effect.timeoutOrElse({ duration: patience, orElse: () => Effect.fail(refused("it took too long")) })
        )
        const size_bytes = yield* Effect.promise(() => sizeOf(output))
        if (size_bytes === 0) {
          return yield* refused(`the video has no picture at ${frame.at} milliseconds`)
        }
        const { workspace_id } = row
        return { input: output, mime_type: "image/png" as const, size_bytes, workspace_id }
      })

      const has = Effect.fn("VideoFrames.has")(function* (id: MediaId, variant: RegExp) {
        return (yield* available) || (yield* blobs.variants(id)).some((name) => variant.test(name))
      })

      return VideoFrames.of({ available, cut, has })
    })
  )
}

const sizeOf = async (path: string): Promise<number> =>
  stat(path).then(
    ({ size }) => size,
    () => 0
  )

const refused = (reason: string) =>
  new PublishError({
    class: "media_rejected",
    code: "frame_not_cut",
    message: `The frame could not be cut out of the video: ${reason}. Upload the image that you want instead.`
  })

const notCut = ({ reason, words }: FfmpegFailed) =>
  reason === "not_started"
    ? new PublishError({
        class: "config",
        code: "frame_not_cut",
        message:
          "This service has no ffmpeg to cut the frame out of the video. Upload the image that you want, or ask the " +
          "operator to install ffmpeg or to set FFMPEG to its path."
      })
    : refused(`ffmpeg said ${JSON.stringify(words)}`)
