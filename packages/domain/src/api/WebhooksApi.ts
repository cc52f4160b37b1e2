import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api"
import { Conflict, NotFound } from "../Problems.ts"
import {
  CreateWebhook,
  NewWebhook,
  UpdateWebhook,
  Webhook,
  WebhookDeleted,
  WebhookDelivery,
  WebhookDeliveryFilter,
  WebhookDeliveryList,
  WebhookFilter,
  WebhookList
} from "../Webhook.ts"
import { about } from "./About.ts"
import { Authorization } from "./Authorization.ts"
import { PathId } from "./PathId.ts"
import { RequestProblems } from "./RequestProblems.ts"

const params = { webhook_id: PathId("the webhook") }

export class WebhooksApi extends HttpApiGroup.make("webhooks")
  .add(
    HttpApiEndpoint.get("list", "/", { query: WebhookFilter, success: WebhookList }).annotateMerge(
      about({ scope: "admin", codes: [], summary: "List webhooks", description: "Newest first." })
    ),
    HttpApiEndpoint.post("create", "/", {
      payload: CreateWebhook,
      success: NewWebhook.pipe(HttpApiSchema.status(201)),
      error: Conflict
    }).annotateMerge(
      about({
        scope: "admin",
        password: true,
        codes: ["webhook_url_not_allowed", "webhook_limit_reached"],
        summary: "Make a webhook",
        description:
          "The URL receives these events from now on. The signing secret is shown in this answer only."
      })
    ),
    HttpApiEndpoint.get("get", "/:webhook_id", { params, success: Webhook, error: NotFound }).annotateMerge(
      about({ scope: "admin", codes: ["not_found"], summary: "Get a webhook" })
    ),
    HttpApiEndpoint.patch("update", "/:webhook_id", {
      params,
      payload: UpdateWebhook,
      success: Webhook,
      error: NotFound
    }).annotateMerge(
      about({
        scope: "admin",
        codes: ["not_found", "webhook_url_not_allowed"],
        summary: "Change, pause or resume a webhook",
        description: "An absent key is unchanged. Resuming (`status: active`) sends what waited, in order."
      })
    ),
    HttpApiEndpoint.delete("delete", "/:webhook_id", {
      params,
      success: WebhookDeleted,
      error: NotFound
    }).annotateMerge(
      about({
        scope: "admin",
        codes: ["not_found"],
        summary: "Delete a webhook",
        description: "Nothing more is sent to it, and its deliveries are forgotten."
      })
    ),
    HttpApiEndpoint.post("rotateSecret", "/:webhook_id/rotate-secret", {
      params,
      success: NewWebhook,
      error: NotFound
    }).annotateMerge(
      about({
        scope: "admin",
        password: true,
        codes: ["not_found"],
        summary: "Replace the signing secret",
        description: "For 24 hours, everything is signed with both the old and the new secret."
      })
    ),
    HttpApiEndpoint.post("test", "/:webhook_id/test", {
      params,
      success: WebhookDelivery,
      error: NotFound
    }).annotateMerge(
      about({
        scope: "admin",
        codes: ["not_found"],
        effect: "outside",
        summary: "Send a test event",
        description: "Sends `webhook.test` once, now, even to a paused webhook, and answers with the outcome."
      })
    ),
    HttpApiEndpoint.get("deliveries", "/:webhook_id/deliveries", {
      params,
      query: WebhookDeliveryFilter,
      success: WebhookDeliveryList,
      error: NotFound
    }).annotateMerge(
      about({
        scope: "admin",
        codes: ["not_found"],
        summary: "List the deliveries of a webhook",
        description: "Newest first, from the last 30 days."
      })
    ),
    HttpApiEndpoint.post("redeliver", "/deliveries/:delivery_id/redeliver", {
      params: { delivery_id: PathId("the delivery") },
      success: WebhookDelivery,
      error: [NotFound, Conflict]
    }).annotateMerge(
      about({
        scope: "admin",
        codes: ["not_found", "webhook_paused"],
        summary: "Send an event again",
        description:
          "Now and out of turn, with the same `webhook-id`, as a separate delivery. One that is still pending is " +
          "tried now."
      })
    )
  )
  .middleware(Authorization)
  .prefix("/v1/webhooks")
  .middleware(RequestProblems)
  .annotateMerge(
    OpenApi.annotations({
      title: "Webhooks",
      description: "URLs that receive events, signed as in the Standard Webhooks specification."
    })
  ) {}
