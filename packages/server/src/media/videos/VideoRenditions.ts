import {
  brokenLimits,
  type MediaFacts,
  videoConversion,
  type VideoRules,
  type VideoShape
} from "@carillon/domain"
import { Context, Duration, Effect, Layer, Semaphore } from "effect"
import { createHash } from "node:crypto"
import { createReadStream } from "node:fs"
import { stat } from "node:fs/promises"
import { AppConfig } from "../../AppConfig.ts"
import { ConfigInvalid } from "../../ConfigValues.ts"
import { makeKeyedLock } from "../../KeyedLock.ts"
import { PublishError } from "../../platforms/Platform.ts"
import { type BlobRef, BlobStore } from "../files/BlobStore.ts"
import { bytesMissing } from "../files/BytesMissing.ts"
import { conversionArguments } from "./ConversionArguments.ts"
import { ffmpeg, type FfmpegFailed } from "./Ffmpeg.ts"
import { codecsOf, type ReadyMedia, transferOf } from "../files/MediaRow.ts"
import { canToneMap, type HighRange } from "./ToneMapping.ts"
import type { Variant } from "../files/Variant.ts"
import { VideoProbe } from "./VideoProbe.ts"

/** A copy of a video in the store, beside the item's own bytes. */
export interface ConvertedVideo {
  readonly blob: BlobRef
  readonly mime_type: "video/mp4"
  readonly size_bytes: number
  readonly width: number
  readonly height: number
  readonly duration_ms: number
  readonly sha256: string
}

const patience = Duration.hours(1)

/** Converts videos for platforms that do not accept the stored file. */
export class VideoRenditions extends Context.Service<
  VideoRenditions,
  {
    /** Makes the copy at the first call and keeps it; null where the stored bytes are sent. */
    fit(row: ReadyMedia, variant: Variant): Effect.Effect<ConvertedVideo | null, PublishError>
    /** The copy if it has been made. */
    kept(row: ReadyMedia, variant: Variant): Effect.Effect<ConvertedVideo | null>
    /** Copies of videos with a high dynamic range have the standard one. */
    readonly toneMaps: boolean
  }
>()("@carillon/server/media/videos/VideoRenditions") {
  static readonly layerNoDeps = Layer.effect(
    VideoRenditions,
    Effect.gen(function* () {
      const config = yield* AppConfig
      const blobs = yield* BlobStore
      const prober = yield* VideoProbe
      const lock = yield* makeKeyedLock<string>()
      // One encoder keeps the whole processor busy.
      const slot = yield* Semaphore.make(1)
      if (config.videoTranscoding) yield* requireEncoders(config.ffmpeg)
      const toneMaps = config.videoTranscoding && (yield* canToneMap(config.ffmpeg))

      const planned = (row: ReadyMedia, { placement, fitted, use }: Variant): Planned | null => {
        const rules = placement.videos
        if (!config.videoTranscoding || !fitted || use !== "media" || row.kind !== "video") return null
        const shape = rules === undefined ? null : videoConversion(factsOf(row), rules)
        const range = toneMaps ? transferOf(row.probe) : null
        return rules === undefined || shape === null
          ? null
          : { rules, shape, range, key: keyOf(shape, range) }
      }

      const find = Effect.fnUntraced(function* (row: ReadyMedia, key: string) {
        const names = (yield* blobs.variants(row.id)).filter((name) => name.startsWith(`${key}-`))
        // Two processes may have made one each; sorting makes all of them take the same.
        const [found] = names.toSorted().flatMap((name) => describedBy(row, name) ?? [])
        return found ?? null
      })

      const convert = Effect.fn("VideoRenditions.convert")(function* (
        row: ReadyMedia,
        { key, shape, rules, range }: Planned
      ) {
        const input = yield* blobs.file(row).pipe(Effect.mapError(bytesMissing(row.id)))
        const output = yield* blobs.temporary
        yield* ffmpeg(
          config.ffmpeg,
          conversionArguments({ path: input, mime_type: row.mime_type }, output, shape, range)
        ).pipe(
          Effect.mapError(notConverted(row)),
          Effect.timeoutOrElse({ duration: patience, orElse: () => Effect.fail(tookTooLong(row)) })
        )
        const made = yield* prober.probe(output, row.workspace_id).pipe(Effect.orElseSucceed(() => null))
        if (made === null) return yield* unusable(row, "the copy cannot be read")
        const { size } = yield* Effect.promise(() => stat(output))
        const duration_ms = made.duration_ms ?? row.duration_ms ?? 0
        const copy = {
          mime_type: "video/mp4",
          video_codec: "avc",
          audio_codec: null,
          size_bytes: size,
          width: made.width,
          height: made.height
        } as const
        // The sound may end a few milliseconds after the picture; length and frame rate were checked before.
        const broken = brokenLimits({ ...factsOf(row), ...copy, frame_rate: null }, rules, false)
        if (broken.length > 0) {
          return yield* unusable(row, `the platform ${broken.map(({ sentence }) => sentence).join("; it ")}`)
        }
        const staged = yield* blobs.stage(createReadStream(output), size).pipe(Effect.mapError(noRoom))
        const name = [key, staged.sha256, size, made.width, made.height, duration_ms].join("-")
        yield* staged.keepVariant(row.id, `${name}.mp4`).pipe(Effect.mapError(noRoom))
        return { media_id: row.id, size_bytes: size, width: made.width, height: made.height }
      }, Effect.scoped)

      const fit = Effect.fn("VideoRenditions.fit")(function* (row: ReadyMedia, variant: Variant) {
        const plan = planned(row, variant)
        if (plan === null) return null
        return yield* lock(`${row.id}/${plan.key}`)(
          Effect.gen(function* () {
            const before = yield* find(row, plan.key)
            if (before !== null) return before
            const copy = yield* slot.withPermit(convert(row, plan))
            yield* Effect.annotateLogs(Effect.logInfo("a video was converted"), copy)
            return yield* find(row, plan.key)
          })
        )
      })

      const kept = Effect.fn("VideoRenditions.kept")(function* (row: ReadyMedia, variant: Variant) {
        const plan = planned(row, variant)
        return plan === null ? null : yield* find(row, plan.key)
      })

      return VideoRenditions.of({ fit, kept, toneMaps })
    })
  )
}

