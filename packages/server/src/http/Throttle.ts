import { Context, DateTime, Duration, Effect, Layer, Schema } from "effect"
import { SqlClient, SqlSchema } from "effect/sql"
import { Instant } from "../sql/Rows.ts"

export class Throttled extends Schema.TaggedError<Throttled>()("Throttled", {
  retry_after_seconds: Schema.Int
}) {}

export interface Limit {
  /** The counter's name, for example `sign-in:203.0.113.7`. */
  readonly bucket: string
  readonly most: number
  readonly within: Duration.Input
}

/** Limits how often strangers may do something, for all processes together. */
export class Throttle extends Context.Service<
  Throttle,
  {
    /** Takes one; fails when none is left. */
    take(limit: Limit): Effect.Effect<void, Throttled>
    /** Gives back one that was taken before it proved to be honest. */
    giveBack(limit: Limit): Effect.Effect<void>
    /**
     * Checks what somebody claims to know. Each try is counted first, so that many at once are no way around; a right one is given back.
     */
    guarded<E, R>(
      limits: ReadonlyArray<Limit>,
      check: Effect.Effect<boolean, E, R>
    ): Effect.Effect<boolean, E | Throttled, R>
    readonly collect: Effect.Effect<void>
  }
>()("@carillon/server/http/Throttle") {
  static readonly layer = Layer.effect(
    Throttle,
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient

      const count = SqlSchema.findOne({
        Request: Schema.Struct({ bucket: Schema.String, now: Instant, resets_at: Instant }),
        Result: Schema.Struct({ taken: Schema.Int, resets_at: Instant }),
        execute: ({ bucket, now, resets_at }) => sql`
          insert into throttles (bucket, taken, resets_at) values (${bucket}, 1, ${resets_at})
          on conflict (bucket) do update set
            taken = case when throttles.resets_at <= ${now} then 1 else throttles.taken + 1 end,
            resets_at = case when throttles.resets_at <= ${now} then excluded.resets_at else throttles.resets_at end
          returning taken, resets_at`
      })

      const refused = (resetsAt: DateTime.Utc, now: DateTime.Utc) =>
        new Throttled({
          retry_after_seconds: Math.max(
            1,
            Math.ceil((DateTime.toEpochMillis(resetsAt) - DateTime.toEpochMillis(now)) / 1000)
          )
        })

      const take = Effect.fnUntraced(function* ({ bucket, most, within }: Limit) {
        const now = yield* DateTime.now
        const { taken, resets_at } = yield* Effect.orDie(
          count({ bucket, now, resets_at: DateTime.addDuration(now, within) })
        )
        if (taken > most) return yield* refused(resets_at, now)
      })

      const giveBack = ({ bucket }: Limit) =>
        Effect.orDie(
          Effect.asVoid(sql`update throttles set taken = greatest(taken - 1, 0) where bucket = ${bucket}`)
        )

      return Throttle.of({
        take,
        guarded: Effect.fnUntraced(function* (limits, check) {
          yield* Effect.forEach(limits, take)
          const right = yield* check
          if (right) yield* Effect.forEach(limits, giveBack)
          return right
        }),
        giveBack,
        collect: Effect.gen(function* () {
          const now = DateTime.toDateUtc(yield* DateTime.now)
          yield* Effect.orDie(sql`delete from throttles where resets_at <= ${now}`)
        })
      })
    })
  )
}
