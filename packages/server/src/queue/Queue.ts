import {
  badRequest,
  type BadRequest,
  type Conflict,
  CurrentActor,
  type Forbidden,
  type FreeSlot,
  type FreeSlotFilter,
  inWeekOrder,
  isHeld,
  maximumLimit,
  type PostId,
  problem,
  type PutQueue,
  type Queue as Schedule,
  queueHorizon,
  type SlotInstant,
  slotInstants
} from "@carillon/domain"
import { Array, Context, DateTime, Effect, Layer, Option, Random } from "effect"
import { earliestFor, isTooSoon } from "../auth/EarliestTime.ts"
import { QueueRepository } from "./QueueRepository.ts"

/** For which post, by whose clocks, and which slot; null: none yet, the queue's own, the next free one. */
export interface AskedSlot {
  readonly post: PostId | null
  readonly timezone: string | null
  readonly slot: DateTime.Utc | null
}

/** A slot for a post, and its instant: jitter may put that after the slot. */
export interface TakenSlot {
  readonly slot: DateTime.Utc
  readonly scheduled_at: DateTime.Utc
  readonly warnings: ReadonlyArray<string>
}

export class Queue extends Context.Service<
  Queue,
  {
    readonly get: Effect.Effect<Schedule, never, CurrentActor>
    set(schedule: PutQueue): Effect.Effect<Schedule, BadRequest | Forbidden | Conflict, CurrentActor>
    /** The next free slots that the credential may take, and how many there are within the horizon. */
    free(
      filter: FreeSlotFilter
    ): Effect.Effect<
      { readonly data: ReadonlyArray<FreeSlot>; readonly total: number; readonly count: number },
      BadRequest,
      CurrentActor
    >
    /** All free slots within the horizon; none without a queue. */
    readonly allFree: Effect.Effect<ReadonlyArray<DateTime.Utc>, never, CurrentActor>
    /**
     * The next free slot, or the one that is asked for if it is free, for a post that is stored in the same transaction: until its end nobody else can take it. A
     * slot that the post itself holds counts as free. `earliest`: slots before it are passed over.
     */
    take(
      asked: AskedSlot,
      earliest?: DateTime.Utc | null
    ): Effect.Effect<TakenSlot, BadRequest | Conflict, CurrentActor>
  }
