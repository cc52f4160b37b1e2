import { InvalidRequestError, webhooks, type WebhookEventType } from "@carillon/sdk"
import { once } from "node:events"
import { createServer, type IncomingMessage } from "node:http"
import type { AddressInfo } from "node:net"
import { text } from "node:stream/consumers"
import { CliError, exitCodes } from "./CliError.ts"
import type { Session } from "./Session.ts"

interface ListenOptions {
  readonly forwardTo?: string | undefined
  readonly events: ReadonlyArray<WebhookEventType>
  readonly port?: number | undefined
  readonly publicUrl?: string | undefined
}

/** Longer than the service waits for an answer, so that the service reports the timeout. */
const patience = 20_000

/** Makes a webhook on this machine for as long as the command runs; each event is a line of JSON, or a sentence. */
export const listen = async (
  { client, output }: Session,
  { events, forwardTo, port = 0, publicUrl }: ListenOptions
): Promise<void> => {
  let secret: string | undefined
  const server = createServer(async (request, response) => {
    try {
      if (secret === undefined) return response.writeHead(503).end()
      const body = await text(request)
      const event = await webhooks.verify(request.headers, body, secret)
      const status = forwardTo === undefined ? 204 : await forward(forwardTo, request, body)
      output.event(
        event,
        () =>
          `${event.timestamp} ${event.type} ${subjectOf(event.data)}${forwardTo === undefined ? "" : ` -> ${status}`}`
      )
      response.writeHead(status === 0 ? 502 : status).end()
    } catch (error) {
      output.note(
        `Rejected a request that is not a valid event: ${error instanceof Error ? error.message : error}`
      )
      response.writeHead(400).end()
    }
  })
  // A tunnel ends on this machine too.
  await once(server.listen(port, "127.0.0.1"), "listening")
  const here = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`
  const ended = Promise.withResolvers<void>()
  const end = () => ended.resolve()
  process.once("SIGINT", end).once("SIGTERM", end)
  try {
    const webhook = await client.webhooks
      .create({ url: publicUrl ?? here, events, description: "carillon webhooks listen" })
      .catch((error) => {
        if (!(error instanceof InvalidRequestError) || error.code !== "webhook_url_not_allowed") throw error
        throw new CliError(
          exitCodes.error,
          `The service cannot send events to ${publicUrl ?? here}: ${error.message}`,
          "For development, start it with CARILLON_ALLOW_PRIVATE_HOSTS=on, or use a tunnel with --port and --public-url."
        )
      })
    secret = webhook.secret
    output.note(
      `Listening${forwardTo === undefined ? "" : ` and forwarding to ${forwardTo}`}. Press Ctrl-C to stop.`
    )
    output.note(`Webhook secret: ${secret}`)
    try {
      await ended.promise
    } finally {
      await client.webhooks.delete(webhook.id)
    }
  } finally {
    server.close()
    server.closeAllConnections()
  }
}

/** The status that the program answered with; 0 without an answer. */
const forward = async (url: string, { headers }: IncomingMessage, body: string): Promise<number> => {
  try {
    const answer = await fetch(url, {
      method: "POST",
      headers: Object.fromEntries(
        ["content-type", "webhook-id", "webhook-timestamp", "webhook-signature"].map((name) => [
          name,
          String(headers[name] ?? "")
        ])
      ),
      body,
      redirect: "manual",
      signal: AbortSignal.timeout(patience)
    })
    await answer.body?.cancel()
    return answer.status
  } catch {
    return 0
  }
}

const subjectOf = (data: object): string => {
  const { id, post_id, status } = data as {
    readonly id?: unknown
    readonly post_id?: unknown
    readonly status?: unknown
  }
  return [post_id ?? id, status].filter((one) => one !== undefined).join(" ")
}
