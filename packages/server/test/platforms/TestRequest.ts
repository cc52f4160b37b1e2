import type { PlatformData } from "@carillon/domain"
import type { Handle } from "@carillon/server/engine/Handle"
import {
  Accepted,
  type FittedImage,
  type PublishMedia,
  type PublishRequest,
  type Taken,
  WholeThread
} from "@carillon/server/platforms/Platform"
import { assert } from "@effect/vitest"
import { DateTime, Effect, Ref, Stream } from "effect"

export const dueAt = DateTime.makeUnsafe("2026-11-21T12:00:00.000Z")

export const request = (values: Partial<PublishRequest> = {}): PublishRequest => ({
  target_id: "01938f4a-0000-7000-8000-000000000001",
  remote_id: "did:plc:alice",
  username: "alice.test",
  board_id: null,
  default_privacy_level: null,
  caption: "Hello",
  media: [],
  cover: null,
  cover_frame: null,
  options: {},
  thread: null,
  due_at: dueAt,
  ...values
})

const bytesOf = (text: string) => new TextEncoder().encode(text)

const common = (id: string) => ({ id, sha256: "0".repeat(64), alt_text: null, duration_ms: null })

export const image = (id: string, values: Partial<PublishMedia> = {}): PublishMedia => {
  const fitted: FittedImage = {
    bytes: bytesOf(`image ${id}`),
    mime_type: "image/jpeg",
    width: 640,
    height: 480
  }
  return {
    ...common(id),
    kind: "image",
    name: `${id}.png`,
    mime_type: "image/png",
    size_bytes: 1000,
    width: 1280,
    height: 960,
    image: Effect.succeed(fitted),
    content: Stream.die("the bytes of an image go out fitted"),
    part: () => Stream.die("the bytes of an image go out fitted"),
    public_url: Effect.succeed(`https://carillon.example/media/${id}/image.jpg`),
    ...values
  }
}

export const video = (id: string, content: Stream.Stream<Uint8Array>, sizeBytes: number): PublishMedia => ({
  ...common(id),
  kind: "video",
  name: `${id}.mp4`,
  mime_type: "video/mp4",
  size_bytes: sizeBytes,
  width: 1280,
  height: 720,
  image: Effect.die("a video is no image"),
  content,
  part: ({ start, end }) =>
    Stream.suspend(() => {
      let before = 0
      return Stream.map(content, (chunk) => {
        const from = before
        before += chunk.length
        return chunk.subarray(Math.max(0, start - from), Math.max(0, end + 1 - from))
      }).pipe(Stream.filter((chunk) => chunk.length > 0))
    }),
  public_url: Effect.succeed(`https://carillon.example/media/${id}/video.mp4`)
})

export const document = (id: string, bytes: Uint8Array): PublishMedia => ({
  ...video(id, Stream.succeed(bytes), bytes.length),
  kind: "document",
  name: `${id}.pdf`,
  mime_type: "application/pdf",
  width: null,
  height: null
})

/** For a look-up: these posts belong to others. */
export const takenAre =
  (others: ReadonlyArray<string>): Taken =>
  (ids) =>
    Effect.succeed(new Set(ids.filter((id) => others.includes(id))))

export const noneTaken = takenAre([])

/** What a commit gave that published at once. */
export const live = (done: PlatformData | WholeThread | Accepted): PlatformData => {
  assert.notInstanceOf(done, Accepted)
  assert.notInstanceOf(done, WholeThread)
  return done as PlatformData
}

/** What `save` was given, in order. */
export const savedHandles = Effect.gen(function* () {
  const saved = yield* Ref.make<ReadonlyArray<Handle>>([])
  return {
    save: (handle: Handle) => Ref.update(saved, (handles) => [...handles, handle]),
    all: Ref.get(saved)
  }
})
