import { escapeHtml, htmlPage } from "../http/HtmlPage.ts"

/** What somebody sees who opens the endpoint's address in a browser. */
export const addressPage = (url: string) =>
  htmlPage({
    title: "An address for agents",
    status: 401,
    body: `<p>Give <code>${escapeHtml(url)}</code> to your agent as an MCP server.</p>
<p class="soft"><a href="/docs">What else is here</a></p>`
  })
