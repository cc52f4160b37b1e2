import { DateTime, Effect, type Schema } from "effect"
import { HttpBody, type HttpClient } from "effect/http"
import { PublishError } from "../Platform.ts"
import { type PlatformCall, platformHttp, shortAnswer } from "../PlatformHttp.ts"
import { nextMidnight } from "../RetryAfter.ts"
import { refuseApi } from "./LinkedInErrors.ts"

type AnySchema = Schema.ConstraintDecoder<unknown>

interface RestCall<S extends AnySchema>
  extends
    Pick<PlatformCall<S>, "method" | "query" | "bearer" | "answer">,
    Partial<
      Pick<PlatformCall<S>, "commit" | "timeout" | "format" | "secrets" | "maxAnswerBytes" | "refuse">
    > {
  readonly path: string
  readonly headers?: Readonly<Record<string, string>>
  readonly json?: unknown
}

/** LinkedIn's versioned API. Its limits are of a day in UTC, and no answer says how much of them is left. */
export const linkedInRest = (httpClient: HttpClient.HttpClient, api: string, version: string) => {
  const ask = platformHttp(httpClient, "LinkedIn")

  const call: typeof ask = (special) =>
    Effect.catchIf(
      ask(special),
      (failure) => failure.class === "rate_limited" && failure.retry_at === undefined,
      (failure) =>
        Effect.flatMap(DateTime.now, (now) =>
          Effect.fail(
            new PublishError({ ...failure, message: failure.message, retry_at: nextMidnight(now, "UTC") })
          )
        )
    )

  const rest = <S extends AnySchema>({ path, json, headers, ...special }: RestCall<S>) =>
    call({
      maxAnswerBytes: shortAnswer,
      refuse: refuseApi,
      ...special,
      url: `${api}/rest/${path}`,
      headers: { "linkedin-version": version, "x-restli-protocol-version": "2.0.0", ...headers },
      ...(json === undefined ? {} : { body: HttpBody.jsonUnsafe(json) })
    })

  return { call, rest }
}

export type LinkedInRest = ReturnType<typeof linkedInRest>
