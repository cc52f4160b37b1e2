import { Clock, Context, Effect, Layer, Schema, Semaphore } from "effect"
import { randomBytes } from "node:crypto"
import { Refused } from "../Exchange.ts"
import type { Fault } from "../Faults.ts"
import { Journal } from "../Journal.ts"
import { type Arrival, isoTime, Ledger, type Publication } from "../Ledger.ts"
import { MediaStore, type StoredMedia } from "../MediaStore.ts"
import { sha256 } from "../Redaction.ts"
import { videoIdOf } from "./VideoIds.ts"

const text = Schema.optionalKey(Schema.String)
const flag = Schema.optionalKey(Schema.Boolean)

/** The client's description of a video: the writable parts of `snippet` and `status`. */
export const VideoDraft = Schema.Struct({
  snippet: Schema.optionalKey(
    Schema.Struct({
      title: text,
      description: text,
      tags: Schema.optionalKey(Schema.Array(Schema.String)),
      categoryId: text,
      defaultLanguage: text
    })
  ),
  status: Schema.optionalKey(
    Schema.Struct({
      privacyStatus: text,
      publishAt: text,
      selfDeclaredMadeForKids: flag,
      containsSyntheticMedia: flag,
      embeddable: flag,
      license: text,
      publicStatsViewable: flag
    })
  )
})
export interface VideoDraft extends Schema.Schema.Type<typeof VideoDraft> {}

/** An upload that has begun; it makes at most one video. */
const UploadSession = Schema.Struct({
  id: Schema.String,
  account: Schema.String,
  /** Bytes; null until the first chunk says. */
  size: Schema.NullOr(Schema.Int),
  content_type: Schema.String,
  draft: VideoDraft,
  notify_subscribers: Schema.Boolean,
  /** Unix time in milliseconds. */
  expires_at: Schema.Int
})
interface UploadSession extends Schema.Schema.Type<typeof UploadSession> {}

const Processing = {
  /** How many more looks find it in progress. */
  polls: Schema.Int,
  becomes: Schema.Literals(["ready", "failed"]),
  reason: Schema.NullOr(Schema.String)
}

const YouTubeEvent = Schema.Union([
  Schema.Struct({ type: Schema.Literal("upload_started"), session: UploadSession }),
  Schema.Struct({ type: Schema.Literal("received"), session: Schema.String, bytes: Schema.Int }),
  Schema.Struct({
    type: Schema.Literal("created"),
    session: Schema.String,
    publication: Schema.String,
    ...Processing
  }),
  Schema.Struct({ type: Schema.Literal("looked"), publication: Schema.String }),
  Schema.Struct({
    type: Schema.Literal("thumbnail_set"),
    publication: Schema.String,
    media: Schema.String
  }),
  Schema.Struct({
    type: Schema.Literal("playlist_item_added"),
    publication: Schema.String,
    playlist: Schema.String
  }),
  Schema.Struct({ type: Schema.Literal("commented"), publication: Schema.String, text: Schema.String }),
  Schema.Struct({ type: Schema.Literal("reset") })
])
type YouTubeEvent = typeof YouTubeEvent.Type

interface Upload extends UploadSession {
  readonly received: number
  readonly publication: string | null
}

/** A video as its owner sees it. */
export interface Video {
  readonly publication: Publication
  readonly draft: VideoDraft
  readonly notify_subscribers: boolean
  readonly state: "processing" | "ready" | "failed"
  readonly reason: string | null
  /** Media id. */
  readonly thumbnail: string | null
  readonly playlists: ReadonlyArray<string>
  /** Those of its own channel; nobody else comments here. */
  readonly comments: ReadonlyArray<string>
}

interface StoredVideo extends Omit<Video, "publication" | "state"> {
  readonly polls: number
  readonly becomes: "ready" | "failed"
}

