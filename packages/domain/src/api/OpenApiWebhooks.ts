import { Record, type Schema } from "effect"
import { Event, eventSentences } from "../Event.ts"
import { pascalCase } from "./pascalCase.ts"

/** What a webhook receives, for the `webhooks` of the OpenAPI document; `schemaOf` puts a schema among its components. */
export const openApiWebhooks = (schemaOf: (schema: Schema.Top) => object) =>
  Record.map(eventSentences, (description, type) => ({
    post: {
      operationId: `on${pascalCase(type)}`,
      tags: ["Webhooks"],
      summary: type,
      description,
      security: [],
      parameters: [...headers],
      requestBody: {
        required: true,
        content: { "application/json": { schema: schemaOf(bodyOf(type)) } }
      },
      responses: { ...responses }
    }
  }))

const bodyOf = (type: Event["type"]): Schema.Top =>
  Event.members.find((member) => (member.fields.type.literals as ReadonlyArray<string>).includes(type))!

const header = (name: string, description: string) => ({
  name,
  in: "header",
  required: true,
  description,
  schema: { type: "string" }
})

const headers = [
  header("webhook-id", "The id of the event: the same at every attempt, so that none is handled twice."),
  header("webhook-timestamp", "When this attempt was made, in seconds since 1970."),
  header(
    "webhook-signature",
    "`v1,` and the HMAC-SHA256 over `id.timestamp.body`, in base64, as Standard Webhooks has it. After a rotation, two of them."
  )
]

const responses = {
  "2XX": { description: "Accepted. Answer within 15 seconds, and do the work afterwards." },
  default: {
    description:
      "410: the webhook is paused at once. Anything else: tried again seven times over about 28 hours, then given up. With `Retry-After`, 429 and 503 are tried again at that time."
  }
}
