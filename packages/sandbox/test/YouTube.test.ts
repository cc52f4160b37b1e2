import { SandboxProcess } from "@carillon/sandbox/testing"
import { assert, layer } from "@effect/vitest"
import { Effect, Fiber, Schedule } from "effect"
import { createHash } from "node:crypto"
import { stat } from "node:fs/promises"
import { join } from "node:path"
import { json, send } from "./PlatformClient.ts"

const scopes = ["youtube.upload", "youtube.readonly", "youtube"].map(
  (name) => `https://www.googleapis.com/auth/${name}`
)
const redirectUri = "http://127.0.0.1:9/callback"
const verifier = "v".repeat(64)
const challenge = createHash("sha256").update(verifier).digest("base64url")

const consentPath = (changes: Record<string, string> = {}) =>
  `/accounts.google.com/o/oauth2/v2/auth?${new URLSearchParams({
    client_id: "an-app",
    redirect_uri: redirectUri,
    response_type: "code",
    scope: scopes.join(" "),
    access_type: "offline",
    prompt: "consent",
    code_challenge: challenge,
    code_challenge_method: "S256",
    state: "s",
    ...changes
  })}`

const allow = (username: string, granted: ReadonlyArray<string> = scopes) =>
  Effect.map(
    send(consentPath(), {
      method: "POST",
      redirect: "manual",
      body: new URLSearchParams([
        ["username", username],
        ["decision", "allow"],
        ...granted.map((scope): [string, string] => ["scope", scope])
      ])
    }),
    ({ headers }) => new URL(headers.get("location")!).searchParams
  )

const tokenOf = (form: Record<string, string>) =>
  send("/oauth2.googleapis.com/token", {
    method: "POST",
    body: new URLSearchParams({ client_id: "an-app", client_secret: "sandbox", ...form })
  })

const redeem = (code: string, changes: Record<string, string> = {}) =>
  tokenOf({
    grant_type: "authorization_code",
    code,
    redirect_uri: redirectUri,
    code_verifier: verifier,
    ...changes
  })

const api = "/www.googleapis.com/youtube/v3"
const uploads = "/www.googleapis.com/upload/youtube/v3"
const block = 256 * 1024

const clientOf = Effect.fnUntraced(function* (username: string, granted?: ReadonlyArray<string>) {
  const { body } = yield* redeem((yield* allow(username, granted)).get("code")!)
  const authorization = `Bearer ${body.access_token}`
  const call = (path: string, init: RequestInit = {}) =>
    send(path, { ...init, headers: { authorization, ...(init.headers as Record<string, string>) } })
  return {
    tokens: body,
    call,
    start: (draft: unknown, size: number, query = "") =>
      call(`${uploads}/videos?uploadType=resumable&part=snippet,status${query}`, {
        ...json(draft),
        headers: {
          "content-type": "application/json; charset=UTF-8",
          "x-upload-content-length": String(size),
          "x-upload-content-type": "video/mp4"
        }
      }),
    put: (session: string, bytes: Uint8Array<ArrayBuffer>, range: string) =>
      call(session, { method: "PUT", headers: { "content-range": `bytes ${range}` }, body: bytes })
  }
})

const draft = {
  snippet: { title: "A film", description: "About bells", tags: ["bells"], categoryId: "22" },
  status: { privacyStatus: "unlisted", selfDeclaredMadeForKids: false, containsSyntheticMedia: true }
}
const film = new Uint8Array(2 * block + 100).map((_, index) => index % 251)
const nothing = new Uint8Array()

const untilTrue = Effect.retry({ schedule: Schedule.spaced("50 millis") })

