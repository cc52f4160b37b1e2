import { useSyncExternalStore } from "react"

const query = window.matchMedia("(width < 760px)")

/** Whether the screen is as narrow as a phone's. */
export const useNarrow = () =>
  useSyncExternalStore(
    (changed) => {
      query.addEventListener("change", changed)
      return () => query.removeEventListener("change", changed)
    },
    () => query.matches
  )
