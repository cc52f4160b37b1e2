import {
  Approval,
  badRequest,
  CurrentActor,
  type DateOrTime,
  isCalendarDate,
  parseScheduledAt,
  PostStatus,
  ResultStatus
} from "@carillon/domain"
import { Effect, Result, Schema } from "effect"
import { Posts } from "../../posts/Posts.ts"
import { mcpTool } from "../McpTool.ts"
import { thatFit } from "./AnswerSize.ts"
import { zoneOf } from "./LocalTime.ts"
import { paged, pageOf, pageWith, paging, rest } from "./Paging.ts"
import { ofPlatform, postId } from "./PostArguments.ts"
import { ListedPost, makePostAnswers, WholePost } from "./ToolPost.ts"

const usualPage = 20

const time = Schema.optionalKey(Schema.NullOr(Schema.String.check(Schema.isMaxLength(1000))))

const detail = (description: string) =>
  Schema.optionalKey(Schema.NullOr(Schema.Literals(["concise", "full"])).annotate({ description }))

/** The tools that look for posts. */
export const makePostListTools = Effect.gen(function* () {
  const posts = yield* Posts
  const answers = yield* makePostAnswers

  const listPosts = mcpTool({
    name: "list_posts",
    title: "List posts",
    description:
      "List posts, last created first: id, status, time, accounts by name, 300 characters of the caption, and in `trouble` what " +
      "failed on which account and why. For days use show_calendar, for links and all results get_post.",
    hints: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false },
    scope: "posts:read",
    input: Schema.Struct({
      status: Schema.optionalKey(
        Schema.NullOr(PostStatus).annotate({
          description: "published: live on one account at least; failed: on none, or unconfirmed."
        })
      ),
      result: Schema.optionalKey(
        Schema.NullOr(ResultStatus.pick(["failed", "unconfirmed", "waiting"])).annotate({
          description:
            "Posts with such a result on any account; waiting: held up there until it is reconnected or tried again."
        })
      ),
      approval: Schema.optionalKey(
        Schema.NullOr(Approval.fields.status).annotate({ description: "By a person." })
      ),
      platform: ofPlatform,
      account_id: Schema.optionalKey(
        Schema.NullOr(Schema.Int).annotate({ description: "An id from list_accounts." })
      ),
      from: time.annotate({
        description:
          "First day (2026-12-24) or time (2026-12-24T09:00) in the user's time zone; drafts count by their plan."
      }),
      to: time.annotate({ description: "Last day or time, in the same form." }),
      undated: Schema.optionalKey(
        Schema.NullOr(Schema.Boolean).annotate({
          description: "true: only drafts without a time; false: all others."
        })
      ),
      query: Schema.optionalKey(
        Schema.NullOr(Schema.String.check(Schema.isMaxLength(1000))).annotate({
          description: "Words as they stand in the caption, capitals or not."
        })
      ),
      detail: detail("full: whole captions, media ids and configurations too."),
      ...paging(usualPage)
    }),
    output: Schema.Struct({ posts: pageWith(ListedPost), ...paged }),
    run: Effect.fnUntraced(function* ({
      status,
      result,
      approval,
      platform,
      account_id,
      from,
      to,
      undated,
      query,
      detail,
      ...input
    }) {
      const profile = yield* CurrentActor
      const page = pageOf(input, usualPage)
      const found = yield* posts.list(
        {
          ...(status ? { status: [status] } : {}),
          ...(result ? { result: [result] } : {}),
          ...(approval ? { approval: [approval] } : {}),
          ...(platform ? { platform: [platform] } : {}),
          ...(account_id ? { social_account_id: [String(account_id)] } : {}),
          ...(from ? { from: yield* dateOrTime("from", from, profile.timezone) } : {}),
          ...(to ? { to: yield* dateOrTime("to", to, profile.timezone) } : {}),
          ...(typeof undated === "boolean" ? { undated } : {}),
          ...(query ? { q: query } : {})
        },
        page
      )
      const zone = zoneOf(
        { scheduled_at: from ?? null },
        zoneOf({ scheduled_at: to ?? null }, profile.timezone)
      )
      const rows = yield* answers.listed(found.data, zone, detail === "full")
      const shown = input.limit ? rows : thatFit(rows)
      return { posts: shown, ...rest(found, { ...page, limit: shown.length }) }
    })
  })

  const getPost = mcpTool({
    name: "get_post",
    title: "Get a post",
    description:
      "Get one post with its result on every account: status, link (platform_data.url), or the error with what to do about it, " +
      "and in next_step who does what where. Use it some seconds after create_post or publish_post, " +
      "and again while a result is publishing; a scheduled post waits until its time. Of a very long post texts and lists, results too, are cut, unless detail is full. To find a " +
      "post use list_posts.",
    hints: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false },
    scope: "posts:read",
    input: Schema.Struct({
      post_id: postId,
      detail: detail("full: uncut, and as the networks answered.")
    }),
    output: WholePost,
    run: Effect.fnUntraced(function* ({ post_id, detail }) {
      const { timezone } = yield* CurrentActor
      const { post } = yield* posts.get(post_id)
      return yield* answers.whole(post, timezone, detail === "full")
    })
  })

  return [listPosts, getPost]
})

/** A day, or a time as `create_post` takes it. */
const dateOrTime = (
  path: string,
  text: string,
  timezone: string
): Effect.Effect<DateOrTime, ReturnType<typeof badRequest>> => {
  if (isCalendarDate(text)) return Effect.succeed(text)
  const parsed = parseScheduledAt(text, timezone, path)
  return Result.isSuccess(parsed)
    ? Effect.succeed(parsed.success.instant)
    : Effect.fail(badRequest([{ path, code: "invalid_value", message: parsed.failure }]))
}
