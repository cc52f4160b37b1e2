import { Api, toPage } from "@carillon/domain"
import { Effect } from "effect"
import { HttpApiBuilder } from "effect/http-api"
import { listAnswer } from "../http/ListAnswer.ts"
import { Webhooks } from "./Webhooks.ts"

export const WebhooksHttpLayer = HttpApiBuilder.group(
  Api,
  "webhooks",
  Effect.fnUntraced(function* (handlers) {
    const webhooks = yield* Webhooks
    return handlers.handleAll({
      list: ({ query, request }) => listAnswer(request, toPage(query), webhooks.list(toPage(query))),
      create: ({ payload }) => webhooks.create(payload),
      get: ({ params }) => webhooks.get(params.webhook_id),
      update: ({ params, payload }) => webhooks.update(params.webhook_id, payload),
      delete: ({ params }) =>
        Effect.map(webhooks.delete(params.webhook_id), (id) => ({ success: true as const, id })),
      rotateSecret: ({ params }) => webhooks.rotateSecret(params.webhook_id),
      test: ({ params }) => webhooks.test(params.webhook_id),
      deliveries: ({ params, query, request }) =>
        listAnswer(request, toPage(query), webhooks.deliveries(params.webhook_id, query, toPage(query))),
      redeliver: ({ params }) => webhooks.redeliver(params.delivery_id)
    })
  })
)
