import type { CalendarPost } from "@carillon/sdk"
import { useCallback } from "react"
import type { Day } from "../time/days.ts"
import { postKey, useCalendarContext } from "./CalendarContext.ts"

/** For a `ref`: the element gets the focus of posts that have no tile. */
export const useStandIn = (rows: ReadonlyArray<CalendarPost>, day: Day) => {
  const { focusMap } = useCalendarContext()
  const ids = rows.map(({ id }) => id).join()
  return useCallback(
    (element: HTMLButtonElement) => {
      const forget = ids.split(",").map((id) => focusMap.register(postKey(id, day), element))
      return () => forget.forEach((one) => one())
    },
    [day, focusMap, ids]
  )
}
