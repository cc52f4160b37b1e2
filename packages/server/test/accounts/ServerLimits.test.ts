import { type AccountLimits, WorkspaceId } from "@carillon/domain"
import { ServerLimits } from "@carillon/server/accounts/ServerLimits"
import { SocialAccountRepository } from "@carillon/server/accounts/SocialAccountRepository"
import { TokenVault } from "@carillon/server/accounts/TokenVault"
import { type Platform, PublishError } from "@carillon/server/platforms/Platform"
import { Platforms } from "@carillon/server/platforms/Platforms"
import * as TestConfig from "@carillon/testing/TestConfig"
import * as TestSql from "@carillon/testing/TestSql"
import { PgClient } from "@effect/sql-pg"
import { assert, layer } from "@effect/vitest"
import { Context, DateTime, Effect, Layer, Option, Redacted } from "effect"
import { SecureRandom } from "effect/crypto"

const unused = () => assert.fail("is not used here")

const tables = Layer.provideMerge(
  SocialAccountRepository.layer,
  Layer.provide(TestSql.layer, TestConfig.layer)
)

layer(tables, { excludeTestServices: true })("the limits of an account's server", (it) => {
  const connected = Effect.gen(function* () {
    const sql = yield* PgClient.PgClient
    const repository = yield* SocialAccountRepository
    const now = yield* DateTime.now
    const workspace_id = WorkspaceId.make(SecureRandom.uuidV7Unsafe())
    const remote_id = SecureRandom.uuidV7Unsafe()
    yield* sql`insert into workspaces ${sql.insert({ id: workspace_id, name: "w", created_at: DateTime.toDateUtc(now) })}`
    const { id, limits } = yield* repository.connect({
      workspace_id,
      platform: "mastodon",
      remote_id,
      username: "limited",
      display_name: null,
      avatar_url: null,
      avatar: null,
      avatar_version: null,
      credentials: new Uint8Array([1]),
      token_expires_at: null,
      refresh_at: null,
      connected_at: now,
      default_board_id: null,
      limits: { characters: 500 },
      granted_scopes: null
    })
    assert.deepStrictEqual(limits, { characters: 500 })

    const asked = { count: 0, answer: Effect.succeed({}) as Effect.Effect<AccountLimits, PublishError> }
    const platform = {
      id: "mastodon",
      limits: () => Effect.suspend(() => asked.answer)
    } as unknown as Platform
    const vault: TokenVault["Service"]["use"] = (_, account, call) =>
      account.remote_id === remote_id
        ? Effect.suspend(() => {
            asked.count += 1
            return call(Redacted.make({}))
          })
        : Effect.die("another test's account")
    const { refresh } = Context.get(
      yield* Layer.build(
        Layer.fresh(ServerLimits.layer).pipe(
          Layer.provide([
            Layer.mock(TokenVault, { use: vault, open: unused, renew: unused, sealing: unused }),
            Layer.mock(Platforms, {
              all: [platform],
              connectable: [],
              unreached: [],
              get: () => Option.some(platform)
            })
          ])
        )
      ),
      ServerLimits
    )
    const askedAgo = (hours: number) =>
      sql`update social_accounts set limits_asked_at = ${DateTime.toDateUtc(DateTime.subtract(now, { hours }))} where id = ${id}`
    const kept = Effect.map(repository.byIds(workspace_id, [id]), ([row]) => row!)
    return { asked, askedAgo, kept, refresh, repository, sql }
  })

  it.effect(
    "the limits of an account's server are asked once a day, and kept as they were where the server does not answer",
    () =>
      Effect.gen(function* () {
        const { asked, askedAgo, kept, refresh, repository, sql } = yield* connected
        asked.answer = Effect.succeed({ characters: 5000, mime_types: ["image/png"] })
        yield* refresh
        assert.strictEqual(asked.count, 0)

        yield* askedAgo(25)
        const before = yield* kept
        yield* Effect.all([refresh, refresh], { concurrency: 2 })
        assert.strictEqual(asked.count, 1)
        assert.deepStrictEqual((yield* kept).limits, { characters: 5000, mime_types: ["image/png"] })
        // A post that was checked against the old ones is checked again.
        assert.lengthOf(yield* repository.changed([before]), 1)
        assert.lengthOf(yield* repository.changed([yield* kept]), 0)

        yield* askedAgo(25)
        asked.answer = Effect.fail(
          new PublishError({ class: "transient", code: "http_503", message: "Come back later." })
        )
        yield* refresh
        assert.deepStrictEqual((yield* kept).limits?.characters, 5000)
        assert.strictEqual(asked.count, 2)

        yield* sql`update social_accounts set status = 'disconnected', limits_asked_at = null`
        yield* refresh
        assert.strictEqual(asked.count, 2)
      })
  )
})
