import { useSyncExternalStore } from "react"
import { workspace } from "../api.ts"

/** The failed results that a person leaves as they are, kept in this browser. */
const key = `carillon.left.${workspace.id}`

/** They are shown for two weeks, so that older ones need not be remembered. */
const most = 300

const read = (): ReadonlyArray<string> => {
  try {
    const kept: unknown = JSON.parse(localStorage.getItem(key) ?? "[]")
    return Array.isArray(kept) ? kept.filter((one) => typeof one === "string") : []
  } catch {
    return []
  }
}

let current = read()
const changed = new Set<() => void>()

const keep = (ids: ReadonlyArray<string>) => {
  current = ids.slice(-most)
  try {
    localStorage.setItem(key, JSON.stringify(current))
  } catch {
    // A browser that keeps nothing shows them again after a reload.
  }
  for (const tell of changed) tell()
}

const subscribe = (tell: () => void) => {
  changed.add(tell)
  return () => {
    changed.delete(tell)
  }
}

export const leave = (ids: ReadonlyArray<string>) => keep([...current, ...ids])

export const takeBack = (ids: ReadonlyArray<string>) => keep(current.filter((id) => !ids.includes(id)))

export const useLeft = () => useSyncExternalStore(subscribe, () => current)
