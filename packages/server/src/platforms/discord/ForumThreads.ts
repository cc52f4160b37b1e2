import { DateTime, Duration, Effect, Schema } from "effect"
import type { Taken } from "../Platform.ts"
import type { Access, DiscordCalls } from "./DiscordCalls.ts"
import { snowflakeAt } from "./Snowflake.ts"

const Thread = Schema.Struct({
  id: Schema.String,
  name: Schema.String,
  owner_id: Schema.String,
  parent_id: Schema.optionalKey(Schema.NullOr(Schema.String)),
  thread_metadata: Schema.Struct({ archive_timestamp: Schema.String })
})
const Threads = Schema.Struct({ threads: Schema.Array(Thread), has_more: Schema.optionalKey(Schema.Boolean) })

const forumTag = Schema.Struct({ id: Schema.String, name: Schema.String })
export const Forum = Schema.Struct({
  flags: Schema.optionalKey(Schema.Int),
  available_tags: Schema.optionalKey(Schema.Array(forumTag))
})

/** https://docs.discord.com/developers/resources/channel#channel-object-channel-flags */
const requireTag = 1 << 4

const pageSize = 100
const mostPages = 10
/** Clocks differ. */
const slack = Duration.minutes(1)

/** A forum's limits, as its channel tells them. */
export const forumLimits = ({ available_tags = [], flags = 0 }: typeof Forum.Type) => ({
  webhook: false,
  forum_tags: available_tags.map(({ id, name }) => ({ id, name })),
  tag_required: (flags & requireTag) !== 0
})

interface Place {
  readonly bot_id: string
  readonly guild_id: string | null
  readonly channel_id: string
}

interface Wanted<M> {
  readonly name: string
  readonly due_at: DateTime.Utc
  readonly Message: Schema.ConstraintDecoder<M>
  /** Whether a thread's first message is the one that is looked for. */
  readonly isOurs: (first: M) => boolean
  readonly taken: Taken
}

/** The threads that a bot begins in a forum. The call that begins one takes no key: afterwards it is known by its words. */
export const forumThreads = ({ get }: DiscordCalls) => {
  const search = Effect.fnUntraced(
    function* <M extends { readonly id: string }>(
      access: Access & Place,
      active: ReadonlyArray<typeof Thread.Type>,
      { Message, due_at, isOurs, name, taken }: Wanted<M>
    ) {
      const since = DateTime.subtractDuration(due_at, slack)
      const found: Array<M> = []
      const look = Effect.fnUntraced(function* (threads: ReadonlyArray<typeof Thread.Type>) {
        for (const { id, name: title, owner_id, parent_id } of threads) {
          if (owner_id !== access.bot_id || parent_id !== access.channel_id) continue
          // Discord takes spaces away at both ends.
          if (title.trim() !== name.trim() || BigInt(id) < BigInt(snowflakeAt(since))) continue
          // The first message has the id of its thread.
          const first = yield* get(access, `/channels/${id}/messages/${id}`, Message)
          if (isOurs(first)) found.push(first)
        }
      })
      yield* look(active)
      // A thread in which nobody writes is archived after an hour at the earliest, and anybody may archive it before.
      let before: string | undefined
      let isComplete = false
      for (let page = 0; page < mostPages && !isComplete; page++) {
        const path = `/channels/${access.channel_id}/threads/archived/public`
        const { has_more, threads } = yield* get(access, path, Threads, {
          limit: String(pageSize),
          ...(before === undefined ? {} : { before })
        })
        yield* look(threads)
        before = threads.at(-1)?.thread_metadata.archive_timestamp
        isComplete =
          has_more !== true || before === undefined || Date.parse(before) < DateTime.toEpochMillis(since)
      }
      const others = yield* taken(found.map(({ id }) => id))
      const free = found.find(({ id }) => !others.has(id))
      return free ?? (isComplete ? ("not_published" as const) : ("unknown" as const))
    },
    // A bot that may not read the history cannot tell.
    Effect.catchIf(
      ({ class: errorClass }) => errorClass === "forbidden",
      () => Effect.succeed("unknown" as const)
    )
  )

  return {
    limits: (access: Access & Place) =>
      Effect.map(get(access, `/channels/${access.channel_id}`, Forum), forumLimits),

    /** The first message of the thread that is wanted. */
    find: Effect.fnUntraced(function* <M extends { readonly id: string }>(
      access: Access & Place,
      wanted: Wanted<M>
    ) {
      const { threads } = yield* get(access, `/guilds/${access.guild_id}/threads/active`, Threads)
      return yield* search(access, threads, wanted)
    })
  }
}
