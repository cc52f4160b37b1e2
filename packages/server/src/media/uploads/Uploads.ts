import {
  type Conflict,
  type ContentTooLarge,
  CurrentActor,
  type Forbidden,
  type InsufficientStorage,
  makerOf,
  type Media,
  MediaId,
  type MimeType,
  mimeTypes,
  type NotFound,
  problem,
  type ReserveUpload,
  type UnprocessableContent,
  type UnsupportedMediaType,
  type UploadReservation
} from "@carillon/domain"
import { Context, DateTime, Effect, Layer } from "effect"
import { SecureRandom } from "effect/crypto"
import { SqlClient } from "effect/sql"
import type { Readable } from "node:stream"
import { AppConfig } from "../../AppConfig.ts"
import { BlobStore, type BytesRefused, type StorageFull } from "../files/BlobStore.ts"
import { extensions, storable } from "../files/FileNames.ts"
import { ReservationRepository } from "../files/ReservationRepository.ts"
import { type Signature, SignedUrls } from "../files/SignedUrls.ts"
import { requireQuota } from "../files/WorkspaceQuota.ts"
import { MediaEvents } from "../MediaEvents.ts"
import { noSuchItem, toMediaId } from "../files/MediaIds.ts"
import { MediaRepository } from "../files/MediaRepository.ts"
import type { MediaRow, ReadyMedia } from "../files/MediaRow.ts"
import { toMedia } from "../serving/MediaView.ts"
import { Probe } from "../Probe.ts"
import { VideoFrames } from "../videos/VideoFrames.ts"
import { requireReservation } from "./OpenReservations.ts"
import { checkSize } from "./UploadSize.ts"

/** A PUT to an upload URL. `body` is called after every check that needs no byte. */
export interface IncomingUpload {
  readonly content_type: string | undefined
  /** null where the length is not declared (a chunked body). */
  readonly content_length: number | null
  readonly body: () => Readable
  /** Called when the body stopped coming. */
  readonly abandon: () => void
}

type UploadProblem =
  | Forbidden
  | NotFound
  | Conflict
  | UnsupportedMediaType
  | UnprocessableContent
  | InsufficientStorage

/** Files that clients send. */
export class Uploads extends Context.Service<
  Uploads,
  {
    reserve(payload: ReserveUpload): Effect.Effect<UploadReservation, ContentTooLarge, CurrentActor>
    receive(mediaId: string, given: Signature, upload: IncomingUpload): Effect.Effect<Media, UploadProblem>
    /** The item with its bytes; a problem says why they are not there. */
    complete(mediaId: string): Effect.Effect<Media, NotFound | Conflict, CurrentActor>
  }
