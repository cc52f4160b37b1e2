import { Effect, Latch } from "effect"
import { kind as databaseKind } from "../support/TestSql.ts"
import { makeLane, type PlatformKind } from "./Lane.ts"
import { judge, type Strike, strike, type Struck } from "./Strike.ts"
import type { Point } from "./Tripwire.ts"

/** A call to the platform, not a write to the database. */
const isCall = (step: string) => /^(GET|POST) /.test(step)

/** The commit has happened, and nobody was told. */
const afterCommit: Point = { step: "POST /api/posts #1", position: "done" }

const same = (one: Point | undefined, other: Point) =>
  one?.step === other.step && one.position === other.position

/** Where to kill: before and after every step that any run has been seen to pass. */
export class Boundaries {
  readonly #known = new Set<string>()
  readonly #open: Array<Strike> = []
  readonly #surveyed = Latch.makeUnsafe(false)
  #surveys: number
  readonly #wanted: "all" | { readonly each: number }

  /**
   * `each`: so many of each platform kind, spread over what there is. `surveys`: runs without a kill, one of each
   * platform kind, that come first.
   */
  constructor(wanted: "all" | { readonly each: number }, surveys: number) {
    this.#wanted = wanted
    this.#surveys = surveys
  }

  /** What a run has passed is where further ones are killed. */
  learn({ kind, points, passed }: Struck): void {
    const first = (passed[0] ?? []).flatMap((step): Array<Strike> =>
      (isCall(step) ? (["before", "done", "after"] as const) : (["before", "done"] as const)).map(
        (position) => ({ kind, points: [{ step, position }] })
      )
    )
    // On PostgreSQL what a killed process held comes back with its lease, long after the start.
    const recovery =
      databaseKind === "postgres" && points.length === 1 && same(points[0], afterCommit)
        ? (passed[1] ?? []).map((step): Strike => ({
            kind,
            points: [afterCommit, { step, position: "done" }]
          }))
        : []
    const fresh = [...first, ...recovery].filter((one) => {
      const name = JSON.stringify(one)
      return !this.#known.has(name) && this.#known.add(name)
    })
    const survey = points.length === 0
    if (survey || this.#wanted === "all") this.#open.push(...this.#chosen(fresh))
    if (survey && --this.#surveys === 0) this.#surveyed.openUnsafe()
  }

  /** The next one, as soon as it is known what there is. */
  readonly take = Effect.andThen(
    this.#surveyed.await,
    Effect.sync((): Strike | undefined => this.#open.shift())
  )

  #chosen(found: ReadonlyArray<Strike>): ReadonlyArray<Strike> {
    if (this.#wanted === "all") return found
    const { each } = this.#wanted
    return Array.from(
      { length: each },
      (_, index) => found[Math.floor(((index + 0.5) * found.length) / each)]!
    )
  }
}

/** One service, killed again and again as long as there are boundaries; then its database against the ledger. */
export const run = Effect.fn("run")(function* (
  name: string,
  boundaries: Boundaries,
  survey: PlatformKind | undefined
) {
  const lane = yield* makeLane(name)
  const struck: Array<Struck> = []
  let next: Strike | undefined = survey === undefined ? yield* boundaries.take : { kind: survey, points: [] }
  while (next !== undefined) {
    const one: Struck = yield* strike(lane, next)
    boundaries.learn(one)
    struck.push(one)
    next = yield* boundaries.take
  }
  return yield* judge(lane, struck)
})
