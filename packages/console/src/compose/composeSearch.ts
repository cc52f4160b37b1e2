import { isDay } from "../time/days.ts"

/** The search parameters of a new post. */
export interface ComposeSearch {
  /** A day, or a day and a time, on the clock of the workspace. */
  readonly at?: string
  /** The post to copy. */
  readonly from?: string
  /** Ids with commas between them. */
  readonly accounts?: string
  /** The failed result of `from` to repair. */
  readonly repairs?: string
  /** Ids of media, with commas between them. */
  readonly media?: string
  /** The workspace, for members of several. */
  readonly w?: string
}

const isMoment = (value: string) =>
  isDay(value.slice(0, 10)) && (value.length === 10 || /^T([01]\d|2[0-3]):[0-5]\d$/.test(value.slice(10)))

export const composeSearch = (given: Record<string, unknown>): ComposeSearch => {
  const text = (name: keyof ComposeSearch) => {
    const value = given[name]
    return typeof value === "string" || typeof value === "number" ? String(value) : undefined
  }
  const at = text("at")
  const from = text("from")
  const accounts = text("accounts")
  const media = text("media")
  const repairs = text("repairs")
  const w = text("w")
  return {
    ...(at !== undefined && isMoment(at) ? { at } : {}),
    ...(from === undefined ? {} : { from }),
    ...(accounts !== undefined && /^\d+(,\d+)*$/.test(accounts) ? { accounts } : {}),
    ...(media === undefined ? {} : { media }),
    ...(repairs === undefined ? {} : { repairs }),
    ...(w === undefined ? {} : { w })
  }
}

export const accountsIn = ({ accounts }: ComposeSearch): ReadonlyArray<number> =>
  accounts === undefined ? [] : [...new Set(accounts.split(",").map(Number))]

export const mediaIn = ({ media }: ComposeSearch): ReadonlyArray<string> =>
  media === undefined ? [] : media.split(",").filter(Boolean)
