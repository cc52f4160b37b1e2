import { Api } from "@carillon/domain"
import { Effect } from "effect"
import { HttpApiBuilder } from "effect/http-api"
import { Profiles } from "./Profiles.ts"

export const ProfileHttpLayer = HttpApiBuilder.group(
  Api,
  "profile",
  Effect.fnUntraced(function* (handlers) {
    const profiles = yield* Profiles
    return handlers.handleAll({
      get: () => profiles.get,
      update: ({ payload }) => profiles.update(payload)
    })
  })
)
