import { Api, toPage } from "@carillon/domain"
import { Effect } from "effect"
import { HttpApiBuilder } from "effect/http-api"
import { listAnswer } from "../http/ListAnswer.ts"
import { Connect } from "./Connect.ts"
import { SocialAccounts } from "./SocialAccounts.ts"

export const SocialAccountsHttpLayer = HttpApiBuilder.group(
  Api,
  "accounts",
  Effect.fnUntraced(function* (handlers) {
    const accounts = yield* SocialAccounts
    const connect = yield* Connect
    return handlers.handleAll({
      list: ({ query, request }) => listAnswer(request, toPage(query), accounts.list(query, toPage(query))),
      get: ({ params }) => accounts.get(params.account_id),
      options: ({ params }) => accounts.options(params.account_id),
      connect: ({ payload }) => accounts.connect(payload),
      startConnect: ({ payload }) => connect.start(payload),
      connectLink: ({ payload: { return_url, ...rest } }) =>
        Effect.map(
          connect.start({ ...rest, ...(return_url === undefined ? {} : { redirect_url: return_url }) }),
          ({ authorize_url, expires_at }) => ({ url: authorize_url, expires_at })
        ),
      update: ({ params, payload }) => accounts.update(params.account_id, payload),
      disconnect: ({ params }) =>
        Effect.map(accounts.disconnect(params.account_id), (id) => ({ success: true as const, id }))
    })
  })
)