>()("@carillon/server/media/uploads/Uploads") {
  static readonly layerNoDeps = Layer.effect(
    Uploads,
    Effect.gen(function* () {
      const config = yield* AppConfig
      const sql = yield* SqlClient.SqlClient
      const repository = yield* MediaRepository
      const reservations = yield* ReservationRepository
      const blobs = yield* BlobStore
      const urls = yield* SignedUrls
      const prober = yield* Probe
      const frames = yield* VideoFrames
      const told = yield* MediaEvents
      const uploading = new Set<MediaId>()

      const shown = (row: MediaRow) => toMedia(urls, frames, row)

      const reserve = Effect.fn("Uploads.reserve")(function* ({
        mime_type,
        size_bytes,
        name
      }: ReserveUpload) {
        const actor = yield* CurrentActor
        const { workspace_id } = actor
        const kind = mimeTypes[mime_type]
        yield* checkSize(config.maximumBytes, mime_type, size_bytes)
        const now = yield* DateTime.now
        const expires_at = DateTime.startOf(DateTime.add(now, { hours: 1, seconds: 1 }), "second")
        const id = MediaId.make(SecureRandom.uuidV7Unsafe())
        const cleaned = storable(name ?? "") || `${kind}.${extensions[mime_type]}`
        yield* reservations
          .insert(
            {
              id,
              workspace_id,
              name: cleaned,
              mime_type,
              kind,
              size_bytes,
              upload_expires_at: expires_at,
              created_at: now
            },
            makerOf(actor)
          )
          .pipe(
            Effect.andThen(requireReservation(config.reservedBytes, reservations, id, size_bytes)),
            Effect.andThen(requireQuota(config.workspaceBytes, reservations, workspace_id, size_bytes)),
            sql.withTransaction,
            Effect.catchTag("SqlError", Effect.die)
          )
        return {
          media_id: id,
          upload_url: urls.upload({ id, mime_type, size_bytes }, expires_at),
          complete_url: urls.complete(id),
          name: cleaned,
          expires_at
        }
      })

      const existing = Effect.fnUntraced(function* (id: MediaId) {
        const row = yield* repository.byId(id)
        return row === null || row.deleted_at !== null ? yield* noSuchItem(id) : row
      })

      const receive = Effect.fn("Uploads.receive")(function* (
        mediaId: string,
        given: Signature,
        upload: IncomingUpload
      ) {
        const id = toMediaId(mediaId)
        const found = id === null ? null : yield* repository.byId(id)
        const row = found !== null && isUpload(found) ? found : null
        yield* urls.verifyUpload(row, given)
        if (row === null || row.deleted_at !== null) return yield* noSuchItem(mediaId)
        yield* refuseByHeaders(row, upload)
        yield* claim(row.id)
        const { status } = yield* existing(row.id)
        yield* status === "ready" ? compare(row, upload) : store(row, upload)
        // A holder of the address may have no credential, and sees no post.
        return yield* shown({ ...(yield* existing(row.id)), used_by: [] })
      }, Effect.scoped)

      /** Refuses the second of two concurrent uploads to one item before its body is read. */
      const claim = (id: MediaId) =>
        Effect.acquireRelease(
          Effect.suspend(() => {
            if (uploading.has(id)) {
              return Effect.fail(
                problem(
                  "upload_in_progress",
                  `Another upload to media item ${id} is running. Wait for it to finish.`
                )
              )
            }
            uploading.add(id)
            return Effect.void
          }),
          () => Effect.sync(() => uploading.delete(id))
        )

      const store = Effect.fnUntraced(
        function* (row: UploadRow, upload: IncomingUpload) {
          const staged = yield* blobs
            .stage(upload.body(), row.size_bytes)
            .pipe(Effect.catchTag("BytesRefused", wrongSize(row, upload)))
          const facts = yield* prober.probe(staged.path, row.mime_type, row.workspace_id)
          yield* staged.send(row.id)
          // Complete bytes are kept even if the client has gone: it asks with complete_url.
          const filled = yield* reservations
            .fill(
              row.id,
              { ...row, ...facts, sha256: staged.sha256 },
              staged.publish(row.id),
              told.settled(row.id)
            )
            .pipe(Effect.uninterruptible)
          if (filled) return
          // Another process was faster, or the item was deleted meanwhile.
          const present = yield* repository.byId(row.id)
          if (present?.deleted_at !== null || present.sha256 !== staged.sha256) yield* staged.discard(row.id)
          yield* requireSame(yield* existing(row.id), staged.sha256)
        },
        Effect.catchTag("StorageFull", storageFull)
      )

      /** A client that lost the answer sends the file again: the same bytes are no mistake, others are. */
      const compare = Effect.fnUntraced(function* (row: UploadRow, upload: IncomingUpload) {
        const { sha256 } = yield* blobs
          .digest(upload.body(), row.size_bytes)
          .pipe(Effect.catchTag("BytesRefused", wrongSize(row, upload)))
        yield* requireSame(yield* existing(row.id), sha256)
      })

      const requireSame = Effect.fnUntraced(function* (row: MediaRow, sha256: string) {
        if (row.sha256 !== sha256) {
          return yield* problem(
            "upload_already_complete",
            `Media item ${row.id} already holds another file. Reserve a new upload for this one.`
          )
        }
      })

      const complete = Effect.fn("Uploads.complete")(function* (mediaId: string) {
        const row = yield* repository.visible(mediaId)
        if (row.upload_expires_at === null && row.status !== "ready") {
          return yield* row.error === null
            ? incomplete(
                "still_importing",
                `Media item ${row.id} is being fetched from its URL and has not arrived yet: read it again later.`
              )
            : incomplete("import_failed", `Media item ${row.id} could not be fetched. ${row.error.message}`)
        }
        if (row.upload_expires_at !== null && row.status !== "ready") {
          const until = DateTime.formatIso(row.upload_expires_at)
          return yield* DateTime.isGreaterThan(row.upload_expires_at, yield* DateTime.now)
            ? problem(
                "upload_incomplete",
                `The bytes of media item ${row.id} have not arrived: PUT the file to its upload_url before ${until}.`
              )
            : incomplete(
                "upload_expired",
                `The bytes of media item ${row.id} never arrived and its upload_url expired at ${until}: reserve the upload again.`
              )
        }
        return yield* shown(row)
      })

      return Uploads.of({ reserve, receive, complete })
    })
  )
}

