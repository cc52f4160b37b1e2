import { Api, toPage } from "@carillon/domain"
import { Effect } from "effect"
import { HttpApiBuilder } from "effect/http-api"
import { listAnswer } from "../http/ListAnswer.ts"
import { InstanceWorkspaces } from "./InstanceWorkspaces.ts"

export const WorkspacesHttpLayer = HttpApiBuilder.group(
  Api,
  "workspaces",
  Effect.fnUntraced(function* (handlers) {
    const workspaces = yield* InstanceWorkspaces
    return handlers.handleAll({
      list: ({ query, request }) => listAnswer(request, toPage(query), workspaces.list(toPage(query))),
      create: ({ payload }) => workspaces.create(payload)
    })
  })
)
