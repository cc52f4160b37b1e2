import { createMCPClient } from "@ai-sdk/mcp"
import { createGoogleGenerativeAI } from "@ai-sdk/google"
import { SandboxProcess } from "@carillon/sandbox/testing"
import { type ServiceProcess, startService } from "@carillon/testing/ServiceProcess"
import { type BaseMessage, HumanMessage } from "@langchain/core/messages"
import { ChatGoogleGenerativeAI } from "@langchain/google-genai"
import { MultiServerMCPClient } from "@langchain/mcp-adapters"
import { Agent, MCPServerStreamableHttp, OpenAIProvider, Runner } from "@openai/agents"
import { generateText, isStepCount } from "ai"
import { Effect, Exit, Scope } from "effect"
import { countTokens } from "gpt-tokenizer"
import assert from "node:assert/strict"
import { readFileSync } from "node:fs"
import { after, before, test } from "node:test"
import { isDeepStrictEqual } from "node:util"
import { type Declared, startGoogle, startOpenAi } from "./StandInModels.ts"
import { startRecordedMcp } from "./RecordedMcp.ts"

const scope = Scope.makeUnsafe()
const run = <A>(effect: Effect.Effect<A, never, Scope.Scope>) =>
  Effect.runPromise(Scope.provide(effect, scope))

const picture = readFileSync(new URL("../../examples/media/bells.jpg", import.meta.url))

let sandbox: SandboxProcess["Service"]
let service: ServiceProcess
/** Twenty; the last one refuses the next post. */
let accounts: ReadonlyArray<number>

const call = async (method: string, path: string, body?: object): Promise<any> => {
  const answer = await Effect.runPromise(service.call(method, path, body))
  assert.ok(answer.status < 300, JSON.stringify(answer.body))
  return answer.body
}

before(async () => {
  sandbox = await run(SandboxProcess.make())
  service = await run(startService({ env: { SANDBOX_URL: sandbox.url, CARILLON_ALLOW_PRIVATE_HOSTS: "on" } }))
  accounts = await Promise.all(
    Array.from({ length: 20 }, async (_, index) => {
      const credentials = { username: `branch_${index}`, password: "sandbox" }
      return (await call("POST", "/v1/social-accounts", { platform: "sandbox", credentials })).id
    })
  )
  const caption = "We baked fresh bread this morning and the whole street smelled of it. ".repeat(6)
  for (let index = 0; index < 60; index++)
    await call("POST", "/v1/posts", {
      social_accounts: accounts.slice(index % 10, (index % 10) + 8),
      caption: `${index}. ${caption}`,
      scheduled_at: new Date(Date.UTC(2098, 2, 3, 6 + index * 5)).toISOString()
    })
})

after(() => Effect.runPromise(Scope.close(scope, Exit.void)))

/** What a model can work with, made anew for each, and what it gives to each tool. */
const prepared = async (): Promise<(tool: string) => object> => {
  const failing = accounts.at(-1)!
  const draft = async () =>
    (
      await call("POST", "/v1/posts", {
        social_accounts: accounts.slice(0, 2),
        caption: "An idea",
        is_draft: true,
        scheduled_at: "2098-05-01T09:00:00Z"
      })
    ).id as string
  const upload = (name: string) => Effect.runPromise(service.upload(picture, "image/jpeg", name))
  await Effect.runPromise(
    sandbox.script("branch_19", [
      { on: "post", fault: "refuse", code: "banned_word", message: "Not that word." }
    ])
  )
  const failed = (await call("POST", "/v1/posts", { social_accounts: [failing], caption: "Refused" })).id
  while ((await call("GET", `/v1/posts/${failed}`)).status !== "failed");
  const [changed, scheduled, published, deleted, many] = await Promise.all([1, 2, 3, 4, 5].map(draft))
  const [ready, spare] = [await upload("bells.jpg"), await upload("spare.jpg")]
  const { url } = await call("GET", `/v1/media/${ready}`)
  const days = { from: "2098-03-03", to: "2098-03-16" }
  const post = {
    social_accounts: accounts,
    caption: "Fresh bread",
    media: [ready],
    scheduled_at: "2098-06-01T09:00"
  }
  const given: Readonly<Record<string, object>> = {
    list_accounts: {},
    get_platform_options: { platform: "instagram" },
    list_posts: {},
    get_post: { post_id: failed },
    list_queue_slots: { count: 5 },
    preview_post: post,
    create_post: { ...post, is_draft: true },
    update_post: { post_id: changed, caption: "A better idea" },
    schedule_post: { post_id: scheduled },
    publish_post: { post_id: published },
    retry_post: { post_id: failed },
    delete_post: { post_id: deleted },
    change_posts: {
      update: [{ post_id: many, caption: "One of many" }],
      create: [{ ...post, is_draft: true }]
    },
    list_media: {},
    create_media_upload: { mime_type: "image/jpeg", size_bytes: picture.length },
    complete_media_upload: { media_id: ready },
    import_media: { url },
    delete_media: { media_id: spare },
    show_calendar: days,
    get_app_data: { calendar: days }
  }
  return (tool) => given[tool] ?? {}
}

