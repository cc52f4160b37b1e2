import * as NodeRuntime from "@effect/platform-node/NodeRuntime"
import { Cause, Config, Console, DateTime, Effect, Layer, Option } from "effect"
import { existsSync } from "node:fs"
import { join } from "node:path"
import { AppConfig } from "./AppConfig.ts"
import { ConfigInvalid } from "./ConfigValues.ts"
import { passwordLinkMinutes, passwordLinkPurpose, passwordTicket } from "./auth/PasswordLink.ts"
import { Secrets } from "./crypto/Secrets.ts"
import { LoggingLayer } from "./Logging.ts"
import { addressKeptIn } from "./StartedAddress.ts"
import { stopSentence } from "./StopSentence.ts"

/** Signs a link with the service's secret. The service may run meanwhile: its database is not opened. */
const main = Effect.gen(function* () {
  const { dataDir, publicUrl, secret } = yield* AppConfig
  if (Option.isNone(secret) && !existsSync(join(dataDir, "secret"))) {
    return yield* new ConfigInvalid({
      message:
        `CARILLON_SECRET is not set, and DATA_DIR, which is ${JSON.stringify(dataDir)}, has no secret. ` +
        "Run this command with the service's environment."
    })
  }
  const key = yield* Effect.map(Secrets, (secrets) => secrets.key(passwordLinkPurpose)).pipe(
    Effect.provide(Secrets.layer)
  )
  const given = yield* Config.option(Config.String("PUBLIC_URL"))
  const address = (Option.isNone(given) ? addressKeptIn(dataDir) : undefined) ?? publicUrl
  yield* Console.log(
    "Choose the owner's new password in a browser. It ends every session, and removes the second factor: the\n" +
      "authenticator app, its recovery codes and the passkeys.\n" +
      `This link works once, for ${passwordLinkMinutes} minutes:\n` +
      `  ${address}/welcome/${passwordTicket(key, yield* DateTime.now)}`
  )
}).pipe(
  Effect.provide(AppConfig.layer.pipe(Layer.provide(LoggingLayer))),
  Effect.tapCause((cause) =>
    Cause.hasInterruptsOnly(cause)
      ? Effect.void
      : Console.error(`\nNo link was made. ${stopSentence(cause)}\n`)
  )
)

process.umask(0o077)
NodeRuntime.runMain(main, { disableErrorReporting: true })
