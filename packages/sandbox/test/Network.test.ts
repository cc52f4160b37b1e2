import { platformRules } from "@carillon/domain"
import { SandboxProcess } from "@carillon/sandbox/testing"
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { createHash } from "node:crypto"
import { readFile } from "node:fs/promises"
import { connect } from "node:net"
import { join } from "node:path"
import { clientOf, json, send, signIn } from "./PlatformClient.ts"

/** A post whose sender closes the connection as soon as the last byte is out. */
const sendRaw = Effect.fnUntraced(function* (token: string, body: string, length: number) {
  const { port } = new URL((yield* SandboxProcess).url)
  yield* Effect.callback<void>((resume) => {
    const socket = connect(Number(port), "127.0.0.1", () => {
      const head = `POST /api/posts HTTP/1.1\r\nhost: localhost\r\nauthorization: Bearer ${token}\r\ncontent-length: ${length}`
      socket.write(`${head}\r\n\r\n${body}`, () => {
        socket.destroy()
        resume(Effect.void)
      })
    })
  })
})

const family = "👨‍👩‍👧‍👦"

layer(SandboxProcess.layer)("the sandbox's own platform", (it) => {
  it.effect.each([
    { username: "anna.berg", kind: "key", name: "Anna Berg" },
    { username: "shop-lookup", kind: "lookup", name: "Shop Lookup" },
    { username: "shop-none", kind: "none", name: "Shop None" }
  ])("opens the account $username for whoever knows the password", ({ username, kind, name }) =>
    Effect.gen(function* () {
      const { status, body } = yield* signIn(username)
      assert.strictEqual(status, 201)
      assert.match(body.access_token, /^sbx_/)
      assert.strictEqual(body.expires_in, 3600)
      assert.deepInclude(body.account, { username, display_name: name, commit_kind: kind })

      const avatar = yield* send(body.account.avatar_url)
      assert.strictEqual(avatar.headers.get("content-type"), "image/png")
      assert.include(avatar.text, "PNG")

      const again = yield* signIn(username)
      assert.deepStrictEqual(again.body.account, body.account)
      assert.notStrictEqual(again.body.access_token, body.access_token)
    })
  )

  it.effect("refuses another password and a strange username", () =>
    Effect.gen(function* () {
      const password = yield* signIn("someone", "secret")
      assert.strictEqual(password.status, 401)
      assert.strictEqual(password.body.error.code, "bad_credentials")
      const username = yield* signIn("<b>someone</b>")
      assert.strictEqual(username.status, 422)
      assert.strictEqual(username.body.error.code, "bad_username")
    })
  )

  it.effect("refuses who has no token, a wrong one or an expired one", () =>
    Effect.gen(function* () {
      const missing = yield* send("/api/posts", json({ text: "Hello" }))
      assert.deepStrictEqual([missing.status, missing.body.error.code], [401, "token_invalid"])
      const wrong = yield* send("/api/posts", {
        ...json({ text: "Hello" }),
        headers: { authorization: "Bearer sbx_x" }
      })
      assert.deepStrictEqual([wrong.status, wrong.body.error.code], [401, "token_invalid"])

      const sandbox = yield* SandboxProcess
      yield* sandbox.script("expired", [{ on: "session", fault: "short_lived", seconds: 0 }])
      const expired = yield* clientOf("expired")
      const { status, body } = yield* expired.post({ text: "Hello" })
      assert.deepStrictEqual([status, body.error.code], [401, "token_expired"])
      assert.strictEqual((yield* (yield* clientOf("expired")).post({ text: "Hello" })).status, 201)
    })
  )

  it.effect("publishes text and media, and the ledger has all of it", () =>
    Effect.gen(function* () {
      const sandbox = yield* SandboxProcess
      const anna = yield* clientOf("anna")
      const picture = yield* anna.upload("a picture", "image/png; charset=binary")
      const video = yield* anna.upload("a video", "video/mp4")
      assert.deepStrictEqual([picture.status, picture.body.status], [201, "ready"])
      assert.deepStrictEqual((yield* anna.get(`/api/media/${picture.body.id}`)).body, picture.body)

      const draft = {
        title: "A title",
        text: "Some text",
        media: [{ id: picture.body.id, alt_text: "A bell" }, { id: video.body.id }],
        client_reference: "target-1"
      }
      const { status, body } = yield* anna.post(draft, "key-1")
      assert.strictEqual(status, 201)
      assert.strictEqual(body.url, `${sandbox.url}/posts/${body.id}`)

      const [publication] = yield* sandbox.publications("anna")
      assert.deepStrictEqual(
        { ...publication, received_at: "", requests: publication!.requests.length },
        {
          id: body.id,
          platform: "sandbox",
          account: "anna",
          title: "A title",
          text: "Some text",
          media: [
            {
              id: picture.body.id,
              sha256: createHash("sha256").update("a picture").digest("hex"),
              size: 9,
              content_type: "image/png",
              alt_text: "A bell"
            },
            {
              id: video.body.id,
              sha256: createHash("sha256").update("a video").digest("hex"),
              size: 7,
              content_type: "video/mp4",
              alt_text: null
            }
          ],
          idempotency_key: "key-1",
          client_reference: "target-1",
          received_at: "",
          published_at: body.created_at,
          requests: 1
        }
      )
      assert.match(publication!.received_at, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)

      const read = yield* anna.get(`/api/posts/${body.id}`)
      assert.deepInclude(read.body, { ...body, title: "A title", client_reference: "target-1" })
      const stranger = yield* (yield* clientOf("stranger")).get(`/api/posts/${body.id}`)
      assert.strictEqual(stranger.status, 404)
    })
  )

  it.effect("gives ids that are different, but not as numbers", () =>
    Effect.gen(function* () {
      const ids = yield* clientOf("ids")
      const first = (yield* ids.post({ text: "First" })).body.id
      const second = (yield* ids.post({ text: "Second" })).body.id
      assert.isString(first)
      assert.notStrictEqual(first, second)
      assert.isAbove(Number(first), Number.MAX_SAFE_INTEGER)
      assert.strictEqual(Number(first), Number(second))
    })
  )

  it.effect("answers a repeated key with the first answer, whatever is sent with it", () =>
    Effect.gen(function* () {
      const sandbox = yield* SandboxProcess
      const keys = yield* clientOf("keys")
      const first = yield* keys.post({ text: "First" }, "k")
      const second = yield* keys.post({ text: "Another" }, "k")
      const third = yield* keys.post({}, "k")
      assert.deepStrictEqual([second.body, third.body], [first.body, first.body])
      assert.strictEqual(second.status, 201)

      const publications = yield* sandbox.publications("keys")
      assert.lengthOf(publications, 1)
      const posts = (yield* sandbox.requests("keys")).filter(({ operation }) => operation === "post")
      assert.deepStrictEqual(
        publications[0]!.requests,
        posts.map(({ id }) => id)
      )
      yield* (yield* clientOf("other-keys")).post({ text: "Of another account" }, "k")
      assert.lengthOf(yield* sandbox.publications("other-keys"), 1)
    })
  )

  it.effect("publishes once for one key sent fifty times at once", () =>
    Effect.gen(function* () {
      const sandbox = yield* SandboxProcess
      const keys = yield* clientOf("keys-at-once")
      const answers = yield* Effect.forEach(
        Array.from({ length: 50 }, (_, index) => `Text ${index}`),
        (text) => keys.post({ text }, "k"),
        { concurrency: 50 }
      )
      assert.strictEqual(new Set(answers.map(({ text }) => text)).size, 1)
      const [publication, ...more] = yield* sandbox.publications("keys-at-once")
      assert.lengthOf(more, 0)
      assert.lengthOf(publication!.requests, 50)
    })
  )

  it.effect("lets a look-up account search its posts, and ignores its keys", () =>
    Effect.gen(function* () {
      const lookup = yield* clientOf("finder-lookup")
      const first = yield* lookup.post({ text: "First", client_reference: "reference" }, "k")
      const second = yield* lookup.post({ text: "Second" }, "k")
      assert.notStrictEqual(second.body.id, first.body.id)

      const ids = (answer: { readonly body: any }) => answer.body.posts.map(({ id }: { id: string }) => id)
      assert.deepStrictEqual(ids(yield* lookup.get("/api/posts?reference=reference")), [first.body.id])
      assert.deepStrictEqual(ids(yield* lookup.get("/api/posts?reference=k")), [
        first.body.id,
        second.body.id
      ])
      assert.deepStrictEqual(ids(yield* lookup.get("/api/posts?reference=nothing")), [])
      assert.strictEqual((yield* lookup.get("/api/posts")).body.error.code, "reference_missing")
    })
  )

  it.effect.each([{ username: "silent-none" }, { username: "keyed" }])(
    "the sandbox's own platform does not let $username search",
    ({ username }) =>
      Effect.gen(function* () {
        const client = yield* clientOf(username)
        yield* client.post({ text: "First" }, "k")
        const { status, body } = yield* client.get("/api/posts?reference=k")
        assert.deepStrictEqual([status, body.error.code], [404, "not_supported"])
      })
  )

  it.effect("ignores the keys of an account that has nothing", () =>
    Effect.gen(function* () {
      const sandbox = yield* SandboxProcess
      const none = yield* clientOf("twice-none")
      yield* none.post({ text: "Same" }, "k")
      yield* none.post({ text: "Same" }, "k")
      assert.lengthOf(yield* sandbox.publications("twice-none"), 2)
    })
  )

  it.effect.each([
    { what: "nothing", draft: {}, status: 422, code: "empty_post" },
    { what: "white space", draft: { text: " \n" }, status: 422, code: "empty_post" },
    { what: "501 characters", draft: { text: "x".repeat(501) }, status: 422, code: "text_too_long" },
    { what: "501 families", draft: { text: family.repeat(501) }, status: 422, code: "text_too_long" },
    { what: "unknown media", draft: { media: [{ id: "1" }] }, status: 422, code: "media_not_found" },
    {
      what: "five media",
      draft: { media: [1, 2, 3, 4, 5].map((id) => ({ id: String(id) })) },
      status: 422,
      code: "too_many_media"
    },
    { what: "a number for a text", draft: { text: 1 }, status: 400, code: "bad_request" },
    { what: "a megabyte", draft: { text: "x".repeat(1_100_000) }, status: 413, code: "too_large" }
  ])("refuses a post of $what", ({ draft, status, code }) =>
    Effect.gen(function* () {
      const sandbox = yield* SandboxProcess
      const answer = yield* (yield* clientOf("refused")).post(draft)
      assert.deepStrictEqual([answer.status, answer.body.error.code], [status, code])
      assert.lengthOf(yield* sandbox.publications("refused"), 0)
    })
  )

  it.effect("counts characters as people see them, as many as the service allows", () =>
    Effect.gen(function* () {
      const { caption } = platformRules.sandbox.placementOf([], undefined)
      assert.strictEqual(caption.unit, "graphemes")
      const { status } = yield* (yield* clientOf("families")).post({ text: family.repeat(caption.max) })
      assert.strictEqual(status, 201)
    })
  )

  it.effect("takes as many pictures, and as big ones, as the service sends", () =>
    Effect.gen(function* () {
      const { max_bytes, max_count } = platformRules.sandbox.placementOf(["image"], undefined).images!
      const client = yield* clientOf("pictures")
      const biggest = yield* client.upload(new Uint8Array(max_bytes!), "image/png")
      const media = Array.from({ length: max_count }, () => ({ id: biggest.body.id }))
      assert.strictEqual((yield* client.post({ media })).status, 201)
    })
  )

  it.effect("the sandbox's own platform does not publish the media of another account", () =>
    Effect.gen(function* () {
      const { body } = yield* (yield* clientOf("owner")).upload("a picture")
      const thief = yield* clientOf("thief")
      assert.strictEqual((yield* thief.get(`/api/media/${body.id}`)).status, 404)
      const answer = yield* thief.post({ media: [{ id: body.id }] })
      assert.strictEqual(answer.body.error.code, "media_not_found")
    })
  )

  it.effect.each([
    { what: "a page", type: "text/html", size: 1, status: 415, code: "unsupported_media_type" },
    { what: "a big picture", type: "image/png", size: 20_000_001, status: 413, code: "media_too_large" },
    { what: "an empty picture", type: "image/png", size: 0, status: 422, code: "empty_media" }
  ])("refuses $what as media", ({ type, size, status, code }) =>
    Effect.gen(function* () {
      const answer = yield* (yield* clientOf("uploads")).upload(new Uint8Array(size), type)
      assert.deepStrictEqual([answer.status, answer.body.error.code], [status, code])
    })
  )

  it.effect("takes a video of a hundred megabytes", () =>
    Effect.gen(function* () {
      const films = yield* clientOf("films")
      const bytes = new Uint8Array(100_000_000).fill(7)
      const { body } = yield* films.upload(bytes, "video/mp4")
      yield* films.post({ media: [{ id: body.id }] })
      const sandbox = yield* SandboxProcess
      const [publication] = yield* sandbox.publications("films")
      assert.deepInclude(publication!.media[0], {
        size: bytes.length,
        sha256: createHash("sha256").update(bytes).digest("hex")
      })
    })
  )

  it.effect("publishes what has arrived whole, though its sender is gone", () =>
    Effect.gen(function* () {
      const sandbox = yield* SandboxProcess
      const { token } = yield* clientOf("gone")
      yield* sendRaw(token, '{"text":"Hello"}', 16)
      assert.lengthOf(yield* sandbox.waitForPublications("gone", 1), 1)
    })
  )

  it.effect("the sandbox's own platform does nothing with a request that breaks off", () =>
    Effect.gen(function* () {
      const sandbox = yield* SandboxProcess
      const { token } = yield* clientOf("broken-off")
      yield* sendRaw(token, '{"text":"Hello"}', 100)
      const [, request] = yield* Effect.repeat(sandbox.requests("broken-off"), {
        until: ({ length }) => length > 1
      })
      assert.deepInclude(request, {
        operation: "post",
        outcome: "client_gone",
        status: null,
        publication: null
      })
      assert.lengthOf(yield* sandbox.publications("broken-off"), 0)
    })
  )

  it.effect("answers what it does not have with the same kind of error", () =>
    Effect.gen(function* () {
      const { status, body } = yield* send("/api/stories", { method: "DELETE" })
      assert.strictEqual(status, 404)
      assert.strictEqual(body.error.code, "not_found")
    })
  )

  it.effect("writes every request into the ledger, and no token anywhere", () =>
    Effect.gen(function* () {
      const sandbox = yield* SandboxProcess
      const seen = yield* clientOf("seen-lookup")
      yield* seen.post({ text: "Hello" }, "k")
      yield* seen.post({})
      yield* seen.get("/api/posts?reference=k")

      const requests = yield* sandbox.requests("seen-lookup")
      assert.deepStrictEqual(
        requests.map(({ method, path, operation, status, code, outcome, fault }) => [
          `${method} ${path}`,
          operation,
          status,
          code,
          outcome,
          fault
        ]),
        [
          ["POST /api/session", "session", 201, null, "answered", null],
          ["POST /api/posts", "post", 201, null, "answered", null],
          ["POST /api/posts", "post", 422, "empty_post", "answered", null],
          ["GET /api/posts?reference=k", "post_search", 200, null, "answered", null]
        ]
      )
      const written = yield* Effect.promise(() => readFile(join(sandbox.directory, "ledger.jsonl"), "utf8"))
      assert.include(written, "seen-lookup")
      assert.notInclude(written, "sbx_")
      assert.notInclude(JSON.stringify(requests), "sbx_")
    })
  )
})
