import { assert, describe, it } from "@effect/vitest"
import { runHistory, type Told } from "./simulation/History.ts"

/** Another beginning: SIMULATION_SEED; one history alone: SIMULATION_HISTORIES=1; .ci/run asks for many. */
const first = Number(process.env["SIMULATION_SEED"] ?? 1)
const histories = Number(process.env["SIMULATION_HISTORIES"] ?? 2_000)

describe("the engine in random histories", () => {
  it("the engine in random histories has the same history with the same seed", () => {
    assert.deepStrictEqual(runHistory(first), runHistory(first))
  })

  it(
    "publishes at most once unless forced, ends everything, and leaves what is over to a person",
    {
      timeout: 300_000
    },
    () => {
      const told: Array<Told> = []
      for (let seed = first; seed < first + histories; seed++) {
        try {
          told.push(runHistory(seed))
        } catch (error) {
          throw new Error(`SIMULATION_SEED=${seed} SIMULATION_HISTORIES=1: ${String(error)}`, {
            cause: error
          })
        }
      }
      const sum = (of: (one: Told) => number) => told.reduce((total, one) => total + of(one), 0)
      const ends: Record<string, number> = {}
      for (const { byWords, kind, states } of told)
        for (const state of states) {
          const name = `${byWords ? "words" : kind} ${state}`
          ends[name] = (ends[name] ?? 0) + 1
        }
      const figures = {
        seeds: `${first}..${first + histories - 1}`,
        publications: sum(({ publications }) => publications),
        deaths: sum(({ deaths }) => deaths),
        stalls: sum(({ stalls }) => stalls),
        unseen: sum(({ unseen }) => unseen),
        takeovers: sum(({ takeovers }) => takeovers),
        forced: sum(({ forced }) => forced),
        edits: sum(({ edits }) => edits),
        followers: sum(({ followers }) => followers),
        continued: sum(({ continued }) => continued),
        steps: sum(({ steps }) => steps),
        ends
      }
      console.log(figures)
      if (histories < 1000) return
      // Histories in which nothing went wrong would prove nothing.
      for (const kind of ["replay", "lookup", "words", "none"])
        for (const state of ["published", "failed", "unconfirmed"])
          assert.isAbove(ends[`${kind} ${state}`] ?? 0, 0, `${kind} ${state}`)
      assert.isAbove(figures.deaths, histories / 10)
      assert.isAbove(figures.takeovers, histories / 20)
      assert.isAbove(figures.followers, histories / 2)
      assert.isAbove(figures.continued, histories / 20)
    }
  )
})
