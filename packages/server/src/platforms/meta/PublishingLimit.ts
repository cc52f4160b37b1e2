import { Effect, Schema } from "effect"
import { PublishError } from "../Platform.ts"

const Config = Schema.Struct({ quota_total: Schema.optionalKey(Schema.Finite) })

/** Posts or answers that an account has published in 24 hours, and how many it may. */
export const PublishingLimit = Schema.Struct({
  data: Schema.Array(
    Schema.Struct({
      quota_usage: Schema.optionalKey(Schema.Finite),
      config: Schema.optionalKey(Config),
      reply_quota_usage: Schema.optionalKey(Schema.Finite),
      reply_config: Schema.optionalKey(Config)
    })
  )
})
type PublishingLimit = typeof PublishingLimit.Type

/** Fails while the limit is reached. It is read and never assumed; without an answer the commit reports it. */
export const requireRoom = (
  name: string,
  username: string,
  limit: Effect.Effect<PublishingLimit, PublishError>,
  kind: "posts" | "replies" = "posts"
): Effect.Effect<void, PublishError> =>
  limit.pipe(
    Effect.catchIf(
      ({ token_expired }) => token_expired !== true,
      () => Effect.succeed<PublishingLimit>({ data: [] })
    ),
    Effect.flatMap(({ data: [read] }) => {
      const [used, total] =
        kind === "posts"
          ? [read?.quota_usage, read?.config?.quota_total]
          : [read?.reply_quota_usage, read?.reply_config?.quota_total]
      return used === undefined || total === undefined || used < total
        ? Effect.void
        : new PublishError({
            class: "quota_exhausted",
            code: "9/2207042",
            message: `${name} allows @${username} ${total} ${kind} in 24 hours, and ${used} have been published. The post waits.`
          })
    })
  )
