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
  "result.rejected",
  "media.ready",
  "media.failed",
  "account.connected",
  "account.expiring",
  "account.warning",
  "account.needs_reconnect"
]).annotate({ identifier: "EventType" })
export type EventType = typeof EventType.Type

const event = <const Types extends ReadonlyArray<string>, Data extends Schema.Top>(
  identifier: string,
  sentence: string,
  types: Types,
  data: Data,
  of = "The object as the REST API showed it when the event happened, not when it is delivered."
) =>
  Schema.Struct({
    type: field(sentence, Schema.Literals(types)),
    timestamp: field(
      "When it happened, in UTC. The event may arrive later, and more than once, always with the same header `webhook-id`.",
      Timestamp
    ),
    data: field(of, data)
  }).annotate({ identifier })

/**
 * The body of a webhook: the event, its time, and the thing as the REST API showed it at that moment.
 * `webhook.test` is sent by a test; no endpoint subscribes to it.
 */
export const Event = Schema.Union([
  event(
    "PostEvent",
    "`post.scheduled`: the post got its time, goes out at once, or is retried. `post.published`: all its results are settled, and at least one is live. `post.failed`: all are settled, and none is live.",
    ["post.scheduled", "post.published", "post.failed"],
    Post
  ),
  event(
    "PostResultEvent",
    "Always `post.result`: the result is settled as `published`, `failed` or `unconfirmed`.",
    ["post.result"],
    PostResult
  ),
  event(
    "ResultRejectedEvent",
    "Always `result.rejected`: the platform reviewed a published post and rejected it. The result stays `published`; `platform_data.review_reason` says why.",
    ["result.rejected"],
    PostResult
  ),
  event(
    "MediaEvent",
    "`media.ready`: the bytes have arrived and were accepted. `media.failed`: they could not be fetched or were refused; for scheduled posts they are tried again.",
    ["media.ready", "media.failed"],
    Media
  ),
  event(
    "AccountEvent",
    "`account.connected`: it was connected, or connected again. `account.expiring`: its access ends in seven days, or in one. `account.warning`: it got a `warning`. `account.needs_reconnect`: the platform no longer accepts its access.",
    ["account.connected", "account.expiring", "account.warning", "account.needs_reconnect"],
    SocialAccount
  ),
  event(
    "TestEvent",
    "Always `webhook.test`: `POST /v1/webhooks/{webhook_id}/test` sends it, whatever the webhook's `events` are.",
    ["webhook.test"],
    Schema.Struct({
      webhook_id: field(
        "The id of the webhook that is being tested, and that this is sent to.",
        Schema.String
      ),
      message: field("A sentence for people that says that this is a test; nothing happened.", Schema.String)
    }),
    "Which webhook is being tested, and a sentence for people."
  )
]).annotate({ identifier: "Event" })
export type Event = typeof Event.Type

/** When each event happens. */
export const eventSentences: Readonly<Record<Event["type"], string>> = {
  "post.scheduled":
    "A post got its time: created to go out, scheduled from a draft, moved, published now, or retried.",
  "post.published": "All of a post's results are settled, and at least one is live.",
  "post.failed": "All of a post's results are settled, and none is live.",
  "post.result": "A result is settled: `published`, `failed` or `unconfirmed`.",
  "result.rejected":
    "A platform reviewed a published post and rejected it. The result stays `published`; `platform_data.review` is `rejected`.",
  "media.ready": "The bytes of a media item have arrived and were accepted.",
  "media.failed":
    "A media item could not be fetched or was not accepted; for scheduled posts it is tried again.",
  "account.connected": "A social account was connected, or connected again.",
  "account.expiring": "An account's access ends in seven days, and once more a day before.",
  "account.warning":
    "An account got a `warning`: its posts will fail unless the operator acts. It is told once, until that is over.",
  "account.needs_reconnect": "A platform no longer accepts an account's access.",
  "webhook.test":
    "A test was asked for with `POST /v1/webhooks/{webhook_id}/test`. It is sent whatever `events` says."
}
