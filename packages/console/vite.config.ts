import { defineConfig } from "vite"

/** One language: the other locales of react-aria are left out. */
const oneLanguage = {
  name: "one-language",
  enforce: "pre" as const,
  load: (id: string) =>
    /\/[a-z]{2}-[A-Z]{2}(\.m?js)?$/.test(id) && !id.includes("en-US") ? "export default {}" : null
}

/** Where the service runs during development. */
const service = process.env["CARILLON_URL"] ?? "http://localhost:4400"

export default defineConfig({
  base: "/app/",
  plugins: [oneLanguage],
  build: {
    target: "es2024",
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
    chunkSizeWarningLimit: 700,
    rolldownOptions: { checks: { moduleLevelDirective: false } } as never
  },
  server: {
    port: 5173,
    strictPort: true,
    proxy: Object.fromEntries(["/v1", "/media", "/sign-in", "/sign-out"].map((path) => [path, service]))
  }
})
