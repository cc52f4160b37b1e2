import {
  CurrentActor,
  type EventType,
  hasScope,
  Post,
  type Scope,
  sees,
  seesAll,
  seesSome
} from "@carillon/domain"
import { Context, DateTime, Effect, Layer, Option, Schema } from "effect"
import type { LoggedEvent } from "../events/EventLog.ts"
import { Posts } from "../posts/Posts.ts"

interface Heard {
  readonly type: EventType
  /** As a webhook gets it. */
  readonly body: string
}

/** What a credential may hear: events of what it may read. */
export class Hearing extends Context.Service<
  Hearing,
  { of(event: LoggedEvent): Effect.Effect<Option.Option<Heard>, never, CurrentActor> }
>()("@carillon/server/streams/Hearing") {
  static readonly layer = Layer.effect(
    Hearing,
    Effect.gen(function* () {
      const posts = yield* Posts

      /** A post of which the credential sees a part is told as it reads it now. */
      const partOf = Effect.fnUntraced(function* (event: LoggedEvent, id: string) {
        const found = yield* Effect.option(posts.get(id))
        return Option.map(found, ({ post }) => {
          const isOver = event.type === "post.published" || event.type === "post.failed"
          const type =
            isOver && post.status !== "scheduled" ? (`post.${post.status}` as EventType) : event.type
          return heard({ ...event, type }, JSON.stringify(encodePost(post)))
        })
      })

      return Hearing.of({
        of: Effect.fnUntraced(function* (event) {
          const { scopes, social_accounts: access } = yield* CurrentActor
          if (event.data === null || event.type === "webhook.test") return Option.none()
          const subject = event.type.slice(0, event.type.indexOf("."))
          if (!hasScope(scopes, scopeOf[subject] ?? "posts:read")) return Option.none()
          if (access === null || subject === "media") return Option.some(heard(event, event.data))
          const data = JSON.parse(event.data)
          if (subject !== "post" || event.type === "post.result") {
            return sees(data.social_account_id ?? data.id, access)
              ? Option.some(heard(event, event.data))
              : Option.none()
          }
          if (!seesSome(data, access)) return Option.none()
          if (seesAll(data, access)) return Option.some(heard(event, event.data))
          // What these tell of is not read from the post.
          if (event.type !== "post.deleted" && event.type !== "post.reviewed")
            return yield* partOf(event, data.id)
          const social_accounts = data.social_accounts.filter((id: number) => sees(id, access))
          return Option.some(heard(event, JSON.stringify({ ...data, social_accounts })))
        })
      })
    })
  )
}

const scopeOf: Readonly<Record<string, Scope>> = { media: "media:read", account: "accounts:read" }

const encodePost = Schema.encodeSync(Post)

const heard = ({ created_at, type }: LoggedEvent, data: string): Heard => ({
  type: type as EventType,
  body: `{"type":${JSON.stringify(type)},"timestamp":"${DateTime.formatIso(created_at)}","data":${data}}`
})
