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
const png = Buffer.concat([Buffer.from("\x89PNG\r\n\x1a\n", "latin1"), Buffer.from("another")])
const inline = (bytes: Buffer, content_type = "image/jpeg") => ({
  content_type,
  data: bytes.toString("base64")
})

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

const videoSource = (media_id: string) => ({
  source_type: "video_id",
  media_id,
  cover_image_key_frame_time: 3
})

layer(SandboxProcess.layer, { excludeTestServices: true })("the stand-in for Pinterest", (it) => {
  it.effect("lets an app in, and gives a new refresh token for each old one", () =>
    Effect.gen(function* () {
      assert.include((yield* send(consentPath)).text, "boards:read_secret")
      const first = yield* redeem(yield* codeOf("anna.berg"))
      assert.deepInclude(first.body, {
        response_type: "authorization_code",
        expires_in: 2_592_000,
        refresh_token_expires_in: 5_184_000,
        token_type: "bearer",
        scope: scopes.join(" ")
      })
      const refresh = { grant_type: "refresh_token", refresh_token: first.body.refresh_token }
      const second = yield* tokenOf(refresh)
      assert.deepInclude(second.body, { response_type: "refresh_token", scope: scopes.join(" ") })
      assert.notStrictEqual(second.body.refresh_token, first.body.refresh_token)
      const dead = yield* tokenOf(refresh)
      assert.deepInclude([dead.status, dead.body.code], 400)
      const account = yield* send(`${api}/user_account`, {
        headers: { authorization: `Bearer ${second.body.access_token}` }
      })
      assert.deepInclude(account.body, { username: "anna.berg", business_name: "Anna Berg", board_count: 3 })
      assert.isFalse(Number.isSafeInteger(Number(account.body.id)))
    })
  )

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

  it.effect("lists boards page by page, secret ones only to whom that was granted", () =>
    Effect.gen(function* () {
      const { call } = yield* clientOf("lister-manyboards")
      const first = (yield* call("/boards?page_size=250")).body
      assert.lengthOf(first.items, 250)
      const second = (yield* call(`/boards?page_size=250&bookmark=${first.bookmark}`)).body
      assert.deepStrictEqual([second.items.length, second.bookmark], [53, null])
      assert.lengthOf((yield* call("/boards")).body.items, 25)
      assert.strictEqual((yield* call("/boards?page_size=251")).status, 400)
      const open = yield* clientOf("anna", scopes.slice(0, 5))
      assert.deepStrictEqual(
        (yield* boardsOf(open)).map(({ name }) => name),
        ["Ideas", "Recipes"]
      )
      assert.lengthOf(yield* clientOf("x-noboards").pipe(Effect.flatMap(boardsOf)), 0)
    })
  )

  it.effect("makes pins of pictures", () =>
    Effect.gen(function* () {
      const sandbox = yield* SandboxProcess
      const client = yield* clientOf("pinner")
      const [ideas, recipes] = yield* boardsOf(client)
      const [section] = (yield* client.call(`/boards/${ideas!.id}/sections`)).body.items
      const made = yield* client.post("/pins", {
        board_id: ideas!.id,
        board_section_id: section.id,
        title: "Bells",
        description: "In the valley",
        link: "https://example.com/bells",
        alt_text: "A bell",
        media_source: { source_type: "image_base64", ...inline(jpeg) }
      })
      assert.strictEqual(made.status, 201)
      assert.deepInclude(made.body, {
        board_id: ideas!.id,
        board_section_id: section.id,
        title: "Bells",
        link: "https://example.com/bells",
        creative_type: "REGULAR"
      })
      assert.match(made.headers.get("x-ratelimit-limit")!, /^100, 100;w=60;name="org_write/)
      const row = yield* client.post("/pins", {
        board_id: recipes!.id,
        media_source: {
          source_type: "multiple_image_base64",
          index: 1,
          items: [inline(jpeg), inline(png, "image/png")]
        }
      })
      assert.strictEqual(row.body.media.media_type, "multiple_images")
      const { id, sha256 } = (yield* sandbox.on("pinterest").publications("pinner"))[0]!.media[0]!
      const pulled = yield* client.post("/pins", {
        board_id: recipes!.id,
        media_source: { source_type: "image_url", url: `${sandbox.url}/media/${id}` }
      })
      assert.strictEqual(pulled.status, 201, pulled.text)
      const publications = yield* sandbox.on("pinterest").publications("pinner")
      assert.deepStrictEqual(
        publications.map(({ media }) => media.length),
        [1, 2, 1]
      )
      assert.strictEqual(publications[2]!.media[0]!.sha256, sha256)
      assert.deepInclude(publications[0], { title: "Bells", text: "In the valley" })
      const listed = (yield* client.call(`/boards/${recipes!.id}/pins`)).body.items
      assert.deepStrictEqual(
        listed.map((pin: { id: string }) => pin.id),
        [pulled.body.id, row.body.id]
      )
      assert.deepStrictEqual((yield* client.call(`/pins/${made.body.id}`)).body, made.body)
      const page = yield* send(`/www.pinterest.com/pin/${made.body.id}/`)
      assert.include(page.text, "In the valley")
    })
  )

  it.effect("makes a pin of a video that has been sent and worked on", () =>
    Effect.gen(function* () {
      const sandbox = yield* SandboxProcess
      const client = yield* clientOf("filmer")
      const [board] = yield* boardsOf(client)
      yield* sandbox.on("pinterest").script("filmer", [{ on: "media", fault: "processing", polls: 1 }])
      const { media_id, answer } = yield* uploaded(client)
      assert.deepStrictEqual([answer.status, answer.text], [204, ""])
      const look = Effect.map(client.call(`/media/${media_id}`), ({ body }) => body.status)
      const pin = (source: object) => client.post("/pins", { board_id: board!.id, media_source: source })
      assert.strictEqual((yield* pin(videoSource(media_id))).status, 400)
      assert.deepStrictEqual([yield* look, yield* look], ["processing", "succeeded"])
      const coverless = yield* pin({ source_type: "video_id", media_id })
      assert.include(coverless.body.message, "cover")
      const made = yield* pin(videoSource(media_id))
      assert.strictEqual(made.body.media.media_type, "video")
      const drawn = yield* pin({
        source_type: "video_id",
        media_id,
        cover_image_content_type: "image/jpeg",
        cover_image_data: jpeg.toString("base64")
      })
      assert.strictEqual(drawn.status, 201)
      const [publication] = yield* sandbox.on("pinterest").publications("filmer")
      assert.deepInclude(publication!.details, { cover: { key_frame_time: 3 }, board_id: board!.id })
      assert.strictEqual(publication!.media[0]!.size, 300_000)
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
