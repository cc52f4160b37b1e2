import {
  chmodSync,
  closeSync,
  mkdirSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync
} from "node:fs"
import { homedir } from "node:os"
import { dirname, join } from "node:path"
import { CliError, exitCodes } from "./CliError.ts"

/** The tokens of a sign-in with the browser. */
export interface StoredTokens {
  readonly access_token: string
  readonly refresh_token: string
  /** When the access token ends, ISO 8601. */
  readonly expires_at: string
}

/** The address of a service, with a key or the tokens of a sign-in. */
export interface StoredProfile {
  readonly url: string
  readonly api_key?: string
  readonly tokens?: StoredTokens
}

export interface Config {
  readonly profiles: Readonly<Record<string, StoredProfile>>
}

type Environment = Readonly<Record<string, string | undefined>>

export const defaultProfile = "default"

export const configPath = (env: Environment): string =>
  join(env["XDG_CONFIG_HOME"] || join(env["HOME"] || homedir(), ".config"), "carillon", "config.json")

/** Reads what `carillon login` has stored; nothing if there is no file. */
export const readConfig = (env: Environment): Config => {
  const path = configPath(env)
  const text = (() => {
    try {
      return readFileSync(path, "utf8")
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === "ENOENT") return '{"profiles":{}}'
      throw error
    }
  })()
  try {
    const { profiles }: Config = JSON.parse(text)
    if (Object.values(profiles).every(({ url }) => typeof url === "string")) return { profiles }
  } catch {
    // The check below reports it: one message for text that is not JSON and for JSON of another shape.
  }
  throw new CliError(
    exitCodes.error,
    `${path} is not a valid carillon configuration file.`,
    "Delete it, then sign in again: carillon login"
  )
}

/** Changes the stored profiles under a lock, so that two commands at once lose nothing of each other's. */
export const changeProfiles = (
  env: Environment,
  change: (profiles: Config["profiles"]) => Config["profiles"]
): void => {
  const path = configPath(env)
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 })
  alone(path, () => write(path, { profiles: change(readConfig(env).profiles) }))
}

/** A write takes a few milliseconds, so an older lock was left by a command that was killed. */
const longestLock = 2_000

const alone = (path: string, work: () => void): void => {
  const lock = `${path}.lock`
  while (!isTaken(lock)) {
    const age = Date.now() - (statSync(lock, { throwIfNoEntry: false })?.mtimeMs ?? Date.now())
    if (age > longestLock) rmSync(lock, { force: true })
    else Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 10)
  }
  try {
    work()
  } finally {
    rmSync(lock, { force: true })
  }
}

const isTaken = (lock: string): boolean => {
  try {
    closeSync(openSync(lock, "wx", 0o600))
    return true
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "EEXIST") return false
    throw error
  }
}

/** Writes the file whole or not at all, for its owner alone: it holds keys. */
const write = (path: string, config: Config): void => {
  const beside = `${path}.${process.pid}`
  writeFileSync(beside, `${JSON.stringify(config, undefined, 2)}\n`, { mode: 0o600 })
  chmodSync(beside, 0o600)
  renameSync(beside, path)
}

/** Whether other users of this machine may read the file. */
export const isExposed = (env: Environment): boolean => {
  const found = statSync(configPath(env), { throwIfNoEntry: false })
  return process.platform !== "win32" && found !== undefined && (found.mode & 0o077) !== 0
}

/** Whether two addresses lead to one service: a key goes to its own service only. */
export const sameService = (a: string, b: string) => a.replace(/\/+$/, "") === b.replace(/\/+$/, "")
