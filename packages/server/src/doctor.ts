import { findingsJson, findingsText, type Finding } from "@carillon/domain"
import * as NodeRuntime from "@effect/platform-node/NodeRuntime"
import { Effect, Layer, Logger, Option, Redacted } from "effect"
import { AppConfig } from "./AppConfig.ts"
import { diagnosis } from "./operations/Diagnosis.ts"
import { stopSentence } from "./StopSentence.ts"

const asJson = process.argv.includes("--json")

/** A configuration that no start would take is the one finding then. */
const misconfigured = (found: string): Finding => ({
  check: "configuration",
  level: "problem",
  found,
  advice: "The service does not start with this configuration."
})

const main = Effect.gen(function* () {
  const { bootstrapApiKey } = yield* AppConfig
  const ofEnvironment = Option.getOrUndefined(Option.map(bootstrapApiKey, Redacted.value))
  return yield* diagnosis(process.env["CARILLON_API_KEY"] ?? ofEnvironment)
}).pipe(
  Effect.provide(
    AppConfig.layer.pipe(Layer.provide(Logger.layer([Logger.withConsoleError(Logger.formatLogFmt)])))
  ),
  Effect.catchCause((cause) => Effect.succeed([misconfigured(stopSentence(cause))])),
  Effect.map((findings) => {
    const result = findingsJson(findings)
    process.stdout.write(`${asJson ? JSON.stringify(result, null, 2) : findingsText(findings)}\n`)
    return result.ok
  })
)

process.umask(0o077)
NodeRuntime.runMain(main, {
  disableErrorReporting: true,
  teardown: (exit, onExit) => onExit(exit._tag === "Success" && exit.value === true ? 0 : 1)
})
