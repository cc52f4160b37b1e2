import { platformApps } from "@carillon/domain"
import { ConfigProvider, Effect } from "effect"
import { closeSync, openSync, readSync } from "node:fs"

/** The variables that hold secrets. Instead of each, its name with `_FILE` may name a file that holds it. */
const secretVariables: ReadonlyArray<string> = [
  "DATABASE_URL",
  "DATABASE_LISTEN_URL",
  "CARILLON_SECRET",
  "CARILLON_PREVIOUS_SECRETS",
  "CARILLON_BOOTSTRAP_API_KEY",
  "METRICS_TOKEN",
  "S3_ACCESS_KEY_ID",
  "S3_SECRET_ACCESS_KEY",
  ...Object.values(platformApps).flatMap(({ variables: [, ...secrets] }) => secrets),
  "OTEL_EXPORTER_OTLP_HEADERS",
  "OTEL_EXPORTER_OTLP_TRACES_HEADERS"
]

export const secretFileVariables = secretVariables.map((name) => `${name}_FILE`)

/** Reads secrets from files too, as orchestrators hand them over: an environment is inherited, and shown by tools. */
export const withSecretFiles = (provider: ConfigProvider.ConfigProvider): ConfigProvider.ConfigProvider =>
  ConfigProvider.make((path) => {
    const name = path.join("_")
    if (!secretVariables.includes(name)) return provider.load(path)
    return Effect.gen(function* () {
      const given = yield* provider.load(path)
      const file = (yield* provider.load([`${name}_FILE`]))?.value
      if (file === undefined || file === "") return given
      if (given?.value !== undefined && given.value !== "") {
        return yield* new ConfigProvider.SourceError({
          message: `${name} and ${name}_FILE are both set. Remove one of them.`
        })
      }
      return yield* Effect.try({
        try: () => ConfigProvider.makeValue(secretIn(file)),
        catch: (error) =>
          new ConfigProvider.SourceError({
            message:
              `${name}_FILE is ${shownPath(file)}, which ${why(error as NodeJS.ErrnoException)}. ` +
              "Set it to the path of a file that holds the secret and nothing else."
          })
      })
    })
  })

const most = 64 * 1024

class Unfit extends Error {}

const secretIn = (path: string): string => {
  const bytes = Buffer.alloc(most + 1)
  const file = openSync(path, "r")
  let length = 0
  try {
    for (;;) {
      const read = readSync(file, bytes, length, bytes.length - length, null)
      if (read === 0) break
      length += read
    }
  } finally {
    closeSync(file)
  }
  if (length > most) throw new Unfit(`is larger than ${most / 1024} KiB`)
  const text = textIn(bytes.subarray(0, length)).replace(/\r?\n$/, "")
  if (text === "") throw new Unfit("is empty")
  return text
}

const textIn = (bytes: Uint8Array) => {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes)
  } catch {
    throw new Unfit("is not text in UTF-8")
  }
}

/** The secret itself may have been put in the place of its path. */
const shownPath = (path: string) => (/^(\/|\.\.?\/)[^\s@]*$/.test(path) ? JSON.stringify(path) : "not shown")

const why = (error: NodeJS.ErrnoException) => {
  if (error instanceof Unfit) return error.message
  switch (error.code) {
    case "ENOENT":
      return "does not exist"
    case "EISDIR":
      return "is a directory"
    case "EACCES":
    case "EPERM":
      return "this user may not read"
    default:
      return `cannot be read (${error.code ?? "not a path"})`
  }
}
