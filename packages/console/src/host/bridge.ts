/** What a host says about itself. */
export interface HostContext {
  /** Its language, as `de-DE`. */
  readonly locale?: string
  readonly theme?: "light" | "dark"
  readonly styles?: { readonly variables?: Readonly<Record<string, string | undefined>> }
}

export interface ToolResult {
  readonly isError?: boolean
  readonly content?: ReadonlyArray<{ readonly text?: string }>
  readonly structuredContent?: Readonly<Record<string, unknown>>
}

/** The arguments of the tool call that is shown. */
export type Input = Readonly<Record<string, unknown>>

/** Notifications of the host. */
interface Listener {
  readonly onInput: (args: Input) => void
  readonly onResult: (result: ToolResult) => void
  readonly onCancelled: () => void
  readonly onContext: (context: HostContext) => void
}

interface Message {
  readonly jsonrpc?: string
  readonly id?: number
  readonly method?: string
  readonly params?: unknown
  readonly result?: unknown
  readonly error?: { readonly message: string }
}

const waiting = new Map<number, { resolve(result: unknown): void; reject(error: Error): void }>()
let nextId = 1

const send = (message: Message) => window.parent.postMessage({ jsonrpc: "2.0", ...message }, "*")

const ask = (method: string, params: object) =>
  new Promise<unknown>((resolve, reject) => {
    const id = nextId++
    waiting.set(id, { resolve, reject })
    send({ id, method, params })
  })

/** A tool's answer for a person: without codes, and without the model's next steps. */
export const sentencesOf = ({ content = [] }: ToolResult): string =>
  content
    .flatMap(({ text = "" }) => text.split("\n"))
    .filter((line) => !line.startsWith("Next step: "))
    .map((line) => line.replace(/^\[[a-z_]+\] /, ""))
    .join(" ")

/** Calls a tool of the server, and throws its sentences if it refuses. */
export const callTool = async (name: string, args: object): Promise<ToolResult> => {
  const result = (await ask("tools/call", { name, arguments: args })) as ToolResult
  if (result.isError === true) throw new Error(sentencesOf(result))
  return result
}

/** Asks the host to open a page. The person may decline. */
export const openLink = (url: string) => void ask("ui/open-link", { url }).catch(() => {})

let capabilities: { readonly openLinks?: object; readonly message?: object } = {}

/** Opens a page. A host that takes messages only gets the sentence as if the person had written it. */
export const openOrSay = (url: string, sentence: string) => {
  if (capabilities.openLinks !== undefined || capabilities.message === undefined) return openLink(url)
  const content = [{ type: "text", text: sentence }]
  void ask("ui/message", { role: "user", content }).catch(() => {})
}

const told: Array<string> = []
const mostTold = 20

/** Tells the model what the person did. Hosts keep only the last message, so it repeats the earlier ones. */
export const tellModel = (sentence: string) => {
  told.push(sentence)
  const text = told.slice(-mostTold).join("\n")
  void ask("ui/update-model-context", { content: [{ type: "text", text }] }).catch(() => {})
}

/** Connects to the host: JSON-RPC over postMessage (MCP Apps, 2026-01-26). */
export const connect = async (listener: Listener) => {
  const notified: Readonly<Record<string, (params: never) => void>> = {
    "ui/notifications/tool-input": (params: { readonly arguments?: Input }) =>
      listener.onInput(params.arguments ?? {}),
    "ui/notifications/tool-result": listener.onResult,
    "ui/notifications/tool-cancelled": listener.onCancelled,
    "ui/notifications/host-context-changed": listener.onContext
  }
  window.addEventListener("message", ({ data, source }: MessageEvent<Message | null>) => {
    if (source !== window.parent || data?.jsonrpc !== "2.0") return
    const { error, id, method, params, result } = data
    if (method !== undefined) {
      if (id !== undefined) send({ id, result: {} })
      else notified[method]?.((params ?? {}) as never)
    } else if (id !== undefined) {
      const asked = waiting.get(id)
      waiting.delete(id)
      if (error === undefined) asked?.resolve(result)
      else asked?.reject(new Error(error.message))
    }
  })
  document.addEventListener("click", (event) => {
    const link = event.target instanceof Element ? event.target.closest("a") : null
    if (link === null) return
    event.preventDefault()
    openLink(link.href)
  })
  new ResizeObserver(() => {
    const height = Math.ceil(document.documentElement.getBoundingClientRect().height)
    send({ method: "ui/notifications/size-changed", params: { width: window.innerWidth, height } })
  }).observe(document.documentElement)
  const { hostCapabilities = {}, hostContext = {} } = (await ask("ui/initialize", {
    protocolVersion: "2026-01-26",
    appInfo: { name: "carillon", version: import.meta.env["VITE_VERSION"] },
    appCapabilities: { availableDisplayModes: ["inline", "fullscreen"] }
  })) as { readonly hostCapabilities?: typeof capabilities; readonly hostContext?: HostContext }
  capabilities = hostCapabilities
  listener.onContext(hostContext)
  send({ method: "ui/notifications/initialized", params: {} })
}
