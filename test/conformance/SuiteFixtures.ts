import {
  acceptedContent,
  type AuthInfo,
  type CallToolResult,
  CLIENT_CAPABILITIES_META_KEY,
  createRequestStateCodec,
  fromJsonSchema,
  inputRequired,
  inputResponse,
  isInitializeRequest,
  type McpHttpHandler,
  type McpServer,
  ResourceTemplate,
  type ServerContext,
  WebStandardStreamableHTTPServerTransport
} from "@modelcontextprotocol/server"
import type { MakeServer, ProtocolFixtures } from "@carillon/server/mcp/ProtocolFixtures"
import { advertised } from "@carillon/server/mcp/ToolSchema"
import { randomBytes, randomUUID } from "node:crypto"

/** A red pixel, and silence. */
const png = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8DwHwAFBQIAX8jx0gAAAABJRU5ErkJggg=="
const wav = "UklGRiYAAABXQVZFZm10IBAAAAABAAEAQB8AAAB9AAACABAAZGF0YQIAAAA="

const text = (words: string): CallToolResult => ({ content: [{ type: "text", text: words }] })

const object = (
  properties: Record<string, unknown>,
  required: ReadonlyArray<string> = Object.keys(properties)
) => ({
  type: "object" as const,
  properties: properties as Record<string, { type: "string" }>,
  required: [...required]
})

const empty = fromJsonSchema({ type: "object", properties: {} })
const strings = (...names: ReadonlyArray<string>) =>
  fromJsonSchema<Record<string, string>>(
    object(Object.fromEntries(names.map((name) => [name, { type: "string", description: name }])))
  )

const codec = createRequestStateCodec({ key: randomBytes(32) })

/** Tools that answer with one kind of content each. */
const contentTools = (server: McpServer) => {
  const answering = (name: string, content: CallToolResult["content"]) =>
    server.registerTool(name, { description: `Answers with ${name}.`, inputSchema: empty }, () => ({
      content
    }))
  const resource = {
    type: "resource" as const,
    resource: { uri: "test://embedded-resource", mimeType: "text/plain", text: "Embedded." }
  }
  answering("test_simple_text", [{ type: "text", text: "This is a simple text response for testing." }])
  answering("test_image_content", [{ type: "image", data: png, mimeType: "image/png" }])
  answering("test_audio_content", [{ type: "audio", data: wav, mimeType: "audio/wav" }])
  answering("test_embedded_resource", [resource])
  answering("test_multiple_content_types", [
    { type: "text", text: "Several kinds of content" },
    { type: "image", data: png, mimeType: "image/png" },
    resource
  ])
  server.registerTool("test_error_handling", { description: "Fails.", inputSchema: empty }, () => {
    throw new Error("This tool intentionally returns an error for testing")
  })
}

/** Tools that say something before their result. */
const talkingTools = (server: McpServer) => {
  const says = (level: "info", data: string) => ({
    method: "notifications/message" as const,
    params: { level, data }
  })
  server.registerTool(
    "test_tool_with_logging",
    { description: "Logs three times.", inputSchema: empty },
    async (_, { mcpReq }) => {
      for (const line of ["started", "working", "done"]) await mcpReq.notify(says("info", line))
      return text("Logged.")
    }
  )
  server.registerTool(
    "test_logging_tool",
    { description: "Logs, where it is asked to.", inputSchema: empty },
    async (_, { mcpReq }) => {
      await mcpReq.log("info", "logged")
      return text("Logged.")
    }
  )
  server.registerTool(
    "test_tool_with_progress",
    { description: "Reports its progress.", inputSchema: empty },
    async (_, { mcpReq }) => {
      const progressToken = mcpReq._meta?.progressToken ?? 0
      for (const progress of [0, 50, 100]) {
        await mcpReq.notify({
          method: "notifications/progress",
          params: { progressToken, progress, total: 100 }
        })
      }
      return text(String(progressToken))
    }
  )
}

