import tailwind from "@tailwindcss/vite"
import { readFileSync } from "node:fs"
import { defineConfig, type Plugin } from "vite"
import packageJson from "./package.json" with { type: "json" }
import { browsers, oldSheets, oneLanguage } from "./vite.config.ts"

const icons = new URL("src/ui/icons.svg", import.meta.url)

/** The icons are in the page itself, and are named within it. */
const iconsInPage: Plugin = {
  name: "icons-in-page",
  enforce: "pre",
  load: (id) => (id.endsWith("icons.svg?url&no-inline") ? 'export default ""' : null),
  transformIndexHtml: (html) =>
    html.replace(
      "<body>",
      () => `<body>\n${readFileSync(icons, "utf8").replace("<svg ", `<svg style="display:none" `)}`
    )
}

/** Writes the script and the styles into the page. */
const oneFile: Plugin = {
  name: "one-file",
  generateBundle: {
    order: "post",
    handler: (_, bundle) => {
      const page = bundle["app.html"]
      if (page?.type !== "asset") throw new Error("There is no page.")
      let html = String(page.source)
      for (const [name, file] of Object.entries(bundle)) {
        if (file === page) continue
        if (file.type === "chunk") {
          const script = file.code.replaceAll("</script", "<\\/script")
          html = html
            .replace(/<script [^]*?<\/script>/, "")
            .replace("</body>", () => `<script>${script}</script></body>`)
        } else
          html = html.replace(/<link rel="stylesheet"[^>]*>/, () => `<style>${String(file.source)}</style>`)
        delete bundle[name]
      }
      page.source = html
    }
  }
}

/** The page that hosts of MCP show, in one file. */
export default defineConfig({
  plugins: [oneLanguage, oldSheets, tailwind(), iconsInPage, oneFile],
  define: { "import.meta.env.VITE_VERSION": JSON.stringify(packageJson.version) },
  build: {
    target: browsers,
    modulePreload: false,
    reportCompressedSize: false,
    cssCodeSplit: false,
    rolldownOptions: {
      input: "app.html",
      // Vite's loader of chunks names it, and there are no chunks.
      checks: { moduleLevelDirective: false, emptyImportMeta: false, pluginTimings: false },
      output: { codeSplitting: false, format: "iife" }
    } as never
  }
})
