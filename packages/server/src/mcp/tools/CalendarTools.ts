import { CurrentActor, FreeSlot, PostStatus, PostSummary, PostId, problem, Timestamp } from "@carillon/domain"
import { DateTime, Effect, Result, Schema } from "effect"
import { Posts } from "../../posts/Posts.ts"
import { Queue } from "../../queue/Queue.ts"
import { shownInApp } from "../app/App.ts"
import { mcpTool } from "../McpTool.ts"
import { LocalTime, localTime } from "./LocalTime.ts"

const longestDays = 62
/** A calendar has at most this many posts, and says when there are more. */
const mostPosts = 200
const mostSlots = 200

const CalendarDate = Schema.String.check(
  Schema.isPattern(/^\d{4}-\d{2}-\d{2}$/u, { expected: "a date such as 2026-12-24" })
)

const Calendar = Schema.Struct({
  timezone: Schema.String,
  from: CalendarDate,
  to: CalendarDate,
  days: Schema.Array(
    Schema.Struct({
      date: CalendarDate,
      weekday: Schema.String,
      posts: Schema.Array(
        Schema.Struct({
          id: PostId,
          time: Schema.String.annotate({ description: "HH:MM in the time zone." }),
          at: Timestamp,
          at_local: LocalTime,
          status: PostStatus,
          caption: Schema.NullOr(Schema.String),
          social_accounts: PostSummary.fields.social_accounts,
          media_count: Schema.Int
        })
      ).check(Schema.isMaxLength(mostPosts)),
      free_slots: Schema.Array(Schema.String)
        .check(Schema.isMaxLength(mostSlots))
        .annotate({ description: "HH:MM: free slots of the queue." })
    })
  ).check(Schema.isMaxLength(longestDays)),
  empty_days: Schema.Array(CalendarDate)
    .check(Schema.isMaxLength(longestDays))
    .annotate({ description: "Days of the period without any post." }),
  complete: Schema.Boolean.annotate({
    description: "false: there are more posts than shown; ask for fewer days."
  })
})

/** The days of the plan, and the queue's times. */
export const makeCalendarTools = Effect.gen(function* () {
  const posts = yield* Posts
  const queue = yield* Queue

  const listQueueSlots = mcpTool({
    name: "list_queue_slots",
    title: "List free queue slots",
    description:
      "List the next free slots of the user's queue: the times at which posts with use_queue: true go out, one post each. Use it to " +
      "tell the user when a post would go out, or to choose times for several posts. create_post with use_queue: true takes the " +
      "first one by itself. Without a queue the answer says queue_not_configured.",
    hints: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false },
    scope: "posts:read",
    input: Schema.Struct({
      count: Schema.optionalKey(
        Schema.NullOr(Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: 100 }))).annotate({
          description: "How many, 1 to 100.",
          default: 10
        })
      )
    }),
    output: Schema.Struct({
      slots: Schema.Array(FreeSlot).check(Schema.isMaxLength(mostSlots)),
      total: Schema.Int.annotate({ description: "How many are free in the next 90 days." })
    }),
    run: ({ count }) =>
      Effect.map(queue.free({ count: count ?? 10 }), ({ data, total }) => ({ slots: data, total }))
  })

  const showCalendar = mcpTool({
    name: "show_calendar",
    title: "Show the calendar",
    description:
      "Show the posts of a period day by day in the profile's time zone, with the days that have none and the free slots of the " +
      "queue. Use it to plan a week, to find gaps, or when the user asks what is coming. For searching use list_posts; for the " +
      "outcome of one post get_post. Hosts that can show apps open a calendar that the user can act in.",
    hints: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false },
    scope: "posts:read",
    input: Schema.Struct({
      from: Schema.optionalKey(
        Schema.NullOr(CalendarDate).annotate({
          description: "The first day, for example 2026-12-24; today if left out."
        })
      ),
      to: Schema.optionalKey(
        Schema.NullOr(CalendarDate).annotate({
          description: "The last day; the 14th of the period if left out."
        })
      ),
      account_id: Schema.optionalKey(
        Schema.NullOr(Schema.Int).annotate({ description: "Only posts to this account." })
      )
    }),
    output: Calendar,
    meta: shownInApp,
    text: asText,
    run: Effect.fnUntraced(function* ({ account_id, ...input }) {
      const { timezone } = yield* CurrentActor
      const zone = DateTime.zoneMakeNamedUnsafe(timezone)
      const first = yield* startOf(
        "from",
        input.from ?? DateTime.formatIsoDate(DateTime.setZone(yield* DateTime.now, zone)),
        zone
      )
      const last = input.to ? yield* startOf("to", input.to, zone) : DateTime.add(first, { days: 13 })
      const dates = daysBetween(first, last)
      if (dates.length === 0 || dates.length > longestDays) {
        return yield* problem(
          "invalid_request",
          `From ${DateTime.formatIsoDate(first)} to ${DateTime.formatIsoDate(last)} is not a period of 1 to ${longestDays} days; give a from that is not after to.`
        )
      }
      const end = DateTime.subtract(DateTime.toUtc(DateTime.add(last, { days: 1 })), { milliseconds: 1 })
      const found = yield* posts.list(
        {
          from: DateTime.toUtc(first),
          to: end,
          ...(account_id ? { social_account_id: [String(account_id)] } : {})
        },
        { limit: mostPosts, offset: 0 }
      )
      const slots = Result.match(yield* Effect.result(queue.free({ count: mostSlots })), {
        onFailure: () => [],
        onSuccess: ({ data }) => data.map(({ scheduled_at }) => DateTime.setZone(scheduled_at, zone))
      })
      const placed = found.data
        .map((post) => ({ post, at: DateTime.setZone(post.scheduled_at ?? post.created_at, zone) }))
        .toSorted((a, b) => a.at.epochMilliseconds - b.at.epochMilliseconds)
      const days = dates.map((date) => ({
        date,
        weekday: weekdayOf(date),
        posts: placed
          .filter(({ at }) => DateTime.formatIsoDate(at) === date)
          .map(({ post, at }) => ({
            id: post.id,
            time: clock(at),
            at: DateTime.toUtc(at),
            at_local: localTime(DateTime.toUtc(at), timezone),
            status: post.status,
            caption: post.caption,
            social_accounts: post.social_accounts,
            media_count: post.media.length
          })),
        free_slots: slots.filter((at) => DateTime.formatIsoDate(at) === date).map(clock)
      }))
      return {
        timezone,
        from: dates[0]!,
        to: dates.at(-1)!,
        days,
        empty_days: days.filter((day) => day.posts.length === 0).map(({ date }) => date),
        complete: found.data.length < mostPosts
      }
    })
  })

  return { listQueueSlots, showCalendar }
})

