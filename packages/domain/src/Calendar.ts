import { type DateTime, Schema, Struct } from "effect"
import { Approval } from "./Approval.ts"
import { CalendarDate, dateAfter, startOfDate } from "./CalendarDate.ts"
import { PostId, SocialAccountId } from "./Ids.ts"
import { atLeast, maximumLimit, Several, SeveralIds, TotalRelation } from "./Lists.ts"
import { PlatformId } from "./Platform.ts"
import { Excerpt, PostStatus, Progress, QueueSlot } from "./Post.ts"
import { TimeZoneName, Timestamp } from "./Time.ts"
import { field } from "./Field.ts"

/** The most days of one calendar, and the most posts shown of a day. */
export const mostCalendarDays = 62
export const usualCalendarDays = 14
export const mostOfADay = maximumLimit
export const calendarCountedTo = 1_000

export const CalendarFilter = Schema.Struct({
  from: field("The first day. Default: today.", Schema.optionalKey(CalendarDate)),
  to: field(
    `The last day; at most ${mostCalendarDays} days in all. Default: the ${usualCalendarDays}th day.`,
    Schema.optionalKey(CalendarDate)
  ),
  timezone: field("The time zone of the days. Default: the profile's.", Schema.optionalKey(TimeZoneName)),
  per_day: Schema.optionalKey(
    atLeast("per_day", 1, {
      default: 6,
      description: `How many posts of each day are shown; more than ${mostOfADay} is lowered to ${mostOfADay}.`
    })
  ),
  social_account_id: field("Only posts with one of these accounts, by id.", Schema.optionalKey(SeveralIds)),
  platform: field(
    "Only posts with an account on one of these platforms.",
    Schema.optionalKey(Several(PlatformId))
  ),
  status: field("Only posts with one of these statuses.", Schema.optionalKey(Several(PostStatus)))
})
export interface CalendarFilter extends Schema.Schema.Type<typeof CalendarFilter> {}

/** `Progress` without the counts that are zero: hundreds of posts are read at once. */
export const CalendarProgress = Schema.Struct({
  ...Struct.map(Progress.fields, Schema.optionalKey),
  total: field("All of the post's results, whatever their status.", Schema.Int)
}).annotate({
  identifier: "CalendarProgress",
  description: "How many of the post's targets have each status. An absent count is 0."
})
export interface CalendarProgress extends Schema.Schema.Type<typeof CalendarProgress> {}

export const CalendarPost = Schema.Struct({
  id: field("The id of the post, for `GET /v1/posts/{post_id}`.", PostId),
  version: field("The post's `version`, for `If-Match` of a change.", Schema.String),
  status: field("`draft`, `scheduled`, `published` or `failed`, as of the post itself.", PostStatus),
  at: field(
    "What dates the post: `published_at`, before that `scheduled_at`, and if it goes out at once when it was sent.",
    Timestamp
  ),
  local: field("`at` as `HH:MM` in the calendar's zone.", Schema.String),
  excerpt: Excerpt,
  social_accounts: field(
    "Ids of its accounts, as far as the credential may use them.",
    Schema.Array(SocialAccountId).check(Schema.isMaxLength(200))
  ),
  media_count: field("How many media items it has, without those of its thread.", Schema.Int),
  thread_count: field(
    "How many posts follow it in its thread, on the account with the most. Absent: none.",
    Schema.optionalKey(Schema.Int)
  ),
  thumbnail_url: field(
    "A signed URL of the thumbnail of the post's first media item. Absent: it has none.",
    Schema.optionalKey(Schema.String)
  ),
  progress: field("How many of its results have each status. An absent count is 0.", CalendarProgress),
  blocked_by: field(
    "The id of an account that must be reconnected before this post can go out there. Absent: none.",
    Schema.optionalKey(SocialAccountId)
  ),
  queue_slot: QueueSlot,
  approval: field(
    "Only for a post of an app whose posts a person approves: what was asked, and the decision.",
    Schema.optionalKey(Approval)
  )
}).annotate({ identifier: "CalendarPost" })
export interface CalendarPost extends Schema.Schema.Type<typeof CalendarPost> {}

export const CalendarDay = Schema.Struct({
  date: field("The day in the calendar's zone, `2026-12-24`.", CalendarDate),
  total: field("How many posts it has, shown or not.", Schema.Int),
  total_relation: field(
    "`at_least`: the day has `total` posts or more; counting stops at 1,000.",
    TotalRelation
  ),
  by_status: field(
    "How many posts it has of each status.",
    Schema.Struct({
      scheduled: field("Posts that are still to go out, or are going out.", Schema.Int),
      published: field("Posts that are live on at least one account.", Schema.Int),
      failed: field("Posts that are settled everywhere and live nowhere.", Schema.Int),
      draft: field("Drafts with a time on this day.", Schema.Int)
    })
  ),
  free_slots: field(
    "The free slots of the queue on this day, as `HH:MM` in the calendar's zone.",
    Schema.Array(Schema.String).check(Schema.isMaxLength(mostOfADay))
  ),
  posts: field(
    "The day's posts by time, `per_day` at most: those that failed or are held up are kept, then the first.",
    Schema.Array(CalendarPost).check(Schema.isMaxLength(mostOfADay))
  )
}).annotate({ identifier: "CalendarDay" })
export interface CalendarDay extends Schema.Schema.Type<typeof CalendarDay> {}

/** `GET /v1/posts/calendar`: days of a zone, each with its first posts and with how many there are. */
export const Calendar = Schema.Struct({
  timezone: field("The IANA name of the zone that its days are of.", Schema.String),
  days: field(
    "Every day from `from` to `to`, also without posts.",
    Schema.Array(CalendarDay).check(Schema.isMaxLength(mostCalendarDays))
  )
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
