import { type Markup, markup } from "@carillon/domain"
import { Effect, Option } from "effect"
import { HttpRouter } from "effect/http"
import { AppConfig } from "../AppConfig.ts"
import { Browser } from "../auth/Browser.ts"
import { htmlPage } from "../http/HtmlPage.ts"
import { sitePages } from "../http/SitePages.ts"

const code = (text: string) => markup`<pre><code>${text}</code></pre>`

const section = (title: string, body: Markup) => markup`<details><summary>${title}</summary>${body}</details>`

/** Whether programs on other machines can reach the address. */
const isPublic = (url: URL) =>
  url.protocol === "https:" &&
  !/^(localhost|127\.|10\.|192\.168\.|\[)|\.(local|internal|lan)$/.test(url.hostname)

const body = (publicUrl: string) => {
  const url = `${publicUrl}/mcp`
  const server = JSON.stringify({ url })
  const cursor = `cursor://anysphere.cursor-deeplink/mcp/install?name=carillon&config=${encodeURIComponent(Buffer.from(server).toString("base64"))}`
  const vscode = `vscode:mcp/install?${encodeURIComponent(JSON.stringify({ name: "carillon", type: "http", url }))}`
  const reach = isPublic(new URL(publicUrl))
    ? ""
    : markup`<p class="note">This instance is at ${publicUrl}, which the makers' servers cannot reach: Claude on the web and ChatGPT need a public https address (<code>PUBLIC_URL</code>). Programs on your own computer work.</p>`
  return markup`<p>Give the app this address. It asks you to sign in here and to choose what it may do; no key has to be copied.</p>
${code(url)}
<h2>How to, for each app</h2>
${section("Claude Code", markup`${code(`claude mcp add --transport http carillon ${url}`)}<p>Then, in Claude Code, <code>/mcp</code> and <em>Authenticate</em>.</p>`)}
${section("Claude on the web, desktop and phone", markup`<p><em>Settings</em> → <em>Connectors</em> → <em>Add custom connector</em>; paste the address.</p>${reach}`)}
${section("ChatGPT", markup`<p><em>Settings</em> → <em>Apps</em> → switch on developer mode → <em>Create</em>; paste the address with <code>/mcp</code> and choose OAuth.</p>${reach}`)}
${section("Codex", code(`codex mcp add carillon --url ${url}`))}
${section("Cursor", markup`<p><a class="button" href="${cursor}">Add to Cursor</a></p><p>Or in <code>.cursor/mcp.json</code>:</p>${code(JSON.stringify({ mcpServers: { carillon: { url } } }, null, 2))}`)}
${section("Visual Studio Code", markup`<p><a class="button" href="${vscode}">Add to VS Code</a></p><p>Or in <code>.vscode/mcp.json</code>:</p>${code(JSON.stringify({ servers: { carillon: { type: "http", url } } }, null, 2))}`)}
${section("Gemini CLI", code(`gemini mcp add --transport http carillon ${url}`))}
${section("Zed, Goose and others with a list of servers", code(JSON.stringify({ mcpServers: { carillon: { type: "http", url } } }, null, 2)))}
${section("Apps that only start programs", markup`<p>They reach the address through <code>mcp-remote</code>:</p>${code(JSON.stringify({ mcpServers: { carillon: { command: "npx", args: ["-y", "mcp-remote", url] } } }, null, 2))}`)}
${section(
  "Scripts, without a browser",
  markup`<p>An API key works as well:</p>${code(`curl ${url} \\
  -H "Authorization: Bearer $CARILLON_API_KEY" \\
  -H "Content-Type: application/json" \\
  -d '{"jsonrpc":"2.0","id":1,"method":"tools/list"}'`)}`
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
          signedIn: Option.isSome(session),
          body: body(publicUrl)
        })
      )
    )
  })
)
