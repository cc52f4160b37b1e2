import { SandboxProcess } from "@carillon/sandbox/testing"
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { readFile } from "node:fs/promises"
import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import { join } from "node:path"
import { json, send } from "./PlatformClient.ts"

const redirect_uri = "http://127.0.0.1:9/callback"
const app = { client_id: "an-app", client_secret: "sandbox" }
const manage = "https://www.googleapis.com/auth/business.manage"
const information = "/mybusinessbusinessinformation.googleapis.com/v1"

const tokenOf = (form: Record<string, string>) =>
  send("/oauth2.googleapis.com/token", { method: "POST", body: new URLSearchParams({ ...app, ...form }) })

const signedIn = Effect.fnUntraced(function* (username: string, scopes: ReadonlyArray<string> = [manage]) {
  const query = new URLSearchParams({
    client_id: app.client_id,
    redirect_uri,
    response_type: "code",
    scope: manage,
    access_type: "offline",
    prompt: "consent"
  })
  const { headers } = yield* send(`/accounts.google.com/o/oauth2/v2/auth?${query}`, {
    method: "POST",
    redirect: "manual",
    body: new URLSearchParams([
      ["username", username],
      ["decision", "allow"],
      ...scopes.map((scope): [string, string] => ["scope", scope])
    ])
  })
  const code = new URL(headers.get("location")!).searchParams.get("code")!
  const { body } = yield* tokenOf({ grant_type: "authorization_code", code, redirect_uri })
  const call = (path: string, init: RequestInit = {}) =>
    send(path, { ...init, headers: { ...init.headers, authorization: `Bearer ${body.access_token}` } })
  const accounts = call("/mybusinessaccountmanagement.googleapis.com/v1/accounts")
  const locations = (account: string, more = "") =>
    call(`${information}/${account}/locations?readMask=name,title,metadata${more}`)
  return { tokens: body, call, accounts, locations }
})

/** Somebody with one location, and its posts. */
const owner = Effect.fnUntraced(function* (username: string) {
  const client = yield* signedIn(username)
  const account = (yield* client.accounts).body.accounts[0].name
  const [location] = (yield* client.locations(account)).body.locations
  const posts = `/mybusiness.googleapis.com/v4/${account}/${location.name}/localPosts`
  const post = (values: object = {}) =>
    client.call(posts, json({ languageCode: "en", summary: "Hello", topicType: "STANDARD", ...values }))
  const read = (name: string) => client.call(`/mybusiness.googleapis.com/v4/${name}`)
  const stateOf = (name: string) => Effect.map(read(name), ({ body }) => body.state as string)
  const sandbox = (yield* SandboxProcess).on("google_business")
  return {
    ...client,
    posts,
    post,
    read,
    stateOf,
    script: (...faults: Parameters<typeof sandbox.script>[1]) => sandbox.script(username, faults),
    publications: sandbox.publications(username)
  }
})

const png = (width: number, height: number) => {
  const bytes = Buffer.alloc(60)
  bytes.write("\x89PNG\r\n\x1a\n", "latin1")
  bytes.writeUInt32BE(width, 16)
  bytes.writeUInt32BE(height, 20)
  return bytes
}

/** The address of a file that anybody can fetch. */
const served = (file: Buffer, status = 200) =>
  Effect.map(
    Effect.acquireRelease(
      Effect.promise(async () => {
        const server = createServer((_request, response) => response.writeHead(status).end(file))
        await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
        return server
      }),
      (server) => Effect.promise(() => new Promise((resolve) => server.close(resolve)))
    ),
    (server) => `http://127.0.0.1:${(server.address() as AddressInfo).port}/photo?token=secret`
  )

const photoAt = (sourceUrl: string) => ({ media: [{ mediaFormat: "PHOTO", sourceUrl }] })

const reasonOf = ({ body }: { readonly body: any }) => {
  const [detail = {}] = body.error.details ?? []
  const violation = detail.errorDetails?.[0]
  return detail.reason ?? violation?.field ?? violation?.code
}

