import { Api } from "@carillon/domain"
import { Effect } from "effect"
import { HttpApiBuilder } from "effect/http-api"
import { ClientReviews } from "./ClientReviews.ts"

export const ClientReviewsHttpLayer = HttpApiBuilder.group(
  Api,
  "clientReviews",
  Effect.fnUntraced(function* (handlers) {
    const reviews = yield* ClientReviews
    return handlers.handleAll({
      all: ({ params }) => Effect.map(reviews.all(params.post_id), (data) => ({ data })),
      links: ({ params }) => Effect.map(reviews.links(params.post_id), (data) => ({ data })),
      createLink: ({ params, payload }) => reviews.createLink(params.post_id, payload ?? {}),
      revokeLink: ({ params }) =>
        Effect.map(reviews.revokeLink(params.post_id, params.review_link_id), (id) => ({
          success: true as const,
          id
        }))
    })
  })
)
