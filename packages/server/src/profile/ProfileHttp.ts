import { Api } from "@carillon/domain"
import { Effect } from "effect"
import { HttpApiBuilder } from "effect/http-api"
import { Workspaces } from "./Workspaces.ts"

export const ProfileHttpLayer = HttpApiBuilder.group(
  Api,
  "profile",
  Effect.fnUntraced(function* (handlers) {
    const workspaces = yield* Workspaces
    return handlers.handleAll({
      get: () => workspaces.profile,
      update: ({ payload }) => workspaces.update(payload)
    })
  })
)
