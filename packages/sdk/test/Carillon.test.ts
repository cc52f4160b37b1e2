import {
  AuthenticationError,
  Carillon,
  CarillonError,
  ConflictError,
  ConnectionError,
  InvalidRequestError,
  NotFoundError,
  PermissionError,
  type PostFilter,
  RateLimitError,
  ServiceError,
  TimeoutError
} from "@carillon/sdk"
import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest"
import { DateTime } from "effect"
import { execFileSync } from "node:child_process"
import type { ServerResponse } from "node:http"
import { inspect } from "node:util"
import { ContractServer, endpointNames } from "./ContractServer.ts"
import { account, listOf, media, mediaId, post, postId, problem, result, resultId } from "./Samples.ts"

const apiKey = "crl_abcdefghijkl_secretsecretsecret"
let server: ContractServer
let client: Carillon

beforeAll(async () => {
  server = await ContractServer.start()
  client = new Carillon({ apiKey, baseUrl: `${server.url}/` })
})
afterAll(() => server.close())

const failure = (promise: Promise<unknown>): Promise<unknown> =>
  promise.then(
    () => assert.fail("it succeeded"),
    (error: unknown) => error
  )

describe("the client's calls", () => {
  const from = new Date("2026-11-21T09:00:00Z")
  const filter: PostFilter = {
    status: ["scheduled", "draft"],
    platform: "sandbox",
    social_account_id: [1, 2],
    from,
    limit: 5
  }

  const calls = [
    {
      call: () => client.posts.create({ social_accounts: [1], caption: "Bells", media: [mediaId] }),
      endpoint: "posts.create",
      answer: post,
      expected: { payload: { social_accounts: [1], caption: "Bells", media: [mediaId] } }
    },
    {
      call: () =>
        client.posts.calendar({ from: "2030-12-01", per_day: 3, status: ["draft"], platform: "sandbox" }),
      endpoint: "posts.calendar",
      answer: { timezone: "UTC", days: [] },
      expected: { query: { from: "2030-12-01", per_day: 3, status: ["draft"], platform: ["sandbox"] } }
    },
    {
      call: () => client.posts.list(filter),
      endpoint: "posts.list",
      answer: listOf(post),
      expected: {
        query: {
          status: ["scheduled", "draft"],
          platform: ["sandbox"],
          social_account_id: ["1", "2"],
          from: DateTime.fromDateUnsafe(from),
          limit: 5
        }
      }
    },
    {
      call: () => client.posts.get(postId),
      endpoint: "posts.get",
      answer: post,
      expected: { params: { post_id: postId } }
    },
    {
      call: () => client.posts.update(postId, { scheduled_at: null }),
      endpoint: "posts.update",
      answer: post,
      expected: { params: { post_id: postId }, payload: { scheduled_at: null } }
    },
    {
      call: () => client.posts.delete(postId),
      endpoint: "posts.delete",
      answer: { success: true, id: postId },
      expected: { params: { post_id: postId } }
    },
    {
      call: () => client.results.list({ post_id: postId, status: "failed", offset: 50 }),
      endpoint: "results.list",
      answer: listOf(result),
      expected: { query: { post_id: [postId], status: ["failed"], offset: 50 } }
    },
    {
      call: () => client.results.get(resultId),
      endpoint: "results.get",
      answer: result,
      expected: { params: { result_id: resultId } }
    },
    {
      call: () => client.media.list({ type: ["image", "video"], q: "bells & whistles" }),
      endpoint: "media.list",
      answer: listOf(media),
      expected: { query: { type: ["image", "video"], q: "bells & whistles" } }
    },
    {
      call: () => client.media.get(mediaId),
      endpoint: "media.get",
      answer: media,
      expected: { params: { media_id: mediaId } }
    },
    {
      call: () => client.media.delete(mediaId),
      endpoint: "media.delete",
      answer: { success: true, id: mediaId, drafts: [] },
      expected: { params: { media_id: mediaId } }
    },
    {
      call: () => client.accounts.list({ platform: "sandbox", username: "demo" }),
      endpoint: "accounts.list",
      answer: listOf(account),
      expected: { query: { platform: ["sandbox"], username: ["demo"] } }
    },
    {
      call: () => client.accounts.get(1),
      endpoint: "accounts.get",
      answer: account,
      expected: { params: { account_id: "1" } }
    },
    {
      call: () =>
        client.accounts.connect({ platform: "sandbox", credentials: { username: "a", password: "sandbox" } }),
      endpoint: "accounts.connect",
      answer: account,
      expected: { payload: { platform: "sandbox", credentials: { username: "a", password: "sandbox" } } }
    },
    {
      call: () => client.accounts.disconnect(1),
      endpoint: "accounts.disconnect",
      answer: { success: true, id: 1 },
      expected: { params: { account_id: "1" } }
    },
    {
      call: () => client.posts.validate({ social_accounts: [1], caption: "Bells" }),
      endpoint: "posts.validate",
      answer: { valid: true, scheduled_at: null, warnings: [] },
      expected: { payload: { social_accounts: [1], caption: "Bells" } }
    },
    {
      call: () => client.posts.publish(postId),
      endpoint: "posts.publish",
      answer: post,
      expected: { params: { post_id: postId } }
    },
    {
      call: () => client.posts.requestApproval(postId, { use_queue: true }),
      endpoint: "posts.requestApproval",
      answer: post,
      expected: { params: { post_id: postId }, payload: { use_queue: true } }
    },
    {
      call: () => client.posts.approve(postId, { use_queue: true }),
      endpoint: "posts.approve",
      answer: post,
      expected: { params: { post_id: postId }, payload: { use_queue: true } }
    },
    {
      call: () => client.posts.refuse(postId, { reason: "Not on a Sunday." }),
      endpoint: "posts.refuse",
      answer: post,
      expected: { params: { post_id: postId }, payload: { reason: "Not on a Sunday." } }
    },
    {
      call: () => client.posts.retry(postId, { social_accounts: [1], force: true }),
      endpoint: "posts.retry",
      answer: post,
      expected: { params: { post_id: postId }, payload: { social_accounts: [1], force: true } }
    },
    {
      call: () => client.results.confirm(resultId, { published: false }),
      endpoint: "results.confirm",
      answer: result,
      expected: { params: { result_id: resultId }, payload: { published: false } }
    },
    {
      call: () => client.results.dismiss(resultId),
      endpoint: "results.dismiss",
      answer: result,
      expected: { params: { result_id: resultId }, payload: { dismissed: true } }
    },
    {
      call: () => client.media.reserve({ mime_type: "image/png", size_bytes: 5 }),
      endpoint: "media.reserve",
      answer: { media_id: mediaId },
      expected: { payload: { mime_type: "image/png", size_bytes: 5 } }
    },
    {
      call: () => client.media.complete(mediaId),
      endpoint: "media.complete",
      answer: media,
      expected: { params: { media_id: mediaId } }
    },
    {
      call: () => client.media.import(new URL("https://example.com/a.png"), { name: "b.png" }),
      endpoint: "media.import",
      answer: media,
      expected: { payload: { url: "https://example.com/a.png", name: "b.png" } }
    },
    {
      call: () => client.accounts.options(1),
      endpoint: "accounts.options",
      answer: { account_id: 1, choices: {} },
      expected: { params: { account_id: "1" } }
    },
    {
      call: () => client.accounts.update(1, { default_board_id: "5" }),
      endpoint: "accounts.update",
      answer: account,
      expected: { params: { account_id: "1" }, payload: { default_board_id: "5" } }
    },
    {
      call: () => client.accounts.startConnect({ platform: "tiktok", redirect_url: "https://example.com/" }),
      endpoint: "accounts.startConnect",
      answer: { authorize_url: "https://example.com/a" },
      expected: { payload: { platform: "tiktok", redirect_url: "https://example.com/" } }
    },
    {
      call: () => client.accounts.pending("019a9d3c", { q: "bakery" }),
      endpoint: "accounts.pending",
      answer: { id: "019a9d3c", accounts: [] },
      expected: { params: { pending_id: "019a9d3c" }, query: { q: "bakery" } }
    },
    {
      call: () => client.accounts.choose("019a9d3c", { accounts: ["bakery"] }),
      endpoint: "accounts.choose",
      answer: { data: [] },
      expected: { params: { pending_id: "019a9d3c" }, payload: { accounts: ["bakery"] } }
    },
    {
      call: () => client.accounts.connectLink({ platform: "tiktok", return_url: "https://example.com/" }),
      endpoint: "accounts.connectLink",
      answer: { url: "https://example.com/a" },
      expected: { payload: { platform: "tiktok", return_url: "https://example.com/" } }
    },
    {
      call: () => client.apiKeys.list({ limit: 3 }),
      endpoint: "apiKeys.list",
      answer: listOf(),
      expected: { query: { limit: 3 } }
    },
    {
      call: () => client.apiKeys.create({ name: "ci", scopes: ["posts:write"] }),
      endpoint: "apiKeys.create",
      answer: { id: "abcdefghijkl", key: "crl_x" },
      expected: { payload: { name: "ci", scopes: ["posts:write"] } }
    },
    {
      call: () => client.apiKeys.delete("abcdefghijkl"),
      endpoint: "apiKeys.delete",
      answer: { success: true, id: "abcdefghijkl" },
      expected: { params: { key_id: "abcdefghijkl" } }
    },
    {
      call: () => client.webhooks.list({ offset: 5 }),
      endpoint: "webhooks.list",
      answer: listOf(),
      expected: { query: { offset: 5 } }
    },
    {
      call: () => client.webhooks.create({ url: "https://example.com/", events: ["post.failed"] }),
      endpoint: "webhooks.create",
      answer: { id: postId, secret: "whsec_x" },
      expected: { payload: { url: "https://example.com/", events: ["post.failed"] } }
    },
    {
      call: () => client.webhooks.get(postId),
      endpoint: "webhooks.get",
      answer: { id: postId },
      expected: { params: { webhook_id: postId } }
    },
    {
      call: () => client.webhooks.update(postId, { status: "paused" }),
      endpoint: "webhooks.update",
      answer: { id: postId },
      expected: { params: { webhook_id: postId }, payload: { status: "paused" } }
    },
    {
      call: () => client.webhooks.delete(postId),
      endpoint: "webhooks.delete",
      answer: { success: true, id: postId },
      expected: { params: { webhook_id: postId } }
    },
    {
      call: () => client.webhooks.rotateSecret(postId),
      endpoint: "webhooks.rotateSecret",
      answer: { id: postId, secret: "whsec_y" },
      expected: { params: { webhook_id: postId } }
    },
    {
      call: () => client.webhooks.test(postId),
      endpoint: "webhooks.test",
      answer: { id: resultId },
      expected: { params: { webhook_id: postId } }
    },
    {
      call: () => client.webhooks.deliveries(postId, { status: "failed" }),
      endpoint: "webhooks.deliveries",
      answer: listOf(),
      expected: { params: { webhook_id: postId }, query: { status: ["failed"] } }
    },
    {
      call: () => client.webhooks.redeliver(resultId),
      endpoint: "webhooks.redeliver",
      answer: { id: resultId },
      expected: { params: { delivery_id: resultId } }
    },
    {
      call: () => client.notifications.get(),
      endpoint: "notifications.get",
      answer: { url: null },
      expected: {}
    },
    {
      call: () => client.notifications.set({ events: ["post.result"] }),
      endpoint: "notifications.set",
      answer: { url: "https://hooks.slack.com/…" },
      expected: { payload: { events: ["post.result"] } }
    },
    {
      call: () => client.notifications.delete(),
      endpoint: "notifications.delete",
      answer: { success: true },
      expected: {}
    },
    {
      call: () => client.notifications.test(),
      endpoint: "notifications.test",
      answer: { response_status: 200 },
      expected: {}
    },
    {
      call: () => client.queue.get(),
      endpoint: "queue.get",
      answer: { timezone: null, slots: [], jitter_minutes: 0 },
      expected: {}
    },
    {
      call: () => client.queue.set({ slots: [{ day: "mon", time: "09:00" }], jitter_minutes: 5 }),
      endpoint: "queue.set",
      answer: { timezone: null, slots: [{ day: "mon", time: "09:00" }], jitter_minutes: 5 },
      expected: { payload: { slots: [{ day: "mon", time: "09:00" }], jitter_minutes: 5 } }
    },
    {
      call: () => client.queue.next({ count: 2, timezone: "Asia/Tokyo" }),
      endpoint: "queue.slots",
      answer: listOf(),
      expected: { query: { count: 2, timezone: "Asia/Tokyo" } }
    },
    {
      call: () => client.profile.get(),
      endpoint: "profile.get",
      answer: { id: postId, timezone: "UTC" },
      expected: {}
    },
    {
      call: () => client.profile.update({ timezone: "Asia/Kolkata" }),
      endpoint: "profile.update",
      answer: { id: postId, timezone: "Asia/Kolkata" },
      expected: { payload: { timezone: "Asia/Kolkata" } }
    },
    {
      call: () => client.workspaces.create({ name: "Second" }),
      endpoint: "workspaces.create",
      answer: { id: postId, name: "Second" },
      expected: { payload: { name: "Second" } }
    },
    {
      call: () => client.workspaces.list({ limit: 2 }),
      endpoint: "workspaces.list",
      answer: { data: [] },
      expected: { query: { limit: 2 } }
    },
    {
      call: () => client.platformApps.list(),
      endpoint: "platformApps.all",
      answer: { data: [] },
      expected: {}
    },
    {
      call: () => client.platformApps.set("tiktok", { client_id: "1", client_secret: "2" }),
      endpoint: "platformApps.set",
      answer: { app: "tiktok", source: "stored" },
      expected: { params: { app: "tiktok" }, payload: { client_id: "1", client_secret: "2" } }
    },
    {
      call: () => client.platformApps.remove("google"),
      endpoint: "platformApps.remove",
      answer: { success: true, app: "google" },
      expected: { params: { app: "google" } }
    },
    {
      call: () => client.platformApps.test("google"),
      endpoint: "platformApps.test",
      answer: { result: "accepted", message: "It is known." },
      expected: { params: { app: "google" }, payload: {} }
    },
    {
      call: () => client.backups.schedule(),
      endpoint: "backups.schedule",
      answer: { every_seconds: null, last: null, succeeded_at: null },
      expected: {}
    },
    {
      call: () => client.audit.list({ action: ["sign_in.refused"], actor: postId }),
      endpoint: "audit.list",
      answer: { data: [] },
      expected: { query: { action: ["sign_in.refused"], actor: postId } }
    },
    {
      call: () => client.media.update(mediaId, { alt_text: "Three bells" }),
      endpoint: "media.update",
      answer: media,
      expected: { params: { media_id: mediaId }, payload: { alt_text: "Three bells" } }
    },
    {
      call: () => client.instance.get(),
      endpoint: "instance.get",
      answer: { version: "0.1.0" },
      expected: {}
    },
    {
      call: () => client.instance.checks(),
      endpoint: "instance.checks",
      answer: { ok: true, checks: [] },
      expected: {}
    },
    {
      call: () => client.session.confirm("correct horse battery"),
      endpoint: "session.confirm",
      answer: { confirmed_until: null },
      expected: { payload: { password: "correct horse battery" } }
    },
    {
      call: () => client.session.changePassword({ current_password: "one", new_password: "two" }),
      endpoint: "session.changePassword",
      answer: { success: true },
      expected: { payload: { current_password: "one", new_password: "two" } }
    },
    {
      call: () => client.session.list(),
      endpoint: "session.all",
      answer: { data: [] },
      expected: {}
    },
    {
      call: () => client.session.end("a-session"),
      endpoint: "session.end",
      answer: { success: true, id: "a-session" },
      expected: { params: { session_id: "a-session" } }
    },
    {
      call: () => client.session.endAll(),
      endpoint: "session.endAll",
      answer: { success: true },
      expected: {}
    },
    {
      call: () => client.clientReviews.list("a-post"),
      endpoint: "clientReviews.all",
      answer: { data: [] },
      expected: { params: { post_id: "a-post" } }
    },
    {
      call: () => client.clientReviews.links("a-post"),
      endpoint: "clientReviews.links",
      answer: { data: [] },
      expected: { params: { post_id: "a-post" } }
    },
    {
      call: () => client.clientReviews.createLink("a-post", { name: "The baker" }),
      endpoint: "clientReviews.createLink",
      answer: { id: "a-link", url: "https://carillon.example/review#token" },
      expected: { params: { post_id: "a-post" }, payload: { name: "The baker" } }
    },
    {
      call: () => client.clientReviews.revokeLink("a-post", "a-link"),
      endpoint: "clientReviews.revokeLink",
      answer: { success: true, id: "a-link" },
      expected: { params: { post_id: "a-post", review_link_id: "a-link" } }
    },
    {
      call: () => client.secondFactor.get(),
      endpoint: "secondFactor.get",
      answer: { totp_since: null, recovery_codes_left: 0, passkeys: [], passkeys_unavailable: null },
      expected: {}
    },
    {
      call: () => client.secondFactor.makeTotpSecret(),
      endpoint: "secondFactor.makeTotpSecret",
      answer: { secret: "A".repeat(32), uri: "otpauth://totp/Carillon" },
      expected: {}
    },
    {
      call: () => client.secondFactor.setTotp({ secret: "A".repeat(32), code: "123456" }),
      endpoint: "secondFactor.setTotp",
      answer: { recovery_codes: [] },
      expected: { payload: { secret: "A".repeat(32), code: "123456" } }
    },
    {
      call: () => client.secondFactor.deleteTotp(),
      endpoint: "secondFactor.deleteTotp",
      answer: { success: true },
      expected: {}
    },
    {
      call: () => client.secondFactor.replaceRecoveryCodes(),
      endpoint: "secondFactor.replaceRecoveryCodes",
      answer: { recovery_codes: [] },
      expected: {}
    },
    {
      call: () => client.secondFactor.passkeyOptions(),
      endpoint: "secondFactor.passkeyOptions",
      answer: { create: {}, get: {} },
      expected: {}
    },
    {
      call: () => client.secondFactor.addPasskey({ name: "Laptop", credential: "{}" }),
      endpoint: "secondFactor.addPasskey",
      answer: {
        id: "a-passkey",
        name: "Laptop",
        works_here: true,
        created_at: "2026-01-01T00:00:00Z",
        last_used_at: null
      },
      expected: { payload: { name: "Laptop", credential: "{}" } }
    },
    {
      call: () => client.secondFactor.deletePasskey("a-passkey"),
      endpoint: "secondFactor.deletePasskey",
      answer: { success: true, id: "a-passkey" },
      expected: { params: { passkey_id: "a-passkey" } }
    },
    {
      call: () => client.secondFactor.confirmWithPasskey("{}"),
      endpoint: "secondFactor.confirmWithPasskey",
      answer: { confirmed_until: null },
      expected: { payload: { credential: "{}" } }
    },
    {
      call: () => client.connectedApps.list(),
      endpoint: "connectedApps.all",
      answer: { data: [] },
      expected: {}
    },
    {
      call: () => client.connectedApps.update("an-app", { needs_approval: true }),
      endpoint: "connectedApps.update",
      answer: { id: "an-app" },
      expected: { params: { connected_app_id: "an-app" }, payload: { needs_approval: true } }
    },
    {
      call: () => client.connectedApps.disconnect("an-app"),
      endpoint: "connectedApps.disconnect",
      answer: { success: true, id: "an-app" },
      expected: { params: { connected_app_id: "an-app" } }
    }
  ]

  it.each(calls)(
    "the client's calls are what the contract has: $endpoint",
    async ({ answer, call, endpoint, expected }) => {
      server.on(endpoint, answer)
      assert.deepStrictEqual<unknown>(await call(), answer)
      const made = server.calls.at(-1)!
      assert.strictEqual(made.endpoint, endpoint)
      assert.strictEqual(made.headers.authorization, `Bearer ${apiKey}`)
      assert.deepInclude({ params: made.params, query: made.query, payload: made.payload }, expected)
    }
  )

  it("the client's calls are all that the contract has", () => {
    // The bytes of an upload have a test file of their own, as has the stream of events; those of a backup the test below.
    const called = new Set([
      ...calls.map(({ endpoint }) => endpoint),
      "media.upload",
      "events.stream",
      "backups.create"
    ])
    assert.deepStrictEqual(
      endpointNames.filter((name) => !called.has(name)),
      []
    )
  })

  it("give the bytes of a backup as they come, and its refusals as errors", async () => {
    server.on("backups.create", (_: unknown, response: ServerResponse) => {
      const headers = {
        "content-type": "application/x-tar",
        "content-disposition": 'attachment; filename="a.tar"'
      }
      response.writeHead(200, headers).end("bytes")
    })
    const { name, bytes } = await client.backups.create({ include_media: true })
    assert.strictEqual(name, "a.tar")
    assert.strictEqual(await new Response(bytes).text(), "bytes")
    assert.deepStrictEqual(server.calls.at(-1)!.payload, { include_media: true })
    server.on("backups.create", (_: unknown, response: ServerResponse) => {
      const headers = { "content-type": "application/problem+json" }
      response.writeHead(403, headers).end(JSON.stringify(problem(403, "default_workspace_only")))
    })
    assert.instanceOf(await failure(client.backups.create()), PermissionError)
  })

  it("the client's calls cannot leave their path through an id", async () => {
    await client.posts.get("../media?x=1#")
    assert.strictEqual(server.calls.at(-1)!.params["post_id"], "..%2Fmedia%3Fx%3D1%23")
  })

  it.each(["", ".", ".."])(
    "the client's calls are refused for the id %j, which would be another address",
    async (id) => {
      const error = await failure(client.posts.get(id))
      assert.instanceOf(error, InvalidRequestError)
    }
  )
})

