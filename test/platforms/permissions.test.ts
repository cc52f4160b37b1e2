import { SandboxProcess } from "@carillon/sandbox/testing"
import { connectInBrowser } from "@carillon/testing/ConsentVisit"
import { inDatabaseOf } from "@carillon/testing/DatabaseOf"
import { create, ServiceWithSandbox, settled } from "@carillon/testing/Publishing"
import { Service } from "@carillon/testing/ServiceProcess"
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { readFile } from "node:fs/promises"
import { join } from "node:path"

const film = Effect.promise(() =>
  readFile(join(import.meta.dirname, "../../packages/server/test/media/fixtures/video.mp4"))
)

layer(ServiceWithSandbox(), { excludeTestServices: true })("an option that needs a permission", (it) => {
  it.effect("is refused until the account has it, while the account's other posts go out", () =>
    Effect.gen(function* () {
      const service = yield* Service
      const connect = (permissions: ReadonlyArray<"first_comment" | "playlists">) =>
        Effect.map(connectInBrowser("youtube", "narrow", { permissions }), ([id]) => id!)
      const permissionsOf = (id: number) =>
        Effect.map(service.call("GET", `/v1/social-accounts/${id}`), ({ body }) => body.permissions)
      const id = yield* connect([])
      assert.deepStrictEqual(yield* permissionsOf(id), {
        granted: [],
        missing: ["first_comment", "playlists"]
      })
      const video = yield* service.upload(yield* film, "video/mp4", "bells.mp4")
      const plain = { social_accounts: [id], caption: "Bells", media: [video] }
      const post = { ...plain, platform_configurations: { youtube: { first_comment: "First" } } }
      for (const path of ["/v1/posts", "/v1/posts/validate"]) {
        const { body, status } = yield* service.call("POST", path, post)
        assert.strictEqual(status, 400)
        assert.lengthOf(body.errors, 1)
        assert.deepInclude(body.errors[0], {
          path: "platform_configurations.youtube.first_comment",
          code: "option_not_accepted",
          rule: "reconnect_account",
          value: "first_comment"
        })
        const { message } = body.errors[0]
        assert.include(message, "https://www.googleapis.com/auth/youtube.force-ssl")
        assert.include(message, `/app/accounts?reconnect=${id}&allow=first_comment`)
      }
      assert.strictEqual((yield* settled((yield* create(plain)).id)).status, "published")

      assert.strictEqual(yield* connect(["first_comment"]), id)
      // The scope for comments is the widest.
      assert.deepStrictEqual(yield* permissionsOf(id), {
        granted: ["first_comment", "playlists"],
        missing: []
      })
      const [result] = (yield* settled((yield* create(post)).id)).results
      assert.deepInclude(result, { status: "published", error: null })
      const { publications } = (yield* SandboxProcess).on("youtube")
      const live = yield* publications("narrow")
      assert.deepStrictEqual(
        live.map(({ details = {} }) => details["comments"]),
        [undefined, ["First"]]
      )
    })
  )

  it.effect("is tried where nobody knows what was granted, and the post says what was refused", () =>
    Effect.gen(function* () {
      const service = yield* Service
      const [id] = yield* connectInBrowser("youtube", "old", { permissions: [] })
      yield* service.kill
      yield* inDatabaseOf({ service, database: service.database })(
        Effect.gen(function* () {
          const sql = yield* SqlClient.SqlClient
          yield* sql`update social_accounts set granted_scopes = null where id = ${id!}`
        })
      )
      yield* service.start
      const { body } = yield* service.call("GET", `/v1/social-accounts/${id}`)
      assert.strictEqual(body.permissions, null)
      const video = yield* service.upload(yield* film, "video/mp4", "bells.mp4")
      const { id: post } = yield* create({
        social_accounts: [id!],
        caption: "Old bells",
        media: [video],
        platform_configurations: { youtube: { first_comment: "First" } }
      })
      const { results, status } = yield* settled(post)
      assert.strictEqual(status, "published")
      const [result] = results
      assert.strictEqual(result.error, null)
      assert.match(
        result.platform_data.warnings.join(),
        /^The first comment could not be posted\. A permission/
      )
      const single = yield* service.call("GET", `/v1/post-results/${result.id}`)
      assert.deepStrictEqual(
        single.body.attempts_log.map(({ message }: any) => message === null),
        [true, false]
      )
      const account = yield* service.call("GET", `/v1/social-accounts/${id}`)
      assert.strictEqual(account.body.status, "connected")
    })
  )

  it.effect("is no permission of a network that has none", () =>
    Effect.gen(function* () {
      const service = yield* Service
      const { body, status } = yield* service.call("POST", "/v1/social-accounts/connect", {
        platform: "tiktok",
        permissions: ["first_comment"]
      })
      assert.strictEqual(status, 400)
      assert.strictEqual(
        body.errors[0].message,
        "TikTok does not have the permission first_comment; leave permissions out."
      )
    })
  )
})
