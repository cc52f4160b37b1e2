import {
  CalendarDate,
  CalendarDay,
  CalendarPost,
  FreeSlot,
  mostCalendarDays,
  mostOfADay,
  PostId,
  PostStatus,
  PostSummary,
  Timestamp,
  usualCalendarDays
} from "@carillon/domain"
import { DateTime, Effect, Schema } from "effect"
import { PostCalendar } from "../../posts/PostCalendar.ts"
import { Queue } from "../../queue/Queue.ts"
import { shownInApp } from "../app/App.ts"
import { mcpTool } from "../McpTool.ts"
import { LocalTime, localTime } from "./LocalTime.ts"

/** A calendar has about this many posts, and says when there are more. */
const mostPosts = 200
const leastPerDay = 6
const mostSlots = 200

const ToolCalendar = Schema.Struct({
  timezone: Schema.String,
  from: Schema.String,
  to: Schema.String,
  days: Schema.Array(
    Schema.Struct({
      date: Schema.String,
      weekday: Schema.String,
      total: CalendarDay.fields.total,
      posts: Schema.Array(
        Schema.Struct({
          id: PostId,
          time: Schema.String.annotate({ description: "HH:MM in the time zone." }),
          at: Timestamp,
          at_local: LocalTime,
          status: PostStatus,
          caption: Schema.NullOr(Schema.String).annotate({ description: "Its first 120 characters." }),
          social_accounts: PostSummary.fields.social_accounts,
          media_count: Schema.Int,
          blocked_by: CalendarPost.fields.blocked_by
        })
      ).check(Schema.isMaxLength(mostOfADay)),
      free_slots: CalendarDay.fields.free_slots
    })
  ).check(Schema.isMaxLength(mostCalendarDays)),
  empty_days: Schema.Array(Schema.String)
    .check(Schema.isMaxLength(mostCalendarDays))
    .annotate({ description: "Days of the period without any post." }),
  complete: Schema.Boolean.annotate({
    description: "false: some day has more posts than shown, `total`; ask for fewer days."
  })
})

/** The days of the plan, and the queue's times. */
export const makeCalendarTools = Effect.gen(function* () {
  const calendar = yield* PostCalendar
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
    output: ToolCalendar,
    meta: shownInApp,
    text: asText,
    run: Effect.fnUntraced(function* ({ account_id, from, to }) {
      const period = { ...(from ? { from } : {}), ...(to ? { to } : {}) }
      const accounts = account_id ? { social_account_id: [String(account_id)] } : {}
      const length = from && to ? (Date.parse(to) - Date.parse(from)) / 86_400_000 + 1 : usualCalendarDays
      const per_day = Math.max(leastPerDay, Math.floor(mostPosts / length))
      const shown = yield* calendar.show({ ...period, ...accounts, per_day })
      return {
        timezone: shown.timezone,
        from: shown.days[0]!.date,
        to: shown.days.at(-1)!.date,
        days: shown.days.map(({ date, total, posts, free_slots }) => ({
          date,
          weekday: weekdayOf(date),
          total,
          posts: posts.map(
            ({ id, local, at, status, excerpt, social_accounts, media_count, blocked_by }) => ({
              id,
              time: local,
              at,
              at_local: localTime(at, shown.timezone),
              status,
              caption: excerpt,
              social_accounts,
              media_count,
              ...(blocked_by === undefined ? {} : { blocked_by })
            })
          ),
          free_slots
        })),
        empty_days: shown.days.filter(({ total }) => total === 0).map(({ date }) => date),
        complete: shown.days.every(({ total, posts }) => posts.length === total)
      }
    })
  })

  return { listQueueSlots, showCalendar }
})

const weekdays = ["Sunday", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday"]
const weekdayOf = (date: string) => weekdays[new Date(date).getUTCDay()]!

const asText = ({ timezone, from, to, days, empty_days, complete }: typeof ToolCalendar.Type): string =>
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
