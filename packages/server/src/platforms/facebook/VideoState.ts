import { Effect, Schema } from "effect"
import type { Graph } from "../meta/Graph.ts"
import { refuseOfFiles } from "./FacebookErrors.ts"

const Problem = Schema.Struct({ message: Schema.optionalKey(Schema.String) })
const bytes = Schema.optionalKey(Schema.Union([Schema.Finite, Schema.FiniteFromString]))
const Phase = Schema.optionalKey(
  Schema.Struct({
    status: Schema.optionalKey(Schema.String),
    // Facebook's documents have both.
    bytes_transferred: bytes,
    bytes_transfered: bytes,
    publish_status: Schema.optionalKey(Schema.String),
    error: Schema.optionalKey(Problem),
    errors: Schema.optionalKey(Schema.Array(Problem))
  })
)
const Looked = Schema.Struct({
  published: Schema.optionalKey(Schema.Boolean),
  permalink_url: Schema.optionalKey(Schema.String),
  status: Schema.optionalKey(
    Schema.Struct({
      video_status: Schema.optionalKey(Schema.String),
      uploading_phase: Phase,
      processing_phase: Phase,
      publishing_phase: Phase
    })
  )
})

export interface VideoState {
  /** Why Facebook gave it up. */
  readonly failed: string | undefined
  /** Bytes that have arrived. */
  readonly arrived: number
  readonly isComplete: boolean
  /** Facebook processes or publishes it. */
  readonly isWorking: boolean
  /** It says so of the whole video; of a reel it does even before the commit. */
  readonly isProcessing: boolean
  readonly isPublished: boolean
  /** From the root of www.facebook.com, or a whole address. */
  readonly permalink: string | undefined
}

/** https://developers.facebook.com/docs/video-api/guides/reels-publishing and /docs/graph-api/reference/video-status */
export const videoState = ({ get }: Graph<"facebook">) =>
  Effect.fnUntraced(function* (token: string, id: string) {
    const {
      permalink_url,
      published,
      status = {}
    } = yield* get({ login: "facebook", token }, id, { fields: "status,published,permalink_url" }, Looked, {
      refuse: refuseOfFiles
    })
    const { processing_phase, publishing_phase, uploading_phase, video_status } = status
    const phases = [uploading_phase, processing_phase, publishing_phase]
    const isFailed =
      ["error", "expired"].includes(video_status ?? "") || phases.some((phase) => phase?.status === "error")
    const said = phases.flatMap((phase) => phase?.error?.message ?? phase?.errors?.[0]?.message ?? [])
    const isProcessed = video_status === "ready" || processing_phase?.status === "complete"
    return {
      failed: isFailed ? (said[0] ?? `The video's status is ${video_status ?? "error"}.`) : undefined,
      arrived: uploading_phase?.bytes_transferred ?? uploading_phase?.bytes_transfered ?? 0,
      isComplete: isProcessed || video_status === "upload_complete" || uploading_phase?.status === "complete",
      isWorking: [processing_phase, publishing_phase].some((phase) => phase?.status === "in_progress"),
      isProcessing: video_status === "processing",
      isPublished:
        publishing_phase?.publish_status === "published" ||
        (publishing_phase === undefined
          ? published === true && isProcessed
          : publishing_phase.status === "complete" && publishing_phase.publish_status === undefined),
      permalink: permalink_url
    } satisfies VideoState
  })
