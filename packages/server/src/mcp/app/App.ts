import { frameTheme } from "@carillon/domain"
import { readFileSync } from "node:fs"

/** One page for both tools that hosts can show: the calendar and the preview (MCP Apps, 2026-01-26). */
export const appUri = "ui://carillon/app.html"
export const appMimeType = "text/html;profile=mcp-app"
export const appHtml = readFileSync(new URL("app.html", import.meta.url), "utf8").replace(
  "<style>",
  () => `<style>${frameTheme}`
)

/** The metadata of a tool whose result the page shows. */
export const shownInApp = { ui: { resourceUri: appUri, visibility: ["model", "app"] } }
