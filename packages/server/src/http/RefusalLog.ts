import { Context, Effect } from "effect"
import type { Recurring } from "../Recurring.ts"

/** How many requests were refused since the last line, by the code of their problem. */
export const Refusals = Context.Reference<Map<string, number>>("@carillon/server/http/Refusals", {
  defaultValue: () => new Map()
})

/** Counts the answer if it says that the sender may not do that. */
export const countRefusal = ({ code, status }: { readonly code: string; readonly status: number }) =>
  status === 401 || status === 403
    ? Effect.map(Refusals, (counts) => void counts.set(code, (counts.get(code) ?? 0) + 1))
    : Effect.void

const tell = Effect.gen(function* () {
  const counts = yield* Refusals
  if (counts.size === 0) return
  const refused = Object.fromEntries(counts)
  counts.clear()
  yield* Effect.logInfo("API requests were refused", { refused })
})

/** A line a minute at most, however many are refused, and one at the end. */
export const refusalLog = Effect.as(
  Effect.addFinalizer(() => tell),
  { name: "refused requests", every: "1 minute", run: tell } satisfies Recurring
)
