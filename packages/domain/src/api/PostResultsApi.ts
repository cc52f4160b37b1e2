import { HttpApiEndpoint, HttpApiGroup, OpenApi } from "effect/http-api"
import { Conflict, NotFound } from "../Problems.ts"
import {
  ConfirmResult,
  DismissResult,
  PostResult,
  SinglePostResult,
  PostResultFilter,
  PostResultList
} from "../Target.ts"
import { about } from "./About.ts"
import { Authorization } from "./Authorization.ts"
import { PathId } from "./PathId.ts"
import { RequestProblems } from "./RequestProblems.ts"

export class PostResultsApi extends HttpApiGroup.make("results")
  .add(
    HttpApiEndpoint.get("list", "/", { query: PostResultFilter, success: PostResultList }).annotateMerge(
      about({
        scope: "posts:read",
        codes: [],
        summary: "List post results",
        description:
          "One row per post and social account. Newest first. A row is listed when it is settled (`published`, `failed` or " +
          "`unconfirmed`); `status` asks for others. The row itself exists from the moment the post exists: in `results` of " +
          "the post, and by its id."
      })
    ),
    HttpApiEndpoint.get("get", "/:result_id", {
      params: { result_id: PathId("the result") },
      success: SinglePostResult,
      error: NotFound
    }).annotateMerge(about({ scope: "posts:read", codes: ["not_found"], summary: "Get a post result" })),
    HttpApiEndpoint.post("confirm", "/:result_id/confirm", {
      params: { result_id: PathId("the result") },
      payload: ConfirmResult,
      success: PostResult,
      error: [NotFound, Conflict]
    }).annotateMerge(
      about({
        scope: "posts:publish",
        codes: ["not_found", "result_not_unconfirmed", "account_not_allowed", "approval_needed"],
        summary: "Record the outcome of an unconfirmed result",
        description:
          "For a person who has looked at the account. `published: true` makes the result published, with the link " +
          "if `url` is given; `published: false` makes it failed, and a retry of the post sends it again. For a thread, both concern its " +
          "first item that is not live; `url` is required if another item follows, which replies to it."
      })
    ),
    HttpApiEndpoint.post("dismiss", "/:result_id/dismiss", {
      params: { result_id: PathId("the result") },
      payload: DismissResult,
      success: PostResult,
      error: [NotFound, Conflict]
    }).annotateMerge(
      about({
        scope: "posts:publish",
        codes: ["not_found", "account_not_allowed", "approval_needed"],
        summary: "Dismiss a failure",
        description:
          "Nobody in the workspace needs to look at this result any more: lists with `dismissed=false` leave it out. Nothing " +
          "else changes. If it is sent again and fails again, it reappears."
      })
    )
  )
  .middleware(Authorization)
  .prefix("/v1/post-results")
  .middleware(RequestProblems)
  .annotateMerge(
    OpenApi.annotations({ title: "Post results", description: "What happened on each social account." })
  ) {}