const question = "Try every tool."

/** A host: the model that it talks to, and how it takes the tools of an address to it. */
interface Host {
  /** In tokens. */
  readonly mostOfAnswer: number
  readonly startModel: typeof startGoogle
  readonly converse: (mcpUrl: string, modelUrl: string) => Promise<unknown>
}

const hosts: Readonly<Record<string, Host>> = {
  LangChain: {
    // It gives the model both forms of an answer, in JSON within JSON.
    mostOfAnswer: 16_000,
    startModel: startGoogle,
    converse: async (url, baseUrl) => {
      const client = new MultiServerMCPClient({ mcpServers: { carillon: { transport: "http", url } } })
      const tools = await client.getTools()
      const model = new ChatGoogleGenerativeAI({ model: "gemini-2.5-flash", apiKey: "none", baseUrl })
      const bound = model.bindTools(tools)
      const messages: Array<BaseMessage> = [new HumanMessage(question)]
      for (;;) {
        const said = await bound.invoke(messages)
        messages.push(said)
        const asked = said.tool_calls ?? []
        if (asked.length === 0) break
        for (const one of asked) messages.push(await tools.find(({ name }) => name === one.name)!.invoke(one))
      }
      await client.close()
    }
  },
  "AI SDK": {
    mostOfAnswer: 7_000,
    startModel: startGoogle,
    converse: async (url, modelUrl) => {
      const client = await createMCPClient({ transport: { type: "http", url } })
      const google = createGoogleGenerativeAI({ baseURL: `${modelUrl}/v1beta`, apiKey: "none" })
      await generateText({
        model: google("gemini-2.5-flash"),
        tools: await client.tools(),
        stopWhen: isStepCount(50),
        prompt: question
      })
      await client.close()
    }
  },
  "OpenAI Agents": {
    mostOfAnswer: 7_000,
    startModel: startOpenAi,
    converse: async (url, modelUrl) => {
      const server = new MCPServerStreamableHttp({ url, name: "carillon" })
      await server.connect()
      const agent = new Agent({
        name: "A host",
        model: "gpt-5.5",
        mcpServers: [server],
        mcpConfig: { convertSchemasToStrict: true }
      })
      const modelProvider = new OpenAIProvider({ baseURL: `${modelUrl}/v1`, apiKey: "none" })
      await new Runner({ modelProvider, tracingDisabled: true }).run(agent, question, { maxTurns: 50 })
      await server.close()
    }
  }
}

/** Every schema within a schema, with its path. */
const schemasIn = (
  value: unknown,
  at = "input"
): ReadonlyArray<readonly [string, Record<string, unknown>]> => {
  if (typeof value !== "object" || value === null) return []
  const {
    properties = {},
    items,
    anyOf = []
  } = value as {
    readonly properties?: Record<string, unknown>
    readonly items?: unknown
    readonly anyOf?: ReadonlyArray<unknown>
  }
  return [
    [at, value as Record<string, unknown>],
    ...Object.entries(properties).flatMap(([name, one]) => schemasIn(one, `${at}.${name}`)),
    ...schemasIn(items, `${at}[]`),
    ...anyOf.flatMap((one) => schemasIn(one, `${at}|`))
  ]
}