/** Tools of the older revisions that ask the client something while they run. */
const askingTools = (server: McpServer) => {
  const eliciting = (name: string, properties: Record<string, unknown>, required: ReadonlyArray<string>) =>
    server.registerTool(
      name,
      {
        description: "Asks the user.",
        inputSchema: strings(...(name === "test_elicitation" ? ["message"] : []))
      },
      async ({ message = name }, { mcpReq }) => {
        const { action, content } = await mcpReq.send({
          method: "elicitation/create",
          params: { message, requestedSchema: object(properties, required) }
        })
        return text(`Elicitation completed: action=${action}, content=${JSON.stringify(content ?? {})}`)
      }
    )
  const options = ["option1", "option2", "option3"]
  const titled = options.map((value) => ({ const: value, title: value.toUpperCase() }))
  eliciting("test_elicitation", { response: { type: "string", description: "The answer" } }, ["response"])
  eliciting(
    "test_elicitation_sep1034_defaults",
    {
      name: { type: "string", default: "John Doe" },
      age: { type: "integer", default: 30 },
      score: { type: "number", default: 95.5 },
      status: { type: "string", enum: ["active", "inactive", "pending"], default: "active" },
      verified: { type: "boolean", default: true }
    },
    []
  )
  eliciting(
    "test_elicitation_sep1330_enums",
    {
      untitledSingle: { type: "string", enum: options },
      titledSingle: { type: "string", oneOf: titled },
      legacyEnum: { type: "string", enum: options, enumNames: options.map((name) => name.toUpperCase()) },
      untitledMulti: { type: "array", minItems: 1, maxItems: 3, items: { type: "string", enum: options } },
      titledMulti: { type: "array", minItems: 1, maxItems: 3, items: { anyOf: titled } }
    },
    []
  )
  server.registerTool(
    "test_sampling",
    { description: "Asks the client's model.", inputSchema: strings("prompt") },
    async ({ prompt }, { mcpReq }) => {
      const { content } = await mcpReq.send({
        method: "sampling/createMessage",
        params: { messages: [{ role: "user", content: { type: "text", text: prompt! } }], maxTokens: 100 }
      })
      return text(`LLM response: ${"text" in content ? content.text : ""}`)
    }
  )
}

const nameForm = (message: string) =>
  inputRequired.elicit({ message, requestedSchema: object({ name: { type: "string" } }) })
const question = (words: string) =>
  inputRequired.createMessage({
    messages: [{ role: "user", content: { type: "text", text: words } }],
    maxTokens: 100
  })

/** Tools of the newest revision that answer with a question first. */
const questioningTools = (server: McpServer) => {
  const tool = (name: string, answer: (context: ServerContext) => Promise<any>) =>
    server.registerTool(name, { description: "Asks before it answers.", inputSchema: empty }, (_, context) =>
      answer(context)
    )
  tool("test_input_required_result_elicitation", async ({ mcpReq }) => {
    const { name } = acceptedContent(mcpReq.inputResponses, "user_name") ?? {}
    return typeof name === "string"
      ? text(`Hello, ${name}!`)
      : inputRequired({ inputRequests: { user_name: nameForm("What is your name?") } })
  })
  tool("test_input_required_result_sampling", async ({ mcpReq }) => {
    const answer = inputResponse(mcpReq.inputResponses, "capital_question")
    return answer.kind === "sampling"
      ? text(JSON.stringify(answer.result.content))
      : inputRequired({ inputRequests: { capital_question: question("What is the capital of France?") } })
  })
  tool("test_input_required_result_list_roots", async ({ mcpReq }) => {
    const answer = inputResponse(mcpReq.inputResponses, "client_roots")
    return answer.kind === "roots"
      ? text(JSON.stringify(answer.roots))
      : inputRequired({ inputRequests: { client_roots: inputRequired.listRoots() } })
  })
  const confirming = (name: string) =>
    tool(name, async (context) => {
      const confirmed = acceptedContent(context.mcpReq.inputResponses, "confirm")
      return confirmed !== undefined && context.mcpReq.requestState() !== undefined
        ? text("state-ok")
        : inputRequired({
            inputRequests: {
              confirm: inputRequired.elicit({
                message: "Please confirm",
                requestedSchema: object({ ok: { type: "boolean" } })
              })
            },
            requestState: await codec.mint({ asked: name })
          })
    })
  confirming("test_input_required_result_request_state")
  confirming("test_input_required_result_tampered_state")
  tool("test_input_required_result_multiple_inputs", async ({ mcpReq }) => {
    const answered = ["user_name", "greeting", "client_roots"].every(
      (key) => inputResponse(mcpReq.inputResponses, key).kind !== "missing"
    )
    return answered
      ? text("All three have been answered.")
      : inputRequired({
          inputRequests: {
            user_name: nameForm("What is your name?"),
            greeting: question("Generate a greeting"),
            client_roots: inputRequired.listRoots()
          },
          requestState: await codec.mint({ asked: "three" })
        })
  })
  tool("test_input_required_result_multi_round", async ({ mcpReq }) => {
    const before = mcpReq.requestState<{ name?: string }>()
    const color = acceptedContent(mcpReq.inputResponses, "step2")
    if (typeof before === "object" && before.name !== undefined && color !== undefined) {
      return text(`${before.name} likes ${String(color["color"])}.`)
    }
    const step1 = acceptedContent(mcpReq.inputResponses, "step1")
    return step1 === undefined
      ? inputRequired({
          inputRequests: { step1: nameForm("Step 1: What is your name?") },
          requestState: await codec.mint({ round: 1 })
        })
      : inputRequired({
          inputRequests: {
            step2: inputRequired.elicit({
              message: "Step 2: What is your favorite color?",
              requestedSchema: object({ color: { type: "string" } })
            })
          },
          requestState: await codec.mint({ round: 2, name: String(step1["name"]) })
        })
  })
  const capabilitiesOf = ({ mcpReq }: ServerContext) =>
    (mcpReq.envelope as Record<string, Record<string, unknown>> | undefined)?.[
      CLIENT_CAPABILITIES_META_KEY
    ] ?? {}
  tool("test_input_required_result_capabilities", async (context) => {
    const { sampling, elicitation } = capabilitiesOf(context)
    return inputRequired({
      inputRequests: {
        ...(sampling === undefined ? {} : { greeting: question("Generate a greeting") }),
        ...(elicitation === undefined ? {} : { user_name: nameForm("What is your name?") })
      }
    })
  })
  tool("test_streaming_elicitation", async ({ mcpReq }) =>
    inputResponse(mcpReq.inputResponses, "user_name").kind === "missing"
      ? inputRequired({ inputRequests: { user_name: nameForm("What is your name?") } })
      : text("Answered.")
  )
  // The SDK refuses to pass the question on to a client that has not declared that it can answer.
  tool("test_missing_capability", async ({ mcpReq }) =>
    inputResponse(mcpReq.inputResponses, "greeting").kind === "missing"
      ? inputRequired({ inputRequests: { greeting: question("Generate a greeting") } })
      : text("Answered.")
  )
}

