import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api"
import { Calendar, CalendarFilter } from "../Calendar.ts"
import {
  ApprovePost,
  CreatePost,
  Post,
  PostDeleted,
  PostFilter,
  PostList,
  PostValid,
  RefusePost,
  RequestApproval,
  RetryPost,
  UpdatePost
} from "../Post.ts"
import { Conflict, ContentTooLarge, NotFound, PreconditionFailed } from "../Problems.ts"
import { about } from "./About.ts"
import { Authorization } from "./Authorization.ts"
import { PathId } from "./PathId.ts"
import { PostProblems } from "./PostProblems.ts"
import { RequestProblems } from "./RequestProblems.ts"

/** The codes that the checks of a post can answer with. */
const postCodes = [
  "scheduled_at_invalid",
  "scheduled_at_past",
  "scheduled_at_too_soon",
  "schedule_conflict",
  "queue_not_configured",
  "queue_full",
  "empty_post",
  "caption_too_long",
  "caption_not_accepted",
  "option_not_accepted",
  "media_not_accepted",
  "media_not_ready",
  "platform_cannot_fetch",
  "media_required",
  "board_required",
  "budget_exceeded",
  "destination_not_found",
  "media_failed",
  "media_url_not_allowed",
  "media_not_found",
  "social_account_not_found",
  "social_account_disconnected",
  "account_not_allowed",
  "approval_needed"
] as const

const repairCodes = ["result_not_failed", "repair_in_progress", "already_repaired"] as const

const params = { post_id: PathId("the post") }
const etag = { etag: Schema.String.annotate({ description: "The version of the post, for If-Match." }) }
const ifMatch = {
  "if-match": Schema.optionalKey(
    Schema.String.annotate({
      description:
        "A post's `version`, or an ETag: the change is refused with 412 if the post has changed since. Absent: it is made whatever changed before."
    })
  )
}

