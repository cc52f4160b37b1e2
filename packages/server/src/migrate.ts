import * as NodeRuntime from "@effect/platform-node/NodeRuntime"
import { Cause, Console, Effect, Layer } from "effect"
import { parseArgs } from "node:util"
import { AppConfig } from "./AppConfig.ts"
import { ConfigInvalid } from "./ConfigValues.ts"
import { LoggingLayer } from "./Logging.ts"
import { migrations } from "./sql/Migrations.ts"
import { hasNoDatabase, layerToMigrate, migrate, planned } from "./sql/Sql.ts"
import { stopSentence } from "./StopSentence.ts"

const asked = Effect.try({
  try: () => parseArgs({ options: { "dry-run": { type: "boolean" } } }).values["dry-run"] === true,
  catch: (cause) =>
    new ConfigInvalid({
      message: `${(cause as Error).message}. Usage: npm run migrate [-- --dry-run]`
    })
})

const lines = (sentences: ReadonlyArray<string>) => sentences.map((sentence) => `  ${sentence}`).join("\n")

const dryRun = Effect.gen(function* () {
  const { last, todo } = yield* planned(migrations)
  const count = todo.length === 1 ? "1 migration" : `${todo.length} migrations`
  yield* Console.log(
    todo.length === 0
      ? `The database is up to date: its last migration is ${last}. Nothing would be done.`
      : `The database's last migration is ${last ?? "none"}. ${count} would run; nothing was changed.\n${lines(todo)}`
  )
})

const run = Effect.gen(function* () {
  const { todo } = yield* planned(migrations)
  yield* migrate(migrations)
  yield* Console.log(
    todo.length === 0
      ? "The database was up to date; nothing was done."
      : `The database is up to date now. What was done:\n${lines(todo)}`
  )
})

const main = Effect.gen(function* () {
  const onlyLook = yield* asked
  const config = yield* AppConfig
  if (hasNoDatabase(config)) {
    return yield* Console.log(
      `There is no database in ${config.dataDir} yet; the first start creates it. Nothing was done.`
    )
  }
  yield* Effect.provide(onlyLook ? dryRun : run, layerToMigrate(config), { local: true })
}).pipe(
  Effect.provide(AppConfig.layer.pipe(Layer.provide(LoggingLayer))),
  Effect.tapCause((cause) =>
    Cause.hasInterruptsOnly(cause) ? Effect.void : Console.error(`\nNot done. ${stopSentence(cause)}\n`)
  )
)

process.umask(0o077)
NodeRuntime.runMain(main, { disableErrorReporting: true })
