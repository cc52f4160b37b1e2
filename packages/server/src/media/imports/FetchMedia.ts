import { type MediaError, mimeTypes } from "@carillon/domain"
import * as NodeStream from "@effect/platform-node/NodeStream"
import { Context, Data, DateTime, Effect, Layer, Pull, Random, Stream } from "effect"
import { AppConfig } from "../../AppConfig.ts"
import { type Download, RemoteFetch } from "../../http/RemoteFetch.ts"
import { type RemoteFetchError, shownUrl } from "../../http/RemoteFetchError.ts"
import { backoff } from "../../engine/RetryPolicy.ts"
import { TargetQueue } from "../../engine/TargetQueue.ts"
import { type BytesRefused, BlobStore, type StagedBlob } from "../files/BlobStore.ts"
import { BlobStoreLayer } from "../files/BlobStoreLayer.ts"
import { type ClaimedImport, ImportRepository } from "./ImportRepository.ts"
import { extensions, storable } from "../files/FileNames.ts"
import { unfetchedWarning } from "./FetchWarning.ts"
import { MediaEvents } from "../MediaEvents.ts"
import { MediaRepository } from "../files/MediaRepository.ts"
import { PostsUsingMedia } from "../PostsUsingMedia.ts"
import { Probe } from "../Probe.ts"
import { ReservationRepository } from "../files/ReservationRepository.ts"
import { requireQuota } from "../files/WorkspaceQuota.ts"

/** About half an hour with the pauses between them. */
const maximumTries = 10

/** Enough bytes to tell the type of a file. */
const headBytes = 64 * 1024

class FetchFailed extends Data.TaggedError("FetchFailed")<{
  readonly error: MediaError
  /** Whether the same URL may work later: `soon`, in hours or days as all else on the net, or `never`. */
  readonly again: "soon" | "later" | "never"
}> {}

/** Another process has the fetch, or the item was deleted. */
class TakenOver extends Data.TaggedError("TakenOver")<{}> {}

/** Takes one claimed fetch: the file behind the URL becomes the item's bytes, or the item says why not. */
export class FetchMedia extends Context.Service<
  FetchMedia,
  {
    fetch(claimed: ClaimedImport): Effect.Effect<void>
  }
