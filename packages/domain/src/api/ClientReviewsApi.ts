import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api"
import {
  ClientReviewList,
  CreateReviewLink,
  mostReviewLinks,
  NewReviewLink,
  ReviewLinkList,
  ReviewLinkRevoked
} from "../ClientReview.ts"
import { Conflict, NotFound } from "../Problems.ts"
import { about } from "./About.ts"
import { Authorization } from "./Authorization.ts"
import { PathId } from "./PathId.ts"
import { RequestProblems } from "./RequestProblems.ts"

const params = { post_id: PathId("the post") }
const whoPublishes = { scope: "posts:publish" } as const

export class ClientReviewsApi extends HttpApiGroup.make("clientReviews")
  .add(
    HttpApiEndpoint.get("all", "/:post_id/client-reviews", {
      params,
      success: ClientReviewList,
      error: NotFound
    }).annotateMerge(
      about({ scope: "posts:read", codes: ["not_found"], summary: "List what clients said of a post" })
    ),
    HttpApiEndpoint.get("links", "/:post_id/review-links", {
      params,
      success: ReviewLinkList,
      error: [NotFound, Conflict]
    }).annotateMerge(
      about({
        ...whoPublishes,
        codes: ["not_found", "account_not_allowed", "approval_needed"],
        summary: "List the review links of a post"
      })
    ),
    HttpApiEndpoint.post("createLink", "/:post_id/review-links", {
      params,
      // The body is optional.
      payload: [CreateReviewLink, Schema.Null],
      success: NewReviewLink.pipe(HttpApiSchema.status(201)),
      error: [NotFound, Conflict]
    }).annotateMerge(
      about({
        ...whoPublishes,
        codes: ["not_found", "account_not_allowed", "approval_needed", "review_link_limit_reached"],
        summary: "Ask a client about a post",
        description:
          "Makes a link with which somebody without an account sees the post as each network will show it, as it is at that moment, and says yes, no or " +
          `something else. The address is in this answer only. ${mostReviewLinks} links of a post work at a time. ` +
          "Whoever may publish the post may ask, a person or a key; an app that is held for approval may not. A yes approves a post that waits only " +
          "where the workspace's `client_approval` is true and a person made the link."
      })
    ),
    HttpApiEndpoint.delete("revokeLink", "/:post_id/review-links/:review_link_id", {
      params: { ...params, review_link_id: PathId("the review link") },
      success: ReviewLinkRevoked,
      error: [NotFound, Conflict]
    }).annotateMerge(
      about({
        ...whoPublishes,
        codes: ["not_found", "account_not_allowed", "approval_needed"],
        summary: "Revoke a review link",
        description: "It opens nothing from now on. What was said with it stays."
      })
    )
  )
  .middleware(Authorization)
  .prefix("/v1/posts")
  .middleware(RequestProblems)
  .annotateMerge(
    OpenApi.annotations({
      title: "Client reviews",
      description: "Links with which somebody without an account sees a post, and what they said of it."
    })
  ) {}
