import { Api } from "@carillon/domain"
import { Effect, Layer } from "effect"
import { HttpServerResponse } from "effect/http"
import { HttpApiBuilder } from "effect/http-api"
import { Backups } from "./Backups.ts"

export const BackupsHttpLayer = HttpApiBuilder.group(
  Api,
  "backups",
  Effect.fnUntraced(function* (handlers) {
    const backups = yield* Backups
    return handlers.handle("create", ({ payload }) =>
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
).pipe(Layer.provide(Backups.layer))

const withoutSecret =
  "This backup does not hold CARILLON_SECRET: after a restore accounts have to be connected again, unless the same secret is set there."
