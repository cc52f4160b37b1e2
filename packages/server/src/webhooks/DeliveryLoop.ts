import { DateTime, Duration, Effect, Layer, Metric, Random } from "effect"
import { runLoop } from "../engine/Loop.ts"
import { Wakeup } from "../sql/Wakeup.ts"
import { Deliver } from "./Deliver.ts"
import { Notify } from "./Notify.ts"
import { type Attempt, judge } from "./DeliveryPolicy.ts"
import { type ClaimedDelivery, DeliveryQueue, lease } from "./DeliveryQueue.ts"

const deliveries = Metric.counter("carillon_webhook_deliveries_total", {
  description: "Tries to deliver to a webhook, by what came of them.",
  incremental: true
})

/** The loop that sends to webhooks. */
export const DeliveryLoopLayer = Layer.effectDiscard(
  Effect.gen(function* () {
    const queue = yield* DeliveryQueue
    const deliver = yield* Deliver
    const notify = yield* Notify

    const send = Effect.fn("DeliveryLoop.send")(function* (delivery: ClaimedDelivery) {
      const { also, event_id, format, secrets, sequence, webhook_id } = delivery
      const attempt = yield* format === null
        ? deliver.message(delivery)
        : notify.tell({ id: webhook_id, format, secrets }, event_id, [sequence, ...also])
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

    yield* runLoop({
      name: "webhook delivery",
      signal: (yield* Wakeup).deliveries,
      longestSleep: Duration.seconds(5),
      capacity: 512,
      minRoom: 1,
      lease,
      id: ({ id }) => id,
      group: ({ webhook_id }) => webhook_id,
      claim: queue.claim,
      nextAt: queue.nextAttemptAt,
      looksAfterEach: true,
      run: send,
      release: queue.release,
      recover: queue.recover
    })
  })
)

const gone =
  "The receiver answered 410 Gone: it accepts no more events. Resume with status active if that was a mistake."

const answerOf = ({ response_status, response_excerpt, error }: Attempt) => ({
  response_status,
  response_excerpt,
  error
})
