import type { BrowserContext } from "playwright-core"

/** Lets pages come to rest, for which Playwright can wait: an open stream of events is a request that never ends. */
export const restingNetwork = (context: BrowserContext) =>
  context.route("**/v1/events*", (route) => route.abort())
