import { assert, it } from "@effect/vitest"
import { Effect } from "effect"
import { HttpServerResponse } from "effect/http"
import { createMcpHandler, McpServer } from "@modelcontextprotocol/server"
import { fromWebResponse } from "@carillon/server/mcp/WebMessages"

const version = "2026-07-28"

/** What a server answers to a call of a tool with this text, as our endpoint passes it on. */
const answered = Effect.fnUntraced(function* (isError: boolean, text: string, messages: number) {
  const handler = createMcpHandler(
    () => {
      const server = new McpServer({ name: "test", version: "1" })
      server.registerTool("say", {}, async () => ({ content: [{ type: "text", text }], isError }))
      return server
    },
    { responseMode: "sse" }
  )
  const request = new Request("http://service/mcp", {
    method: "POST",
    headers: {
      "content-type": "application/json",
      accept: "application/json, text/event-stream",
      "mcp-protocol-version": version,
      "mcp-method": "tools/call",
      "mcp-name": "say"
    },
    body: JSON.stringify({
      jsonrpc: "2.0",
      id: 1,
      method: "tools/call",
      params: {
        name: "say",
        _meta: {
          "io.modelcontextprotocol/protocolVersion": version,
          "io.modelcontextprotocol/clientCapabilities": {},
          "io.modelcontextprotocol/clientInfo": { name: "test", version: "1" }
        }
      }
    })
  })
  const response = yield* fromWebResponse(yield* Effect.promise(() => handler.fetch(request)), messages)
  const body = yield* Effect.promise(() => HttpServerResponse.toWeb(response).text())
  const { result } = JSON.parse(/^data: (\{.*)$/m.exec(body)![1]!)
  return { bytes: Buffer.byteLength(body), text: result.content[0].text as string }
})

it.effect("an error in a stream of events is cut to what there is room for, an answer is not", () =>
  Effect.gen(function* () {
    const text = '"ü\u0001'.repeat(100_000)
    for (const messages of [1, 10]) {
      const error = yield* answered(true, text, messages)
      assert.isAtMost(error.bytes, (64 * 1024) / messages)
      assert.isAbove(error.bytes, (32 * 1024) / messages)
      assert.isTrue(text.startsWith(error.text.slice(0, -1)))
      assert.isTrue(error.text.endsWith("…"))
    }
    assert.strictEqual((yield* answered(true, "short", 1)).text, "short")
    assert.strictEqual((yield* answered(false, text, 10)).text, text)
  })
)
