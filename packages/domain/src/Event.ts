import { Schema } from "effect"
import { field } from "./Field.ts"
import { Media } from "./Media.ts"
import { Post } from "./Post.ts"
import { SocialAccount } from "./SocialAccount.ts"
import { PostResult } from "./Target.ts"
import { Timestamp } from "./Time.ts"

/** The events, and so the types that an endpoint can subscribe to. */
export const EventType = Schema.Literals([
  "post.scheduled",
  "post.published",
  "post.failed",
  "post.result",
  "media.ready",
  "media.failed",
  "account.connected",
  "account.expiring",
  "account.needs_reconnect"
]).annotate({ identifier: "EventType" })
export type EventType = typeof EventType.Type

const event = <const Types extends ReadonlyArray<string>, Data extends Schema.Top>(
  types: Types,
  data: Data
) =>
  Schema.Struct({
    type: field("What happened.", Schema.Literals(types)),
    timestamp: field("When it happened. A delivery may come later, and more than once.", Timestamp),
    data: field("The thing as the REST API showed it at that moment.", data)
  })

/**
 * The body of a webhook: the event, its time, and the thing as the REST API showed it at that moment.
 * `webhook.test` is sent by a test; no endpoint subscribes to it.
 */
export const Event = Schema.Union([
  event(["post.scheduled", "post.published", "post.failed"], Post),
  event(["post.result"], PostResult),
  event(["media.ready", "media.failed"], Media),
  event(["account.connected", "account.expiring", "account.needs_reconnect"], SocialAccount),
  event(
    ["webhook.test"],
    Schema.Struct({
      webhook_id: field("The id of the webhook that is tested.", Schema.String),
      message: field("A sentence for people, always the same.", Schema.String)
    })
  )
]).annotate({ identifier: "Event" })
export type Event = typeof Event.Type
