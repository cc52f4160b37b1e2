import { PlatformData, PlatformId, PostId, type PostReview, TargetId, WorkspaceId } from "@carillon/domain"
import { PgClient } from "@effect/sql-pg"
import { Context, DateTime, Effect, Layer, Schema } from "effect"
import { SqlSchema } from "effect/sql"
import { inReview } from "../platforms/Platform.ts"
import { Instant, Int8 } from "../sql/Rows.ts"

const ReviewRow = Schema.Struct({
  id: TargetId,
  post_id: PostId,
  workspace_id: WorkspaceId,
  social_account_id: Int8,
  platform: PlatformId,
  platform_data: PlatformData,
  published_at: Instant,
  remote_id: Schema.String,
  /** Until when this process has it, which nobody else writes: it tells whether it still does. */
  review_at: Instant
})
/** A published target whose review a process asks for. */
export interface ReviewRow extends Schema.Schema.Type<typeof ReviewRow> {}

/** What a review found, as `platform_data` keeps it. */
export interface Finding {
  readonly review: PostReview
  readonly review_reason?: string | null
}

export class ReviewRepository extends Context.Service<ReviewRepository>()(
  "@carillon/server/posts/ReviewRepository",
  {
    make: Effect.gen(function* () {
      const sql = yield* PgClient.PgClient

      const take = SqlSchema.findAll({
        Request: Schema.Struct({ now: Instant, until: Instant, limit: Schema.Int }),
        Result: ReviewRow,
        // While a thread or a comment goes on, its target is not published: the engine writes `platform_data` then.
        execute: ({ limit, now, until }) => sql`
          with due as materialized (
            select t.id from targets t where t.review_at <= ${now} and t.state = 'published'
            order by t.review_at limit ${limit} for no key update skip locked
          )
          update targets t set review_at = ${until} from social_accounts a
          where t.id = any (array(select id from due)) and a.id = t.social_account_id
          returning t.id, t.post_id, t.workspace_id, t.social_account_id, t.platform, t.platform_data, t.published_at, a.remote_id,
            t.review_at`
      })

      const date = (at: DateTime.Utc | null) => (at === null ? null : DateTime.toDateUtc(at))

      const held = ({ id, review_at }: ReviewRow) =>
        sql`id = ${id} and review_at = ${DateTime.toDateUtc(review_at)} and state = 'published'`

      const putOff = (row: ReviewRow, at: DateTime.Utc | null) =>
        sql`update targets set review_at = ${date(at)} where ${held(row)}`

      const keep = Effect.fnUntraced(function* (row: ReviewRow, finding: Finding, at: DateTime.Utc | null) {
        const data = finding.review === "pending" ? sql`platform_data` : reviewOver
        // A new failure is told although an earlier one was dismissed: the fence says that it is another.
        const rows = yield* sql`
          update targets set review_at = ${date(at)}, platform_data = ${data} || ${sql.json(finding)}::jsonb,
            fence = fence + ${finding.review === "rejected" ? 1 : 0}
          where ${held(row)} returning id`
        return rows.length > 0
      })

      const reviewOver = sql`coalesce(
        jsonb_set(platform_data, '{warnings}', nullif((platform_data -> 'warnings') - ${inReview}::text, '[]'::jsonb)),
        platform_data - 'warnings'
      )`

      return {
        /** Takes what is due until that time, for one process at a time. */
        take: (now: DateTime.Utc, until: DateTime.Utc, limit: number) =>
          Effect.orDie(take({ now, until, limit })),
        /** The next question is at that time; null: there is none. Nothing happens where the row is not held any more. */
        putOff: (row: ReviewRow, at: DateTime.Utc | null) => Effect.orDie(putOff(row, at)),
        /** The same with what was found, and without `inReview` when that is over; false: the row is not held any more. */
        keep: (row: ReviewRow, finding: Finding, at: DateTime.Utc | null) =>
          Effect.orDie(keep(row, finding, at))
      }
    })
  }
) {
  static readonly layer = Layer.effect(this, this.make)
}
