import { SandboxProcess } from "@carillon/sandbox/testing"
import { assert } from "@effect/vitest"
import { Clock, Effect, Schedule } from "effect"
import { SqlClient } from "effect/sql"
import { connect, create, settled } from "@carillon/testing/Publishing"
import { Service, type ServiceProcess } from "@carillon/testing/ServiceProcess"
import { inDatabaseOf, type Stored } from "@carillon/testing/DatabaseOf"
import { targetsOf, unpublished, violations } from "./Invariants.ts"
import { type Scenario, platformKinds } from "./Scenario.ts"

/** So many accounts of every platform kind in turn. */
export const accounts = ({ service }: Pick<Scenario, "service">, name: string, count: number) =>
  Effect.forEach(
    Array.from({ length: count }, (_, index) => `${name}${index}-${platformKinds[index % 3]!}`),
    connect,
    { concurrency: 10 }
  ).pipe(Effect.provideService(Service, service))

export const createAll = (scenario: Scenario, ids: ReadonlyArray<number>, dueAt: (index: number) => string) =>
  Effect.forEach(
    ids,
    (id, index) =>
      create({
        social_accounts: [id],
        caption: `Post ${index}`,
        media: [scenario.media],
        scheduled_at: dueAt(index)
      }),
    { concurrency: 10 }
  ).pipe(Effect.provideService(Service, scenario.service))

const counted = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const rows = yield* sql<{ count: number }>`
    select count(*)::int as count from targets where state = 'claimed' and lease_until > clock_timestamp()`
  return rows[0]!.count
})

/** What the service holds and has not marked: it gives it back, or another process takes it. */
export const countHeld = (stored: Stored) =>
  inDatabaseOf(stored)(
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const rows = yield* sql<{ count: number }>`
        select count(*)::int as count from targets where state = 'claimed'`
      return rows[0]!.count
    })
  )

/** No lease runs out during the test: what goes out elsewhere was taken because its holder is dead. */
export const extendLeases = (stored: Stored) =>
  inDatabaseOf(stored)(
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      yield* sql`update targets set lease_until = lease_until + interval '1 hour' where state = 'claimed'`
    })
  )

/** A post for each of the accounts, all of them claimed by the service and not marked yet when it returns. */
export const claimed = (stored: Stored, ids: ReadonlyArray<number>) =>
  Effect.gen(function* () {
    const due = (yield* Clock.currentTimeMillis) + 12_000
    const posts = yield* Effect.forEach(
      ids,
      (id, index) =>
        create({
          social_accounts: [id],
          caption: `Post ${index}`,
          scheduled_at: new Date(due).toISOString()
        }),
      { concurrency: 5 }
    )
    const isAll = yield* inDatabaseOf(stored)(
      Effect.repeat(Effect.all([Effect.orDie(counted), Clock.currentTimeMillis]), {
        until: ([count, now]) => count === posts.length || now > due,
        schedule: Schedule.spaced("50 millis")
      })
    ).pipe(Effect.map(([count]) => count === posts.length))
    // They are claimed for a good second. A reader that missed it starts over.
    if (!isAll) yield* Effect.forEach(posts, ({ id }) => settled(id))
    return { due, isAll, posts }
  }).pipe(
    Effect.repeat({ until: (one) => one.isAll, times: 4 }),
    Effect.provideService(Service, stored.service)
  )

/** As a client does it that wants to be sure: the same again until there is an answer. */
export const insist = Effect.fnUntraced(function* (service: ServiceProcess, post: object, key: string) {
  const { body } = yield* service
    .call("POST", "/v1/posts", post, { "idempotency-key": key })
    .pipe(Effect.repeat({ until: ({ status }) => status === 201, schedule: Schedule.spaced("100 millis") }))
  return body.id as string
})

/** Everything is over: the invariants hold, and all is published. */
export const checkInvariants = Effect.fnUntraced(function* (stored: Stored) {
  const sandbox = yield* SandboxProcess
  const targets = yield* targetsOf(stored)
  const publications = yield* sandbox.publications()
  assert.deepStrictEqual(violations(targets, publications, yield* sandbox.requests()), [])
  const states = Object.groupBy(targets, ({ username, state }) => `${username.split("-").at(-1)} ${state}`)
  console.log(
    Object.entries(states)
      .map(([state, of]) => `${state}: ${of!.length}`)
      .join(", ")
  )
  assert.deepStrictEqual(unpublished(targets), [])
  return { targets, publications }
})

export const ready = (scenario: Scenario) =>
  Effect.map(scenario.service.call("GET", "/readyz"), ({ status }) => status)
