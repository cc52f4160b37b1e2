import { DateTime, Duration, Effect, FiberMap, Latch, Layer, Metric, Option, Random } from "effect"
import { Database } from "../sql/Sql.ts"
import { supervised } from "../Supervised.ts"
import { Wakeup } from "../sql/Wakeup.ts"
import { Deliver } from "./Deliver.ts"
import { type Attempt, judge } from "./DeliveryPolicy.ts"
import { type ClaimedDelivery, DeliveryQueue } from "./DeliveryQueue.ts"

/** How many deliveries one process sends at once, to all webhooks together. */
const maximumHeld = 512
/** A wake-up from another process may be lost; nothing waits longer than this for one. */
const longestSleep = Duration.seconds(5)

const deliveries = Metric.counter("carillon_webhook_deliveries_total", {
  description: "Tries to deliver to a webhook, by what came of them.",
  incremental: true
})

/**
 * The delivery loop, in the shape of the engine's: it sleeps until something is due, claims it, and sends each delivery
 * in its own fiber. Closing its scope gives back unfinished deliveries.
 */
export const DeliveryLoopLayer = Layer.effectDiscard(
  Effect.gen(function* () {
    const queue = yield* DeliveryQueue
    const deliver = yield* Deliver
    const waiter = yield* (yield* Wakeup).deliveries.subscribe
    const inHand = new Map<string, number>()
    const freed = yield* Latch.make()
    const fibers = yield* FiberMap.make<string>()

    const take = ({ webhook_id }: ClaimedDelivery) =>
      inHand.set(webhook_id, (inHand.get(webhook_id) ?? 0) + 1)
    const drop = ({ webhook_id }: ClaimedDelivery) => {
      const left = inHand.get(webhook_id)! - 1
      if (left === 0) inHand.delete(webhook_id)
      else inHand.set(webhook_id, left)
      return freed.openUnsafe()
    }

    const send = Effect.fn("DeliveryLoop.send")(function* (delivery: ClaimedDelivery) {
      const attempt = yield* deliver.message(delivery)
      const verdict = judge(attempt, delivery.attempts + 1, yield* DateTime.now, yield* Random.next)
      yield* queue.settle({
        ...answerOf(attempt),
        id: delivery.id,
        fence: delivery.fence,
        status: verdict._tag === "delivered" ? "delivered" : verdict._tag === "again" ? "pending" : "failed",
        next_attempt_at: verdict._tag === "again" ? verdict.at : null,
        pausing: verdict._tag === "gone" ? gone : null
      })
      yield* Metric.update(Metric.withAttributes(deliveries, { outcome: verdict._tag }), 1)
    })

    const start = (delivery: ClaimedDelivery) => {
      take(delivery)
      return FiberMap.run(
        fibers,
        // The same delivery under another claim is a different piece of work.
        `${delivery.id} ${delivery.fence}`,
        send(delivery).pipe(
          Effect.onInterrupt(() => queue.release(delivery)),
          // The lease runs out and it is sent again.
          Effect.catchCause((cause) => Effect.logError("a delivery failed unexpectedly", cause)),
          Effect.ensuring(Effect.sync(() => drop(delivery)))
        )
      )
    }

    const untilNext = Effect.gen(function* () {
      const next = yield* queue.nextAttemptAt(inHand)
      if (Option.isNone(next)) return longestSleep
      return Duration.min(DateTime.distance(yield* DateTime.now, next.value), longestSleep)
    })

    const held = () => [...inHand.values()].reduce((sum, count) => sum + count, 0)

    const loop = Effect.gen(function* () {
      while (true) {
        // Before the read, so that a commit or an end between the two is not lost.
        yield* waiter.arm
        yield* freed.close
        const room = maximumHeld - held()
        const { claimed, looked } = room > 0 ? yield* queue.claim(room, inHand) : { claimed: [], looked: 0 }
        yield* Effect.forEach(claimed, start, { discard: true })
        if (looked > 0) continue
        const sleep = room > 0 ? yield* untilNext : longestSleep
        yield* Effect.race(waiter.await, freed.await).pipe(
          Effect.timeoutOrElse({ duration: sleep, orElse: () => Effect.void })
        )
      }
    })

    // The lock on the directory proves that this is the only process.
    if ((yield* Database).kind === "embedded") yield* queue.recover
    yield* supervised("webhook delivery loop", loop)
  })
)

const gone =
  "The receiver answered 410 Gone: it wants nothing more. Resume with status active if that was a mistake."

const answerOf = ({ response_status, response_excerpt, error }: Attempt) => ({
  response_status,
  response_excerpt,
  error
})
