import { Effect, Layer, Schema } from "effect"
import { hasProperty } from "effect/Predicate"
import { fork } from "node:child_process"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { AppConfig } from "./AppConfig.ts"

export class SandboxFailed extends Schema.TaggedError<SandboxFailed>()("SandboxFailed", {
  message: Schema.String
}) {}

/** Runs the test network as a process beside this one. It ends with this process, however that ends. */
export const SandboxProcessLayer = Layer.effectDiscard(
  Effect.gen(function* () {
    const config = yield* AppConfig
    if (!config.sandbox) return
    yield* Effect.acquireRelease(start(config), (child) => Effect.sync(() => child.disconnect()))
  })
)

/** The variables that it and Node read: none of the service's secrets. */
const passedOn = () =>
  Object.fromEntries(
    ["NODE_OPTIONS", "PATH", "SANDBOX_HOST", "TMPDIR", "TZ"].flatMap((name) =>
      process.env[name] === undefined ? [] : [[name, process.env[name]]]
    )
  )

const start = ({ sandboxPort, dataDir }: AppConfig["Service"]) =>
  Effect.callback<ReturnType<typeof fork>, SandboxFailed>((resume) => {
    const child = fork(fileURLToPath(import.meta.resolve("@carillon/sandbox/main")), {
      env: { ...passedOn(), SANDBOX_PORT: String(sandboxPort), SANDBOX_DIR: join(dataDir, "sandbox") },
      stdio: ["ignore", "ignore", "inherit", "ipc"]
    })
    let why = ""
    child.once("message", (said) => {
      if (hasProperty(said, "failed")) why = String(said.failed)
      else resume(Effect.succeed(child))
    })
    child.once("exit", (code) =>
      resume(
        Effect.fail(
          new SandboxFailed({
            message:
              `CARILLON_SANDBOX is on, but the test network did not start: ${why || `it ended with ${code}`} ` +
              "Only one process can run it. In the others, set SANDBOX_URL to use it, or CARILLON_SANDBOX=off to go without."
          })
        )
      )
    )
  })