const startOf = Effect.fnUntraced(function* (argument: string, date: string, zone: DateTime.TimeZone) {
  const found = DateTime.makeZoned(date, { timeZone: zone, adjustForTimeZone: true })
  if (found._tag === "None" || DateTime.formatIsoDate(found.value) !== date) {
    return yield* problem("invalid_request", `${argument} is ${date}, which is not a date in the calendar.`)
  }
  return found.value
})

const daysBetween = (first: DateTime.Zoned, last: DateTime.Zoned): ReadonlyArray<string> => {
  const from = Date.parse(DateTime.formatIsoDate(first))
  const to = Date.parse(DateTime.formatIsoDate(last))
  const count = Math.min(longestDays + 1, (to - from) / 86_400_000 + 1)
  return Array.from({ length: Math.max(0, count) }, (_, index) =>
    new Date(from + index * 86_400_000).toISOString().slice(0, 10)
  )
}

const clock = (at: DateTime.Zoned) => DateTime.formatIsoOffset(at).slice(11, 16)

const weekdays = ["Sunday", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday"]
const weekdayOf = (date: string) => weekdays[new Date(date).getUTCDay()]!

const asText = ({ timezone, from, to, days, empty_days, complete }: typeof Calendar.Type): string =>
  [
    `Posts from ${from} to ${to}, times in ${timezone}:`,
    ...days
      .filter((day) => day.posts.length > 0 || day.free_slots.length > 0)
      .flatMap((day) => [
        `${day.weekday} ${day.date}`,
        ...day.posts.map(
          (post) =>
            `- ${post.time} (${DateTime.formatIso(post.at)}) ${post.status}: ${JSON.stringify(post.caption ?? "")}, ${post.media_count} media, accounts ${post.social_accounts.join(", ")}, id ${post.id}`
        ),
        ...(day.free_slots.length > 0 ? [`- free slots: ${day.free_slots.join(", ")}`] : [])
      ]),
    empty_days.length > 0 ? `Days without a post: ${empty_days.join(", ")}` : "Every day has a post.",
    ...(complete ? [] : ["There are more posts than shown; ask for fewer days."])
  ].join("\n")
