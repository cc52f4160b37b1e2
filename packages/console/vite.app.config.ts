import tailwind from "@tailwindcss/vite"
import { readFileSync } from "node:fs"
import { defineConfig, type Plugin } from "vite"
import packageJson from "./package.json" with { type: "json" }
import { browsers, oldSheets, oneLanguage } from "./vite.config.ts"

const sprites = ["icons", "glyphs"].map((name) => new URL(`src/ui/${name}.svg`, import.meta.url))

/** Icons and glyphs are in the page itself, and are named within it. */
const spritesInPage: Plugin = {
  name: "sprites-in-page",
  enforce: "pre",
  load: (id) => (/\/(icons|glyphs)\.svg\?url&no-inline$/.test(id) ? 'export default ""' : null),
  transformIndexHtml: (html) =>
    html.replace("<body>", (body) =>
      [
        body,
        ...sprites.map((file) => readFileSync(file, "utf8").replace("<svg ", `<svg style="display:none" `))
      ].join("\n")
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
  plugins: [oneLanguage, oldSheets, tailwind(), spritesInPage, oneFile],
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
