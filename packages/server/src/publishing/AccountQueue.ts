import { DateTime, Effect } from "effect"

/** The held targets of one account queue by due time: the first commits, the others wait behind it. */
export interface Ticket {
  /** Waits until this is the first and no target of the account is committing. */
  readonly turn: Effect.Effect<void>
  /** Leaves the queue; the next one has its turn. */
  readonly leave: () => void
}

interface Entry {
  readonly due: number
  readonly id: string
  begun: boolean
  wake: (() => void) | undefined
}

const before = (one: Entry, other: Entry) =>
  one.due < other.due || (one.due === other.due && one.id < other.id)

/** The order within this process; between processes the marker statement keeps it. */
export class AccountQueue {
  readonly #queues = new Map<number, Array<Entry>>()

  join(account: number, due: DateTime.Utc, id: string): Ticket {
    const entry: Entry = { due: DateTime.toEpochMillis(due), id, begun: false, wake: undefined }
    const queue = this.#queues.get(account) ?? []
    if (queue.length === 0) this.#queues.set(account, queue)
    const at = queue.findLastIndex((one) => before(one, entry)) + 1
    queue.splice(at, 0, entry)

    const wait = Effect.callback<void>((resume) => {
      entry.wake = () => {
        entry.wake = undefined
        entry.begun = true
        resume(Effect.void)
      }
      this.#next(queue)
      return Effect.sync(() => (entry.wake = undefined))
    })
    const turn = Effect.suspend(() => {
      if (queue[0] !== entry || queue.some(({ begun }) => begun)) return wait
      entry.begun = true
      return Effect.void
    })
    const leave = () => {
      const index = queue.indexOf(entry)
      if (index < 0) return
      queue.splice(index, 1)
      if (queue.length === 0) this.#queues.delete(account)
      else this.#next(queue)
    }
    return { turn, leave }
  }

  #next(queue: ReadonlyArray<Entry>): void {
    if (!queue.some(({ begun }) => begun)) queue[0]?.wake?.()
  }
}
