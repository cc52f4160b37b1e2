import { Effect, Latch } from "effect"
import { kind as databaseKind } from "@carillon/testing/TestSql"
import { makeScenario, platformKinds } from "./Scenario.ts"
import { checkInvariants, nameOf, type KillPoint, killAt, type Killed } from "./KillPoint.ts"
import type { Point } from "./Interceptor.ts"

/** A call to the platform, not a write to the database. */
const isCall = (step: string) => /^(GET|POST) /.test(step)

/** The commit has happened, and nobody was told. */
const afterCommit: Point = { step: "POST /api/posts #1", position: "done" }

const same = (one: Point | undefined, other: Point) =>
  one?.step === other.step && one.position === other.position

/** Which of the boundaries to kill at: one in so many, so many of each platform kind, or those that have these words in their name. */
export type Wanted = { readonly one_in: number } | { readonly each: number } | { readonly words: string }

/** The points at which to kill: before and after every step that any run has passed. */
export class Boundaries {
  readonly #wanted: Wanted
  readonly #known = new Set<string>()
  /** Those to come. The first of each platform kind is a run without a kill, to see what there is. */
  readonly #open: Array<KillPoint> = platformKinds.map((kind) => ({ kind, points: [] }))
  readonly #learnt = Latch.makeUnsafe(false)
  #underway = 0
  #found = 0

  constructor(wanted: Wanted) {
    this.#wanted = wanted
  }

  /** The next one; while there is none, it waits for what those that are under way find. Undefined: all are done. */
  readonly take: Effect.Effect<KillPoint | undefined> = Effect.suspend(() => {
    const next = this.#open.shift()
    if (next === undefined && this.#underway > 0) return Effect.andThen(this.#learnt.await, this.take)
    if (next !== undefined) this.#underway++
    return Effect.succeed(next)
  })

  /** Later runs are killed at the steps that a run has passed. */
  learn({ kind, points, passed }: Killed): Effect.Effect<void> {
    const first = (passed[0] ?? []).flatMap((step): Array<KillPoint> =>
      (isCall(step) ? (["before", "done", "after"] as const) : (["before", "done"] as const)).map(
        (position) => ({ kind, points: [{ step, position }] })
      )
    )
    // On PostgreSQL what a killed process held comes back with its lease, long after the start.
    const recovery =
      databaseKind === "postgres" && points.length === 1 && same(points[0], afterCommit)
        ? (passed[1] ?? []).map((step): KillPoint => ({
            kind,
            points: [afterCommit, { step, position: "done" }]
          }))
        : []
    const fresh = [...first, ...recovery].filter((one) => {
      const name = JSON.stringify(one)
      return !this.#known.has(name) && this.#known.add(name)
    })
    this.#open.push(...this.#chosen(fresh, points.length === 0))
    this.#underway--
    return Effect.asVoid(this.#learnt.release)
  }

  #chosen(found: ReadonlyArray<KillPoint>, survey: boolean): ReadonlyArray<KillPoint> {
    const wanted = this.#wanted
    if ("one_in" in wanted) return found.filter(() => this.#found++ % wanted.one_in === 0)
    if ("words" in wanted) return found.filter((one) => nameOf(one).includes(wanted.words))
    return survey
      ? Array.from(
          { length: wanted.each },
          (_, index) => found[Math.floor(((index + 0.5) * found.length) / wanted.each)]!
        )
      : []
  }
}

/** One service, killed again and again as long as there are boundaries; then its database against the ledger. */
export const run = Effect.fn("run")(function* (name: string, boundaries: Boundaries) {
  const scenario = yield* makeScenario(name)
  const results: Array<Killed> = []
  for (let next = yield* boundaries.take; next !== undefined; next = yield* boundaries.take) {
    const one = yield* killAt(scenario, next)
    results.push(one)
    yield* boundaries.learn(one)
  }
  return yield* checkInvariants(scenario, results)
})