describe("the client's settings", () => {
  it("come from the environment where they are not given", async () => {
    const before = { ...process.env }
    Object.assign(process.env, { CARILLON_API_KEY: "crl_from_env", CARILLON_URL: server.url })
    server.on("profile.get", { id: postId })
    await new Carillon().profile.get()
    assert.strictEqual(server.calls.at(-1)!.headers.authorization, "Bearer crl_from_env")
    process.env = before
  })

  it("must have an API key", () => {
    assert.throws(() => new Carillon({ apiKey: "" }), AuthenticationError, /CARILLON_API_KEY/)
  })

  it("the client's settings do not show the API key when the client is printed", () => {
    assert.notInclude(inspect(client, { depth: 9, showHidden: true }), apiKey)
  })

  it("the client's settings take another fetch", async () => {
    const seen: Array<string> = []
    const own: typeof fetch = (input, init) => {
      seen.push(String(input))
      return fetch(input, init)
    }
    server.on("posts.get", post)
    await new Carillon({ apiKey, baseUrl: server.url, fetch: own }).posts.get(postId)
    assert.deepStrictEqual(seen, [`${server.url}/v1/posts/${postId}`])
  })

  it("the client's settings do not make it load Effect", () => {
    const program = `
      import { registerHooks } from "node:module"
      registerHooks({ resolve: (specifier, context, next) => { const found = next(specifier, context); console.log(found.url); return found } })
      const { Carillon } = await import(${JSON.stringify(import.meta.resolve("@carillon/sdk"))})
      new Carillon({ apiKey: "k" })`
    // The checkout may lie anywhere.
    const loaded = execFileSync(process.execPath, ["--input-type=module", "-e", program], {
      encoding: "utf8"
    }).replaceAll(new URL("../../..", import.meta.url).href, "")
    assert.include(loaded, "Carillon.ts")
    assert.notMatch(loaded, /effect|domain/)
  })
})

