import { CurrentActor, idempotencyKeyPattern, PostId } from "@carillon/domain"
import { Effect, Schema } from "effect"
import { PostOutcomes } from "../../posts/PostOutcomes.ts"
import { Posts } from "../../posts/Posts.ts"
import type { PostChange } from "../../posts/PostTimes.ts"
import { mcpTool } from "../McpTool.ts"
import { zoneOf } from "./LocalTime.ts"
import { changes as changesOfPost, newPost, postId, publishesNow, when } from "./PostArguments.ts"
import { makePostChanges } from "./PostChanges.ts"
import { ChangedPost, makePostAnswers } from "./ToolPost.ts"

/** The tools that make and change one post. */
export const makePostTools = Effect.gen(function* () {
  const posts = yield* Posts
  const outcomes = yield* PostOutcomes
  const changesOfPosts = yield* makePostChanges
  const answers = yield* makePostAnswers

  const createPost = mcpTool({
    name: "create_post",
    title: "Create a post",
    description:
      "Create one post for one or more accounts. WITHOUT scheduled_at, use_queue or is_draft: true IT IS PUBLISHED AT ONCE, and that " +
      "cannot be undone. With scheduled_at or use_queue it goes out then; until then update_post and " +
      "delete_post work. When unsure call preview_post first, or give is_draft: true and let the user look. All checks " +
      "run first, except of media_urls, which are fetched later; if anything is wrong the answer names every problem and " +
      "nothing is created, except a draft (draft_problems). what_happened says whether it is published, scheduled or a draft; get_post later tells the outcome.",
    hints: { readOnlyHint: false, destructiveHint: false, idempotentHint: false, openWorldHint: true },
    scope: "posts:write",
    neededScope: (args) => (publishesNow(args) ? "posts:publish" : "posts:write"),
    input: CreateArguments,
    output: ChangedPost,
    run: Effect.fnUntraced(function* ({ idempotency_key, ...request }) {
      const { timezone } = yield* CurrentActor
      const post = yield* changesOfPosts.create(request, idempotency_key || null)
      return yield* answers.changed(post, zoneOf(request, timezone))
    })
  })

  const change = Effect.fnUntraced(function* (id: string, asked: PostChange) {
    const { timezone } = yield* CurrentActor
    const post = yield* changesOfPosts.changed(id, asked)
    return yield* answers.changed(post, zoneOf(asked, timezone))
  })

  const updatePost = mcpTool({
    name: "update_post",
    title: "Change a post",
    description:
      "Change text, media, accounts, options or time of a draft or scheduled post; what is left out stays. " +
      "Lists are replaced, but account_configurations and platform_configurations are merged: one entry changes the " +
      "caption of one account alone. A new scheduled_at moves the post; for a draft it is only the plan, and use_queue needs " +
      "is_draft: false. Not for posts that have begun to publish: retry_post sends " +
      "what failed again. What would leave a scheduled post unfit to go out is refused, with every problem; so is another's post that " +
      "waits for the user's approval.",
    hints: { readOnlyHint: false, destructiveHint: true, idempotentHint: true, openWorldHint: true },
    scope: "posts:write",
    input: UpdateArguments,
    output: ChangedPost,
    run: ({ post_id, ...changes }) => change(post_id, changes)
  })

  const schedulePost = mcpTool({
    name: "schedule_post",
    title: "Schedule a draft",
    description:
      "Schedule one draft to go out by itself: at scheduled_at, in the next free slot of the queue (use_queue: true), or " +
      "with neither, at the time that it has. It is refused, with every problem, while something is " +
      "missing. Until its time update_post changes it or makes it a draft again. Not to publish now " +
      "(publish_post), nor to move a post that is scheduled already (update_post). Another's post that waits for the user's approval is refused.",
    hints: { readOnlyHint: false, destructiveHint: false, idempotentHint: true, openWorldHint: true },
    scope: "posts:write",
    input: Schema.Struct({
      post_id: postId,
      ...when
    }),
    output: ChangedPost,
    run: ({ post_id, scheduled_at, use_queue }) =>
      change(post_id, {
        is_draft: false,
        ...(scheduled_at ? { scheduled_at } : {}),
        ...(use_queue ? { use_queue } : {})
      })
  })

  const publishPost = mcpTool({
    name: "publish_post",
    title: "Publish a post now",
    description:
      "Publish one draft or scheduled post NOW, on all of its accounts. That cannot be undone: ask the user first. To have a draft " +
      "go out later use schedule_post; for a new one create_post; for a failed one retry_post. A post with problems, or another's that waits for the user's approval, is refused. " +
      "Some seconds later get_post tells the outcome.",
    hints: { readOnlyHint: false, destructiveHint: true, idempotentHint: false, openWorldHint: true },
    scope: "posts:publish",
    // It asks a person to publish, which needs less.
    heldScope: "posts:write",
    input: Schema.Struct({ post_id: postId }),
    output: ChangedPost,
    run: ({ post_id }) => change(post_id, { publish: true })
  })

  const retryPost = mcpTool({
    name: "retry_post",
    title: "Try a failed post again",
    description:
      "Send a post again, as it is, to the accounts on which it failed; what is live is left alone, and a thread that broke off continues. " +
      "Use it when the user says to try again, or has fixed the cause (list_posts with result: failed). An unconfirmed result may be " +
      "live: it is sent again only with not_live: true; if that is wrong, it is published " +
      "twice. If the content was the cause, use create_post with repairs.",
    hints: { readOnlyHint: false, destructiveHint: true, idempotentHint: false, openWorldHint: true },
    scope: "posts:publish",
    input: Schema.Struct({
      post_id: postId,
      account_ids: Schema.optionalKey(
        Schema.NullOr(Schema.Array(Schema.Int).check(Schema.isMaxLength(200)))
      ).annotate({ description: "Only to these accounts; all that failed if left out." }),
      not_live: Schema.optionalKey(
        Schema.NullOr(Schema.Boolean).annotate({
          description: "true: the user looked, and says that the post is not live. Never assume it."
        })
      )
    }),
    output: ChangedPost,
    run: Effect.fnUntraced(function* ({ post_id, account_ids, not_live }) {
      const { timezone } = yield* CurrentActor
      const { post } = yield* outcomes.retry(post_id, {
        ...(account_ids ? { social_accounts: account_ids } : {}),
        force: not_live === true
      })
      return yield* answers.changed(post, timezone)
    })
  })

  const deletePost = mcpTool({
    name: "delete_post",
    title: "Delete a post",
    description:
      "Delete one scheduled or draft post before it goes out. It cannot be restored; its media stay in the library. What " +
      "has begun to publish is refused: delete it on the platform itself. To change the time or text use update_post; to " +
      "only unschedule it use update_post with is_draft: true.",
    hints: { readOnlyHint: false, destructiveHint: true, idempotentHint: true, openWorldHint: false },
    scope: "posts:write",
    input: Schema.Struct({ post_id: postId }),
    output: Schema.Struct({ deleted: Schema.Literal(true), post_id: PostId }),
    run: Effect.fnUntraced(function* ({ post_id }) {
      return { deleted: true as const, post_id: yield* posts.delete(post_id, undefined) }
    })
  })

  return [createPost, updatePost, schedulePost, publishPost, retryPost, deletePost]
})

const CreateArguments = Schema.Struct({
  ...newPost,
  idempotency_key: Schema.optionalKey(
    Schema.NullOr(Schema.String.check(Schema.isPattern(idempotencyKeyPattern))).annotate({
      description:
        "Up to 255 ASCII characters, new for each post: within 24 hours the same call with it gives the first post again, not a second."
    })
  )
})

const UpdateArguments = Schema.Struct({ post_id: postId, ...changesOfPost })
