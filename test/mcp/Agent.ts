import { assert } from "@effect/vitest"
import { Ajv2020 } from "ajv/dist/2020.js"
import formats from "ajv-formats"
import { Effect } from "effect"
import { countTokens } from "gpt-tokenizer"
import { Service } from "@carillon/testing/ServiceProcess"

/** The arguments whose values an agent cannot make up. */
const learned = new Set([
  "post_id",
  "delete",
  "media",
  "media_id",
  "account_id",
  "account_ids",
  "social_accounts",
  "board_ids"
])

/** Every value under one of these names, in lists too. */
const learnedIn = (value: unknown, name = ""): ReadonlyArray<string> => {
  if (Array.isArray(value)) return value.flatMap((one) => learnedIn(one, name))
  if (typeof value !== "object" || value === null) return learned.has(name) ? [String(value)] : []
  return Object.entries(value).flatMap(([key, inner]) => learnedIn(inner, key))
}

/**
 * An agent that has read the tools and what the user says, and nothing else: it calls no tool and gives no argument that
 * stands in no schema, and no id that stands in nothing that it has read.
 */
export const agent = Effect.fnUntraced(function* (said: string) {
  const service = yield* Service
  const rpc = (method: string, params: object = {}) =>
    Effect.map(
      service.call("POST", "/mcp", { jsonrpc: "2.0", id: 1, method, params }),
      ({ body }) => body.result
    )
  const { instructions } = yield* rpc("initialize", {
    protocolVersion: "2025-11-25",
    capabilities: {},
    clientInfo: { name: "agent", version: "1" }
  })
  const { tools } = yield* rpc("tools/list")
  const ajv = formats.default(new Ajv2020({ strict: false }))
  let read = `${instructions}\n${said}`
  let calls = 0
  let tokens = 0
  return {
    instructions: instructions as string,
    tools: tools as ReadonlyArray<{ readonly name: string; readonly description: string }>,
    call: Effect.fnUntraced(function* (name: string, args: object) {
      const tool = tools.find((one: any) => one.name === name)
      assert.isDefined(tool, `${name} is no tool`)
      assert.isTrue(ajv.validate(tool.inputSchema, args), `${name}: ${ajv.errorsText()}`)
      for (const value of learnedIn(args)) assert.include(read, value, `${name} needs what nothing says`)
      const answer = yield* rpc("tools/call", { name, arguments: args })
      const text = answer.content[0].text as string
      calls++
      tokens += countTokens(JSON.stringify(args)) + countTokens(text)
      read += `\n${text}\n${JSON.stringify(answer.structuredContent ?? null)}`
      return { text, isError: answer.isError === true, is: answer.structuredContent }
    }),
    /** The person is answered: a turn for each call, and one for the answer. */
    ends: (mostCalls: number, mostTokens: number) => {
      if (process.env["MCP_TASKS"]) console.log(`${said} | ${calls} | ${calls + 1} | ${tokens}`)
      assert.isAtMost(calls, mostCalls)
      assert.isAtMost(tokens, mostTokens)
    }
  }
})
