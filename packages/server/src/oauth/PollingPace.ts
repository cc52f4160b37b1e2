import { Effect } from "effect"
import type { Provider } from "oidc-provider"
import type { Throttle } from "../http/Throttle.ts"
import { hashId } from "../crypto/hashId.ts"

/** The seconds that a program waits between two polls for the answer to its code. */
const interval = 5

type Middleware = Parameters<Provider["use"]>[0]

/** Tells a program how often to poll, and one that polls more often to slow down (RFC 8628, 3.5). */
export const pollingPace =
  (throttle: Throttle["Service"], run: <A>(effect: Effect.Effect<A>) => Promise<A>): Middleware =>
  async (ctx, next) => {
    await next()
    const body = ctx.body as Record<string, unknown> | undefined
    if (ctx.path === "/oauth/device" && body?.["user_code"] !== undefined) body["interval"] = interval
    if (ctx.path !== "/oauth/token" || body?.["error"] !== "authorization_pending") return
    const code = hashId(String(ctx.oidc.params?.["device_code"])).toString("base64url")
    // A little less than told, because the way here is not always equally long.
    const limit = { bucket: `device-poll:${code}`, most: 1, within: (interval - 1) * 1000 }
    const isInTime = await run(
      throttle.take(limit).pipe(
        Effect.as(true),
        Effect.catchTag("Throttled", () => Effect.succeed(false))
      )
    )
    if (!isInTime) {
      ctx.body = {
        error: "slow_down",
        error_description: `Nobody has answered yet. Wait ${interval} seconds longer between requests.`
      }
    }
  }
