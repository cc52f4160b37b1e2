import { Schema } from "effect"
import { AuditEntryId } from "./Ids.ts"
import { List, paging, Several } from "./Lists.ts"
import { Text } from "./Text.ts"
import { Timestamp } from "./Time.ts"

/**
 * The actions in the trail: changes of who may do what, and of where data goes. Of posts it has only a person's decisions
 * on those that were held for approval.
 */
export const AuditAction = Schema.Literals([
  "sign_in.accepted",
  "sign_in.refused",
  "password.refused",
  "sign_out.everywhere",
  "owner_link.created",
  "member.created",
  "member.updated",
  "app.connected",
  "app.updated",
  "app.disconnected",
  "api_key.created",
  "api_key.deleted",
  "account.connected",
  "account.refused",
  "account.reconnected",
  "account.disconnected",
  "webhook.created",
  "webhook.updated",
  "webhook.secret_rotated",
  "webhook.deleted",
  "post.approved",
  "post.refused",
  "workspace.created",
  "backup.created",
  "platform_app.set",
  "platform_app.removed"
]).annotate({ identifier: "AuditAction" })
export type AuditAction = typeof AuditAction.Type

/** Names are as they were at that moment. */
const named = {
  /** null: it has none. */
  id: Schema.NullOr(Schema.String),
  name: Schema.NullOr(Schema.String)
}

/**
 * The actor: a member in a browser, an API key (without an id: the key of the service's configuration), a connected app,
 * or the instance itself, as at its start.
 */
export const AuditActor = Schema.Struct({
  type: Schema.Literals(["member", "api_key", "app", "instance"]),
  ...named
}).annotate({ identifier: "AuditActor" })
export interface AuditActor extends Schema.Schema.Type<typeof AuditActor> {}

/** The thing acted on. An app has the id of its grant, and a post no name. */
export const AuditSubject = Schema.Struct({
  type: Schema.Literals([
    "member",
    "app",
    "api_key",
    "account",
    "webhook",
    "workspace",
    "platform_app",
    "post"
  ]),
  ...named
}).annotate({ identifier: "AuditSubject" })
export interface AuditSubject extends Schema.Schema.Type<typeof AuditSubject> {}

export const AuditEntry = Schema.Struct({
  id: AuditEntryId,
  at: Timestamp,
  /** null: unknown, as when a sign-in is refused. */
  actor: Schema.NullOr(AuditActor),
  action: AuditAction,
  /** null: the action says it all. */
  subject: Schema.NullOr(AuditSubject),
  /** The client's address, of IPv6 the network; null: no request was being answered. */
  address: Schema.NullOr(Schema.String)
}).annotate({ identifier: "AuditEntry" })
export interface AuditEntry extends Schema.Schema.Type<typeof AuditEntry> {}

export const AuditEntryList = List(AuditEntry).annotate({ identifier: "AuditEntryList" })

export const AuditFilter = Schema.Struct({
  ...paging,
  action: Schema.optionalKey(Several(AuditAction)),
  actor: Schema.optionalKey(
    Text.check(Schema.isMaxLength(100)).annotate({
      description: "The `id` of an actor: everything that it did."
    })
  ),
  from: Schema.optionalKey(Timestamp.annotate({ description: "The earliest `at`." })),
  to: Schema.optionalKey(Timestamp.annotate({ description: "The latest `at`." }))
})
export interface AuditFilter extends Schema.Schema.Type<typeof AuditFilter> {}
