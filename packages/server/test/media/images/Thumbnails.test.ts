import { assert, layer } from "@effect/vitest"
import { Context, Effect, Layer } from "effect"
import { TestClock } from "effect/testing"
import { rm, writeFile } from "node:fs/promises"
import { join } from "node:path"
import sharp from "sharp"
import * as TestDirectory from "@carillon/testing/TestDirectory"
import { call, mediaServerWith, upload } from "../MediaServer.ts"
import { fixture } from "../Pictures.ts"

class Ffmpeg extends Context.Service<Ffmpeg, { readonly uninstall: Effect.Effect<void> }>()("Ffmpeg") {}

/** The media room with an ffmpeg that cuts the same picture out of every video, and can be removed. */
const withFfmpeg = Layer.unwrap(
  Effect.gen(function* () {
    const directory = yield* TestDirectory.make
    const program = join(directory, "ffmpeg.sh")
    const picture = sharp({ create: { width: 64, height: 48, channels: 3, background: "red" } })
    yield* Effect.promise(() => picture.png().toFile(join(directory, "frame.png")))
    const script = [
      "#!/bin/sh",
      'for output in "$@"; do :; done',
      'case "$*" in',
      "*-version* | *-filters*) ;;",
      `*) cp "${directory}/frame.png" "\${output#file:}" ;;`,
      "esac",
      ""
    ]
    yield* Effect.promise(() => writeFile(program, script.join("\n"), { mode: 0o755 }))
    return Layer.merge(
      mediaServerWith({ FFMPEG: program }),
      Layer.succeed(Ffmpeg, { uninstall: Effect.promise(() => rm(program)) })
    )
  })
)

layer(withFfmpeg)("the small picture of a video", (it) => {
  it.effect("the small picture of a video stays when ffmpeg is uninstalled", () =>
    Effect.gen(function* () {
      const bytes = yield* fixture("video.mp4")
      const [seen, unseen] = [yield* upload("video/mp4", bytes), yield* upload("video/mp4", bytes)]
      const look = (url: string) => Effect.promise(async () => (await fetch(url)).status)
      assert.strictEqual(yield* look(seen.thumbnail_url!), 200)

      yield* (yield* Ffmpeg).uninstall
      // For a minute the service believes what it saw.
      yield* TestClock.adjust("2 minutes")
      const thumbnailOf = (id: string) =>
        Effect.map(call("GET", `/v1/media/${id}`), ({ body }) => body.thumbnail_url as string | null)
      const kept = yield* thumbnailOf(seen.id)
      assert.isNotNull(kept)
      assert.strictEqual(yield* look(kept), 200)
      assert.isNull(yield* thumbnailOf(unseen.id), "no picture was made before")
    })
  )
})
