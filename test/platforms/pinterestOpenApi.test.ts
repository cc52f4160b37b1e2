import { SandboxProcess } from "@carillon/sandbox/testing"
import type { PublishRequest } from "@carillon/server/platforms/Platform"
import { makePinterest } from "@carillon/server/platforms/pinterest/Pinterest"
import { heldAgainstDescription } from "@carillon/testing/ValidatingProxy"
import { DateTime, Effect, Redacted, Stream } from "effect"
import type { HttpClient } from "effect/http"

const consent = {
  login: "pinterest",
  redirect_uri: "http://127.0.0.1:9/callback",
  state: "state",
  code_verifier: "v".repeat(64)
}

const picture = (mime_type: string, head: string) => ({
  id: mime_type,
  kind: "image" as const,
  name: "picture",
  mime_type,
  size_bytes: 100,
  width: 1000,
  height: 1500,
  duration_ms: null,
  sha256: "0".repeat(64),
  alt_text: "A bell",
  image: Effect.succeed({
    bytes: Buffer.from(`${head} and more`, "latin1"),
    mime_type,
    width: 1000,
    height: 1500
  }),
  content: Stream.empty,
  part: () => Stream.empty,
  public_url: Effect.succeed("https://example.com/picture")
})
const jpeg = picture("image/jpeg", "\xff\xd8\xff")
const png = picture("image/png", "\x89PNG\r\n\x1a\n")
const film = {
  ...picture("video/mp4", ""),
  kind: "video" as const,
  alt_text: null,
  content: Stream.succeed(new Uint8Array(100))
}

const walked = Effect.fnUntraced(function* (client: HttpClient.HttpClient) {
  const { url, on } = yield* SandboxProcess
  const pinterest = makePinterest(client, {
    id: "1234567",
    secret: Redacted.make("sandbox"),
    at: (host) => `${url}/${host}`,
    stand_in: true
  })
  const { headers } = yield* Effect.promise(() =>
    fetch(pinterest.oauth!.authorizeUrl(consent), {
      method: "POST",
      redirect: "manual",
      body: new URLSearchParams([
        ["username", "described"],
        ["decision", "allow"],
        ...new URL(pinterest.oauth!.authorizeUrl(consent)).searchParams
          .get("scope")!
          .split(",")
          .map((scope): [string, string] => ["scope", scope])
      ])
    })
  )
  const code = new URL(headers.get("location")!).searchParams.get("code")!
  const [account] = yield* pinterest.oauth!.exchange({ ...consent, code })
  const { credentials } = yield* pinterest.refresh(account!.credentials)
  const choices = yield* pinterest.choices!(credentials, "")
  const [board] = choices["board_ids"] as unknown as ReadonlyArray<{
    id: string
    sections: Array<{ id: string }>
  }>
  const publish = Effect.fnUntraced(function* (values: Partial<PublishRequest>) {
    const request: PublishRequest = {
      target_id: "target",
      remote_id: account!.remote_id,
      username: account!.username,
      board_id: board!.id,
      default_privacy_level: null,
      caption: "In the valley",
      media: [],
      cover: null,
      cover_frame: null,
      thread: null,
      options: {},
      due_at: yield* DateTime.now,
      ...values
    }
    const { handle } = yield* pinterest.prepare(request, credentials, null, () => Effect.void)
    yield* pinterest.commit(request, credentials, handle)
    yield* pinterest.reconcile(request, credentials, handle, () => Effect.succeed(new Set()))
  })
  const options = { title: "Bells", link: "https://example.com/", board_section_id: board!.sections[0]!.id }
  yield* publish({ media: [jpeg], options })
  yield* publish({ media: [jpeg, png] })
  yield* publish({ media: [film] })
  yield* publish({ media: [film], cover: png })
  yield* on("pinterest").script("described", [
    { on: "post", fault: "rate_limited" },
    { on: "post", fault: "forbidden" }
  ])
  yield* Effect.flip(publish({ media: [jpeg] }))
  yield* Effect.flip(publish({ media: [jpeg] }))
})

heldAgainstDescription(
  {
    // `v5/openapi.json` of github.com/pinterest/api-description
    network: "Pinterest",
    variable: "PINTEREST_OPENAPI",
    api: "api.pinterest.com/v5",
    path: "/boards",
    answers: ["POST 200", "GET 200", "POST 201", "POST 429", "POST 403"]
  },
  walked
)