describe("the client's errors", () => {
  let client: Carillon
  beforeAll(() => {
    client = new Carillon({ apiKey, baseUrl: server.url, maxRetries: 0 })
  })

  const statuses = [
    [400, InvalidRequestError],
    [401, AuthenticationError],
    [403, PermissionError],
    [404, NotFoundError],
    [409, ConflictError],
    [412, ConflictError],
    [413, InvalidRequestError],
    [415, InvalidRequestError],
    [422, InvalidRequestError],
    [429, RateLimitError],
    [500, ServiceError],
    [503, ServiceError]
  ] as const

  it.each(statuses)(
    "the client's errors have a class for what %s means, and say everything that the answer said",
    async (status, Class) => {
      const item = { path: "caption", code: "caption_too_long", message: "It is too long." }
      server.on("posts.create", (_: unknown, response: ServerResponse) => {
        response.writeHead(status, { "content-type": "application/problem+json" })
        response.end(JSON.stringify(problem(status, "some_code", item)))
      })
      const error = await failure(client.posts.create({ social_accounts: [1] }))
      assert.strictEqual((error as Error).constructor, Class)
      const { code, errors, message, name, requestId, status: told } = error as CarillonError
      assert.deepStrictEqual(
        { code, errors, message, name, requestId, told },
        {
          code: "some_code",
          errors: [item],
          message: "What was wrong.",
          name: Class.name,
          requestId: "req_1",
          told: status
        }
      )
    }
  )

  it("say after how many seconds a limited request may come again", async () => {
    server.on("posts.list", (_: unknown, response: ServerResponse) => {
      response.writeHead(429, { "retry-after": "7" }).end(JSON.stringify(problem(429, "rate_limited")))
    })
    assert.deepInclude(await failure(client.posts.list()), { retryAfter: 7, status: 429 })
  })

  it.each([
    [502, "<html>Bad gateway</html>"],
    [200, "<html>Please sign in</html>"],
    [404, "{}"]
  ])("tell an answer that is not the service's from one that is: %s %s", async (status, body) => {
    server.on("posts.list", (_: unknown, response: ServerResponse) => {
      response.writeHead(status, { "x-request-id": "req_2" }).end(body)
    })
    assert.deepInclude(await failure(client.posts.list()), {
      code: "unexpected_answer",
      status,
      requestId: "req_2"
    })
  })

  it("say why there was no answer", async () => {
    const closed = await ContractServer.start()
    const { url } = closed
    await closed.close()
    const error = await failure(new Carillon({ apiKey, baseUrl: url, maxRetries: 0 }).posts.list())
    assert.instanceOf(error, ConnectionError)
    assert.deepInclude(error, { code: "connection_failed", status: null })
    assert.include((error as Error).message, `GET ${url}/v1/posts got no answer: ECONNREFUSED.`)
  })

  it("tell a time that has run out from a broken connection", async () => {
    server.on("posts.list", () => undefined)
    const error = await failure(client.posts.list({ q: "x" }, { timeout: 20 }))
    assert.instanceOf(error, TimeoutError)
    assert.include((error as Error).message, `GET ${server.url}/v1/posts took longer than 20 ms.`)
  })

  it("the client's errors are the signal's own reason when the caller gives up", async () => {
    const controller = new AbortController()
    const reason = new Error("changed my mind")
    server.on("posts.list", () => controller.abort(reason))
    assert.strictEqual(await failure(client.posts.list({}, { signal: controller.signal })), reason)
  })
})
