import { useMatch } from "./useMatch.ts"

const query = window.matchMedia("(width < 760px)")

/** Whether the screen is as narrow as a phone's. */
export const useNarrow = () => useMatch(query)
