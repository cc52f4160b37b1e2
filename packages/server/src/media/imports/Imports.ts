import {
  type BadRequest,
  badRequest,
  type ContentTooLarge,
  CurrentActor,
  type ImportMedia,
  makerOf,
  type Media,
  MediaId,
  type ProblemItem,
  type WorkspaceId
} from "@carillon/domain"
import { Context, DateTime, Effect, Layer, Result, Struct } from "effect"
import { SecureRandom } from "effect/crypto"
import { SqlClient } from "effect/sql"
import { AppConfig } from "../../AppConfig.ts"
import { RemoteFetch } from "../../http/RemoteFetch.ts"
import { remoteFileName } from "../../http/RemoteFileName.ts"
import { Wakeup } from "../../sql/Wakeup.ts"
import { storable } from "../files/FileNames.ts"
import { ReservationRepository } from "../files/ReservationRepository.ts"
import { SignedUrls } from "../files/SignedUrls.ts"
import { requireQuota } from "../files/WorkspaceQuota.ts"
import { toMediaIds } from "../files/MediaIds.ts"
import type { MediaRow } from "../files/MediaRow.ts"
import { toMedia } from "../serving/MediaView.ts"
import { VideoFrames } from "../videos/VideoFrames.ts"
import { ImportRepository } from "./ImportRepository.ts"

/** An item to fetch, as it will be read back, and its URL. */
export interface PlannedImport {
  readonly row: MediaRow
  readonly url: string
}

export interface PlannedImports {
  readonly imports: ReadonlyArray<PlannedImport>
  readonly problems: ReadonlyArray<Omit<ProblemItem, "path"> & { readonly index: number }>
}

/** Files that the service fetches from URLs. */
export class Imports extends Context.Service<
  Imports,
  {
    /** Answers at once with the item whose bytes will follow. */
    import(payload: ImportMedia): Effect.Effect<Media, BadRequest | ContentTooLarge, CurrentActor>

    /** The items for files behind URLs, not yet stored, and the problems that the URLs alone show. */
    plan(
      workspaceId: WorkspaceId,
      urls: ReadonlyArray<string>
    ): Effect.Effect<PlannedImports, ContentTooLarge>
    /** Stores planned items and starts their fetches, in the caller's transaction. */
    start(imports: ReadonlyArray<PlannedImport>): Effect.Effect<void, never, CurrentActor>
    /** Retries the failed fetches among the items, in the caller's transaction. */
    restart(workspaceId: WorkspaceId, ids: ReadonlyArray<string>): Effect.Effect<void>
    /** Plans the tries of failed fetches anew, after a post with these items was changed, in the caller's transaction. */
    followPost(ids: ReadonlyArray<string>): Effect.Effect<void>
  }
>()("@carillon/server/media/imports/Imports") {
  static readonly layerNoDeps = Layer.effect(
    Imports,
    Effect.gen(function* () {
      const config = yield* AppConfig
      const sql = yield* SqlClient.SqlClient
      const reservations = yield* ReservationRepository
      const fetches = yield* ImportRepository
      const urls = yield* SignedUrls
      const frames = yield* VideoFrames
      const remote = yield* RemoteFetch
      const wakeup = yield* Wakeup

      const plan = Effect.fn("Imports.plan")(function* (
        workspaceId: WorkspaceId,
        given: ReadonlyArray<string>
      ) {
        if (given.length > 0) yield* requireQuota(config.workspaceBytes, reservations, workspaceId, null)
        const now = yield* DateTime.now
        const problems: Array<PlannedImports["problems"][number]> = []
        const imports: Array<PlannedImport> = []
        for (const [index, text] of given.entries()) {
          const url = yield* Effect.result(remote.check(text))
          if (Result.isFailure(url)) {
            problems.push({ index, code: "media_url_not_allowed", message: url.failure.message })
          } else {
            const name = storable(remoteFileName(undefined, url.success) ?? url.success.hostname)
            imports.push({
              url: url.success.href,
              row: { ...nothingKnown, ...newItem(workspaceId, now), name }
            })
          }
        }
        return { imports, problems }
      })

      const start = Effect.fn("Imports.start")(function* (
        imports: ReadonlyArray<PlannedImport>,
        named = false
      ) {
        if (imports.length === 0) return
        const maker = makerOf(yield* CurrentActor)
        for (const { row, url } of imports) {
          yield* reservations.insert(Struct.pick(row, inserted), maker)
          yield* fetches.insert(row.workspace_id, { media_id: row.id, url, named }, row.created_at)
        }
        yield* wakeup.imports.notify
      })

      const restart = Effect.fn("Imports.restart")(function* (
        workspaceId: WorkspaceId,
        ids: ReadonlyArray<string>
      ) {
        const wanted = toMediaIds(ids)
        yield* fetches.restart(workspaceId, wanted, yield* DateTime.now)
        yield* wakeup.imports.notify
      })

      const followPost = Effect.fn("Imports.followPost")(function* (ids: ReadonlyArray<string>) {
        const wanted = toMediaIds(ids)
        if (wanted.length > 0 && (yield* fetches.follow(wanted, yield* DateTime.now))) {
          yield* wakeup.imports.notify
        }
      })

      const importOne = Effect.fn("Imports.import")(function* ({ url, name }: ImportMedia) {
        const { workspace_id } = yield* CurrentActor
        const { imports, problems } = yield* plan(workspace_id, [url])
        const [planned] = imports
        if (planned === undefined) {
          return yield* badRequest(problems.map(({ index: _, ...item }) => ({ path: "url", ...item })))
        }
        const given = storable(name ?? "")
        const row = given === "" ? planned.row : { ...planned.row, name: given }
        yield* start([{ ...planned, row }], given !== "").pipe(
          sql.withTransaction,
          Effect.catchTag("SqlError", Effect.die)
        )
        return yield* toMedia(urls, frames, row)
      })

      return Imports.of({ import: importOne, plan, start, restart, followPost })
    })
  )
}

/** The row of a new item. */
const inserted = [
  "id",
  "workspace_id",
  "name",
  "mime_type",
  "kind",
  "size_bytes",
  "upload_expires_at",
  "created_at"
] as const

/** An item before its first byte was fetched. */
const nothingKnown = {
  alt_text: null,
  mime_type: null,
  kind: null,
  size_bytes: null,
  status: "reserved",
  error: null,
  importing: true,
  next_try_at: null,
  width: null,
  height: null,
  duration_ms: null,
  sha256: null,
  probe: null,
  upload_expires_at: null,
  deleted_at: null,
  expires_at: null,
  used_by: []
} as const

const newItem = (workspace_id: WorkspaceId, created_at: DateTime.Utc) => ({
  id: MediaId.make(SecureRandom.uuidV7Unsafe()),
  workspace_id,
  created_at
})
