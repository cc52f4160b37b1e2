import { Context, DateTime, Effect, Layer } from "effect"
import { AppConfig } from "../../AppConfig.ts"
import { PublishError } from "../Platform.ts"
import { nextMidnight } from "../RetryAfter.ts"
import { QuotaRepository } from "./QuotaRepository.ts"

/** Google counts uploads apart; everything else costs units: https://developers.google.com/youtube/v3/determine_quota_cost */
export type QuotaBucket = "uploads" | "units"

/**
 * The usage of a Google project today. Google does not tell how much is left, and counts calls that it refuses too, so
 * each call is counted here before it is made, over all processes and workspaces of this instance.
 */
export class Quota extends Context.Service<
  Quota,
  {
    /** Fails with `quota_exhausted` when the day's quota is used up; `retry_at` is the day's end. */
    take(project: string, bucket: QuotaBucket, cost: number): Effect.Effect<void, PublishError>
  }
>()("@carillon/server/platforms/youtube/Quota") {
  static readonly layerNoDeps = Layer.effect(
    Quota,
    Effect.gen(function* () {
      const { youtubeQuota } = yield* AppConfig
      const repository = yield* QuotaRepository
      return Quota.of({
        take: Effect.fn("Quota.take")(function* (app, bucket, cost) {
          const now = yield* DateTime.now
          const limit = youtubeQuota[bucket]
          const day = DateTime.formatIsoDate(pacific(now))
          if (yield* repository.take({ app, bucket, day, cost, limit })) return
          const what = bucket === "uploads" ? `${limit} uploads` : `${limit} units of other calls`
          return yield* new PublishError({
            class: "quota_exhausted",
            code: "daily_quota",
            message:
              `This instance's Google project has used today's ${what} to YouTube. Publishing resumes when Google ` +
              "resets the quota, at midnight Pacific Time; the operator can ask Google for more.",
            retry_at: quotaReset(now)
          })
        })
      })
    })
  )

  static readonly layer = Quota.layerNoDeps.pipe(Layer.provide(QuotaRepository.layer))
}

const zone = "America/Los_Angeles"
const pacific = (now: DateTime.Utc) => DateTime.setZoneNamedUnsafe(now, zone)

/** The next midnight in Google's Pacific Time, when every quota begins anew. */
export const quotaReset = (now: DateTime.Utc): DateTime.Utc => nextMidnight(now, zone)

/** The number before the hyphen of a client's id is its project's, which all its clients share. */
export const projectOf = (clientId: string): string => /^\d+(?=-)/.exec(clientId)?.[0] ?? clientId
