import { Api, toPage } from "@carillon/domain"
import { Effect } from "effect"
import { HttpApiBuilder, HttpApiSchema } from "effect/http-api"
import { type Answer, answerResponse, RequestKey } from "../http/Idempotency.ts"
import { listAnswer } from "../http/ListAnswer.ts"
import { requesting } from "./ApprovalHold.ts"
import { PostApprovals } from "./PostApprovals.ts"
import { PostCalendar } from "./PostCalendar.ts"
import { PostOutcomes } from "./PostOutcomes.ts"
import { type Created, Posts } from "./Posts.ts"
import type { Versioned } from "./PostVersion.ts"

const tagged = ({ post, etag }: Versioned) => HttpApiSchema.withHeaders({ body: post, headers: { etag } })

const createdAnswer = ({ encoded, etag }: Created): Answer => ({
  status: 201,
  headers: { etag },
  body: JSON.stringify(encoded)
})

export const PostsHttpLayer = HttpApiBuilder.group(
  Api,
  "posts",
  Effect.fnUntraced(function* (handlers) {
    const posts = yield* Posts
    const approvals = yield* PostApprovals
    const outcomes = yield* PostOutcomes
    const calendar = yield* PostCalendar
    return handlers.handleAll({
      // The answer is stored with the post, so it is encoded here and not by HttpApi.
      create: Effect.fnUntraced(function* ({ payload }) {
        const key = yield* RequestKey
        let stored: Answer | undefined
        const answerOf = (post: Created) => (stored = createdAnswer(post))
        const created = yield* posts.create(payload, key && { key, answerOf })
        return answerResponse(stored ?? createdAnswer(created))
      }),
      list: ({ query, request }) => listAnswer(request, toPage(query), posts.list(query, toPage(query))),
      calendar: ({ query }) => calendar.show(query),
      get: ({ params }) => Effect.map(posts.get(params.post_id), tagged),
      update: ({ params, payload, headers }) =>
        Effect.map(posts.update(params.post_id, payload, headers["if-match"]), tagged),
      validate: ({ payload }) => posts.validate(payload),
      publish: ({ params, headers }) =>
        Effect.map(posts.update(params.post_id, { publish: true }, headers["if-match"]), tagged),
      requestApproval: ({ params, payload, headers }) =>
        Effect.map(posts.update(params.post_id, requesting(payload ?? {}), headers["if-match"]), tagged),
      approve: ({ params, payload, headers }) =>
        Effect.map(posts.update(params.post_id, { approve: payload ?? {} }, headers["if-match"]), tagged),
      refuse: ({ params, payload, headers }) =>
        Effect.map(approvals.refuse(params.post_id, payload ?? {}, headers["if-match"]), tagged),
      retry: ({ params, payload }) => Effect.map(outcomes.retry(params.post_id, payload ?? {}), tagged),
      delete: ({ params, headers }) =>
        Effect.map(posts.delete(params.post_id, headers["if-match"]), (id) => ({
          success: true as const,
          id
        }))
    })
  })
)

export const PostResultsHttpLayer = HttpApiBuilder.group(
  Api,
  "results",
  Effect.fnUntraced(function* (handlers) {
    const outcomes = yield* PostOutcomes
    return handlers.handleAll({
      list: ({ query, request }) => listAnswer(request, toPage(query), outcomes.list(query, toPage(query))),
      get: ({ params }) => outcomes.get(params.result_id),
      confirm: ({ params, payload }) => outcomes.confirm(params.result_id, payload),
      dismiss: ({ params, payload }) => outcomes.dismiss(params.result_id, payload)
    })
  })
)
