/** One page for both tools that hosts can show: the calendar and the preview (MCP Apps, 2026-01-26). The console's build makes it. */
export const appUri = "ui://carillon/app.html"
export const appMimeType = "text/html;profile=mcp-app"

/** A client that shows apps names it among what it can do. */
export const appExtension = "io.modelcontextprotocol/ui"

/** The metadata of a tool whose result the page shows. */
export const shownInApp = { ui: { resourceUri: appUri, visibility: ["model", "app"] } }

/** The metadata of a tool that the page calls and no model. */
export const calledByApp = { ui: { visibility: ["app"] } }
