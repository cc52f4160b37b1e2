import {
  type Conflict,
  CurrentActor,
  type Found,
  isHeld,
  type Media,
  type MediaDeleted,
  type MediaFilter,
  type MediaId,
  type NotFound,
  type Page,
  type PostId,
  problem,
  type UpdateMedia,
  type WorkspaceId
} from "@carillon/domain"
import { Context, DateTime, Effect, Layer } from "effect"
import { AppConfig } from "../AppConfig.ts"
import { BlobStore } from "./files/BlobStore.ts"
import { storable } from "./files/FileNames.ts"
import { SignedUrls } from "./files/SignedUrls.ts"
import { ImageRenditions } from "./images/ImageRenditions.ts"
import { MediaChangeRepository } from "./files/MediaChangeRepository.ts"
import { noSuchItem, toMediaId, toMediaIds } from "./files/MediaIds.ts"
import { MediaRepository } from "./files/MediaRepository.ts"
import type { MediaRow } from "./files/MediaRow.ts"
import { MediaSweepRepository } from "./files/MediaSweepRepository.ts"
import { toMedia } from "./serving/MediaView.ts"
import { PostsUsingMedia } from "./PostsUsingMedia.ts"
import { VideoFrames } from "./videos/VideoFrames.ts"

/** The workspace's media. */
export class MediaLibrary extends Context.Service<
  MediaLibrary,
  {
    list(filter: MediaFilter, page: Page): Effect.Effect<Found<Media>, never, CurrentActor>
    get(mediaId: string): Effect.Effect<Media, NotFound, CurrentActor>
    update(mediaId: string, changes: UpdateMedia): Effect.Effect<Media, NotFound | Conflict, CurrentActor>
    remove(mediaId: string): Effect.Effect<MediaDeleted, NotFound | Conflict, CurrentActor>

    /** For other rooms: the existing items with their known facts, in the order asked for. */
    find(workspaceId: WorkspaceId, ids: ReadonlyArray<string>): Effect.Effect<ReadonlyArray<MediaRow>>
    /**
     * The same inside a transaction that is about to reference them: none of them can be deleted before it ends.
     * A transaction that also locks a post locks the post first.
     */
    lockForUse(workspaceId: WorkspaceId, ids: ReadonlyArray<string>): Effect.Effect<ReadonlyArray<MediaRow>>
    /** Deletes items that nobody needs any more. */
    readonly collect: Effect.Effect<void>
  }
>()("@carillon/server/media/MediaLibrary") {
  static readonly layerNoDeps = Layer.effect(
    MediaLibrary,
    Effect.gen(function* () {
      const config = yield* AppConfig
      const repository = yield* MediaRepository
      const changes = yield* MediaChangeRepository
      const sweeps = yield* MediaSweepRepository
      const posts = yield* PostsUsingMedia
      const blobs = yield* BlobStore
      const urls = yield* SignedUrls
      const images = yield* ImageRenditions
      const frames = yield* VideoFrames

      const shown = (row: MediaRow) => toMedia(urls, frames, row)

      const list = Effect.fn("MediaLibrary.list")(function* (filter: MediaFilter, page: Page) {
        const { workspace_id, social_accounts } = yield* CurrentActor
        const { data, ...rest } = yield* repository.list(workspace_id, social_accounts, filter, page)
        return { data: yield* Effect.forEach(data, shown), ...rest }
      })

      const get = Effect.fn("MediaLibrary.get")((mediaId: string) =>
        Effect.flatMap(repository.visible(mediaId), shown)
      )

      const keptForPerson = (id: MediaId, draft: PostId | null) =>
        problem(
          "approval_needed",
          `The media item ${id} ${
            draft === null
              ? `was not added by this app, which is held for approval and may change and delete only its own. Ask the person to do it, or to change the app at ${config.publicUrl}/connected-apps.`
              : `is on the draft ${draft}, which is for a person to change: see ${config.publicUrl}/approvals/${draft}`
          }`
        )

      const update = Effect.fn("MediaLibrary.update")(function* (mediaId: string, wanted: UpdateMedia) {
        const actor = yield* CurrentActor
        const id = toMediaId(mediaId)
        if (id === null) return yield* noSuchItem(mediaId)
        const { name, ...words } = wanted
        const named = name === undefined ? {} : { name: storable(name) }
        const changed = yield* changes.update(
          actor.workspace_id,
          actor,
          id,
          { ...words, ...(named.name === "" ? {} : named) },
          posts.changed(id)
        )
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
        const id = toMediaId(mediaId)
        const removal =
          id === null
            ? null
            : yield* changes.remove(actor.workspace_id, actor, id, yield* DateTime.now, (drafts) =>
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

      const find = Effect.fn("MediaLibrary.find")(function* (
        workspaceId: WorkspaceId,
        ids: ReadonlyArray<string>
      ) {
        const wanted = toMediaIds(ids)
        return wanted.length === 0 ? [] : inOrder(wanted, yield* repository.byIds(workspaceId, wanted))
      })

      const lockForUse = Effect.fn("MediaLibrary.lockForUse")(function* (
        workspaceId: WorkspaceId,
        ids: ReadonlyArray<string>
      ) {
        const wanted = toMediaIds(ids)
        return wanted.length === 0 ? [] : inOrder(wanted, yield* repository.lockForUse(workspaceId, wanted))
      })

      const removeBytes = Effect.fnUntraced(function* (ids: ReadonlyArray<MediaId>) {
        yield* Effect.forEach(ids, blobs.remove, { discard: true })
        yield* sweeps.bytesRemoved(ids)
      })

      const collect = Effect.gen(function* () {
        yield* blobs.sweep
        yield* images.sweep
        while ((yield* sweeps.expire(yield* DateTime.now)).length > 0);
        yield* removeBytes(yield* sweeps.withBytesLeft)
        yield* sweeps.forget(DateTime.subtract(yield* DateTime.now, { days: 1 }), blobs.remove)
      }).pipe(Effect.withSpan("MediaLibrary.collect"))

      return MediaLibrary.of({ list, get, update, remove, find, lockForUse, collect })
    })
  )
}

const inOrder = (ids: ReadonlyArray<MediaId>, rows: ReadonlyArray<MediaRow>) =>
  ids.flatMap((id) => rows.find((row) => row.id === id) ?? [])
