import { DateTime, Duration, Effect, Schema } from "effect"
import { timeOf } from "../meta/Graph.ts"
import { refuseOfAccount } from "../meta/GraphErrors.ts"
import { plainWords } from "../PlainWords.ts"
import { PublishError, type PublishRequest, type Taken } from "../Platform.ts"
import { optionsOf } from "./ContainerFields.ts"
import { refuseThreads } from "./ThreadsErrors.ts"
import type { ThreadsCredentials, ThreadsGraph } from "./ThreadsGraph.ts"

const Posts = Schema.Struct({
  data: Schema.Array(
    Schema.Struct({
      id: Schema.String,
      text: Schema.optionalKey(Schema.String),
      permalink: Schema.optionalKey(Schema.String),
      timestamp: Schema.String
    })
  )
})
type Post = (typeof Posts.Type)["data"][number]

/** How many of the account's posts are looked at, the newest first. */
const newest = 50
/** 50 posts of 500 characters, of which each may be written as six bytes, and their addresses. */
const postsAnswer = 512 * 1024

/** How much earlier than its due time a post may seem to be published, because clocks differ. */
const clockSlack = Duration.minutes(1)

/** The lists that a post can be in, the likelier one first. The one of answers takes the permission `threads_read_replies`. */
const listsOf = (request: PublishRequest) =>
  optionsOf(request).is_ghost_post === true
    ? ["ghost_posts", "threads"]
    : (request.thread?.index ?? 0) > 0
      ? ["replies", "threads"]
      : ["threads"]

const codeOf = (permalink = "") => /\/post\/([\w-]+)/.exec(permalink)?.[1]

/** The account's own posts, which Threads lists. */
export const ownPosts = ({ get }: ThreadsGraph) => {
  const listed = (
    { remote_id }: PublishRequest,
    credentials: ThreadsCredentials,
    lists: ReadonlyArray<string>
  ) =>
    Effect.forEach(lists, (list) =>
      get(
        credentials,
        `${remote_id}/${list}`,
        { fields: "id,text,permalink,timestamp", limit: String(newest) },
        Posts,
        { maxAnswerBytes: postsAnswer, refuse: refuseOfAccount("Threads", remote_id, refuseThreads) }
      ).pipe(
        Effect.map(({ data }) => data),
        Effect.catchIf(
          // The permission is missing, or there is no such list. What may pass says nothing of the posts.
          (failure) => ["forbidden", "invalid"].includes(failure.class),
          () => Effect.succeed<ReadonlyArray<Post>>([])
        )
      )
    ).pipe(Effect.map((found) => found.flat()))

  /** The newest post that can be this one and is no other's; null where none can, or where Threads does not list it. */
  const find = Effect.fnUntraced(function* (
    request: PublishRequest,
    credentials: ThreadsCredentials,
    taken: Taken
  ) {
    const earliest = DateTime.toEpochMillis(DateTime.subtractDuration(request.due_at, clockSlack))
    const alike = (yield* listed(request, credentials, listsOf(request))).filter(
      ({ text = "", timestamp }) =>
        timeOf(timestamp) >= earliest && plainWords(text) === plainWords(request.caption)
    )
    const others = yield* taken(alike.flatMap(({ id, permalink }) => [id, permalink ?? id]))
    return alike.find(({ id, permalink }) => !others.has(id) && !others.has(permalink ?? id)) ?? null
  })

  /** The id of the post that an item of a thread answers. One that a person confirmed is known by its address. */
  const parentOf = Effect.fnUntraced(function* (request: PublishRequest, credentials: ThreadsCredentials) {
    const known = request.thread?.parent?.id
    if (known === undefined || /^\d+$/.test(known)) return known
    const code = codeOf(known)
    const posts = code === undefined ? [] : yield* listed(request, credentials, ["threads", "replies"])
    const parent = posts.find(({ permalink }) => codeOf(permalink) === code)
    if (parent !== undefined) return parent.id
    return yield* new PublishError({
      class: "invalid",
      code: "parent_unknown",
      message: `The previous item was confirmed with ${JSON.stringify(known)}, where Threads lists no post of the account, so nothing can reply to it. Publish the missing items as a separate post.`
    })
  })

  return { find, parentOf }
}
