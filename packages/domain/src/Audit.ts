import { Schema } from "effect"
import { AuditEntryId } from "./Ids.ts"
import { anyOf, List, paging, Several } from "./Lists.ts"
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
  "sign_in.code_refused",
  "sign_in.new_device",
  "password.refused",
  "sign_out.everywhere",
  "totp.set",
  "totp.removed",
  "recovery_codes.replaced",
  "recovery_code.used",
  "passkey.created",
  "passkey.deleted",
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
  "notifications.set",
  "notifications.deleted",
  "review_link.created",
  "review_link.revoked",
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
  id: field(
    "Its id, in the form that its `type` uses: a UUID, 12 characters for a key, a number for an account. null: it has none.",
    Schema.NullOr(Schema.String)
  ),
  name: field(
    "Its name when it happened; it may have another by now. null: it has none.",
    Schema.NullOr(Schema.String)
  )
}

/**
 * The actor: a member in a browser, an API key (without an id: the key of the service's configuration), a connected app,
 * or the instance itself, as at its start.
 */
export const AuditActor = Schema.Struct({
  type: field(
    "`member`: a person in a browser. `api_key`: an API key; without an `id`, the one in the service's configuration. `app`: a connected app. `instance`: the service itself.",
    Schema.Literals(["member", "api_key", "app", "instance"])
  ),
  ...named
}).annotate({ identifier: "AuditActor" })
export interface AuditActor extends Schema.Schema.Type<typeof AuditActor> {}

/** The thing acted on. An app has the id of its grant, and a post no name. */
export const AuditSubject = Schema.Struct({
  type: field(
    "The kind of thing that was acted on. For an `app`, `id` is the id of its grant; a `post` has no `name`.",
    Schema.Literals([
      "member",
      "passkey",
      "app",
      "api_key",
      "account",
      "webhook",
      "workspace",
      "platform_app",
      "post"
    ])
  ),
  ...named
}).annotate({ identifier: "AuditSubject" })
export interface AuditSubject extends Schema.Schema.Type<typeof AuditSubject> {}

export const AuditEntry = Schema.Struct({
  id: field(
    "A version 7 UUID; later entries have greater ids. Entries never change, and are kept for a year.",
    AuditEntryId
  ),
  at: field("When it happened, in UTC, to the millisecond.", Timestamp),
  actor: field("Who did it; null: not known, such as after a refused sign-in.", Schema.NullOr(AuditActor)),
  action: field(
    "What happened, as a kind of thing and what was done to it, such as `api_key.created`.",
    AuditAction
  ),
  subject: field(
    "What it was done to, such as the key that was created; null: the action needs no subject.",
    Schema.NullOr(AuditSubject)
  ),
  address: field(
    "The client's IPv4 address or IPv6 network; null: no request caused it.",
    Schema.NullOr(Schema.String)
  )
}).annotate({ identifier: "AuditEntry" })
export interface AuditEntry extends Schema.Schema.Type<typeof AuditEntry> {}

export const AuditEntryList = List(AuditEntry).annotate({ identifier: "AuditEntryList" })

export const AuditFilter = Schema.Struct({
  ...paging,
  action: anyOf("Only entries with any of these actions, such as `api_key.created`.", Several(AuditAction)),
  actor: field(
    "Only entries of this actor, by `actor.id`. Absent: of all.",
    Schema.optionalKey(Text.check(Schema.isMaxLength(100)))
  ),
  from: field(
    "Only entries from this instant on, such as `2026-12-24T09:00:00Z`. Absent: from the first.",
    Schema.optionalKey(Timestamp)
  ),
  to: field(
    "Only entries up to and including this instant, such as `2026-12-24T09:00:00Z`. Absent: to the last.",
    Schema.optionalKey(Timestamp)
  )
})
export interface AuditFilter extends Schema.Schema.Type<typeof AuditFilter> {}
