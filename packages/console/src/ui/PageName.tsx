import { useMatches } from "@tanstack/react-router"

/** The name of the page that is shown, as `routes.tsx` has it. */
export const usePageName = () => useMatches({ select: (matches) => matches.at(-1)!.staticData.name })

export const PageName = () => usePageName()
