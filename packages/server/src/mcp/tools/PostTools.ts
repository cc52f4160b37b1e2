import {
  AccountConfigurations,
  CreatePost,
  CurrentActor,
  idempotencyKeyPattern,
  PlatformId,
  PostId,
  PostStatus,
  ResultStatus,
  Timestamp,
  UpdatePost
} from "@carillon/domain"
import { Effect, Schema, Struct } from "effect"
import { AppConfig } from "../../AppConfig.ts"
import { Idempotency, type KeyedRequest } from "../../http/Idempotency.ts"
import { type Created, Posts } from "../../posts/Posts.ts"
import { mcpTool } from "../McpTool.ts"
import { paged, pageOf, pageWith, paging, rest } from "./Paging.ts"
import { ListedPost, listedPost, WholePost, wholePost } from "./ToolPost.ts"

const postId = Schema.String.check(Schema.isMaxLength(100)).annotate({
  description: "An id from list_posts or create_post."
})

const described = {
  caption: UpdatePost.fields.caption.annotate({
    description: "The text of the post. May be left out if there is media."
  }),
  media: UpdatePost.fields.media.annotate({
    description: "Ids of media items, in order, from list_media, import_media or complete_media_upload."
  }),
  media_urls: UpdatePost.fields.media_urls.annotate({
    description:
      "Public URLs of files that the service fetches itself; they follow those of media. " +
      "One that cannot be fetched is told in warnings and tried again until the post's time."
  }),
  thread: UpdatePost.fields.thread.annotate({
    description: "Posts that follow it as a chain: captions, or {caption, media}."
  }),
  thread_fallback: UpdatePost.fields.thread_fallback,
  scheduled_at: UpdatePost.fields.scheduled_at.annotate({
    description:
      "When the post goes out: ISO 8601 with an offset or Z, or a zone in brackets (2026-12-24T09:00[Europe/Paris]); with " +
      "neither, the profile's time zone. Not together with use_queue."
  }),
  use_queue: UpdatePost.fields.use_queue.annotate({
    description: "true: the next free slot of the user's queue, or one by the clocks of the given time zone."
  }),
  is_draft: UpdatePost.fields.is_draft.annotate({
    description:
      "true: keep it as a draft; nothing goes out. A scheduled_at is then only a plan. It may be incomplete: draft_problems says what it needs."
  }),
  platform_configurations: UpdatePost.fields.platform_configurations,
  // REST also takes the array wrapped in an object, which no agent needs.
  account_configurations: Schema.optionalKey(Schema.NullOr(AccountConfigurations)).annotate({
    description:
      "What single accounts get instead: caption, media, thread, and any option of the platform (get_platform_options)."
  }),
  processing_enabled: UpdatePost.fields.processing_enabled.annotate({
    description:
      "false: media are sent as they are, and refused where they do not fit. true (the default): fitted to each platform."
  })
}

/** The arguments for a new post. */
export const postArguments = {
  social_accounts: CreatePost.fields.social_accounts.annotate({
    description: "Ids of the accounts to post to, from list_accounts."
  }),
  ...described
}

/** Whether a post like this goes out at once; that cannot be undone. */
export const publishesNow = (args: unknown): boolean => {
  const { scheduled_at, use_queue, is_draft } = (args ?? {}) as Record<string, unknown>
  return (scheduled_at ?? null) === null && !use_queue && is_draft !== true
}

