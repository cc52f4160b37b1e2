import { Context, Effect, Layer, Option, Schema } from "effect"
import { SqlClient, SqlSchema } from "effect/sql"

const Use = Schema.Struct({
  app: Schema.String,
  bucket: Schema.String,
  /** `2026-11-21`. */
  day: Schema.String,
  cost: Schema.Int,
  limit: Schema.Int
})

export class QuotaRepository extends Context.Service<QuotaRepository>()(
  "@carillon/server/platforms/youtube/QuotaRepository",
  {
    make: Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient

      const take = SqlSchema.findOneOption({
        Request: Use,
        Result: Schema.Struct({ used: Schema.Int }),
        execute: ({ app, bucket, day, cost, limit }) => sql`
          insert into platform_quotas as q (app, bucket, day, used)
          select ${app}, ${bucket}, ${day}::date, ${cost}::int where ${cost}::int <= ${limit}::int
          on conflict (app, bucket, day) do update set used = q.used + excluded.used
            where q.used + excluded.used <= ${limit}::int
          returning used`
      })

      const forget = (app: string, day: string) =>
        sql`delete from platform_quotas where app = ${app} and day < ${day}::date`

      return {
        /** False when that would exceed the limit; then nothing is counted. */
        take: Effect.fn("QuotaRepository.take")(function* (use: typeof Use.Type) {
          const taken = yield* take(use)
          // The first call of a day clears the counts of earlier days.
          if (Option.exists(taken, ({ used }) => used === use.cost)) yield* forget(use.app, use.day)
          return Option.isSome(taken)
        }, Effect.orDie)
      }
    })
  }
) {
  static readonly layer = Layer.effect(this, this.make)
}
