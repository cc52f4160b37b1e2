import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { execFile } from "node:child_process"
import { readFileSync, writeFileSync } from "node:fs"
import { request } from "node:http"
import { join } from "node:path"
import { promisify } from "node:util"
import { Script } from "node:vm"
import sharp from "sharp"
import { connect, inSeconds, settled } from "@carillon/testing/Publishing"
import { unbounded } from "../contract/Bounds.ts"
import { Service } from "@carillon/testing/ServiceProcess"
import * as TestDirectory from "@carillon/testing/TestDirectory"
import { instance, SharedService } from "@carillon/testing/SharedService"

/** One POST as bare as the specification shows it: no `initialize` before it, nothing but a key and a content type. */
const post = Effect.fnUntraced(function* (message: unknown, headers: Record<string, string> = {}) {
  const service = yield* Service
  return yield* service.call("POST", "/mcp", message, headers)
})

const call = (name: string, args: unknown, headers?: Record<string, string>) =>
  post({ jsonrpc: "2.0", id: 1, method: "tools/call", params: { name, arguments: args } }, headers).pipe(
    Effect.map(({ body }) => body.result)
  )

/** What fetch does not let one send: a Host of one's own. */
const statusWithHost = (url: string, headers: Record<string, string>) =>
  Effect.promise(
    () =>
      new Promise<number>((resolve, reject) => {
        const body = JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/list" })
        request(`${url}/mcp`, { method: "POST", headers: { "content-type": "application/json", ...headers } })
          .on("response", (response) => resolve(response.resume().statusCode!))
          .on("error", reject)
          .end(body)
      })
  )

