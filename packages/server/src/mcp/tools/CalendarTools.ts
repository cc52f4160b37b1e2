import {
  CalendarDate,
  CalendarDay,
  type CalendarFilter,
  type CalendarPost,
  FreeSlot,
  mostCalendarDays,
  mostOfADay,
  PostId,
  PostStatus,
  quoted,
  TimeZoneName,
  usualCalendarDays,
  truncate
} from "@carillon/domain"
import { Effect, Schema } from "effect"
import { PostCalendar } from "../../posts/PostCalendar.ts"
import { Posts } from "../../posts/Posts.ts"
import { Queue } from "../../queue/Queue.ts"
import { shownInApp } from "../app/App.ts"
import { mcpTool } from "../McpTool.ts"
import { isLong } from "./AnswerSize.ts"
import { kind, makePostAnswers, mostTrouble, namesOf, textAlone } from "./ToolPost.ts"

/** So many are looked through, and as many days' first posts shown as a model's context has room for. */
const mostPosts = 200
const leastPerDay = 6
const mostSlots = 200
const captionInCalendar = 100
const mostNames = 5
const mostUndated = 5

const ShownPost = Schema.Struct({
  id: PostId,
  time: Schema.String.annotate({ description: "HH:MM in the time zone." }),
  status: PostStatus,
  caption: Schema.NullOr(Schema.String),
  accounts: Schema.Array(Schema.String).check(Schema.isMaxLength(mostNames + 1)),
  kind: Schema.optionalKey(kind),
  trouble: Schema.optionalKey(
    Schema.Array(Schema.String).check(Schema.isMaxLength(mostTrouble + 1))
  ).annotate({
    description: "What failed or is unconfirmed on which account, and why."
  })
}).annotate({ identifier: "ToolShownPost" })

const { id, caption, accounts } = ShownPost.fields
const Undated = Schema.Struct({
  total: Schema.Int,
  posts: Schema.Array(Schema.Struct({ id, caption, accounts })).check(Schema.isMaxLength(mostUndated))
}).annotate({ description: "Drafts without a time, the newest." })

const ToolCalendar = Schema.Struct({
  timezone: Schema.String,
  from: Schema.String,
  to: Schema.String,
  days: Schema.Array(
    Schema.Struct({
      date: Schema.String,
      weekday: Schema.String,
      total: CalendarDay.fields.total,
      posts: Schema.Array(ShownPost).check(Schema.isMaxLength(mostOfADay)),
      free_slots: Schema.optionalKey(CalendarDay.fields.free_slots)
    })
  ).check(Schema.isMaxLength(mostCalendarDays)),
  undated: Schema.optionalKey(Undated),
  complete: Schema.Boolean.annotate({
    description: "false: some day has more posts than shown, `total`; ask for fewer days."
  })
})

/** The days of a plan that a call asks for, and whose posts. */
export const calendarArguments = {
  from: Schema.optionalKey(
    Schema.NullOr(CalendarDate).annotate({ description: "The first day, YYYY-MM-DD; today if left out." })
  ),
  to: Schema.optionalKey(
    Schema.NullOr(CalendarDate).annotate({
      description: `The last day, YYYY-MM-DD, at most ${mostCalendarDays} days in all; ${usualCalendarDays} days from the first if left out.`
    })
  ),
  timezone: Schema.optionalKey(
    Schema.NullOr(TimeZoneName).annotate({
      description: "Whose days and times these are, such as Europe/Berlin; else the profile's zone."
    })
  ),
  account_id: Schema.optionalKey(
    Schema.NullOr(Schema.Int).annotate({ description: "Only posts to this account." })
  )
}

export const accountFilter = (account_id: number | null | undefined) =>
  account_id ? { social_account_id: [String(account_id)] } : {}

/** The filter of the calendar, for as many posts of each day as are looked through. */
export const calendarFilter = ({
  account_id,
  from,
  to,
  timezone
}: Schema.Struct.Type<typeof calendarArguments>): CalendarFilter => {
  const length = from && to ? (Date.parse(to) - Date.parse(from)) / 86_400_000 + 1 : usualCalendarDays
  return {
    ...(from ? { from } : {}),
    ...(to ? { to } : {}),
    ...(timezone ? { timezone } : {}),
    ...accountFilter(account_id),
    per_day: Math.max(leastPerDay, Math.floor(mostPosts / length))
  }
}