const resources = (server: McpServer) => {
  const fixed = (name: string, mimeType: string, content: { text: string } | { blob: string }) => {
    const uri = `test://${name}`
    server.registerResource(name, uri, { title: name, description: "For testing.", mimeType }, () => ({
      contents: [{ uri, mimeType, ...content }]
    }))
  }
  fixed("static-text", "text/plain", { text: "This is the content of the static text resource." })
  fixed("static-binary", "image/png", { blob: png })
  fixed("watched-resource", "text/plain", { text: "Watched" })
  const mimeType = "application/json"
  server.registerResource(
    "template",
    new ResourceTemplate("test://template/{id}/data", { list: undefined }),
    { title: "Template", description: "For testing.", mimeType },
    (uri, { id }) => ({
      contents: [
        {
          uri: uri.href,
          mimeType,
          text: JSON.stringify({ id, templateTest: true, data: `Data for ID: ${id}` })
        }
      ]
    })
  )
  server.server.setRequestHandler("resources/subscribe", () => ({}))
  server.server.setRequestHandler("resources/unsubscribe", () => ({}))
  server.server.setRequestHandler("logging/setLevel", () => ({}))
  server.server.setRequestHandler("completion/complete", () => ({
    completion: { values: [], total: 0, hasMore: false }
  }))
}

