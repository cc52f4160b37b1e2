import { SandboxProcess } from "@carillon/sandbox/testing"
import { connect, create, eventually, settled } from "@carillon/testing/Publishing"
import { Service } from "@carillon/testing/ServiceProcess"
import { SharedService } from "@carillon/testing/SharedService"
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { readFileSync } from "node:fs"
import { join } from "node:path"

/** A call of the script that goes as it should. */
const well = { on: "post", fault: "slow", ms: 0 } as const

/** The texts that an account published, and what each answers: the number of an earlier one. */
const threadOf = (username: string) =>
  Effect.gen(function* () {
    const live = yield* (yield* SandboxProcess).publications(username)
    return live.map(({ text, details }): readonly [string, number | null] => [
      text,
      details === undefined ? null : live.findIndex(({ id }) => id === details["reply_to"])
    ])
  })

const abc = { caption: "A", thread: ["B", { caption: "C" }] }

layer(SharedService, { excludeTestServices: true, timeout: "180 seconds", concurrent: true })(
  "a thread",
  (it) => {
    it.effect("goes out item after item, each an answer to the one before, and is one result", () =>
      Effect.gen(function* () {
        const post = yield* create({ social_accounts: [yield* connect("threaded")], ...abc })
        const { results, status, progress, thread } = yield* settled(post.id)
        assert.deepStrictEqual(yield* threadOf("threaded"), [
          ["A", null],
          ["B", 0],
          ["C", 1]
        ])
        assert.strictEqual(status, "published")
        assert.deepStrictEqual(thread, [
          { caption: "B", media: [] },
          { caption: "C", media: [] }
        ])
        assert.notProperty(progress, "failed_items")
        assert.lengthOf(results, 1)
        const [{ items, failed_items, platform_data, status: one }] = results
        assert.deepStrictEqual(
          { one, failed_items, platform_data },
          { one: "published", failed_items: 0, platform_data: items[0].platform_data }
        )
        assert.deepStrictEqual(
          items.map((item: any) => [item.index, item.status, item.error]),
          [0, 1, 2].map((index) => [index, "published", null])
        )
        const urls = items.map((item: any) => item.platform_data.url)
        assert.lengthOf(new Set(urls), 3)
      })
    )

    it.effect("a thread is refused with a sentence where an item is none, or a thread itself", () =>
      Effect.gen(function* () {
        const service = yield* Service
        const account = yield* connect("thread-shapes")
        const refused = yield* service.call("POST", "/v1/posts/validate", {
          social_accounts: [account],
          caption: "A",
          thread: [null, { caption: "B", thread: ["C"] }]
        })
        assert.deepStrictEqual(refused.body.error, [
          "thread[0]: Expected a text, or an object with caption and media.",
          "thread[1].thread is not a known field; remove it or correct its spelling. Known: caption, media."
        ])
      })
    )

    it.effect("goes on once, however many ask for it at once, after its account was gone in the middle", () =>
      Effect.gen(function* () {
        const sandbox = yield* SandboxProcess
        const service = yield* Service
        const account = yield* connect("thread-gone")
        yield* sandbox.script("thread-gone", [well, { on: "post", fault: "rate_limited", retry_after: 600 }])
        const { id } = yield* create({ social_accounts: [account], ...abc })
        yield* eventually(id, ({ results }) => results[0].error?.code === "rate_limited")
        yield* service.call("DELETE", `/v1/social-accounts/${account}`)
        const broken = yield* settled(id)
        assert.strictEqual(broken.results[0].error.code, "account_disconnected")
        const retry = service.call("POST", `/v1/posts/${id}/retry`, {})
        assert.strictEqual((yield* retry).body.errors[0].code, "social_account_disconnected")
        yield* connect("thread-gone")
        const answers = yield* Effect.all([retry, retry, retry, retry], { concurrency: "unbounded" })
        assert.deepStrictEqual(answers.map(({ status }) => status).sort(), [200, 409, 409, 409])
        yield* eventually(
          id,
          ({ status, progress }) => status === "published" && progress.failed_items === undefined
        )
        assert.deepStrictEqual(yield* threadOf("thread-gone"), [
          ["A", null],
          ["B", 0],
          ["C", 1]
        ])
      })
    )

    it.effect("describes the media of each item in its own words", () =>
      Effect.gen(function* () {
        const service = yield* Service
        const bells = readFileSync(join(import.meta.dirname, "../../examples/media/bells.jpg"))
        const [first, second] = [
          yield* service.upload(bells, "image/jpeg", "first.jpg"),
          yield* service.upload(bells, "image/jpeg", "second.jpg")
        ]
        yield* service.call("PATCH", `/v1/media/${second}`, { alt_text: "Two bells" })
        const post = yield* create({
          social_accounts: [yield* connect("thread-described")],
          caption: "A",
          media: [first],
          thread: [{ caption: "B", media: [second] }],
          platform_configurations: { sandbox: { alt_text: ["One bell"] } }
        })
        yield* settled(post.id)
        const live = yield* (yield* SandboxProcess).publications("thread-described")
        assert.deepStrictEqual(
          live.map(({ media }) => media[0]?.alt_text),
          ["One bell", "Two bells"]
        )
      })
    )

    it.effect(
      "a thread that breaks off is published, says what is missing, and a retry goes on behind what is live",
      () =>
        Effect.gen(function* () {
          const sandbox = yield* SandboxProcess
          const service = yield* Service
          const account = yield* connect("thread-broken")
          yield* sandbox.script("thread-broken", [well, { on: "post", fault: "refuse", code: "banned_word" }])
          const post = yield* create({ social_accounts: [account], ...abc })
          const broken = yield* settled(post.id)
          assert.strictEqual(broken.status, "published")
          assert.strictEqual(broken.progress.failed_items, 2)
          const [result] = broken.results
          assert.strictEqual(result.status, "published")
          assert.strictEqual(result.failed_items, 2)
          assert.strictEqual(result.error.code, "banned_word")
          assert.deepStrictEqual(
            result.items.map((item: any) => [item.status, item.error?.code]),
            [
              ["published", undefined],
              ["failed", "banned_word"],
              ["failed", undefined]
            ]
          )
          const listed = yield* service.call("GET", `/v1/posts?social_account_id=${account}`)
          assert.strictEqual(listed.body.data[0].progress.failed_items, 2)
          const found = Effect.fnUntraced(function* (query: string) {
            const { body } = yield* service.call("GET", `/v1/${query}&social_account_id=${account}`)
            return body.data.map(({ id }: any) => id)
          })
          const failures = ["posts?result=failed", "posts?result=failed&status=published"]
          const ofResults = ["post-results?status=failed", `post-results?status=failed&post_id=${post.id}`]
          for (const query of failures) assert.deepStrictEqual(yield* found(query), [post.id], query)
          for (const query of ofResults) assert.deepStrictEqual(yield* found(query), [result.id], query)
          assert.deepStrictEqual(yield* found("post-results?status=failed,published"), [result.id])
          assert.deepStrictEqual(yield* found("posts?result=unconfirmed"), [])

          const edited = yield* service.call("PATCH", `/v1/posts/${post.id}`, { caption: "D" })
          assert.strictEqual(edited.body.code, "post_not_editable")
          const { status } = yield* service.call("POST", `/v1/posts/${post.id}/retry`, {})
          assert.strictEqual(status, 200)
          const whole = yield* eventually(
            post.id,
            ({ status, progress }) => status === "published" && progress.failed_items === undefined
          )
          assert.isNull(whole.results[0].error)
          assert.strictEqual(whole.results[0].published_at, result.published_at)
          for (const query of [...failures, ...ofResults])
            assert.deepStrictEqual(yield* found(query), [], query)
          assert.deepStrictEqual(yield* threadOf("thread-broken"), [
            ["A", null],
            ["B", 0],
            ["C", 1]
          ])
          const again = yield* service.call("POST", `/v1/posts/${post.id}/retry`, {})
          assert.strictEqual(again.body.code, "nothing_to_retry")
        })
    )
  }
)
