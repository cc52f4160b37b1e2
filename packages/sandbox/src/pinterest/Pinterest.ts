import { Clock, Context, Effect, Layer, Record, Schema } from "effect"
import { randomBytes } from "node:crypto"
import { Journal } from "../Journal.ts"
import { Ledger, type Publication } from "../Ledger.ts"
import { StoredMedia } from "../MediaStore.ts"
import { sha256 } from "../Redaction.ts"
import { carouselsOf } from "./Carousels.ts"

/** A registered video, and the form for sending it. */
const Upload = Schema.Struct({
  /** Digits, above 2^53. */
  media_id: Schema.String,
  account: Schema.String,
  /** The form's field that names the upload. */
  key: Schema.String,
  /** The hash of every field of the form. Missing in ledgers of before, whose uploads are over. */
  parameters_sha256: Schema.optionalKey(Schema.Record(Schema.String, Schema.String)),
  /** Unix time in milliseconds. */
  expires_at: Schema.Int
})
export interface Upload extends Schema.Schema.Type<typeof Upload> {}

const PinterestEvent = Schema.Union([
  Schema.Struct({ type: Schema.Literal("registered"), upload: Upload }),
  Schema.Struct({
    type: Schema.Literal("uploaded"),
    media_id: Schema.String,
    file: StoredMedia,
    /** How many more looks find it in progress. */
    polls: Schema.Int,
    becomes: Schema.Literals(["succeeded", "failed"])
  }),
  Schema.Struct({ type: Schema.Literal("looked"), media_id: Schema.String }),
  Schema.Struct({ type: Schema.Literal("reset") })
])
type PinterestEvent = typeof PinterestEvent.Type

/** A video as its account sees it. */
export interface Video extends Upload {
  readonly file: StoredMedia | null
  readonly status: "registered" | "processing" | "succeeded" | "failed"
}

interface StoredVideo extends Upload {
  readonly file: StoredMedia | null
  readonly polls: number
  readonly becomes: "succeeded" | "failed"
}

/** The videos of the stand-in for Pinterest, and its pins, which are publications of the ledger. */
export class Pinterest extends Context.Service<
  Pinterest,
  {
    /** The id, and the fields of the form, which tell the store that Pinterest has allowed the upload. */
    register(
      account: string,
      seconds: number
    ): Effect.Effect<{ readonly media_id: string; readonly parameters: Readonly<Record<string, string>> }>
    byKey(key: string): Upload | undefined
    uploaded(mediaId: string, file: StoredMedia, polls: number, becomes: "succeeded" | "failed"): void
    video(account: string, mediaId: string): Video | undefined
    /** A look moves a video in progress one step on. */
    look(account: string, mediaId: string): Video | undefined
    /** Newest first. */
    pins(account: string, boardId?: string): ReadonlyArray<Publication>
  }
>()("@carillon/sandbox/pinterest/Pinterest") {
  static readonly layer = Layer.effect(
    Pinterest,
    Effect.gen(function* () {
      const ledger = yield* Ledger
      const videos = new Map<string, StoredVideo>()
      let count = 0

      const change = (id: string, part: Partial<StoredVideo>) => {
        const video = videos.get(id)
        if (video !== undefined) videos.set(id, { ...video, ...part })
      }

      const apply = (event: PinterestEvent) => {
        switch (event.type) {
          case "registered":
            count += 1
            videos.set(event.upload.media_id, {
              ...event.upload,
              file: null,
              polls: 0,
              becomes: "succeeded"
            })
            return
          case "uploaded":
            change(event.media_id, { file: event.file, polls: event.polls, becomes: event.becomes })
            return
          case "looked":
            change(event.media_id, { polls: (videos.get(event.media_id)?.polls ?? 1) - 1 })
            return
          case "reset":
            videos.clear()
        }
      }
      const happen = yield* (yield* Journal).stream("pinterest", PinterestEvent, apply, { type: "reset" })

      const video = (account: string, id: string): Video | undefined => {
        const stored = videos.get(id)
        if (stored?.account !== account) return undefined
        const { polls, becomes, ...rest } = stored
        return { ...rest, status: rest.file === null ? "registered" : polls > 0 ? "processing" : becomes }
      }

      return Pinterest.of({
        register: Effect.fn("Pinterest.register")(function* (account, seconds) {
          const media_id = String(firstMediaId + BigInt(count))
          const key = `uploads/${media_id.slice(-6)}:video:${media_id}`
          const parameters = {
            "x-amz-date": "20260101T000000Z",
            "x-amz-signature": randomBytes(32).toString("hex"),
            "x-amz-security-token": randomBytes(90).toString("base64"),
            "x-amz-algorithm": "AWS4-HMAC-SHA256",
            key,
            policy: randomBytes(60).toString("base64"),
            "x-amz-credential": "TESTNETWORK/20260101/us-east-1/s3/aws4_request",
            "Content-Type": "multipart/form-data"
          }
          const upload: Upload = {
            media_id,
            account,
            key,
            parameters_sha256: Record.map(parameters, sha256),
            expires_at: (yield* Clock.currentTimeMillis) + seconds * 1000
          }
          happen({ type: "registered", upload })
          return { media_id, parameters }
        }),
        byKey: (key) => [...videos.values()].find((video) => video.key === key),
        uploaded: (media_id, file, polls, becomes) =>
          happen({ type: "uploaded", media_id, file, polls, becomes }),
        video,
        look: (account, id) => {
          const seen = video(account, id)
          if (seen?.status === "processing") happen({ type: "looked", media_id: id })
          return seen
        },
        pins: (account, boardId) =>
          ledger
            .publications({ platform: "pinterest", account })
            .filter(({ details }) => boardId === undefined || details?.["board_id"] === boardId)
            .toReversed()
            .concat(
              boardId !== undefined && account.endsWith("-carousels") ? carouselsOf(account, boardId) : []
            )
      })
    })
  )
}

const firstMediaId = 5_212_123_920_968_240_001n
