import { DateTime, type Duration, Option } from "effect"
import { createHmac, randomBytes, timingSafeEqual } from "node:crypto"

const signed = (key: Uint8Array, holder: string, nonce: string, expires: string) =>
  `${nonce}.${expires}.${createHmac("sha256", key).update(`${holder} ${nonce} ${expires}`).digest("base64url")}`

/** Proves until its end that this service made it for this holder. Nothing of it is stored. */
export const ticketFor = (key: Uint8Array, holder: string, now: DateTime.Utc, lasts: Duration.Input) => {
  const expires = DateTime.toEpochMillis(DateTime.addDuration(now, lasts))
  return signed(key, holder, randomBytes(16).toString("base64url"), String(expires))
}

/** The random part of a ticket; none: it was not made for this holder, or is over. */
export const ticketNonce = (
  key: Uint8Array,
  holder: string,
  ticket: string | undefined,
  now: DateTime.Utc
): Option.Option<string> => {
  const [, nonce, expires] = /^([\w-]{22})\.(\d{1,15})\.[\w-]{43}$/.exec(ticket ?? "") ?? []
  if (ticket === undefined || nonce === undefined || expires === undefined) return Option.none()
  const isOurs = timingSafeEqual(Buffer.from(ticket), Buffer.from(signed(key, holder, nonce, expires)))
  return isOurs && Number(expires) > DateTime.toEpochMillis(now) ? Option.some(nonce) : Option.none()
}
