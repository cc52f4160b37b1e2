import {
  badRequest,
  type BadRequest,
  type Calendar,
  calendarCountedTo,
  type CalendarFilter,
  type CalendarPost,
  type CalendarProgress,
  CurrentActor,
  dateAfter,
  daysOfZone,
  mostCalendarDays,
  mostOfADay,
  type Progress,
  SocialAccountId,
  sees,
  usualCalendarDays,
  usualPerDay
} from "@carillon/domain"
import { Context, DateTime, Effect, Layer, Record } from "effect"
import { SignedUrls } from "../media/files/SignedUrls.ts"
import { thumbnailUrl } from "../media/images/Thumbnails.ts"
import { VideoFrames } from "../media/videos/VideoFrames.ts"
import { BlobStoreLayer } from "../media/files/BlobStoreLayer.ts"
import { Queue } from "../queue/Queue.ts"
import { type CalendarRow, CalendarRepository } from "./CalendarRepository.ts"
import { toApproval } from "./PostView.ts"

const withoutZeros = ({ total, ...counts }: Progress): CalendarProgress => ({
  total,
  ...Record.filter<string, number>(counts, (count) => count > 0)
})

/** The days of the plan: what goes out when, what is left of it, and what is free. */
export class PostCalendar extends Context.Service<
  PostCalendar,
  { show(filter: CalendarFilter): Effect.Effect<Calendar, BadRequest, CurrentActor> }
>()("@carillon/server/posts/PostCalendar") {
  static readonly layer = Layer.effect(
    PostCalendar,
    Effect.gen(function* () {
      const repository = yield* CalendarRepository
      const queue = yield* Queue
      const urls = yield* SignedUrls
      const frames = yield* VideoFrames

      const show = Effect.fn("PostCalendar.show")(function* (filter: CalendarFilter) {
        const { workspace_id, social_accounts: access, timezone: own } = yield* CurrentActor
        const timezone = filter.timezone ?? own
        const zone = DateTime.zoneMakeNamedUnsafe(timezone)
        const now = yield* DateTime.now
        const from = filter.from ?? DateTime.formatIsoDate(DateTime.setZone(now, zone))
        const to = filter.to ?? dateAfter(from, usualCalendarDays - 1)
        const days = daysOfZone(from, to, zone)
        if (days.length === 0 || days.length > mostCalendarDays) {
          return yield* badRequest([
            {
              path: "to",
              code: "invalid_value",
              message:
                days.length === 0
                  ? `to is ${to}, before from, which is ${from}; give the same day or a later one.`
                  : `From ${from} to ${to} is more than ${mostCalendarDays} days, which is the limit; give an earlier to.`
            }
          ])
        }
        const perDay = Math.min(filter.per_day ?? usualPerDay, mostOfADay)
        const counted = yield* repository.days(workspace_id, access, filter, days, perDay)
        const free = DateTime.isLessThan(days.at(-1)!.stop, now) ? [] : yield* queue.allFree
        const clock = (at: DateTime.Utc) => DateTime.formatIsoOffset(DateTime.setZone(at, zone)).slice(11, 16)
        const toRow = Effect.fnUntraced(function* ({
          version,
          approval,
          social_accounts,
          blocked_by,
          queue_slot,
          cover,
          progress,
          thread_count,
          ...row
        }: CalendarRow): Effect.fn.Return<CalendarPost> {
          const thumbnail_url = cover === null ? null : yield* thumbnailUrl(urls, frames, cover)
          return {
            ...row,
            version: String(version),
            local: clock(row.at),
            social_accounts: social_accounts
              .filter((id) => sees(id, access))
              .map((id) => SocialAccountId.make(id)),
            progress: withoutZeros(progress),
            ...(blocked_by === null ? {} : { blocked_by: SocialAccountId.make(blocked_by) }),
            ...(thumbnail_url === null ? {} : { thumbnail_url }),
            ...(queue_slot === null ? {} : { queue_slot }),
            ...(thread_count === 0 ? {} : { thread_count }),
            ...(approval === null ? {} : { approval: toApproval(approval) })
          }
        })
        const posts = yield* Effect.forEach(counted, ({ rows }) => Effect.forEach(rows, toRow))
        return {
          timezone,
          days: days.map(({ date, start, stop }, index) => {
            const { total, rows: _, ...by_status } = counted[index]!
            const isOfDay = (at: DateTime.Utc) =>
              DateTime.isGreaterThanOrEqualTo(at, start) && DateTime.isLessThan(at, stop)
            return {
              date,
              total: Math.min(total, calendarCountedTo),
              total_relation: total > calendarCountedTo ? ("at_least" as const) : ("exact" as const),
              by_status,
              free_slots: free.filter(isOfDay).slice(0, mostOfADay).map(clock),
              posts: posts[index]!
            }
          })
        }
      })

      return PostCalendar.of({ show })
    })
  ).pipe(
    Layer.provide([
      CalendarRepository.layer,
      SignedUrls.layer,
      VideoFrames.layerNoDeps.pipe(Layer.provide(BlobStoreLayer))
    ])
  )
}