const general = ["type", "title", "description", "enum", "format", "items", "properties", "required", "anyOf"]
const bounds = ["minimum", "maximum", "minItems", "maxItems"]
/** The words that a schema may have, by where a request has it; each API refuses the whole request for another. */
const known: Readonly<Record<string, ReadonlyArray<string>>> = {
  // https://ai.google.dev/api/caching#Schema
  parameters: [...general, ...bounds, "nullable", "default", "pattern", "maxLength", "maxProperties"],
  // https://ai.google.dev/api/caching#FunctionDeclaration
  parametersJsonSchema: [...general, ...bounds, "additionalProperties", "default", "pattern", "maxLength"],
  // https://platform.openai.com/docs/guides/structured-outputs#supported-schemas
  strict: [...general, ...bounds, "additionalProperties", "pattern"]
}

/** What an API would refuse of a declaration. */
const refusedIn = ({ schema, told }: Declared) => {
  const place = ["strict", "parametersJsonSchema", "parameters"].find((name) => name in told)!
  return schemasIn(schema).flatMap(([at, one]) => [
    ...Object.keys(one).flatMap((word) => (known[place]!.includes(word) ? [] : [`${at} has ${word}`])),
    ...("format" in one && one["format"] !== "date-time" ? [`${at} has the format ${one["format"]}`] : []),
    ...(Array.isArray(one["type"]) ? [`${at} has the type ${one["type"]}`] : []),
    // What is not so is no strict schema, and the model may leave an argument out or make one up.
    ...(place === "strict" && one["type"] === "object" && !isStrict(one) ? [`${at} is not strict`] : [])
  ])
}

const isStrict = ({ additionalProperties, properties, required }: Record<string, unknown>) =>
  additionalProperties === false && isDeepStrictEqual(Object.keys(properties as object), required)

/** Every value in it, also where JSON is a text within JSON. */
const valuesIn = (value: unknown): ReadonlyArray<unknown> => {
  if (typeof value === "object" && value !== null) return Object.values(value).flatMap(valuesIn)
  if (typeof value !== "string" || !/^[[{]/.test(value)) return [value]
  try {
    return valuesIn(JSON.parse(value))
  } catch {
    return [value]
  }
}

const tokens = (value: unknown) =>
  countTokens(typeof value === "string" ? value : JSON.stringify(value ?? ""))

test("a model gets tools that its API takes, and of an answer only what it says to a model", async (context) => {
  for (const [host, { converse, mostOfAnswer, startModel }] of Object.entries(hosts))
    await context.test(host, async (t) => {
      const mcp = await startRecordedMcp(service)
      const model = await startModel(await prepared())
      await converse(mcp.url, model.url)
      const [declared, answers] = [model.declared(), model.answers()]
      const rows = declared.map(({ name, told }) => {
        const { content, structuredContent } = mcp.results.get(name)
        const [text, structured] = [tokens(content[0].text), tokens(structuredContent)]
        return { name, told: tokens(told), answer: tokens(answers.get(name)), text, structured }
      })
      t.diagnostic(
        "tool · tokens of its declaration · of its answer · the server's text + structured content"
      )
      for (const { answer, name, structured, text, told } of rows)
        t.diagnostic(`${name} · ${told} · ${answer} · ${text} + ${structured}`)
      t.diagnostic(
        `all · ${rows.reduce((sum, { told }) => sum + told, 0)} · ${rows.reduce((sum, { answer }) => sum + answer, 0)}`
      )

      assert.ok(rows.length >= 19)
      assert.deepEqual(
        declared.map(({ name }) => name),
        mcp.listed()
      )
      const refused = declared.flatMap((one) => refusedIn(one).map((why) => `${one.name}: ${why}`))
      assert.deepEqual(refused, [])
      for (const { answer, name } of rows) {
        const { content, isError, structuredContent } = mcp.results.get(name)
        assert.ok(isError !== true, `${name}: ${content[0].text}`)
        const said = new Set(["text", "input_text", name, ...valuesIn([content, structuredContent])])
        const added = valuesIn(answers.get(name)).filter((value) => !said.has(value as string))
        assert.deepEqual(added, [], `${name}: what its answer does not say`)
        assert.ok(answer <= mostOfAnswer, `${name}: ${answer} tokens`)
      }
    })
})
