import { listAt, type ListRequest } from "../ListRequest.ts"
import type { RequestOptions, Transport } from "../Transport.ts"
import type { FreeSlotFilter, FreeSlotList, PutQueue, Queue } from "../Wire.ts"

/** The times of the week at which posts with `use_queue` go out. */
export class QueueResource {
  readonly #transport: Transport

  constructor(transport: Transport) {
    this.#transport = transport
  }

  /**
   * The schedule; without `slots` there is no queue.
   *
   * ```ts
   * const { slots, timezone } = await carillon.queue.get()
   * ```
   */
  get(options: RequestOptions = {}): Promise<Queue> {
    return this.#transport.request("GET", "/v1/queue", options)
  }

  /**
   * Replaces the whole schedule. Posts that hold a slot keep their times.
   *
   * ```ts
   * await carillon.queue.set({
   *   timezone: "Europe/Paris",
   *   slots: [{ day: "mon", time: "09:00" }, { day: "thu", time: "17:30" }],
   *   jitter_minutes: 5
   * })
   * ```
   *
   * @throws InvalidRequestError with every problem of the schedule at once in `errors`
   */
  set(schedule: PutQueue, options: RequestOptions = {}): Promise<Queue> {
    return this.#transport.request("PUT", "/v1/queue", { ...options, body: schedule })
  }

  /**
   * The next free slots within 90 days, soonest first: `count` of them, by default 10.
   *
   * ```ts
   * const { data } = await carillon.queue.next({ count: 3 })
   * ```
   *
   * @throws InvalidRequestError `queue_not_configured` when there are no slots
   */
  next(filter: FreeSlotFilter = {}, options: RequestOptions = {}): ListRequest<FreeSlotList> {
    return listAt(this.#transport, () => "/v1/queue/slots", filter, options)
  }
}
