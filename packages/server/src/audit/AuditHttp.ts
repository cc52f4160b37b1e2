import { Api, toPage } from "@carillon/domain"
import { Effect } from "effect"
import { HttpApiBuilder } from "effect/http-api"
import { listAnswer } from "../http/ListAnswer.ts"
import { Audit } from "./Audit.ts"

export const AuditHttpLayer = HttpApiBuilder.group(
  Api,
  "audit",
  Effect.fnUntraced(function* (handlers) {
    const audit = yield* Audit
    return handlers.handleAll({
      list: ({ query, request }) => listAnswer(request, toPage(query), audit.list(query, toPage(query)))
    })
  })
)
