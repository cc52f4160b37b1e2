import { type ChildProcess, spawn } from "node:child_process"
import { once } from "node:events"
import { readFileSync, writeFileSync } from "node:fs"
import { createInterface, type Interface } from "node:readline"

/** An app that others wrote, as its makers publish it, with a home of its own. */
export interface RealClient {
  /** It asks the person to open this address. */
  signsIn(visit: (address: string) => Promise<unknown>): Promise<void>
  /** What it knows of the service's tools right after its start, and else why. */
  tools(): Promise<{ readonly count: number; readonly error: string | null }>
  /** As after twelve hours: it takes its access token for expired, and it is. Its refresh token. */
  expires(): string
}

export interface MadeClient {
  readonly name: string
  readonly package: string
  readonly command: string
  make(program: string, home: string, mcpUrl: string): Promise<RealClient>
}

export interface Started {
  readonly child: ChildProcess
  readonly lines: Interface
  /** Its exit code and signal. */
  readonly ended: Promise<ReadonlyArray<unknown>>
}

export const startProgram = (
  program: string,
  args: ReadonlyArray<string>,
  options: { readonly cwd: string; readonly env: NodeJS.ProcessEnv },
  stderr: "inherit" | "pipe" = "inherit"
): Started => {
  const child = spawn(process.execPath, [program, ...args], { ...options, stdio: ["pipe", "pipe", stderr] })
  const limit = setTimeout(() => child.kill(), 300_000)
  const ended = once(child, "close").finally(() => clearTimeout(limit))
  return { child, ended, lines: createInterface(child.stdout!) }
}

/** Changes what a client keeps in a file. */
export const rewrite = <Kept, A>(file: string, change: (kept: Kept) => A): A => {
  const kept: Kept = JSON.parse(readFileSync(file, "utf8"))
  const result = change(kept)
  writeFileSync(file, JSON.stringify(kept))
  return result
}

/** What no service knows, and as long as an access token is. */
export const unknownToken = "A".repeat(43)