export class PostsApi extends HttpApiGroup.make("posts")
  .add(
    HttpApiEndpoint.post("create", "/", {
      payload: CreatePost,
      success: HttpApiSchema.WithHeaders(Post.pipe(HttpApiSchema.status(201)), etag),
      error: [Conflict, ContentTooLarge]
    })
      .middleware(PostProblems)
      .annotateMerge(
        about({
          scope: "posts:write",
          codes: [...postCodes, ...repairCodes, "post_result_not_found", "workspace_full"],
          effect: "statement",
          summary: "Create a post",
          description:
            "Publishes at once, schedules (`scheduled_at`), takes the queue's next free slot (`use_queue`) or saves a " +
            "draft (`is_draft`). Everything that can be known before the due time is checked now, and all " +
            "problems are reported together. A draft is refused only for what cannot be stored; `draft_problems` has the rest. " +
            "Publishing at once needs the scope posts:publish. `repairs` makes it a repair of a failed result: once it is live there, " +
            "the failure is settled and has `repaired_by`. A failure has one open repair at a time, and is sent again by none " +
            "but it; a repair that fails, is deleted or leaves the account opens the failure again."
        })
      ),
    HttpApiEndpoint.get("list", "/", { query: PostFilter, success: PostList }).annotateMerge(
      about({
        scope: "posts:read",
        codes: [],
        summary: "List posts",
        description:
          "Newest first. `q` searches the newest 20,000 posts that match the other filters; if there are older ones, `meta.total_relation` is `at_least`."
      })
    ),
    HttpApiEndpoint.get("calendar", "/calendar", { query: CalendarFilter, success: Calendar }).annotateMerge(
      about({
        scope: "posts:read",
        codes: [],
        summary: "Show the calendar",
        description:
          "The days of a time zone, including those of 23 or 25 hours: how many posts each has, in total and by status, `per_day` of " +
          "them by time, and the free slots of the queue. Counts stop at 1,000 a day; beyond that, `total_relation` is `at_least`."
      })
    ),
    HttpApiEndpoint.get("get", "/:post_id", {
      params,
      success: HttpApiSchema.WithHeaders(Post, etag),
      error: NotFound
    }).annotateMerge(
      about({ scope: "posts:read", codes: ["not_found"], summary: "Get a post with its results" })
    ),
    HttpApiEndpoint.patch("update", "/:post_id", {
      params,
      headers: ifMatch,
      payload: UpdatePost,
      success: HttpApiSchema.WithHeaders(Post, etag),
      error: [NotFound, Conflict, PreconditionFailed, ContentTooLarge]
    })
      .middleware(PostProblems)
      .annotateMerge(
        about({
          scope: "posts:write",
          codes: [
            ...postCodes,
            "time_required",
            "workspace_full",
            "not_found",
            "post_not_editable",
            ...repairCodes
          ],
          summary: "Change a draft or scheduled post",
          description:
            "An absent key is unchanged; `scheduled_at: null` makes it a draft without a time (publishing has its own " +
            "request); `is_draft: true` unschedules; " +
            "`use_queue: true` moves it to the queue's next free slot, a `slot` in it to that one, false keeps its time and frees the slot; " +
            "a time given to a draft is its plan until `is_draft: false` schedules it, which without a time is a 400; a draft given the queue becomes " +
            "scheduled. `social_accounts` alone drops the `account_configurations` of accounts that left, with a warning. " +
            "Honours If-Match."
        })
      ),
    HttpApiEndpoint.delete("delete", "/:post_id", {
      params,
      headers: ifMatch,
      success: PostDeleted,
      error: [NotFound, Conflict, PreconditionFailed]
    }).annotateMerge(
      about({
        scope: "posts:write",
        codes: ["not_found", "post_not_editable", "account_not_allowed", "approval_needed"],
        summary: "Delete a draft or scheduled post"
      })
    ),
    HttpApiEndpoint.post("validate", "/validate", {
      payload: CreatePost,
      success: PostValid,
      error: [Conflict, ContentTooLarge]
    })
      .middleware(PostProblems)
      .annotateMerge(
        about({
          scope: "posts:write",
          codes: [...postCodes, ...repairCodes, "post_result_not_found", "workspace_full"],
          summary: "Check a post without creating it",
          description:
            "Runs the checks of a create and stores nothing. A draft is checked as if it were to be published."
        })
      ),
    HttpApiEndpoint.post("publish", "/:post_id/publish", {
      params,
      headers: ifMatch,
      success: HttpApiSchema.WithHeaders(Post, etag),
      error: [NotFound, Conflict, PreconditionFailed]
    }).annotateMerge(
      about({
        scope: "posts:publish",
        codes: [...postCodes, "not_found", "post_not_editable"],
        summary: "Publish a draft or scheduled post now"
      })
    ),
    HttpApiEndpoint.post("requestApproval", "/:post_id/request-approval", {
      params,
      headers: ifMatch,
      // The body is optional.
      payload: [RequestApproval, Schema.Null],
      success: HttpApiSchema.WithHeaders(Post, etag),
      error: [NotFound, Conflict, PreconditionFailed, ContentTooLarge]
    }).annotateMerge(
      about({
        scope: "posts:write",
        codes: [...postCodes, ...repairCodes, "workspace_full", "not_found", "post_not_editable"],
        summary: "Ask for approval of a post",
        description:
          "The post waits as a draft until a person lets it go out or refuses, a scheduled one too. It is checked as one that goes out. " +
          "Then keys and apps cannot change it before that."
      })
    ),
    HttpApiEndpoint.post("approve", "/:post_id/approve", {
      params,
      headers: ifMatch,
      // The body is optional.
      payload: [ApprovePost, Schema.Null],
      success: HttpApiSchema.WithHeaders(Post, etag),
      error: [NotFound, Conflict, PreconditionFailed, ContentTooLarge]
    }).annotateMerge(
      about({
        scope: "posts:publish",
        membersOnly: "approval_by_person",
        codes: [
          ...postCodes,
          ...repairCodes,
          "workspace_full",
          "not_found",
          "nothing_to_decide",
          "approval_needs_time"
        ],
        summary: "Approve a post that waits",
        description:
          "A signed-in person lets a waiting draft go out at the time or in the queue, as was asked or as the body says. " +
          "Approving publishes nothing at once by itself: where that was asked for, or the time has passed, " +
          "the answer is 409 `approval_needs_time` unless the body says when. Whoever decides second is told who decided, when and what " +
          "(409 `nothing_to_decide`). No key and no app may call it, whatever its scopes."
      })
    ),
    HttpApiEndpoint.post("refuse", "/:post_id/refuse", {
      params,
      headers: ifMatch,
      // The body is optional.
      payload: [RefusePost, Schema.Null],
      success: HttpApiSchema.WithHeaders(Post, etag),
      error: [NotFound, Conflict, PreconditionFailed]
    }).annotateMerge(
      about({
        scope: "posts:publish",
        membersOnly: "approval_by_person",
        codes: ["not_found", "nothing_to_decide"],
        summary: "Refuse a post that waits",
        description:
          "A signed-in person refuses to let a waiting draft go out. It stays a draft; whoever asked reads the reason. An app asks again with " +
          "its next change. No key and no app may call it, whatever its scopes."
      })
    ),
    HttpApiEndpoint.post("retry", "/:post_id/retry", {
      params,
      // The body is optional.
      payload: [RetryPost, Schema.Null],
      success: HttpApiSchema.WithHeaders(Post, etag),
      error: [NotFound, Conflict]
    }).annotateMerge(
      about({
        scope: "posts:publish",
        codes: [...postCodes, "not_found", "nothing_to_retry", "repair_in_progress", "already_repaired"],
        summary: "Send failed targets again",
        description:
          "Only targets that have failed are sent again, now; published ones are left alone. With `force`, unconfirmed " +
          "ones are sent too: what is already live is then posted a second time, so check the account first. What another post " +
          "repairs or has repaired is left out, and refused where its account is named."
      })
    )
  )
  .middleware(Authorization)
  .prefix("/v1/posts")
  .middleware(RequestProblems)
  .annotateMerge(
    OpenApi.annotations({
      title: "Posts",
      description: "One post, published to one or more social accounts."
    })
  ) {}
