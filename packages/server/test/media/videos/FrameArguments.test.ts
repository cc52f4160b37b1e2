import { frameArguments } from "@carillon/server/media/videos/FrameArguments"
import { assert, it } from "@effect/vitest"

it.each([
  [1920, 1080, "1920:1080"],
  [640, 360, "1280:720"],
  [1080, 1920, "1080:1920"],
  [360, 640, "720:1280"],
  [500, 500, "1280:1280"]
])("a frame of a video of %d by %d stays as it stands, and comes out as %s", (width, height, size) => {
  const wanted = { at: 0, min_width: 1280, min_height: 720 }
  const words = frameArguments(
    { mime_type: "video/mp4", width, height, path: "film.mp4" },
    "out",
    wanted,
    null
  )
  assert.include(words[words.indexOf("-vf") + 1], `scale=${size}`)
})
