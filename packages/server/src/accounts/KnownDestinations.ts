import { Cache, Clock, Duration, Effect, Fiber, Option } from "effect"
import type { Destination } from "../platforms/Platform.ts"
import { destinationsCalled } from "./Destinations.ts"

/** How long a list counts as known. */
const freshness = Duration.hours(1)
/** A platform is asked about one account this seldom, whatever it answers. */
const pause = Duration.seconds(10)
/** How long a request waits for the platform. The answer is kept even if it comes later. */
const patience = Duration.seconds(5)
const mostKept = 1000

type Listed = ReadonlyArray<Destination> | null

/** The destinations of accounts, kept for an hour. `ask` gives null where the platform does not say. */
export const makeKnownDestinations = Effect.fnUntraced(function* (
  ask: (id: number) => Effect.Effect<Listed>
) {
  const scope = yield* Effect.scope
  const lists = new Map<number, { readonly at: number; readonly list: ReadonlyArray<Destination> }>()

  const answers = yield* Cache.make({
    capacity: mostKept,
    timeToLive: pause,
    lookup: (id: number) =>
      Effect.gen(function* () {
        const list = yield* ask(id)
        if (list === null) return null
        if (lists.size >= mostKept) lists.clear()
        lists.set(id, { at: yield* Clock.currentTimeMillis, list })
        return list
      })
  })

  /** Enough is the list that is known if it has all that are named; without names the platform is asked. */
  const find = Effect.fnUntraced(function* (id: number, named: ReadonlyArray<string> = []) {
    const kept = lists.get(id)
    const now = yield* Clock.currentTimeMillis
    const known = kept !== undefined && now - kept.at < Duration.toMillis(freshness) ? kept.list : null
    const suffices =
      known !== null && named.length > 0 && named.every((name) => destinationsCalled(known, name).length > 0)
    if (suffices) return known
    // Joining is interrupted at once; the lookup itself may be renewing the account's tokens.
    const answer = yield* Cache.get(answers, id).pipe(
      Effect.forkIn(scope),
      Effect.flatMap(Fiber.join),
      Effect.timeoutOption(patience)
    )
    return Option.getOrNull(answer) ?? known
  })

  const forget = (id: number) =>
    Effect.suspend(() => {
      lists.delete(id)
      return Cache.invalidate(answers, id)
    })

  return { find, forget }
})
