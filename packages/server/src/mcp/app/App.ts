/** One page for both tools that hosts can show: the calendar and the preview (MCP Apps, 2026-01-26). The console's build makes it. */
export const appUri = "ui://carillon/app.html"
export const appMimeType = "text/html;profile=mcp-app"

/** The metadata of a tool whose result the page shows. */
export const shownInApp = { ui: { resourceUri: appUri, visibility: ["model", "app"] } }

/** Under this name a result has what only the page reads. */
export const appMetaKey = "carillon/app"
