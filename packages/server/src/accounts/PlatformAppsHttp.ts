import { Api } from "@carillon/domain"
import { Effect, Layer } from "effect"
import { HttpApiBuilder } from "effect/http-api"
import { PlatformApps } from "./PlatformApps.ts"

export const PlatformAppsHttpLayer = HttpApiBuilder.group(
  Api,
  "platformApps",
  Effect.fnUntraced(function* (handlers) {
    const apps = yield* PlatformApps
    return handlers.handleAll({
      all: () => Effect.map(apps.all, (data) => ({ data })),
      set: ({ params, payload }) => apps.set(params.app, payload),
      remove: ({ params }) => Effect.map(apps.remove(params.app), (app) => ({ success: true as const, app })),
      test: ({ params, payload }) => apps.test(params.app, payload)
    })
  })
).pipe(Layer.provide(PlatformApps.layer))
