// Two linters that others wrote read the OpenAPI document; neither may say a word.
import { openApiDocument } from "@carillon/domain"
import { spawnSync } from "node:child_process"
import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"

const linters = [
  ["@redocly/cli@2.77.0", "lint", "openapi.json", "--extends=recommended-strict", "--max-problems=1000"],
  ["@stoplight/spectral-cli@6.16.3", "lint", "openapi.json", "--ruleset=ruleset.json", "--fail-severity=hint"]
]

const directory = mkdtempSync(join(tmpdir(), "carillon-openapi-"))
try {
  const document = openApiDocument("https://carillon.test")
  writeFileSync(join(directory, "openapi.json"), JSON.stringify(document, null, 1))
  writeFileSync(join(directory, "ruleset.json"), JSON.stringify({ extends: ["spectral:oas"] }))
  for (const linter of linters) {
    const { status } = spawnSync("npx", ["-y", ...linter], {
      cwd: directory,
      stdio: "inherit",
      env: { ...process.env, REDOCLY_TELEMETRY: "off", REDOCLY_SUPPRESS_UPDATE_NOTICE: "true" }
    })
    if (status !== 0) process.exitCode = 1
  }
} finally {
  rmSync(directory, { recursive: true })
}
