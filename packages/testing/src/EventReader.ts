import { Effect } from "effect"
import type { ServiceCalls } from "./ServiceProcess.ts"

export interface ReadEvent {
  readonly id: string
  readonly type: string
  /** As a webhook gets it. */
  readonly event: { readonly type: string; readonly timestamp: string; readonly data: any }
}

interface Asked {
  readonly lastEventId?: string
  readonly query?: string
  readonly headers?: Readonly<Record<string, string>>
}

/** Reads `GET /v1/events` byte for byte until the scope closes. */
export const readEvents = (
  { url, key }: Pick<ServiceCalls, "key"> & { readonly url: string },
  { headers, lastEventId, query = "" }: Asked = {}
) =>
  Effect.gen(function* () {
    const aborter = yield* Effect.acquireRelease(
      Effect.sync(() => new AbortController()),
      (one) => Effect.sync(() => one.abort())
    )
    const response = yield* Effect.promise(() =>
      fetch(`${url}/v1/events${query}`, {
        headers: headers ?? {
          authorization: `Bearer ${key}`,
          ...(lastEventId === undefined ? {} : { "last-event-id": lastEventId })
        },
        signal: aborter.signal
      })
    )
    const read: Array<ReadEvent> = []
    let text = ""
    let lastId = lastEventId ?? ""
    const hear = (block: string) => {
      const field = (name: string) => new RegExp(`^${name}: (.*)$`, "m").exec(block)?.[1]
      lastId = field("id") ?? lastId
      const type = field("event")
      if (type !== undefined) read.push({ id: lastId, type, event: JSON.parse(field("data")!) })
    }
    const follow = async () => {
      for await (const chunk of response.body!.pipeThrough(new TextDecoderStream())) {
        text += chunk
        const blocks = text.split("\n\n")
        text = blocks.pop()!
        blocks.forEach(hear)
      }
    }
    const isEvents = response.headers.get("content-type") === "text/event-stream"
    const ended = isEvents
      ? follow().then(
          () => true,
          () => false
        )
      : undefined
    return {
      response,
      read,
      lastId: () => lastId,
      /** Until the service or the scope ends the stream; true: it came to its end and was not cut. */
      ended: Effect.promise(async () => ended),
      close: Effect.sync(() => aborter.abort())
    }
  })
