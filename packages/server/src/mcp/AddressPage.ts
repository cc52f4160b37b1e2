import { markup } from "@carillon/domain"
import { htmlPage } from "../http/HtmlPage.ts"

/** The page for a person who opens the endpoint's address in a browser. */
export const addressPage = (url: string) =>
  htmlPage({
    title: "An address for agents",
    status: 401,
    body: markup`<p>Give <code>${url}</code> to your agent as an MCP server. It asks you to sign in, and you choose what it may do.</p>
<p class="soft"><a href="/connect">Steps for each app</a></p>`
  })
