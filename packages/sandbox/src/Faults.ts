import { Context, Effect, Layer, Schema } from "effect"
import { Journal } from "./Journal.ts"
import { Operation, type PlatformId } from "./Platforms.ts"

const times = {
  /** How many calls in a row it applies to; 1 by default. */
  times: Schema.optionalKey(Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: 1_000_000 })))
}
const anywhere = { on: Operation, ...times }
const milliseconds = Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 600_000 }))
const counted = Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: 1_000_000 }))

export const ReviewState = Schema.Literals(["pending", "approved", "rejected"])

/** One scripted fault; what each does: docs/platforms/sandbox.md. */
export const Fault = Schema.Union([
  Schema.Struct({
    ...anywhere,
    fault: Schema.Literals([
      /** 403 `forbidden`. */
      "forbidden",
      /** 401 `token_expired`; the token that was used stays expired. */
      "unauthorized",
      /** 500 without the effect. */
      "server_error_before",
      /** 500 after the effect. */
      "effect_then_server_error",
      /** The effect, then the connection is closed without an answer. */
      "effect_then_lost_reply",
      /** The effect, then the answer with 8 MiB of blanks after it. */
      "long_answer",
      /** The connection is reset without the effect. */
      "reset_before"
    ])
  }),
  /** 422, or this status, with this code and message. */
  Schema.Struct({
    ...anywhere,
    fault: Schema.Literal("refuse"),
    status: Schema.optionalKey(Schema.Int.check(Schema.isBetween({ minimum: 200, maximum: 599 }))),
    code: Schema.optionalKey(Schema.NonEmptyString),
    message: Schema.optionalKey(Schema.String)
  }),
  /** The effect at once, the answer `ms` later. */
  Schema.Struct({ ...anywhere, fault: Schema.Literal("slow"), ms: milliseconds }),
  /** 429, with `Retry-After` in seconds if given. */
  Schema.Struct({
    ...anywhere,
    fault: Schema.Literal("rate_limited"),
    retry_after: Schema.optionalKey(Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 86_400 })))
  }),
  /** The effect, then half of the JSON: as if it were all of it, or with `cut` and a closed connection. */
  Schema.Struct({
    ...anywhere,
    fault: Schema.Literal("half_body"),
    cut: Schema.optionalKey(Schema.Boolean)
  }),
  /** No answer ever; the effect `ms` after the request. The connection is closed at once (`cut`) or left open. */
  Schema.Struct({
    ...times,
    on: Schema.Literal("post"),
    fault: Schema.Literal("late_effect"),
    ms: milliseconds,
    connection: Schema.optionalKey(Schema.Literals(["cut", "hang"]))
  }),
  /**
   * The upload and `polls` looks at the file answer `processing`, then the file becomes what `becomes` says: `ready` by
   * default; `reason` is in the platform's own words. `post`: for platforms that work on a post after it was sent.
   */
  Schema.Struct({
    ...times,
    on: Schema.Literals(["media", "post"]),
    fault: Schema.Literal("processing"),
    polls: counted,
    becomes: Schema.optionalKey(Schema.Literals(["ready", "failed"])),
    reason: Schema.optionalKey(Schema.NonEmptyString)
  }),
  /** The post is reviewed: it is answered with the first of these states, and each look at it moves one on, to the last. */
  Schema.Struct({
    ...times,
    on: Schema.Literal("post"),
    fault: Schema.Literal("review"),
    states: Schema.NonEmptyArray(ReviewState).check(Schema.isMaxLength(100)),
    /** Of a rejection, in the platform's own words. */
    reason: Schema.optionalKey(Schema.NonEmptyString)
  }),
  /** The session's token, or the address that an upload goes to, expires after so many seconds. */
  Schema.Struct({
    ...times,
    on: Schema.Literals(["session", "upload_start"]),
    fault: Schema.Literal("short_lived"),
    seconds: Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 86_400 }))
  })
])
export type Fault = typeof Fault.Type

export const faultNames = Fault.members.flatMap((member) => {
  const { fault } = member.fields
  return "literals" in fault ? [...fault.literals] : [fault.literal]
})

export const FaultScript = Schema.Array(Fault)

const FaultEvent = Schema.Union([
  Schema.Struct({
    type: Schema.Literal("scripted"),
    platform: Schema.String,
    account: Schema.String,
    faults: FaultScript
  }),
  Schema.Struct({
    type: Schema.Literal("taken"),
    platform: Schema.String,
    account: Schema.String,
    on: Operation
  }),
  Schema.Struct({ type: Schema.Literal("reset") })
])
type FaultEvent = typeof FaultEvent.Type

/** The scripts of the accounts. Each call takes the first remaining fault of its operation. */
export class Faults extends Context.Service<
  Faults,
  {
    /** Replaces the rest of the account's script. An empty one clears it. */
    script(platform: PlatformId, account: string, faults: ReadonlyArray<Fault>): void
    /** The remaining faults, with the number of calls left. */
    pending(platform: PlatformId, account: string): ReadonlyArray<Fault>
    take(platform: PlatformId, account: string, on: Operation): Fault | undefined
  }
>()("@carillon/sandbox/Faults") {
  static readonly layer = Layer.effect(
    Faults,
    Effect.gen(function* () {
      const scripts = new Map<string, ReadonlyArray<Fault>>()

      const pending = (platform: string, account: string) => scripts.get(`${platform}/${account}`) ?? []

      const apply = (event: FaultEvent) => {
        switch (event.type) {
          case "scripted":
            scripts.set(
              `${event.platform}/${event.account}`,
              event.faults.map((fault) => ({ ...fault, times: fault.times ?? 1 }))
            )
            return
          case "taken": {
            const left = pending(event.platform, event.account)
            const first = left.findIndex(({ on }) => on === event.on)
            scripts.set(
              `${event.platform}/${event.account}`,
              left.flatMap((fault, index) => {
                if (index !== first) return [fault]
                const times = (fault.times ?? 1) - 1
                return times === 0 ? [] : [{ ...fault, times }]
              })
            )
            return
          }
          case "reset":
            scripts.clear()
        }
      }
      const happen = yield* (yield* Journal).stream("faults", FaultEvent, apply, { type: "reset" })

      return Faults.of({
        script: (platform, account, faults) => happen({ type: "scripted", platform, account, faults }),
        pending,
        take: (platform, account, on) => {
          const fault = pending(platform, account).find((fault) => fault.on === on)
          if (fault !== undefined) happen({ type: "taken", platform, account, on })
          return fault
        }
      })
    })
  )
}
