import { run } from "@carillon/cli/Cli"
import type { Terminal } from "@carillon/cli/Terminal"
import { Effect } from "effect"
import { join } from "node:path"
import { PassThrough } from "node:stream"
import { text } from "node:stream/consumers"
import { Service } from "./ServiceProcess.ts"

/** The command line in this process, for a start of its own costs half a second of CPU. It has no terminal. */
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
    const [stdin, stdout, stderr] = [new PassThrough(), new PassThrough(), new PassThrough()]
    stdin.end(input)
    const output = Promise.all([text(stdout), text(stderr)])
    const code = await run(args, { stdin, stdout, stderr, env } as unknown as Terminal)
    for (const stream of [stdout, stderr]) stream.end()
    const [said, told] = await output
    return { stdout: said, stderr: told, code }
  })
})

/** What a command that has to end well prints. */
export const printed = Effect.fnUntraced(function* (home: string, ...args: ReadonlyArray<string>) {
  const { code, stderr, stdout } = yield* carillon(home, args)
  if (code !== 0) return yield* Effect.die(new Error(stderr))
  return JSON.parse(stdout)
})
