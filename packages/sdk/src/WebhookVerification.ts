import { WebhookVerificationError } from "./Errors.ts"
import type { WebhookEvent } from "./Wire.ts"

/** The headers of a request: `Headers`, Node's `request.headers`, or any plain record with lower-case names. */
export type WebhookHeaders = Headers | Readonly<Record<string, string | ReadonlyArray<string> | undefined>>

const toleranceSeconds = 5 * 60

/**
 * Checks that a webhook came from the service and is fresh, and answers with its event and the event's id. Works
 * wherever there is Web Crypto: Node, Deno, Bun, browsers, workers.
 *
 * ```ts
 * const event = await webhooks.verify(request.headers, await request.text(), process.env.WEBHOOK_SECRET)
 * ```
 *
 * @param body the raw body as it came: parsed and printed again it has other bytes, and the signature does not match
 * @param secret `whsec_…`; several while a secret is being replaced
 * @throws WebhookVerificationError answer such a request with 400 and do nothing
 */
const verify = async (
  headers: WebhookHeaders,
  body: string | Uint8Array,
  secret: string | ReadonlyArray<string>
): Promise<WebhookEvent & { readonly id: string }> => {
  const id = header(headers, "webhook-id")
  const timestamp = header(headers, "webhook-timestamp")
  const signatures = header(headers, "webhook-signature")
    .split(" ")
    .flatMap((one) => (one.startsWith("v1,") ? (fromBase64(one.slice(3)) ?? []) : []))
  const age = Math.abs(Date.now() / 1000 - Number(timestamp))
  if (!/^\d+$/.test(timestamp) || age > toleranceSeconds) {
    throw new WebhookVerificationError(
      `The webhook's timestamp ${timestamp} is not within ${toleranceSeconds / 60} minutes of this machine's clock.`,
      { code: "webhook_timestamp_invalid" }
    )
  }
  const text = typeof body === "string" ? body : new TextDecoder().decode(body)
  const signed = new TextEncoder().encode(`${id}.${timestamp}.${text}`)
  for (const one of [secret].flat()) {
    const key = await importKey(one)
    for (const signature of signatures) {
      // Web Crypto compares in constant time.
      if (await crypto.subtle.verify("HMAC", key, signature, signed)) {
        return { ...(JSON.parse(text) as WebhookEvent), id }
      }
    }
  }
  throw new WebhookVerificationError(
    "No signature of the webhook matches. Check that the secret is this webhook's and that the body is the raw one.",
    { code: "webhook_signature_invalid" }
  )
}

/** For receivers of webhooks; needs no API key. */
export const webhooks = { verify }

const header = (headers: WebhookHeaders, name: string): string => {
  const value = headers instanceof Headers ? headers.get(name) : [headers[name]].flat()[0]
  if (value) return value
  throw new WebhookVerificationError(`The webhook has no header ${name}; it is not from Carillon.`, {
    code: "webhook_header_missing"
  })
}

const importKey = (secret: string) => {
  const key = fromBase64(secret.replace(/^whsec_/, ""))
  if (key === undefined || key.length === 0) {
    throw new WebhookVerificationError("The secret is not a webhook secret; it looks like whsec_….", {
      code: "webhook_secret_invalid"
    })
  }
  return crypto.subtle.importKey("raw", key, { name: "HMAC", hash: "SHA-256" }, false, ["verify"])
}

const fromBase64 = (text: string): Uint8Array<ArrayBuffer> | undefined => {
  try {
    return Uint8Array.from(atob(text), (character) => character.charCodeAt(0))
  } catch {
    return undefined
  }
}
