import { CreatePost, CurrentActor, Post, PostId, UpdatePost } from "@carillon/domain"
import { Effect, Schema } from "effect"
import { type Answer, Idempotency, type KeyedRequest } from "../../http/Idempotency.ts"
import { emptyContent } from "../../engine/ContentColumns.ts"
import { Posts } from "../../posts/Posts.ts"
import type { PostChange } from "../../posts/PostTimes.ts"
import { mergedOverrides } from "./MergedOverrides.ts"

/** Makes, changes and deletes posts, each at most once for an idempotency key. */
export const makePostChanges = Effect.gen(function* () {
  const posts = yield* Posts
  const idempotency = yield* Idempotency

  /** `asked` is all that makes it the same call as another. */
  const keyed = <A, E, R>(
    key: string,
    asked: string,
    effect: (request: KeyedRequest) => Effect.Effect<A, E, R>,
    again: (body: string) => A
  ) =>
    Effect.flatMap(CurrentActor, (actor) =>
      idempotency.keyed({ actor, key, request: asked }, effect, ({ body }) => again(body))
    )

  const create = Effect.fnUntraced(function* (request: CreatePost, key: string | null) {
    const make = (record: KeyedRequest | null) =>
      Effect.map(
        posts.create(
          request,
          record && { key: record, answerOf: ({ encoded }) => stored(JSON.stringify(encoded)) }
        ),
        ({ post }) => post
      )
    return yield* key === null
      ? make(null)
      : keyed(key, `create_post\n${JSON.stringify(encodeCreate(request))}`, make, decodePost)
  })

  /** Overrides are merged with what the post has, which may change in the meantime. */
  const changed = (id: string, change: PostChange) => {
    const asked = { ...change, keepsDraft: true }
    return (
      asked.account_configurations || asked.platform_configurations
        ? Effect.flatMap(posts.get(id), ({ post, etag }) =>
            posts.update(id, { ...asked, ...mergedOverrides(asked, post) }, etag)
          ).pipe(Effect.retry({ times: 3, while: ({ code }) => code === "stale_version" }))
        : posts.update(id, asked, undefined)
    ).pipe(Effect.map(({ post }) => post))
  }

  const update = Effect.fnUntraced(function* (id: string, asked: UpdatePost, key: string | null) {
    return yield* key === null
      ? changed(id, asked)
      : keyed(
          key,
          `update_post\n${id}\n${JSON.stringify(encodeUpdate(asked))}`,
          (request) => idempotency.together(request, changed(id, asked), (post) => stored(encodePost(post))),
          decodePost
        )
  })

  const remove = Effect.fnUntraced(function* (id: string, key: string | null) {
    const deleted = posts.delete(id, undefined)
    return yield* key === null
      ? deleted
      : keyed(
          key,
          `delete_post\n${id}`,
          (request) => idempotency.together(request, deleted, (post) => stored(JSON.stringify(post))),
          decodeId
        )
  })

  return { create, changed, update, remove }
})

const stored = (body: string): Answer => ({ status: 200, headers: {}, body })

const encodeCreate = Schema.encodeSync(CreatePost)
const encodeUpdate = Schema.encodeSync(UpdatePost)
const encodePost = Schema.encodeSync(Schema.fromJsonString(Post))
const decodeWhole = Schema.decodeUnknownSync(Post)
/** An answer that was stored before an upgrade lacks the fields of posts that came with it. */
const decodePost = (body: string) => decodeWhole({ ...emptyContent, ...JSON.parse(body) })
const decodeId = Schema.decodeUnknownSync(Schema.fromJsonString(PostId))
