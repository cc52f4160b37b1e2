import { Effect } from "effect"
import { once } from "node:events"
import { type AddressInfo, connect, createServer } from "node:net"

/**
 * Leads to a service, and stops the first upload of which this much has come: cuts its connection, or swallows the
 * rest of it.
 */
export const stoppingProxy = Effect.fnUntraced(function* (how: "cuts" | "swallows", after: number) {
  let to = 0
  const stopped: Array<number> = []
  const proxy = createServer((incoming) => {
    const outgoing = connect(to, "127.0.0.1")
    let uploaded: number | undefined
    const end = () => {
      incoming.destroy()
      outgoing.destroy()
    }
    incoming.on("data", (chunk: Buffer) => {
      if (chunk.subarray(0, 4).toString("latin1") === "PUT ") uploaded = 0
      if (uploaded === undefined || stopped.length > 0) return
      uploaded += chunk.length
      if (uploaded < after) return
      stopped.push(uploaded)
      if (how === "cuts") end()
      else incoming.unpipe(outgoing).resume()
    })
    for (const [from, into] of [
      [incoming, outgoing],
      [outgoing, incoming]
    ] as const) {
      from.on("error", end).on("close", end).pipe(into)
    }
  })
  yield* Effect.acquireRelease(
    Effect.promise(() => once(proxy.listen(0, "127.0.0.1"), "listening")),
    () => Effect.sync(() => proxy.close())
  )
  return {
    url: `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`,
    stopped,
    leadTo: (url: string) => (to = Number(new URL(url).port))
  }
})
