import tailwind from "@tailwindcss/vite"
import { defineConfig, type Plugin } from "vite"

/** One language: the other locales of react-aria are left out. */
export const oneLanguage = {
  name: "one-language",
  enforce: "pre" as const,
  load: (id: string) =>
    /\/[a-z]{2}-[A-Z]{2}(\.m?js)?$/.test(id) && !id.includes("en-US") ? "export default {}" : null
}

/** Safari 16.4 is the first with what Tailwind 4 needs, and so on. */
export const browsers = ["safari16.4", "chrome111", "firefox128"]

/** Sheets of rooms that are still to be turned are below the classes of those that were, whatever comes first. */
export const oldSheets: Plugin = {
  name: "old-sheets",
  enforce: "pre",
  transform: (code, id) =>
    /\/src\/.*\.css$/.test(id) && !/\/styles\/(console|host|review)\.css$/.test(id)
      ? `@layer old {\n${code}\n}`
      : null
}

/** Where the service runs during development. */
const service = process.env["CARILLON_URL"] ?? "http://localhost:4400"

/** During development the page gets what the service would write into it, for whoever is signed in there. */
const bootOfService: Plugin = {
  name: "boot-of-service",
  apply: "serve",
  configureServer: (server) => {
    server.middlewares.use(async ({ headers, url = "" }, response, next) => {
      if (!headers.accept?.includes("text/html") || !url.startsWith("/app")) return next()
      const page = await fetch(service + url, {
        headers: { cookie: headers.cookie ?? "" },
        redirect: "manual"
      })
      const location = page.headers.get("location")
      if (location !== null) return void response.writeHead(303, { location }).end()
      boot = /id="boot">([^]*?)<\/script>/.exec(await page.text())?.[1]
      next()
    })
  },
  transformIndexHtml: (html) =>
    html
      .replace("%BOOT%", () => boot ?? "")
      .replace("%NONCE%", "")
      .replace("%ROOM%", "")
}
let boot: string | undefined

export default defineConfig({
  base: "/app/",
  plugins: [oneLanguage, oldSheets, tailwind(), bootOfService],
  build: {
    target: browsers,
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
    chunkSizeWarningLimit: 700,
    rolldownOptions: {
      // On a busy machine it would warn, in the log of the service, that Tailwind takes its time.
      checks: { moduleLevelDirective: false, pluginTimings: false },
      // What the first screen needs is one file: several would wait for each other's round trip.
      // Menus, dialogs and fields, which every room opens soon after, are another.
      output: {
        codeSplitting: {
          groups: [
            { name: "start", test: /console\/src\/main\.tsx$/, priority: 1 },
            { name: "controls", test: /\/node_modules\/(react-aria|react-stately|@react-)/ }
          ]
        }
      }
    } as never
  },
  server: {
    port: 5173,
    strictPort: true,
    proxy: Object.fromEntries(
      ["/v1", "/media", "/sign-in", "/sign-out", "/welcome"].map((path) => [
        path,
        // To the service it is its own page.
        { target: service, headers: { origin: service } }
      ])
    )
  }
})
