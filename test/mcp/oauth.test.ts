import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import {
  connectApp,
  type PlainBrowser,
  promised,
  signedInBrowser,
  tickedOf
} from "@carillon/testing/OAuthBrowser"
import { connect, inSeconds } from "@carillon/testing/Publishing"
import { Service } from "@carillon/testing/ServiceProcess"
import { SharedInstance } from "@carillon/testing/SharedService"

const revisions = {
  "2025-11-25": {},
  "2026-07-28": {
    _meta: {
      "io.modelcontextprotocol/protocolVersion": "2026-07-28",
      "io.modelcontextprotocol/clientCapabilities": {},
      "io.modelcontextprotocol/clientInfo": { name: "test", version: "1" }
    }
  }
} as const

/** One request with an access token, in either of the two ways that the protocol has been spoken in. */
const speak = Effect.fnUntraced(function* (
  accessToken: string,
  method: string,
  params: Record<string, unknown> = {},
  revision: keyof typeof revisions = "2025-11-25"
) {
  const service = yield* Service
  return yield* service.call(
    "POST",
    "/mcp",
    { jsonrpc: "2.0", id: 1, method, params: { ...params, ...revisions[revision] } },
    {
      authorization: `Bearer ${accessToken}`,
      "mcp-protocol-version": revision,
      "mcp-method": method,
      ...(typeof params["name"] === "string" ? { "mcp-name": params["name"] } : {})
    }
  )
})

const toolNames = (answer: { readonly body: any }) => answer.body.result.tools.map(({ name }: any) => name)

/** The owner's browser of all tests. */
let signedIn: Promise<PlainBrowser> | undefined

