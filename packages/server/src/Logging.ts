import { Config, Effect, Layer, Logger, References } from "effect"
import { readable } from "./ConfigValues.ts"

/** LOG_LEVEL and LOG_FORMAT. On a terminal lines for people, else JSON for machines. */
export const LoggingLayer = Layer.unwrap(
  Effect.gen(function* () {
    const { level, format } = yield* readable(
      Config.all({
        level: Config.Literals(["debug", "info", "warn", "error"], "LOG_LEVEL").pipe(
          Config.withDefault("info")
        ),
        format: Config.Literals(["pretty", "json"], "LOG_FORMAT").pipe(
          Config.withDefault(process.stderr.isTTY ? "pretty" : "json")
        )
      })
    )
    return Layer.mergeAll(
      Logger.layer([format === "json" ? Logger.consoleJson : Logger.consolePretty()]),
      Layer.succeed(References.MinimumLogLevel, levels[level])
    )
  })
)

const levels = { debug: "Debug", info: "Info", warn: "Warn", error: "Error" } as const
