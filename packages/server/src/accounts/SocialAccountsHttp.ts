import { Api, problem, type StartConnect, toPage } from "@carillon/domain"
import { Effect } from "effect"
import { HttpEffect, HttpServerResponse } from "effect/http"
import { HttpApiBuilder } from "effect/http-api"
import { listAnswer } from "../http/ListAnswer.ts"
import { Connect } from "./Connect.ts"
import { PendingConnections } from "./PendingConnections.ts"
import { SocialAccounts } from "./SocialAccounts.ts"

export const SocialAccountsHttpLayer = HttpApiBuilder.group(
  Api,
  "accounts",
  Effect.fnUntraced(function* (handlers) {
    const accounts = yield* SocialAccounts
    const connect = yield* Connect
    const pending = yield* PendingConnections
    const start = (request: StartConnect) =>
      Effect.catchTag(connect.start(request), "ConnectLater", ({ message, retry_after_seconds }) =>
        Effect.andThen(
          HttpEffect.appendPreResponseHandler((_, response) =>
            Effect.succeed(HttpServerResponse.setHeader(response, "retry-after", String(retry_after_seconds)))
          ),
          problem("rate_limited", message)
        )
      )
    return handlers.handleAll({
      list: ({ query, request }) => listAnswer(request, toPage(query), accounts.list(query, toPage(query))),
      get: ({ params }) => accounts.get(params.account_id),
      pending: ({ params, query }) => pending.get(params.pending_id, query),
      choose: ({ params, payload }) => pending.choose(params.pending_id, payload),
      options: ({ params }) => accounts.options(params.account_id),
      connect: ({ payload }) => accounts.connect(payload),
      startConnect: ({ payload }) => start(payload),
      connectLink: ({ payload: { return_url, ...rest } }) =>
        Effect.map(
          start({ ...rest, ...(return_url === undefined ? {} : { redirect_url: return_url }) }),
          ({ authorize_url, expires_at }) => ({ url: authorize_url, expires_at })
        ),
      update: ({ params, payload }) => accounts.update(params.account_id, payload),
      disconnect: ({ params }) =>
        Effect.map(accounts.disconnect(params.account_id), (id) => ({ success: true as const, id }))
    })
  })
)
