import {
  type BadRequest,
  badRequest,
  type Conflict,
  type ContentTooLarge,
  CurrentActor,
  type Forbidden,
  type Found,
  type ImageRules,
  type ImportMedia,
  type InsufficientStorage,
  isHeld,
  makerOf,
  type Media,
  type MediaFilter,
  MediaId,
  type MediaDeleted,
  type MimeType,
  mimeTypes,
  type NotFound,
  type Page,
  type PostId,
  problem,
  type ProblemItem,
  type ReserveUpload,
  type UnprocessableContent,
  type UnsupportedMediaType,
  type UpdateMedia,
  type UploadReservation,
  type WorkspaceId,
  type ByteRange
} from "@carillon/domain"
import { Context, DateTime, Effect, Layer, Result, Schema, type Scope, Struct } from "effect"
import { SecureRandom } from "effect/crypto"
import { SqlClient } from "effect/sql"
import { open as openFile } from "node:fs/promises"
import type { Readable } from "node:stream"
import { AppConfig } from "../AppConfig.ts"
import { RemoteFetch } from "../http/RemoteFetch.ts"
import { remoteFileName } from "../http/RemoteFileName.ts"
import { PublishError, type PublishMedia } from "../platforms/Platform.ts"
import { BlobStore, type BytesRefused, type StorageFull } from "./files/BlobStore.ts"
import { BlobStoreLayer } from "./files/BlobStoreLayer.ts"
import { VideoRenditions } from "./videos/VideoRenditions.ts"
import { extensions, storable } from "./files/FileNames.ts"
import { ImageRenditions } from "./images/ImageRenditions.ts"
import { ImageFit } from "./images/ImageFit.ts"
import { MediaEvents } from "./MediaEvents.ts"
import { toMedia } from "./MediaView.ts"
import { checkSize } from "./uploads/UploadSize.ts"
import { ImportRepository } from "./imports/ImportRepository.ts"
import { isReady, MediaRepository, type MediaRow, type ReadyMedia } from "./MediaRepository.ts"
import { PostsUsingMedia } from "./PostsUsingMedia.ts"
import { Probe } from "./Probe.ts"
import { type PublishOptions, toPublishMedia, variantFor } from "./serving/PublishableMedia.ts"
import { type Signature, SignedUrls } from "./files/SignedUrls.ts"
import { variantOf } from "./files/Variant.ts"
import type { WantedFrame } from "./videos/FrameArguments.ts"
import { thumbnailName, Thumbnails } from "./images/Thumbnails.ts"
import { VideoFrames } from "./videos/VideoFrames.ts"
import { VideoProbe } from "./videos/VideoProbe.ts"
import { requireReservation } from "./uploads/OpenReservations.ts"
import { requireQuota } from "./files/WorkspaceQuota.ts"
import { Wakeup } from "../sql/Wakeup.ts"

/** A PUT to an upload URL. `body` is called after every check that needs no byte. */
export interface IncomingUpload {
  readonly content_type: string | undefined
  /** null where the length is not declared (a chunked body). */
  readonly content_length: number | null
  readonly body: () => Readable
  /** Called when the body stopped coming. */
  readonly abandon: () => void
}

/** An item to fetch, as it will be read back, and its URL. */
export interface PlannedImport {
  readonly row: MediaRow
  readonly url: string
}

export interface PlannedImports {
  readonly imports: ReadonlyArray<PlannedImport>
  readonly problems: ReadonlyArray<Omit<ProblemItem, "path"> & { readonly index: number }>
}

/** The bytes of an item for a holder of its signed URL. */
export interface ServedFile {
  readonly name: string
  readonly mime_type: MimeType
  readonly kind: ReadyMedia["kind"]
  readonly size_bytes: number
  /** The same for the same bytes. */
  readonly etag: string
  readonly created_at: DateTime.Utc
  readonly open: (range?: ByteRange) => Effect.Effect<Readable, NotFound, Scope.Scope>
}

