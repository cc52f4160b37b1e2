import { setTimeout as pause } from "node:timers/promises"

const intervalMs = 25

/** Asks until there is an answer; fails with what was awaited and the last thing seen once `withinMs` are over. */
export const until = async <A>(
  awaited: string,
  withinMs: number,
  ask: () => A | undefined | Promise<A | undefined>,
  lastSeen: () => unknown = () => undefined
): Promise<A> => {
  const deadline = performance.now() + withinMs
  for (;;) {
    const answer = await ask()
    if (answer !== undefined) return answer
    if (performance.now() > deadline) {
      throw new Error(`waited ${withinMs} ms for ${awaited}, last seen: ${JSON.stringify(lastSeen())}`)
    }
    await pause(intervalMs)
  }
}