interface Planned {
  readonly rules: VideoRules
  readonly shape: VideoShape
  /** The range to be mapped to the standard one. */
  readonly range: HighRange | null
  readonly key: string
}

const requireEncoders = Effect.fnUntraced(function* (program: string) {
  const encoders = yield* ffmpeg(program, ["-hide_banner", "-encoders"]).pipe(
    Effect.timeout("30 seconds"),
    Effect.mapError(
      () =>
        new ConfigInvalid({
          message:
            `VIDEO_TRANSCODING is on, but the program ${program} could not be run. Install ffmpeg, set FFMPEG to ` +
            "its path, or set VIDEO_TRANSCODING to off."
        })
    )
  )
  const missing = ["libx264", "aac"].filter((name) => !new RegExp(` ${name} `).test(encoders))
  if (missing.length > 0) {
    return yield* new ConfigInvalid({
      message:
        `VIDEO_TRANSCODING is on, but this build of ffmpeg has no encoder ${missing.join(" and ")}. Install another ` +
        "build, set FFMPEG to its path, or set VIDEO_TRANSCODING to off."
    })
  }
})

const factsOf = ({
  kind,
  mime_type,
  size_bytes,
  width,
  height,
  duration_ms,
  probe
}: ReadyMedia): MediaFacts => {
  const rate = probe?.["frame_rate"]
  const frame_rate = typeof rate === "number" ? rate : null
  const codecs = codecsOf(probe)
  return { kind, mime_type, size_bytes, width, height, duration_ms, frame_rate, frames: null, ...codecs }
}

const keyOf = ({ width, height, frame_rate, bit_rate }: VideoShape, range: HighRange | null) =>
  createHash("sha256")
    .update(JSON.stringify([width, height, frame_rate, bit_rate, ...(range === null ? [] : [range])]))
    .digest("hex")
    .slice(0, 16)

const variantFile = /^[0-9a-f]{16}-([0-9a-f]{64})-(\d+)-(\d+)-(\d+)-(\d+)\.mp4$/

/** The name holds all facts of the copy, so a copy is there with all of them or not at all. */
const describedBy = (row: ReadyMedia, variant: string): ConvertedVideo | null => {
  const [, sha256, ...numbers] = variantFile.exec(variant) ?? []
  if (sha256 === undefined) return null
  const [size_bytes, width, height, duration_ms] = numbers.map(Number) as [number, number, number, number]
  const blob = { id: row.id, sha256: row.sha256, variant }
  return { blob, mime_type: "video/mp4", size_bytes, width, height, duration_ms, sha256 }
}

const unusable = (row: ReadyMedia, reason: string) =>
  new PublishError({
    class: "media_rejected",
    code: "video_not_converted",
    message:
      `The video ${row.id} could not be converted for the platform: ${reason}. Convert it yourself and upload it ` +
      "again."
  })

const notConverted =
  (row: ReadyMedia) =>
  ({ reason, words }: FfmpegFailed) =>
    reason === "refused"
      ? unusable(row, `ffmpeg said ${JSON.stringify(words)}`)
      : new PublishError({
          class: "transient",
          code: "ffmpeg_stopped",
          message: `ffmpeg failed on the video ${row.id} (${words}). If it happens again, tell the operator.`
        })

const tookTooLong = (row: ReadyMedia) => unusable(row, "ffmpeg did not finish within an hour")

const noRoom = () =>
  new PublishError({
    class: "transient",
    code: "storage_full",
    message: "The service has no space for the converted video. Tell the operator."
  })
