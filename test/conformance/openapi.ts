// Two linters that others wrote read the OpenAPI document; neither may say a word. A client that others generate of it compiles.
import { openApiDocument } from "@carillon/domain"
import { spawnSync } from "node:child_process"
import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"

const readers = [
  [
    "@redocly/cli@2.77.0",
    "lint",
    "openapi.json",
    "--extends=recommended-strict",
    "--max-problems=1000",
    // `/social-accounts/pending/{pending_id}` beside `/social-accounts/{account_id}/options`: no account is called pending.
    "--skip-rule=no-ambiguous-paths"
  ],
  [
    "@stoplight/spectral-cli@6.16.3",
    "lint",
    "openapi.json",
    "--ruleset=ruleset.json",
    "--fail-severity=hint"
  ],
  [
    "-p",
    "orval@8.38.0",
    "-p",
    "typescript@5.9.3",
    "-c",
    "orval --input openapi.json --output client.ts --client fetch && tsc -p ."
  ]
]

const compilerOptions = {
  strict: true,
  noEmit: true,
  target: "ES2022",
  module: "NodeNext",
  lib: ["ES2022", "DOM", "DOM.Iterable"],
  types: []
}

const directory = mkdtempSync(join(tmpdir(), "carillon-openapi-"))
try {
  const document = openApiDocument("https://carillon.test")
  writeFileSync(join(directory, "openapi.json"), JSON.stringify(document, null, 1))
  writeFileSync(join(directory, "ruleset.json"), JSON.stringify({ extends: ["spectral:oas"] }))
  writeFileSync(join(directory, "package.json"), JSON.stringify({ type: "module" }))
  writeFileSync(join(directory, "tsconfig.json"), JSON.stringify({ compilerOptions, files: ["client.ts"] }))
  for (const reader of readers) {
    const { status } = spawnSync("npx", ["-y", ...reader], {
      cwd: directory,
      stdio: "inherit",
      env: { ...process.env, REDOCLY_TELEMETRY: "off", REDOCLY_SUPPRESS_UPDATE_NOTICE: "true" }
    })
    if (status !== 0) process.exitCode = 1
  }
} finally {
  rmSync(directory, { recursive: true })
}
