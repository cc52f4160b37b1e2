import type { WorkspaceId } from "@carillon/domain"
import { Context, Effect, Latch, Layer, type Scope } from "effect"
import { EventLog, type LoggedEvent } from "../events/EventLog.ts"
import { Wakeup } from "../sql/Wakeup.ts"
import { supervised } from "../Supervised.ts"

/** What is kept of a workspace's latest events, so that its streams need not read them each for itself. */
const mostRecent = 100
const mostCharacters = 1_000_000

/** A wake-up from another process may be lost. */
const longestSleep = "5 seconds"

interface Channel {
  readonly wakes: Set<() => void>
  recent: ReadonlyArray<LoggedEvent>
  /** `recent` has every event after this sequence; undefined: none was read for it yet. */
  since: number | undefined
}

export interface Following {
  /** How far the events are known: a stream that begins now begins here. */
  readonly position: () => number
  /** Events after a sequence, and how far they reach. None: there are none yet. */
  after(sequence: number): Effect.Effect<{ readonly events: ReadonlyArray<LoggedEvent>; readonly to: number }>
}

/** Reads the events once for all streams of this process, and only while there are any. */
export class EventTail extends Context.Service<
  EventTail,
  {
    /** Calls `wake` when the workspace has events, until the scope ends. */
    follow(workspaceId: WorkspaceId, wake: () => void): Effect.Effect<Following, never, Scope.Scope>
  }
>()("@carillon/server/streams/EventTail") {
  static readonly layer = Layer.effect(
    EventTail,
    Effect.gen(function* () {
      const log = yield* EventLog
      const signal = yield* (yield* Wakeup).events.subscribe
      const channels = new Map<WorkspaceId, Channel>()
      const asked = Latch.makeUnsafe(false)
      const ready = Latch.makeUnsafe(false)
      let position: number | undefined

      const read = Effect.gen(function* () {
        yield* signal.arm
        position ??= yield* log.newest
        ready.openUnsafe()
        for (const channel of channels.values()) channel.since ??= position
        const events = yield* log.next(position, [...channels.keys()])
        const last = events.at(-1)
        if (last === undefined) {
          return yield* Effect.timeoutOrElse(signal.await, {
            duration: longestSleep,
            orElse: () => Effect.void
          })
        }
        position = last.sequence
        for (const [workspaceId, group] of Map.groupBy(events, ({ workspace_id }) => workspace_id)) {
          const channel = channels.get(workspaceId as WorkspaceId)
          if (channel === undefined) continue
          if (channel.since !== undefined) keep(channel, group)
          channel.wakes.forEach((wake) => wake())
        }
      })

      yield* supervised(
        "event tail",
        Effect.gen(function* () {
          yield* asked.await
          while (channels.size > 0) yield* read
          asked.closeUnsafe()
          ready.closeUnsafe()
          position = undefined
        }).pipe(Effect.orDie, Effect.forever)
      )

      const channelOf = (workspaceId: WorkspaceId) => {
        const channel = channels.get(workspaceId) ?? { wakes: new Set(), recent: [], since: undefined }
        channels.set(workspaceId, channel)
        asked.openUnsafe()
        return channel
      }

      const follow = Effect.fnUntraced(function* (workspaceId: WorkspaceId, wake: () => void) {
        const channel = yield* Effect.acquireRelease(
          Effect.sync(() => {
            const channel = channelOf(workspaceId)
            channel.wakes.add(wake)
            return channel
          }),
          (channel) =>
            Effect.sync(() => {
              channel.wakes.delete(wake)
              if (channel.wakes.size === 0) channels.delete(workspaceId)
            })
        )
        yield* ready.await
        return {
          position: () => position!,
          after: (sequence: number) => {
            const to = position!
            return channel.since !== undefined && sequence >= channel.since
              ? Effect.succeed({ events: channel.recent.filter((event) => event.sequence > sequence), to })
              : Effect.orDie(log.between(workspaceId, sequence, to))
          }
        }
      })

      return EventTail.of({ follow })
    })
  ).pipe(Layer.provide(EventLog.layer))
}

const keep = (channel: Channel, events: ReadonlyArray<LoggedEvent>) => {
  const recent = [...channel.recent, ...events]
  let characters = recent.reduce((sum, { data }) => sum + (data ?? "").length, 0)
  while (recent.length > mostRecent || characters > mostCharacters) {
    const { data, sequence } = recent.shift()!
    characters -= (data ?? "").length
    channel.since = sequence
  }
  channel.recent = recent
}
