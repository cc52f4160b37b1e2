import { Effect } from "effect"

/** Texts below this cost little, whatever is in them. */
const smallText = 2048

/** A turn that took longer, in milliseconds, is followed by a rest: other requests need several rounds of the event loop. */
const longTurn = 4

const waiting = new Set<() => void>()
let taken = false

const next = () => {
  const [resume] = waiting
  if (resume === undefined) {
    taken = false
    return
  }
  waiting.delete(resume)
  const begun = performance.now()
  resume()
  setImmediate(() => {
    const took = performance.now() - begun
    if (took > longTurn) setTimeout(next, took / 4)
    else next()
  })
}

/**
 * What follows may keep the event loop for as long as the text is costly to read or to refuse. It runs when no other has
 * its turn, so that a dozen of them stop the process one after the other, with everything else between them.
 */
export const turnFor = (text: string): Effect.Effect<void> =>
  text.length < smallText
    ? Effect.void
    : Effect.callback<void>((resume) => {
        const run = () => resume(Effect.void)
        waiting.add(run)
        if (!taken) {
          taken = true
          setImmediate(next)
        }
        return Effect.sync(() => waiting.delete(run))
      })
