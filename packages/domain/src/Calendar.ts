import { type DateTime, Schema, Struct } from "effect"
import { Approval } from "./Approval.ts"
import { CalendarDate, dateAfter, startOfDate } from "./CalendarDate.ts"
import { PostId, SocialAccountId } from "./Ids.ts"
import { anyOf, atLeast, maximumLimit, Several, SeveralIds, TotalRelation } from "./Lists.ts"
import { PlatformId } from "./Platform.ts"
import { Excerpt, PostStatus, Progress, QueueSlot } from "./Post.ts"
import { TimeZoneName, Timestamp } from "./Time.ts"
import { field } from "./Field.ts"

/** The most days of one calendar, and the most posts shown of a day. */
export const mostCalendarDays = 62
export const usualCalendarDays = 14
export const usualPerDay = 6
export const mostOfADay = maximumLimit
export const calendarCountedTo = 1_000
const counted = calendarCountedTo.toLocaleString("en")

export const CalendarFilter = Schema.Struct({
  from: field(
    "The first day, such as `2026-12-24`. Default: today in `timezone`.",
    Schema.optionalKey(CalendarDate)
  ),
  to: field(
    `The last day, itself included, such as \`2026-12-24\`; at most ${mostCalendarDays} days in all. Default: ${usualCalendarDays} days in all.`,
    Schema.optionalKey(CalendarDate)
  ),
  timezone: field(
    "IANA name of the time zone that divides the days, such as `Europe/Paris`. Default: the profile's.",
    Schema.optionalKey(TimeZoneName)
  ),
  per_day: Schema.optionalKey(
    atLeast("per_day", 1, {
      default: usualPerDay,
      description: `How many posts to show of each day at most, failed and held-up ones first. Default: ${usualPerDay}; more than ${mostOfADay} counts as ${mostOfADay}.`
    })
  ),
  social_account_id: anyOf(
    "Only posts to any of the accounts with these ids; an unknown id finds nothing.",
    SeveralIds
  ),
  platform: anyOf(
    "Only posts to an account on any of these platforms, such as `bluesky`.",
    Several(PlatformId)
  ),
  status: anyOf("Only posts with any of these statuses, as in `status` of posts.", Several(PostStatus))
})
export interface CalendarFilter extends Schema.Schema.Type<typeof CalendarFilter> {}

/** `Progress` without the counts that are zero: hundreds of posts are read at once. */
export const CalendarProgress = Schema.Struct({
  ...Struct.map(Progress.fields, Schema.optionalKey),
  total: field(
    "How many results the post has in all: one for each account, or for each board of an account.",
    Schema.Int
  )
}).annotate({
  identifier: "CalendarProgress",
  description: "How many of the post's targets have each status. An absent count is 0."
})
export interface CalendarProgress extends Schema.Schema.Type<typeof CalendarProgress> {}

export const CalendarPost = Schema.Struct({
  id: field("The post's id, a UUID; `GET /v1/posts/{post_id}` has all of the post.", PostId),
  version: field(
    "Send it as `If-Match` to change only what you have seen: a newer version is answered with 412. It changes with every change, even by the service itself.",
    Schema.String
  ),
  status: field(
    "`draft`, or `scheduled` until every result that the credential sees is settled; then `published` if one is live, else `failed`.",
    PostStatus
  ),
  at: field(
    "The post's date, in UTC: `published_at`, else `scheduled_at`, else when it was sent.",
    Timestamp
  ),
  local: field("The time of day of `at` in the calendar's time zone, such as `09:30`.", Schema.String),
  excerpt: Excerpt,
  social_accounts: field(
    "Ids of the accounts that it goes to, in the order given, without those that the credential may not use.",
    Schema.Array(SocialAccountId).check(Schema.isMaxLength(200))
  ),
  media_count: field(
    "How many media items the post has itself, not counting those of its `thread` or of configurations.",
    Schema.Int
  ),
  thread_count: field(
    "How many posts follow it in its thread: on the account with the most, if they differ. Absent: none.",
    Schema.optionalKey(Schema.Int)
  ),
  thumbnail_url: field(
    "A signed URL of the first media item's thumbnail, which needs no credential for at least 24 hours. Absent: there is none.",
    Schema.optionalKey(Schema.String)
  ),
  progress: field("How many of the post's results have each status. Absent counts are 0.", CalendarProgress),
  blocked_by: field(
    "The id of the account that must be reconnected before the post can go out there: the lowest, if there are several. Absent: none.",
    Schema.optionalKey(SocialAccountId)
  ),
  queue_slot: QueueSlot,
  approval: field(
    "A request to let the post go out, and a person's decision. Absent: nobody has asked, or the request was taken back.",
    Schema.optionalKey(Approval)
  )
}).annotate({ identifier: "CalendarPost" })
export interface CalendarPost extends Schema.Schema.Type<typeof CalendarPost> {}

export const CalendarDay = Schema.Struct({
  date: field("The day in the calendar's time zone, such as `2026-12-24`.", CalendarDate),
  total: field(
    `How many posts the day has, including those that \`posts\` leaves out; at most ${counted}.`,
    Schema.Int
  ),
  total_relation: field(
    `\`exact\`: the day has \`total\` posts. \`at_least\`: it has more than \`total\`, because counting stops at ${counted}.`,
    TotalRelation
  ),
  by_status: field(
    `How many of the day's posts have each status, up to ${counted} in all.`,
    Schema.Struct({
      scheduled: field("How many posts have yet to go out or are going out now.", Schema.Int),
      published: field("How many posts are settled and live on at least one account.", Schema.Int),
      failed: field(
        "How many posts are settled and live on no account; the service does not retry them.",
        Schema.Int
      ),
      draft: field(
        "How many drafts have their `scheduled_at` on this day; those without a time are on none.",
        Schema.Int
      )
    })
  ),
  free_slots: field(
    "The queue's free slots on this day, as times in the calendar's time zone, such as `09:30`.",
    Schema.Array(Schema.String).check(Schema.isMaxLength(mostOfADay))
  ),
  posts: field(
    "At most `per_day` of the day's posts, by time. Failed and held-up posts are chosen first, then the earliest.",
    Schema.Array(CalendarPost).check(Schema.isMaxLength(mostOfADay))
  )
}).annotate({ identifier: "CalendarDay" })
export interface CalendarDay extends Schema.Schema.Type<typeof CalendarDay> {}

/** `GET /v1/posts/calendar`: days of a zone, each with its first posts and with how many there are. */
export const Calendar = Schema.Struct({
  timezone: field(
    "IANA name of the time zone that divides the days: `timezone` of the request, else the profile's.",
    Schema.String
  ),
  days: field(
    "Every day from `from` to `to`, including days without posts.",
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
