import { Schema } from "effect"
import { field } from "./Field.ts"
import type { Finding } from "./Finding.ts"
import { dollars } from "./Prices.ts"
import { Timestamp } from "./Time.ts"

/** What a platform charges the operator in a calendar month, by the prices that are set here. */
export const Spending = Schema.Struct({
  spent: field("What this month (UTC) cost so far, in millionths of a US dollar.", Schema.Int),
  scheduled: field("What the posts that are scheduled for the rest of it will add.", Schema.Int),
  budget: field("The most that a month may cost; null: no limit.", Schema.NullOr(Schema.Int)),
  resets_at: field("When the next month begins, in UTC.", Timestamp)
}).annotate({ identifier: "Spending" })
export interface Spending extends Schema.Schema.Type<typeof Spending> {}

const monthOf = (resetsAt: number) =>
  new Date(resetsAt - 1).toLocaleString("en", { month: "long", year: "numeric", timeZone: "UTC" })

/** Why a post would pass the budget; `scheduled` null: that does not count, because the post is due. */
export const overBudget = (
  {
    budget,
    spent,
    scheduled,
    resets_at
  }: {
    readonly budget: number
    readonly spent: number
    readonly scheduled: number | null
    readonly resets_at: number
  },
  cost: number
) => {
  const taken =
    scheduled === null
      ? `${dollars(spent)} is spent`
      : `${dollars(spent)} is spent and ${dollars(scheduled)} scheduled`
  return (
    `would pass the operator's budget for X: of ${dollars(budget)} for ${monthOf(resets_at)} (UTC), ${taken}, and this costs about ${dollars(cost)}. ` +
    `The next budget begins on ${new Date(resets_at).toISOString().slice(0, 10)}. Choose a time from then on, make the post cheaper (a link costs most), or ask the operator to raise TWITTER_BUDGET.`
  )
}

/** The finding about what X costs. */
export const spendingFinding = ({
  budget,
  spent,
  scheduled,
  resets_at
}: (typeof Spending)["Encoded"]): Finding => {
  const month = monthOf(Date.parse(resets_at))
  const sums = `${dollars(spent)} spent in ${month} (UTC), ${dollars(scheduled)} scheduled`
  const check = "costs of X"
  if (budget === null) return { check, level: "ok", found: `${sums}; there is no budget`, advice: null }
  const found = `${sums}, of ${dollars(budget)}`
  return spent + scheduled > budget
    ? {
        check,
        level: "warning",
        found,
        advice: `Raise TWITTER_BUDGET, or move posts: those that pass the budget fail until ${resets_at.slice(0, 10)}.`
      }
    : { check, level: "ok", found, advice: null }
}
