import type { CalendarPost, PostSummary } from "@carillon/sdk"
import { useQuery } from "@tanstack/react-query"
import { carillon } from "../api.ts"
import { calendarKey } from "./useCalendar.ts"

/** The time that is offered for a draft without one. */
export const offeredTime = "09:00"

const most = 50
const everyMinute = 60_000

const toRow = ({
  approval,
  blocked_by,
  created_at,
  excerpt,
  id,
  media,
  progress,
  social_accounts,
  status,
  thread,
  version
}: PostSummary): CalendarPost => ({
  id,
  version,
  status,
  at: created_at,
  local: offeredTime,
  excerpt,
  social_accounts,
  media_count: media.length,
  progress,
  ...(thread === null ? {} : { thread_count: thread.length }),
  ...(blocked_by === null ? {} : { blocked_by }),
  ...(approval === undefined ? {} : { approval })
})

/** The drafts without a day, the newest first, as the calendar has posts. */
export const useUndated = (account: number | undefined) =>
  useQuery({
    queryKey: [...calendarKey, "undated", account ?? null],
    queryFn: async ({ signal }) => {
      const { data, meta } = await carillon.posts.list(
        { undated: true, limit: most, ...(account === undefined ? {} : { social_account_id: account }) },
        { signal }
      )
      return { rows: data.map(toRow), total: meta.total }
    },
    refetchInterval: everyMinute
  })
