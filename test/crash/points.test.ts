import { SandboxProcess } from "@carillon/sandbox/testing"
import { assert, it } from "@effect/vitest"
import { Effect } from "effect"
import { Boundaries, run } from "./Boundaries.ts"
import { platformKinds } from "./Lane.ts"
import { type Line, wordsOf } from "./Strike.ts"
import { table } from "./Table.ts"

/** `CRASH=all`: every boundary there is; otherwise some of them. */
const all = process.env["CRASH"] === "all"
const lanes = Number(process.env["CRASH_LANES"] ?? (all ? 14 : 3))

const show = (lines: ReadonlyArray<Line>) =>
  table(
    ["platform", "killed", "create", "publications", "status", "attempts"],
    lines
      .filter(({ points, reached }) => reached && points.length > 0)
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
  `publishes once what it was publishing when it was killed, at ${all ? "every boundary" : "boundaries here and there"}`,
  () =>
    Effect.gen(function* () {
      const boundaries = new Boundaries(all ? "all" : { each: 2 }, platformKinds.length)
      const results = yield* Effect.forEach(
        Array.from({ length: lanes }, (_, index) => index),
        (index) => run(`lane${index}`, boundaries, platformKinds[index]),
        { concurrency: "unbounded" }
      )
      const lines = results.flatMap((result) => result.lines)
      console.log(show(lines))
      assert.deepStrictEqual(
        results.flatMap((result) => result.broken),
        []
      )
      const kinds = new Set(lines.filter(({ reached }) => reached).map(({ kind }) => kind))
      assert.deepStrictEqual([...kinds].sort(), [...platformKinds].sort())
    }).pipe(Effect.scoped, Effect.provide(SandboxProcess.layer)),
  1_800_000
)
