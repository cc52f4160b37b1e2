import { SandboxProcess } from "@carillon/sandbox/testing"
import { assert, layer } from "@effect/vitest"
import { Clock, Effect } from "effect"
import { createHash } from "node:crypto"
import { json, send } from "./PlatformClient.ts"

const scopes = ["tweet.read", "tweet.write", "users.read", "media.write", "offline.access"]
const redirectUri = "http://127.0.0.1:9/callback"
const verifier = "v".repeat(64)
const api = "/api.x.com/2"
const basic = (secret: string) => `Basic ${Buffer.from(`an-app:${secret}`).toString("base64")}`

const consent = {
  client_id: "an-app",
  redirect_uri: redirectUri,
  response_type: "code",
  scope: scopes.join(" "),
  state: "s",
  code_challenge: createHash("sha256").update(verifier).digest("base64url"),
  code_challenge_method: "S256"
}

const codeOf = (username: string, granted: ReadonlyArray<string>) =>
  Effect.map(
    send(`/x.com/i/oauth2/authorize?${new URLSearchParams(consent)}`, {
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

const tokenOf = (form: Record<string, string>, secret = "sandbox") =>
  send(`${api}/oauth2/token`, {
    method: "POST",
    headers: { authorization: basic(secret) },
    body: new URLSearchParams(form)
  })

const redeem = (code: string, secret?: string) =>
  tokenOf(
    { grant_type: "authorization_code", code, redirect_uri: redirectUri, code_verifier: verifier },
    secret
  )

const clientOf = Effect.fnUntraced(function* (username: string, granted = scopes) {
  const { body: tokens } = yield* redeem(yield* codeOf(username, granted))
  const authorization = `Bearer ${tokens.access_token}`
  const call = (path: string, init: RequestInit = {}) =>
    send(api + path, { ...init, headers: { authorization, ...(init.headers as Record<string, string>) } })
  const form = (path: string, fields: Record<string, string | Blob>) => {
    const body = new FormData()
    for (const [name, value] of Object.entries(fields)) body.append(name, value)
    return call(path, { method: "POST", body })
  }
  const post = (path: string, value: unknown) => call(path, json(value))
  return { tokens, call, form, post, say: (draft: object) => post("/tweets", draft) }
})

type Client = Effect.Success<ReturnType<typeof clientOf>>

const film = (bytes: string) => new Blob([bytes])

/** A video of ten bytes, in two segments. */
const uploaded = Effect.fnUntraced(function* ({ form, post }: Client) {
  const { body } = yield* post("/media/upload/initialize", {
    media_type: "video/mp4",
    total_bytes: 10,
    media_category: "tweet_video"
  })
  const id = body.data.id as string
  const append = (segment_index: string, bytes: string) =>
    form(`/media/upload/${id}/append`, { segment_index, media: film(bytes) })
  return { id, append, finalize: post(`/media/upload/${id}/finalize`, {}) }
})

const said = ({ status, body }: { readonly status: number; readonly body: any }) => [status, body.type]
const problem = (name: string) => `https://api.x.com/2/problems/${name}`

layer(SandboxProcess.layer, { excludeTestServices: true })("the stand-in for X", (it) => {
  it.effect("gives a refresh token for one use, and only with offline.access", () =>
    Effect.gen(function* () {
      const { tokens } = yield* clientOf("anna")
      const renew = tokenOf({ grant_type: "refresh_token", refresh_token: tokens.refresh_token })
      assert.strictEqual((yield* renew).status, 200)
      assert.deepStrictEqual((yield* renew).body, {
        error: "invalid_request",
        error_description: "Value passed for the token was invalid."
      })
      const online = yield* clientOf("anna", scopes.slice(0, 4))
      assert.notProperty(online.tokens, "refresh_token")
      const wrong = yield* redeem(yield* codeOf("anna", scopes), "other")
      assert.deepStrictEqual([wrong.status, wrong.body.error], [401, "unauthorized_client"])
    })
  )

  it.effect("asks for PKCE, a state of at most 500 characters and scopes that it knows", () =>
    Effect.gen(function* () {
      const { code_challenge: _, ...bare } = consent
      const query = new URLSearchParams({ ...bare, state: "s".repeat(501), scope: "tweet.read tweets.write" })
      const { status, text } = yield* send(`/x.com/i/oauth2/authorize?${query}`)
      assert.strictEqual(status, 400)
      for (const words of ["code_challenge is missing", "500 characters", "no scope tweets.write"]) {
        assert.include(text, words)
      }
    })
  )

  it.effect("takes the newest segment again, and nothing that does not fit", () =>
    Effect.gen(function* () {
      const client = yield* clientOf("filmer")
      const { append, finalize, id } = yield* uploaded(client)
      yield* append("0", "01234")
      assert.deepStrictEqual(said(yield* append("2", "x")), [400, problem("invalid-request")])
      yield* append("1", "567")
      assert.include((yield* finalize).body.detail, "do not add up")
      yield* append("1", "56789")
      yield* append("0", "00000")
      const { body } = yield* finalize
      assert.deepInclude(body.data, { id, media_key: `7_${id}`, size: 10 })
      assert.deepStrictEqual((yield* finalize).body, body)
      assert.strictEqual((yield* client.say({ media: { media_ids: [id] } })).status, 201)
      const [{ media } = { media: [] }] = yield* (yield* SandboxProcess).on("twitter").publications("filmer")
      assert.strictEqual(media[0]!.sha256, createHash("sha256").update("0123456789").digest("hex"))
      assert.include((yield* client.say({ media: { media_ids: [id] } })).body.detail, "media IDs are invalid")
    })
  )

  it.effect("works on a file as a script says, and says when to look again", () =>
    Effect.gen(function* () {
      const { on } = yield* SandboxProcess
      const client = yield* clientOf("slow-unhurried")
      yield* on("twitter").script("slow-unhurried", [
        { on: "media", fault: "processing", polls: 1, becomes: "failed", reason: "Too long" }
      ])
      const { append, finalize, id } = yield* uploaded(client)
      yield* append("0", "0123456789")
      const look = client.call(`/media/upload?command=STATUS&media_id=${id}`)
      const states = [yield* finalize, yield* look, yield* look].map(({ body }) => body.data.processing_info)
      assert.deepStrictEqual(states, [
        { state: "pending", check_after_secs: 5 },
        { state: "in_progress", check_after_secs: 5 },
        { state: "failed", error: { code: 1, name: "InvalidMedia", message: "Too long" } }
      ])
    })
  )

  it.effect("gives texts back with short addresses, escaped, and long ones in a field of their own", () =>
    Effect.gen(function* () {
      const client = yield* clientOf("writer-premium")
      const { id } = (yield* client.call("/users/me")).body.data
      const first = yield* client.say({ text: "Bells & more at example.com/bells", made_with_ai: true })
      assert.match(first.body.data.text, /^Bells &amp; more at https:\/\/t\.co\/\w{10}$/)
      const long = "Bells ".repeat(60).trim()
      const reply = { in_reply_to_tweet_id: first.body.data.id }
      const second = yield* client.say({ text: long, reply })
      for (const word of ["tweet", "post"]) {
        const fields = `${word}.fields=created_at,referenced_${word}s,note_${word}`
        const { body } = yield* client.call(`/users/${id}/tweets?max_results=5&${fields}`)
        assert.deepInclude(body.data[0], {
          id: second.body.data.id,
          [`referenced_${word}s`]: [{ type: "replied_to", id: first.body.data.id }],
          [`note_${word}`]: { text: long }
        })
        assert.notInclude(body.data[0].text, long)
        assert.strictEqual(body.meta.result_count, 2)
      }
      assert.deepStrictEqual(
        (yield* client.call(`/users/${id}/tweets?since_id=${second.body.data.id}`)).body,
        {
          meta: { result_count: 0 }
        }
      )
      assert.include(
        (yield* send(`/x.com/writer-premium/status/${first.body.data.id}`)).text,
        "Bells &amp; more"
      )
    })
  )

  it.effect("refuses posts as X does", () =>
    Effect.gen(function* () {
      const client = yield* clientOf("refused")
      const { data } = (yield* client.say({ text: "Bells" })).body
      const poll = { options: ["Big", "Small"], duration_minutes: 60 }
      const refusal = (draft: object) =>
        Effect.map(client.say(draft), ({ status, body }) => `${status} ${body.detail}`)
      const refusals: ReadonlyArray<readonly [object, RegExp]> = [
        [{ text: "Bells" }, /^403 .*duplicate content/],
        [{ text: "x".repeat(281) }, /^403 You are not permitted/],
        [{ text: "Quoted", quote_tweet_id: data.id }, /^403 You are not permitted/],
        [{ text: "$AAA and $BBB" }, /^403 .*maximum of one cashtag/],
        [{ text: "Gone", reply: { in_reply_to_tweet_id: "1" } }, /^403 .*deleted or not visible/],
        [{ text: " " }, /^400 /],
        [{ text: "Both", poll, media: { media_ids: ["1"] } }, /^400 /],
        [{ text: "Blank", poll: { ...poll, options: ["", "Big"] } }, /^400 /],
        [{ text: "More", visibility: "public" }, /^400 /],
        [{ text: "All", reply_settings: "everyone" }, /^400 /]
      ]
      for (const [draft, expected] of refusals) assert.match(yield* refusal(draft), expected)
      const other = yield* clientOf("mentioned")
      const answer = { text: "Me?", reply: { in_reply_to_tweet_id: data.id } }
      assert.include((yield* other.say(answer)).body.detail, "Reply to this conversation is not allowed")
      const { body } = yield* client.say({ text: "What does @mentioned say?" })
      const summoned = { text: "Hello", reply: { in_reply_to_tweet_id: body.data.id } }
      assert.strictEqual((yield* other.say(summoned)).status, 201)
    })
  )

  it.effect("has accounts whose calls it refuses", () =>
    Effect.gen(function* () {
      const answers: Array<unknown> = []
      for (const ending of ["nocredits", "capped", "unenrolled", "suspended"]) {
        const client = yield* clientOf(`account-${ending}`)
        assert.strictEqual((yield* client.call("/users/me")).status, 200)
        answers.push(said(yield* client.say({ text: "Bells" })))
      }
      assert.deepStrictEqual(answers, [
        [402, problem("credits")],
        [403, problem("usage-capped")],
        [403, problem("client-forbidden")],
        [403, problem("user-suspended")]
      ])
      const client = yield* clientOf("a-selfserve")
      const { body } = yield* client.say({ text: "The first" })
      const next = { text: "The second", reply: { in_reply_to_tweet_id: body.data.id } }
      assert.strictEqual((yield* client.say(next)).status, 403)
      const reader = yield* clientOf("reader", ["tweet.read", "users.read"])
      assert.strictEqual((yield* reader.say({ text: "Bells" })).status, 403)
      assert.strictEqual((yield* reader.call("/lists")).status, 404)
    })
  )

  it.effect("takes 75 looks at an account in 15 minutes, and says when it takes more", () =>
    Effect.gen(function* () {
      const { call } = yield* clientOf("often")
      for (let n = 1; n <= 75; n++) {
        const { headers } = yield* call("/users/me")
        assert.strictEqual(headers.get("x-rate-limit-remaining"), String(75 - n))
      }
      const { body, headers, status } = yield* call("/users/me")
      assert.deepStrictEqual([status, body.type], [429, problem("rate-limit-exceeded")])
      const wait = Number(headers.get("x-rate-limit-reset")) - (yield* Clock.currentTimeMillis) / 1000
      assert.isAbove(wait, 800)
      assert.isAtMost(wait, 901)
      assert.strictEqual(headers.get("content-type"), "application/problem+json")
    })
  )
})
