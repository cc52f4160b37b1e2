import { useSyncExternalStore } from "react"

/** Whether the screen is at the moment as a query wants it. */
export const useMatch = (query: MediaQueryList) =>
  useSyncExternalStore(
    (changed) => {
      query.addEventListener("change", changed)
      return () => query.removeEventListener("change", changed)
    },
    () => query.matches
  )
