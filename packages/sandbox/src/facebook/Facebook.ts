import { Clock, Context, Effect, Layer, Schema, Semaphore } from "effect"
import type { Fault } from "../Faults.ts"
import { Journal } from "../Journal.ts"
import { type Arrival, isoTime, Ledger, type Publication, type PublishedMedia } from "../Ledger.ts"
import { StoredMedia } from "../MediaStore.ts"

const Photo = Schema.Struct({
  id: Schema.String,
  account: Schema.String,
  media: StoredMedia,
  alt_text: Schema.NullOr(Schema.String),
  /** Unix time in milliseconds. */
  created_at: Schema.Int
})

const Video = Schema.Struct({
  id: Schema.String,
  account: Schema.String,
  /** The edge of the Page on which it was started. */
  edge: Schema.Literals(["videos", "video_reels", "video_stories"]),
  /** The bytes that its start announced; null: it announced none. */
  size: Schema.NullOr(Schema.Int),
  created_at: Schema.Int
})
export type VideoEdge = typeof Video.Type.edge

/** What a post shows besides its files. */
const Draft = Schema.Struct({
  title: Schema.NullOr(Schema.String),
  text: Schema.String,
  details: Schema.Record(Schema.String, Schema.Json)
})
export interface Draft extends Schema.Schema.Type<typeof Draft> {}

/** How many looks find it in work, and the code of what is then wrong with it; null: nothing. */
const Work = { polls: Schema.Int, fails_with: Schema.NullOr(Schema.String) }

const Finish = Schema.Struct({
  /** Null: it stays a draft. */
  draft: Schema.NullOr(Draft),
  request: Schema.String,
  received_at: Schema.String
})

const FacebookEvent = Schema.Union([
  Schema.Struct({ type: Schema.Literal("photo_taken"), photo: Photo }),
  Schema.Struct({ type: Schema.Literal("video_started"), video: Video }),
  Schema.Struct({ type: Schema.Literal("received"), video: Schema.String, bytes: Schema.Int }),
  Schema.Struct({ type: Schema.Literal("uploaded"), video: Schema.String, media: StoredMedia, ...Work }),
  Schema.Struct({ type: Schema.Literal("finished"), video: Schema.String, finish: Finish, ...Work }),
  Schema.Struct({ type: Schema.Literal("looked"), video: Schema.String }),
  Schema.Struct({
    type: Schema.Literal("published"),
    objects: Schema.Array(Schema.String),
    publication: Schema.String
  }),
  Schema.Struct({ type: Schema.Literal("reset") })
])
type FacebookEvent = typeof FacebookEvent.Type

export type PhotoState = typeof Photo.Type & { readonly publication: string | null }

export type VideoState = typeof Video.Type & {
  readonly received: number
  readonly media: StoredMedia | null
  readonly finish: typeof Finish.Type | null
  readonly publication: string | null
  readonly polls: number
  readonly fails_with: string | null
}

/** The photos and videos of Pages. Publications are in the ledger. */
export class Facebook extends Context.Service<
  Facebook,
  {
    takePhoto(photo: Omit<typeof Photo.Type, "id" | "created_at">): Effect.Effect<PhotoState>
    startVideo(video: Omit<typeof Video.Type, "id" | "created_at">): Effect.Effect<VideoState>
    /** Undefined for those of another Page too, and a day after the start for what was not published. */
    photo(account: string, id: string): Effect.Effect<PhotoState | undefined>
    video(account: string, id: string): Effect.Effect<VideoState | undefined>
    /** So many bytes have arrived in order. */
    received(video: string, bytes: number): void
    uploaded(video: string, media: StoredMedia, fault: Fault | undefined): void
    /** The post, once the video is out of work; undefined before, and of a draft and a video that has failed. */
    finish(
      video: string,
      draft: Draft | null,
      arrival: Arrival,
      fault: Fault | undefined
    ): Effect.Effect<Publication | undefined>
    /** A look moves a video in work one step on. */
    looked(video: string): Effect.Effect<void>
    publish(
      account: string,
      draft: Draft,
      photos: ReadonlyArray<PhotoState>,
      arrival: Pick<Arrival, "id" | "received_at">
    ): Effect.Effect<Publication>
    /** The post that shows a photo or a video of any Page. */
    postOf(object: string): string | undefined
    /** The posts of a Page, newest first, without stories. */
    feed(account: string): ReadonlyArray<Publication>
  }
