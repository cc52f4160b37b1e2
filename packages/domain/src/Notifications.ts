import { Schema } from "effect"
import { field } from "./Field.ts"
import { success } from "./Success.ts"
import { Text } from "./Text.ts"
import { Timestamp } from "./Time.ts"
import { WebhookStatus } from "./Webhook.ts"

/** What the receiver understands. `json`: any program. */
export const NotificationFormat = Schema.Literals([
  "slack",
  "discord",
  "mattermost",
  "ntfy",
  "json"
]).annotate({ identifier: "NotificationFormat" })
export type NotificationFormat = typeof NotificationFormat.Type

/** The events that people can be told of. */
export const NotificationEvent = Schema.Literals([
  "post.result",
  "post.approval_requested",
  "account.needs_reconnect"
]).annotate({
  identifier: "NotificationEvent"
})
export type NotificationEvent = typeof NotificationEvent.Type

/** One try, and its answer. */
export const NotificationAttempt = Schema.Struct({
  at: field("When it was sent, in UTC.", Timestamp),
  response_status: field(
    "The HTTP status of the answer; null: there was no answer.",
    Schema.NullOr(Schema.Int)
  ),
  response_excerpt: field(
    "The first 300 characters of the answer, without the address; null: there was no answer.",
    Schema.NullOr(Schema.String)
  ),
  error: field(
    "Why it failed: `bad_status`, or why there was no answer, such as `timed_out`. null: it was accepted.",
    Schema.NullOr(Schema.String)
  )
}).annotate({ identifier: "NotificationAttempt" })
export interface NotificationAttempt extends Schema.Schema.Type<typeof NotificationAttempt> {}

/** The one address at which the workspace's people are told what needs them. */
export const Notifications = Schema.Struct({
  url: field(
    "Where people are told, by its host alone, such as `https://hooks.slack.com/…`: the rest is a secret. null: nobody is told.",
    Schema.NullOr(Schema.String)
  ),
  format: field(
    "What the receiver understands: `slack`, `discord`, `mattermost`, `ntfy`, or `json` for any program. null: nobody is told.",
    Schema.NullOr(NotificationFormat)
  ),
  events: field(
    "What people are told of. `post.result` only tells of results that are `failed` or `unconfirmed`.",
    Schema.Array(NotificationEvent).check(Schema.isMaxLength(100))
  ),
  status: field(
    "`active`: people are told. `paused`: the address has accepted nothing for three days. null: nobody is told.",
    Schema.NullOr(WebhookStatus)
  ),
  status_reason: field("Why it is paused, for people. null: it is not.", Schema.NullOr(Schema.String)),
  failing_since: field(
    "When the first failed attempt since the last accepted one was made, in UTC. null: none has failed since.",
    Schema.NullOr(Timestamp)
  ),
  last_attempt: field(
    "The last attempt of the last 30 days to tell of something, tests left out; null: none yet.",
    Schema.NullOr(NotificationAttempt)
  )
}).annotate({ identifier: "Notifications" })
export interface Notifications extends Schema.Schema.Type<typeof Notifications> {}

export const SetNotifications = Schema.Struct({
  url: field(
    "The address that people are told at: http or https, on port 80 or 443 of a public host, without user name or password. It is stored encrypted. Absent: the present one.",
    Schema.optionalKey(Text.check(Schema.isBetweenLength(1, 2000)))
  ),
  format: field(
    "What the receiver understands. Absent: what the address says, if it is one of Slack, Discord or ntfy.sh; or, without `url`, the present one.",
    Schema.optionalKey(NotificationFormat)
  ),
  events: field(
    "What people are told of, each once. Absent: what they are told of now; at first everything.",
    Schema.optionalKey(
      Schema.Array(NotificationEvent).check(
        Schema.isMinLength(1, { expected: "at least one event" }),
        Schema.isMaxLength(100),
        Schema.isUnique({ expected: "every event once" })
      )
    )
  )
}).annotate({ identifier: "SetNotifications" })
export interface SetNotifications extends Schema.Schema.Type<typeof SetNotifications> {}

export const NotificationsDeleted = Schema.Struct({ success }).annotate({
  identifier: "NotificationsDeleted"
})
