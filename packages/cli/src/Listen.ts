import type { StreamedEvent, WebhookEventType } from "@carillon/sdk"
import { createHmac, randomBytes } from "node:crypto"
import type { Session } from "./Session.ts"

interface ListenOptions {
  readonly forwardTo?: string | undefined
  readonly events?: ReadonlyArray<WebhookEventType> | undefined
}

/** As long as the service waits for an answer of a webhook. */
const patience = 15_000

/** Each event is a line of JSON, or a sentence, as it happens; a program on this machine gets it as a webhook would. */
export const listen = async (
  { client, output }: Session,
  { events, forwardTo }: ListenOptions
): Promise<void> => {
  const secret = randomBytes(24)
  const ended = new AbortController()
  const end = () => ended.abort()
  process.once("SIGINT", end).once("SIGTERM", end)
  let isOpen = false
  const onOpen = () => {
    if (isOpen) return
    isOpen = true
    output.note(
      `Listening${forwardTo === undefined ? "" : ` and forwarding to ${forwardTo}`}. Press Ctrl-C to stop.`
    )
    if (forwardTo !== undefined) output.note(`Webhook secret: whsec_${secret.toString("base64")}`)
  }
  try {
    for await (const event of client.events.stream({ types: events, signal: ended.signal, onOpen })) {
      if (event.type === "resync") {
        output.note("Some events were missed: this machine was away for too long.")
        continue
      }
      const answer = forwardTo === undefined ? "" : ` -> ${await forward(forwardTo, event, secret)}`
      output.event(event, () => `${event.timestamp} ${event.type} ${subjectOf(event.data)}${answer}`)
    }
  } catch (error) {
    if (!ended.signal.aborted) throw error
  }
}

/** Sends it signed, as in the Standard Webhooks specification. The status of the answer; 0 without one. */
const forward = async (url: string, { id, ...event }: StreamedEvent, secret: Buffer): Promise<number> => {
  const body = JSON.stringify(event)
  const timestamp = Math.floor(Date.now() / 1000)
  const signature = createHmac("sha256", secret).update(`${id}.${timestamp}.${body}`).digest("base64")
  try {
    const answer = await fetch(url, {
      method: "POST",
      headers: {
        "content-type": "application/json",
        "webhook-id": id,
        "webhook-timestamp": String(timestamp),
        "webhook-signature": `v1,${signature}`
      },
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
