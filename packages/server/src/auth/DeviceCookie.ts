import type { DateTime } from "effect"
import { ticketFor, ticketNonce } from "./Ticket.ts"

/** The key's purpose. A browser that was known under a former secret is a stranger. */
export const deviceCookiePurpose = "device cookies"

export const deviceLasts = { days: 90 } as const

/** Whose browser it is. The generation ends all of a member's cookies at once. */
interface Holder {
  readonly id: string
  readonly device_generation: number
}

export const holderOf = ({ id, device_generation }: Holder) => `${id} ${device_generation}`

/** The cookie of a browser in which this member has just signed in, after OWASP's "device cookies". */
export const deviceCookie = (key: Uint8Array, holder: Holder, now: DateTime.Utc) =>
  ticketFor(key, holderOf(holder), now, deviceLasts)

/** The number of the member's browser that has this cookie; none: it is a stranger's. */
export const deviceOf = (key: Uint8Array, holder: Holder, cookie: string | undefined, now: DateTime.Utc) =>
  ticketNonce(key, holderOf(holder), cookie, now)
