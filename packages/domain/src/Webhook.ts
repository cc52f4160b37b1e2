import { Schema } from "effect"
import { EventType } from "./Event.ts"
import { EventId, WebhookDeliveryId, WebhookId } from "./Ids.ts"
import { anyOf, List, paging, Several } from "./Lists.ts"
import { Text } from "./Text.ts"
import { Timestamp } from "./Time.ts"
import { field } from "./Field.ts"

/** `paused`: nothing is sent; events wait for as long as they are kept. */
export const WebhookStatus = Schema.Literals(["active", "paused"]).annotate({ identifier: "WebhookStatus" })
export type WebhookStatus = typeof WebhookStatus.Type

const mostEvents = 100

const webhook = {
  id: field("A UUID, not to be confused with the header `webhook-id`, which is the event's id.", WebhookId),
  url: field("The URL that its events are sent to, by POST.", Schema.String),
  events: field(
    "The types of event that it receives. It always receives `webhook.test`.",
    Schema.Array(EventType).check(Schema.isMaxLength(mostEvents))
  ),
  description: field("A note for people; null: none.", Schema.NullOr(Schema.String)),
  status: field("`paused`: nothing is sent, and its events wait for up to 30 days.", WebhookStatus),
  status_reason: field(
    "Why the service paused it; null: it is active, or a person paused it.",
    Schema.NullOr(Schema.String)
  ),
  failing_since: field(
    "When the first of the failed attempts since the last accepted one was made, in UTC; null: none has failed since.",
    Schema.NullOr(Timestamp)
  ),
  created_at: field("When it was created, in UTC. It receives only later events.", Timestamp),
  updated_at: field("When it last changed, in UTC, including when the service paused it.", Timestamp)
}

/** An address that receives events. */
export const Webhook = Schema.Struct(webhook).annotate({ identifier: "Webhook" })
export interface Webhook extends Schema.Schema.Type<typeof Webhook> {}

/** The only answers that ever hold the secret (`whsec_…`): to a create and to a rotation. */
export const NewWebhook = Schema.Struct({
  ...webhook,
  secret: field("The key that signs every message (`whsec_…`). It is never shown again.", Schema.String)
}).annotate({
  identifier: "NewWebhook"
})
export interface NewWebhook extends Schema.Schema.Type<typeof NewWebhook> {}

export const WebhookList = List(Webhook).annotate({ identifier: "WebhookList" })
export const WebhookFilter = Schema.Struct(paging)

const url = Text.check(Schema.isBetweenLength(1, 2000))
const events = Schema.Array(EventType).check(
  Schema.isMinLength(1, { expected: "at least one event" }),
  Schema.isMaxLength(mostEvents),
  Schema.isUnique({ expected: "every event once" })
)
const description = Schema.NullOr(Text.check(Schema.isMaxLength(500)))

export const CreateWebhook = Schema.Struct({
  url: field("The URL that its events are sent to: http or https, on port 80 or 443 of a public host.", url),
  events: field("The types of event that it receives, each once.", events),
  description: field(
    "A note for people, such as what the webhook is for. Default: none.",
    Schema.optionalKey(description)
  )
}).annotate({ identifier: "CreateWebhook" })
export interface CreateWebhook extends Schema.Schema.Type<typeof CreateWebhook> {}

/** An absent key is unchanged. `status: active` resumes, and the waiting events go out. */
export const UpdateWebhook = Schema.Struct({
  url: field(
    "The URL that its events are sent to from now on, including waiting ones. Absent: unchanged.",
    Schema.optionalKey(url)
  ),
  events: field(
    "The only types of event that it receives from now on, each once. Absent: unchanged.",
    Schema.optionalKey(events)
  ),
  description: field("A note for people; null: none.", Schema.optionalKey(description)),
  status: field(
    "`paused` holds its events back; `active` sends those that have waited, in order. Absent: unchanged.",
    Schema.optionalKey(WebhookStatus)
  )
}).annotate({ identifier: "UpdateWebhook" })
export interface UpdateWebhook extends Schema.Schema.Type<typeof UpdateWebhook> {}

export const WebhookDeleted = Schema.Struct({
  success: field("Always true.", Schema.Literal(true)),
  id: field("The deleted webhook's id. It receives nothing more.", WebhookId)
}).annotate({
  identifier: "WebhookDeleted"
})

export const WebhookDeliveryStatus = Schema.Literals(["pending", "delivered", "failed"]).annotate({
  identifier: "WebhookDeliveryStatus"
})
export type WebhookDeliveryStatus = typeof WebhookDeliveryStatus.Type

/** One event on its way to one webhook. The three fields about the answer are those of the last try. */
export const WebhookDelivery = Schema.Struct({
  id: field("A UUID, for the path that sends the event again.", WebhookDeliveryId),
  webhook_id: field("The id of the webhook that the event is sent to.", WebhookId),
  event_id: field(
    "The header `webhook-id` of the message, the same in every attempt and for every webhook.",
    EventId
  ),
  event_type: field(
    "The event's type, such as `post.published`.",
    Schema.Literals([...EventType.literals, "webhook.test"])
  ),
  status: field(
    "`pending`: not sent yet, or to be tried again. `delivered`: answered with 2xx. `failed`: given up.",
    WebhookDeliveryStatus
  ),
  attempts: field("How many times it has been sent.", Schema.Int),
  next_attempt_at: field(
    "When it is sent next; null: it is finished, being sent right now, or the webhook is paused.",
    Schema.NullOr(Timestamp)
  ),
  last_attempt_at: field("When it was last sent, in UTC; null: not yet.", Schema.NullOr(Timestamp)),
  response_status: field(
    "The HTTP status of the last answer; null: there was none.",
    Schema.NullOr(Schema.Int)
  ),
  response_excerpt: field(
    "The beginning of the last answer's body; null: there was none.",
    Schema.NullOr(Schema.String)
  ),
  error: field(
    "Why the last attempt failed: `bad_status`, or why there was no answer, such as `timed_out`. null: it did not fail, or there was none.",
    Schema.NullOr(Schema.String)
  ),
  created_at: field(
    "When this delivery was created: when the event happened or, for a redelivery, when it was requested.",
    Timestamp
  ),
  finished_at: field("When it was accepted or given up, in UTC; null: neither yet.", Schema.NullOr(Timestamp))
}).annotate({ identifier: "WebhookDelivery" })
export interface WebhookDelivery extends Schema.Schema.Type<typeof WebhookDelivery> {}

export const WebhookDeliveryList = List(WebhookDelivery).annotate({ identifier: "WebhookDeliveryList" })

export const WebhookDeliveryFilter = Schema.Struct({
  ...paging,
  status: anyOf("Only deliveries with any of these statuses.", Several(WebhookDeliveryStatus)),
  event_type: anyOf(
    "Only deliveries of any of these types of event.",
    Several(WebhookDelivery.fields.event_type)
  )
})
export interface WebhookDeliveryFilter extends Schema.Schema.Type<typeof WebhookDeliveryFilter> {}
