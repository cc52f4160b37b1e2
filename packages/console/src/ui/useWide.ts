import { useMatch } from "./useMatch.ts"

const query = window.matchMedia("(width >= 1440px)")

/** Whether the screen has room for three columns. */
export const useWide = () => useMatch(query)