>()("@carillon/server/media/imports/FetchMedia") {
  static readonly layerNoDeps = Layer.effect(
    FetchMedia,
    Effect.gen(function* () {
      const { maximumBytes, workspaceBytes } = yield* AppConfig
      const remote = yield* RemoteFetch
      const blobs = yield* BlobStore
      const prober = yield* Probe
      const media = yield* MediaRepository
      const reservations = yield* ReservationRepository
      const posts = yield* PostsUsingMedia
      const imports = yield* ImportRepository
      const queue = yield* TargetQueue
      const told = yield* MediaEvents

      const download = Effect.fnUntraced(function* (claimed: ClaimedImport) {
        if (claimed.attempts > maximumTries) {
          return yield* refused(claimed, "media_unreachable", "fetch_interrupted", interrupted, "never")
        }
        const found = yield* remote
          .download(claimed.url, { maxBytes: Math.max(...Object.values(maximumBytes)) })
          .pipe(Effect.mapError(unreachable))
        const { head, content } = yield* peek(found)
        const guess = yield* prober.identify(head)
        if (guess === null) return yield* refused(claimed, "media_rejected", "media_type_unknown", wrongType)
        const staged = yield* stage(claimed, found, content, maximumBytes[mimeTypes[guess]])

        const mime_type = yield* prober.identify(staged.path)
        if (mime_type === null)
          return yield* refused(claimed, "media_rejected", "media_type_unknown", wrongType)
        const kind = mimeTypes[mime_type]
        if (staged.size_bytes > maximumBytes[kind]) return yield* tooLarge(claimed, maximumBytes[kind])
        const facts = yield* prober
          .probe(staged.path, mime_type, claimed.workspace_id)
          .pipe(Effect.catch(({ code, message }) => refused(claimed, "media_rejected", code, message)))
        const { size_bytes, sha256 } = staged
        const name = claimed.name ?? (storable(found.file_name ?? "") || `${kind}.${extensions[mime_type]}`)
        return { file: { ...facts, name, mime_type, kind, size_bytes, sha256 }, staged }
      })

      const stage = (
        claimed: ClaimedImport,
        { declared_bytes }: Download,
        content: Stream.Stream<Uint8Array, RemoteFetchError>,
        at_most: number
      ) =>
        Effect.gen(function* () {
          if ((declared_bytes ?? 0) > at_most) return yield* tooLarge(claimed, at_most)
          let broken: RemoteFetchError | undefined
          const source = yield* Effect.acquireRelease(
            NodeStream.toReadable(Stream.tapError(content, (error) => Effect.sync(() => (broken = error)))),
            (source) => Effect.sync(() => source.destroy())
          )
          return yield* blobs.stage(source, { at_most }).pipe(
            Effect.catchTags({
              BytesRefused: (flaw) =>
                flaw.reason === "too_long"
                  ? tooLarge(claimed, at_most)
                  : Effect.fail(broken === undefined ? cutOff(claimed, flaw) : unreachable(broken)),
              StorageFull: () => Effect.fail(storageFull)
            })
          )
        })

      /** Runs in the transaction that settles the item. */
      const arrived = ({ media_id }: ClaimedImport) =>
        Effect.all(
          [
            queue.resumePostsOf(media_id),
            told.settled(media_id),
            posts.warn(media_id, null),
            posts.changed(media_id)
          ],
          { discard: true }
        )

      /** Runs in the transaction that settles the item. A post fails at its time, so only those that are due are woken. */
      const missed = ({ media_id, failed }: ClaimedImport, error: MediaError) =>
        Effect.all(
          [
            queue.resumeDuePostsOf(media_id),
            failed ? Effect.void : told.settled(media_id),
            posts.warn(media_id, unfetchedWarning(media_id, error))
          ],
          { discard: true }
        )

      const confirmed = (ours: Effect.Effect<boolean>) =>
        Effect.flatMap(ours, (held) => (held ? Effect.void : new TakenOver()))

      /** Removes the bytes, unless another process has stored the very same ones or is about to. */
      const discard = Effect.fnUntraced(function* ({ media_id }: ClaimedImport, staged: StagedBlob) {
        const row = yield* media.byId(media_id)
        const theirs = row !== null && row.deleted_at === null && (row.sha256 ?? staged.sha256)
        if (theirs !== staged.sha256) yield* staged.discard(media_id)
      })

      const once = Effect.fnUntraced(function* (claimed: ClaimedImport) {
        const { file, staged } = yield* download(claimed)
        const publish = confirmed(imports.done(claimed)).pipe(
          Effect.andThen(requireQuota(workspaceBytes, reservations, claimed.workspace_id, file.size_bytes)),
          Effect.catchTag("ContentTooLarge", ({ code, detail }) =>
            refused(claimed, "media_rejected", code, detail)
          ),
          Effect.andThen(staged.publish(claimed.media_id)),
          Effect.catchTag("StorageFull", () => Effect.fail(storageFull))
        )
        yield* staged.send(claimed.media_id)
        const filled = yield* reservations
          .withUsersLocked(
            claimed.media_id,
            reservations.fill(claimed.media_id, file, publish, arrived(claimed))
          )
          .pipe(
            Effect.catchTag("TakenOver", () => Effect.succeed(false)),
            Effect.uninterruptible
          )
        if (!filled) return yield* discard(claimed, staged)
        yield* Effect.logInfo("fetched a media item")
      }, Effect.scoped)

      const failed = Effect.fnUntraced(function* (claimed: ClaimedImport, { error, again }: FetchFailed) {
        yield* Effect.logInfo(`could not fetch a media item: ${error.message}`)
        const { media_id, attempts } = claimed
        const soon =
          again === "soon" && attempts < maximumTries
            ? DateTime.addDuration(yield* DateTime.now, backoff(attempts, yield* Random.next))
            : null
        if (soon !== null && !claimed.failed) return yield* imports.again(claimed, soon)
        const ours = confirmed(imports.rest(claimed, soon, again === "never"))
        yield* reservations.withUsersLocked(
          media_id,
          reservations.giveUp(media_id, error, ours, missed(claimed, error))
        )
      })

      return FetchMedia.of({
        fetch: (claimed) =>
          once(claimed).pipe(
            Effect.catchTag("FetchFailed", (failure) => failed(claimed, failure)),
            Effect.catchTag("TakenOver", () => Effect.void),
            Effect.annotateLogs({ media: claimed.media_id })
          )
      })
    })
  )

  static readonly layer = this.layerNoDeps.pipe(
    Layer.provide([
      MediaEvents.layer,
      MediaRepository.layer,
      ReservationRepository.layer,
      ImportRepository.layer,
      BlobStoreLayer,
      Probe.layer,
      RemoteFetch.layer
    ])
  )
}