layer(SandboxProcess.layer, { excludeTestServices: true })("the stand-in for YouTube", (it) => {
  it.effect("refuses codes that do not fit, and consent without a refresh token", () =>
    Effect.gen(function* () {
      const codeOf = Effect.map(allow("anna"), (back) => back.get("code")!)
      const error = (answer: { readonly body: any }) => answer.body.error
      assert.strictEqual(error(yield* redeem(yield* codeOf, { code_verifier: "other" })), "invalid_grant")
      assert.strictEqual(
        error(yield* redeem(yield* codeOf, { redirect_uri: "http://other" })),
        "redirect_uri_mismatch"
      )
      assert.strictEqual(error(yield* redeem(yield* codeOf, { client_secret: "x" })), "invalid_client")
      const code = yield* codeOf
      yield* redeem(code)
      assert.strictEqual(error(yield* redeem(code)), "invalid_grant")
      assert.strictEqual((yield* send(consentPath({ access_type: "online" }))).status, 400)
      assert.strictEqual((yield* send(consentPath({ code_challenge_method: "plain" }))).status, 400)
    })
  )

  it.effect("makes a video of the last byte and of nothing before it", () =>
    Effect.gen(function* () {
      const sandbox = yield* SandboxProcess
      const { start, put, call } = yield* clientOf("uploader")
      const session = (yield* start(draft, film.length, "&notifySubscribers=false")).headers.get("location")!
      const asked = yield* put(session, nothing, `*/${film.length}`)
      assert.deepStrictEqual([asked.status, asked.headers.get("range")], [308, null])
      const first = yield* put(session, film.slice(0, block), `0-${block - 1}/${film.length}`)
      assert.deepStrictEqual([first.status, first.headers.get("range")], [308, `bytes=0-${block - 1}`])
      assert.lengthOf(yield* sandbox.on("youtube").publications("uploader"), 0)

      yield* sandbox.kill
      yield* sandbox.restart
      const where = yield* put(session, nothing, `*/${film.length}`)
      assert.strictEqual(where.headers.get("range"), `bytes=0-${block - 1}`)
      const made = yield* put(session, film.slice(block), `${block}-${film.length - 1}/${film.length}`)
      assert.strictEqual(made.status, 201)
      assert.match(made.body.id, /^[\w-]{11}$/)
      assert.deepInclude(made.body.status, { uploadStatus: "processed", privacyStatus: "unlisted" })
      const again = yield* put(session, nothing, `*/${film.length}`)
      assert.deepStrictEqual([again.status, again.body.id], [200, made.body.id])

      const [publication, ...others] = yield* sandbox.on("youtube").publications("uploader")
      assert.lengthOf(others, 0)
      assert.deepInclude(publication, { title: "A film", text: "About bells" })
      assert.deepInclude(publication!.media[0], {
        size: film.length,
        sha256: createHash("sha256").update(film).digest("hex"),
        content_type: "video/mp4"
      })
      const listed = yield* call(`${api}/videos?part=snippet,status,processingDetails&id=${made.body.id}`)
      assert.deepNestedInclude(listed.body.items[0], {
        "snippet.tags": ["bells"],
        "status.containsSyntheticMedia": true,
        "processingDetails.processingStatus": "succeeded"
      })
      const seen = yield* send(`/www.youtube.com/watch?v=${made.body.id}`, { redirect: "manual" })
      assert.match(seen.headers.get("location")!, new RegExp(`/posts/${publication!.id}$`))
    })
  )

  it.effect("keeps the whole blocks of a chunk that breaks off", () =>
    Effect.gen(function* () {
      const { tokens, start, put } = yield* clientOf("broken")
      const session = (yield* start(draft, film.length)).headers.get("location")!
      const body = new ReadableStream({
        start: (controller) => controller.enqueue(film.slice(0, block + 50))
      })
      const broken = yield* Effect.tryPromise((signal) =>
        fetch(session, {
          method: "PUT",
          headers: {
            authorization: `Bearer ${tokens.access_token}`,
            "content-range": `bytes 0-${2 * block - 1}/${film.length}`
          },
          body,
          duplex: "half",
          signal
        } as RequestInit)
      ).pipe(Effect.forkChild({ startImmediately: true }))
      const permission = new URL(session).searchParams.get("upload_id")!
      const uploadId = createHash("sha256").update(permission).digest("hex")
      const arriving = join((yield* SandboxProcess).directory, "media", "unfinished", uploadId)
      yield* Effect.tryPromise(async () => assert.strictEqual((await stat(arriving)).size, block + 50)).pipe(
        untilTrue
      )
      yield* Fiber.interrupt(broken)
      const where = Effect.gen(function* () {
        const { headers } = yield* put(session, nothing, `*/${film.length}`)
        return headers.get("range") ?? (yield* Effect.fail("nothing yet" as const))
      }).pipe(untilTrue)
      assert.strictEqual(yield* where, `bytes=0-${block - 1}`)
      const rest = yield* put(session, film.slice(block), `${block}-${film.length - 1}/${film.length}`)
      assert.strictEqual(rest.status, 201)
    })
  )

  it.effect("refuses chunks that are out of order or no multiple of 256 KiB", () =>
    Effect.gen(function* () {
      const { start, put } = yield* clientOf("chunks")
      const session = (yield* start(draft, film.length)).headers.get("location")!
      const status = (bytes: Uint8Array<ArrayBuffer>, range: string) =>
        Effect.map(put(session, bytes, range), (answer) => answer.status)
      assert.strictEqual(yield* status(film.slice(0, 1000), `0-999/${film.length}`), 400)
      assert.strictEqual(yield* status(film.slice(block), `${block}-${film.length - 1}/${film.length}`), 400)
      assert.strictEqual(yield* status(film.slice(0, block), `0-${block - 1}/999999999`), 400)
      assert.strictEqual((yield* put(`${uploads}/videos?upload_id=x`, film, `0-1/2`)).status, 404)
    })
  )

  it.effect("names what is wrong with the metadata", () =>
    Effect.gen(function* () {
      const { start } = yield* clientOf("metadata")
      const reason = Effect.fn(function* (snippet: object, status: object = {}) {
        const { body } = yield* start({ snippet: { title: "A film", ...snippet }, status }, 10)
        return body.error.errors[0].reason
      })
      assert.strictEqual(yield* reason({ title: "" }), "invalidTitle")
      assert.strictEqual(yield* reason({ title: "x".repeat(101) }), "invalidTitle")
      assert.strictEqual(yield* reason({ description: "é".repeat(2501) }), "invalidDescription")
      assert.strictEqual(yield* reason({ tags: ["x".repeat(499), "y z"] }), "invalidTags")
      assert.strictEqual(yield* reason({ tags: ["x".repeat(250), "y".repeat(250)] }), "invalidTags")
      assert.strictEqual(yield* reason({ categoryId: "999" }), "invalidCategoryId")
      assert.strictEqual(
        yield* reason({}, { publishAt: "2030-01-01T00:00:00Z", privacyStatus: "public" }),
        "invalidPublishAt"
      )
      assert.strictEqual(yield* reason({}, { privacyStatus: "friends" }), "invalidVideoMetadata")
    })
  )

  it.effect("sets a thumbnail and adds to playlists where the scopes allow it", () =>
    Effect.gen(function* () {
      const publish = Effect.fn(function* (username: string, granted?: ReadonlyArray<string>) {
        const client = yield* clientOf(username, granted)
        const session = (yield* client.start(draft, 4)).headers.get("location")!
        const { body } = yield* client.put(session, film.slice(0, 4), "0-3/4")
        const item = {
          snippet: { playlistId: "PLbells", resourceId: { kind: "youtube#video", videoId: body.id } }
        }
        return { ...client, id: body.id as string, item }
      })
      const { call, id, item } = yield* publish("curator")
      const set = (type: string, size: number) =>
        call(`${uploads}/thumbnails/set?videoId=${id}`, {
          method: "POST",
          headers: { "content-type": type },
          body: new Uint8Array(size)
        })
      assert.strictEqual((yield* set("image/jpeg", 100)).status, 200)
      assert.strictEqual((yield* set("image/jpeg", 53_000_000)).status, 413)
      assert.strictEqual((yield* set("image/webp", 100)).status, 400)
      assert.strictEqual((yield* call(`${api}/playlistItems?part=snippet`, json(item))).status, 200)
      const { body } = yield* call(`${api}/playlistItems?part=id&playlistId=PLbells&videoId=${id}`)
      assert.lengthOf(body.items, 1)

      const narrow = yield* publish("narrow", scopes.slice(0, 2))
      const refused = yield* narrow.call(`${api}/playlistItems?part=snippet`, json(narrow.item))
      assert.deepStrictEqual(
        [refused.status, refused.body.error.errors[0].reason],
        [403, "insufficientPermissions"]
      )
    })
  )
})
