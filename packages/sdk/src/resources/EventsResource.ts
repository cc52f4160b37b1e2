import { CarillonError, ConnectionError } from "../Errors.ts"
import { pause } from "../Pause.ts"
import { retryDelay } from "../RetryPolicy.ts"
import type { Transport } from "../Transport.ts"
import type { WebhookEvent, WebhookEventType } from "../Wire.ts"

export interface EventStreamOptions {
  /** Begins after the event with this id. Default: with what happens from now on. */
  readonly after?: string | undefined
  /** Only events of these types. Default: all that the credential may read. */
  readonly types?: ReadonlyArray<WebhookEventType> | undefined
  /** Ends the stream; it then rejects with the signal's reason. */
  readonly signal?: AbortSignal | undefined
  /**
   * Told each time that the stream has begun, with the id from which it goes on: what is read from then on misses
   * nothing. Keep the id, or that of the last event, to go on after a restart of your program.
   */
  readonly onOpen?: ((id: string) => void) | undefined
  /** Told each time that an open stream has lost its connection, which is then made again. */
  readonly onClose?: (() => void) | undefined
}

/** An event, as a webhook receives it, with its place in the stream. */
export type StreamedEvent = { readonly id: string } & (
  | Exclude<WebhookEvent, { readonly type: "webhook.test" }>
  /** Events were missed that are not kept any more: read anew what you keep. */
  | { readonly type: "resync" }
)

/** The service says something every 15 seconds. */
const longestSilence = 45_000

/** Before the service has said how long to wait before coming back. */
const firstWait = 2000

/** What happens in the workspace. */
export class EventsResource {
  readonly #transport: Transport

  constructor(transport: Transport) {
    this.#transport = transport
  }

  /**
   * Events as they happen, without an address of your own. A lost connection is made again, and the stream goes on after
   * the last event; it ends with an error that trying again does not mend, such as the end of the key.
   *
   * ```ts
   * for await (const event of carillon.events.stream({ types: ["post.published", "post.failed"] })) {
   *   if (event.type === "post.failed") console.log(event.data.id)
   * }
   * ```
   *
   * @throws AuthenticationError the key is not accepted, or not any more
   */
  async *stream({ after, onClose, onOpen, signal, types }: EventStreamOptions = {}): AsyncGenerator<
    StreamedEvent,
    void,
    undefined
  > {
    const ended = this.#transport.untilAborted(signal)
    let lastId = after
    let failures = 0
    while (true) {
      const connection = new AbortController()
      const fail = () => connection.abort(silent)
      let silence = setTimeout(fail, longestSilence)
      let wait = firstWait
      let isOpen = false
      try {
        const given = AbortSignal.any([ended, connection.signal])
        const response = await this.#transport.open("/v1/events", { types }, lastId, given)
        for await (const { data, event, id, retry } of messagesOf(response.body!)) {
          clearTimeout(silence)
          silence = setTimeout(fail, longestSilence)
          lastId = id ?? lastId
          if (retry !== undefined) {
            wait = Number(retry)
            failures = 0
            isOpen = true
            onOpen?.(lastId!)
          }
          if (event === "resync") yield { type: event, id: lastId! }
          else if (event !== undefined) yield { ...JSON.parse(data!), id: lastId! }
        }
      } catch (error) {
        const delay = error instanceof CarillonError ? retryDelay(error, failures++) : undefined
        if (delay === undefined || ended.aborted) throw error
        wait = delay
      } finally {
        clearTimeout(silence)
        connection.abort()
        if (isOpen) onClose?.()
      }
      await pause(wait * (0.5 + Math.random() / 2), ended)
    }
  }
}

const silent = new ConnectionError(`The service said nothing for ${longestSilence / 1000} s.`, {
  code: "connection_failed"
})

type Message = Partial<Record<string, string>>

/** The messages of a stream of server-sent events; one that is cut ends. */
async function* messagesOf(body: ReadableStream<Uint8Array>): AsyncGenerator<Message, void, undefined> {
  const reader = body.getReader()
  const decoder = new TextDecoder()
  let text = ""
  try {
    while (true) {
      const { done, value } = await reader.read().catch(() => ({ done: true, value: undefined }))
      if (done) return
      text += decoder.decode(value, { stream: true })
      const messages = text.split("\n\n")
      text = messages.pop()!
      for (const message of messages) {
        const fields = [...message.matchAll(/^(\w+): (.*)$/gm)].map(([, name, value]) => [name, value])
        yield Object.fromEntries(fields)
      }
    }
  } finally {
    reader.cancel().catch(() => undefined)
  }
}
