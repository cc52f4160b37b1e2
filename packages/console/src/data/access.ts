import { noticeDays } from "@carillon/domain/AccessNotice"
import { platformFacts } from "@carillon/domain/PlatformFacts"
import { daysBetween } from "../time/days.ts"
import { wallClock } from "../time/zone.ts"
import type { Account } from "./accounts.ts"

const day = 86_400_000

/** When an account's access ends. */
export type Ending =
  | { readonly is: "never" }
  /** Nobody renews it. */
  | { readonly is: "on"; readonly at: Date }
  | { readonly is: "renewed"; readonly at: Date | null }
  | { readonly is: "soon"; readonly at: Date }
  | { readonly is: "over" }

type Facts = Pick<Account, "platform" | "status" | "token_expires_at" | "access_expires_at">

export const endingOf = (
  { platform, status, token_expires_at, access_expires_at: end }: Facts,
  now: Date
): Ending => {
  if (status !== "connected") return { is: "over" }
  const daysTo = (at: string) => (new Date(at).getTime() - now.getTime()) / day
  if (end != null && daysTo(end) <= noticeDays[0]) return { is: "soon", at: new Date(end) }
  if (token_expires_at === null) return end == null ? { is: "never" } : { is: "on", at: new Date(end) }
  const at = new Date(token_expires_at)
  // The service renews an access in its last quarter; one that is still there in the last fifth was not renewed.
  const life = platformFacts[platform].access_days
  if (life === undefined) return { is: "renewed", at: null }
  return { is: daysTo(token_expires_at) < life / 5 ? "soon" : "renewed", at }
}

/** 0: on this day of the calendar, or before it; 1: on the next one. */
export const daysLeft = (end: Date, now: Date, zone: string): number =>
  Math.max(0, daysBetween(wallClock(now, zone).day, wallClock(end, zone).day))

/** What posts that leave it open take from their account: the board that they go to, or who sees them. */
export const defaultOf = ({
  platform,
  default_board_id,
  default_privacy_level
}: Pick<Account, "platform" | "default_board_id" | "default_privacy_level">) => {
  if (platform === "pinterest")
    return { is: "board", field: "default_board_id", option: "board_ids", id: default_board_id } as const
  if (platform === "tiktok")
    return {
      is: "audience",
      field: "default_privacy_level",
      option: "privacy_level",
      id: default_privacy_level
    } as const
  return null
}
export type Default = NonNullable<ReturnType<typeof defaultOf>>

export interface Rooms {
  /** Nothing goes out to them before a person has acted; demo accounts that a real one replaced are last. */
  readonly needing: ReadonlyArray<Account>
  /** Those that end soon first, and those that were disconnected last. */
  readonly others: ReadonlyArray<Account>
}

export const sorted = (accounts: ReadonlyArray<Account>, now: Date): Rooms => {
  const rank = (account: Account) => {
    if (account.status === "disconnected") return 2
    return endingOf(account, now).is === "soon" ? 0 : 1
  }
  const byName = (a: Account, b: Account) =>
    rank(a) - rank(b) ||
    a.platform.localeCompare(b.platform) ||
    a.username.localeCompare(b.username, undefined, { numeric: true })
  const ordered = accounts.toSorted(byName)
  const isReplaced = ({ demo }: Account) => demo === "replaced"
  const isBroken = (account: Account) => account.status === "needs_reconnect" && !isReplaced(account)
  return {
    needing: [...ordered.filter(isBroken), ...ordered.filter(isReplaced)],
    others: ordered.filter((account) => !isBroken(account) && !isReplaced(account))
  }
}
