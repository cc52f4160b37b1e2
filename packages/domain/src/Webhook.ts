import { Schema } from "effect"
import { EventType } from "./Event.ts"
import { EventId, WebhookDeliveryId, WebhookId } from "./Ids.ts"
import { List, paging, Several } from "./Lists.ts"
import { Text } from "./Text.ts"
import { Timestamp } from "./Time.ts"

/** `paused`: nothing is sent; events wait for as long as they are kept. */
export const WebhookStatus = Schema.Literals(["active", "paused"]).annotate({ identifier: "WebhookStatus" })
export type WebhookStatus = typeof WebhookStatus.Type

const mostEvents = 100

const webhook = {
  id: WebhookId,
  url: Schema.String,
  events: Schema.Array(EventType).check(Schema.isMaxLength(mostEvents)),
  description: Schema.NullOr(Schema.String),
  status: WebhookStatus,
  /** Why it is paused. */
  status_reason: Schema.NullOr(Schema.String),
  /** The first failed try since the last delivered one. */
  failing_since: Schema.NullOr(Timestamp),
  created_at: Timestamp,
  updated_at: Timestamp
}

/** An address that receives events. */
export const Webhook = Schema.Struct(webhook).annotate({ identifier: "Webhook" })
export interface Webhook extends Schema.Schema.Type<typeof Webhook> {}

/** The only answers that ever hold the secret (`whsec_…`): to a create and to a rotation. */
export const NewWebhook = Schema.Struct({ ...webhook, secret: Schema.String }).annotate({
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
  url,
  events,
  description: Schema.optionalKey(description)
}).annotate({ identifier: "CreateWebhook" })
export interface CreateWebhook extends Schema.Schema.Type<typeof CreateWebhook> {}

/** An absent key is unchanged. `status: active` resumes, and the waiting events go out. */
export const UpdateWebhook = Schema.Struct({
  url: Schema.optionalKey(url),
  events: Schema.optionalKey(events),
  description: Schema.optionalKey(description),
  status: Schema.optionalKey(WebhookStatus)
}).annotate({ identifier: "UpdateWebhook" })
export interface UpdateWebhook extends Schema.Schema.Type<typeof UpdateWebhook> {}

export const WebhookDeleted = Schema.Struct({ success: Schema.Literal(true), id: WebhookId }).annotate({
  identifier: "WebhookDeleted"
})

export const WebhookDeliveryStatus = Schema.Literals(["pending", "delivered", "failed"]).annotate({
  identifier: "WebhookDeliveryStatus"
})
export type WebhookDeliveryStatus = typeof WebhookDeliveryStatus.Type

/** One event on its way to one webhook. The three fields about the answer are those of the last try. */
export const WebhookDelivery = Schema.Struct({
  id: WebhookDeliveryId,
  webhook_id: WebhookId,
  event_id: EventId,
  event_type: Schema.Literals([...EventType.literals, "webhook.test"]),
  status: WebhookDeliveryStatus,
  attempts: Schema.Int,
  next_attempt_at: Schema.NullOr(Timestamp),
  last_attempt_at: Schema.NullOr(Timestamp),
  response_status: Schema.NullOr(Schema.Int),
  /** The first characters of the answer's body. */
  response_excerpt: Schema.NullOr(Schema.String),
  /** The failure: `bad_status`, or why there was no answer, such as `timed_out` or `unreachable`. */
  error: Schema.NullOr(Schema.String),
  created_at: Timestamp,
  finished_at: Schema.NullOr(Timestamp)
}).annotate({ identifier: "WebhookDelivery" })
export interface WebhookDelivery extends Schema.Schema.Type<typeof WebhookDelivery> {}

export const WebhookDeliveryList = List(WebhookDelivery).annotate({ identifier: "WebhookDeliveryList" })

export const WebhookDeliveryFilter = Schema.Struct({
  ...paging,
  status: Schema.optionalKey(Several(WebhookDeliveryStatus)),
  event_type: Schema.optionalKey(Several(WebhookDelivery.fields.event_type))
})
export interface WebhookDeliveryFilter extends Schema.Schema.Type<typeof WebhookDeliveryFilter> {}