layer(SandboxProcess.layer, { excludeTestServices: true })("the stand-in for Google Business", (it) => {
  it.effect("signs in where YouTube does, renews its token there, and opens nothing of YouTube", () =>
    Effect.gen(function* () {
      const { call, tokens } = yield* signedIn("signer")
      assert.deepInclude(tokens, { expires_in: 3599, scope: manage })
      assert.strictEqual(
        (yield* call("/www.googleapis.com/youtube/v3/channels?part=id&mine=true")).status,
        401
      )
      const { refresh_token } = tokens
      const renewed = yield* tokenOf({ grant_type: "refresh_token", refresh_token })
      assert.strictEqual(renewed.status, 200)
      yield* send(`/oauth2.googleapis.com/revoke?token=${refresh_token}`, { method: "POST" })
      const over = yield* tokenOf({ grant_type: "refresh_token", refresh_token })
      assert.strictEqual(over.body.error, "invalid_grant")
      const [, ...sessions] = yield* (yield* SandboxProcess).on("google_business").requests("signer")
      assert.includeMembers(
        sessions.map(({ operation }) => operation),
        ["session", "revoke"]
      )
    })
  )

  it.effect("takes the script of a sign-in for the network whose account signs in", () =>
    Effect.gen(function* () {
      const { refresh_token } = (yield* signedIn("renewer")).tokens
      yield* (yield* SandboxProcess)
        .on("google_business")
        .script("renewer", [{ on: "session", fault: "rate_limited" }])
      assert.strictEqual((yield* tokenOf({ grant_type: "refresh_token", refresh_token })).status, 429)
      assert.strictEqual((yield* tokenOf({ grant_type: "refresh_token", refresh_token })).status, 200)
    })
  )

  it.effect("shows the locations of each account page by page, also those that take no posts", () =>
    Effect.gen(function* () {
      const { accounts, call, locations } = yield* signedIn("boss-sixty")
      const [own, group] = (yield* accounts).body.accounts
      assert.deepStrictEqual([own.type, group.type], ["PERSONAL", "LOCATION_GROUP"])
      const first = (yield* locations(group.name, "&pageSize=50")).body
      const more = `&pageSize=50&pageToken=${first.nextPageToken}`
      const rest = (yield* locations(group.name, more)).body
      assert.notProperty(rest, "nextPageToken")
      const all = [...first.locations, ...rest.locations]
      assert.lengthOf(all, 61)
      assert.deepStrictEqual((yield* locations(own.name)).body.locations, [all[0]])
      const closed = all.filter(({ metadata }) => metadata.canOperateLocalPost !== true)
      assert.deepStrictEqual(
        closed.map(({ title }) => title),
        ["boss-read"]
      )
      const posts = `/mybusiness.googleapis.com/v4/${group.name}/${closed[0].name}/localPosts`
      assert.strictEqual((yield* call(posts)).body.error.status, "PERMISSION_DENIED")
      const unmasked = yield* call(`${information}/${own.name}/locations`)
      assert.strictEqual(unmasked.body.error.status, "INVALID_ARGUMENT")
    })
  )

  it.effect("leaves out the list of an account without locations, and knows no account of others", () =>
    Effect.gen(function* () {
      const client = yield* signedIn("nobody-nopages")
      const [{ name }] = (yield* client.accounts).body.accounts
      assert.deepStrictEqual((yield* client.locations(name)).body, {})
      assert.strictEqual((yield* (yield* signedIn("stranger")).locations(name)).status, 403)
    })
  )

  it.effect("says of a project without access that its quota is 0", () =>
    Effect.gen(function* () {
      const answer = yield* (yield* signedIn("early-noaccess")).accounts
      const { details, status } = answer.body.error
      assert.deepStrictEqual([answer.status, status], [429, "RESOURCE_EXHAUSTED"])
      assert.deepInclude(details[0].metadata, { quota_limit_value: "0" })
    })
  )

  it.effect("wants the permission to manage", () =>
    Effect.gen(function* () {
      const answer = yield* (yield* signedIn("unticked", [])).accounts
      assert.deepStrictEqual([answer.status, reasonOf(answer)], [403, "ACCESS_TOKEN_SCOPE_INSUFFICIENT"])
    })
  )

  it.effect("publishes a text at once, and a photo to the next look", () =>
    Effect.gen(function* () {
      const { post, publications, read, stateOf } = yield* owner("baker")
      const text = yield* post({ callToAction: { actionType: "CALL" } })
      assert.deepInclude(text.body, { state: "LIVE", summary: "Hello", topicType: "STANDARD" })
      const photo = yield* post(photoAt(yield* served(png(400, 300))))
      assert.strictEqual(photo.body.state, "PROCESSING", photo.text)
      assert.strictEqual(yield* stateOf(photo.body.name), "LIVE")
      const published = yield* publications
      assert.deepStrictEqual(
        published.map(({ details }) => details!["name"]),
        [text.body.name, photo.body.name]
      )
      assert.strictEqual(published[1]!.media[0]!.content_type, "image/png")
      const page = yield* send(photo.body.searchUrl)
      assert.include(page.text, "Hello")
      assert.notInclude((yield* read(photo.body.name)).text, "secret")
      const { directory } = yield* SandboxProcess
      const written = yield* Effect.promise(() => readFile(join(directory, "ledger.jsonl"), "utf8"))
      assert.include(written, photo.body.name.split("/").at(-1))
      assert.notInclude(written, "token=secret")
    }).pipe(Effect.scoped)
  )

  it.effect.each([
    ["nothing behind its address", png(400, 300), 404, 1000],
    ["too many bytes", Buffer.concat([png(400, 300), Buffer.alloc(5_000_000)]), 200, 10],
    ["too few pixels", png(400, 299), 200, "media.source_url"],
    ["another type", Buffer.from("<svg>"), 200, "media.source_url"]
  ] as const)("refuses a photo with %s", ([, file, status, reason]) =>
    Effect.gen(function* () {
      const { post, publications } = yield* owner("unseen")
      const answer = yield* post(photoAt(yield* served(file, status)))
      assert.deepStrictEqual([answer.status, reasonOf(answer)], [400, reason])
      assert.lengthOf(yield* publications, 0)
    }).pipe(Effect.scoped)
  )

  it.effect.each([
    ["no topic type", { topicType: undefined }, "topic_type"],
    ["no text and no photo", { summary: " " }, "summary"],
    ["1,501 characters", { summary: "🔔".repeat(1501) }, "summary"],
    ["a button that opens nothing", { callToAction: { actionType: "SHOP" } }, "call_to_action.url"],
    [
      "a call to an address",
      { callToAction: { actionType: "CALL", url: "https://example.com" } },
      "call_to_action.url"
    ],
    ["an event without a schedule", { topicType: "EVENT", event: { title: "Bells" } }, "event"],
    [
      "a video",
      { media: [{ mediaFormat: "VIDEO", sourceUrl: "https://example.com" }] },
      "media.media_format"
    ],
    ["a language that is none", { languageCode: "English!" }, "language_code"],
    ["a field that it does not know", { title: "Bells" }, undefined]
  ] as const)("refuses a post with %s", ([, values, field]) =>
    Effect.gen(function* () {
      const answer = yield* (yield* owner("refused")).post(values)
      assert.deepStrictEqual([answer.body.error.status, reasonOf(answer)], ["INVALID_ARGUMENT", field])
    })
  )

  it.effect("rejects a post with a phone number after it was taken, and nobody sees it", () =>
    Effect.gen(function* () {
      const { post, publications, stateOf } = yield* owner("caller")
      const { body } = yield* post({ summary: "Ring +44 (0)1373 832-000 now" })
      assert.strictEqual(body.state, "PROCESSING")
      assert.strictEqual(yield* stateOf(body.name), "REJECTED")
      assert.strictEqual((yield* send(body.searchUrl)).status, 404)
      assert.lengthOf(yield* publications, 0)
      const link = yield* post({ summary: "On 2026-12-24 18:00 https://example.com/123456789012" })
      assert.strictEqual(link.body.state, "LIVE")
    })
  )

  it.effect.each([
    ["comes out", {}, "LIVE", 1],
    ["is rejected", { becomes: "failed" }, "REJECTED", 0]
  ] as const)("processes a post for so many looks before it %s", ([name, becomes, state, count]) =>
    Effect.gen(function* () {
      const { post, publications, script, stateOf } = yield* owner(`slow${name.length}`)
      yield* script({ on: "post", fault: "processing", polls: 2, ...becomes })
      const { body } = yield* post()
      const states = yield* Effect.forEach([1, 2, 3, 4], () => stateOf(body.name))
      assert.deepStrictEqual(
        [body.state, ...states],
        ["PROCESSING", "PROCESSING", "PROCESSING", state, state]
      )
      assert.lengthOf(yield* publications, count)
    })
  )

  it.effect("takes a post down that was live, for a location that ends in -flagged", () =>
    Effect.gen(function* () {
      const { post, publications, stateOf } = yield* owner("pub-flagged")
      const { body } = yield* post()
      const states = [yield* stateOf(body.name), yield* stateOf(body.name)]
      assert.deepStrictEqual([body.state, ...states], ["LIVE", "LIVE", "REJECTED"])
      assert.strictEqual((yield* send(body.searchUrl)).status, 404)
      assert.deepInclude((yield* publications)[0]!.details, { state: "REJECTED" })
    })
  )

  it.effect("changes a post in what a mask names, deletes it once, and lists what is left", () =>
    Effect.gen(function* () {
      const { call, post, posts, read } = yield* owner("editor")
      const texts = ["One", "Two", "Three"]
      const names = yield* Effect.forEach(texts, (summary) =>
        Effect.map(post({ summary }), ({ body }) => body.name as string)
      )
      const at = (name: string | undefined) => `/mybusiness.googleapis.com/v4/${name}`
      const changes = { ...json({ summary: "Second", languageCode: "de" }), method: "PATCH" }
      const changed = yield* call(`${at(names[1])}?updateMask=summary`, changes)
      assert.deepInclude(changed.body, { summary: "Second", languageCode: "en" })
      assert.strictEqual((yield* call(at(names[1]), changes)).status, 400)
      const gone = Effect.map(call(at(names[2]), { method: "DELETE" }), ({ status }) => status)
      assert.deepStrictEqual([yield* gone, yield* gone], [200, 404])
      assert.strictEqual((yield* read(names[2]!)).body.error.status, "NOT_FOUND")
      const first = (yield* call(`${posts}?pageSize=1`)).body
      const second = (yield* call(`${posts}?pageSize=1&pageToken=${first.nextPageToken}`)).body
      assert.deepStrictEqual(
        [...first.localPosts, ...second.localPosts].map(({ summary }) => summary),
        ["Second", "One"]
      )
      assert.notProperty(second, "nextPageToken")
    })
  )

  it.effect.each([
    ["unauthorized", {}, 401, "UNAUTHENTICATED", undefined],
    ["forbidden", {}, 403, "PERMISSION_DENIED", undefined],
    ["rate_limited", {}, 429, "RESOURCE_EXHAUSTED", undefined],
    ["server_error_before", {}, 503, "UNAVAILABLE", undefined],
    ["refuse", { status: 404, code: "NOT_FOUND" }, 404, "NOT_FOUND", undefined],
    ["refuse", { status: 403, code: "SERVICE_DISABLED" }, 403, "PERMISSION_DENIED", "SERVICE_DISABLED"]
  ] as const)("answers %s %o by script as Google does", ([fault, more, code, status, reason]) =>
    Effect.gen(function* () {
      const { post, script } = yield* owner(`scripted${code}`)
      yield* script({ on: "post", fault, ...more } as Parameters<typeof script>[0])
      const answer = yield* post()
      assert.deepInclude(answer.body.error, { code, status })
      assert.deepStrictEqual([answer.status, reasonOf(answer)], [code, reason])
    })
  )

  it.effect("remembers posts and their states when it starts again", () =>
    Effect.gen(function* () {
      const { kill, restart } = yield* SandboxProcess
      const { post, script, stateOf } = yield* owner("keeper")
      yield* script({ on: "post", fault: "processing", polls: 1 })
      const { body } = yield* post()
      yield* kill
      yield* restart
      assert.deepStrictEqual([yield* stateOf(body.name), yield* stateOf(body.name)], ["PROCESSING", "LIVE"])
      const next = yield* post()
      assert.isAbove(Number(next.body.name.slice(-6)), Number(body.name.slice(-6)))
    })
  )
})
