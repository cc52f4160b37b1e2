import { useQuery } from "@tanstack/react-query"
import { carillon } from "../api.ts"
import { undatedRow } from "./undatedRow.ts"
import { calendarKey } from "./useCalendar.ts"

const most = 50
const everyMinute = 60_000

/** The drafts without a day, the newest first, as the calendar has posts. */
export const useUndated = (account: number | undefined) =>
  useQuery({
    queryKey: [...calendarKey, "undated", account ?? null],
    queryFn: async ({ signal }) => {
      const { data, meta } = await carillon.posts.list(
        { undated: true, limit: most, ...(account === undefined ? {} : { social_account_id: account }) },
        { signal }
      )
      return { rows: data.map(undatedRow), total: meta.total }
    },
    refetchInterval: everyMinute
  })
