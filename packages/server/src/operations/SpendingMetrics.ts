import type { Spending } from "@carillon/domain"
import { Effect, Metric } from "effect"

const spent = Metric.gauge("carillon_twitter_spent_dollars", {
  description: "What X charged this month (UTC), by the prices that are set."
})
const scheduled = Metric.gauge("carillon_twitter_scheduled_dollars", {
  description: "What the posts that are scheduled for the rest of the month will cost on X."
})
const budget = Metric.gauge("carillon_twitter_budget_dollars", {
  description: "TWITTER_BUDGET, where it is set."
})

const inDollars = (millionths: number) => millionths / 1_000_000

/** Shows what X costs; nothing where it has charged nothing and there is no budget. */
export const showSpending = (figures: Spending | null) =>
  figures === null || (figures.budget === null && figures.spent === 0)
    ? Effect.void
    : Effect.all([
        Metric.update(spent, inDollars(figures.spent)),
        Metric.update(scheduled, inDollars(figures.scheduled)),
        ...(figures.budget === null ? [] : [Metric.update(budget, inDollars(figures.budget))])
      ])
