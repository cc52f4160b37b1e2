import { type Markup, markup } from "@carillon/domain"
import { Effect, Option } from "effect"
import { HttpRouter } from "effect/http"
import { AppConfig } from "../AppConfig.ts"
import { Browser } from "../auth/Browser.ts"
import { htmlPage } from "../http/HtmlPage.ts"
import { sitePages } from "../http/SitePages.ts"

/** `what` names it for the button, which only the script shows. */
const code = (text: string, what: string) =>
  markup`<div class="copied"><pre><code>${text}</code></pre><button type="button" class="quiet" aria-label="Copy ${what}" hidden>Copy</button></div>`

const json = (settings: object, what: string) => code(JSON.stringify(settings, null, 2), what)

const script = `
for (const button of document.querySelectorAll(".copied button")) {
  const block = button.previousElementSibling
  button.hidden = false
  button.onclick = async () => {
    getSelection().selectAllChildren(block)
    // Only pages at https or on this machine have a clipboard.
    try { await navigator.clipboard.writeText(block.textContent) } catch { document.execCommand("copy") }
    button.textContent = "Copied"
    button.ariaLabel = button.ariaLabel.replace("Copy", "Copied")
  }
}
`

const section = (title: string, body: Markup) => markup`<details><summary>${title}</summary>${body}</details>`

/** Whether programs on other machines can reach the address. */
const isPublic = (url: URL) =>
  url.protocol === "https:" &&
  !/^(localhost|127\.|10\.|192\.168\.|\[)|\.(local|internal|lan)$/.test(url.hostname)

const description = "Schedules and publishes posts"

const gooseSetting = (url: string) => `extensions:
  carillon:
    enabled: true
    type: streamable_http
    name: Carillon
    description: ${description}
    uri: ${url}
    timeout: 300`

const body = (publicUrl: string) => {
  const url = `${publicUrl}/mcp`
  const server = JSON.stringify({ url })
  const cursor = `cursor://anysphere.cursor-deeplink/mcp/install?name=carillon&config=${encodeURIComponent(Buffer.from(server).toString("base64"))}`
  const vscode = `vscode:mcp/install?${encodeURIComponent(JSON.stringify({ name: "carillon", type: "http", url }))}`
  const goose = `goose://extension?url=${encodeURIComponent(url)}&type=streamable_http&id=carillon&name=Carillon&description=${encodeURIComponent(description)}&timeout=300`
  const reach = isPublic(new URL(publicUrl))
    ? ""
    : markup`<p class="note">This instance is at ${publicUrl}, which the makers' servers cannot reach: Claude on the web and ChatGPT need a public https address (<code>PUBLIC_URL</code>). Programs on your own computer work.</p>`
  return markup`<p>Give the app this address. It asks you to sign in here and to choose what it may do. You do not have to copy a key.</p>
${code(url, "the address")}
<h2>Steps for each app</h2>
${section("Claude Code", markup`${code(`claude mcp add --transport http carillon ${url}`, "the line for Claude Code")}<p>Then, in Claude Code, <code>/mcp</code> and <em>Authenticate</em>.</p>`)}
${section("Claude on the web, desktop and phone", markup`<p><em>Settings</em> → <em>Connectors</em> → <em>Add custom connector</em>; paste the address.</p>${reach}`)}
${section("ChatGPT", markup`<p><em>Settings</em> → <em>Apps</em> → switch on developer mode → <em>Create</em>; paste the address with <code>/mcp</code> and choose OAuth.</p>${reach}`)}
${section("Codex", code(`codex mcp add carillon --url ${url}`, "the line for Codex"))}
${section("Cursor", markup`<p><a class="button" href="${cursor}">Add to Cursor</a></p><p>Or in <code>.cursor/mcp.json</code>:</p>${json({ mcpServers: { carillon: { url } } }, "the setting for Cursor")}`)}
${section("Visual Studio Code", markup`<p><a class="button" href="${vscode}">Add to VS Code</a></p><p>Or in <code>.vscode/mcp.json</code>:</p>${json({ servers: { carillon: { type: "http", url } } }, "the setting for VS Code")}`)}
${section("Gemini CLI", markup`${code(`gemini mcp add --scope user --transport http carillon ${url}`, "the line for Gemini CLI")}<p>Then, in Gemini CLI:</p>${code("/mcp auth carillon", "the second line for Gemini CLI")}`)}
${section("Zed", markup`<p>In <code>settings.json</code>, or under <em>Settings</em> → <em>AI</em> → <em>MCP Servers</em>:</p>${json({ context_servers: { carillon: { url } } }, "the setting for Zed")}<p>Zed then asks you to sign in.</p>`)}
${section("Goose", markup`<p><a class="button" href="${goose}">Add to Goose</a></p><p>Or in <code>~/.config/goose/config.yaml</code>:</p>${code(gooseSetting(url), "the setting for Goose")}`)}
${section("Other apps with a list of servers", json({ mcpServers: { carillon: { type: "http", url } } }, "the setting for others"))}
${section("Apps that only start programs", markup`<p>They reach the address through <code>mcp-remote</code>:</p>${json({ mcpServers: { carillon: { command: "npx", args: ["-y", "mcp-remote", url] } } }, "the setting with mcp-remote")}`)}
${section(
  "Scripts, without a browser",
  markup`<p>An API key works as well:</p>${code(
    `curl ${url} \\
  -H "Authorization: Bearer $CARILLON_API_KEY" \\
  -H "Content-Type: application/json" \\
  -d '{"jsonrpc":"2.0","id":1,"method":"tools/list"}'`,
    "the line for scripts"
  )}`
)}
<p class="soft"><a href="/connected-apps">Connected apps</a> shows which apps are connected and what they may do.</p>`
}

/** `/connect`: how to connect each popular app to this instance, with its address filled in. */
export const ConnectAppPageLayer = HttpRouter.use(
  Effect.fnUntraced(function* (router) {
    const browser = yield* Browser
    const { publicUrl } = yield* AppConfig
    yield* router.add(
      "GET",
      sitePages.connectApp.path,
      Effect.map(browser.session, (session) =>
        htmlPage({
          title: "Connect an app",
          wide: true,
          script: { source: script },
          signedIn: Option.isSome(session),
          body: body(publicUrl)
        })
      )
    )
  })
)
