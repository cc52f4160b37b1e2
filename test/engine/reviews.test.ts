import { SandboxProcess } from "@carillon/sandbox/testing"
import { inDatabaseOf } from "@carillon/testing/DatabaseOf"
import { connect, create, ServiceWithSandbox, settled } from "@carillon/testing/Publishing"
import { receiver, until } from "@carillon/testing/Receiver"
import { Service } from "@carillon/testing/ServiceProcess"
import { assert, layer } from "@effect/vitest"
import { Effect, Schedule } from "effect"
import { SqlClient } from "effect/sql"

const everyTenth = Schedule.spaced("100 millis")

layer(ServiceWithSandbox(), { excludeTestServices: true, timeout: "180 seconds" })(
  "a post that its network reviews",
  (it) => {
    const published = Effect.fnUntraced(function* (
      username: string,
      states: ReadonlyArray<"pending" | "rejected">
    ) {
      const service = yield* Service
      const sandbox = yield* SandboxProcess
      const hook = yield* receiver()
      const { body } = yield* service.call("POST", "/v1/webhooks", {
        url: hook.url,
        events: ["result.rejected"]
      })
      const account = yield* connect(username)
      const [first, ...rest] = states
      yield* sandbox.script(username, [
        { on: "post", fault: "review", states: [first!, ...rest], reason: "A phone number" },
        { on: "post_status", fault: "slow", ms: username.startsWith("killed") ? 600_000 : 0 }
      ])
      const { id } = yield* create({ social_accounts: [account], caption: "Call us" })
      const post = yield* settled(id)
      assert.strictEqual(post.results[0].platform_data.review, "pending")
      return { account, hook, post, webhook: body.id as string }
    })

    /** Starts the service again when the time has come to ask. */
    const startWhenDue = Effect.gen(function* () {
      const service = yield* Service
      yield* service.kill
      yield* inDatabaseOf({ service, database: service.database })(
        Effect.flatMap(
          SqlClient.SqlClient,
          (sql) => sql`update targets set review_at = now() where review_at is not null`
        )
      )
      yield* service.start
    })

    it.effect(
      "stays published when it is rejected, is told of with the reason, and is found until it is dismissed",
      () =>
        Effect.gen(function* () {
          const service = yield* Service
          const { account, hook, post } = yield* published("rejected", ["pending", "rejected"])
          yield* startWhenDue
          yield* until(() => hook.received.length > 0)
          const { body: now } = yield* service.call("GET", `/v1/posts/${post.id}`)
          const [result] = now.results
          assert.deepStrictEqual(
            [now.status, result.status, now.progress.rejected],
            ["published", "published", 1]
          )
          assert.deepStrictEqual(result.platform_data, {
            ...post.results[0].platform_data,
            review: "rejected",
            review_reason: "A phone number"
          })
          assert.notStrictEqual(now.version, post.version)
          assert.deepStrictEqual(
            hook.received.map(({ event: { type, data } }) => [type, data]),
            [["result.rejected", result]]
          )
          const read = (name: string, args: object) =>
            Effect.map(
              service.call("POST", "/mcp", {
                jsonrpc: "2.0",
                id: 1,
                method: "tools/call",
                params: { name, arguments: args }
              }),
              ({ body }) => body.result.structuredContent
            )
          assert.match(
            (yield* read("get_post", { post_id: post.id })).next_step,
            /^The network rejected it on sandbox @rejected .* create_post makes a changed one/
          )
          const { posts } = yield* read("list_posts", { account_id: account })
          assert.include(posts[0].trouble[0].why, "rejected it in its review: A phone number")
          const failed = (list: string) =>
            Effect.map(service.call("GET", `/v1/${list}&social_account_id=${account}`), ({ body }) =>
              body.data.map(({ id }: { readonly id: string }) => id)
            )
          assert.deepStrictEqual(yield* failed("posts?result=failed"), [post.id])
          const standing = failed("post-results?status=failed&dismissed=false")
          assert.deepStrictEqual(yield* standing, [result.id])
          yield* service.call("POST", `/v1/post-results/${result.id}/dismiss`, { dismissed: true })
          assert.deepStrictEqual(yield* standing, [])
        })
    )

    it.effect("is told of once when the service is killed while the network answers", () =>
      Effect.gen(function* () {
        const service = yield* Service
        const sandbox = yield* SandboxProcess
        const { hook, post, webhook } = yield* published("killed", ["pending", "rejected"])
        const questions = Effect.map(sandbox.requests("killed"), (requests) =>
          requests.filter(({ operation }) => operation === "post_status")
        )
        yield* Effect.repeat(questions, { until: ({ length }) => length > 0, schedule: everyTenth })
        // The time that the killed process took for its question is over.
        yield* startWhenDue
        yield* until(() => hook.received.length > 0)
        assert.lengthOf(yield* questions, 2)
        const { body } = yield* service.call(
          "GET",
          `/v1/webhooks/${webhook}/deliveries?event_type=result.rejected`
        )
        assert.deepStrictEqual([body.meta.total, hook.received[0]!.event.data.post_id], [1, post.id])
      })
    )
  }
)
