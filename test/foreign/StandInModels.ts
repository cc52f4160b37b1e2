import { once } from "node:events"
import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import { json } from "node:stream/consumers"

/** A tool as a request tells the model of it. */
export interface Declared {
  readonly name: string
  /** The whole declaration. */
  readonly told: object
  readonly schema: unknown
}

export interface Model {
  readonly url: string
  /** What the last request declared. */
  readonly declared: () => ReadonlyArray<Declared>
  /** By tool, what the requests brought of its answer. */
  readonly answers: () => ReadonlyMap<string, unknown>
}

/** The request of one API, and its answers. */
interface Api {
  readonly declared: (request: any) => ReadonlyArray<Declared>
  readonly answers: (request: any) => ReadonlyMap<string, unknown>
  readonly call: (name: string, args: object) => object
  readonly done: object
}

/** Stands in for a model that calls each tool once, in the order in which they are declared, and then has no more to say. */
const startModel = async (api: Api, argumentsOf: (tool: string) => object): Promise<Model> => {
  let declared: ReadonlyArray<Declared> = []
  let answers: ReadonlyMap<string, unknown> = new Map()
  const server = createServer(async (incoming, outgoing) => {
    const request = await json(incoming)
    declared = api.declared(request)
    answers = api.answers(request)
    const next = declared.find(({ name }) => !answers.has(name))
    outgoing.writeHead(200, { "content-type": "application/json" })
    outgoing.end(JSON.stringify(next === undefined ? api.done : api.call(next.name, argumentsOf(next.name))))
  })
  server.listen(0, "127.0.0.1").unref()
  await once(server, "listening")
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return { url, declared: () => declared, answers: () => answers }
}

const candidate = (part: object) => ({
  candidates: [{ content: { role: "model", parts: [part] }, finishReason: "STOP", index: 0 }]
})

/** https://ai.google.dev/api/generate-content */
export const startGoogle = (argumentsOf: (tool: string) => object) =>
  startModel(
    {
      declared: ({ tools }) =>
        tools.flatMap((one: any) =>
          one.functionDeclarations.map((told: any) => ({
            name: told.name,
            told,
            schema: told.parameters ?? told.parametersJsonSchema
          }))
        ),
      answers: ({ contents }) =>
        new Map(
          contents.flatMap(({ parts }: any) =>
            parts.flatMap(({ functionResponse }: any) =>
              functionResponse ? [[functionResponse.name, functionResponse.response]] : []
            )
          )
        ),
      call: (name, args) => candidate({ functionCall: { name, args } }),
      done: candidate({ text: "Done." })
    },
    argumentsOf
  )

const response = (output: object) => ({
  id: "resp_1",
  object: "response",
  created_at: 1,
  model: "a-model",
  status: "completed",
  output: [output],
  usage: { input_tokens: 1, output_tokens: 1, total_tokens: 2 }
})

/** https://platform.openai.com/docs/api-reference/responses/create */
export const startOpenAi = (argumentsOf: (tool: string) => object) =>
  startModel(
    {
      declared: ({ tools }) => tools.map((told: any) => ({ name: told.name, told, schema: told.parameters })),
      answers: ({ input }) =>
        new Map(
          input.flatMap(({ call_id, output, type }: any) =>
            type === "function_call_output" ? [[call_id, output]] : []
          )
        ),
      call: (name, args) =>
        response({
          type: "function_call",
          id: `fc_${name}`,
          call_id: name,
          name,
          arguments: JSON.stringify(args),
          status: "completed"
        }),
      done: response({
        type: "message",
        id: "msg_1",
        role: "assistant",
        status: "completed",
        content: [{ type: "output_text", text: "Done.", annotations: [] }]
      })
    },
    argumentsOf
  )