layer(SharedService, { excludeTestServices: true })("the MCP endpoint", (it) => {
  it.effect("lists its tools to a bare POST with an API key, whatever the Accept header says", () =>
    Effect.gen(function* () {
      for (const accept of [undefined, "*/*", "application/json", "text/event-stream", "text/html"]) {
        const { status, headers, body } = yield* post(
          { jsonrpc: "2.0", id: 7, method: "tools/list" },
          accept === undefined ? {} : { accept }
        )
        assert.strictEqual(status, 200, accept)
        assert.match(headers.get("content-type")!, /^application\/json/)
        assert.strictEqual(body.id, 7)
        for (const tool of body.result.tools) {
          assert.match(tool.name, /^[a-z]+(_[a-z]+)+$/)
          assert.isAbove(tool.title.length, 3)
          assert.isAbove(tool.description.length, 80)
          assert.hasAllKeys(tool.annotations, [
            "readOnlyHint",
            "destructiveHint",
            "idempotentHint",
            "openWorldHint"
          ])
          assert.strictEqual(tool.inputSchema.type, "object")
          assert.strictEqual(tool.inputSchema.additionalProperties, false)
          assert.strictEqual(tool.outputSchema.type, "object")
          // Hosts differ in how they follow references.
          assert.notMatch(JSON.stringify(tool), /\$ref|\$defs|9007199254740991/)
        }
        assert.isAtMost(Buffer.byteLength(JSON.stringify(body.result)), 33_000)
      }
    })
  )

  it.effect("asks for a credential before it looks at the method, and says where to get one", () =>
    Effect.gen(function* () {
      const service = yield* Service
      for (const method of ["GET", "POST", "DELETE", "PUT"]) {
        for (const authorization of ["", "Bearer nonsense", "Basic abc"]) {
          const { status, headers, body } = yield* service.call(method, "/mcp", undefined, { authorization })
          assert.strictEqual(status, 401)
          assert.strictEqual(body.code, "unauthorized")
          assert.strictEqual(
            headers.get("www-authenticate"),
            `Bearer ${authorization === "Bearer nonsense" ? 'error="invalid_token", ' : ""}` +
              `resource_metadata="${service.url}/.well-known/oauth-protected-resource/mcp", ` +
              `scope="accounts:read posts:read posts:write posts:publish media:read media:write"`
          )
        }
        if (method === "POST") continue
        const { status, headers } = yield* service.call(method, "/mcp")
        assert.strictEqual(status, 405)
        assert.strictEqual(headers.get("allow"), "POST")
      }
    })
  )

  it.effect("answers only at its own names, and to no foreign page", () =>
    Effect.gen(function* () {
      const { url, key, call } = yield* Service
      const authorization = `Bearer ${key}`
      assert.strictEqual(yield* statusWithHost(url, { authorization }), 200)
      assert.strictEqual(yield* statusWithHost(url, { authorization, host: "localhost:1" }), 200)
      for (const host of ["evil.example", "evil.example:80", "127.0.0.1.evil.example"]) {
        assert.strictEqual(yield* statusWithHost(url, { authorization, host }), 403, host)
      }
      for (const origin of ["https://evil.example", "null", "http://localhost.evil.example"]) {
        assert.strictEqual(yield* statusWithHost(url, { authorization, origin }), 403, origin)
      }
      const own = yield* post({ jsonrpc: "2.0", id: 1, method: "tools/list" }, { origin: url })
      assert.strictEqual(own.headers.get("access-control-allow-origin"), url)
      const preflight = yield* call("OPTIONS", "/mcp", undefined, {
        origin: "http://localhost:6274",
        authorization: "",
        "access-control-request-method": "POST"
      })
      assert.strictEqual(preflight.status, 204)
      assert.match(preflight.headers.get("access-control-allow-headers")!, /Authorization/)
    })
  )

  it.effect("keeps to JSON-RPC where a message is none of its own", () =>
    Effect.gen(function* () {
      const unknown = yield* post({ jsonrpc: "2.0", id: 1, method: "tools/dance" })
      assert.strictEqual(unknown.body.error.code, -32601)
      const broken = yield* post("{")
      assert.deepStrictEqual([broken.status, broken.body.error.code], [400, -32700])
      const form = yield* post("a=b", { "content-type": "text/plain" })
      assert.strictEqual(form.status, 415)
      const large = yield* post({ jsonrpc: "2.0", id: 1, method: "x", params: { a: "x".repeat(1_100_000) } })
      assert.deepStrictEqual([large.status, large.body.code], [413, "body_too_large"])
      const told = yield* post({ jsonrpc: "2.0", method: "notifications/initialized" })
      assert.strictEqual(told.status, 202)
    })
  )

  it.effect("publishes a post and reads its result, with the same facts in text and in JSON", () =>
    Effect.gen(function* () {
      const account = yield* connect("mcp")
      const accounts = yield* call("list_accounts", {})
      assert.deepStrictEqual(JSON.parse(accounts.content[0].text), accounts.structuredContent)
      assert.strictEqual(accounts.structuredContent.timezone, "UTC")
      assert.include(
        accounts.structuredContent.accounts.map(({ id }: { id: number }) => id),
        account
      )
      const created = yield* call("create_post", { social_accounts: [account], caption: "From an agent" })
      assert.isUndefined(created.isError, JSON.stringify(created))
      yield* settled(created.structuredContent.id)
      const read = yield* call("get_post", { post_id: created.structuredContent.id })
      assert.strictEqual(read.structuredContent.status, "published")
      assert.match(read.structuredContent.results[0].platform_data.url, /^http/)
      const listed = yield* call("list_posts", { status: "published", limit: 1 })
      assert.strictEqual(listed.structuredContent.posts[0].id, created.structuredContent.id)
    })
  )

  it.effect(
    "says of each account what is planned and was published, and finds it by a part of its name",
    () =>
      Effect.gen(function* () {
        const { call: rest } = yield* Service
        const busy = yield* connect("Verger-du-Lac")
        const idle = yield* connect("verger-du-bois")
        const send = (fields: object) =>
          call("create_post", { social_accounts: [busy], caption: "Apples", ...fields })
        const sent = yield* send({})
        yield* settled(sent.structuredContent.id)
        yield* send({ scheduled_at: "2030-12-24T09:00" })
        yield* send({ scheduled_at: "2030-12-25T09:00" })
        yield* send({ scheduled_at: "2030-12-26T09:00", is_draft: true })
        const { structuredContent: found } = yield* call("list_accounts", { query: "@VERGER" })
        const [quiet, lively] = found.accounts
        assert.deepInclude(quiet, { id: idle, planned: 0, published_30d: 0, last_published_at: null })
        assert.deepInclude(lively, { id: busy, planned: 2, published_30d: 1 })
        assert.match(lively.last_published_at, /^20.*\[UTC\]$/)
        const idsOf = (query: string) =>
          Effect.map(rest("GET", `/v1/social-accounts?q=${query}`), ({ body }) =>
            body.data.map(({ id }: { id: number }) => id)
          )
        assert.deepStrictEqual(yield* idsOf("ger-du-"), [idle, busy])
        assert.deepStrictEqual(yield* idsOf("du-lac"), [busy])
        assert.deepStrictEqual(yield* idsOf("100%25"), [])
      })
  )

  it.effect(
    "says of every list in an answer how many at most, and takes no text and no list without end",
    () =>
      Effect.gen(function* () {
        const { body } = yield* post({ jsonrpc: "2.0", id: 1, method: "tools/list" })
        for (const { name, inputSchema, outputSchema } of body.result.tools) {
          assert.deepStrictEqual(unbounded(outputSchema), [], name)
          for (const [argument, { type, items }] of Object.entries<any>(inputSchema.properties)) {
            if (type !== "string" && type !== "array") continue
            const item = items?.type === "integer" ? 1 : items?.type === "object" ? {} : "x"
            const value = type === "string" ? "x".repeat(20_001) : Array.from({ length: 201 }, () => item)
            const { content, isError } = yield* call(name, { [argument]: value })
            const text = isError === true ? content[0].text : ""
            assert.include(text, argument, `${name} ${argument}`)
          }
        }
      })
  )

  it.effect("tells what is wrong with arguments, each thing with its code, and what to do next", () =>
    Effect.gen(function* () {
      const account = yield* connect("mcp_errors")
      const refused = yield* call("create_post", {
        social_accounts: [account, 4_000_000],
        caption: "x",
        scheduled_at: "2020-01-01T09:00:00Z"
      })
      assert.isTrue(refused.isError)
      const [{ text }] = refused.content
      assert.match(text, /\[scheduled_at_past\] scheduled_at 2020-01-01T09:00:00Z has passed; it is now 20/)
      assert.match(text, /\[social_account_not_found\] There is no social account 4000000/)
      assert.match(text, /Next step: Call list_accounts for the ids\./)
      const misspelt = yield* call("create_post", { social_account: [account], captoin: "x" })
      assert.match(misspelt.content[0].text, /\[unknown_field\] captoin is not a known field/)
      assert.match(misspelt.content[0].text, /\[required\] social_accounts is missing/)
      const nowhere = yield* call("show_calendar", { timezone: "Berlin" })
      assert.include(
        nowhere.content[0].text,
        'Expected an IANA time zone name such as Europe/Paris or UTC, got "Berlin".'
      )
      const listed = yield* call("list_posts", { query: "x", status: "scheduled" })
      assert.deepStrictEqual(listed.structuredContent.posts, [])
    })
  )

  it.effect("shows a key only what it may do, as the REST API would", () =>
    Effect.gen(function* () {
      const service = yield* Service
      const [mine, foreign] = [yield* connect("mcp_mine"), yield* connect("mcp_foreign")]
      const { body: key } = yield* service.call("POST", "/v1/api-keys", {
        name: "An agent",
        scopes: ["posts:write", "accounts:read"],
        social_accounts: [mine]
      })
      const authorization = `Bearer ${key.key}`
      const accounts = yield* call("list_accounts", {}, { authorization })
      assert.deepStrictEqual(
        accounts.structuredContent.accounts.map(({ id }: { id: number }) => id),
        [mine]
      )
      const caption = "x"
      const scheduled_at = inSeconds(3600)
      const other = yield* call(
        "create_post",
        { social_accounts: [foreign], caption, scheduled_at },
        { authorization }
      )
      assert.match(other.content[0].text, /\[account_not_allowed\]/)
      const now = yield* call("create_post", { social_accounts: [mine], caption }, { authorization })
      assert.match(now.content[0].text, /\[missing_scope\]/)
      const later = yield* call(
        "create_post",
        { social_accounts: [mine], caption, scheduled_at },
        { authorization }
      )
      assert.strictEqual(later.structuredContent.status, "scheduled")

      const { body: reader } = yield* service.call("POST", "/v1/api-keys", {
        name: "A reader",
        scopes: ["posts:read"]
      })
      const { body } = yield* post(
        { jsonrpc: "2.0", id: 1, method: "tools/list" },
        { authorization: `Bearer ${reader.key}` }
      )
      const names = body.result.tools.map(({ name }: { name: string }) => name)
      assert.include(names, "list_posts")
      assert.notInclude(names, "create_post")
      assert.notInclude(names, "list_accounts")
      const withheld = yield* call(
        "delete_post",
        { post_id: later.structuredContent.id },
        {
          authorization: `Bearer ${reader.key}`
        }
      )
      assert.match(withheld.content[0].text, /\[missing_scope\] delete_post needs the scope posts:write/)
      assert.strictEqual(
        (yield* call("get_post", { post_id: later.structuredContent.id })).isError,
        undefined
      )
    })
  )

  it.effect("speaks the newest revision in plain JSON, and ends at once what would only wait", () =>
    Effect.gen(function* () {
      const modern = Effect.fnUntraced(function* (method: string, params: object = {}) {
        const { url, key } = yield* Service
        const _meta = {
          "io.modelcontextprotocol/protocolVersion": "2026-07-28",
          "io.modelcontextprotocol/clientCapabilities": {},
          "io.modelcontextprotocol/clientInfo": { name: "test", version: "1" }
        }
        return yield* Effect.promise(async () => {
          const answer = await fetch(`${url}/mcp`, {
            method: "POST",
            headers: {
              authorization: `Bearer ${key}`,
              "content-type": "application/json",
              "mcp-protocol-version": "2026-07-28",
              "mcp-method": method
            },
            body: JSON.stringify({ jsonrpc: "2.0", id: 1, method, params: { ...params, _meta } })
          })
          return { type: answer.headers.get("content-type")!, text: await answer.text() }
        })
      })
      const discovered = yield* modern("server/discover")
      assert.match(discovered.type, /^application\/json/)
      const { capabilities, supportedVersions } = JSON.parse(discovered.text).result
      assert.include(supportedVersions, "2026-07-28")
      assert.deepStrictEqual(capabilities.tools, { listChanged: false })
      assert.property(capabilities.extensions, "io.modelcontextprotocol/ui")
      // Nothing changes here that a client could wait for: it is told so, and the stream has ended.
      const listened = yield* modern("subscriptions/listen", { notifications: { toolsListChanged: true } })
      assert.deepStrictEqual(
        [...listened.text.matchAll(/^data: (.*)$/gm)].map(([, data]) => {
          const { id, method, params, result } = JSON.parse(data!)
          return [id, method, params?.notifications, result?.resultType]
        }),
        [
          [undefined, "notifications/subscriptions/acknowledged", {}, undefined],
          [1, undefined, undefined, "complete"]
        ]
      )
      const { version } = JSON.parse(readFileSync("server.json", "utf8"))
      const { serverInfo } = (yield* post({
        jsonrpc: "2.0",
        id: 1,
        method: "initialize",
        params: {
          protocolVersion: "2025-11-25",
          capabilities: {},
          clientInfo: { name: "test", version: "1" }
        }
      })).body.result
      assert.deepInclude(serverInfo, { name: "carillon", version })
    })
  )

  it.effect("answers a model with nothing that is for the page in a host, which has a tool of its own", () =>
    Effect.gen(function* () {
      const modern = (extensions: object | undefined) => ({
        "io.modelcontextprotocol/protocolVersion": "2026-07-28",
        "io.modelcontextprotocol/clientCapabilities": extensions === undefined ? {} : { extensions },
        "io.modelcontextprotocol/clientInfo": { name: "test", version: "1" }
      })
      const ask = Effect.fnUntraced(function* (method: string, params: any, _meta?: object) {
        const headers = { "mcp-method": method, ...(params.name && { "mcp-name": params.name }) }
        const { body } = yield* post(
          { jsonrpc: "2.0", id: 1, method, params: { ...params, ...(_meta && { _meta }) } },
          _meta && { ...headers, "mcp-protocol-version": "2026-07-28" }
        )
        return body.result
      })
      const isListed = (_meta?: object) =>
        Effect.map(ask("tools/list", {}, _meta), ({ tools }) => {
          const found = tools.find(({ name }: any) => name === "get_app_data")
          if (found) assert.deepStrictEqual(found._meta, { ui: { visibility: ["app"] } })
          return found !== undefined
        })
      const ui = { "io.modelcontextprotocol/ui": { mimeTypes: ["text/html;profile=mcp-app"] } }
      const others = { "io.modelcontextprotocol/tasks": {} }
      assert.isTrue(yield* isListed(), "a client that does not tell what it can do")
      assert.isTrue(yield* isListed(modern({ ...others, ...ui })))
      for (const extensions of [undefined, {}, others]) assert.isFalse(yield* isListed(modern(extensions)))

      const social_accounts = [yield* connect("mcp_page_one"), yield* connect("mcp_page_two")]
      const asked = { social_accounts, caption: "For the page", thread: [{ caption: "And more" }] }
      const { version } = JSON.parse(readFileSync("server.json", "utf8"))
      for (const [name, args] of [
        ["show_calendar", {}],
        ["preview_post", asked],
        ["list_accounts", {}]
      ] as const) {
        const older = yield* ask("tools/call", { name, arguments: args })
        assert.hasAllKeys(older, ["content", "structuredContent"], name)
        const { _meta, structuredContent } = yield* ask("tools/call", { name, arguments: args }, modern(ui))
        assert.notProperty(structuredContent, "forApp")
        // The protocol wants each answer to name who gave it; an icon would be 200 tokens more.
        assert.deepStrictEqual(_meta, {
          "io.modelcontextprotocol/serverInfo": { name: "carillon", version }
        })
      }
      const read = (args: object, _meta?: object) =>
        ask("tools/call", { name: "get_app_data", arguments: args }, _meta)
      const { structuredContent: page } = yield* read({ post: asked }, modern(undefined))
      assert.deepStrictEqual(
        page.rows.map((row: any) => Object.keys(row)[0]),
        ["account", "preview", "following", "account", "preview", "following"]
      )
      assert.deepStrictEqual(
        [page.rows[1].preview.caption, page.rows[2].following.caption],
        ["For the page", "And more"]
      )
      const rest = (yield* read({ post: asked, offset: 4 })).structuredContent
      assert.deepStrictEqual(rest.rows, page.rows.slice(4))
      const beyond = (yield* read({ post: asked, offset: 6 })).structuredContent
      assert.deepStrictEqual([beyond.rows, beyond.next_offset], [[], null])
      for (const args of [{}, { calendar: {}, post: asked }, { calendar: null }])
        assert.match((yield* read(args)).content[0].text, /Give calendar or post, exactly one of the two/)
      const foreign = yield* read({ post: { ...asked, social_accounts: [999_999_999] } })
      assert.deepStrictEqual(foreign.structuredContent.rows, [])
    })
  )

  it.effect("counts calls that only read as reads, and all others as writes", () =>
    Effect.gen(function* () {
      for (const [message, policy] of [
        [{ method: "tools/list" }, "reads"],
        [{ method: "tools/call", params: { name: "list_posts" } }, "reads"],
        [{ method: "tools/call", params: { name: "delete_post", arguments: {} } }, "writes"]
      ] as const) {
        const { headers } = yield* post({ jsonrpc: "2.0", id: 1, ...message })
        assert.match(headers.get("ratelimit-policy")!, new RegExp(`^"${policy}"`))
      }
    })
  )

  it.effect("makes one post of a call that is repeated with its idempotency_key", () =>
    Effect.gen(function* () {
      const account = yield* connect("mcp_once")
      const args = {
        social_accounts: [account],
        caption: "Once",
        scheduled_at: inSeconds(3600),
        idempotency_key: "agent-1"
      }
      const first = yield* call("create_post", args)
      const again = yield* call("create_post", args)
      assert.deepStrictEqual(again.structuredContent, first.structuredContent)
      const other = yield* call("create_post", { ...args, caption: "Twice" })
      assert.match(other.content[0].text, /\[idempotency_key_reused\]/)
      const listed = yield* call("list_posts", { account_id: account })
      assert.strictEqual(listed.structuredContent.total, 1)
    })
  )

  it.effect(
    "does the whole job: accounts, an upload by the printed line, a preview, a schedule, the result",
    () =>
      Effect.gen(function* () {
        const account = yield* connect("mcp_job")
        const folder = yield* TestDirectory.make
        const picture = yield* Effect.promise(() =>
          sharp({ create: { width: 640, height: 480, channels: 3, background: "#7a4b12" } })
            .jpeg()
            .toBuffer()
        )
        const file = join(folder, "a 'quoted' beach[1].jpg")
        const upload = yield* call("create_media_upload", {
          mime_type: "image/jpeg",
          size_bytes: picture.length,
          name: "a 'quoted' beach[1].jpg"
        })
        const { media_id, curl } = upload.structuredContent
        const early = yield* call("complete_media_upload", { media_id })
        assert.match(early.content[0].text, /\[upload_incomplete\][^]*Next step: Send the file to upload_url/)
        const runs = () => promisify(execFile)("bash", ["-c", curl], { cwd: folder })
        writeFileSync(file, "another file")
        const refused = yield* Effect.promise(() => runs().catch((failure) => failure))
        assert.strictEqual(refused.code, 22)
        assert.match(refused.stdout, /"code":"upload_size_mismatch"/)
        writeFileSync(file, picture)
        yield* Effect.promise(runs)
        const complete = yield* call("complete_media_upload", { media_id })
        assert.deepInclude(complete.structuredContent, { status: "ready", width: 640, height: 480 })

        const post = { social_accounts: [account], caption: "A beach", media: [media_id] }
        const long = yield* call("preview_post", { ...post, caption: "x".repeat(19_000) })
        assert.isFalse(long.structuredContent.valid)
        assert.match(
          long.structuredContent.accounts[0].problems[0],
          /Test network \(@mcp_job, account \d+\) allows/
        )
        const scheduled_at = inSeconds(3600)
        const preview = yield* call("preview_post", { ...post, scheduled_at })
        assert.deepInclude(preview.structuredContent, {
          valid: true,
          goes_out: "later",
          scheduled_at,
          problems: []
        })
        assert.deepInclude(preview.structuredContent.accounts[0], { caption: "A beach", caption_length: 7 })
        assert.strictEqual(preview.structuredContent.accounts[0].media[0].id, media_id)
        const three = { ...post, thread: ["The waves", { media: [media_id] }] }
        const shown = (yield* call("preview_post", three)).structuredContent.accounts[0]
        assert.deepStrictEqual(
          [shown, ...shown.thread].map(({ caption, media }: any) => [caption, media.length]),
          [
            ["A beach", 1],
            ["The waves", 0],
            ["", 1]
          ]
        )
        const drafted = yield* call("create_post", { ...three, is_draft: true })
        const { id: post_id } = drafted.structuredContent
        yield* call("update_post", { post_id, thread: ["The sea"] })
        const changed = yield* call("get_post", { post_id })
        assert.deepStrictEqual(changed.structuredContent.thread, [{ caption: "The sea", media: [] }])
        yield* call("delete_post", { post_id: drafted.structuredContent.id })
        assert.strictEqual((yield* call("list_posts", { account_id: account })).structuredContent.total, 0)

        const created = yield* call("create_post", { ...post, scheduled_at })
        const { id } = created.structuredContent
        assert.strictEqual(
          created.structuredContent.scheduled_at_local,
          scheduled_at.replace("Z", "+00:00[UTC]")
        )
        const kept = yield* call("delete_media", { media_id })
        assert.match(kept.content[0].text, /\[media_in_use\]/)
        const calendar = yield* call("show_calendar", { account_id: account })
        assert.include(calendar.content[0].text, id)
        const service = yield* Service
        assert.strictEqual((yield* service.call("POST", `/v1/posts/${id}/publish`)).status, 200)
        yield* settled(id)
        const read = yield* call("get_post", { post_id: id })
        assert.strictEqual(read.structuredContent.status, "published")
        assert.match(read.structuredContent.results[0].platform_data.url, /^http/)
        const late = yield* call("delete_post", { post_id: id })
        assert.match(late.content[0].text, /\[post_not_editable\]/)
      })
  )

  it.effect("changes and deletes what has not gone out yet", () =>
    Effect.gen(function* () {
      const account = yield* connect("mcp_change")
      const draft = yield* call("create_post", {
        social_accounts: [account],
        caption: "Later",
        is_draft: true
      })
      const post_id = draft.structuredContent.id
      const scheduled_at = inSeconds(86_400)
      const moved = yield* call("update_post", { post_id, scheduled_at, caption: "Tomorrow" })
      assert.deepInclude(moved.structuredContent, { status: "draft", scheduled_at })
      assert.match(
        moved.structuredContent.what_happened,
        /^It is a draft: nothing goes out\. .* is only its plan\./
      )
      assert.match(moved.structuredContent.next_step, /^schedule_post schedules it/)
      const scheduled = yield* call("schedule_post", { post_id })
      assert.deepInclude(scheduled.structuredContent, { status: "scheduled", scheduled_at })
      assert.match(scheduled.structuredContent.what_happened, /^It is scheduled and goes out at /)
      const back = yield* call("update_post", { post_id, scheduled_at: null })
      assert.deepInclude(back.structuredContent, { status: "draft", scheduled_at: null })
      const out = yield* call("create_post", { social_accounts: [account], caption: "Out", is_draft: true })
      const published = yield* call("publish_post", { post_id: out.structuredContent.id })
      assert.deepInclude(published.structuredContent, { status: "scheduled", scheduled_at: null })
      const deleted = yield* call("delete_post", { post_id })
      assert.deepStrictEqual(deleted.structuredContent, { deleted: true, post_id })
      const gone = yield* call("get_post", { post_id })
      assert.match(gone.content[0].text, /\[not_found\]/)
      yield* (yield* Service).call("PUT", "/v1/queue", { slots: [] })
      const slots = yield* call("list_queue_slots", {})
      assert.match(slots.content[0].text, /\[queue_not_configured\]/)
    })
  )

  it.effect("deletes, changes and makes many posts in one call, each by itself, and once for a key", () =>
    Effect.gen(function* () {
      const [mine, other] = [yield* connect("mcp_many"), yield* connect("mcp_many_other")]
      const scheduled_at = inSeconds(86_400)
      const made = yield* call("change_posts", {
        create: ["One", "Two", "Three"].map((caption) => ({
          social_accounts: [mine, other],
          caption,
          scheduled_at,
          account_configurations: [{ account_id: mine, caption: "Mine" }]
        }))
      })
      assert.strictEqual(made.structuredContent.failed, 0, JSON.stringify(made))
      const [one, two, three] = made.structuredContent.outcomes.map(({ post_id }: any) => post_id)
      const unknown = "0191f0a0-0000-7000-8000-000000000001"
      const args = {
        delete: [one, unknown],
        update: [
          { post_id: two, scheduled_at: "2098-12-24T09:00[Europe/Berlin]" },
          { post_id: three, social_accounts: [other] },
          { post_id: unknown, caption: "x" }
        ],
        create: [
          { social_accounts: [other], caption: "Four", is_draft: true },
          { social_accounts: [4_000_000], caption: "x", is_draft: true }
        ],
        idempotency_key: "many"
      }
      const first = yield* call("change_posts", args)
      assert.deepStrictEqual(
        first.structuredContent.outcomes.map(({ action, index, ok }: any) => [action, index, ok]),
        [
          ["delete", 0, true],
          ["delete", 1, false],
          ["update", 0, true],
          ["update", 1, true],
          ["update", 2, false],
          ["create", 0, true],
          ["create", 1, false]
        ]
      )
      const told = first.structuredContent.outcomes.map(({ what_happened }: any) => what_happened)
      assert.match(told[1], /\[not_found\]/)
      assert.include(told[2], "2098-12-24T09:00:00.000+01:00[Europe/Berlin]")
      assert.match(told[6], /\[social_account_not_found\]/)
      // What the user does in the meantime is not undone by the same call again.
      yield* call("update_post", { post_id: two, scheduled_at: "2097-12-24T09:00Z" })
      const again = yield* call("change_posts", args)
      assert.deepStrictEqual(again.structuredContent, first.structuredContent)
      const moved = yield* call("get_post", { post_id: two })
      assert.match(moved.structuredContent.scheduled_at, /^2097/)
      assert.deepStrictEqual(moved.structuredContent.account_configurations, [
        { account_id: mine, caption: "Mine" }
      ])
      const left = yield* call("list_posts", { account_id: other })
      assert.strictEqual(left.structuredContent.total, 3)

      const none = yield* call("change_posts", {})
      assert.match(none.content[0].text, /The call has 0 posts in delete, update and create; give 1 to 50\./)
      const reused = yield* call("change_posts", { delete: [two], idempotency_key: "many" })
      assert.match(reused.structuredContent.outcomes[0].what_happened, /\[idempotency_key_reused\]/)
    })
  )

  it.effect("changes the caption of one account alone, and merges the options of a platform", () =>
    Effect.gen(function* () {
      const [mine, other] = [yield* connect("mcp_one"), yield* connect("mcp_one_other")]
      const { structuredContent } = yield* call("create_post", {
        social_accounts: [mine, other],
        caption: "For all",
        is_draft: true,
        platform_configurations: { youtube: { title: "A title" } },
        account_configurations: [{ account_id: other, caption: "For the other" }]
      })
      const post_id = structuredContent.id
      yield* call("update_post", {
        post_id,
        platform_configurations: { youtube: { privacy_status: "unlisted" } },
        account_configurations: [{ account_id: mine, caption: "For me" }]
      })
      const read = yield* call("get_post", { post_id })
      assert.deepInclude(read.structuredContent, {
        caption: "For all",
        account_configurations: [
          { account_id: other, caption: "For the other" },
          { account_id: mine, caption: "For me" }
        ],
        platform_configurations: { youtube: { title: "A title", privacy_status: "unlisted" } }
      })
    })
  )

  it.effect("takes a file from a person in a browser, once and without a sign-in", () =>
    Effect.gen(function* () {
      const service = yield* Service
      const upload = yield* call("create_media_upload", {})
      const { media_id, browser_upload_page: page, upload_url } = upload.structuredContent
      assert.isNull(upload_url)
      const shown = yield* Effect.promise(() => fetch(page))
      assert.strictEqual(shown.status, 200)
      assert.strictEqual(shown.headers.get("cache-control"), "no-store")
      assert.match(shown.headers.get("content-security-policy")!, /default-src 'none'.*script-src 'sha256-/)
      const bytes = new TextEncoder().encode("%PDF-1.4\n1 0 obj\n<<>>\nendobj\ntrailer\n<<>>\n%%EOF\n")
      const chosen = { mime_type: "application/pdf", size_bytes: bytes.length, name: "plan.pdf" }
      const none = { authorization: "" }
      const refused = yield* service.call("POST", page, { ...chosen, mime_type: "text/html" }, none)
      assert.strictEqual(refused.status, 400)
      const begun = yield* service.call("POST", page, chosen, none)
      assert.strictEqual(begun.status, 200, JSON.stringify(begun.body))
      const put = yield* Effect.promise(() =>
        fetch(begun.body.upload_url, {
          method: "PUT",
          headers: { "content-type": "application/pdf" },
          body: bytes
        })
      )
      assert.strictEqual(put.status, 200)
      const complete = yield* call("complete_media_upload", { media_id })
      assert.deepInclude(complete.structuredContent, { status: "ready", name: "plan.pdf" })
      const again = yield* service.call("POST", page, chosen, none)
      assert.strictEqual(again.body.code, "upload_already_complete")
      assert.match(yield* Effect.promise(async () => (await fetch(page)).text()), /now closed/)
      const forged = page.replace(media_id, "0191f0a0-0000-7000-8000-000000000001")
      const closed = yield* Effect.promise(() => fetch(forged))
      assert.strictEqual(closed.status, 403)
      assert.match(yield* Effect.promise(() => closed.text()), /address of this page was changed or cut off/)
    })
  )

  it.effect("the MCP endpoint has prompts, resources and an app, each for those who may use them", () =>
    Effect.gen(function* () {
      const service = yield* Service
      const ask = (method: string, params: object = {}, headers?: Record<string, string>) =>
        Effect.map(post({ jsonrpc: "2.0", id: 1, method, params }, headers), ({ body }) => body)
      const prompts = yield* ask("prompts/list")
      assert.deepStrictEqual(
        prompts.result.prompts.map(({ name }: { name: string }) => name),
        ["plan_week", "repurpose_post", "review_failed"]
      )
      const prompt = yield* ask("prompts/get", { name: "plan_week", arguments: { topics: "our bakery" } })
      assert.match(prompt.result.messages[0].content.text, /posts about: our bakery/)
      const missing = yield* ask("prompts/get", { name: "repurpose_post", arguments: {} })
      assert.strictEqual(missing.error.code, -32602)

      const listed = yield* ask("resources/list")
      const uris = listed.result.resources.map(({ uri }: { uri: string }) => uri)
      assert.includeMembers(uris, [
        "carillon://accounts",
        "carillon://platforms/youtube",
        "ui://carillon/app.html"
      ])
      const rules = yield* ask("resources/read", { uri: "carillon://platforms/youtube" })
      assert.strictEqual(JSON.parse(rules.result.contents[0].text).platform, "youtube")
      for (const uri of [
        "carillon://platforms/myspace",
        "carillon://posts/0191f0a0-0000-7000-8000-000000000001",
        "carillon://nothing"
      ]) {
        assert.strictEqual((yield* ask("resources/read", { uri })).error.code, -32602, uri)
      }

      const tools = yield* ask("tools/list")
      const shown = tools.result.tools.filter((tool: any) => tool._meta?.ui !== undefined)
      assert.deepStrictEqual(
        shown.map(({ name, _meta }: any) => [name, _meta.ui.resourceUri]),
        [
          ["preview_post", "ui://carillon/app.html"],
          ["show_calendar", "ui://carillon/app.html"],
          ["get_app_data", undefined]
        ]
      )
      const app = yield* ask("resources/read", { uri: "ui://carillon/app.html" })
      const [page] = app.result.contents
      assert.strictEqual(page.mimeType, "text/html;profile=mcp-app")
      assert.deepStrictEqual(page._meta.ui.csp.resourceDomains, [service.url])
      // Nothing in it comes from elsewhere, and its script can be read: a host would show an empty frame.
      assert.notMatch(page.text, /<link|<script[^>]* src=|@import|url\((?!#)/)
      const [, script] = /<script>([^]*?)<\/script>/.exec(page.text)!
      assert.doesNotThrow(() => new Script(script!))
      assert.isBelow(Buffer.byteLength(page.text), 525_000)

      const { body: key } = yield* service.call("POST", "/v1/api-keys", {
        name: "Media only",
        scopes: ["media:read"]
      })
      const authorization = `Bearer ${key.key}`
      const few = yield* ask("resources/list", {}, { authorization })
      assert.deepStrictEqual(
        few.result.resources.map(({ uri }: { uri: string }) => uri),
        ["ui://carillon/app.html"]
      )
      const foreign = yield* ask("resources/read", { uri: "carillon://accounts" }, { authorization })
      assert.strictEqual(foreign.error.code, -32602)
    })
  )

  it.effect("shows days and times on the workspace's own clock, and nothing of another workspace", () =>
    Effect.gen(function* () {
      const service = yield* Service
      const { body: workspace } = yield* (yield* instance).call("POST", "/v1/workspaces", {
        name: "Berlin",
        timezone: "Europe/Berlin"
      })
      const authorization = `Bearer ${workspace.api_key.key}`
      const { body: account } = yield* service.call(
        "POST",
        "/v1/social-accounts",
        { platform: "sandbox", credentials: { username: "mcp_berlin", password: "sandbox" } },
        { authorization }
      )
      const created = yield* call(
        "create_post",
        { social_accounts: [account.id], caption: "Late", scheduled_at: "2099-10-24T23:30:00Z" },
        { authorization }
      )
      const { id, scheduled_at_local } = created.structuredContent
      assert.strictEqual(scheduled_at_local, "2099-10-25T01:30:00.000+02:00[Europe/Berlin]")
      // The clocks go back on this day, which has 25 hours.
      const days = { from: "2099-10-24", to: "2099-10-26" }
      const { structuredContent: calendar } = yield* call("show_calendar", days, { authorization })
      const drawn = (yield* call("get_app_data", { calendar: days }, { authorization })).structuredContent
      assert.deepStrictEqual(
        drawn.rows.map(({ account, day, post }: any) => account?.username ?? day?.date ?? post.local),
        ["mcp_berlin", "2099-10-24", "2099-10-25", "01:30", "2099-10-26"]
      )
      assert.deepStrictEqual(
        [drawn.timezone, drawn.public_url, drawn.next_offset],
        ["Europe/Berlin", service.url, null]
      )
      assert.deepStrictEqual(
        calendar.days.map(({ date, posts }: any) => [date, posts.map(({ time }: any) => time)]),
        [
          ["2099-10-24", []],
          ["2099-10-25", ["01:30"]],
          ["2099-10-26", []]
        ]
      )
      const found = (args: object) =>
        Effect.map(call("list_posts", args, { authorization }), ({ structuredContent }) =>
          structuredContent.posts.map(({ id }: any) => id)
        )
      assert.deepStrictEqual(yield* found({ from: "2099-10-25", to: "2099-10-25" }), [id])
      assert.deepStrictEqual(yield* found({ to: "2099-10-24" }), [])
      const none = yield* call("list_posts", { from: "2099-02-30" }, { authorization })
      assert.match(none.content[0].text, /\[invalid_value\] from is "2099-02-30"/)

      // A draft's plan may have passed. One without a time is of no day.
      const draft = Effect.fnUntraced(function* (caption: string, scheduled_at?: string) {
        const asked = {
          social_accounts: [account.id],
          caption,
          is_draft: true,
          ...(scheduled_at && { scheduled_at })
        }
        return (yield* call("create_post", asked, { authorization })).structuredContent.id
      })
      const late = yield* draft("Late", "2026-11-02T09:00")
      assert.deepStrictEqual(yield* found({ status: "draft", to: "2026-11-17" }), [late])
      const undated: Array<string> = []
      for (const caption of ["One", "Two", "Three", "Four", "Five", "Six"])
        undated.unshift(yield* draft(caption))
      assert.deepStrictEqual(yield* found({ undated: true }), undated)
      const drawnWith = Effect.fnUntraced(function* (args: object) {
        const calendar = { from: "2099-10-23", to: "2099-10-23", ...args }
        const { structuredContent } = yield* call("get_app_data", { calendar }, { authorization })
        const { rows, undated_total } = structuredContent
        return [
          undated_total,
          rows.map(({ account, day, undated: draft }: any) => (account ?? draft ?? day).id)
        ]
      })
      assert.deepStrictEqual(yield* drawnWith({}), [6, [account.id, undefined, ...undated]])
      assert.deepStrictEqual(yield* drawnWith({ account_id: account.id }), [
        6,
        [account.id, undefined, ...undated]
      ])
      assert.deepStrictEqual(yield* drawnWith({ account_id: 999_999_999 }), [0, [undefined]])
      const beside = yield* call("show_calendar", { from: "2099-10-25", to: "2099-10-25" }, { authorization })
      assert.strictEqual(beside.structuredContent.undated.total, 6)
      assert.deepStrictEqual(
        beside.structuredContent.undated.posts.map(({ id }: any) => id),
        undated.slice(0, 5)
      )
      assert.match(
        beside.content[0].text,
        /Drafts without a time, 5 of 6; .*\n- "Six", sandbox @mcp_berlin, id /
      )
      const today = yield* call("show_calendar", {}, { authorization })
      assert.isFalse(today.structuredContent.days.some(({ total }: any) => total > 0))
      assert.notProperty(calendar, "undated")

      for (const [from, to] of [
        ["2099-10-26", "2099-10-24"],
        ["2099-01-01", "2099-12-31"],
        ["2099-02-30", "2099-03-01"]
      ]) {
        const refused = yield* call("show_calendar", { from, to }, { authorization })
        assert.match(refused.content[0].text, /\[invalid_value\]/)
      }
      const foreign = yield* call("get_post", { post_id: id })
      const missing = yield* call("get_post", { post_id: "0191f0a0-0000-7000-8000-000000000001" })
      assert.strictEqual(
        foreign.content[0].text.replace(id, "ID"),
        missing.content[0].text.replace("0191f0a0-0000-7000-8000-000000000001", "ID")
      )
      for (const [tool, args] of [
        ["delete_post", { post_id: id }],
        ["publish_post", { post_id: id }],
        ["update_post", { post_id: id, caption: "Mine" }]
      ] as const) {
        assert.match((yield* call(tool, args)).content[0].text, /\[not_found\]/)
      }
    })
  )

  it.effect("tells a person who opens the address what it is, with the same challenge", () =>
    Effect.gen(function* () {
      const { url } = yield* Service
      const answer = yield* Effect.promise(() => fetch(`${url}/mcp`, { headers: { accept: "text/html" } }))
      assert.strictEqual(answer.status, 401)
      assert.match(answer.headers.get("www-authenticate")!, /^Bearer resource_metadata=/)
      assert.match(yield* Effect.promise(() => answer.text()), /address for agents/)
    })
  )
})
