import { Api } from "@carillon/domain"
import { Effect } from "effect"
import { HttpApiBuilder } from "effect/http-api"
import { Notifications } from "./Notifications.ts"

export const NotificationsHttpLayer = HttpApiBuilder.group(
  Api,
  "notifications",
  Effect.fnUntraced(function* (handlers) {
    const notifications = yield* Notifications
    return handlers.handleAll({
      get: () => notifications.get,
      set: ({ payload }) => notifications.set(payload),
      delete: () => Effect.as(notifications.delete, { success: true as const }),
      test: () => notifications.test
    })
  })
)
