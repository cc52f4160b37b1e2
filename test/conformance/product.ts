// Runs what the protocol's own suite asks of every server against the service as it is published. All else of the suite
// wants tools of its own; suite.ts runs it with these.
import assert from "node:assert/strict"
import { execFile } from "node:child_process"
import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { promisify } from "node:util"
import { startKeyProxy } from "./KeyProxy.ts"
import { key, startService, suite } from "./StartedService.ts"

const execute = promisify(execFile)

const ofBoth = ["tools-list", "resources-list", "prompts-list", "dns-rebinding-protection"]
const scenarios = {
  "2025-11-25": [...ofBoth, "server-initialize", "ping"],
  "2026-07-28": [
    ...ofBoth,
    "server-stateless",
    "caching",
    "http-header-validation",
    "sep-2164-resource-not-found",
    "input-required-result-unsupported-methods",
    "input-required-result-validate-input"
  ]
}

/** Checks within these scenarios that call a tool of the suite's. A check that passes all the same is a failure too. */
const needFixtures = [
  "server-rejects-undeclared-capability",
  "missing-capability-http-400",
  "http-server-no-independent-requests-on-stream",
  "server-no-log-without-loglevel"
]

const { port, stop } = await startService(join(import.meta.dirname, "../../packages/server/src/main.ts"), {
  CARILLON_SANDBOX: "off"
})
const proxy = await startKeyProxy(port, key)
const folder = mkdtempSync(join(tmpdir(), "carillon-conformance-"))
const expected = join(folder, "expected.yml")
const none = join(folder, "none.yml")
writeFileSync(
  expected,
  `server:\n${needFixtures.map((check) => `  - server-stateless:sep-2575-${check}\n`).join("")}`
)
writeFileSync(none, "server: []\n")

// A start of npx for each scenario would cost more than the scenarios.
const { stdout: program } = await execute("npx", ["-y", "-p", suite, "-c", "command -v conformance"])

const run = async (revision: string, scenario: string) => {
  const asked = ["server", "--url", proxy.url, "--spec-version", revision, "--scenario", scenario]
  // In this mode a warning is a failure.
  const baseline = ["--expected-failures", scenario === "server-stateless" ? expected : none]
  const { stdout } = await execute(process.execPath, [program.trim(), ...asked, ...baseline])
  const [, passed] = /Passed: (\d+)\//.exec(stdout) ?? []
  assert.ok(Number(passed) > 0, `${revision} ${scenario} checked nothing:\n${stdout}`)
  return Number(passed)
}

try {
  const checks = await Promise.all(
    Object.entries(scenarios).map(async ([revision, names]) => {
      let passed = 0
      for (const name of names) passed += await run(revision, name)
      return `${passed} checks of ${revision}`
    })
  )
  console.log(`The service passes ${checks.join(" and ")} without fixtures.`)
} finally {
  await stop()
  proxy.stop()
  rmSync(folder, { recursive: true })
}
