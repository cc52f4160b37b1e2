import { SandboxProcess } from "@carillon/sandbox/testing"
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { json, send } from "./PlatformClient.ts"

const scopes = [
  "boards:read",
  "boards:write",
  "pins:read",
  "pins:write",
  "user_accounts:read",
  "boards:read_secret",
  "pins:write_secret"
]
const redirectUri = "http://127.0.0.1:9/callback"
const api = "/api.pinterest.com/v5"

const consentPath = `/www.pinterest.com/oauth/?${new URLSearchParams({
  client_id: "an-app",
  redirect_uri: redirectUri,
  response_type: "code",
  scope: scopes.join(","),
  state: "s"
})}`

const codeOf = (username: string, granted: ReadonlyArray<string> = scopes) =>
  Effect.map(
    send(consentPath, {
      method: "POST",
      redirect: "manual",
      body: new URLSearchParams([
        ["username", username],
        ["decision", "allow"],
        ...granted.map((scope): [string, string] => ["scope", scope])
      ])
    }),
    ({ headers }) => new URL(headers.get("location")!).searchParams.get("code")!
  )

const basic = (id: string, secret: string) => `Basic ${Buffer.from(`${id}:${secret}`).toString("base64")}`

const tokenOf = (form: Record<string, string>, authorization = basic("an-app", "sandbox")) =>
  send(`${api}/oauth/token`, {
    method: "POST",
    headers: { authorization },
    body: new URLSearchParams(form)
  })

const redeem = (code: string, changes: Record<string, string> = {}) =>
  tokenOf({ grant_type: "authorization_code", code, redirect_uri: redirectUri, ...changes })

const clientOf = Effect.fnUntraced(function* (username: string, granted?: ReadonlyArray<string>) {
  const { body } = yield* redeem(yield* codeOf(username, granted))
  const authorization = `Bearer ${body.access_token}`
  const call = (path: string, init: RequestInit = {}) =>
    send(api + path, { ...init, headers: { authorization, ...(init.headers as Record<string, string>) } })
  return { tokens: body, call, post: (path: string, value: unknown) => call(path, json(value)) }
})

type Client = Effect.Success<ReturnType<typeof clientOf>>

const boardsOf = ({ call }: Client) =>
  Effect.map(call("/boards"), ({ body }) => body.items as Array<{ id: string; name: string }>)

const jpeg = Buffer.concat([Buffer.from([0xff, 0xd8, 0xff, 0xe0]), Buffer.from("a picture")])
const inline = (bytes: Buffer) => ({ content_type: "image/jpeg", data: bytes.toString("base64") })

/** Announces a video and sends it as the documents say: every parameter, then the file. */
const uploaded = Effect.fnUntraced(function* ({ post }: Client, changes: Record<string, string> = {}) {
  const { body } = yield* post("/media", { media_type: "video" })
  const form = new FormData()
  for (const [name, value] of Object.entries({ ...body.upload_parameters, ...changes })) {
    form.append(name, value as string)
  }
  form.append("file", new Blob([new Uint8Array(300_000).fill(7)]), "film.mp4")
  const answer = yield* send(body.upload_url, { method: "POST", body: form })
  return { media_id: body.media_id as string, answer }
})