/** The uploads and videos of the stand-in for YouTube. Its videos are publications of the ledger. */
export class YouTube extends Context.Service<
  YouTube,
  {
    /** The permission that the session's address holds. The session's id is its hash. */
    start(upload: Omit<UploadSession, "id" | "expires_at">): Effect.Effect<string>
    /** 404 when there is none, or when it is older than a week. */
    upload(id: string): Effect.Effect<Upload, Refused>
    /** So many bytes have arrived in order. */
    received(id: string, bytes: number): void
    /** The last byte is there; called once for an upload. */
    create(id: string, size: number, fault: Fault | undefined, arrival: Arrival): Effect.Effect<Video>
    video(account: string, publication: string): Video | undefined
    /** A look moves a video in progress one step on. */
    look(account: string, publication: string): Video | undefined
    setThumbnail(publication: string, media: StoredMedia): void
    addToPlaylist(publication: string, playlist: string): void
    /** Gives its number on the video. */
    comment(publication: string, text: string): number
  }
>()("@carillon/sandbox/youtube/YouTube") {
  static readonly layer = Layer.effect(
    YouTube,
    Effect.gen(function* () {
      const ledger = yield* Ledger
      const store = yield* MediaStore
      const uploads = new Map<string, Upload>()
      const videos = new Map<string, StoredVideo>()
      // The last byte may come twice at the same time.
      const oneCreation = Semaphore.withPermit(yield* Semaphore.make(1))

      const change = <A>(map: Map<string, A>, key: string, part: Partial<A>) => {
        const value = map.get(key)
        if (value !== undefined) map.set(key, { ...value, ...part })
      }

      const apply = (event: YouTubeEvent) => {
        switch (event.type) {
          case "upload_started":
            uploads.set(event.session.id, { ...event.session, received: 0, publication: null })
            return
          case "received":
            change(uploads, event.session, { received: event.bytes })
            return
          case "created": {
            const { session, publication, polls, becomes, reason } = event
            const { draft, notify_subscribers } = uploads.get(session)!
            change(uploads, session, { publication })
            videos.set(publication, {
              draft,
              notify_subscribers,
              polls,
              becomes,
              reason,
              thumbnail: null,
              playlists: [],
              comments: []
            })
            return
          }
          case "looked":
            change(videos, event.publication, { polls: videos.get(event.publication)!.polls - 1 })
            return
          case "thumbnail_set":
            change(videos, event.publication, { thumbnail: event.media })
            return
          case "playlist_item_added":
            change(videos, event.publication, {
              playlists: [...videos.get(event.publication)!.playlists, event.playlist]
            })
            return
          case "commented":
            change(videos, event.publication, {
              comments: [...videos.get(event.publication)!.comments, event.text]
            })
            return
          case "reset":
            uploads.clear()
            videos.clear()
        }
      }
      const happen = yield* (yield* Journal).stream("youtube", YouTubeEvent, apply, { type: "reset" })

      const video = (account: string, id: string): Video | undefined => {
        const publication = ledger.find("youtube", id)
        const stored = videos.get(id)
        if (publication?.account !== account || stored === undefined) return undefined
        const { polls, becomes, ...rest } = stored
        return { ...rest, publication, state: polls > 0 ? "processing" : becomes }
      }

      return YouTube.of({
        start: Effect.fn("YouTube.start")(function* (upload) {
          const permission = randomBytes(24).toString("base64url")
          const expires_at = (yield* Clock.currentTimeMillis) + sessionMillis
          happen({ type: "upload_started", session: { id: sha256(permission), expires_at, ...upload } })
          return permission
        }),
        upload: Effect.fn("YouTube.upload")(function* (id) {
          const upload = uploads.get(id)
          if (upload !== undefined && upload.expires_at > (yield* Clock.currentTimeMillis)) return upload
          return yield* new Refused({
            status: 404,
            code: "notFound",
            message: "The upload session does not exist any more. Start the upload again."
          })
        }),
        received: (session, bytes) => happen({ type: "received", session, bytes }),
        create: Effect.fn("YouTube.create")(function* (id, size, fault, { id: request, received_at }) {
          const upload = uploads.get(id)!
          const { account, draft, content_type, publication: before } = upload
          if (before !== null) return video(account, before)!
          const media = yield* store.assemble(id, size, content_type)
          const publication = ledger.publish(
            {
              platform: "youtube",
              account,
              title: draft.snippet?.title ?? null,
              text: draft.snippet?.description ?? "",
              media: [{ ...media, alt_text: null }],
              idempotency_key: null,
              client_reference: null,
              received_at,
              published_at: isoTime(yield* Clock.currentTimeMillis),
              details: detailsOf(upload)
            },
            request
          )
          const {
            polls,
            becomes = "ready",
            reason = null
          } = fault?.fault === "processing" ? fault : { polls: 0 }
          happen({
            type: "created",
            session: id,
            publication: publication.id,
            polls,
            becomes,
            reason
          })
          return video(account, publication.id)!
        }, oneCreation),
        video,
        look: (account, id) => {
          const seen = video(account, id)
          if (seen?.state === "processing") happen({ type: "looked", publication: id })
          return seen
        },
        setThumbnail: (publication, media) => {
          happen({ type: "thumbnail_set", publication, media: media.id })
          ledger.tell(publication, { thumbnail: { ...media } })
        },
        addToPlaylist: (publication, playlist) => {
          happen({ type: "playlist_item_added", publication, playlist })
          ledger.tell(publication, { playlists: [...videos.get(publication)!.playlists] })
        },
        comment: (publication, text) => {
          happen({ type: "commented", publication, text })
          const { comments } = videos.get(publication)!
          ledger.tell(publication, { comments: [...comments] })
          return comments.length
        }
      })
    })
  )
}