layer(SharedInstance, { excludeTestServices: true, timeout: "180 seconds" })(
  "the MCP endpoint for a connected app",
  (it) => {
    it.effect("asks for a scope that the app never asked for, naming all that it would then have", () =>
      Effect.gen(function* () {
        const service = yield* Service
        const account = yield* connect("mcp_step_up")
        const browser = yield* promised(() => (signedIn ??= signedInBrowser(service)))
        const { tokens } = yield* promised(() =>
          connectApp(browser, {
            scope: "accounts:read posts:read posts:write",
            resource: `${service.url}/mcp`
          })
        )
        const ask = (name: string, args: object, revision: keyof typeof revisions) =>
          speak(tokens.access_token, "tools/call", { name, arguments: args }, revision)
        for (const revision of ["2025-11-25", "2026-07-28"] as const) {
          const listed = toolNames(yield* speak(tokens.access_token, "tools/list", {}, revision))
          assert.lengthOf(listed, revision === "2026-07-28" ? 19 : 20)
          const media = yield* ask("list_media", {}, revision)
          assert.strictEqual(media.status, 403, JSON.stringify(media.body))
          const challenge = media.headers.get("www-authenticate")!
          assert.match(challenge, /error="insufficient_scope"/)
          assert.include(
            challenge,
            `resource_metadata="${service.url}/.well-known/oauth-protected-resource/mcp"`
          )
          const [, scope] = /scope="([^"]+)"/.exec(challenge)!
          assert.sameMembers(scope!.split(" "), ["media:read", "accounts:read", "posts:read", "posts:write"])
          const post = { social_accounts: [account], caption: "x" }
          const now = yield* ask("create_post", post, revision)
          assert.match(now.headers.get("www-authenticate") ?? "", /scope="posts:publish /)
          const draft = yield* ask("create_post", { ...post, is_draft: true }, revision)
          assert.strictEqual(draft.body.result.structuredContent.status, "draft")
        }
      })
    )

    it.effect("hides what the person refused, and says where they can change their mind", () =>
      Effect.gen(function* () {
        const service = yield* Service
        const mine = yield* connect("mcp_granted")
        const browser = yield* promised(() => (signedIn ??= signedInBrowser(service)))
        const refused = ["media:read", "media:write", "posts:publish"]
        const { tokens } = yield* promised(() =>
          connectApp(browser, {
            resource: `${service.url}/mcp`,
            choose: (html) => [
              ...tickedOf(html).filter(
                ([name, value]) =>
                  !refused.includes(value) &&
                  name !== "accounts" &&
                  !(name === "account" && value !== String(mine))
              ),
              ["accounts", "some"]
            ]
          })
        )
        const ask = (name: string, args: object) =>
          Effect.map(speak(tokens.access_token, "tools/call", { name, arguments: args }), (answer) => {
            assert.strictEqual(answer.status, 200)
            return answer.body.result
          })
        const names = toolNames(yield* speak(tokens.access_token, "tools/list"))
        assert.includeMembers(names, ["create_post", "schedule_post", "change_posts"])
        for (const hidden of ["list_media", "import_media", "publish_post", "retry_post"])
          assert.notInclude(names, hidden)
        const publish = yield* ask("publish_post", { post_id: "x" })
        assert.match(publish.content[0].text, /\[missing_scope\] publish_post needs the scope posts:publish/)
        const soon = { social_accounts: [mine], caption: "x", scheduled_at: inSeconds(300) }
        const preview = yield* ask("preview_post", soon)
        assert.include(JSON.stringify(preview.structuredContent.problems), "the earliest time is")
        const created = yield* ask("create_post", soon)
        assert.match(created.content[0].text, /\[scheduled_at_too_soon\][^]*the earliest time is/)
        const media = yield* ask("list_media", {})
        assert.match(media.content[0].text, /\[missing_scope\] list_media needs the scope media:read/)
        assert.include(media.content[0].text, `${service.url}/connected-apps`)
        const now = yield* ask("create_post", { social_accounts: [mine], caption: "x" })
        const allow =
          /posts:publish, which the user did not grant; ask them to allow "Publish at once" for "[^"]+" at http\S+\/connected-apps\./
        const draft = yield* ask("create_post", { social_accounts: [mine], caption: "x", is_draft: true })
        const { id: post_id } = draft.structuredContent
        for (const { content } of [now, yield* ask("publish_post", { post_id })]) {
          assert.match(content[0].text, allow)
          assert.notMatch(content[0].text.split("\n")[0], /key/)
        }
        const accounts = yield* ask("list_accounts", {})
        assert.deepStrictEqual(
          accounts.structuredContent.accounts.map(({ id }: { id: number }) => id),
          [mine]
        )
      })
    )

    it.effect("keeps as drafts what a person wants to approve, and says so before", () =>
      Effect.gen(function* () {
        const service = yield* Service
        const account = yield* connect("mcp_held")
        const browser = yield* promised(() => (signedIn ??= signedInBrowser(service)))
        const { tokens } = yield* promised(() =>
          connectApp(browser, {
            resource: `${service.url}/mcp`,
            // What it writes goes out through a person, so that it need not be allowed to publish.
            choose: (html) => [
              ...tickedOf(html).filter(([, value]) => value !== "posts:publish"),
              ["approval", "yes"]
            ]
          })
        )
        const ask = (name: string, args: object) =>
          Effect.map(speak(tokens.access_token, "tools/call", { name, arguments: args }), ({ body }) => {
            assert.isUndefined(body.result.isError, JSON.stringify(body))
            return body.result.structuredContent
          })
        const said = yield* speak(tokens.access_token, "initialize", {
          protocolVersion: "2025-11-25",
          capabilities: {},
          clientInfo: { name: "test", version: "1" }
        })
        assert.include(said.body.result.instructions, `${service.url}/approvals`)
        // It asks a person to publish, and sends nothing again.
        const names = toolNames(yield* speak(tokens.access_token, "tools/list"))
        assert.include(names, "publish_post")
        assert.notInclude(names, "retry_post")
        const wanted = { social_accounts: [account], caption: "For approval" }
        const preview = yield* ask("preview_post", wanted)
        assert.strictEqual(preview.goes_out, "never")
        assert.include(preview.warnings.join(), `${service.url}/approvals`)
        const post = yield* ask("create_post", wanted)
        const page = `/approvals/${post.id}`
        const again = [
          ["update_post", { is_draft: false }],
          ["publish_post", {}],
          ["update_post", { use_queue: true }],
          ["update_post", { scheduled_at: inSeconds(3600) }],
          ["get_post", {}]
        ] as const
        for (const shown of [
          post,
          ...(yield* Effect.forEach(again, ([name, args]) => ask(name, { post_id: post.id, ...args })))
        ]) {
          assert.deepStrictEqual([shown.status, shown.approval.status], ["draft", "waiting"])
          assert.include(shown.next_step, service.url + page)
        }
        // Another app of the same person, with every right, does nothing with it.
        const free = yield* promised(() => connectApp(browser, { resource: `${service.url}/mcp` }))
        const does = (name: string, args: object) =>
          Effect.map(
            speak(free.tokens.access_token, "tools/call", { name, arguments: args }),
            ({ body }) => body.result
          )
        for (const [name, args] of [
          ["schedule_post", { post_id: post.id, scheduled_at: inSeconds(7200) }],
          ["publish_post", { post_id: post.id }],
          ["update_post", { post_id: post.id, caption: "Other words" }],
          ["delete_post", { post_id: post.id }]
        ] as const) {
          const { content, isError } = yield* does(name, args)
          assert.isTrue(isError, name)
          assert.include(content[0].text, "[approval_needed]")
          assert.include(content[0].text, service.url + page)
        }
        const both = yield* does("change_posts", { delete: [post.id] })
        assert.include(JSON.stringify(both), "approval_needed")
        const seen = yield* does("get_post", { post_id: post.id })
        assert.deepInclude(seen.structuredContent, { status: "draft", caption: "For approval" })
        assert.include(seen.structuredContent.next_step, service.url + page)
        const answer = (path: string, fields: ReadonlyArray<readonly [string, string]>) =>
          promised(async () => {
            const { html } = await browser.visit(page)
            assert.strictEqual((await browser.post(path, html, fields)).status, 303)
          })
        yield* answer(`${page}/refuse`, [["reason", "Too long"]])
        const own = yield* ask("create_post", { ...wanted, is_draft: true })
        assert.match(own.next_step, /under Drafts of apps at http\S+\/approvals$/)
        assert.include((yield* promised(() => browser.visit("/approvals"))).html, "Drafts of apps")
        const asked = yield* ask("schedule_post", { post_id: own.id, scheduled_at: inSeconds(3600) })
        assert.deepStrictEqual([asked.status, asked.approval.status], ["draft", "waiting"])
        assert.match(asked.what_happened, /^It waits as a draft for the user's approval/)
        yield* ask("delete_post", { post_id: own.id })
        const refused = yield* ask("get_post", { post_id: post.id })
        assert.strictEqual(refused.approval.status, "refused")
        assert.match(refused.next_step, /refused it because: "Too long"\. Change it with update_post/)
        const shorter = yield* ask("update_post", { post_id: post.id, caption: "Short" })
        assert.strictEqual(shorter.approval.status, "waiting")
        const { posts } = yield* ask("list_posts", { status: "draft" })
        assert.strictEqual(posts[0].approval.status, "waiting")
        yield* answer(page, [
          ["decision", "approve"],
          ["when", "wanted"]
        ])
        const approved = yield* ask("get_post", { post_id: post.id })
        assert.deepStrictEqual([approved.status, approved.approval.status], ["scheduled", "approved"])
        assert.isUndefined(approved.next_step)
      })
    )
  }
)
