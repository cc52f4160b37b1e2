import { useSyncExternalStore } from "react"
import { askToReload } from "../ui/later.ts"

type Rules = typeof import("./rules.ts").rules

let loaded: Rules | undefined
const waiting = new Set<() => void>()

const load = async () => {
  try {
    const { rules } = await import("./rules.ts")
    loaded = rules
    for (const tell of waiting) tell()
  } catch {
    askToReload()
  }
}
void load()

const subscribe = (tell: () => void) => {
  waiting.add(tell)
  return () => waiting.delete(tell)
}

/** The rules of the networks: undefined at first, because they weigh twice as much as everything that is needed to begin writing. */
export const useRules = () => useSyncExternalStore(subscribe, () => loaded)
