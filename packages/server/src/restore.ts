import "effect/schema/SchemaJITCompiler/enable"
import * as NodeRuntime from "@effect/platform-node/NodeRuntime"
import { Cause, Effect, Layer, Option } from "effect"
import { parseArgs } from "node:util"
import { AppConfig } from "./AppConfig.ts"
import { type Restored, restore, RestoreRefused } from "./backup/Restore.ts"
import { LoggingLayer } from "./Logging.ts"
import { stopSentence } from "./StopSentence.ts"
import * as DatabaseClock from "./sql/DatabaseClock.ts"
import * as Sql from "./sql/Sql.ts"
import { Wakeup } from "./sql/Wakeup.ts"

const usage = "Usage: npm run restore FILE [-- --passphrase-file FILE] [--without-secret]"

const asked = Effect.try({
  try: () => {
    const { positionals, values } = parseArgs({
      allowPositionals: true,
      options: { "passphrase-file": { type: "string" }, "without-secret": { type: "boolean" } }
    })
    const [file, ...more] = positionals
    if (file === undefined || more.length > 0) throw new Error("Give exactly one FILE")
    return {
      file,
      passphraseFile: values["passphrase-file"],
      withoutSecret: values["without-secret"] === true
    }
  },
  catch: (cause) => new RestoreRefused({ message: `${(cause as Error).message}. ${usage}` })
})

/** An empty database: a backup of an older release begins with the migrations of its time. */
const Database = Layer.unwrap(
  Effect.map(AppConfig, (config) => Sql.layerWith({ ...config, patient: true }, {}))
)

const told = Effect.fnUntraced(function* ({ manifest, media, doubtful, secret }: Restored) {
  const { databaseUrl, secret: configured, dataDir } = yield* AppConfig
  const rows = manifest.tables.find(({ name }) => name === "posts")?.rows ?? 0
  const sentences = [
    `Restored the backup of ${manifest.made_at}: ${rows} posts` +
      (manifest.media.included ? `, ${media} media files.` : ", no media files."),
    ...(manifest.media.included
      ? []
      : [
          "Its media are not in the backup: copy DATA_DIR/media from the previous instance, or use the same bucket."
        ]),
    ...(doubtful === 0
      ? []
      : [
          `Unconfirmed results, because their time has passed since the backup: ${doubtful}. Find their posts with result=unconfirmed, check the accounts, and confirm or retry each.`
        ]),
    ...(secret === "lost"
      ? [
          "Without the backup's CARILLON_SECRET nobody can tell whether the file was changed: look at the members and API keys.",
          "CARILLON_SECRET is not the backup's: reconnect all accounts, rotate the secrets of webhooks, and enter again the platform apps that were entered in the console."
        ]
      : []),
    ...(secret === "opened"
      ? [
          Option.isSome(databaseUrl) || Option.isSome(configured)
            ? `The backup's CARILLON_SECRET is in ${dataDir}/secret: set CARILLON_SECRET to it before you start the service.`
            : `The backup's CARILLON_SECRET is in ${dataDir}/secret, where the service finds it.`
        ]
      : []),
    "Make sure that the previous instance never runs again, then start this one."
  ]
  process.stdout.write(`${sentences.join("\n")}\n`)
})

const main = Effect.flatMap(asked, restore).pipe(
  Effect.flatMap(told),
  Effect.provide(
    Wakeup.layer.pipe(
      Layer.provideMerge(DatabaseClock.layer),
      Layer.provideMerge(Database),
      Layer.provideMerge(AppConfig.layer)
    )
  ),
  Effect.scoped,
  Effect.provide(LoggingLayer),
  Effect.tapCause((cause) =>
    Effect.sync(() => {
      if (Cause.hasInterruptsOnly(cause)) return
      process.stderr.write(`\nNothing was restored. ${stopSentence(cause)}\n\n`)
    })
  )
)

process.umask(0o077)
NodeRuntime.runMain(main, { disableErrorReporting: true })
