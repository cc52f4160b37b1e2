import { words as all } from "./en.ts"

const words = all.connectApp.agents

interface Agent {
  readonly name: string
  /** Adds it by itself, where the app is installed. */
  readonly link?: string
  /** Sentences, and what to copy. */
  readonly steps: ReadonlyArray<string | { readonly code: string }>
}

const code = (text: string) => ({ code: text })
const json = (settings: object) => code(JSON.stringify(settings, null, 2))
const goose = (url: string) => `extensions:
  carillon:
    enabled: true
    type: streamable_http
    name: Carillon
    description: ${words.description}
    uri: ${url}
    timeout: 300`

/** How each popular agent takes the address. */
export const agents = (url: string): ReadonlyArray<Agent> => [
  {
    name: "Claude Code",
    steps: [code(`claude mcp add --transport http carillon ${url}`), words.claudeCode]
  },
  { name: words.claude, steps: [words.claudeSteps] },
  { name: "ChatGPT", steps: [words.chatGpt] },
  { name: "Codex", steps: [code(`codex mcp add carillon --url ${url}`)] },
  {
    name: "Cursor",
    link: `cursor://anysphere.cursor-deeplink/mcp/install?name=carillon&config=${encodeURIComponent(btoa(JSON.stringify({ url })))}`,
    steps: [words.orIn(".cursor/mcp.json"), json({ mcpServers: { carillon: { url } } })]
  },
  {
    name: "Visual Studio Code",
    link: `vscode:mcp/install?${encodeURIComponent(JSON.stringify({ name: "carillon", type: "http", url }))}`,
    steps: [words.orIn(".vscode/mcp.json"), json({ servers: { carillon: { type: "http", url } } })]
  },
  {
    name: "Gemini CLI",
    steps: [
      code(`gemini mcp add --scope user --transport http carillon ${url}`),
      words.gemini,
      code("/mcp auth carillon")
    ]
  },
  { name: "Zed", steps: [words.zed, json({ context_servers: { carillon: { url } } })] },
  {
    name: "Goose",
    link: `goose://extension?${new URLSearchParams({ url, type: "streamable_http", id: "carillon", name: "Carillon", description: words.description, timeout: "300" })}`,
    steps: [words.orIn("~/.config/goose/config.yaml"), code(goose(url))]
  },
  { name: words.others, steps: [json({ mcpServers: { carillon: { type: "http", url } } })] },
  {
    name: words.programs,
    steps: [
      words.programsHelp,
      json({ mcpServers: { carillon: { command: "npx", args: ["-y", "mcp-remote", url] } } })
    ]
  },
  {
    name: words.scripts,
    steps: [
      words.scriptsHelp,
      code(`curl ${url} \\
  -H "Authorization: Bearer $CARILLON_API_KEY" \\
  -H "Content-Type: application/json" \\
  -d '{"jsonrpc":"2.0","id":1,"method":"tools/list"}'`)
    ]
  }
]
