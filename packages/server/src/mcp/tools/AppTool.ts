import {
  CalendarDay,
  CalendarPost,
  CurrentActor,
  isHeld,
  Media,
  PostSummary,
  problem,
  SocialAccount,
  SocialAccountId
} from "@carillon/domain"
import { Effect, Schema, Struct } from "effect"
import { SocialAccounts } from "../../accounts/SocialAccounts.ts"
import { AppConfig } from "../../AppConfig.ts"
import { PostCalendar } from "../../posts/PostCalendar.ts"
import { requireAccounts } from "../../posts/PostAccess.ts"
import { newContent as newContentOf } from "../../posts/PostContent.ts"
import { Posts } from "../../posts/Posts.ts"
import { makeResolvedPost } from "../../posts/ResolvedPost.ts"
import { calledByApp } from "../app/App.ts"
import { mcpTool } from "../McpTool.ts"
import { fitted, thatFit } from "./AnswerSize.ts"
import { accountFilter, calendarArguments, calendarFilter } from "./CalendarTools.ts"
import { zoneOf } from "./LocalTime.ts"
import { nextPage } from "./Paging.ts"
import { newContent } from "./PostArguments.ts"

const Item = Schema.Struct({ caption: Schema.String, media: Schema.Array(Schema.String) })

/** One thing that the page draws, so that a page of the answer can end after each. */
const Row = Schema.Struct({
  account: Schema.optionalKey(SocialAccount),
  media: Schema.optionalKey(Media),
  day: Schema.optionalKey(CalendarDay.mapFields(Struct.omit(["posts"]))),
  /** It is of the day before it. */
  post: Schema.optionalKey(CalendarPost),
  /** A draft without a time. */
  undated: Schema.optionalKey(PostSummary),
  /** What an account gets. */
  preview: Schema.optionalKey(
    Schema.Struct({
      ...Item.fields,
      account_id: SocialAccountId,
      options: Schema.Record(Schema.String, Schema.Unknown),
      facts: Schema.Struct({
        placement: Schema.String,
        text_only: Schema.Boolean,
        has_content_options: Schema.Boolean,
        takes_text: Schema.Boolean,
        takes_images: Schema.Boolean
      })
    })
  ),
  /** It follows the preview before it in a thread. */
  following: Schema.optionalKey(Item)
}).annotate({ identifier: "ToolAppRow" })
type Row = typeof Row.Type

/** A call has some 300 rows at most, and those of a thread. */
const mostRows = 6_000
const mostUndated = 20
/** What stands beside the rows takes the rest. */
const mostOfRows = 5_500

/** What the page for hosts draws a calendar and a preview from. */
export const makeAppTool = Effect.gen(function* () {
  const { publicUrl } = yield* AppConfig
  const accounts = yield* SocialAccounts
  const calendar = yield* PostCalendar
  const posts = yield* Posts
  const resolve = yield* makeResolvedPost

  const calendarRows = Effect.fnUntraced(function* (asked: Schema.Struct.Type<typeof calendarArguments>) {
    const { days, timezone } = yield* calendar.show(calendarFilter(asked))
    const drafts = yield* posts.list(
      { undated: true, ...accountFilter(asked.account_id) },
      { limit: mostUndated, offset: 0 }
    )
    const shown = [...days.flatMap(({ posts }) => posts), ...drafts.data]
    const ids = new Set(shown.flatMap((post) => post.social_accounts))
    const rows: ReadonlyArray<Row> = [
      ...(yield* accounts.shown([...ids])).map((account) => ({ account })),
      ...days.flatMap(({ posts, ...day }) => [{ day }, ...posts.map((post) => ({ post }))]),
      ...drafts.data.map((undated) => ({ undated }))
    ]
    return { timezone, rows, undated_total: drafts.total }
  })

  const previewRows = Effect.fnUntraced(function* (request: Schema.Struct.Type<typeof newContent>) {
    const actor = yield* CurrentActor
    yield* requireAccounts(request.social_accounts)
    const { accounts, media, previews } = yield* resolve(newContentOf(request, request.media ?? []))
    const rows: ReadonlyArray<Row> = [
      ...media.map((item) => ({ media: item })),
      ...previews.flatMap(({ preview, following }, index) => [
        { account: accounts[index]!.account },
        { preview },
        ...following.map((item) => ({ following: item }))
      ])
    ]
    return { timezone: zoneOf(request, actor.timezone), rows }
  })

  return mcpTool({
    name: "get_app_data",
    title: "Get the app's data",
    description: "For the page in which a host draws show_calendar and preview_post; not for the model.",
    hints: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false },
    scope: "posts:read",
    input: Schema.Struct({
      calendar: Schema.optionalKey(
        Schema.NullOr(Schema.Struct(calendarArguments).annotate({ identifier: "ToolShownDays" }))
      ).annotate({ description: "The arguments of show_calendar." }),
      post: Schema.optionalKey(
        Schema.NullOr(Schema.Struct(newContent).annotate({ identifier: "ToolShownContent" }))
      ).annotate({ description: "The arguments of preview_post." }),
      offset: nextPage
    }),
    output: Schema.Struct({
      rows: Schema.Array(Row).check(Schema.isMaxLength(mostRows)),
      next_offset: Schema.NullOr(Schema.Int),
      timezone: Schema.String,
      /** Of a calendar: how many drafts have no time. */
      undated_total: Schema.optionalKey(Schema.Int),
      /** A person publishes what the app makes. */
      needs_approval: Schema.Boolean,
      public_url: Schema.String
    }),
    meta: calledByApp,
    text: ({ rows }) => `${rows.length} rows for the page.`,
    run: Effect.fnUntraced(function* ({ calendar, post, offset }) {
      if ((calendar ?? null) === null ? (post ?? null) === null : (post ?? null) !== null) {
        return yield* problem("invalid_request", "Give calendar or post, exactly one of the two.")
      }
      const { rows, ...beside } = yield* calendar ? calendarRows(calendar) : previewRows(post!)
      const start = offset ?? 0
      // One that is too long by itself has a text beyond the limits of nearly every network, and is cut.
      const page = thatFit(
        rows.slice(start).map((row) => fitted(row)),
        mostOfRows
      )
      const next = start + page.length
      return {
        rows: page,
        next_offset: next < rows.length ? next : null,
        ...beside,
        needs_approval: isHeld(yield* CurrentActor),
        public_url: publicUrl
      }
    })
  })
})
