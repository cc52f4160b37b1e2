import { Schema } from "effect"
import { EventType, SentEventType } from "./Event.ts"
import { EventId, WebhookDeliveryId, WebhookId } from "./Ids.ts"
import { anyOf, List, paging, Several } from "./Lists.ts"
import { Text } from "./Text.ts"
import { Timestamp } from "./Time.ts"
import { field } from "./Field.ts"
import { success } from "./Success.ts"

/** `paused`: nothing is sent; events wait for as long as they are kept. */
export const WebhookStatus = Schema.Literals(["active", "paused"]).annotate({ identifier: "WebhookStatus" })
export type WebhookStatus = typeof WebhookStatus.Type

const mostEvents = 100

const webhook = {
  id: field("A UUID, not to be confused with the header `webhook-id`, which is the event's id.", WebhookId),
  url: field("The URL that its events are sent to, each in a POST of its own.", Schema.String),
  events: field(
    "The types of event that it receives, such as `post.published`. It always receives `webhook.test`.",
    Schema.Array(EventType).check(Schema.isMaxLength(mostEvents))
  ),
  description: field(
    "A note for people about what it is for, at most 500 characters; null: none.",
    Schema.NullOr(Schema.String)
  ),
  status: field(
    "`active`: events are sent as they happen. `paused`: nothing is sent, and its events wait for up to 30 days.",
    WebhookStatus
  ),
  status_reason: field(
    "Why it is paused, for people: someone paused it, or the service did after failures. null: it is active.",
    Schema.NullOr(Schema.String)
  ),
  failing_since: field(
    "When the first failed attempt since the last accepted one was made, in UTC; after three days of failures the service pauses it. null: none has failed since.",
    Schema.NullOr(Timestamp)
  ),
  created_at: field("When it was created, in UTC. It receives only later events.", Timestamp),
  updated_at: field("When it last changed, in UTC, also when the service paused it.", Timestamp)
}

/** An address that receives events. */
export const Webhook = Schema.Struct(webhook).annotate({ identifier: "Webhook" })
export interface Webhook extends Schema.Schema.Type<typeof Webhook> {}

/** The only answers that ever hold the secret (`whsec_…`): to a create and to a rotation. */
export const NewWebhook = Schema.Struct({
  ...webhook,
  secret: field(
    "The key that signs every message (`whsec_…`), as Standard Webhooks do. Keep it: it is never shown again.",
    Schema.String
  )
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
  url: field(
    "The URL that its events are sent to: http or https, on port 80 or 443 of a public host, without user name or password.",
    url
  ),
  events: field(
    "The types of event that it receives, such as `post.published`, each once. It always receives `webhook.test`.",
    events
  ),
  description: field(
    "A note for people about what it is for, at most 500 characters. null or absent: none.",
    Schema.optionalKey(description)
  )
}).annotate({ identifier: "CreateWebhook" })
export interface CreateWebhook extends Schema.Schema.Type<typeof CreateWebhook> {}

/** An absent key is unchanged. `status: active` resumes, and the waiting events go out. */
export const UpdateWebhook = Schema.Struct({
  url: field(
    "Where its events are sent from now on, including those already waiting: http or https, on port 80 or 443 of a public host, without user name or password. Absent: unchanged.",
    Schema.optionalKey(url)
  ),
  events: field(
    "The only types of event that it receives from now on, each once. Absent: unchanged.",
    Schema.optionalKey(events)
  ),
  description: field(
    "A note for people about what it is for, at most 500 characters. null: none. Absent: unchanged.",
    Schema.optionalKey(description)
  ),
  status: field(
    "`paused` holds its events back; `active` sends those that have waited, in order. Absent: unchanged.",
    Schema.optionalKey(WebhookStatus)
  )
}).annotate({ identifier: "UpdateWebhook" })
export interface UpdateWebhook extends Schema.Schema.Type<typeof UpdateWebhook> {}

export const WebhookDeleted = Schema.Struct({
  success,
  id: field("The deleted webhook's id. It receives nothing more, and its deliveries are gone.", WebhookId)
}).annotate({
  identifier: "WebhookDeleted"
})

export const WebhookDeliveryStatus = Schema.Literals(["pending", "delivered", "failed"]).annotate({
  identifier: "WebhookDeliveryStatus"
})
export type WebhookDeliveryStatus = typeof WebhookDeliveryStatus.Type

/** One event on its way to one webhook. The three fields about the answer are those of the last try. */
export const WebhookDelivery = Schema.Struct({
  id: field("A UUID, for `POST /v1/webhooks/deliveries/{delivery_id}/redeliver`.", WebhookDeliveryId),
  webhook_id: field(
    "The id of the webhook that the event is sent to, as `GET /v1/webhooks` lists it.",
    WebhookId
  ),
  event_id: field(
    "The header `webhook-id` of the message, the same in every attempt and for every webhook.",
    EventId
  ),
  event_type: field(
    "The type of the event, such as `post.published`; `webhook.test` for a test.",
    SentEventType
  ),
  status: field(
    "`pending`: not sent yet, or to be tried again. `delivered`: answered with 2xx. `failed`: given up after eight attempts, or answered with 410.",
    WebhookDeliveryStatus
  ),
  attempts: field(
    "How many times it has been sent; after eight failures, spread over about 27 hours, it is given up.",
    Schema.Int
  ),
  next_attempt_at: field(
    "When it is sent next, in UTC; null: it is finished, being sent right now, or the webhook is paused.",
    Schema.NullOr(Timestamp)
  ),
  last_attempt_at: field("When it was last sent, in UTC; null: not yet.", Schema.NullOr(Timestamp)),
  request_excerpt: field(
    "The first 2,000 characters of the body that is sent, the same in every attempt.",
    Schema.String
  ),
  response_status: field(
    "The HTTP status of the answer to the last attempt; null: there was no answer, or no attempt yet.",
    Schema.NullOr(Schema.Int)
  ),
  response_excerpt: field(
    "The first 300 characters of the answer to the last attempt; null: there was no answer, or no attempt yet.",
    Schema.NullOr(Schema.String)
  ),
  error: field(
    "Why the last attempt failed: `bad_status`, or why there was no answer, such as `timed_out`. null: it was accepted, or there was no attempt yet.",
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
  status: anyOf(
    "Only deliveries with any of these statuses, such as `failed`.",
    Several(WebhookDeliveryStatus)
  ),
  event_type: anyOf(
    "Only deliveries of any of these types of event, such as `post.failed`.",
    Several(WebhookDelivery.fields.event_type)
  )
})
export interface WebhookDeliveryFilter extends Schema.Schema.Type<typeof WebhookDeliveryFilter> {}
