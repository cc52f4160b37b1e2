import {
  type Conflict,
  type ContentTooLarge,
  makerOf,
  CurrentActor,
  type Forbidden,
  MediaId,
  mimeTypes,
  type NotFound,
  problem,
  type ReserveUpload
} from "@carillon/domain"
import { Context, DateTime, Effect, Layer, Schema } from "effect"
import { SecureRandom } from "effect/crypto"
import { SqlClient } from "effect/sql"
import { AppConfig } from "../../AppConfig.ts"
import { extensions, storable } from "../files/FileNames.ts"
import { MediaRepository } from "../files/MediaRepository.ts"
import { ReservationRepository } from "../files/ReservationRepository.ts"
import { type Signature, SignedUrls } from "../files/SignedUrls.ts"
import { checkSize } from "./UploadSize.ts"
import { requireReservation } from "./OpenReservations.ts"
import { requireQuota } from "../files/WorkspaceQuota.ts"

/** The page on which a person chooses the file of one item; its address is the permission until `expires_at`. */
export interface UploadPage {
  readonly url: string
  readonly expires_at: DateTime.Utc
}

/**
 * Uploads by a person in a browser, for agents that cannot send a file themselves. The page needs no sign-in: its signed
 * address is good for fifteen minutes and one item, and ends as soon as the item has its bytes.
 */
export class BrowserUploads extends Context.Service<
  BrowserUploads,
  {
    /** An item that takes its type and size from the file that will be chosen. */
    readonly reserve: Effect.Effect<{ media_id: MediaId; expires_at: DateTime.Utc }, never, CurrentActor>
    page(id: MediaId): Effect.Effect<UploadPage>
    /** Whether the page still waits for a file. */
    look(id: string, given: Signature): Effect.Effect<boolean, Forbidden>
    /** The address that takes the chosen file. */
    begin(
      id: string,
      given: Signature,
      file: ReserveUpload
    ): Effect.Effect<{ readonly upload_url: string }, Forbidden | NotFound | Conflict | ContentTooLarge>
  }
>()("@carillon/server/media/uploads/BrowserUploads") {
  static readonly layer = Layer.effect(
    BrowserUploads,
    Effect.gen(function* () {
      const repository = yield* MediaRepository
      const reservations = yield* ReservationRepository
      const urls = yield* SignedUrls
      const sql = yield* SqlClient.SqlClient
      const { maximumBytes, reservedBytes, workspaceBytes } = yield* AppConfig

      const reserve = Effect.gen(function* () {
        const actor = yield* CurrentActor
        const now = yield* DateTime.now
        const id = MediaId.make(SecureRandom.uuidV7Unsafe())
        const expires_at = DateTime.add(now, { hours: 1 })
        yield* reservations.insert(
          {
            id,
            workspace_id: actor.workspace_id,
            name: "Not chosen yet",
            mime_type: null,
            kind: null,
            size_bytes: null,
            upload_expires_at: expires_at,
            created_at: now
          },
          makerOf(actor)
        )
        return { media_id: id, expires_at }
      })

      const waiting = Effect.fnUntraced(function* (text: string, given: Signature) {
        yield* urls.verifyUploadPage(text, given)
        const row = Schema.is(MediaId)(text) ? yield* repository.byId(text) : null
        return row?.status === "reserved" && row.deleted_at === null && row.upload_expires_at !== null
          ? { id: row.id, workspace_id: row.workspace_id, until: row.upload_expires_at }
          : null
      })

      return BrowserUploads.of({
        reserve,
        page: Effect.fnUntraced(function* (id) {
          const now = yield* DateTime.now
          const expires_at = DateTime.startOf(DateTime.add(now, { minutes: 15 }), "second")
          return { url: urls.uploadPage(id, expires_at), expires_at }
        }),
        look: (id, given) => Effect.map(waiting(id, given), (found) => found !== null),
        begin: Effect.fn("BrowserUploads.begin")(function* (text, given, { mime_type, size_bytes, name }) {
          const found = yield* waiting(text, given)
          yield* checkSize(maximumBytes, mime_type, size_bytes)
          const kind = mimeTypes[mime_type]
          const file = {
            name: storable(name ?? "") || `${kind}.${extensions[mime_type]}`,
            mime_type,
            kind,
            size_bytes
          }
          const described =
            found !== null &&
            (yield* reservations
              .describe(found.id, file)
              .pipe(
                Effect.tap(requireReservation(reservedBytes, reservations, found.id, size_bytes)),
                Effect.tap(requireQuota(workspaceBytes, reservations, found.workspace_id, size_bytes)),
                sql.withTransaction,
                Effect.catchTag("SqlError", Effect.die)
              ))
          if (!described) {
            return yield* problem(
              "upload_already_complete",
              "This page has already received its file; ask for a new page to send another."
            )
          }
          return { upload_url: urls.upload({ ...file, id: found.id }, found.until) }
        })
      })
    })
  ).pipe(Layer.provide([MediaRepository.layer, ReservationRepository.layer, SignedUrls.layer]))
}
