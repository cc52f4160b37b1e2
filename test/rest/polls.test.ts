import { SandboxProcess } from "@carillon/sandbox/testing"
import { typedAt } from "@carillon/testing/ConnectedAccount"
import { create, settled } from "@carillon/testing/Publishing"
import { Service } from "@carillon/testing/ServiceProcess"
import { SharedService } from "@carillon/testing/SharedService"
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"

const poll = { question: "Which bell?", options: ["High", "Low"] }

layer(SharedService, { excludeTestServices: true, concurrent: true })(
  "a poll with its own question",
  (it) => {
    const connected = Effect.fnUntraced(function* (
      platform: "telegram" | "discord" | "mastodon",
      name: string
    ) {
      const { call } = yield* Service
      const { body, status } = yield* call("POST", "/v1/social-accounts", {
        platform,
        credentials: typedAt[platform](name)
      })
      assert.strictEqual(status, 201, JSON.stringify(body))
      return body.id as number
    })

    it.effect.each(["telegram", "discord", "mastodon"] as const)(
      "goes out on %s without a caption",
      (platform) =>
        Effect.gen(function* () {
          const name = `asking${platform}`
          const account = yield* connected(platform, name)
          const sandbox = (yield* SandboxProcess).on(platform)
          const post = yield* create({
            social_accounts: [account],
            platform_configurations: { [platform]: { poll } }
          })
          const { results, status } = yield* settled(post.id)
          assert.strictEqual(status, "published", JSON.stringify(results))
          const [sent] = yield* sandbox.publications(name)
          assert.include(JSON.stringify(sent), "Which bell?")
          // The caption of the others is no part of it.
          const other = yield* create({
            caption: "Bells",
            social_accounts: [account],
            platform_configurations: { [platform]: { caption: " ", poll } }
          })
          assert.strictEqual((yield* settled(other.id)).status, "published")
          const [, second] = yield* sandbox.publications(name)
          assert.notInclude(JSON.stringify(second), "Bells")
        })
    )

    it.effect(
      "a poll with its own question is refused where the question is blank, and stands for no later item of a thread",
      () =>
        Effect.gen(function* () {
          const { call } = yield* Service
          const account = yield* connected("mastodon", "askingblank")
          const refusedFor = (more: object, asked: object) =>
            Effect.map(
              call("POST", "/v1/posts", {
                social_accounts: [account],
                platform_configurations: { mastodon: { poll: asked } },
                ...more
              }),
              ({ body, status }) => [status, body.code]
            )
          assert.deepStrictEqual(yield* refusedFor({}, { ...poll, question: " " }), [400, "invalid_request"])
          assert.deepStrictEqual(yield* refusedFor({}, { options: poll.options }), [400, "empty_post"])
          assert.deepStrictEqual(yield* refusedFor({ thread: [{ caption: "" }] }, poll), [400, "empty_post"])
          const post = yield* create({
            social_accounts: [account],
            thread: [{ caption: "Say which" }],
            platform_configurations: { mastodon: { poll } }
          })
          assert.strictEqual((yield* settled(post.id)).status, "published")
        })
    )
  }
)
