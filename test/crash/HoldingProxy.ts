import { Effect } from "effect"
import type { IncomingMessage, ServerResponse } from "node:http"
import { buffer } from "node:stream/consumers"
import { answer, passedOn, proxying } from "./PassingProxy.ts"

/** Where a call is stopped, as in `Interceptor.ts`; one that is `after` has its answer. */
type Position = "before" | "done" | "after"

/** A call, of those that follow, by what it is and how many like it came before. */
export interface Stop {
  readonly label: string
  readonly nth: number
  readonly position: Position
}

interface Watch {
  readonly calls: Array<string>
  stop: Stop | undefined
  readonly stopped: PromiseWithResolvers<void>
}

/**
 * Between a service and several networks: keeps the calls of each kind of post, which has its name in their addresses or
 * credentials, and stops one of them for good.
 */
export const holdingProxy = (upstream: string, whose: (request: string) => string | undefined) => {
  const watches = new Map<string, Watch>()

  const handle = async (incoming: IncomingMessage, response: ServerResponse) => {
    const body = await buffer(incoming)
    const name = whose(`${incoming.url} ${incoming.headers.authorization ?? ""}`)
    const watch = name === undefined ? undefined : watches.get(name)
    // The ids of a network are not told apart, and of a URN only what it is of.
    const last = incoming.url!.split("?")[0]!.split("/").at(-1)!
    const label = `${incoming.method} ${last.replace(/^urn%3A.*%3A(\w+)%3A.*$/, "$1").replace(/^[\d_]{10,}$/, "{id}")}`
    const nth = watch?.calls.filter((call) => call === label).length
    watch?.calls.push(label)
    const { position } = watch?.stop ?? {}
    const mine = watch !== undefined && watch.stop?.label === label && watch.stop.nth === nth
    if (mine) watch.stop = undefined
    if (mine && position === "before") return watch.stopped.resolve()
    const passed = await passedOn(upstream, incoming, body)
    if (mine && position === "done") return watch.stopped.resolve()
    await answer(response, passed)
    if (mine) watch.stopped.resolve()
  }

  return Effect.map(proxying(handle), (url) => ({
    url,
    /** Keeps the calls from now on; `stopped` when the one that is to be stopped is. */
    watch: (name: string, stop?: Stop) => {
      const watch: Watch = { calls: [], stop, stopped: Promise.withResolvers() }
      watches.set(name, watch)
      return { calls: watch.calls, stopped: Effect.promise(() => watch.stopped.promise) }
    }
  }))
}
