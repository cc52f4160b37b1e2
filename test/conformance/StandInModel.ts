import { once } from "node:events"
import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import { json } from "node:stream/consumers"

interface Part {
  readonly functionResponse?: { readonly response: { readonly output?: string; readonly error?: string } }
}

interface Asked {
  readonly contents: ReadonlyArray<{ readonly parts: ReadonlyArray<Part> }>
  readonly tools: ReadonlyArray<{ readonly functionDeclarations: ReadonlyArray<{ readonly name: string }> }>
}

/**
 * Stands in for Google's model (https://ai.google.dev/api/generate-content#method:-models.streamgeneratecontent): it calls one tool, and
 * has no more to say when that has answered.
 */
export const startModel = async (tool: string) => {
  const heard: { offered: ReadonlyArray<string>; answer: NonNullable<Part["functionResponse"]>["response"] } =
    {
      offered: [],
      answer: { error: "the tool has not answered" }
    }
  const server = createServer(async (request, response) => {
    const { contents, tools } = (await json(request)) as Asked
    const answered = contents.at(-1)!.parts.find((part) => part.functionResponse)?.functionResponse
    if (answered) heard.answer = answered.response
    heard.offered = tools.flatMap((one) => one.functionDeclarations.map(({ name }) => name))
    const part = answered ? { text: "Done." } : { functionCall: { name: tool, args: {} } }
    const candidate = { content: { role: "model", parts: [part] }, finishReason: "STOP", index: 0 }
    response.writeHead(200, { "content-type": "text/event-stream" })
    response.end(`data: ${JSON.stringify({ candidates: [candidate] })}\n\n`)
  })
  server.listen(0, "127.0.0.1").unref()
  await once(server, "listening")
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, heard: () => heard }
}
