import { Context, DateTime, Effect, Layer, Schema } from "effect"
import { SqlClient, SqlSchema } from "effect/sql"
import { Instant, Int8, int8s } from "../sql/Rows.ts"

const Activity = Schema.Struct({
  social_account_id: Int8,
  /** Posts that have still to go out, those that wait for the account included. */
  planned: Schema.Int,
  published_30d: Schema.Int,
  last_published_at: Schema.NullOr(Instant)
})
export interface AccountActivity extends Omit<typeof Activity.Type, "social_account_id"> {}

/** How much is published to accounts. */
export class AccountActivities extends Context.Service<
  AccountActivities,
  { of(accounts: ReadonlyArray<number>): Effect.Effect<ReadonlyMap<number, AccountActivity>> }
>()("@carillon/server/posts/AccountActivities") {
  static readonly layer = Layer.effect(
    AccountActivities,
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient

      const find = SqlSchema.findAll({
        Request: Schema.Struct({ accounts: Schema.Array(Schema.Int), since: Instant }),
        Result: Activity,
        execute: ({ accounts, since }) => sql`
          select a.social_account_id,
            (select count(*)::int from targets t
              where t.social_account_id = a.social_account_id and num_nonnulls(t.next_step_at) = 1) as planned,
            (select count(*)::int from targets t
              where t.social_account_id = a.social_account_id and t.published_at > ${since}) as published_30d,
            (select max(t.published_at) from targets t
              where t.social_account_id = a.social_account_id and t.published_at is not null) as last_published_at
          from unnest(${int8s(accounts)}::bigint[]) a (social_account_id)`
      })

      return AccountActivities.of({
        of: Effect.fn("AccountActivities.of")(function* (accounts: ReadonlyArray<number>) {
          const since = DateTime.subtract(yield* DateTime.now, { days: 30 })
          const rows = yield* find({ accounts, since })
          return new Map(rows.map(({ social_account_id, ...activity }) => [social_account_id, activity]))
        }, Effect.orDie)
      })
    })
  )
}