/** The tools of the workspace's posts: see, make, change, delete. */
export const makePostTools = Effect.gen(function* () {
  const posts = yield* Posts
  const idempotency = yield* Idempotency
  const { publicUrl } = yield* AppConfig

  const listPosts = mcpTool({
    name: "list_posts",
    title: "List posts",
    description:
      "List posts, newest first: scheduled, published, failed and drafts. Filter by status, platform, account, time or words of " +
      "the caption. For the outcome on each account (error, link) use get_post; for a plan of days use show_calendar.",
    hints: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false },
    scope: "posts:read",
    input: Schema.Struct({
      status: Schema.optionalKey(
        Schema.NullOr(PostStatus).annotate({ description: "Only posts with this status." })
      ),
      result: Schema.optionalKey(
        Schema.NullOr(ResultStatus.pick(["failed", "unconfirmed"])).annotate({
          description:
            "Only posts with such a result on any account; a post that is live on another is published."
        })
      ),
      platform: Schema.optionalKey(
        Schema.NullOr(PlatformId).annotate({ description: "Only posts to this platform." })
      ),
      account_id: Schema.optionalKey(
        Schema.NullOr(Schema.Int).annotate({ description: "Only posts to this account." })
      ),
      from: Schema.optionalKey(
        Schema.NullOr(Timestamp).annotate({
          description: "The earliest scheduled_at, or created_at where a post has none; ISO 8601 with Z."
        })
      ),
      to: Schema.optionalKey(
        Schema.NullOr(Timestamp).annotate({
          description: "The latest scheduled_at, or created_at where a post has none; ISO 8601 with Z."
        })
      ),
      query: Schema.optionalKey(
        Schema.NullOr(Schema.String.check(Schema.isMaxLength(1000))).annotate({
          description: "Text in the caption."
        })
      ),
      detail: Schema.optionalKey(
        Schema.NullOr(Schema.Literals(["concise", "full"])).annotate({
          description: "full also gives the platform and account configurations.",
          default: "concise"
        })
      ),
      ...paging
    }),
    output: Schema.Struct({ posts: pageWith(ListedPost), ...paged }),
    run: Effect.fnUntraced(function* ({
      status,
      result,
      platform,
      account_id,
      from,
      to,
      query,
      detail,
      ...input
    }) {
      const { timezone } = yield* CurrentActor
      const page = pageOf(input)
      const found = yield* posts.list(
        {
          ...(status ? { status: [status] } : {}),
          ...(result ? { result: [result] } : {}),
          ...(platform ? { platform: [platform] } : {}),
          ...(account_id ? { social_account_id: [String(account_id)] } : {}),
          ...(from ? { from } : {}),
          ...(to ? { to } : {}),
          ...(query ? { q: query } : {})
        },
        page
      )
      return {
        posts: found.data.map((post) => listedPost(post, timezone, detail === "full")),
        ...rest(found, page)
      }
    })
  })

  const getPost = mcpTool({
    name: "get_post",
    title: "Get a post",
    description:
      "Get one post with its result on every account: status, link to the published post (platform_data.url), or the error with " +
      "what to do about it. Use it after create_post to see whether a post went out: publishing takes some seconds, so while " +
      "progress shows waiting or publishing ask again a little later.",
    hints: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false },
    scope: "posts:read",
    input: Schema.Struct({ post_id: postId }),
    output: WholePost,
    run: Effect.fnUntraced(function* ({ post_id }) {
      const { timezone } = yield* CurrentActor
      const { post } = yield* posts.get(post_id)
      return wholePost(post, timezone, publicUrl)
    })
  })

  const createPost = mcpTool({
    name: "create_post",
    title: "Create a post",
    description:
      "Create one post for one or more accounts. WITHOUT scheduled_at, use_queue and is_draft IT IS PUBLISHED AT ONCE, and that " +
      "cannot be undone. With scheduled_at or use_queue it goes out then and can be changed (update_post) or deleted " +
      "(delete_post) before. When unsure call preview_post first, or give is_draft: true and let the user look. Everything that " +
      "can be known is checked; if anything is wrong nothing is created and the answer names every problem.",
    hints: { readOnlyHint: false, destructiveHint: false, idempotentHint: false, openWorldHint: true },
    scope: "posts:write",
    neededScope: (args) => (publishesNow(args) ? "posts:publish" : "posts:write"),
    input: CreateArguments,
    output: WholePost,
    run: Effect.fnUntraced(function* ({ idempotency_key, ...request }) {
      const actor = yield* CurrentActor
      const output = ({ post }: Created) => wholePost(post, actor.timezone, publicUrl)
      const answerOf = (created: Created) => ({
        status: 200,
        headers: {},
        body: encodeWhole(output(created))
      })
      const create = (key: KeyedRequest | null) =>
        Effect.map(posts.create(request, key && { key, answerOf }), output)
      if (!idempotency_key) return yield* create(null)
      const asked = `create_post\n${JSON.stringify(encodeRequest(request))}`
      return yield* idempotency.keyed({ actor, key: idempotency_key, request: asked }, create, ({ body }) =>
        decodeWhole(body)
      )
    })
  })

  const updatePost = mcpTool({
    name: "update_post",
    title: "Change a post",
    description:
      "Change a draft or a scheduled post: its text, media, accounts, options or time. What is left out stays as it is; a list " +
      "replaces the whole list. A new scheduled_at moves it; a draft stays a draft and keeps the time as its plan until " +
      "is_draft: false schedules it. use_queue: true puts it into the queue, a draft too; is_draft: true takes it off " +
      "the schedule, scheduled_at: null off its time as well. The former values are overwritten. To publish now use " +
      "publish_post. Not for posts that have begun to publish: those are changed on the platform itself.",
    hints: { readOnlyHint: false, destructiveHint: true, idempotentHint: true, openWorldHint: false },
    scope: "posts:write",
    input: Schema.Struct({
      post_id: postId,
      ...described,
      is_draft: UpdatePost.fields.is_draft.annotate({
        description:
          "true: make it a draft, nothing goes out. false: schedule a draft, at scheduled_at or at its plan."
      }),
      social_accounts: UpdatePost.fields.social_accounts.annotate({
        description:
          "Ids of all accounts to post to, from list_accounts. Those that leave take their account_configurations with them."
      })
    }),
    nulls: true,
    output: WholePost,
    run: Effect.fnUntraced(function* ({ post_id, ...changes }) {
      const { timezone } = yield* CurrentActor
      const { post } = yield* posts.update(post_id, changes, undefined)
      return wholePost(post, timezone, publicUrl)
    })
  })

  const publishPost = mcpTool({
    name: "publish_post",
    title: "Publish a post now",
    description:
      "Publish one draft or scheduled post NOW, on all of its accounts. That cannot be undone. To let it go out later use " +
      "update_post with scheduled_at and is_draft: false; to make and publish a new one use create_post. Publishing takes some " +
      "seconds: get_post tells the outcome.",
    hints: { readOnlyHint: false, destructiveHint: true, idempotentHint: false, openWorldHint: true },
    // An app that is held for approval needs no more, because a person publishes.
    scope: "posts:write",
    neededScope: () => "posts:publish",
    input: Schema.Struct({ post_id: postId }),
    output: Schema.Struct(Struct.pick(WholePost.fields, outcome)),
    run: Effect.fnUntraced(function* ({ post_id }) {
      const { timezone } = yield* CurrentActor
      const { post } = yield* posts.update(post_id, { publish: true }, undefined)
      return Struct.pick(wholePost(post, timezone, publicUrl), outcome)
    })
  })

  const deletePost = mcpTool({
    name: "delete_post",
    title: "Delete a post",
    description:
      "Delete one scheduled or draft post before it goes out. It cannot be restored; its media stay in the library. Not for " +
      "published posts: those cannot be deleted here, use the platform itself. To change the time or text use update_post; to " +
      "only take it off the schedule use update_post with is_draft: true.",
    hints: { readOnlyHint: false, destructiveHint: true, idempotentHint: true, openWorldHint: false },
    scope: "posts:write",
    input: Schema.Struct({ post_id: postId }),
    output: Schema.Struct({ deleted: Schema.Literal(true), post_id: PostId }),
    run: Effect.fnUntraced(function* ({ post_id }) {
      return { deleted: true as const, post_id: yield* posts.delete(post_id, undefined) }
    })
  })

  return { listPosts, getPost, createPost, updatePost, publishPost, deletePost }
})

/** What is new about a post that goes out. */
const outcome = ["id", "status", "scheduled_at", "approval", "warnings", "next_step"] as const

const CreateArguments = Schema.Struct({
  ...postArguments,
  idempotency_key: Schema.optionalKey(
    Schema.NullOr(Schema.String.check(Schema.isPattern(idempotencyKeyPattern))).annotate({
      description:
        "Makes it safe to call again after a lost answer: within 24 hours the same key with the same arguments gives the first " +
        "post instead of a second one. Use a new one for each post."
    })
  )
})

const encodeRequest = Schema.encodeSync(CreatePost)
const WholePostText = Schema.fromJsonString(WholePost)
const encodeWhole = Schema.encodeSync(WholePostText)
const decodeWhole = Schema.decodeUnknownSync(WholePostText)