/** The beginning of a body, and the whole of it. */
const peek = Effect.fnUntraced(
  function* ({ content }: Download) {
    const pull = yield* Stream.toPull(content)
    const chunks: Array<Uint8Array> = []
    const taken = { bytes: 0 }
    const next = pull.pipe(
      Effect.map((more) => {
        chunks.push(...more)
        for (const chunk of more) taken.bytes += chunk.length
        return true
      }),
      Pull.catchDone(() => Effect.succeed(false))
    )
    let more = yield* next
    while (more && taken.bytes < headBytes) more = yield* next
    const rest = more ? Stream.fromPull(Effect.succeed(pull)) : Stream.empty
    return { head: Buffer.concat(chunks), content: Stream.concat(Stream.fromArray(chunks), rest) }
  },
  Effect.mapError((error) => unreachable(error))
)

const unreachable = (error: RemoteFetchError) =>
  new FetchFailed({
    error: {
      code: error.reason,
      class: error.reason === "too_large" ? "media_rejected" : "media_unreachable",
      message: error.message
    },
    again: error.retryable ? "soon" : "later"
  })

const hostOf = ({ url }: ClaimedImport) => new URL(url).host

const refused = (
  claimed: ClaimedImport,
  errorClass: MediaError["class"],
  code: string,
  flaw: string,
  again: "later" | "never" = "later"
) =>
  new FetchFailed({
    error: { code, class: errorClass, message: `The file from ${hostOf(claimed)} was not imported: ${flaw}` },
    again
  })

const interrupted = `the service stopped during each of the ${maximumTries} attempts to fetch it. Upload the file instead.`

const wrongType =
  "its bytes are not of a known media type, whatever the server says they are. Give the URL of an image, a video or " +
  "a PDF itself, not of a page that shows it."

const tooLarge = (claimed: ClaimedImport, maximum: number) =>
  refused(
    claimed,
    "media_rejected",
    "too_large",
    `it has more than ${maximum} bytes, the limit for its kind. Give a smaller file.`
  )

const cutOff = (claimed: ClaimedImport, { received }: BytesRefused) =>
  new FetchFailed({
    error: {
      code: "timed_out",
      class: "media_unreachable",
      message:
        `"${shownUrl(claimed.url)}" was cut off after ${received} bytes: it stalled for 30 s, or sent less ` +
        "than 8 KiB/s for a minute. Check that the server is up and fast enough, or upload the file."
    },
    again: "soon"
  })

const storageFull = new FetchFailed({
  error: {
    code: "storage_full",
    class: "transient",
    message: "The service has no space for the file. Tell the operator, then import it again."
  },
  again: "soon"
})
