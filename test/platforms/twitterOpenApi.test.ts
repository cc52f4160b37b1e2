import { SandboxProcess } from "@carillon/sandbox/testing"
import { heldAgainstDescription } from "@carillon/testing/ValidatingProxy"
import { Effect, Stream } from "effect"
import type { HttpClient } from "effect/http"
import { accountOnX } from "./AccountOnX.ts"

const file = (kind: "image" | "video", mime_type: string) => ({
  id: mime_type,
  kind,
  name: "file",
  mime_type,
  size_bytes: 100,
  width: 640,
  height: 480,
  duration_ms: null,
  sha256: "0".repeat(64),
  alt_text: "A bell",
  image: Effect.succeed({ bytes: Buffer.from("a picture"), mime_type, width: 640, height: 480 }),
  content: Stream.empty,
  part: () => Stream.succeed(new Uint8Array(100)),
  public_url: Effect.succeed("https://example.com/file")
})

const walked = Effect.fnUntraced(function* (client: HttpClient.HttpClient) {
  const { on } = yield* SandboxProcess
  const { credentials, publish, username, x } = yield* accountOnX("described", client)
  yield* x.limits!(credentials)
  yield* publish({
    options: {
      reply_settings: "following",
      community_id: "1",
      made_with_ai: true,
      paid_partnership: true,
      for_super_followers_only: true,
      poll: { options: ["Big", "Small"], duration_minutes: 60 }
    }
  })
  yield* publish({ media: [file("image", "image/jpeg"), file("image", "image/png")] })
  yield* publish({ media: [file("image", "image/gif")] })
  yield* on("twitter").script("described", [{ on: "media", fault: "processing", polls: 1 }])
  yield* publish({
    media: [file("video", "video/mp4")],
    options: { captions: [{ lang: "en", text: "WEBVTT" }] }
  })
  const [first] = yield* on("twitter").publications("described")
  const parent = { id: first!.id, url: null, username }
  yield* publish({ thread: { index: 1, count: 2, root: parent, parent, rest: [] } })
})

heldAgainstDescription(
  {
    // `openapi.json` of github.com/xdevplatform/docs
    network: "X",
    variable: "TWITTER_OPENAPI",
    api: "api.x.com",
    path: "/2/users/me",
    // It knows none of the refusals that X's pages list.
    answers: ["GET 200", "POST 200", "POST 201"]
  },
  walked
)
