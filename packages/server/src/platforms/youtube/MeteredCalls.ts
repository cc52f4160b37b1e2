import { DateTime, Effect, type Schema } from "effect"
import { PublishError } from "../Platform.ts"
import type { PlatformCall, platformHttp } from "../PlatformHttp.ts"
import { type Quota, quotaReset } from "./Quota.ts"
import { refuseApi } from "./YouTubeErrors.ts"

/** Units per call: https://developers.google.com/youtube/v3/determine_quota_cost */
export const cost = { list: 1, thumbnail: 50, playlist: 50, comment: 50 }

/** Calls that cost quota; when Google says that none is left, they fail until the next day. */
export const meteredCalls =
  (call: ReturnType<typeof platformHttp>, quota: Quota["Service"], project: string) =>
  <S extends Schema.ConstraintDecoder<unknown>>(
    bucket: "uploads" | "units",
    units: number,
    request: Omit<PlatformCall<S>, "refuse">
  ) =>
    Effect.andThen(
      quota.take(project, bucket, units),
      call<S>({ ...request, refuse: refuseApi } as PlatformCall<S>)
    ).pipe(
      Effect.catchIf(
        ({ code }) => code === "quotaExceeded" || code === "dailyLimitExceeded",
        ({ class: errorClass, code, message }) =>
          Effect.flatMap(
            DateTime.now,
            (now) => new PublishError({ class: errorClass, code, message, retry_at: quotaReset(now) })
          )
      )
    )

export type MeteredCalls = ReturnType<typeof meteredCalls>
