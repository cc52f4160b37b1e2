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
    it.effect.each([
      ["a redirect address with a query", authorizePath({ redirect_uri: `${redirect_uri}?a=b` })],
      ["no client key", authorizePath({ client_key: "" })],
      ["another response type", authorizePath({ response_type: "token" })]
    ] as const)("shows no consent page for %s", ([, path]) =>
      Effect.gen(function* () {
        assert.strictEqual((yield* send(path)).status, 400)
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
        assert.isAtMost(publish_id.length, 64)
        assert.isAtMost(upload_url.length, 256)
        yield* put(upload_url, bytes.subarray(0, 5_000_000), 0, bytes.length)
        const twice = yield* put(upload_url, bytes.subarray(0, 5_000_000), 0, bytes.length)
        assert.deepStrictEqual(
          [twice.status, twice.headers.get("content-range")],
          [416, `bytes 0-4999999/${bytes.length}`]
        )
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
  })
})