>()("@carillon/server/queue/Queue") {
  static readonly layer = Layer.effect(
    Queue,
    Effect.gen(function* () {
      const repository = yield* QueueRepository

      const get = Effect.gen(function* () {
        const actor = yield* CurrentActor
        return Option.getOrElse(yield* repository.find(actor.workspace_id), () => unset)
      })

      const set = Effect.fn("Queue.set")(function* (request: PutQueue) {
        const actor = yield* CurrentActor
        yield* ofTheWholeWorkspace(actor)
        const twice = request.slots.flatMap(({ day, time }, index) =>
          request.slots.findIndex((slot) => slot.day === day && slot.time === time) === index
            ? []
            : [
                {
                  path: `slots[${index}]`,
                  code: "invalid_value",
                  message: `slots[${index}] is ${day} ${time}, which is already listed; a slot holds one post, so list it once.`
                }
              ]
        )
        if (twice.length > 0) return yield* problem("invalid_request", twice)
        const schedule = {
          timezone: request.timezone ?? null,
          slots: Array.sort(request.slots, inWeekOrder),
          jitter_minutes: request.jitter_minutes ?? 0
        }
        yield* repository.put(actor.workspace_id, schedule)
        return schedule
      })

      /** The future slots in the zone that counts, and which of them are held. */
      const ahead = Effect.fnUntraced(function* (
        found: Option.Option<Schedule>,
        timezone: string | null,
        post: PostId | null
      ) {
        const actor = yield* CurrentActor
        if (Option.isNone(found) || found.value.slots.length === 0) {
          return yield* problem(
            "queue_not_configured",
            "The workspace's queue has no slots; add some, or give scheduled_at instead."
          )
        }
        const schedule = found.value
        const zone = DateTime.zoneMakeNamedUnsafe(timezone ?? schedule.timezone ?? actor.timezone)
        const now = yield* DateTime.now
        const until = DateTime.add(now, { milliseconds: queueHorizon })
        const held = yield* repository.held(actor.workspace_id, now, until, post)
        return {
          schedule,
          zone,
          now,
          instants: slotInstants(schedule.slots, zone, now.epochMilliseconds, until.epochMilliseconds),
          isFree: ({ at }: SlotInstant) => !held.has(at.epochMilliseconds)
        }
      })

      const freeIn = Effect.fnUntraced(function* (timezone: string | null) {
        const actor = yield* CurrentActor
        const found = yield* repository.find(actor.workspace_id)
        const { instants, isFree, now, zone } = yield* ahead(found, timezone, null)
        const earliest = earliestFor(actor, now)
        return { zone, all: [...instants].filter((one) => isFree(one) && !isTooSoon(one.at, earliest)) }
      })

      const allFree = freeIn(null).pipe(
        Effect.map(({ all }) => all.map(({ at }) => DateTime.toUtc(at))),
        Effect.orElseSucceed(() => [])
      )

      const free = Effect.fn("Queue.free")(function* (filter: FreeSlotFilter) {
        const count = Math.min(filter.count ?? 10, maximumLimit)
        const { all, zone } = yield* freeIn(filter.timezone ?? null)
        return {
          data: all.slice(0, count).map(({ at }) => ({
            scheduled_at: DateTime.toUtc(at),
            local: DateTime.formatIsoOffset(at),
            timezone: DateTime.zoneToString(zone)
          })),
          total: all.length,
          count
        }
      })

      const take = Effect.fn("Queue.take")(function* (
        { post, slot, timezone }: AskedSlot,
        earliest: DateTime.Utc | null = null
      ) {
        const actor = yield* CurrentActor
        // Read after the lock was taken, by a statement that sees what the last holder has stored.
        const { schedule, instants, isFree, zone } = yield* ahead(
          yield* repository.lock(actor.workspace_id),
          timezone,
          post
        )
        const isAsked = ({ at }: SlotInstant) =>
          slot === null ? !isTooSoon(at, earliest) : at.epochMilliseconds === slot.epochMilliseconds
        let candidate = instants.next()
        while (!candidate.done && !(isAsked(candidate.value) && isFree(candidate.value)))
          candidate = instants.next()
        if (candidate.done && slot !== null) {
          return yield* badRequest([
            {
              path: "use_queue",
              code: "invalid_value",
              message: `use_queue.slot ${DateTime.formatIso(slot)} is not a free slot of the next 90 days; choose one from the list of free slots.`
            }
          ])
        }
        if (candidate.done) {
          return yield* problem(
            "queue_full",
            "Every slot of the next 90 days is held by a post; add slots, or give scheduled_at instead."
          )
        }
        const [taken, next] = [candidate.value, instants.next()]
        const shift = yield* jitter(schedule, taken, next.done ? null : next.value)
        return {
          slot: DateTime.toUtc(taken.at),
          scheduled_at: DateTime.toUtc(DateTime.add(taken.at, { seconds: shift })),
          warnings: taken.moved
            ? [
                `The slot's time does not exist in ${DateTime.zoneToString(zone)} on that day, where the clocks go forward then; it was moved to ${DateTime.formatIsoZoned(taken.at)}.`
              ]
            : []
        }
      })

      return Queue.of({ get, set, free, allFree, take })
    })
  ).pipe(Layer.provide(QueueRepository.layer))
}

const unset: Schedule = { timezone: null, slots: [], jitter_minutes: 0 }

/** A credential for some accounts may not change what the queue decides for every post of the workspace. */
const ofTheWholeWorkspace = (actor: CurrentActor["Service"]) =>
  isHeld(actor)
    ? problem(
        "approval_needed",
        "The queue decides when the posts of the whole workspace go out; whose posts wait for an approval cannot change it. Ask an editor of the workspace, or the person who connected the app."
      )
    : actor.social_accounts !== null
      ? problem(
          "account_not_allowed",
          "The queue decides when the posts of the whole workspace go out; a credential for some of its accounts cannot change it. Use one that includes all of them."
        )
      : Effect.void

/** Whole seconds after the slot and before the next one: posts go out in the order of their slots. */
const jitter = ({ jitter_minutes }: Schedule, slot: SlotInstant, next: SlotInstant | null) => {
  const room =
    next === null
      ? Number.POSITIVE_INFINITY
      : (next.at.epochMilliseconds - slot.at.epochMilliseconds) / 1000 - 1
  return Random.nextIntBetween(0, Math.min(jitter_minutes * 60, room))
}
