import { SandboxProcess } from "@carillon/sandbox/testing"
import { assert, it } from "@effect/vitest"
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { connect, create, inSeconds, ServiceWithSandbox, settled } from "@carillon/testing/Publishing"
import { receiver, until } from "@carillon/testing/Receiver"
import { Service } from "@carillon/testing/ServiceProcess"
import { inDatabaseOf } from "@carillon/testing/DatabaseOf"
import { targetsOf, violations } from "./Invariants.ts"

const minutes = 60
const hours = 60 * minutes

/** The lateness of each post of an account when the service is back, by caption. */
const absences: ReadonlyArray<{
  readonly limit: number
  readonly lateBy: Readonly<Record<string, number>>
  readonly missed: ReadonlyArray<string>
}> = [
  {
    limit: 24 * hours,
    lateBy: { a: 25 * hours, b: 24 * hours + minutes, c: 23 * hours, d: 10 * minutes, e: 9 * minutes },
    missed: ["a", "b"]
  },
  {
    limit: hours,
    lateBy: { f: 2 * hours, g: 61 * minutes, h: 59 * minutes, i: 1 },
    missed: ["f", "g"]
  }
]

it.live(
  "a service that was off publishes what is late in its order, ends as missed what is beyond the workspace's limit, and tells each once",
  () =>
    Effect.gen(function* () {
      const sandbox = yield* SandboxProcess
      const service = yield* Service
      const stored = { service, database: service.database }
      const told = yield* receiver()
      yield* service.call("POST", "/v1/webhooks", {
        url: told.url,
        events: ["post.published", "post.failed"]
      })
      const account = yield* connect("downtime")

      for (const { limit, lateBy, missed } of absences) {
        const posts = yield* Effect.forEach(Object.keys(lateBy), (caption) =>
          create({ social_accounts: [account], caption, scheduled_at: inSeconds(hours) })
        )
        yield* service.kill
        yield* inDatabaseOf(stored)(
          Effect.gen(function* () {
            const sql = yield* SqlClient.SqlClient
            yield* sql`update workspaces set lateness_limit_seconds = ${limit}`
            for (const [caption, seconds] of Object.entries(lateBy)) {
              const at = inSeconds(-seconds)
              yield* sql`update posts set scheduled_at = ${at} where caption = ${caption}`
              yield* sql`
                update targets set due_at = ${at}, next_step_at = ${at}
                where post_id = (select id from posts where caption = ${caption})`
            }
          })
        )
        yield* service.start
        for (const { id } of posts) yield* settled(id)

        const results = new Map<string, any>()
        for (const { id } of posts) {
          const { body } = yield* service.call("GET", `/v1/posts/${id}`)
          results.set(body.caption, body.results[0])
          yield* until(() => told.of(id).length > 0)
        }
        for (const [caption, { status, error }] of results) {
          const expected = missed.includes(caption) ? ["failed", "missed"] : ["published", undefined]
          assert.deepStrictEqual([status, error?.class], expected, caption)
        }
        const texts = (yield* sandbox.publications("downtime")).map(({ text }) => text)
        const sent = texts.filter((text) => text in lateBy)
        assert.deepStrictEqual(
          sent,
          Object.keys(lateBy).filter((caption) => !missed.includes(caption))
        )
        for (const { id } of posts) assert.lengthOf(told.types(id), 1)
      }
      const publications = yield* sandbox.publications("downtime")
      const targets = yield* targetsOf(stored)
      assert.deepStrictEqual(violations(targets, publications, yield* sandbox.requests()), [])
    }).pipe(Effect.provide(ServiceWithSandbox())),
  300_000
)
