/**
 * Receives what the service tells, checks that it comes from there, and prints it.
 *
 *   WEBHOOK_SECRET=whsec_... PORT=8080 node examples/webhook-receiver.ts
 *
 * Make the webhook with `carillon.webhooks.create({ url: "https://.../", events: ["post.published", "post.failed"] })`; its
 * answer has the secret.
 */
import { webhooks, WebhookVerificationError } from "@carillon/sdk"
import { createServer } from "node:http"
import { text } from "node:stream/consumers"

const secret = process.env["WEBHOOK_SECRET"]
if (secret === undefined) throw new Error("Set WEBHOOK_SECRET to the secret of the webhook.")

/** An event may come more than once, with the same id. Keep these in a database. */
const seen = new Set<string>()

const server = createServer(async (request, response) => {
  try {
    const event = await webhooks.verify(request.headers, await text(request), secret)
    // A receiver that is slow to answer gets the event again.
    response.writeHead(200).end()
    if (seen.has(event.id)) return
    seen.add(event.id)
    switch (event.type) {
      case "post.published":
        for (const { platform, platform_data } of event.data.results) {
          console.log(`Published on ${platform}: ${platform_data?.url}`)
        }
        break
      case "post.failed":
        console.log(`Failed: ${event.data.id}`)
        break
      default:
        console.log(event.type)
    }
  } catch (error) {
    if (!(error instanceof WebhookVerificationError)) throw error
    response.writeHead(400).end(error.message)
  }
})

server.listen(Number(process.env["PORT"] ?? 8080), () => console.log("Listening."))