/** The rule says what is to be done instead of sending the bytes. */
const incomplete = (rule: "still_importing" | "import_failed" | "upload_expired", message: string) =>
  problem("upload_incomplete", [{ path: "", code: "upload_incomplete", rule, message }])

/** An item that waits for its bytes. */
type UploadRow = MediaRow & {
  readonly mime_type: MimeType
  readonly kind: ReadyMedia["kind"]
  readonly size_bytes: number
  readonly upload_expires_at: DateTime.Utc
}

const isUpload = (row: MediaRow): row is UploadRow =>
  row.upload_expires_at !== null && row.mime_type !== null && row.kind !== null && row.size_bytes !== null

/** Problems that the headers alone show. */
const refuseByHeaders = Effect.fnUntraced(function* (row: UploadRow, upload: IncomingUpload) {
  const type = upload.content_type?.split(";", 1)[0]!.trim().toLowerCase()
  if (type !== row.mime_type) {
    return yield* problem(
      "unsupported_media_type",
      `The Content-Type is ${type ?? "missing"}; this upload was reserved for ${row.mime_type}. Send exactly that.`
    )
  }
  const length = upload.content_length
  if (length !== null && length !== row.size_bytes) {
    return yield* row.status === "ready"
      ? problem(
          "upload_already_complete",
          `Media item ${row.id} already holds another file. Reserve a new upload for this one.`
        )
      : problem(
          "upload_size_mismatch",
          `The Content-Length is ${length}; size_bytes of the reservation is ${row.size_bytes}. ` +
            "Send exactly that many bytes, or reserve the upload again with the correct size."
        )
  }
})

const wrongSize = (row: UploadRow, upload: IncomingUpload) => (refused: BytesRefused) => {
  if (refused.reason === "too_slow") upload.abandon()
  return Effect.fail(
    problem("upload_size_mismatch", `${sizeSentence(row, refused)} Nothing was kept; send the file again.`)
  )
}

const sizeSentence = ({ size_bytes }: UploadRow, { reason, received }: BytesRefused) => {
  switch (reason) {
    case "too_short":
      return `The body ended after ${received} bytes; size_bytes of the reservation is ${size_bytes}.`
    case "too_long":
      return `The body has more than the ${size_bytes} bytes of the reservation.`
    case "interrupted":
      return `The connection broke after ${received} of ${size_bytes} bytes.`
    case "too_slow":
      return `The upload was cut off after ${received} of ${size_bytes} bytes: it stalled for 30 s, or sent less than 8 KiB/s for a minute.`
  }
}

const storageFull = (_: StorageFull) =>
  Effect.fail(
    problem("storage_full", "The service has no space for this file. Nothing was kept; tell the operator.")
  )
