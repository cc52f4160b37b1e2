import { overBudget, type PricedCall, type Prices, priceOf, type Spending as Figures } from "@carillon/domain"
import { Context, DateTime, Effect, Layer, Option } from "effect"
import { AppConfig } from "../../AppConfig.ts"
import type { FoundApp } from "../ConnectedApp.ts"
import { type Charges, PublishError } from "../Platform.ts"
import { type Charge, type Month, monthOf, SpendingRepository } from "./SpendingRepository.ts"

/** A call that X charges for. */
export interface PaidCall {
  readonly call: PricedCall
  /** How many posts it may read, or 1. */
  readonly count: number
  /** It is made even if it passes the budget: without it nobody knows whether a post is live. */
  readonly beyond?: boolean
}

/** Counts what a call costs, and then makes it. `undefined`: it is free. */
type Pay = (
  paid: PaidCall | undefined
) => <A>(call: Effect.Effect<A, PublishError>) => Effect.Effect<A, PublishError>

/**
 * What X charges the operator, in a calendar month. X does not tell before the bill, so each call is counted before it is
 * made, over all processes and workspaces: after a crash it may be counted twice, but never not at all.
 */
export class Spending extends Context.Service<
  Spending,
  {
    readonly pay: Pay
    /** X accepts no more calls of the app. The log says so at once. */
    refused(failure: PublishError): Effect.Effect<void>
    readonly charges: Charges
    /** What will stop the posts of all accounts, as `charges.look` last saw it. */
    readonly warning: Effect.Effect<string | null>
    readonly figures: Effect.Effect<Figures>
  }
>()("@carillon/server/platforms/twitter/Spending") {
  static readonly layerNoDeps = Layer.effect(
    Spending,
    Effect.gen(function* () {
      const { twitterBudget, twitterPrices: prices } = yield* AppConfig
      const budget = Option.getOrNull(twitterBudget)
      const repository = yield* SpendingRepository
      let warning: string | null = null
      let isRefused = false

      const pay: Pay = (paid) => (call) =>
        paid === undefined
          ? call
          : Effect.gen(function* () {
              const charge = chargeOf(paid, prices, yield* DateTime.now)
              if (!(yield* repository.take(charge, paid.beyond === true ? null : budget)))
                return yield* exhausted(charge, budget!)
              const answer = yield* Effect.tapError(call, (failure) =>
                mayBeCharged(paid.call, failure) ? Effect.void : repository.giveBack(charge)
              )
              if (isRefused) {
                isRefused = false
                yield* repository.accept(charge.month)
              }
              return answer
            })

      const exhausted = Effect.fnUntraced(function* ({ cost, month }: Charge, budget: number) {
        const { spent } = yield* repository.sums(month, yield* DateTime.now)
        const facts = { budget, spent, scheduled: null, resets_at: month.to.epochMilliseconds }
        return yield* new PublishError({
          class: "quota_exhausted",
          code: "budget_exhausted",
          message: `The post ${overBudget(facts, cost)}`,
          retry_at: month.to
        })
      })

      const refused = Effect.fn("Spending.refused")(function* ({ message }: PublishError) {
        const now = yield* DateTime.now
        isRefused = true
        if (yield* repository.refuse(monthOf(now), now, message)) yield* Effect.logError(message)
      })

      const look = Effect.gen(function* () {
        const now = yield* DateTime.now
        const month = monthOf(now)
        const sums = yield* repository.sums(month, now)
        isRefused = sums.refused_at !== null
        warning = sums.refusal ?? (budget === null ? null : yield* beyond(now, month, sums.spent, budget))
      }).pipe(Effect.withSpan("Spending.look"))

      /** Posts of the next day that pass the budget of their month. */
      const beyond = Effect.fnUntraced(function* (
        now: DateTime.Utc,
        month: Month,
        spent: number,
        budget: number
      ) {
        const tomorrow = DateTime.add(now, { days: 1 })
        const first = yield* repository.firstBeyond(null, DateTime.min(tomorrow, month.to), budget - spent)
        if (Option.isSome(first)) return passing(first.value)
        return Option.getOrNull(
          Option.map(yield* repository.firstBeyond(month.to, tomorrow, budget), passing)
        )
      })

      const charges: Charges = {
        isLimited: budget !== null,
        look,
        refuses: Effect.fn("Spending.refuses")(function* (due, cost, except) {
          if (budget === null || cost === 0) return null
          const now = yield* DateTime.now
          const month = monthOf(DateTime.max(due, now))
          yield* repository.lock(month)
          const { before, scheduled, spent } = yield* repository.sums(month, now, except)
          // What was accepted may be corrected.
          if (cost <= before) return null
          const value = spent + scheduled + cost
          const facts = { budget, spent, scheduled, resets_at: month.to.epochMilliseconds }
          return value <= budget ? null : { sentence: overBudget(facts, cost), limit: budget, value }
        })
      }

      const figures = Effect.gen(function* () {
        const now = yield* DateTime.now
        const month = monthOf(now)
        const { scheduled, spent } = yield* repository.sums(month, now)
        return { spent, scheduled, budget, resets_at: month.to }
      })

      return Spending.of({
        pay,
        refused,
        charges,
        warning: Effect.sync(() => warning),
        figures
      })
    })
  )

  static readonly layer = Spending.layerNoDeps.pipe(Layer.provide(SpendingRepository.layer))
}

/** Nobody pays on the test network. */
export const isMetered = (app: FoundApp | undefined) => app !== undefined && app.source !== "test_network"

const chargeOf = ({ call, count }: PaidCall, prices: Prices, now: DateTime.Utc): Charge => ({
  month: monthOf(now),
  call,
  count,
  cost: priceOf({ [call]: count }, prices)
})

/** What X refused, or never got, costs nothing. A read that broke off says nothing about it. */
const mayBeCharged = (call: PricedCall, failure: PublishError) =>
  failure.class === "ambiguous" ||
  (failure.class === "transient" && call !== "post" && call !== "post_with_url")

const passing = (due: DateTime.Utc) =>
  `The posts due from ${DateTime.formatIso(due)} on would pass the operator's budget for X, and fail. Raise TWITTER_BUDGET, or move them to a later month.`
