import * as modern from "@modelcontextprotocol/client"
import { Client as OlderClient } from "@modelcontextprotocol/sdk/client/index.js"
import { StreamableHTTPClientTransport as OlderTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js"
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { connect, inSeconds } from "@carillon/testing/Publishing"
import { Service } from "@carillon/testing/ServiceProcess"
import { SharedService } from "@carillon/testing/SharedService"

const info = { name: "carillon-test", version: "1.0.0" }

interface Connected {
  readonly revision: string | undefined
  readonly tools: () => Promise<ReadonlyArray<{ readonly name: string }>>
  readonly call: (name: string, args: Record<string, unknown>) => Promise<any>
  readonly close: () => Promise<void>
}

type Connect = (url: URL, headers: Record<string, string>) => Promise<Connected>

const older: Connect = async (url, headers) => {
  const client = new OlderClient(info)
  const transport = new OlderTransport(url, { requestInit: { headers } })
  // Its optional fields are typed without undefined.
  await client.connect(transport as Parameters<OlderClient["connect"]>[0])
  return {
    revision: transport.protocolVersion,
    tools: async () => (await client.listTools()).tools,
    call: (name, args) => client.callTool({ name, arguments: args }),
    close: () => client.close()
  }
}

const newer =
  (mode: "auto" | "legacy"): Connect =>
  async (url, headers) => {
    const client = new modern.Client(info, { versionNegotiation: { mode } })
    const transport = new modern.StreamableHTTPClientTransport(url, { requestInit: { headers } })
    await client.connect(transport)
    return {
      revision: client.getNegotiatedProtocolVersion(),
      tools: async () => (await client.listTools()).tools,
      call: (name, args) => client.callTool({ name, arguments: args }),
      close: () => client.close()
    }
  }

layer(SharedService, { excludeTestServices: true, concurrent: true })(
  "the clients of the protocol's own projects",
  (it) => {
    for (const [name, revision, open] of [
      ["version 1 of the SDK", "2025-11-25", older],
      ["version 2 of the SDK, as it is by default", "2025-11-25", newer("legacy")],
      ["version 2 of the SDK on the newest revision", "2026-07-28", newer("auto")]
    ] as const) {
      it.effect(
        `${name} schedules a post with an API key, checks every answer against its schema, and is told what is wrong`,
        () =>
          Effect.gen(function* () {
            const { url, key } = yield* Service
            const account = yield* connect(`client_${name.replaceAll(/\W/g, "").slice(-20)}`)
            const client = yield* Effect.acquireRelease(
              Effect.promise(() => open(new URL(`${url}/mcp`), { authorization: `Bearer ${key}` })),
              ({ close }) => Effect.promise(close)
            )
            const call = (tool: string, args: Record<string, unknown>) =>
              Effect.promise(() => client.call(tool, args))
            assert.strictEqual(client.revision, revision)
            const tools = yield* Effect.promise(client.tools)
            // Only the newest revision tells that no app is shown here, whose tool is then not listed.
            assert.lengthOf(tools, revision === "2026-07-28" ? 19 : 20)
            const accounts = yield* call("list_accounts", { limit: 100 })
            assert.include(
              accounts.structuredContent.accounts.map(({ id }: { id: number }) => id),
              account
            )
            yield* call("get_platform_options", { account_id: account })
            yield* call("get_platform_options", { platform: "youtube" })
            const post = { social_accounts: [account], caption: name, scheduled_at: inSeconds(7200) }
            const preview = yield* call("preview_post", post)
            assert.isTrue(preview.structuredContent.valid)
            const created = yield* call("create_post", post)
            const post_id = created.structuredContent.id
            yield* call("create_media_upload", {})
            yield* call("create_media_upload", { mime_type: "image/png", size_bytes: 5, name: "a.png" })
            yield* call("list_media", {})
            yield* call("list_posts", { detail: "full" })
            yield* call("show_calendar", {})
            const read = yield* call("get_post", { post_id })
            assert.strictEqual(read.structuredContent.status, "scheduled")
            yield* call("update_post", { post_id, caption: "Changed" })
            const refused = yield* call("create_post", { ...post, scheduled_at: "soon" })
            assert.isTrue(refused.isError)
            assert.match(refused.content[0].text, /\[scheduled_at_invalid\]/)
            const deleted = yield* call("delete_post", { post_id })
            assert.isTrue(deleted.structuredContent.deleted)
          })
      )
    }
  }
)
