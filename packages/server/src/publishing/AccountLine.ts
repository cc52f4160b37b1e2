import { DateTime, Effect } from "effect"

/** What is held of one account stands in line by due time; the first one commits, the others wait behind it. */
export interface Place {
  /** Until it is the first and nobody of the account is committing. */
  readonly turn: Effect.Effect<void>
  /** Leaves the line; the next one has its turn. */
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
export class AccountLine {
  readonly #lines = new Map<number, Array<Entry>>()

  join(account: number, due: DateTime.Utc, id: string): Place {
    const entry: Entry = { due: DateTime.toEpochMillis(due), id, begun: false, wake: undefined }
    const line = this.#lines.get(account) ?? []
    if (line.length === 0) this.#lines.set(account, line)
    const at = line.findLastIndex((one) => before(one, entry)) + 1
    line.splice(at, 0, entry)

    const wait = Effect.callback<void>((resume) => {
      entry.wake = () => {
        entry.wake = undefined
        entry.begun = true
        resume(Effect.void)
      }
      this.#next(line)
      return Effect.sync(() => (entry.wake = undefined))
    })
    const turn = Effect.suspend(() => {
      if (line[0] !== entry || line.some(({ begun }) => begun)) return wait
      entry.begun = true
      return Effect.void
    })
    const leave = () => {
      const index = line.indexOf(entry)
      if (index < 0) return
      line.splice(index, 1)
      if (line.length === 0) this.#lines.delete(account)
      else this.#next(line)
    }
    return { turn, leave }
  }

  #next(line: ReadonlyArray<Entry>): void {
    if (!line.some(({ begun }) => begun)) line[0]?.wake?.()
  }
}
