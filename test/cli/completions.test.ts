import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { execFileSync, spawnSync } from "node:child_process"
import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { onTerminal } from "@carillon/testing/PseudoTerminal"

const repository = join(import.meta.dirname, "../..")

const scriptFor = (shell: string) =>
  execFileSync(process.execPath, ["packages/cli/carillon.js", "completion", shell], {
    cwd: repository
  }).toString()

const isThere = (shell: string) => spawnSync(shell, ["--version"]).status === 0

const home = Effect.acquireRelease(
  Effect.sync(() => mkdtempSync(join(tmpdir(), "carillon-completions-"))),
  (path) => Effect.sync(() => rmSync(path, { recursive: true, force: true }))
)

/** What is typed before the tab key, and the command that it becomes. */
const typed = [
  ["carillon statu", "carillon status"],
  ["carillon posts val", "carillon posts validate"],
  ["carillon posts list --sta", "carillon posts list --status"],
  ["carillon accounts --platform sand", "carillon accounts --platform sandbox"],
  ["carillon accounts connect tik", "carillon accounts connect tiktok"],
  ["carillon post 'Evening bells' --caption-f", "carillon post Evening bells --caption-for"],
  ["carillon login --dev", "carillon login --device"],
  ["carillon completion fi", "carillon completion fish"]
] as const

/** The shell's start: it knows the script, and a command that only says how it was called. */
const shells = {
  bash: {
    args: ["--norc", "--noprofile", "-i"],
    start: (script: string) => `source ${script}; carillon() { echo "ran: carillon $*"; }`
  },
  zsh: {
    args: ["-f", "-i"],
    start: (script: string) =>
      `autoload -U compinit; compinit -u -D; source ${script}; carillon() { echo "ran: carillon $*" }`
  }
}

describe("completions", () => {
  for (const [shell, { args, start }] of Object.entries(shells)) {
    it.live.skipIf(!isThere(shell))(
      `complete what is typed in ${shell}, if there is one on this machine`,
      () =>
        Effect.gen(function* () {
          const path = yield* home
          writeFileSync(join(path, "script"), scriptFor(shell))
          const terminal = yield* onTerminal(shell, args, {
            cwd: path,
            columns: 200,
            env: { PATH: process.env["PATH"] ?? "", HOME: path, TERM: "dumb", LANG: "C.UTF-8" }
          })
          terminal.type(`${start("./script")}; echo "ready: $((40 + 2))"\r`)
          yield* terminal.until("ready: 42")
          for (const [before, after] of typed) {
            terminal.type(`${before}\t\r`)
            yield* terminal.until(`ran: ${after}`)
          }
        }).pipe(Effect.scoped)
    )
  }

  it.live.skipIf(!isThere("fish"))("complete what is typed in fish, if there is one on this machine", () =>
    Effect.gen(function* () {
      const path = yield* home
      const script = join(path, "script.fish")
      writeFileSync(script, scriptFor("fish"))
      for (const [before, after] of typed) {
        const offered = execFileSync(
          "fish",
          ["--no-config", "-c", `source ${script}; complete -C "${before}"`],
          {
            env: { PATH: process.env["PATH"] ?? "", HOME: path }
          }
        )
        const words = offered.toString().split("\n")
        assert.include(
          words.map((line) => line.split("\t")[0]),
          after.split(" ").at(-1),
          before
        )
      }
    }).pipe(Effect.scoped)
  )
})
