import { DateTime, Duration, Effect, Option, Schema } from "effect"
import type { Handle } from "../../engine/Handle.ts"
import { awaitContainers, containerExpired } from "../meta/ContainerWait.ts"
import { refuseOfAccount } from "../meta/GraphErrors.ts"
import { type Prepared, PublishError, type PublishRequest } from "../Platform.ts"
import { handleUnreadable, readHandleWith } from "../StoredHandle.ts"
import { mediaFields, optionsOf, postFields } from "./ContainerFields.ts"
import { notThere, refuseContainer, refuseThreads, topicRefused } from "./ThreadsErrors.ts"
import type { ThreadsCredentials, ThreadsGraph } from "./ThreadsGraph.ts"

const Container = Schema.Struct({ id: Schema.String, finished: Schema.Boolean })
type Container = typeof Container.Type

/** The containers: one for each item of a carousel, in order, and the post's own. */
const ThreadsHandle = Schema.Struct({
  items: Schema.Array(Container),
  post: Schema.NullOr(Container),
  /** Threads refused the topic, so that the post has none. */
  topic_refused: Schema.Boolean,
  /** ISO 8601. */
  since: Schema.String,
  /** How often Threads was asked about them. */
  looks: Schema.Int
})
type ThreadsHandle = typeof ThreadsHandle.Type

const decodeHandle = Schema.decodeUnknownOption(ThreadsHandle)
const readHandle = readHandleWith(decodeHandle, "Threads")

const Created = Schema.Struct({ id: Schema.String })
const Status = Schema.Struct({ status: Schema.String, error_message: Schema.optionalKey(Schema.String) })

const nothing = Effect.map(DateTime.now, (now): ThreadsHandle => ({
  items: [],
  post: null,
  topic_refused: false,
  since: DateTime.formatIso(now),
  looks: 0
}))

type Save = (handle: Handle) => Effect.Effect<void, PublishError>
type ParentOf = (
  request: PublishRequest,
  credentials: ThreadsCredentials
) => Effect.Effect<string | undefined, PublishError>

/** The containers of a post before it goes out; none of them is visible. */
export const threadsContainers = ({ get, post }: ThreadsGraph, parentOf: ParentOf) => {
  const create = (
    { remote_id }: PublishRequest,
    credentials: ThreadsCredentials,
    fields: Readonly<Record<string, string>>
  ) =>
    post(credentials, `${remote_id}/threads`, fields, Created, {
      refuse: refuseOfAccount("Threads", remote_id, refuseThreads)
    }).pipe(Effect.map(({ id }): Container => ({ id, finished: false })))

  const statusOf = (id: string, credentials: ThreadsCredentials) =>
    get(credentials, id, { fields: "status,error_message" }, Status)

  const look = Effect.fnUntraced(function* (container: Container, credentials: ThreadsCredentials) {
    if (container.finished) return container
    const { error_message, status } = yield* statusOf(container.id, credentials).pipe(
      Effect.catchIf(
        ({ code }) => code === notThere,
        () => Effect.fail(containerExpired("Threads"))
      )
    )
    switch (status) {
      case "FINISHED":
      case "PUBLISHED":
        return { ...container, finished: true }
      case "ERROR":
        return yield* new PublishError(refuseContainer(error_message))
      case "EXPIRED":
        return yield* containerExpired("Threads")
      default:
        return container
    }
  })

  const kindFields = Effect.fnUntraced(function* (
    { media: [first, second] }: PublishRequest,
    children: ReadonlyArray<Container>
  ) {
    if (first === undefined) return { media_type: "TEXT" }
    return second === undefined
      ? mediaFields(first, yield* first.public_url)
      : { media_type: "CAROUSEL", children: children.map(({ id }) => id).join(",") }
  })

  /** The post's own container, without its topic where Threads refuses that. */
  const createPost = Effect.fnUntraced(function* (
    request: PublishRequest,
    credentials: ThreadsCredentials,
    children: ReadonlyArray<Container>
  ) {
    const kind = yield* kindFields(request, children)
    const reply_to_id = yield* parentOf(request, credentials)
    const about = (topic: string | undefined) =>
      create(request, credentials, { ...kind, ...postFields(request, { reply_to_id, topic }) })
    const topic = optionsOf(request).topic_tag
    return yield* about(topic).pipe(
      Effect.map((own) => ({ post: own, topic_refused: false })),
      Effect.catchIf(
        ({ code }) => topic !== undefined && code.endsWith(`/${topicRefused}`),
        () => Effect.map(about(undefined), (own) => ({ post: own, topic_refused: true }))
      )
    )
  })

  /** Prepares as far as possible now. Without `save`, the new containers are in the returned handle alone. */
  const advance = Effect.fnUntraced(function* (
    request: PublishRequest,
    credentials: ThreadsCredentials,
    before: ThreadsHandle,
    save: Save | null
  ): Effect.fn.Return<Prepared, PublishError> {
    let handle: ThreadsHandle = { ...before, looks: before.looks + 1 }
    const keep = (more: Partial<ThreadsHandle>) => {
      handle = { ...handle, ...more }
      return save === null ? Effect.void : save({ ...handle })
    }
    const items = request.media.length > 1 ? request.media : []
    for (const media of items.slice(handle.items.length)) {
      const fields = { ...mediaFields(media, yield* media.public_url), is_carousel_item: "true" }
      yield* keep({ items: [...handle.items, yield* create(request, credentials, fields)] })
    }
    handle = { ...handle, items: yield* Effect.forEach(handle.items, (item) => look(item, credentials)) }
    if (!handle.items.every(({ finished }) => finished))
      return yield* awaitContainers("Threads", { ...handle })
    if (handle.post === null) {
      yield* keep({ ...(yield* createPost(request, credentials, handle.items)), looks: 0 })
      if (save === null) return { _tag: "wait", handle: { ...handle }, poll_after: Duration.seconds(1) }
    }
    const own = yield* look(handle.post!, credentials)
    handle = { ...handle, post: own }
    return own.finished
      ? { _tag: "ready", handle: { ...handle } }
      : yield* awaitContainers("Threads", { ...handle })
  })

  const prepare = Effect.fnUntraced(function* (
    request: PublishRequest,
    credentials: ThreadsCredentials,
    saved: Handle | null,
    save: Save
  ) {
    const handle = Option.getOrNull(decodeHandle(saved)) ?? (yield* nothing)
    return yield* advance(request, credentials, handle, save)
  })

  const poll = Effect.fnUntraced(function* (
    request: PublishRequest,
    credentials: ThreadsCredentials,
    saved: Handle
  ) {
    return yield* advance(request, credentials, yield* readHandle(saved), null)
  })

  /** The container that is published, and what a person has to know of it. */
  const prepared = Effect.fnUntraced(function* (request: PublishRequest, saved: Handle) {
    const { post: own, topic_refused } = yield* readHandle(saved)
    if (own === null) return yield* handleUnreadable("Threads")
    const topic = JSON.stringify(optionsOf(request).topic_tag)
    const warnings = topic_refused ? [`Threads refused the topic ${topic}: the post has none.`] : []
    return { container: own.id, warnings }
  })

  return { prepare, poll, prepared, statusOf }
}
