import { Api, toPage } from "@carillon/domain"
import { Effect } from "effect"
import { HttpApiBuilder } from "effect/http-api"
import { listAnswer } from "../http/ListAnswer.ts"
import { ApiKeys } from "./ApiKeys.ts"

export const ApiKeysHttpLayer = HttpApiBuilder.group(
  Api,
  "apiKeys",
  Effect.fnUntraced(function* (handlers) {
    const keys = yield* ApiKeys
    return handlers.handleAll({
      list: ({ query, request }) => listAnswer(request, toPage(query), keys.list(toPage(query))),
      create: ({ payload }) => keys.create(payload),
      delete: ({ params }) => Effect.map(keys.delete(params.key_id), (id) => ({ success: true as const, id }))
    })
  })
)
