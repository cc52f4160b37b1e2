import { type DateTime, Schema, Struct } from "effect"
import { Approval } from "./Approval.ts"
import { CalendarDate, dateAfter, startOfDate } from "./CalendarDate.ts"
import { PostId, SocialAccountId } from "./Ids.ts"
import { atLeast, maximumLimit, Several, SeveralIds, TotalRelation } from "./Lists.ts"
import { PlatformId } from "./Platform.ts"
import { Excerpt, PostStatus, Progress, QueueSlot } from "./Post.ts"
import { TimeZoneName, Timestamp } from "./Time.ts"

/** The most days of one calendar, and the most posts shown of a day. */
export const mostCalendarDays = 62
export const usualCalendarDays = 14
export const mostOfADay = maximumLimit
export const calendarCountedTo = 1_000

export const CalendarFilter = Schema.Struct({
  from: Schema.optionalKey(CalendarDate.annotate({ description: "The first day. Default: today." })),
  to: Schema.optionalKey(
    CalendarDate.annotate({
      description: `The last day; at most ${mostCalendarDays} days in all. Default: the ${usualCalendarDays}th.`
    })
  ),
  timezone: Schema.optionalKey(
    TimeZoneName.annotate({ description: "The time zone of the days. Default: the profile's." })
  ),
  per_day: Schema.optionalKey(
    atLeast("per_day", 1, {
      default: 6,
      description: `How many posts of each day are shown; more than ${mostOfADay} is lowered to ${mostOfADay}.`
    })
  ),
  social_account_id: Schema.optionalKey(SeveralIds),
  platform: Schema.optionalKey(Several(PlatformId)),
  status: Schema.optionalKey(Several(PostStatus))
})
export interface CalendarFilter extends Schema.Schema.Type<typeof CalendarFilter> {}

/** `Progress` without the counts that are zero: hundreds of posts are read at once. */
export const CalendarProgress = Schema.Struct({
  ...Struct.map(Progress.fields, Schema.optionalKey),
  total: Schema.Int
}).annotate({
  identifier: "CalendarProgress",
  description: "How many of the post's targets have each status. An absent count is 0."
})
export interface CalendarProgress extends Schema.Schema.Type<typeof CalendarProgress> {}

export const CalendarPost = Schema.Struct({
  id: PostId,
  version: Schema.String.annotate({ description: "The value for If-Match." }),
  status: PostStatus,
  at: Timestamp.annotate({
    description:
      "What dates the post: `published_at`, before that `scheduled_at`, and if it goes out at once when it was sent."
  }),
  local: Schema.String.annotate({ description: "HH:MM of `at` in the calendar's zone." }),
  excerpt: Excerpt,
  social_accounts: Schema.Array(SocialAccountId).check(Schema.isMaxLength(200)),
  media_count: Schema.Int,
  thread_count: Schema.optionalKey(Schema.Int).annotate({
    description: "How many posts follow it as a thread, on the account with the most. Absent: none."
  }),
  thumbnail_url: Schema.optionalKey(Schema.String).annotate({
    description: "A signed URL of the thumbnail of the post's first media item. Absent: it has none."
  }),
  progress: CalendarProgress,
  /** An account that must be reconnected first. */
  blocked_by: Schema.optionalKey(SocialAccountId),
  queue_slot: QueueSlot,
  approval: Schema.optionalKey(Approval)
}).annotate({ identifier: "CalendarPost" })
export interface CalendarPost extends Schema.Schema.Type<typeof CalendarPost> {}

export const CalendarDay = Schema.Struct({
  date: CalendarDate,
  total: Schema.Int,
  total_relation: TotalRelation,
  by_status: Schema.Struct({
    scheduled: Schema.Int,
    published: Schema.Int,
    failed: Schema.Int,
    draft: Schema.Int
  }),
  free_slots: Schema.Array(Schema.String)
    .check(Schema.isMaxLength(mostOfADay))
    .annotate({ description: "HH:MM: free slots of the queue." }),
  posts: Schema.Array(CalendarPost).check(Schema.isMaxLength(mostOfADay)).annotate({
    description: "By time. Of a day with more, those that failed or are held up, and then the first."
  })
}).annotate({ identifier: "CalendarDay" })
export interface CalendarDay extends Schema.Schema.Type<typeof CalendarDay> {}

/** `GET /v1/posts/calendar`: days of a zone, each with its first posts and with how many there are. */
export const Calendar = Schema.Struct({
  timezone: Schema.String,
  days: Schema.Array(CalendarDay).check(Schema.isMaxLength(mostCalendarDays))
}).annotate({ identifier: "Calendar" })
export interface Calendar extends Schema.Schema.Type<typeof Calendar> {}

/** A day of a zone, which may have 23 or 25 hours: up to `stop`, where the next one begins. */
export interface DayOfZone {
  readonly date: string
  readonly start: DateTime.Utc
  readonly stop: DateTime.Utc
}

/** The days from one date to another, both included, and one too many if there are more than a calendar has. */
export const daysOfZone = (from: string, to: string, zone: DateTime.TimeZone): ReadonlyArray<DayOfZone> => {
  const count = Math.min((Date.parse(to) - Date.parse(from)) / 86_400_000 + 1, mostCalendarDays + 1)
  return Array.from({ length: Math.max(0, count) }, (_, index) => {
    const date = dateAfter(from, index)
    return { date, start: startOfDate(date, zone), stop: startOfDate(dateAfter(date, 1), zone) }
  })
}
