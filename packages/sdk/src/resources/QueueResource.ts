import type { RequestOptions, Transport } from "../Transport.ts"
import type { FreeSlotFilter, FreeSlotList, PutQueue, Queue } from "../Wire.ts"

/** The times of the week that posts with `use_queue` go out at (contract.md section 7). */
export class QueueResource {
  readonly #transport: Transport

  constructor(transport: Transport) {
    this.#transport = transport
  }

  /** Without `slots` there is no queue. */
  get(options: RequestOptions = {}): Promise<Queue> {
    return this.#transport.request("GET", "/v1/queue", options)
  }

  /**
   * Replaces the whole schedule. Posts that hold a slot keep their times.
   *
   * @throws InvalidRequestError with every problem of the schedule at once in `errors`
   */
  set(schedule: PutQueue, options: RequestOptions = {}): Promise<Queue> {
    return this.#transport.request("PUT", "/v1/queue", { ...options, body: schedule })
  }

  /**
   * The next free slots within 90 days, soonest first: `count` of them, by default 10.
   *
   * @throws InvalidRequestError `queue_not_configured` when there are no slots
   */
  next(filter: FreeSlotFilter = {}, options: RequestOptions = {}): Promise<FreeSlotList> {
    return this.#transport.request("GET", "/v1/queue/slots", { ...options, query: filter })
  }
}