type UploadProblem =
  | Forbidden
  | NotFound
  | Conflict
  | UnsupportedMediaType
  | UnprocessableContent
  | InsufficientStorage

/** The workspace's media. */
export class MediaLibrary extends Context.Service<
  MediaLibrary,
  {
    reserve(payload: ReserveUpload): Effect.Effect<UploadReservation, ContentTooLarge, CurrentActor>
    receive(mediaId: string, given: Signature, upload: IncomingUpload): Effect.Effect<Media, UploadProblem>
    /** Answers at once with the item whose bytes will follow. */
    import(payload: ImportMedia): Effect.Effect<Media, BadRequest | ContentTooLarge, CurrentActor>
    complete(mediaId: string): Effect.Effect<Media, NotFound | Conflict, CurrentActor>
    list(filter: MediaFilter, page: Page): Effect.Effect<Found<Media>, never, CurrentActor>
    get(mediaId: string): Effect.Effect<Media, NotFound, CurrentActor>
    update(mediaId: string, changes: UpdateMedia): Effect.Effect<Media, NotFound | Conflict, CurrentActor>
    remove(mediaId: string): Effect.Effect<MediaDeleted, NotFound | Conflict, CurrentActor>
    serve(mediaId: string, given: Signature): Effect.Effect<ServedFile, Forbidden | NotFound>
    /** The same for an image, or a converted video, as a platform gets it. */
    serveVariant(
      mediaId: string,
      variant: string,
      given: Signature
    ): Effect.Effect<ServedFile, Forbidden | NotFound>

    /** For other rooms: the existing items with their known facts, in the order asked for. */
    find(workspaceId: WorkspaceId, ids: ReadonlyArray<string>): Effect.Effect<ReadonlyArray<MediaRow>>
    /**
     * The same inside a transaction that is about to reference them: none of them can be deleted before it ends.
     * A transaction that also locks a post locks the post first.
     */
    lockForUse(workspaceId: WorkspaceId, ids: ReadonlyArray<string>): Effect.Effect<ReadonlyArray<MediaRow>>
    /** The items for files behind URLs, not yet stored, and the problems that the URLs alone show. */
    planImports(
      workspaceId: WorkspaceId,
      urls: ReadonlyArray<string>
    ): Effect.Effect<PlannedImports, ContentTooLarge>
    /** Stores planned items and starts their fetches, in the caller's transaction. */
    startImports(imports: ReadonlyArray<PlannedImport>): Effect.Effect<void, never, CurrentActor>
    /** Retries the failed fetches among the items, in the caller's transaction. */
    restartImports(workspaceId: WorkspaceId, ids: ReadonlyArray<string>): Effect.Effect<void>
    /** Plans the tries of failed fetches anew, after a post with these items was changed, in the caller's transaction. */
    followPost(ids: ReadonlyArray<string>): Effect.Effect<void>
    /** An item as a platform gets it. */
    publishable(
      workspaceId: WorkspaceId,
      mediaId: string,
      options: PublishOptions
    ): Effect.Effect<PublishMedia, PublishError>
    /** A frame of a video, as a JPEG within the rules. */
    frame(
      workspaceId: WorkspaceId,
      mediaId: string,
      frame: WantedFrame,
      rules: ImageRules
    ): ReturnType<ImageRenditions["Service"]["frame"]>
    /** Copies of videos with a high dynamic range have the standard one. */
    readonly toneMaps: boolean
    /** Whether frames can be cut here. */
    readonly cutsFrames: Effect.Effect<boolean>
    /** Deletes items that nobody needs any more. */
    readonly collect: Effect.Effect<void>
  }
