import { createHmac, randomBytes } from "node:crypto"

const prefix = "whsec_"

/** 192 bits, in the form that Standard Webhooks gives to symmetric secrets. */
export const newSecret = () => prefix + randomBytes(24).toString("base64")

/**
 * The headers of one try, as in the Standard Webhooks specification: a signature per secret, so that a receiver may
 * still know the old one. `timestamp` in seconds since 1970.
 */
export const signatureHeaders = (
  secrets: ReadonlyArray<string>,
  message: { readonly id: string; readonly timestamp: number; readonly body: string }
) => ({
  "webhook-id": message.id,
  "webhook-timestamp": String(message.timestamp),
  "webhook-signature": secrets.map((secret) => sign(secret, message)).join(" ")
})

const sign = (secret: string, { id, timestamp, body }: Parameters<typeof signatureHeaders>[1]) => {
  const key = Buffer.from(secret.slice(prefix.length), "base64")
  return `v1,${createHmac("sha256", key).update(`${id}.${timestamp}.${body}`).digest("base64")}`
}
