import { overBudget, spendingFinding } from "@carillon/domain"
import { assert, describe, it } from "@effect/vitest"

const resets_at = "2026-12-01T00:00:00.000Z"
const facts = { spent: 48_100_000, scheduled: 1_800_000, budget: 50_000_000, resets_at }

describe("what X costs in a month", () => {
  it.each([
    ["a budget that holds", facts, "ok", "$48.10 spent in November 2026 (UTC), $1.80 scheduled, of $50.00"],
    [
      "no budget",
      { ...facts, budget: null },
      "ok",
      "$48.10 spent in November 2026 (UTC), $1.80 scheduled; there is no budget"
    ],
    [
      "more than the budget",
      { ...facts, scheduled: 1_900_001 },
      "warning",
      "$48.10 spent in November 2026 (UTC), $1.900001 scheduled, of $50.00"
    ]
  ] as const)("is found by doctor with %s", (_, figures, level, found) => {
    assert.deepInclude(spendingFinding(figures), { check: "costs of X", level, found })
  })

  it("names in a refusal the budget, what is taken of it, the price, its end and the ways out", () => {
    assert.strictEqual(
      overBudget({ ...facts, resets_at: Date.parse(resets_at) }, 200_000),
      "would pass the operator's budget for X: of $50.00 for November 2026 (UTC), $48.10 is spent and $1.80 scheduled, and this costs about $0.20. The next budget begins on 2026-12-01. Choose a time from then on, make the post cheaper (a link costs most), or ask the operator to raise TWITTER_BUDGET."
    )
  })
})
