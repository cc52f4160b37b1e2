import { SandboxProcess } from "@carillon/sandbox/testing"
import { assert, describe, layer } from "@effect/vitest"
import { Effect, Schedule } from "effect"
import { createHash } from "node:crypto"
import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import { send } from "./PlatformClient.ts"

const api = "/open.tiktokapis.com/v2"
const redirect_uri = "https://carillon.example/oauth/callback/tiktok"
const allScopes = ["user.info.basic", "user.info.profile", "video.publish", "video.upload"]

const authorizePath = (parameters: Record<string, string> = {}) =>
  `/www.tiktok.com/v2/auth/authorize/?${new URLSearchParams({
    client_key: "key",
    response_type: "code",
    scope: allScopes.join(","),
    redirect_uri,
    state: "a state",
    ...parameters
  })}`

const form = (fields: Record<string, string>) =>
  send(`${api}/oauth/token/`, {
    method: "POST",
    body: new URLSearchParams({ client_key: "key", client_secret: "secret", ...fields })
  })

/** What a person allows on the consent page; the address that the browser is sent back to. */
const consent = Effect.fnUntraced(function* (username: string, scopes: ReadonlyArray<string> = allScopes) {
  const body = new URLSearchParams([
    ["username", username],
    ["decision", "allow"],
    ...scopes.map((scope): [string, string] => ["scope", scope])
  ])
  const { headers } = yield* send(authorizePath(), { method: "POST", body, redirect: "manual" })
  return new URL(headers.get("location")!)
})

const redeem = (code: string) => form({ grant_type: "authorization_code", code, redirect_uri })

let accounts = 0

/** A client of an account of its own. */
const connected = Effect.fnUntraced(function* (ending = "", scopes: ReadonlyArray<string> = allScopes) {
  const username = `creator${++accounts}${ending}`
  const { body: tokens } = yield* redeem((yield* consent(username, scopes)).searchParams.get("code")!)
  const authorization = `Bearer ${tokens.access_token}`
  const post = (path: string, body: unknown = {}) =>
    send(`${api}/post/publish/${path}/`, {
      method: "POST",
      headers: { authorization, "content-type": "application/json; charset=UTF-8" },
      body: JSON.stringify(body)
    })
  const status = (publish_id: string) => post("status/fetch", { publish_id })
  return {
    username,
    tokens,
    post,
    status,
    get: (path: string) => send(`${api}${path}`, { headers: { authorization } }),
    init: (source: object = {}, info: object = {}) =>
      post("video/init", {
        post_info: { title: "Bells #ring", privacy_level: "PUBLIC_TO_EVERYONE", ...info },
        source_info: {
          source: "FILE_UPLOAD",
          video_size: 4,
          chunk_size: 4,
          total_chunk_count: 1,
          ...source
        }
      }),
    /** Looks until it is not in work any more. */
    outcome: (publish_id: string) =>
      Effect.gen(function* () {
        const { text, body } = yield* status(publish_id)
        return body.data.status.startsWith("PROCESSING") ? yield* Effect.fail(text) : { text, ...body.data }
      }).pipe(Effect.retry({ schedule: Schedule.spaced("20 millis"), times: 200 }))
  }
})

const put = (url: string, bytes: Uint8Array<ArrayBuffer>, start: number, total: number) =>
  send(url, {
    method: "PUT",
    headers: {
      "content-type": "video/mp4",
      "content-range": `bytes ${start}-${start + bytes.length - 1}/${total}`
    },
    body: bytes
  })

const bytesOf = (size: number) => new Uint8Array(size).map((_, index) => (index * 7 + (index >> 8)) & 255)

