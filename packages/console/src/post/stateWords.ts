import { isInReview } from "@carillon/domain/InReview"
import type { Attempt, PostResult } from "@carillon/sdk"
import { resultWords as words } from "./resultWords.ts"
import { clock, formatMoment, waitUntil } from "./formatMoment.ts"
import { type AccountState, isOver, type ResultRow, saidBy } from "./resultRows.ts"

const notLive = "confirmed_not_published"

/** How far the repair of a failure is. */
export const repairWords = ({ open_repair }: PostResult) => {
  const status = open_repair?.status ?? "waiting"
  return words.why.repair[status === "failed" ? "waiting" : status]
}

/** The state in words, with its time. */
export const stateWords = (
  { result, state }: ResultRow,
  log: ReadonlyArray<Attempt> | undefined,
  name: string,
  now: number,
  zone: string
) => {
  const { attempts, error, next_attempt_at: next, published_at } = result
  const last = log?.at(-1)?.at
  const ended = last === undefined ? null : clock(last, now, zone)
  switch (state) {
    case "failed":
      return error?.code === notLive ? words.state.notLive : words.state.failed(ended, attempts)
    case "broken":
      return words.state.broken(result.items!.length - result.failed_items!, result.items!.length)
    case "doubt":
      return error?.code === "restored" ? words.state.restored : words.state.doubt(ended)
    case "blocked":
      return words.state.blocked(name)
    case "going":
      return words.state.going
    case "waiting":
      return words.state.waiting(formatMoment(next!, now, zone), waitUntil(next!, now))
    case "planned":
      return next === null ? words.state.unplanned : words.state.planned(formatMoment(next, now, zone))
    case "repaired":
      return words.state.repaired
    case "rejected":
      return words.state.rejected
    case "live": {
      const since = words.state.live(published_at && clock(published_at, now, zone))
      return isInReview(result, now) ? words.state.inReview(since) : since
    }
  }
}

/** The reason as one sentence, and the details folded below it. */
export const reasonOf = (
  { act, result, state }: ResultRow,
  account: AccountState | undefined,
  network: string
): { readonly sentence: string | null; readonly exactly: string | null } => {
  const { error, platform_data } = result
  const exactly = error === null ? null : (error.platform_response ?? null)
  if (isOver(account) && (state === "blocked" || state === "failed"))
    return { sentence: words.why.demo(network), exactly: null }
  if (state === "blocked") {
    const sentence =
      account?.status === "disconnected" ? words.why.disconnected : words.why.reconnectWaits(network)
    return { sentence, exactly: null }
  }
  if (state === "rejected")
    return { sentence: words.why.rejected(network, platform_data?.review_reason ?? null), exactly: null }
  if (state === "live") return { sentence: platform_data?.warnings?.join(" ") ?? null, exactly: null }
  if (error === null || state === "repaired") return { sentence: null, exactly: null }
  if (act === "repair") return { sentence: repairWords(result), exactly: error.message }
  if (state === "doubt")
    return { sentence: error.code === "restored" ? words.why.restored : words.why.look, exactly: null }
  if (error.class === "rate_limited") return { sentence: words.why.busy(network), exactly: null }
  if (error.class === "transient" && state === "waiting")
    return { sentence: words.why.passing(network), exactly }
  if (error.code === notLive) return { sentence: words.why.notLive, exactly }
  if (error.class === "missed") return { sentence: words.why.missed, exactly: error.message }
  if (error.action === "reconnect_account")
    return {
      sentence: act === "again" ? words.why.connectedAgain : words.why.reconnect(network),
      exactly: error.message
    }
  const said = saidBy(error.message)
  return said === null
    ? { sentence: error.message, exactly }
    : { sentence: words.why.said(network, said), exactly: error.message }
}
