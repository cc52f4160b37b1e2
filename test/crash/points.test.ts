import { SandboxProcess } from "@carillon/sandbox/testing"
import { assert, it } from "@effect/vitest"
import { Effect } from "effect"
import { Boundaries, run, type Wanted } from "./Boundaries.ts"
import { platformKinds } from "./Scenario.ts"
import { type Line, nameOf, wordsOf } from "./KillPoint.ts"
import { table } from "./Table.ts"

/**
 * `CRASH=all`: every boundary there is, or one in CRASH_ONE_IN. `CRASH=some`: CRASH_EACH of each kind. Anything else: those that
 * have it in their name.
 */
const words = process.env["CRASH"] ?? "some"
const each = Number(process.env["CRASH_EACH"] ?? 2)
const one_in = Number(process.env["CRASH_ONE_IN"] ?? 1)
const wanted: Wanted = words === "all" ? { one_in } : words === "some" ? { each } : { words }
const services = Number(process.env["CRASH_SERVICES"] ?? (words === "all" ? 14 : 3))

const show = (lines: ReadonlyArray<Line>) =>
  table(
    ["platform", "killed", "create", "publications", "status", "attempts"],
    lines
      .toSorted((one, other) => (nameOf(one) < nameOf(other) ? -1 : 1))
      .map((line) => [
        line.kind,
        wordsOf(line),
        line.unacknowledged ? "sent again" : "answered",
        line.publications,
        line.status,
        line.attempts
      ])
  )

it.live(
  `publishes once what it was publishing when it was killed, at ${words} of the boundaries`,
  () =>
    Effect.gen(function* () {
      const boundaries = new Boundaries(wanted)
      const results = yield* Effect.forEach(
        Array.from({ length: services }, (_, index) => index),
        (index) => run(`scenario${index}`, boundaries),
        { concurrency: "unbounded" }
      )
      const lines = results.flatMap((result) => result.lines)
      const killed = lines.filter(({ points, reached }) => points.length > 0 && reached)
      console.log(show(killed))
      // Work in the background does not always come by.
      const missing = lines.filter(({ reached }) => !reached).map(nameOf)
      console.log(`killed at ${killed.length} boundaries; not come by again: ${missing.join("; ") || "none"}`)
      assert.deepStrictEqual(
        results.flatMap((result) => result.broken),
        []
      )
      const kinds = new Set(killed.map(({ kind }) => kind))
      if (words === "all" || words === "some") {
        assert.deepStrictEqual([...kinds].sort(), [...platformKinds].sort())
      }
    }).pipe(Effect.scoped, Effect.provide(SandboxProcess.layer)),
  1_800_000
)
