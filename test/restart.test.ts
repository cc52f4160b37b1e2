import { SandboxProcess } from "@carillon/sandbox/testing"
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { inDatabaseOf } from "@carillon/testing/DatabaseOf"
import { connect, create, inSeconds, ServiceWithSandbox, settled } from "@carillon/testing/Publishing"
import { Service } from "@carillon/testing/ServiceProcess"

layer(ServiceWithSandbox(), { excludeTestServices: true, timeout: "180 seconds" })(
  "a service that stops",
  (it) => {
    it.effect("sends what it acknowledged before it was killed, once, when it is back in time", () =>
      Effect.gen(function* () {
        const service = yield* Service
        const sandbox = yield* SandboxProcess
        const account = yield* connect("killed-before")
        const scheduledAt = inSeconds(8)
        const post = yield* create({ social_accounts: [account], caption: "Kept", scheduled_at: scheduledAt })
        yield* service.kill
        yield* service.start
        const [published] = yield* sandbox.waitForPublications("killed-before", 1)
        assert.isAtLeast(Date.parse(String(published!.received_at)), Date.parse(scheduledAt))
        assert.strictEqual((yield* settled(post.id)).status, "published")
        assert.lengthOf(yield* sandbox.publications("killed-before"), 1)
      })
    )

    it.effect("sends late what was due while it was down", () =>
      Effect.gen(function* () {
        const service = yield* Service
        const sandbox = yield* SandboxProcess
        const account = yield* connect("down")
        const post = yield* create({
          social_accounts: [account],
          caption: "Late",
          scheduled_at: inSeconds(3600)
        })
        yield* service.kill
        yield* inDatabaseOf({ service, database: service.database })(
          Effect.gen(function* () {
            const sql = yield* SqlClient.SqlClient
            const at = inSeconds(-1)
            yield* sql`update posts set scheduled_at = ${at} where id = ${post.id}`
            yield* sql`update targets set due_at = ${at}, next_step_at = ${at} where post_id = ${post.id}`
          })
        )
        assert.lengthOf(yield* sandbox.publications("down"), 0)
        yield* service.start
        assert.strictEqual((yield* settled(post.id)).status, "published")
        assert.lengthOf(yield* sandbox.publications("down"), 1)
      })
    )

    for (const [username, kind] of [
      ["held", "honours a key"],
      ["held-lookup", "can be asked"]
    ] as const) {
      it.effect(`publishes once what it was sending when it was killed, on a platform that ${kind}`, () =>
        Effect.gen(function* () {
          const service = yield* Service
          const sandbox = yield* SandboxProcess
          const account = yield* connect(username)
          // The effect is there at once, the reply would come long after the process is gone.
          yield* sandbox.script(username, [{ on: "post", fault: "effect_then_lost_reply" }])
          const post = yield* create({ social_accounts: [account], caption: "In flight" })
          yield* sandbox.waitForPublications(username, 1)
          yield* service.kill
          yield* service.start
          assert.strictEqual((yield* settled(post.id)).status, "published")
          assert.lengthOf(yield* sandbox.publications(username), 1)
        })
      )
    }

    it.effect("leaves to a person what it was sending when it was killed, where nobody can know", () =>
      Effect.gen(function* () {
        const service = yield* Service
        const sandbox = yield* SandboxProcess
        const account = yield* connect("held-none")
        yield* sandbox.script("held-none", [{ on: "post", fault: "effect_then_lost_reply" }])
        const post = yield* create({ social_accounts: [account], caption: "In flight" })
        yield* sandbox.waitForPublications("held-none", 1)
        yield* service.kill
        yield* service.start
        assert.strictEqual((yield* settled(post.id)).results[0].status, "unconfirmed")
        assert.lengthOf(yield* sandbox.publications("held-none"), 1)
      })
    )

    it.effect("finishes the commit that has begun when it is told to stop, and ends with 0", () =>
      Effect.gen(function* () {
        const service = yield* Service
        const sandbox = yield* SandboxProcess
        const account = yield* connect("stopping-none")
        yield* sandbox.script("stopping-none", [{ on: "post", fault: "slow", ms: 1500 }])
        const post = yield* create({ social_accounts: [account], caption: "Slow" })
        // The effect is there; the answer is not yet.
        yield* sandbox.waitForPublications("stopping-none", 1)
        assert.strictEqual(yield* service.terminate, 0)
        yield* service.start
        const after = yield* settled(post.id)
        assert.strictEqual(after.results[0].status, "published")
        assert.strictEqual(after.results[0].attempts, 1)
        assert.lengthOf(yield* sandbox.publications("stopping-none"), 1)
      })
    )

    it.effect("lets the owner in with the link of its last start only", () =>
      Effect.gen(function* () {
        const service = yield* Service
        const links = () => service.output().match(/http\S+\/welcome\/\S+/g)!
        if (links().length === 1) yield* Effect.andThen(service.kill, service.start)
        const answers = yield* Effect.forEach(links(), (link) => Effect.promise(() => fetch(link)))
        assert.deepStrictEqual(
          answers.map(({ status }) => status),
          links().map((_, index, all) => (index === all.length - 1 ? 200 : 404))
        )
      })
    )
  }
)
