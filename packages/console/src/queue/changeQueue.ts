import type { Queue } from "@carillon/sdk"
import { carillon } from "../data/api.ts"
import { queueChanged, setQueue } from "../data/queue.ts"
import { act } from "../data/useAct.ts"
import { words } from "./en.ts"

const common = { failed: words.notSaved, changed: queueChanged }

/** Changes the queue as the service has it now, which may be newer than the screen. */
export const changeQueue = (change: (queue: Queue) => Queue, done: string) =>
  act({
    ...common,
    do: async () => {
      const before = await carillon.queue.get()
      await setQueue(change(before))
      return before
    },
    done,
    undo: (before) => ({ ...common, do: () => setQueue(before), done: words.undone })
  })
