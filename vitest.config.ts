import { defineConfig } from "vitest/config"

export default defineConfig({
  test: {
    include: [
      "packages/*/test/**/*.test.ts",
      "test/*.test.ts",
      "test/contract/*.test.ts",
      // Minutes long: CRASH=some or CRASH=all asks for them.
      ...("CRASH" in process.env ? ["test/crash/*.test.ts", "test/cluster/*.test.ts"] : [])
    ],
    // As the service runs: with compiled schemas.
    setupFiles: ["effect/schema/SchemaJITCompiler/enable"],
    testTimeout: 30_000,
    hookTimeout: 60_000
  }
})