layer(SandboxProcess.layer, { excludeTestServices: true })("TikTok, as the test network plays it", (it) => {
  describe("consent and tokens", () => {
    it.effect("gives a code for the state, and for the code tokens of two hours and 180 days", () =>
      Effect.gen(function* () {
        const back = yield* consent("somebody")
        assert.strictEqual(back.searchParams.get("state"), "a state")
        const { status, body } = yield* redeem(back.searchParams.get("code")!)
        assert.strictEqual(status, 200)
        assert.deepInclude(body, {
          expires_in: 7200,
          refresh_expires_in: 15_552_000,
          scope: allScopes.join(","),
          token_type: "Bearer"
        })
        const again = yield* redeem(back.searchParams.get("code")!)
        assert.deepStrictEqual([again.status, again.body.error], [400, "invalid_grant"])
      })
    )

    it.effect("rotates the refresh token and lets the old one die at once", () =>
      Effect.gen(function* () {
        const { tokens } = yield* connected()
        const refresh = (refresh_token: string) => form({ grant_type: "refresh_token", refresh_token })
        const first = yield* refresh(tokens.refresh_token)
        assert.strictEqual(first.body.open_id, tokens.open_id)
        assert.notStrictEqual(first.body.refresh_token, tokens.refresh_token)
        assert.strictEqual((yield* refresh(tokens.refresh_token)).body.error, "invalid_grant")
        assert.strictEqual((yield* refresh(first.body.refresh_token)).status, 200)
      })
    )

    it.effect.each([
      ["a redirect address with a query", authorizePath({ redirect_uri: `${redirect_uri}?a=b` })],
      ["no client key", authorizePath({ client_key: "" })],
      ["another response type", authorizePath({ response_type: "token" })]
    ] as const)("shows no consent page for %s", ([, path]) =>
      Effect.gen(function* () {
        assert.strictEqual((yield* send(path)).status, 400)
      })
    )

    it.effect("refuses a wrong secret and another redirect address", () =>
      Effect.gen(function* () {
        const code = (yield* consent("somebody")).searchParams.get("code")!
        const wrong = yield* form({ grant_type: "authorization_code", code, client_secret: "wrong" })
        assert.strictEqual(wrong.body.error, "invalid_client")
        const elsewhere = yield* form({
          grant_type: "authorization_code",
          code,
          redirect_uri: "https://e.example/"
        })
        assert.strictEqual(elsewhere.body.error, "invalid_grant")
      })
    )

    it.effect("tells of the user what the scopes allow", () =>
      Effect.gen(function* () {
        const { username, get } = yield* connected()
        const { body } = yield* get("/user/info/?fields=open_id,username,display_name")
        assert.deepInclude(body.data.user, { username })
        assert.strictEqual(body.error.code, "ok")
        const basic = yield* connected("", ["user.info.basic"])
        const refused = yield* basic.get("/user/info/?fields=username")
        assert.deepStrictEqual([refused.status, refused.body.error.code], [401, "scope_not_authorized"])
        assert.strictEqual((yield* basic.init()).body.error.code, "scope_not_authorized")
      })
    )
  })

  describe("videos", () => {
    it.effect(
      "videos are posted with the last byte of their chunks, and their id is a number above 2^53",
      () =>
        Effect.gen(function* () {
          const sandbox = (yield* SandboxProcess).on("tiktok")
          const { username, init, status, outcome } = yield* connected()
          const bytes = bytesOf(11_000_000)
          const { body } = yield* init(
            { video_size: bytes.length, chunk_size: 5_000_000, total_chunk_count: 2 },
            { video_cover_timestamp_ms: 1200, is_aigc: true }
          )
          const { publish_id, upload_url } = body.data
          assert.isAtMost(publish_id.length, 64)
          assert.isAtMost(upload_url.length, 256)
          const first = yield* put(upload_url, bytes.subarray(0, 5_000_000), 0, bytes.length)
          assert.deepStrictEqual(
            [first.status, first.headers.get("content-range")],
            [206, "bytes 0-4999999/11000000"]
          )
          const twice = yield* put(upload_url, bytes.subarray(0, 5_000_000), 0, bytes.length)
          assert.deepStrictEqual(
            [twice.status, twice.headers.get("content-range")],
            [416, "bytes 0-4999999/11000000"]
          )
          assert.strictEqual((yield* status(publish_id)).body.data.uploaded_bytes, 5_000_000)
          assert.lengthOf(yield* sandbox.publications(username), 0)

          const last = yield* put(upload_url, bytes.subarray(5_000_000), 5_000_000, bytes.length)
          assert.strictEqual(last.status, 201)
          const [publication] = yield* sandbox.publications(username)
          const done = yield* outcome(publish_id)
          assert.strictEqual(done.status, "PUBLISH_COMPLETE")
          assert.include(done.text, `"publicaly_available_post_id":[${publication!.id}]`)
          assert.deepInclude(publication, {
            text: "Bells #ring",
            details: {
              privacy_level: "PUBLIC_TO_EVERYONE",
              video_cover_timestamp_ms: 1200,
              is_aigc: true
            }
          })
          assert.strictEqual(publication!.media[0]!.sha256, createHash("sha256").update(bytes).digest("hex"))
        })
    )

    it.effect("go on where they were when the network was killed in between", () =>
      Effect.gen(function* () {
        const sandbox = yield* SandboxProcess
        const { username, init, outcome } = yield* connected()
        const bytes = bytesOf(10_000_000)
        const { body } = yield* init({
          video_size: bytes.length,
          chunk_size: 5_000_000,
          total_chunk_count: 2
        })
        const { publish_id, upload_url } = body.data
        yield* put(upload_url, bytes.subarray(0, 5_000_000), 0, bytes.length)
        yield* sandbox.kill
        yield* sandbox.restart
        yield* put(upload_url, bytes.subarray(5_000_000), 5_000_000, bytes.length)
        assert.strictEqual((yield* outcome(publish_id)).status, "PUBLISH_COMPLETE")
        const [publication] = yield* sandbox.on("tiktok").publications(username)
        assert.strictEqual(publication!.media[0]!.sha256, createHash("sha256").update(bytes).digest("hex"))
      })
    )

    it.effect.each([
      ["chunks under 5 MB", { video_size: 9_000_000, chunk_size: 4_000_000, total_chunk_count: 2 }],
      ["chunks over 64 MB", { video_size: 200_000_000, chunk_size: 65_000_000, total_chunk_count: 3 }],
      ["a wrong number of chunks", { video_size: 11_000_000, chunk_size: 5_000_000, total_chunk_count: 3 }],
      ["one chunk over 64 MB", { video_size: 70_000_000, chunk_size: 64_000_000, total_chunk_count: 1 }],
      ["more than 4 GB", { video_size: 4_000_000_001, chunk_size: 64_000_000, total_chunk_count: 62 }]
    ] as const)("a video in %s is refused", ([, source]) =>
      Effect.gen(function* () {
        const { status, body } = yield* (yield* connected()).init(source)
        assert.deepStrictEqual([status, body.error.code], [400, "invalid_param"])
      })
    )

    it.effect("refuse a chunk that ends too soon, a foreign token, and an address that has run out", () =>
      Effect.gen(function* () {
        const sandbox = (yield* SandboxProcess).on("tiktok")
        const { username, init } = yield* connected()
        yield* sandbox.script(username, [{ on: "upload_start", fault: "short_lived", seconds: 0 }])
        const expired = (yield* init()).body.data.upload_url
        const { upload_url } = (yield* init()).body.data
        const bytes = bytesOf(4)
        assert.strictEqual((yield* put(expired, bytes, 0, 4)).status, 403)
        assert.strictEqual((yield* put(upload_url, bytes.subarray(0, 2), 0, 4)).status, 400)
        assert.strictEqual((yield* put(`${upload_url}x`, bytes, 0, 4)).status, 404)
        assert.strictEqual((yield* put(upload_url, bytes, 0, 4)).status, 201)
      })
    )

    it.effect("fail with a reason when the script says so, and are not published", () =>
      Effect.gen(function* () {
        const sandbox = (yield* SandboxProcess).on("tiktok")
        const { username, init, status, outcome } = yield* connected()
        yield* sandbox.script(username, [
          { on: "post", fault: "processing", polls: 2, becomes: "failed", reason: "frame_rate_check_failed" }
        ])
        const { publish_id, upload_url } = (yield* init()).body.data
        yield* put(upload_url, bytesOf(4), 0, 4)
        assert.strictEqual((yield* status(publish_id)).body.data.status, "PROCESSING_UPLOAD")
        assert.deepInclude(yield* outcome(publish_id), {
          status: "FAILED",
          fail_reason: "frame_rate_check_failed"
        })
        assert.lengthOf(yield* sandbox.publications(username), 0)
      })
    )

    it.effect("reach the inbox with nothing but the file", () =>
      Effect.gen(function* () {
        const { post, outcome } = yield* connected()
        const { body } = yield* post("inbox/video/init", {
          source_info: { source: "FILE_UPLOAD", video_size: 4, chunk_size: 4, total_chunk_count: 1 }
        })
        yield* put(body.data.upload_url, bytesOf(4), 0, 4)
        assert.deepInclude(yield* outcome(body.data.publish_id), {
          status: "SEND_TO_USER_INBOX",
          publicaly_available_post_id: []
        })
      })
    )

    it.effect("want a privacy level that the creator has", () =>
      Effect.gen(function* () {
        const { init, post } = yield* connected("-private")
        const info = (yield* post("creator_info/query")).body.data
        assert.deepStrictEqual(info.privacy_level_options, [
          "FOLLOWER_OF_CREATOR",
          "MUTUAL_FOLLOW_FRIENDS",
          "SELF_ONLY"
        ])
        const { status, body } = yield* init()
        assert.deepStrictEqual([status, body.error.code], [403, "privacy_level_option_mismatch"])
      })
    )

    it.effect("videos are begun six times a minute", () =>
      Effect.gen(function* () {
        const { init } = yield* connected()
        const answers = yield* Effect.replicateEffect(init(), 7)
        assert.deepStrictEqual(
          answers.map(({ status }) => status),
          [200, 200, 200, 200, 200, 200, 429]
        )
        assert.strictEqual(answers[6]!.body.error.code, "rate_limit_exceeded")
      })
    )
  })

  describe("photos", () => {
    /** A server of media as TikTok wants it, and a redirect. */
    const mediaServer = Effect.acquireRelease(
      Effect.promise(
        () =>
          new Promise<{ readonly url: string; readonly close: () => void }>((resolve) => {
            const server = createServer((request, response) => {
              if (request.url === "/moved") return response.writeHead(302, { location: "/a.jpg" }).end()
              const type = request.url === "/a.png" ? "image/png" : "image/jpeg"
              response.writeHead(200, { "content-type": type, "content-length": 5 })
              response.end(request.method === "HEAD" ? undefined : "photo")
            })
            server.listen(0, "127.0.0.1", () => {
              const { port } = server.address() as AddressInfo
              resolve({ url: `http://127.0.0.1:${port}`, close: () => server.closeAllConnections() })
            })
          })
      ),
      ({ close }) => Effect.sync(close)
    )

    const content = (photo_images: ReadonlyArray<string>, more: object = {}) => ({
      media_type: "PHOTO",
      post_mode: "DIRECT_POST",
      post_info: { title: "Title", description: "Words", privacy_level: "PUBLIC_TO_EVERYONE" },
      source_info: { source: "PULL_FROM_URL", photo_images, photo_cover_index: 0 },
      ...more
    })

    it.effect("are fetched and posted, the AI label beside post_info", () =>
      Effect.gen(function* () {
        const sandbox = (yield* SandboxProcess).on("tiktok")
        const { url } = yield* mediaServer
        const { username, post, outcome } = yield* connected()
        const { body } = yield* post(
          "content/init",
          content([`${url}/a.jpg`, `${url}/b.jpg`], { is_aigc: true })
        )
        const done = yield* outcome(body.data.publish_id)
        assert.deepInclude(done, { status: "PUBLISH_COMPLETE", downloaded_bytes: 10 })
        const [publication] = yield* sandbox.publications(username)
        assert.deepInclude(publication, { title: "Title", text: "Words" })
        assert.lengthOf(publication!.media, 2)
        assert.deepInclude(publication!.details, { is_aigc: true, photo_cover_index: 0 })
      })
    )

    it.effect.each([
      ["/moved", "photo_pull_failed"],
      ["/a.png", "file_format_check_failed"]
    ] as const)("photos fail at %s", ([path, reason]) =>
      Effect.gen(function* () {
        const { url } = yield* mediaServer
        const { post, outcome } = yield* connected()
        const { body } = yield* post("content/init", content([`${url}${path}`]))
        assert.deepInclude(yield* outcome(body.data.publish_id), { status: "FAILED", fail_reason: reason })
      })
    )

    it.effect("fail when nobody answers", () =>
      Effect.gen(function* () {
        const { post, outcome } = yield* connected()
        const { body } = yield* post("content/init", content(["http://127.0.0.1:1/a.jpg"]))
        assert.deepInclude(yield* outcome(body.data.publish_id), { fail_reason: "photo_pull_failed" })
      })
    )
  })
})
