import { DateTime, Option } from "effect"
import { createHmac, randomBytes, timingSafeEqual } from "node:crypto"

/** The key's purpose. A browser that was known under a former secret is a stranger. */
export const deviceCookiePurpose = "device cookies"

export const deviceLasts = { days: 90 } as const

/** Whose browser it is. The generation ends all of a member's cookies at once. */
interface Holder {
  readonly id: string
  readonly device_generation: number
}

const signed = (key: Uint8Array, { id, device_generation }: Holder, nonce: string, expires: string) =>
  `${nonce}.${expires}.${createHmac("sha256", key).update(`${id} ${device_generation} ${nonce} ${expires}`).digest("base64url")}`

/** The cookie of a browser in which this member has just signed in, after OWASP's "device cookies". */
export const deviceCookie = (key: Uint8Array, holder: Holder, now: DateTime.Utc) => {
  const expires = DateTime.toEpochMillis(DateTime.add(now, deviceLasts))
  return signed(key, holder, randomBytes(16).toString("base64url"), String(expires))
}

/** The number of the member's browser that has this cookie; none: it is a stranger's. */
export const deviceOf = (
  key: Uint8Array,
  holder: Holder,
  cookie: string | undefined,
  now: DateTime.Utc
): Option.Option<string> => {
  const [, nonce, expires] = /^([\w-]{22})\.(\d{1,15})\.[\w-]{43}$/.exec(cookie ?? "") ?? []
  if (cookie === undefined || nonce === undefined || expires === undefined) return Option.none()
  const isOurs = timingSafeEqual(Buffer.from(cookie), Buffer.from(signed(key, holder, nonce, expires)))
  return isOurs && Number(expires) > DateTime.toEpochMillis(now) ? Option.some(nonce) : Option.none()
}
