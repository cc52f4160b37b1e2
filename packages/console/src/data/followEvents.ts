import type { StreamedEvent } from "@carillon/sdk"
import type { QueryKey } from "@tanstack/react-query"
import { accountsKey } from "./accounts.ts"
import { carillon, queries, workspace } from "./api.ts"
import { mediaKey } from "./media.ts"
import { postsKey } from "./posts.ts"
import { queueKey } from "./queue.ts"
import { underWay } from "./useAct.ts"

type Topic = "accounts" | "media" | "posts"

const keysOf: Readonly<Record<Topic, ReadonlyArray<QueryKey>>> = {
  accounts: [accountsKey],
  media: [mediaKey],
  // A post takes a slot of the queue.
  posts: [postsKey, queueKey]
}

const everything: ReadonlyArray<Topic> = ["accounts", "media", "posts"]

/** What an event may have changed. An event is a hint: what it changed is read again, as this tab shows it. */
const changedBy = (type: StreamedEvent["type"]): ReadonlyArray<Topic> => {
  if (type === "resync") return everything
  if (type.startsWith("account.")) return ["accounts"]
  if (type.startsWith("media.")) return ["media"]
  return ["posts"]
}

/** A burst of events is one reading. */
const betweenReadings = 500

/** Without a stream, what others change is read again this often. */
const withoutStream = 60_000

const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms))

const stale = new Set<Topic>()
let reading = false

/**
 * Reads again what a person looks at; what began to be read before the event is read to its end first. A reading in the
 * middle of an act would put back what the act shows already, and the focus would be lost.
 */
const readAgain = async (changed: ReadonlyArray<Topic>) => {
  for (const topic of changed) stale.add(topic)
  if (reading) return
  reading = true
  while (stale.size > 0) {
    const keys = [...stale].flatMap((topic) => keysOf[topic])
    stale.clear()
    await Promise.allSettled(
      keys.flatMap((queryKey) =>
        queries
          .getQueryCache()
          .findAll({ queryKey, fetchStatus: "fetching" })
          .map(({ promise }) => promise)
      )
    )
    while (underWay.size > 0) await Promise.allSettled(underWay)
    await Promise.all([
      pause(betweenReadings),
      ...keys.map((queryKey) => queries.invalidateQueries({ queryKey }))
    ])
  }
  reading = false
}

/** What the tab that reads the stream tells the others: whether it is open, its place in it, and what changed. */
interface Told {
  readonly isOpen: boolean
  readonly id?: string
  readonly changed: ReadonlyArray<Topic>
}

/**
 * Shows what happens as it happens. One tab reads the stream for all tabs of the workspace: a browser has six connections
 * for an origin. Where there are no locks (plain http that is not localhost), each tab reads while it is visible.
 */
export const followEvents = () => {
  const name = `carillon-events-${workspace.id}`
  const others = "locks" in navigator ? new BroadcastChannel(name) : undefined
  let isOpen = false
  let lastId: string | undefined
  // What changed between the first readings of this page and the stream is unknown.
  let isFirst = true
  let reader: AbortController | undefined

  const hear = (told: Told) => {
    isOpen = told.isOpen
    lastId = told.id ?? lastId
    void readAgain(isOpen && isFirst ? everything : told.changed)
    isFirst &&= !isOpen
  }
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a channel has one origin.
  const post = (message: Told | "asks") => others?.postMessage(message)
  const tell = (told: Told) => {
    hear(told)
    post(told)
  }

  const read = async () => {
    const { signal } = (reader = new AbortController())
    tell({ isOpen: false, changed: [] })
    try {
      for await (const { id, type } of carillon.events.stream({
        after: lastId,
        signal,
        onOpen: (id) => tell({ isOpen: true, id, changed: [] }),
        onClose: () => tell({ isOpen: false, changed: [] })
      }))
        tell({ isOpen: true, id, changed: changedBy(type) })
    } catch {
      // A page on which somebody writes asks for the sign-in itself.
    }
  }

  if (others === undefined) {
    const turn = () => {
      reader?.abort()
      if (document.visibilityState === "visible") void read()
    }
    document.addEventListener("visibilitychange", turn)
    turn()
  } else {
    // A tab that opens asks how things stand.
    others.addEventListener("message", ({ data }: MessageEvent<Told | "asks">) => {
      if (data !== "asks") hear(data)
      else if (reader !== undefined) post({ isOpen, ...(lastId && { id: lastId }), changed: [] })
    })
    post("asks")
    void navigator.locks.request(name, read)
  }
  setInterval(() => {
    if (!isOpen && document.visibilityState === "visible") void readAgain(everything)
  }, withoutStream)
}