>()("@carillon/sandbox/facebook/Facebook") {
  static readonly layer = Layer.effect(
    Facebook,
    Effect.gen(function* () {
      const ledger = yield* Ledger
      const photos = new Map<string, PhotoState>()
      const videos = new Map<string, VideoState>()
      let lastObject = firstObject - 1n
      const oneAtATime = Semaphore.withPermit(yield* Semaphore.make(1))

      const change = (id: string, part: (before: VideoState) => Partial<VideoState>) => {
        const before = videos.get(id)
        if (before !== undefined) videos.set(id, { ...before, ...part(before) })
      }

      const apply = (event: FacebookEvent) => {
        switch (event.type) {
          case "photo_taken":
            lastObject = BigInt(event.photo.id)
            photos.set(event.photo.id, { ...event.photo, publication: null })
            return
          case "video_started": {
            const { video } = event
            lastObject = BigInt(video.id)
            const untouched = { received: 0, media: null, finish: null, publication: null }
            videos.set(video.id, { ...video, ...untouched, polls: 0, fails_with: null })
            return
          }
          case "received":
            return change(event.video, () => ({ received: event.bytes }))
          case "uploaded": {
            const { fails_with, media, polls } = event
            return change(event.video, () => ({ media, received: media.size, polls, fails_with }))
          }
          case "finished": {
            const { fails_with, finish, polls } = event
            return change(event.video, () => ({ finish, polls, fails_with }))
          }
          case "looked":
            return change(event.video, ({ polls }) => ({ polls: polls - 1 }))
          case "published":
            for (const id of event.objects) {
              const { publication } = event
              const photo = photos.get(id)
              if (photo !== undefined) photos.set(id, { ...photo, publication })
              change(id, () => ({ publication }))
            }
            return
          case "reset":
            // The counter stays: ids are not used again.
            photos.clear()
            videos.clear()
        }
      }
      const happen = yield* (yield* Journal).stream("facebook", FacebookEvent, apply, { type: "reset" })

      const begun = Effect.map(Clock.currentTimeMillis, (created_at) => ({
        id: String(lastObject + 1n),
        created_at
      }))

      const found = <Found extends PhotoState | VideoState>(
        object: Found | undefined,
        account: string
      ): Effect.Effect<Found | undefined> =>
        Effect.map(Clock.currentTimeMillis, (now) => {
          if (object?.account !== account) return undefined
          return object.publication === null && now - object.created_at > day ? undefined : object
        })

      const publish = Effect.fnUntraced(function* (
        account: string,
        draft: Draft,
        media: ReadonlyArray<PublishedMedia>,
        objects: ReadonlyArray<string>,
        { id: request, received_at }: Pick<Arrival, "id" | "received_at">
      ) {
        const publication = ledger.publish(
          {
            platform: "facebook",
            account,
            ...draft,
            media,
            idempotency_key: null,
            client_reference: null,
            received_at,
            published_at: isoTime(yield* Clock.currentTimeMillis)
          },
          request
        )
        happen({ type: "published", objects, publication: publication.id })
        return publication
      })

      /** Publishes a finished video that is out of work. */
      const settle = Effect.fnUntraced(function* (id: string) {
        const { account, fails_with, finish, media, polls, publication } = videos.get(id)!
        if (media === null || finish === null || finish.draft === null) return undefined
        if (polls > 0 || fails_with !== null || publication !== null) return undefined
        const arrival = { id: finish.request, received_at: finish.received_at }
        return yield* publish(account, finish.draft, [{ ...media, alt_text: null }], [id], arrival)
      })

      return Facebook.of({
        takePhoto: Effect.fn("Facebook.takePhoto")(function* (photo) {
          const { id, created_at } = yield* begun
          happen({ type: "photo_taken", photo: { ...photo, id, created_at } })
          return photos.get(id)!
        }, oneAtATime),
        startVideo: Effect.fn("Facebook.startVideo")(function* (video) {
          const { id, created_at } = yield* begun
          happen({ type: "video_started", video: { ...video, id, created_at } })
          return videos.get(id)!
        }, oneAtATime),
        photo: (account, id) => found(photos.get(id), account),
        video: (account, id) => found(videos.get(id), account),
        received: (video, bytes) => happen({ type: "received", video, bytes }),
        uploaded: (video, media, fault) => happen({ type: "uploaded", video, media, ...workOf(fault) }),
        finish: Effect.fn("Facebook.finish")(function* (video, draft, { id: request, received_at }, fault) {
          const { fails_with, polls } = fault?.fault === "processing" ? workOf(fault) : videos.get(video)!
          const finish = { draft, request, received_at }
          happen({ type: "finished", video, finish, polls, fails_with })
          return yield* settle(video)
        }, oneAtATime),
        looked: Effect.fn("Facebook.looked")(function* (video) {
          if (videos.get(video)!.polls > 0) happen({ type: "looked", video })
          yield* settle(video)
        }, oneAtATime),
        publish: Effect.fn("Facebook.publish")(
          (account, draft, shown, arrival) =>
            publish(
              account,
              draft,
              shown.map(({ alt_text, media }) => ({ ...media, alt_text })),
              shown.map(({ id }) => id),
              arrival
            ),
          oneAtATime
        ),
        postOf: (object) => (photos.get(object) ?? videos.get(object))?.publication ?? undefined,
        feed: (account) =>
          ledger
            .publications({ platform: "facebook", account })
            .filter((post) => !isStory(post))
            .toReversed()
      })
    })
  )
}

/** Whether it was published as a story. */
export const isStory = ({ details }: Pick<Publication, "details">) =>
  String(details?.["edge"]).endsWith("_stories")

const workOf = (fault: Fault | undefined) =>
  fault?.fault === "processing"
    ? {
        polls: fault.polls,
        fails_with: fault.becomes === "failed" ? (fault.reason ?? "6000/1363019") : null
      }
    : { polls: 0, fails_with: null }

const day = 24 * 3600 * 1000

// Above 2^53, as Meta's are.
const firstObject = 122_100_000_000_000_001n