>()("@carillon/server/media/MediaLibrary") {
  static readonly layerNoDeps = Layer.effect(
    MediaLibrary,
    Effect.gen(function* () {
      const config = yield* AppConfig
      const sql = yield* SqlClient.SqlClient
      const repository = yield* MediaRepository
      const posts = yield* PostsUsingMedia
      const blobs = yield* BlobStore
      const urls = yield* SignedUrls
      const prober = yield* Probe
      const images = yield* ImageRenditions
      const videos = yield* VideoRenditions
      const frames = yield* VideoFrames
      const thumbnails = yield* Thumbnails
      const told = yield* MediaEvents
      const remote = yield* RemoteFetch
      const fetches = yield* ImportRepository
      const wakeup = yield* Wakeup
      const uploading = new Set<MediaId>()

      const shown = (row: MediaRow) => toMedia(urls, frames, row)

      const reserve = Effect.fn("MediaLibrary.reserve")(function* ({
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
        yield* repository
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
            Effect.andThen(requireReservation(config.reservedBytes, repository, id, size_bytes)),
            Effect.andThen(requireQuota(config.workspaceBytes, repository, workspace_id, size_bytes)),
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

      const receive = Effect.fn("MediaLibrary.receive")(function* (
        mediaId: string,
        given: Signature,
        upload: IncomingUpload
      ) {
        const id = toId(mediaId)
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
          const filled = yield* repository
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

      const owned = Effect.fnUntraced(function* (mediaId: string) {
        const { workspace_id, social_accounts } = yield* CurrentActor
        const id = toId(mediaId)
        const [row] = id === null ? [] : yield* repository.byIds(workspace_id, [id], social_accounts)
        return row ?? (yield* noSuchItem(mediaId))
      })

      const complete = Effect.fn("MediaLibrary.complete")(function* (mediaId: string) {
        const row = yield* owned(mediaId)
        if (row.upload_expires_at === null && row.status !== "ready") {
          return yield* problem(
            "upload_incomplete",
            row.error === null
              ? `Media item ${row.id} is being fetched from its URL and has not arrived yet: read it again later.`
              : `Media item ${row.id} could not be fetched. ${row.error.message}`
          )
        }
        if (row.upload_expires_at !== null && row.status !== "ready") {
          const until = DateTime.formatIso(row.upload_expires_at)
          return yield* problem(
            "upload_incomplete",
            DateTime.isGreaterThan(row.upload_expires_at, yield* DateTime.now)
              ? `The bytes of media item ${row.id} have not arrived: PUT the file to its upload_url before ${until}.`
              : `The bytes of media item ${row.id} never arrived and its upload_url expired at ${until}: reserve the upload again.`
          )
        }
        return yield* shown(row)
      })

      const list = Effect.fn("MediaLibrary.list")(function* (filter: MediaFilter, page: Page) {
        const { workspace_id, social_accounts } = yield* CurrentActor
        const { data, ...rest } = yield* repository.list(workspace_id, social_accounts, filter, page)
        return { data: yield* Effect.forEach(data, shown), ...rest }
      })

      const get = Effect.fn("MediaLibrary.get")((mediaId: string) => Effect.flatMap(owned(mediaId), shown))

      const keptForPerson = (id: MediaId, draft: PostId | null) =>
        problem(
          "approval_needed",
          `The media item ${id} ${
            draft === null
              ? `was not added by this app, which is held for approval and may change and delete only its own. Ask the person to do it, or to change the app at ${config.publicUrl}/connected-apps.`
              : `is on the draft ${draft}, which is for a person to change: see ${config.publicUrl}/approvals/${draft}`
          }`
        )

      const update = Effect.fn("MediaLibrary.update")(function* (mediaId: string, changes: UpdateMedia) {
        const actor = yield* CurrentActor
        const id = toId(mediaId)
        if (id === null) return yield* noSuchItem(mediaId)
        const { name, ...words } = changes
        const named = name === undefined ? {} : { name: storable(name) }
        const changed = yield* repository.update(actor.workspace_id, actor, id, {
          ...words,
          ...(named.name === "" ? {} : named)
        })
        if (changed._tag === "missing") return yield* noSuchItem(mediaId)
        if (changed._tag === "in_use") {
          return yield* problem(
            "media_in_use",
            `Media item ${id} is on scheduled posts, and ${isHeld(actor) ? "what is approved does not change: ask the person who connected this app" : "they also go to accounts that this credential does not include: use one that includes all of them"}.`,
            { post_ids: changed.posts }
          )
        }
        if (changed._tag === "kept") return yield* keptForPerson(id, changed.draft)
        return yield* get(mediaId)
      })

      const remove = Effect.fn("MediaLibrary.remove")(function* (mediaId: string) {
        const actor = yield* CurrentActor
        const id = toId(mediaId)
        const removal =
          id === null
            ? null
            : yield* repository.remove(actor.workspace_id, actor, id, yield* DateTime.now, (drafts) =>
                posts.takeOff(id, drafts)
              )
        if (id === null || removal === null || removal._tag === "missing") return yield* noSuchItem(mediaId)
        if (removal._tag === "kept") return yield* keptForPerson(id, removal.draft)
        if (removal._tag === "in_use") {
          return yield* problem(
            "media_in_use",
            [
              // Enough to act on; the item's used_by has the rest.
              ...removal.posts.slice(0, 100).map((post) => ({
                path: `/v1/posts/${post}`,
                code: "media_in_use",
                message: `Media item ${id} is kept: the scheduled post ${post} needs it. Delete that post or remove the item from it first.`
              })),
              ...(removal.hidden
                ? [
                    {
                      path: "",
                      code: "media_in_use",
                      message: `Media item ${id} is kept: drafts or scheduled posts use it that also go to accounts that this credential does not include. Use one that includes all of them.`
                    }
                  ]
                : [])
            ],
            { post_ids: removal.posts }
          )
        }
        yield* removeBytes([id])
        return { success: true as const, id, drafts: removal.drafts }
      })

      const serve = Effect.fn("MediaLibrary.serve")(function* (mediaId: string, given: Signature) {
        yield* urls.verifyFile(mediaId, given)
        const id = toId(mediaId)
        const row = id === null ? null : yield* repository.byId(id)
        if (row === null || row.deleted_at !== null || !isReady(row)) return yield* noSuchItem(mediaId)
        const { name, mime_type, kind, size_bytes, sha256: etag, created_at } = row
        const open = (range?: ByteRange) =>
          blobs.open(row, range).pipe(Effect.catchTag("BlobMissing", () => noSuchItem(mediaId)))
        return { name, mime_type, kind, size_bytes, etag, created_at, open }
      })

      const serveThumbnail = Effect.fnUntraced(function* (row: ReadyMedia) {
        const { blob, size_bytes } = yield* thumbnails.keep(row).pipe(
          Effect.tapError((failure) => Effect.logWarning("a thumbnail could not be made", failure.message)),
          Effect.catch(() => noSuchItem(row.id))
        )
        return {
          name: "thumbnail.webp",
          mime_type: "image/webp" as const,
          kind: "image" as const,
          size_bytes,
          etag: `${row.sha256}-thumbnail`,
          created_at: row.created_at,
          open: (range?: ByteRange) =>
            blobs.open(blob, range).pipe(Effect.catchTag("BlobMissing", () => noSuchItem(row.id)))
        }
      })

      const serveVariant = Effect.fn("MediaLibrary.serveVariant")(function* (
        mediaId: string,
        name: string,
        given: Signature
      ) {
        yield* urls.verifyVariant(mediaId, name, given)
        const id = toId(mediaId)
        const row = id === null ? null : yield* repository.byId(id)
        if (name === thumbnailName && row !== null && row.deleted_at === null && isReady(row)) {
          return yield* serveThumbnail(row)
        }
        const variant = variantOf(name)
        if (row === null || row.deleted_at !== null || !isReady(row) || variant === undefined) {
          return yield* noSuchItem(mediaId)
        }
        if (row.kind === "video") {
          const copy = yield* videos.kept(row, variant)
          if (copy === null) return yield* noSuchItem(mediaId)
          const { blob, mime_type, size_bytes, sha256: etag } = copy
          const { created_at, kind } = row
          const open = (range?: ByteRange) =>
            blobs.open(blob, range).pipe(Effect.catchTag("BlobMissing", () => noSuchItem(mediaId)))
          return {
            name: `video.${extensions[mime_type]}`,
            mime_type,
            kind,
            size_bytes,
            etag,
            created_at,
            open
          }
        }
        const { path, ...kept } = yield* images.keep(row, variant).pipe(
          Effect.tapError((failure) => Effect.logWarning("an image could not be fitted", failure.message)),
          Effect.catch(() => noSuchItem(mediaId))
        )
        const open = (range?: ByteRange) =>
          Effect.acquireRelease(
            Effect.tryPromise(async () => (await openFile(path)).createReadStream(range ?? {})).pipe(
              Effect.catch(() => noSuchItem(mediaId))
            ),
            (stream) => Effect.sync(() => stream.destroy())
          )
        const { created_at } = row
        return {
          ...kept,
          name: `image.${extensions[kept.mime_type]}`,
          kind: "image" as const,
          created_at,
          open
        }
      })

      const find = Effect.fn("MediaLibrary.find")(function* (
        workspaceId: WorkspaceId,
        ids: ReadonlyArray<string>
      ) {
        const wanted = ids.flatMap((id) => toId(id) ?? [])
        return wanted.length === 0 ? [] : inOrder(wanted, yield* repository.byIds(workspaceId, wanted))
      })

      const lockForUse = Effect.fn("MediaLibrary.lockForUse")(function* (
        workspaceId: WorkspaceId,
        ids: ReadonlyArray<string>
      ) {
        const wanted = ids.flatMap((id) => toId(id) ?? [])
        return wanted.length === 0 ? [] : inOrder(wanted, yield* repository.lockForUse(workspaceId, wanted))
      })

      const withBytes = Effect.fnUntraced(function* (workspaceId: WorkspaceId, mediaId: string) {
        const [row] = yield* find(workspaceId, [mediaId])
        if (row === undefined || !isReady(row)) {
          return yield* new PublishError({
            class: "invalid",
            code: "media_not_found",
            message: `Media item ${mediaId} has no bytes any more. Upload the file again and put it on the post.`
          })
        }
        return row
      })

      const publishable = Effect.fn("MediaLibrary.publishable")(function* (
        workspaceId: WorkspaceId,
        mediaId: string,
        options: PublishOptions
      ) {
        const row = yield* withBytes(workspaceId, mediaId)
        const copy = yield* videos.fit(row, variantFor(options))
        return toPublishMedia(blobs, images, urls, row, copy, options)
      })

      const removeBytes = Effect.fnUntraced(function* (ids: ReadonlyArray<MediaId>) {
        yield* Effect.forEach(ids, blobs.remove, { discard: true })
        yield* repository.bytesRemoved(ids)
      })

      const planImports = Effect.fn("MediaLibrary.planImports")(function* (
        workspaceId: WorkspaceId,
        given: ReadonlyArray<string>
      ) {
        if (given.length > 0) yield* requireQuota(config.workspaceBytes, repository, workspaceId, null)
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

      const startImports = Effect.fn("MediaLibrary.startImports")(function* (
        imports: ReadonlyArray<PlannedImport>,
        named = false
      ) {
        if (imports.length === 0) return
        const maker = makerOf(yield* CurrentActor)
        for (const { row, url } of imports) {
          yield* repository.insert(Struct.pick(row, inserted), maker)
          yield* fetches.insert(row.workspace_id, { media_id: row.id, url, named }, row.created_at)
        }
        yield* wakeup.imports.notify
      })

      const restartImports = Effect.fn("MediaLibrary.restartImports")(function* (
        workspaceId: WorkspaceId,
        ids: ReadonlyArray<string>
      ) {
        const wanted = ids.flatMap((id) => toId(id) ?? [])
        yield* fetches.restart(workspaceId, wanted, yield* DateTime.now)
        yield* wakeup.imports.notify
      })

      const followPost = Effect.fn("MediaLibrary.followPost")(function* (ids: ReadonlyArray<string>) {
        const wanted = ids.flatMap((id) => toId(id) ?? [])
        if (wanted.length > 0 && (yield* fetches.follow(wanted, yield* DateTime.now))) {
          yield* wakeup.imports.notify
        }
      })

      const importOne = Effect.fn("MediaLibrary.import")(function* ({ url, name }: ImportMedia) {
        const { workspace_id } = yield* CurrentActor
        const { imports, problems } = yield* planImports(workspace_id, [url])
        const [planned] = imports
        if (planned === undefined) {
          return yield* badRequest(problems.map(({ index: _, ...item }) => ({ path: "url", ...item })))
        }
        const given = storable(name ?? "")
        const row = given === "" ? planned.row : { ...planned.row, name: given }
        yield* startImports([{ ...planned, row }], given !== "").pipe(
          sql.withTransaction,
          Effect.catchTag("SqlError", Effect.die)
        )
        return yield* shown(row)
      })

      const collect = Effect.gen(function* () {
        yield* blobs.sweep
        yield* images.sweep
        while ((yield* repository.expire(yield* DateTime.now)).length > 0);
        yield* removeBytes(yield* repository.withBytesLeft)
        yield* repository.forget(DateTime.subtract(yield* DateTime.now, { days: 1 }), blobs.remove)
      }).pipe(Effect.withSpan("MediaLibrary.collect"))

      return MediaLibrary.of({
        reserve,
        receive,
        import: importOne,
        complete,
        list,
        get,
        update,
        remove,
        serve,
        serveVariant,
        find,
        lockForUse,
        planImports,
        startImports,
        restartImports,
        followPost,
        publishable,
        frame: (workspaceId, mediaId, wanted, rules) =>
          Effect.flatMap(withBytes(workspaceId, mediaId), (row) => images.frame(row, wanted, rules)),
        toneMaps: videos.toneMaps,
        cutsFrames: frames.available,
        collect
      })
    })
  )

  static readonly layer = this.layerNoDeps.pipe(
    Layer.provide([
      MediaEvents.layer,
      MediaRepository.layer,
      ImportRepository.layer,
      SignedUrls.layer,
      ImageRenditions.layerNoDeps.pipe(Layer.provide(ImageFit.layer)),
      VideoRenditions.layerNoDeps,
      Thumbnails.layerNoDeps
    ]),
    Layer.provide(VideoFrames.layerNoDeps),
    Layer.provide([BlobStoreLayer, Probe.layer, RemoteFetch.layer, VideoProbe.layer])
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

/** An item that waits for its bytes. */
type UploadRow = MediaRow & {
  readonly mime_type: MimeType
  readonly kind: ReadyMedia["kind"]
  readonly size_bytes: number
  readonly upload_expires_at: DateTime.Utc
}

const isUpload = (row: MediaRow): row is UploadRow =>
  row.upload_expires_at !== null && row.mime_type !== null && row.kind !== null && row.size_bytes !== null

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

const isMediaId = Schema.is(MediaId)

/** null for text that cannot be an id: such an item does not exist. */
const toId = (text: string): MediaId | null => {
  const lower = text.toLowerCase()
  return isMediaId(lower) ? lower : null
}

const noSuchItem = (id: string) =>
  Effect.fail(problem("not_found", `There is no media item ${JSON.stringify(id)} in this workspace.`))

const inOrder = (ids: ReadonlyArray<MediaId>, rows: ReadonlyArray<MediaRow>) =>
  ids.flatMap((id) => rows.find((row) => row.id === id) ?? [])

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
