import { isAtOneOf, loopbackNames, markup, problem } from "@carillon/domain"
import { Effect } from "effect"
import { HttpServerRequest, type HttpServerResponse } from "effect/http"
import { isIP } from "node:net"
import type { AppConfig } from "../AppConfig.ts"
import { htmlPage } from "./HtmlPage.ts"
import { problemResponse } from "./Problems.ts"

/** These have guards of their own: a credential that no page of another site has, and the Host of `/mcp`. */
const guardedElsewhere = /^(?:(?:\/[\w-]+)?\/v1\/|\/mcp(?:$|[/?]))/

/**
 * Refuses what is sent to the pages under a name that is not the service's: a page elsewhere can point its own name at
 * this machine (DNS rebinding) and then fill in our forms as if they were its own. Addresses and names without a dot pass,
 * as within a network of containers or at home: nobody can own one as the name of a site.
 */
export const withHostGuard = ({ publicUrl, mcpAllowedHosts }: AppConfig["Service"]) => {
  const isNamed = isAtOneOf([...loopbackNames, new URL(publicUrl).hostname, ...mcpAllowedHosts])
  const isOurs = (host: string) => {
    const url = `http://${host}`
    if (!URL.canParse(url)) return false
    const { hostname } = new URL(url)
    return (
      isNamed(url) ||
      isIP(hostname.replace(/^\[|\]$/g, "")) !== 0 ||
      !hostname.includes(".") ||
      hostname.endsWith(".localhost")
    )
  }
  return <E, R>(answered: Effect.Effect<HttpServerResponse.HttpServerResponse, E, R>) =>
    Effect.gen(function* () {
      const { headers, method, url } = yield* HttpServerRequest.HttpServerRequest
      const { accept, host } = headers
      // Every browser names the host.
      if (method !== "POST" || host === undefined || guardedElsewhere.test(url) || isOurs(host)) {
        return yield* answered
      }
      // The answer does not repeat the name: it is a stranger's, and caches and logs may keep the answer.
      const said = `This request is for another host, and Carillon's pages are at ${publicUrl}.`
      const todo =
        "Use that address, or ask the operator to set PUBLIC_URL or to add the host to MCP_ALLOWED_HOSTS."
      return accept?.includes("text/html") === true
        ? htmlPage({
            title: "Carillon is at another address",
            body: markup`<p>${said} Nothing was changed. ${todo}</p>`,
            status: 403,
            bad: true
          })
        : yield* problemResponse(problem("host_not_allowed", `${said} ${todo}`))
    })
}
