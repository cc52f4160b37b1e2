import { SandboxProcess } from "@carillon/sandbox/testing"
import type { PublishRequest } from "@carillon/server/platforms/Platform"
import { makePinterest } from "@carillon/server/platforms/pinterest/Pinterest"
import { NodeHttpClient } from "@effect/platform-node"
import { assert, describe, it as test, layer } from "@effect/vitest"
import { DateTime, Effect, Layer, Redacted, Stream } from "effect"
import { HttpClient } from "effect/http"
import { existsSync } from "node:fs"
import { patience, validatingProxy } from "@carillon/testing/ValidatingProxy"

/** Pinterest's own description of its API: `v5/openapi.json` of github.com/pinterest/api-description. */
const description = process.env["PINTEREST_OPENAPI"] ?? ""
const isThere = description !== "" && existsSync(description)
const reason = description === "" ? "PINTEREST_OPENAPI names no file" : `there is no file ${description}`

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

/** Everything that the adapter sends to the API and the stand-in answers, and what the description has against it. */
const everyRequest = Effect.fnUntraced(function* () {
  const { url, on } = yield* SandboxProcess
  const proxy = yield* validatingProxy(description, `${url}/api.pinterest.com/v5`, "/boards")
  const violations: Array<unknown> = []
  const seen: Array<string> = []
  const client = (yield* HttpClient.HttpClient).pipe(
    HttpClient.tap((response) =>
      Effect.sync(() => {
        if (!response.request.url.startsWith(proxy)) return
        seen.push(`${response.request.method} ${response.status}`)
        const found = response.headers["sl-violations"]
        if (found !== undefined) violations.push(response.request.url, JSON.parse(found))
      })
    )
  )
  const pinterest = makePinterest(
    // The description's paths begin after the version.
    HttpClient.mapRequest(
      client,
      (one) => ({ ...one, url: one.url.replace(`${proxy}/v5`, proxy) }) as typeof one
    ),
    {
      id: "1234567",
      secret: Redacted.make("sandbox"),
      at: (host) => (host === "api.pinterest.com" ? proxy : `${url}/${host}`),
      stand_in: true
    }
  )
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
  const choices = yield* pinterest.choices!(credentials)
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
      chain: null,
      options: {},
      due_at: yield* DateTime.now,
      ...values
    }
    const { handle } = yield* pinterest.prepare(request, credentials, null, () => Effect.void)
    yield* pinterest.commit(request, credentials, handle)
    yield* pinterest.reconcile(request, credentials, handle)
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
  return { violations, seen }
}, Effect.scoped)

const Network = Layer.merge(SandboxProcess.layer, NodeHttpClient.layerUndici)

if (isThere) {
  layer(Network, { excludeTestServices: true })("Pinterest's own description", (it) => {
    it.effect(
      "has nothing against what the adapter sends and the stand-in answers",
      () =>
        Effect.gen(function* () {
          const { violations, seen } = yield* everyRequest()
          assert.deepStrictEqual(violations, [])
          assert.includeMembers(seen, ["POST 200", "GET 200", "POST 201", "POST 429", "POST 403"])
        }),
      patience + 60_000
    )
  })
} else {
  describe("Pinterest's own description", () => {
    // The description is Pinterest's to give out: whoever runs this fetches it, and names the file.
    test.skip(`has nothing against what the adapter sends and the stand-in answers (${reason})`, () =>
      undefined)
  })
}