/** The metadata that was sent besides the title and the description. */
const detailsOf = ({ draft: { snippet = {}, status = {} }, notify_subscribers }: UploadSession) => {
  const { title: _, description: __, ...rest } = snippet
  return { ...rest, ...status, notifySubscribers: notify_subscribers }
}

const sessionMillis = 7 * 24 * 3600 * 1000

/** The resource as `part` of a request asks for it. */
export const videoResource = (
  { publication, draft, state, reason, thumbnail }: Video,
  channel: { readonly id: string; readonly title: string; readonly keeps_private: boolean },
  parts: ReadonlyArray<string>
): { readonly [key: string]: Schema.Json } => {
  const { snippet = {}, status = {} } = draft
  return {
    kind: "youtube#video",
    etag: `"${publication.id}"`,
    id: videoIdOf(publication.id),
    ...(parts.includes("snippet")
      ? {
          snippet: {
            publishedAt: publication.published_at,
            channelId: channel.id,
            title: publication.title,
            description: publication.text,
            channelTitle: channel.title,
            ...(snippet.tags === undefined ? {} : { tags: snippet.tags }),
            categoryId: snippet.categoryId ?? "22",
            liveBroadcastContent: "none",
            thumbnails:
              thumbnail === null ? {} : { default: { url: `media/${thumbnail}`, width: 120, height: 90 } }
          }
        }
      : {}),
    ...(parts.includes("status")
      ? {
          status: {
            uploadStatus:
              state === "processing"
                ? "uploaded"
                : state === "ready"
                  ? "processed"
                  : isRejection(reason)
                    ? "rejected"
                    : "failed",
            ...(state !== "failed"
              ? {}
              : isRejection(reason)
                ? { rejectionReason: reason }
                : { failureReason: reason ?? "invalidFile" }),
            privacyStatus: channel.keeps_private ? "private" : (status.privacyStatus ?? "public"),
            license: status.license ?? "youtube",
            embeddable: status.embeddable ?? true,
            publicStatsViewable: status.publicStatsViewable ?? true,
            madeForKids: status.selfDeclaredMadeForKids ?? false,
            ...(status.selfDeclaredMadeForKids === undefined
              ? {}
              : { selfDeclaredMadeForKids: status.selfDeclaredMadeForKids }),
            ...(status.containsSyntheticMedia === undefined
              ? {}
              : { containsSyntheticMedia: status.containsSyntheticMedia })
          }
        }
      : {}),
    ...(parts.includes("processingDetails")
      ? {
          processingDetails: {
            processingStatus: { processing: "processing", ready: "succeeded", failed: "failed" }[state]
          }
        }
      : {})
  }
}

const isRejection = (reason: string | null) => reason !== null && rejections.has(reason)

const rejections = new Set([
  "claim",
  "copyright",
  "duplicate",
  "inappropriate",
  "legal",
  "length",
  "termsOfUse",
  "trademark",
  "uploaderAccountClosed",
  "uploaderAccountSuspended"
])
