import { Schema } from "effect"

const uuid = Schema.String.check(Schema.isUUID(7))

export const WorkspaceId = uuid.pipe(Schema.brand("WorkspaceId")).annotate({ identifier: "WorkspaceId" })
export type WorkspaceId = typeof WorkspaceId.Type

export const PostId = uuid.pipe(Schema.brand("PostId")).annotate({ identifier: "PostId" })
export type PostId = typeof PostId.Type

/** The id that a text from outside names; undefined: it has another form, so nothing has that id. */
export const toPostId = (text: string): PostId | undefined => {
  const lower = text.toLowerCase()
  return isPostId(lower) ? lower : undefined
}
const isPostId = Schema.is(PostId)

export const MediaId = uuid.pipe(Schema.brand("MediaId")).annotate({ identifier: "MediaId" })
export type MediaId = typeof MediaId.Type

/** A target is a post × social account; the result that the API shows has the target's id. */
export const TargetId = uuid.pipe(Schema.brand("TargetId")).annotate({ identifier: "TargetId" })
export type TargetId = typeof TargetId.Type

/** The one id that is a number, because the specification's `social_accounts` is `number[]`. */
export const SocialAccountId = Schema.Int.check(
  Schema.isBetween({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER })
)
  .pipe(Schema.brand("SocialAccountId"))
  .annotate({ identifier: "SocialAccountId" })
export type SocialAccountId = typeof SocialAccountId.Type

/** As `toPostId`. */
export const toSocialAccountId = (text: string): SocialAccountId | undefined =>
  /^[1-9]\d{0,14}$/.test(text) ? SocialAccountId.make(Number(text)) : undefined

export const PendingConnectionId = uuid
  .pipe(Schema.brand("PendingConnectionId"))
  .annotate({ identifier: "PendingConnectionId" })
export type PendingConnectionId = typeof PendingConnectionId.Type

/** As `toPostId`. */
export const toPendingConnectionId = (text: string): PendingConnectionId | undefined => {
  const lower = text.toLowerCase()
  return isPendingConnectionId(lower) ? lower : undefined
}
const isPendingConnectionId = Schema.is(PendingConnectionId)

/** The public half of a key: `crl_<id>_<secret>`. */
export const ApiKeyId = Schema.String.check(Schema.isPattern(/^[a-z0-9]{12}$/u))
  .pipe(Schema.brand("ApiKeyId"))
  .annotate({ identifier: "ApiKeyId" })
export type ApiKeyId = typeof ApiKeyId.Type

export const WebhookId = uuid.pipe(Schema.brand("WebhookId")).annotate({ identifier: "WebhookId" })
export type WebhookId = typeof WebhookId.Type

export const WebhookDeliveryId = uuid
  .pipe(Schema.brand("WebhookDeliveryId"))
  .annotate({ identifier: "WebhookDeliveryId" })
export type WebhookDeliveryId = typeof WebhookDeliveryId.Type

export const AuditEntryId = uuid.pipe(Schema.brand("AuditEntryId")).annotate({ identifier: "AuditEntryId" })
export type AuditEntryId = typeof AuditEntryId.Type

/** The `webhook-id` of every delivery of an event. */
export const EventId = uuid.pipe(Schema.brand("EventId")).annotate({ identifier: "EventId" })
export type EventId = typeof EventId.Type
