import { Api } from "@carillon/domain"
import { Effect } from "effect"
import { HttpApiBuilder } from "effect/http-api"
import { Queue } from "./Queue.ts"

export const QueueHttpLayer = HttpApiBuilder.group(
  Api,
  "queue",
  Effect.fnUntraced(function* (handlers) {
    const queue = yield* Queue
    return handlers.handleAll({
      get: () => queue.get,
      set: ({ payload }) => queue.set(payload),
      slots: ({ query }) =>
        Effect.map(queue.free(query), ({ data, total, count }) => ({
          data,
          meta: { total, offset: 0, limit: count, next: null }
        }))
    })
  })
)
