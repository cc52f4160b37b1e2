import { Schema } from "effect"
import { field } from "./Field.ts"
import { PostId, SocialAccountId } from "./Ids.ts"
import { ReviewedPost } from "./ClientReview.ts"
import { Media } from "./Media.ts"
import { Post } from "./Post.ts"
import { SocialAccount } from "./SocialAccount.ts"
import { PostResult } from "./Target.ts"
import { Timestamp } from "./Time.ts"

/** The events, and so the types that an endpoint can subscribe to. */
export const EventType = Schema.Literals([
  "post.created",
  "post.updated",
  "post.deleted",
  "post.approval_requested",
  "post.reviewed",
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
  "account.needs_reconnect",
  "account.disconnected"
]).annotate({ identifier: "EventType" })
export type EventType = typeof EventType.Type

/** What a webhook is sent. */
export const SentEventType = Schema.Literals([...EventType.literals, "webhook.test"]).annotate({
  identifier: "SentEventType"
})

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
    "What happened to the post; `webhooks` of this document says when each comes.",
    [
      "post.created",
      "post.updated",
      "post.approval_requested",
      "post.scheduled",
      "post.published",
      "post.failed"
    ],
    Post
  ),
  event(
    "PostDeletedEvent",
    "Always `post.deleted`: the draft or scheduled post was deleted. What was published stays.",
    ["post.deleted"],
    Schema.Struct({
      id: field("The id that the post had.", PostId),
      social_accounts: field(
        "The ids of the accounts that it was for.",
        Schema.Array(SocialAccountId).check(Schema.isMaxLength(200))
      )
    }),
    "Which post was deleted."
  ),
  event(
    "PostReviewedEvent",
    "Always `post.reviewed`: somebody without an account answered by a review link.",
    ["post.reviewed"],
    ReviewedPost,
    "Which post it was, and what the client said."
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
    "What happened to the item; `webhooks` of this document says when each comes.",
    ["media.ready", "media.failed"],
    Media
  ),
  event(
    "AccountEvent",
    "What happened to the account; `webhooks` of this document says when each comes.",
    [
      "account.connected",
      "account.expiring",
      "account.warning",
      "account.needs_reconnect",
      "account.disconnected"
    ],
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
  "post.created": "A post was created, also as a draft.",
  "post.updated":
    "A post changed: its content, accounts, time or approval, or a media item of it. How publishing goes is told by other events.",
  "post.deleted": "A draft or a scheduled post was deleted.",
  "post.approval_requested":
    "Somebody asks a person to let a post go out: it waits for approval from now on.",
  "post.reviewed": "A client said yes, no or something else of a post, by a review link.",
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
  "account.disconnected": "Someone disconnected a social account.",
  "webhook.test":
    "A test was asked for with `POST /v1/webhooks/{webhook_id}/test`. It is sent whatever `events` says."
}
