import { Schema } from "effect"
import { EventType } from "./Event.ts"
import { EventId, WebhookDeliveryId, WebhookId } from "./Ids.ts"
import { List, paging, Several } from "./Lists.ts"
import { Text } from "./Text.ts"
import { Timestamp } from "./Time.ts"
import { field } from "./Field.ts"

/** `paused`: nothing is sent; events wait for as long as they are kept. */
export const WebhookStatus = Schema.Literals(["active", "paused"]).annotate({ identifier: "WebhookStatus" })
export type WebhookStatus = typeof WebhookStatus.Type

const mostEvents = 100

const webhook = {
  id: field("A UUID; it is not the `webhook-id` of a message, which is the event's.", WebhookId),
  url: field("The address that its events are sent to, by POST.", Schema.String),
  events: field(
    "The types of event that it receives. `webhook.test` comes whatever they are.",
    Schema.Array(EventType).check(Schema.isMaxLength(mostEvents))
  ),
  description: field("A note for people; null: none.", Schema.NullOr(Schema.String)),
  status: field(
    "`paused`: nothing is sent; its events wait for as long as they are kept, 30 days.",
    WebhookStatus
  ),
  status_reason: field(
    "Why it is paused; null: it is active, or a person paused it.",
    Schema.NullOr(Schema.String)
  ),
  failing_since: field(
    "The first failed attempt since the last accepted one; null: the last one was accepted.",
    Schema.NullOr(Timestamp)
  ),
  created_at: field("When it was created. It receives only what happens after that.", Timestamp),
  updated_at: field("When it last changed, including by a pause of the service's own.", Timestamp)
}

/** An address that receives events. */
export const Webhook = Schema.Struct(webhook).annotate({ identifier: "Webhook" })
export interface Webhook extends Schema.Schema.Type<typeof Webhook> {}

/** The only answers that ever hold the secret (`whsec_…`): to a create and to a rotation. */
export const NewWebhook = Schema.Struct({
  ...webhook,
  secret: field("Signs every message (`whsec_…`). It is never shown again.", Schema.String)
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
  url: field("Where its events are sent: http or https on port 80 or 443 of a public host.", url),
  events: field("The types of event that it receives, each once; no other is sent to it.", events),
  description: field(
    "A note for people, such as where it leads. Default: none.",
    Schema.optionalKey(description)
  )
}).annotate({ identifier: "CreateWebhook" })
export interface CreateWebhook extends Schema.Schema.Type<typeof CreateWebhook> {}

/** An absent key is unchanged. `status: active` resumes, and the waiting events go out. */
export const UpdateWebhook = Schema.Struct({
  url: field(
    "Where its events are sent from now on, those that wait too. Absent: unchanged.",
    Schema.optionalKey(url)
  ),
  events: field(
    "The types of event that it receives from now on, in place of those before. Absent: unchanged.",
    Schema.optionalKey(events)
  ),
  description: field("A note for people; null: none.", Schema.optionalKey(description)),
  status: field(
    "`paused` holds its events back; `active` sends those that have waited, in order.",
    Schema.optionalKey(WebhookStatus)
  )
}).annotate({ identifier: "UpdateWebhook" })
export interface UpdateWebhook extends Schema.Schema.Type<typeof UpdateWebhook> {}

export const WebhookDeleted = Schema.Struct({
  success: field("Always true; a failure has a status and a body of its own.", Schema.Literal(true)),
  id: field("The id of the webhook that is gone.", WebhookId)
}).annotate({
  identifier: "WebhookDeleted"
})

export const WebhookDeliveryStatus = Schema.Literals(["pending", "delivered", "failed"]).annotate({
  identifier: "WebhookDeliveryStatus"
})
export type WebhookDeliveryStatus = typeof WebhookDeliveryStatus.Type

/** One event on its way to one webhook. The three fields about the answer are those of the last try. */
export const WebhookDelivery = Schema.Struct({
  id: field("A UUID, for sending the event again.", WebhookDeliveryId),
  webhook_id: field("The id of the webhook that it goes to.", WebhookId),
  event_id: field(
    "The `webhook-id` header of the message, the same at every attempt and at every webhook.",
    EventId
  ),
  event_type: field(
    "The type of the event: what happened.",
    Schema.Literals([...EventType.literals, "webhook.test"])
  ),
  status: field(
    "`pending`: it is tried until it is accepted or given up. `delivered`: the answer was 2xx. `failed`: given up.",
    WebhookDeliveryStatus
  ),
  attempts: field("How often it has been sent, the first time included.", Schema.Int),
  next_attempt_at: field("When it is sent next; null: it is over.", Schema.NullOr(Timestamp)),
  last_attempt_at: field("When it was last sent; null: not yet.", Schema.NullOr(Timestamp)),
  response_status: field(
    "The HTTP status of the last answer; null: there was none.",
    Schema.NullOr(Schema.Int)
  ),
  response_excerpt: field(
    "The first characters of the last answer's body; null: there was none.",
    Schema.NullOr(Schema.String)
  ),
  error: field(
    "Why the last attempt failed: `bad_status`, or why there was no answer, such as `timed_out` or `unreachable`. null: it did not fail.",
    Schema.NullOr(Schema.String)
  ),
  created_at: field("When the event happened.", Timestamp),
  finished_at: field("When it was accepted or given up; null: neither yet.", Schema.NullOr(Timestamp))
}).annotate({ identifier: "WebhookDelivery" })
export interface WebhookDelivery extends Schema.Schema.Type<typeof WebhookDelivery> {}

export const WebhookDeliveryList = List(WebhookDelivery).annotate({ identifier: "WebhookDeliveryList" })

export const WebhookDeliveryFilter = Schema.Struct({
  ...paging,
  status: field(
    "Only deliveries with one of these statuses.",
    Schema.optionalKey(Several(WebhookDeliveryStatus))
  ),
  event_type: field(
    "Only deliveries of these types of event.",
    Schema.optionalKey(Several(WebhookDelivery.fields.event_type))
  )
})
export interface WebhookDeliveryFilter extends Schema.Schema.Type<typeof WebhookDeliveryFilter> {}
