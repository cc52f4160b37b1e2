import { Api } from "@carillon/domain"
import { Effect, Layer } from "effect"
import { HttpServerResponse } from "effect/http"
import { HttpApiBuilder } from "effect/http-api"
import { AppConfig } from "../AppConfig.ts"
import { Backups } from "./Backups.ts"
import { scheduleOf } from "./BackupSchedule.ts"
import { ScheduleRepository } from "./ScheduleRepository.ts"

export const BackupsHttpLayer = HttpApiBuilder.group(
  Api,
  "backups",
  Effect.fnUntraced(function* (handlers) {
    const backups = yield* Backups
    const runs = yield* ScheduleRepository
    const { backup } = yield* AppConfig
    const schedule = Effect.map(runs.last, (last) => scheduleOf(backup, last))
    return handlers
      .handle("schedule", () => schedule)
      .handle("create", ({ payload }) =>
        Effect.map(backups.create(payload), ({ name, bytes }) =>
          HttpServerResponse.raw(bytes, {
            contentType: "application/x-tar",
            headers: {
              "content-disposition": `attachment; filename="${name}"`,
              ...(payload.passphrase ? {} : { "carillon-notice": withoutSecret })
            }
          })
        )
      )
  })
).pipe(Layer.provide([Backups.layer, ScheduleRepository.layer]))

const withoutSecret =
  "This backup does not contain CARILLON_SECRET: after a restore, accounts must be reconnected unless the same secret is set there."
