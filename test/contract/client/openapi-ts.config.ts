import { defineConfig } from "@hey-api/openapi-ts"

export default defineConfig({
  input: ".generated/openapi.json",
  output: { path: ".generated/client", importFileExtension: ".js" },
  plugins: ["@hey-api/typescript", "@hey-api/sdk", "@hey-api/client-fetch"],
  logs: { level: "error" }
})
