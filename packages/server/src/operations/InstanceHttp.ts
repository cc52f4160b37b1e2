import { Api, isOk } from "@carillon/domain"
import { Effect, Option, Semaphore } from "effect"
import { HttpApiBuilder } from "effect/http-api"
import { SqlClient } from "effect/sql"
import { AppConfig } from "../AppConfig.ts"
import { Platforms } from "../platforms/Platforms.ts"
import { version } from "../version.ts"
import { ownDiagnosis } from "./Diagnosis.ts"

export const InstanceHttpLayer = HttpApiBuilder.group(
  Api,
  "instance",
  Effect.fnUntraced(function* (handlers) {
    const { publicUrl, sandboxUrl, videoTranscoding, maximumBytes } = yield* AppConfig
    const platforms = yield* Platforms
    const instance = () => ({
      version,
      public_url: publicUrl,
      closed_to: platforms.unreached,
      video_transcoding: videoTranscoding,
      maximum_bytes: maximumBytes,
      test_network_url: Option.getOrNull(sandboxUrl),
      connectable: platforms.connectable
    })
    const oneAtATime = yield* Semaphore.make(1)
    const context = yield* Effect.context<AppConfig | SqlClient.SqlClient>()
    const checks = Effect.gen(function* () {
      const checks = yield* ownDiagnosis.pipe(oneAtATime.withPermit, Effect.provide(context))
      return { ok: isOk(checks), checks }
    })
    return handlers.handleAll({ get: () => Effect.sync(instance), checks: () => checks })
  })
)