const prompts = (server: McpServer) => {
  const user = (content: any) => ({ role: "user" as const, content })
  const words = (sentence: string) => user({ type: "text", text: sentence })
  server.registerPrompt("test_simple_prompt", { title: "Simple", description: "For testing." }, () => ({
    messages: [words("This is a simple prompt for testing.")]
  }))
  server.registerPrompt(
    "test_prompt_with_arguments",
    { title: "Arguments", description: "For testing.", argsSchema: strings("arg1", "arg2") },
    ({ arg1, arg2 }) => ({ messages: [words(`Prompt with arguments: arg1='${arg1}', arg2='${arg2}'`)] })
  )
  server.registerPrompt(
    "test_prompt_with_embedded_resource",
    { title: "Embedded", description: "For testing.", argsSchema: strings("resourceUri") },
    ({ resourceUri }) => ({
      messages: [
        user({ type: "resource", resource: { uri: resourceUri, mimeType: "text/plain", text: "Embedded." } }),
        words("Please process the embedded resource above.")
      ]
    })
  )
  server.registerPrompt("test_prompt_with_image", { title: "Image", description: "For testing." }, () => ({
    messages: [
      user({ type: "image", data: png, mimeType: "image/png" }),
      words("Please analyze the image above.")
    ]
  }))
  server.registerPrompt(
    "test_input_required_result_prompt",
    { title: "Asks", description: "Asks before it answers." },
    ({ mcpReq }: ServerContext) => {
      const answered = acceptedContent(mcpReq.inputResponses, "user_context")
      return answered === undefined
        ? inputRequired({
            inputRequests: {
              user_context: inputRequired.elicit({
                message: "What context should the prompt use?",
                requestedSchema: object({ context: { type: "string" } })
              })
            }
          })
        : { messages: [words(`The context is ${String(answered["context"])}.`)] }
    }
  )
}

/** Tools whose schemas have to arrive as they are: every keyword of a draft, and a header that repeats an argument. */
const schemaTools = (server: McpServer) => {
  const schema = {
    $schema: "https://json-schema.org/draft/2020-12/schema",
    type: "object" as const,
    $defs: {
      address: {
        $anchor: "addressDef",
        type: "object",
        properties: { street: { type: "string" }, city: { type: "string" } }
      }
    },
    properties: {
      name: { type: "string" },
      address: { $ref: "#/$defs/address" },
      contactMethod: { type: "string", enum: ["phone", "email"] },
      phone: { type: "string" },
      email: { type: "string" }
    },
    allOf: [{ anyOf: [{ required: ["phone"] }, { required: ["email"] }] }],
    if: { properties: { contactMethod: { const: "phone" } }, required: ["contactMethod"] },
    // oxlint-disable-next-line unicorn/no-thenable
    then: { required: ["phone"] },
    else: { required: ["email"] },
    additionalProperties: false
  }
  server.registerTool(
    "json_schema_2020_12_tool",
    { description: "Has a schema with every kind of keyword.", inputSchema: advertised(schema) },
    () => text("Called.")
  )
  server.registerTool(
    "test_custom_header",
    {
      description: "Takes an argument that a header repeats.",
      inputSchema: advertised({
        type: "object",
        properties: { region: { type: "string", "x-mcp-header": "Region" } },
        required: ["region"]
      })
    },
    () => text("Called.")
  )
}

/** Everything that the suite wants a server to have, added to the product's own. */
export const makeSuiteFixtures = (): ProtocolFixtures => {
  let handler: McpHttpHandler | undefined
  return {
    options: {
      capabilities: {
        tools: { listChanged: true },
        prompts: { listChanged: true },
        resources: { listChanged: true, subscribe: true },
        logging: {},
        completions: {}
      },
      requestState: { verify: codec.verify }
    },
    register: (server) => {
      contentTools(server)
      talkingTools(server)
      askingTools(server)
      questioningTools(server)
      schemaTools(server)
      resources(server)
      prompts(server)
      for (const [name, change] of [
        ["test_trigger_tool_change", () => handler?.notify.toolsChanged()],
        ["test_trigger_prompt_change", () => handler?.notify.promptsChanged()]
      ] as const) {
        server.registerTool(
          name,
          { description: "Says that a list has changed.", inputSchema: empty },
          () => {
            change()
            return text("Said.")
          }
        )
      }
    },
    started: (started) => {
      handler = started
    },
    older: withSessions
  }
}

/** Answers to a question of the server come in requests of their own, so that somebody has to remember the question. */
const withSessions = (make: MakeServer) => {
  const sessions = new Map<string, WebStandardStreamableHTTPServerTransport>()
  return async (request: Request, authInfo: AuthInfo) => {
    const known = sessions.get(request.headers.get("mcp-session-id") ?? "")
    if (known !== undefined) return known.handleRequest(request, { authInfo })
    const begins = isInitializeRequest(
      await request
        .clone()
        .json()
        .catch(() => null)
    )
    const transport = new WebStandardStreamableHTTPServerTransport(
      begins
        ? {
            sessionIdGenerator: randomUUID,
            onsessioninitialized: (id) => void sessions.set(id, transport)
          }
        : { enableJsonResponse: true }
    )
    await make(authInfo).connect(transport)
    return transport.handleRequest(request, { authInfo })
  }
}
