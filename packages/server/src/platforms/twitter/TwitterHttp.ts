import { Effect, type Schema } from "effect"
import type { HttpClient } from "effect/http"
import { type PlatformCall, platformHttp } from "../PlatformHttp.ts"
import type { PaidCall, Spending } from "./Spending.ts"
import { isCapped } from "./TwitterErrors.ts"

interface TwitterCall<S extends Schema.ConstraintDecoder<unknown>> extends PlatformCall<S> {
  /** Left out: X charges nothing for it. */
  readonly price?: PaidCall | undefined
}

/** Where calls are counted; without it nobody pays, as on the test network. */
export type Payment = Pick<Spending["Service"], "pay" | "refused">

/** The HTTP of X: what a call costs is counted before it. */
export const twitterHttp = (client: HttpClient.HttpClient, payment: Payment | undefined) => {
  const call = platformHttp(client, "X")
  return <S extends Schema.ConstraintDecoder<unknown>>({ price, ...request }: TwitterCall<S>) =>
    payment === undefined
      ? call<S>(request)
      : call<S>(request).pipe(
          Effect.tapError((failure) => (isCapped(failure) ? payment.refused(failure) : Effect.void)),
          payment.pay(price)
        )
}

export type TwitterHttp = ReturnType<typeof twitterHttp>