layer(SandboxProcess.layer, { excludeTestServices: true })("the stand-in for Pinterest", (it) => {
  it.effect("refuses codes and apps that do not fit", () =>
    Effect.gen(function* () {
      const wrong = yield* tokenOf(
        { grant_type: "authorization_code", code: yield* codeOf("anna"), redirect_uri: redirectUri },
        basic("an-app", "other")
      )
      assert.deepStrictEqual(
        [wrong.status, wrong.body],
        [401, { code: 2, message: "Authentication failed." }]
      )
      const elsewhere = yield* redeem(yield* codeOf("anna"), { redirect_uri: "http://other" })
      assert.strictEqual(elsewhere.status, 400)
      const code = yield* codeOf("anna")
      yield* redeem(code)
      assert.strictEqual((yield* redeem(code)).status, 400)
      assert.strictEqual((yield* tokenOf({ grant_type: "password" })).status, 400)
    })
  )

  it.effect("shows secret boards only to whom that was granted, on pages of 250 at most", () =>
    Effect.gen(function* () {
      const client = yield* clientOf("anna", scopes.slice(0, 5))
      assert.deepStrictEqual(
        (yield* boardsOf(client)).map(({ name }) => name),
        ["Ideas", "Recipes"]
      )
      assert.strictEqual((yield* client.call("/boards?page_size=251")).status, 400)
    })
  )

  it.effect("fetches a picture by its address, and has a page for its pin", () =>
    Effect.gen(function* () {
      const sandbox = yield* SandboxProcess
      const client = yield* clientOf("pinner")
      const [board] = yield* boardsOf(client)
      const pin = (media_source: object) =>
        client.post("/pins", { board_id: board!.id, description: "In the valley", media_source })
      const made = yield* pin({ source_type: "image_base64", ...inline(jpeg) })
      assert.match(made.headers.get("x-ratelimit-limit")!, /^100, 100;w=60;name="org_write/)
      const { id, sha256 } = (yield* sandbox.on("pinterest").publications("pinner"))[0]!.media[0]!
      const pulled = yield* pin({ source_type: "image_url", url: `${sandbox.url}/media/${id}` })
      assert.strictEqual(pulled.status, 201, pulled.text)
      const [, publication] = yield* sandbox.on("pinterest").publications("pinner")
      assert.strictEqual(publication!.media[0]!.sha256, sha256)
      assert.deepStrictEqual((yield* client.call(`/pins/${made.body.id}`)).body, made.body)
      const page = yield* send(`/www.pinterest.com/pin/${made.body.id}/`)
      assert.include(page.text, "In the valley")
    })
  )

  it.effect("makes no pin of a video that is still worked on, or without a cover", () =>
    Effect.gen(function* () {
      const sandbox = yield* SandboxProcess
      const client = yield* clientOf("filmer")
      const [board] = yield* boardsOf(client)
      yield* sandbox.on("pinterest").script("filmer", [{ on: "media", fault: "processing", polls: 1 }])
      const { media_id, answer } = yield* uploaded(client)
      assert.deepStrictEqual([answer.status, answer.text], [204, ""])
      const look = Effect.map(client.call(`/media/${media_id}`), ({ body }) => body.status)
      const video = { source_type: "video_id", media_id }
      const pin = (source: object) => client.post("/pins", { board_id: board!.id, media_source: source })
      assert.strictEqual((yield* pin({ ...video, cover_image_key_frame_time: 3 })).status, 400)
      assert.deepStrictEqual([yield* look, yield* look], ["processing", "succeeded"])
      assert.include((yield* pin(video)).body.message, "cover")
    })
  )

  it.effect("takes an upload with all of its parameters only, in the store's own words", () =>
    Effect.gen(function* () {
      const sandbox = yield* SandboxProcess
      const client = yield* clientOf("careless")
      const forged = yield* uploaded(client, { policy: "other" })
      assert.strictEqual(forged.answer.status, 403)
      assert.include(forged.answer.text, "<Code>AccessDenied</Code>")
      assert.strictEqual(forged.answer.headers.get("content-type"), "application/xml")
      yield* sandbox
        .on("pinterest")
        .script("careless", [{ on: "upload_start", fault: "short_lived", seconds: 0 }])
      assert.include((yield* uploaded(client)).answer.text, "Policy expired")
      yield* sandbox.on("pinterest").script("careless", [{ on: "media", fault: "server_error_before" }])
      assert.include((yield* uploaded(client)).answer.text, "<Code>InternalError</Code>")
      assert.strictEqual((yield* client.call(`/media/${forged.media_id}`)).body.status, "registered")
    })
  )

  it.effect("refuses pins that are not as the description has them", () =>
    Effect.gen(function* () {
      const client = yield* clientOf("wrong", scopes.slice(0, 6))
      const [board, , secret] = yield* boardsOf(client)
      const source = { source_type: "image_base64", ...inline(jpeg) }
      const answerOf = (changes: object) =>
        Effect.map(
          client.post("/pins", { board_id: board!.id, media_source: source, ...changes }),
          ({ status, body }) => [status, body.code]
        )
      assert.deepStrictEqual(yield* answerOf({ board_id: "1" }), [404, 40])
      assert.deepStrictEqual(yield* answerOf({ board_id: secret!.id }), [404, 40])
      assert.deepStrictEqual(yield* answerOf({ board_section_id: "1" }), [404, 2030])
      assert.deepStrictEqual(yield* answerOf({ title: "x".repeat(101) }), [400, 1])
      assert.deepStrictEqual(
        yield* answerOf({ media_source: { ...source, content_type: "image/png" } }),
        [400, 1]
      )
      assert.deepStrictEqual(
        yield* answerOf({
          media_source: {
            source_type: "multiple_image_base64",
            items: Array.from({ length: 6 }, () => inline(jpeg))
          }
        }),
        [400, 1]
      )
      assert.deepStrictEqual(
        yield* answerOf({ media_source: { source_type: "image_url", url: "http://127.0.0.1:9/x" } }),
        [400, 235]
      )
      const reader = yield* clientOf("wrong", ["boards:read", "pins:read"])
      assert.strictEqual((yield* reader.post("/pins", {})).status, 403)
      assert.strictEqual((yield* send(`${api}/boards`)).status, 401)
      assert.strictEqual((yield* client.call("/ad_accounts")).status, 404)
    })
  )
})
