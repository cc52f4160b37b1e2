import tailwind from "@tailwindcss/vite"
import { defineConfig } from "vite"
import { browsers, oldSheets, oneLanguage } from "./vite.config.ts"

/** The page on which somebody without an account reviews a post. Its files are beside those of the console. */
export default defineConfig({
  base: "/app/",
  plugins: [oneLanguage, oldSheets, tailwind()],
  build: {
    target: browsers,
    modulePreload: false,
    reportCompressedSize: false,
    rolldownOptions: {
      input: "review.html",
      checks: { moduleLevelDirective: false, pluginTimings: false },
      output: { codeSplitting: false }
    } as never
  }
})
