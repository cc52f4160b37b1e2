import { Effect } from "effect"
import { spawn } from "node:child_process"
import { join } from "node:path"
import { text } from "node:stream/consumers"
import { Service } from "./ServiceProcess.ts"

const repository = join(import.meta.dirname, "../../..")

/** The command line in a process of its own without a terminal, with the service's address and key. */
export const carillon = Effect.fnUntraced(function* (
  home: string,
  args: ReadonlyArray<string>,
  input: string | Uint8Array = ""
) {
  const { key, url } = yield* Service
  const env = {
    ...process.env,
    CARILLON_URL: url,
    CARILLON_API_KEY: key,
    XDG_CONFIG_HOME: join(home, "config"),
    XDG_CACHE_HOME: join(home, "cache")
  }
  return yield* Effect.promise(async () => {
    const child = spawn(process.execPath, ["packages/cli/carillon.js", ...args], { cwd: repository, env })
    child.stdin.end(input)
    const [stdout, stderr, code] = await Promise.all([
      text(child.stdout),
      text(child.stderr),
      new Promise<number | null>((resolve) => child.once("close", resolve))
    ])
    return { stdout, stderr, code }
  })
})

/** What a command that has to end well prints. */
export const printed = Effect.fnUntraced(function* (home: string, ...args: ReadonlyArray<string>) {
  const { code, stderr, stdout } = yield* carillon(home, args)
  if (code !== 0) return yield* Effect.die(new Error(stderr))
  return JSON.parse(stdout)
})
