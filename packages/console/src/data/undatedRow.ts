import type { CalendarPost, PostSummary } from "@carillon/sdk"

/** The time that is offered for a draft without one. */
export const offeredTime = "09:00"

/** A draft without a day, as the calendar has posts. */
export const undatedRow = ({
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
