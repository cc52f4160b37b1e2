import { SandboxProcess } from "@carillon/sandbox/testing"
import { Effect, Exit, Option, Schedule } from "effect"
import { SecureRandom } from "effect/crypto"
import { inSeconds } from "@carillon/testing/Publishing"
import { targetsOf, violations } from "./Invariants.ts"
import type { Scenario, PlatformKind } from "./Scenario.ts"
import type { Point } from "./Interceptor.ts"

/** The time that a post's last writes may take to pass after its end. */
const quiet = "600 millis"

export interface KillPoint {
  readonly kind: PlatformKind
  /** It is a thread of three. */
  readonly thread?: true
  /** Killed there and started again; killed at the second, if there is one, of what follows; and so on. */
  readonly points: ReadonlyArray<Point>
}

export interface Killed extends KillPoint {
  /** The last point was reached. */
  readonly reached: boolean
  /** The steps that were counted after each start. */
  readonly passed: ReadonlyArray<ReadonlyArray<string>>
  readonly caption: string
  readonly post: string
  /** The answer to the create was lost with the process. */
  readonly unacknowledged: boolean
}

export const wordsOf = ({ points }: KillPoint) =>
  points.map(({ step, position }) => `${position} ${step}`).join(", then ")

export const nameOf = (one: KillPoint) => `${one.kind}${one.thread ? ", thread" : ""}: ${wordsOf(one)}`

const over = (scenario: Scenario, post: string) =>
  Effect.gen(function* () {
    const answer = yield* Effect.exit(scenario.service.call("GET", `/v1/posts/${post}`))
    return Exit.isSuccess(answer) && ["published", "failed"].includes(answer.value.body.status)
  }).pipe(
    Effect.repeat({ until: (done) => done, schedule: Schedule.spaced("150 millis") }),
    Effect.timeoutOrElse({
      duration: "240 seconds",
      orElse: () =>
        Effect.die(new Error(`${post} is not over after 240 s:\n${scenario.service.output().slice(-3000)}`))
    })
  )

/** Until the process is killed, true, or the post is over and nothing more comes, false. */
const killed = (scenario: Scenario, post: string | undefined) =>
  Effect.raceFirst(
    Effect.as(scenario.service.ended, true),
    post === undefined
      ? Effect.never
      : Effect.andThen(over(scenario, post), Effect.as(Effect.sleep(quiet), false))
  )

/**
 * Creates a post that is due in a moment, kills the service at each point, starts it again and waits for the post's
 * end. A client whose create was not answered sends it again with the same Idempotency-Key.
 */
export const killAt = Effect.fn("killAt")(function* (scenario: Scenario, one: KillPoint) {
  const { kind, thread, points } = one
  const caption = `${nameOf(one)}, ${SecureRandom.uuidV4Unsafe()}`
  const post = {
    social_accounts: [scenario.account(kind).id],
    caption,
    media: [scenario.media],
    ...(thread ? { thread: ["second", "third"] } : {}),
    scheduled_at: inSeconds(1.5)
  }
  const ask = Effect.fnUntraced(function* (body: object, key: string) {
    const call = scenario.service.call("POST", "/v1/posts", body, { "idempotency-key": key })
    const answer = yield* Effect.option(Effect.sandbox(call))
    if (Option.isSome(answer)) return answer
    // A process that was not killed answers yet: the client's connection had been idle and was closed just then.
    const again = Effect.sandbox(call).pipe(Effect.delay("1 second"), Effect.retry(Schedule.forever))
    return yield* Effect.raceFirst(Effect.as(scenario.service.ended, Option.none()), Effect.asSome(again))
  })
  /** The post's id; none when there was no answer. At once where its time has passed: the machine may be slow. */
  const send = Effect.gen(function* () {
    let answer = yield* ask(post, caption)
    if (Option.isSome(answer) && answer.value.body.code === "scheduled_at_past") {
      answer = yield* ask({ ...post, scheduled_at: null }, `${caption} now`)
    }
    if (Option.isNone(answer)) return undefined
    const { status, body } = answer.value
    return status === 201
      ? (body.id as string)
      : yield* Effect.die(new Error(`${caption}: ${JSON.stringify(body)}`))
  })

  scenario.arm(points[0])
  let id = yield* send
  const unacknowledged = id === undefined
  const passed: Array<ReadonlyArray<string>> = []

  let kills = 0
  // Watched too when nothing is to be killed, and after the last kill.
  while (true) {
    const dead = yield* killed(scenario, id)
    passed.push(scenario.disarm())
    if (!dead) break
    yield* scenario.service.start
    if (++kills === 1) {
      const again = yield* send
      if (again === undefined || (id !== undefined && again !== id)) {
        return yield* Effect.die(new Error(`${caption}: it was ${id} and is ${again} now`))
      }
      id = again
    }
    scenario.arm(points[kills])
  }
  const result: Killed = {
    ...one,
    passed,
    caption,
    post: id!,
    unacknowledged,
    reached: kills === points.length
  }
  return result
})

/** A line of the table: what became of a post whose service was killed. */
export interface Line extends Killed {
  readonly status: string
  readonly attempts: number
  readonly publications: number
}

/** Holds the ledger against the scenario's database. */
export const checkInvariants = Effect.fn("checkInvariants")(function* (
  scenario: Scenario,
  results: ReadonlyArray<Killed>
) {
  const sandbox = yield* SandboxProcess
  const targets = yield* targetsOf(scenario)
  const mine = new Set(targets.map(({ username }) => username))
  const publications = (yield* sandbox.publications()).filter(({ account }) => mine.has(account))
  const requests = (yield* sandbox.requests()).filter(({ account }) => account !== null && mine.has(account))
  const broken = [...violations(targets, publications, requests)]

  const lines = results.map((one): Line => {
    const stored = targets.filter(({ caption }) => caption === one.caption)
    const [target] = stored
    if (stored.length !== 1 || target!.post_id !== one.post) {
      broken.push(`one post: "${one.caption}" is stored ${stored.length} times`)
    }
    const allowed = one.kind === "none" ? ["published", "unconfirmed"] : ["published"]
    const status = target?.state ?? "missing"
    if (!allowed.includes(status)) broken.push(`outcome: "${one.caption}" is ${status}`)
    const live = publications.filter(({ client_reference }) => client_reference === target?.id).length
    return { ...one, status, attempts: target?.attempts ?? 0, publications: live }
  })
  return { lines, broken }
})
