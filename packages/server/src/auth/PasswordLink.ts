import { DateTime, Option } from "effect"
import { createHmac, timingSafeEqual } from "node:crypto"

/** The key's purpose: who can read the service's secret may choose a new password for the owner. */
export const passwordLinkPurpose = "password links"

export const passwordLinkMinutes = 15

const signed = (key: Uint8Array, madeAt: string) =>
  `${madeAt}.${createHmac("sha256", key).update(madeAt).digest("base64url")}`

/** The last part of the address of a link that is made at this moment. */
export const passwordTicket = (key: Uint8Array, now: DateTime.Utc) =>
  signed(key, String(DateTime.toEpochMillis(now)))

/** When the link was made, as long as it lasts; none: nobody with the secret made it, or it is too old. */
export const passwordTicketMadeAt = (
  key: Uint8Array,
  ticket: string,
  now: DateTime.Utc
): Option.Option<DateTime.Utc> => {
  const [text] = ticket.split(".")
  if (text === undefined || !/^\d{1,15}$/.test(text)) return Option.none()
  const [given, ours] = [Buffer.from(ticket), Buffer.from(signed(key, text))]
  if (given.length !== ours.length || !timingSafeEqual(given, ours)) return Option.none()
  const madeAt = DateTime.makeUnsafe(Number(text))
  const lasts =
    DateTime.isLessThan(now, DateTime.add(madeAt, { minutes: passwordLinkMinutes })) &&
    // The clock that made it may be ahead.
    DateTime.isLessThan(madeAt, DateTime.add(now, { minutes: 1 }))
  return lasts ? Option.some(madeAt) : Option.none()
}