/** The days of the plan, and the queue's times. */
export const makeCalendarTools = Effect.gen(function* () {
  const calendar = yield* PostCalendar
  const queue = yield* Queue
  const posts = yield* Posts
  const answers = yield* makePostAnswers

  const listQueueSlots = mcpTool({
    name: "list_queue_slots",
    title: "List free queue slots",
    description:
      "List the next free slots of the user's queue, which are the times at which posts with use_queue: true go out, one each. Use it to " +
      "say when a post would go out, or to choose times. It reserves no slot: create_post with use_queue: true takes the first by " +
      "itself. Without a queue the answer says where the user sets one up.",
    hints: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false },
    scope: "posts:read",
    input: Schema.Struct({
      count: Schema.optionalKey(
        Schema.NullOr(Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: 100 }))).annotate({
          description: "How many, 1 to 100; 10 if left out."
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
      "Show the posts of a period day by day: time, status, accounts by name, the first 100 characters of the caption, what failed " +
      "where and why, the free slots of the queue, and the newest drafts without a time (undated). Of a day too full to show, total counts all, " +
      "those in trouble are kept (one that is tried again may not be), and complete is false: ask for fewer days. Use it to see what is scheduled or was published, and " +
      "to find gaps. To search use list_posts; for links and whole texts get_post.",
    hints: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false },
    scope: "posts:read",
    input: Schema.Struct(calendarArguments),
    output: ToolCalendar,
    meta: shownInApp,
    text: asText,
    run: Effect.fnUntraced(function* (input) {
      const page = yield* calendar.show(calendarFilter(input))
      const { timezone: zone, days } = page
      const all = days.flatMap(({ posts }) => posts)
      const ids = [...new Set(all.flatMap((post) => post.social_accounts))]
      const drafts = yield* posts.list(
        { undated: true, ...accountFilter(input.account_id) },
        { limit: mostUndated, offset: 0 }
      )
      const nameOf = yield* answers.accountNames([
        ...new Set([...ids, ...drafts.data.flatMap((post) => post.social_accounts)])
      ])
      const troubleOf = yield* answers.troubleOf(all, nameOf)
      const contents = new Map(
        (yield* posts.contents(all.map((post) => post.id))).map((content) => [content.id, content])
      )
      const shownContent = ({ id, social_accounts }: CalendarPost) => ({
        ...contents.get(id)!,
        social_accounts
      })
      const kindOf = yield* answers.kindsOf(all.filter(({ id }) => contents.has(id)).map(shownContent))
      const shownPost = (post: CalendarPost) => {
        const { id, local, status, excerpt, social_accounts: ids } = post
        const { trouble = [] } = troubleOf(post)
        // It may have been deleted in the meantime.
        const what = contents.has(id) ? kindOf(shownContent(post)) : textAlone
        return {
          id,
          time: local,
          status,
          caption: excerpt === null ? null : truncate(excerpt, captionInCalendar),
          accounts: namesOf(ids, nameOf, mostNames),
          ...(what === textAlone ? {} : { kind: what }),
          ...(trouble.length === 0
            ? {}
            : {
                trouble: trouble.map(
                  ({ account, status, why, where }) =>
                    `${account}: ${status}, ${quoted(truncate(why, 100))}${where === undefined ? "" : ` (${where})`}`
                )
              })
        }
      }
      /** The first of a day, after what has trouble, by the clock. */
      const kept = (posts: ReadonlyArray<CalendarPost>, most: number) => {
        const hasTrouble = (post: CalendarPost) => Number(troubleOf(post).trouble !== undefined)
        const chosen = new Set(
          posts.toSorted((one, other) => hasTrouble(other) - hasTrouble(one)).slice(0, most)
        )
        return posts.filter((post) => chosen.has(post))
      }
      const shownDays = (perDay: number) =>
        days.map(({ date, total, posts, free_slots }) => ({
          date,
          weekday: weekdayOf(date),
          total,
          posts: kept(posts, perDay).map(shownPost),
          ...(free_slots.length === 0 ? {} : { free_slots })
        }))
      const undated = {
        total: drafts.total,
        posts: drafts.data.map(({ id, caption, social_accounts }) => ({
          id,
          caption: caption === null ? null : truncate(caption, captionInCalendar),
          accounts: namesOf(social_accounts, nameOf, mostNames)
        }))
      }
      let perDay = Math.max(...days.map(({ posts }) => posts.length))
      while (perDay > 1 && isLong([shownDays(perDay), undated])) perDay--
      const shown = shownDays(perDay)
      return {
        timezone: zone,
        from: shown[0]!.date,
        to: shown.at(-1)!.date,
        days: shown,
        ...(drafts.total === 0 ? {} : { undated }),
        complete: shown.every(({ total, posts }) => posts.length === total)
      }
    })
  })

  return { listQueueSlots, showCalendar }
})

const weekdays = ["Sunday", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday"]
const weekdayOf = (date: string) => weekdays[new Date(date).getUTCDay()]!

const asText = ({ timezone, from, to, days, undated, complete }: typeof ToolCalendar.Type): string => {
  const empty = days.filter(({ total }) => total === 0).map(({ date }) => date)
  return [
    `Posts from ${from} to ${to}, times in ${timezone}:`,
    ...days
      .filter(({ posts, free_slots }) => posts.length > 0 || free_slots !== undefined)
      .flatMap(({ date, weekday, total, posts, free_slots }) => [
        `${weekday} ${date}${total > posts.length ? `, ${posts.length} of ${total}` : ""}`,
        ...posts.map(
          ({ id, time, status, caption, accounts, kind = textAlone, trouble = [] }) =>
            `- ${time} ${status}: ${quoted(caption ?? "")}, ${kind}, ${accounts.join(", ")}, id ${id}` +
            trouble.map((one) => `\n  ! ${one}`).join("")
        ),
        ...(free_slots === undefined ? [] : [`- free slots: ${free_slots.join(", ")}`])
      ]),
    ...(undated === undefined
      ? []
      : [
          `Drafts without a time, ${undated.posts.length} of ${undated.total}${undated.total > undated.posts.length ? "; list_posts with undated: true has all" : ""}`,
          ...undated.posts.map(
            ({ id, caption, accounts }) => `- ${quoted(caption ?? "")}, ${accounts.join(", ")}, id ${id}`
          )
        ]),
    empty.length > 0 ? `Days without a post: ${empty.join(", ")}` : "Every day has a post.",
    ...(complete ? [] : ["There are more posts than shown; ask for fewer days."])
  ].join("\n")
}
