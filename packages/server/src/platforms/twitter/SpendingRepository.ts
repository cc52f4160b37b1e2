import type { PostId, PricedCall } from "@carillon/domain"
import { Context, DateTime, Effect, Layer, Option, Schema } from "effect"
import { SqlClient, SqlSchema } from "effect/sql"
import { Instant, Int8 } from "../../sql/Rows.ts"

/** A calendar month in UTC, from its first instant to that of the next. */
export interface Month {
  readonly from: DateTime.Utc
  readonly to: DateTime.Utc
}

export const monthOf = (at: DateTime.Utc): Month => {
  const from = DateTime.startOf(at, "month")
  return { from, to: DateTime.add(from, { months: 1 }) }
}

export interface Charge {
  readonly month: Month
  readonly call: PricedCall
  readonly count: number
  readonly cost: number
}

const Sums = Schema.Struct({
  spent: Int8,
  scheduled: Int8,
  /** Of the post that is planned anew. */
  before: Int8,
  refused_at: Schema.NullOr(Instant),
  refusal: Schema.NullOr(Schema.String)
})
const Period = Schema.Struct({
  month: Schema.String,
  from: Schema.NullOr(Instant),
  to: Instant,
  except: Schema.NullOr(Schema.String)
})

/** The ledger of what X charges, a row for each month. Amounts are millionths of a US dollar. */
export class SpendingRepository extends Context.Service<SpendingRepository>()(
  "@carillon/server/platforms/twitter/SpendingRepository",
  {
    make: Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const dayOf = ({ from }: Month) => DateTime.formatIsoDate(from)

      /** False when that would pass the limit; then nothing is counted. */
      const take = Effect.fn("SpendingRepository.take")(function* (
        { call, cost, count, month }: Charge,
        limit: number | null
      ) {
        const column = sql.literal(call)
        const rows = yield* sql`
          insert into twitter_spending as s (month, spent, ${column})
          select ${dayOf(month)}::date, ${cost}::bigint, ${count}::int
          where ${limit}::bigint is null or ${cost}::bigint <= ${limit}::bigint
          on conflict (month) do update set spent = s.spent + excluded.spent, ${column} = s.${column} + excluded.${column}
            where ${limit}::bigint is null or s.spent + excluded.spent <= ${limit}::bigint
          returning month`
        return rows.length > 0
      }, Effect.orDie)

      const giveBack = Effect.fn("SpendingRepository.giveBack")(function* ({
        call,
        cost,
        count,
        month
      }: Charge) {
        const column = sql.literal(call)
        yield* sql`
          update twitter_spending set spent = spent - ${cost}::bigint, ${column} = ${column} - ${count}::int
          where month = ${dayOf(month)}::date`
      }, Effect.orDie)

      /** Nobody else plans posts of the month until the transaction ends. */
      const lock = Effect.fn("SpendingRepository.lock")(function* (month: Month) {
        yield* sql`insert into twitter_spending (month) values (${dayOf(month)}::date) on conflict do nothing`
        yield* sql`select from twitter_spending where month = ${dayOf(month)}::date for update`
      }, Effect.orDie)

      // What is committing has been counted.
      const open = sql.literal(
        "t.platform = 'twitter' and t.cost is not null and t.stage = 'open' and t.state <> 'committing'"
      )

      // The items of a thread that are live have been counted.
      const cost = sql.literal(
        "case when t.item_count > 1 then t.cost * (t.item_count - jsonb_array_length(t.items)) / t.item_count else t.cost end"
      )

      const sums = SqlSchema.findOne({
        Request: Period,
        Result: Sums,
        execute: ({ except, from, month, to }) => sql`
          select coalesce(s.spent, 0)::bigint as spent, s.refused_at, s.refusal, planned.*
          from (
            select coalesce(sum(${cost}) filter (where t.post_id is distinct from ${except}::uuid), 0)::bigint as scheduled,
              coalesce(sum(${cost}) filter (where t.post_id = ${except}::uuid), 0)::bigint as before
            from targets t
            where ${open} and t.due_at < ${to} and (${from}::timestamptz is null or t.due_at >= ${from}::timestamptz)
          ) planned left join twitter_spending s on s.month = ${month}::date`
      })

      /** When the first of the posts is due that cost more together than what is left. */
      const firstBeyond = SqlSchema.findOneOption({
        Request: Schema.Struct({ from: Schema.NullOr(Instant), to: Instant, left: Schema.Int }),
        Result: Schema.Struct({ due_at: Instant }),
        execute: ({ from, left, to }) => sql`
          select due_at from (
            select t.due_at, sum(${cost}) over (order by t.due_at, t.id) as until_then from targets t
            where ${open} and t.due_at < ${to} and (${from}::timestamptz is null or t.due_at >= ${from}::timestamptz)) due
          where until_then > ${left}::bigint order by due_at limit 1`
      })

      /** True if it was not known before. */
      const refuse = Effect.fn("SpendingRepository.refuse")(function* (
        month: Month,
        at: DateTime.Utc,
        refusal: string
      ) {
        const rows = yield* sql`
          insert into twitter_spending as s (month, refused_at, refusal)
          values (${dayOf(month)}::date, ${DateTime.toDateUtc(at)}, ${refusal})
          on conflict (month) do update set refused_at = excluded.refused_at, refusal = excluded.refusal
            where s.refused_at is null
          returning month`
        return rows.length > 0
      }, Effect.orDie)

      const accept = (month: Month) =>
        Effect.orDie(
          sql`
            update twitter_spending set refused_at = null, refusal = null
            where month = ${dayOf(month)}::date and refused_at is not null`
        )

      return {
        take,
        giveBack,
        lock,
        refuse,
        accept,
        /** Of this month, what is overdue counts too. `except`: a post that is planned anew. */
        sums: (month: Month, now: DateTime.Utc, except: PostId | null = null) =>
          Effect.orDie(
            sums({
              month: dayOf(month),
              from: DateTime.isLessThanOrEqualTo(month.from, now) ? null : month.from,
              to: month.to,
              except
            })
          ),
        firstBeyond: (from: DateTime.Utc | null, to: DateTime.Utc, left: number) =>
          Effect.map(
            Effect.orDie(firstBeyond({ from, to, left })),
            Option.map(({ due_at }) => due_at)
          )
      }
    })
  }
) {
  static readonly layer = Layer.effect(this, this.make)
}
