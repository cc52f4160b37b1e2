import { Schema } from "effect"
import { AuditEntryId } from "./Ids.ts"
import { List, paging, Several } from "./Lists.ts"
import { Text } from "./Text.ts"
import { Timestamp } from "./Time.ts"
import { field } from "./Field.ts"

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
  id: field("The id, of the kind that `type` has; null: it has none.", Schema.NullOr(Schema.String)),
  name: field("The name at that moment; null: it has none.", Schema.NullOr(Schema.String))
}

/**
 * The actor: a member in a browser, an API key (without an id: the key of the service's configuration), a connected app,
 * or the instance itself, as at its start.
 */
export const AuditActor = Schema.Struct({
  type: field(
    "`member`: a person in a browser. `api_key`: without an `id`, the key of the service's configuration. `app`: a connected app. `instance`: the service itself, as at its start.",
    Schema.Literals(["member", "api_key", "app", "instance"])
  ),
  ...named
}).annotate({ identifier: "AuditActor" })
export interface AuditActor extends Schema.Schema.Type<typeof AuditActor> {}

/** The thing acted on. An app has the id of its grant, and a post no name. */
export const AuditSubject = Schema.Struct({
  type: field(
    "What was acted on. An app's `id` is that of its grant; a post has no name.",
    Schema.Literals(["member", "app", "api_key", "account", "webhook", "workspace", "platform_app", "post"])
  ),
  ...named
}).annotate({ identifier: "AuditSubject" })
export interface AuditSubject extends Schema.Schema.Type<typeof AuditSubject> {}

export const AuditEntry = Schema.Struct({
  id: field("A version 7 UUID, in the order of the entries.", AuditEntryId),
  at: field("When it happened, in UTC.", Timestamp),
  actor: field("Who did it; null: not known, as when a sign-in is refused.", Schema.NullOr(AuditActor)),
  action: field(
    "What happened: the kind of thing, and what was done to it, such as `api_key.created`.",
    AuditAction
  ),
  subject: field("What it was done to; null: the action says it all.", Schema.NullOr(AuditSubject)),
  address: field(
    "The client's IP address; of IPv6, the network. null: no request was being answered.",
    Schema.NullOr(Schema.String)
  )
}).annotate({ identifier: "AuditEntry" })
export interface AuditEntry extends Schema.Schema.Type<typeof AuditEntry> {}

export const AuditEntryList = List(AuditEntry).annotate({ identifier: "AuditEntryList" })

export const AuditFilter = Schema.Struct({
  ...paging,
  action: field("Entries with one of these actions.", Schema.optionalKey(Several(AuditAction))),
  actor: field(
    "Everything that the actor with this `id` did.",
    Schema.optionalKey(Text.check(Schema.isMaxLength(100)))
  ),
  from: field("Only entries from this instant on.", Schema.optionalKey(Timestamp)),
  to: field("Only entries up to this instant.", Schema.optionalKey(Timestamp))
})
export interface AuditFilter extends Schema.Schema.Type<typeof AuditFilter> {}
