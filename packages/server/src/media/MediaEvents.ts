import type { MediaId } from "@carillon/domain"
import { Context, Effect, Layer } from "effect"
import { Events } from "../events/Events.ts"
import { BlobStoreLayer } from "./files/BlobStoreLayer.ts"
import { MediaRepository } from "./files/MediaRepository.ts"
import { toMedia } from "./serving/MediaView.ts"
import { SignedUrls } from "./files/SignedUrls.ts"
import { VideoFrames } from "./videos/VideoFrames.ts"

/** Events about media items, stored in the transaction that changes them. */
export class MediaEvents extends Context.Service<
  MediaEvents,
  {
    /** The item has become ready, or failed. */
    settled(id: MediaId): Effect.Effect<void>
  }
>()("@carillon/server/media/MediaEvents") {
  static readonly layerNoDeps = Layer.effect(
    MediaEvents,
    Effect.gen(function* () {
      const events = yield* Events
      const repository = yield* MediaRepository
      const urls = yield* SignedUrls
      const frames = yield* VideoFrames

      const settled = Effect.fn("MediaEvents.settled")(function* (id: MediaId) {
        const row = yield* repository.byId(id)
        if (row === null) return
        const { workspace_id } = row
        const type = row.status === "ready" ? "media.ready" : "media.failed"
        if ((yield* events.wanted([workspace_id], [type])).size === 0) return
        yield* events.append([{ workspace_id, subject: id, type, data: yield* toMedia(urls, frames, row) }])
      })

      return MediaEvents.of({ settled })
    })
  )

  static readonly layer = this.layerNoDeps.pipe(
    Layer.provide([
      Events.layer,
      MediaRepository.layer,
      SignedUrls.layer,
      VideoFrames.layerNoDeps.pipe(Layer.provide(BlobStoreLayer))
    ])
  )
}
