import {
  credentialOf,
  CurrentActor,
  type EventStreamFilter,
  mostStreams,
  problem,
  type TooManyRequests
} from "@carillon/domain"
import * as NodeHttpServerRequest from "@effect/platform-node/NodeHttpServerRequest"
import { Context, Effect, Latch, Layer, Option, type Scope, Stream } from "effect"
import { HttpServerRequest } from "effect/http"
import { Admission } from "../auth/Admission.ts"
import { EventLog, type LoggedEvent } from "../events/EventLog.ts"
import { Listeners } from "../events/Listeners.ts"
import { Listener } from "../http/Listener.ts"
import { Wakeup } from "../sql/Wakeup.ts"
import { supervised } from "../Supervised.ts"
import { EventTail } from "./EventTail.ts"
import { Hearing } from "./Hearing.ts"

/** A stream says this often that it is there: proxies close what is silent. */
const heartbeat = "15 seconds"
/** How long a client waits before it comes back, in milliseconds. */
const retry = 2000

type Actor = CurrentActor["Service"]

interface Open {
  actor: Actor
  isOver: boolean
  readonly wake: Latch.Latch
  /** Its actor as the credential is now. */
  readonly present: Effect.Effect<Option.Option<Actor>>
  /** Closes the connection of a client that does not read. */
  readonly drop: () => void
}

/**
 * The open streams of this process. None is ahead of its client: what is not read is not kept, but read again from the
 * database.
 *
 * @effect-expect-leaking HttpServerRequest
 */
export class EventStreams extends Context.Service<
  EventStreams,
  {
    /** A stream for as long as the request lasts. It is listening when it is there. */
    open(
      filter: EventStreamFilter,
      lastEventId: string | undefined
    ): Effect.Effect<
      Stream.Stream<Uint8Array>,
      TooManyRequests,
      CurrentActor | HttpServerRequest.HttpServerRequest | Scope.Scope
    >
  }
>()("@carillon/server/streams/EventStreams") {
  static readonly layer = Layer.effect(
    EventStreams,
    Effect.gen(function* () {
      const admission = yield* Admission
      const listener = yield* Listener
      const listeners = yield* Listeners
      const log = yield* EventLog
      const tail = yield* EventTail
      const hearing = yield* Hearing
      const streams = new Set<Open>()
      let stopping = false

      const end = (stream: Open) => {
        stream.isOver = true
        stream.wake.openUnsafe()
        stream.drop()
      }

      const check = Effect.fnUntraced(function* (stream: Open) {
        const actor = yield* stream.present
        if (Option.isNone(actor) || actor.value.workspace_id !== stream.actor.workspace_id) return end(stream)
        stream.actor = actor.value
      })

      const credentials = yield* (yield* Wakeup).credentials.subscribe
      // Credentials that expire, and those whose signal was lost, end a little later.
      yield* supervised(
        "credentials of event streams",
        Effect.gen(function* () {
          yield* credentials.arm
          yield* Effect.forEach([...streams], check, { concurrency: 4, discard: true })
          yield* Effect.timeoutOrElse(credentials.await, { duration: heartbeat, orElse: () => Effect.void })
        }).pipe(Effect.forever)
      )
      yield* supervised(
        "listeners",
        Effect.gen(function* () {
          yield* Effect.sleep("1 minute")
          const workspaces = new Set([...streams].map(({ actor }) => actor.workspace_id))
          yield* Effect.forEach(workspaces, listeners.listen, { discard: true })
        }).pipe(Effect.forever)
      )
      yield* Effect.forkScoped(
        Effect.map(listener.stopping, () => {
          stopping = true
          streams.forEach(end)
        })
      )

      const opened = Effect.gen(function* () {
        const actor = yield* CurrentActor
        const request = yield* HttpServerRequest.HttpServerRequest
        const credential = credentialOf(actor)
        const same = [...streams].filter((one) => credentialOf(one.actor) === credential).length
        if (same >= mostStreams) {
          return yield* problem(
            "stream_limit_reached",
            `This credential has ${same} streams open, which is the most; close one, or let several readers share one.`
          )
        }
        const response = NodeHttpServerRequest.toServerResponse(request)
        const stream: Open = {
          actor,
          isOver: stopping,
          wake: Latch.makeUnsafe(false),
          present: Effect.provideService(admission.present, HttpServerRequest.HttpServerRequest, request),
          drop: () => {
            if (response.writableNeedDrain) response.destroy()
          }
        }
        return yield* Effect.acquireRelease(
          Effect.sync(() => {
            streams.add(stream)
            return stream
          }),
          () => Effect.sync(() => streams.delete(stream))
        )
      })

      const open = Effect.fnUntraced(function* (
        { after, types }: EventStreamFilter,
        lastEventId: string | undefined
      ) {
        const stream = yield* opened
        const { workspace_id } = stream.actor
        const since = yield* listeners.listen(workspace_id)
        const following = yield* tail.follow(workspace_id, () => stream.wake.openUnsafe())
        const from = sequenceOf(lastEventId ?? after)
        const isKept =
          from === undefined || (from !== null && from >= since && (yield* Effect.orDie(log.isKept(from))))
        const start = isKept && from != null ? from : following.position()
        const isAsked =
          types === undefined ? () => true : (type: LoggedEvent["type"]) => types.some((one) => one === type)

        const next = Effect.fnUntraced(function* (position: number) {
          stream.wake.closeUnsafe()
          const { events, to } = yield* following.after(position)
          let text = ""
          for (const event of events) {
            const told = yield* Effect.provideService(hearing.of(event), CurrentActor, stream.actor)
            if (Option.isSome(told) && isAsked(told.value.type)) text += frame(event.sequence, told.value)
          }
          if (text === "" && !stream.isOver) {
            const isWoken = yield* Effect.timeoutOrElse(Effect.as(stream.wake.await, true), {
              duration: heartbeat,
              orElse: () => Effect.succeed(false)
            })
            if (!isWoken) text = `:\n${place(to)}`
          }
          return [text === "" ? [] : [encode(text)], stream.isOver ? Option.none() : Option.some(to)] as const
        })

        const resync = isKept ? "" : "event: resync\ndata: {}\n"
        return Stream.concat(
          Stream.succeed(encode(`retry: ${retry}\n${resync}${place(start)}`)),
          Stream.paginate(start, next)
        )
      })

      return EventStreams.of({ open })
    })
  ).pipe(Layer.provide([EventTail.layer, EventLog.layer, Listeners.layer, Hearing.layer]))
}

/** null: no id that a stream ever said. */
const sequenceOf = (text: string | undefined): number | null | undefined =>
  text === undefined || text === "" ? undefined : /^\d{1,15}$/.test(text) ? Number(text) : null

/** Where a client that comes back goes on, and the end of what is said. */
const place = (sequence: number) => `id: ${sequence}\n\n`

const frame = (sequence: number, { body, type }: { readonly body: string; readonly type: string }) =>
  `event: ${type}\ndata: ${body}\n${place(sequence)}`

const encoder = new TextEncoder()
const encode = (text: string) => encoder.encode(text)
