import { WorkspaceId } from "@carillon/domain"
import { PlatformWarnings } from "@carillon/server/accounts/PlatformWarnings"
import { SocialAccountRepository } from "@carillon/server/accounts/SocialAccountRepository"
import { tokenTimes } from "@carillon/server/accounts/TokenTimes"
import { Events, type NewEvent } from "@carillon/server/events/Events"
import { Platforms } from "@carillon/server/platforms/Platforms"
import { makeSandbox } from "@carillon/server/platforms/Sandbox"
import * as TestConfig from "@carillon/testing/TestConfig"
import * as TestSql from "@carillon/testing/TestSql"
import { NodeHttpClient } from "@effect/platform-node"
import { PgClient } from "@effect/sql-pg"
import { assert, layer } from "@effect/vitest"
import { Clock, Context, DateTime, Duration, Effect, Layer } from "effect"
import { SecureRandom } from "effect/crypto"
import { HttpClient } from "effect/http"
import { PlainAccounts } from "./PlainAccounts.ts"

const Tables = SocialAccountRepository.layer.pipe(
  Layer.provideMerge(Layer.mergeAll(TestSql.layer, TestConfig.layer, NodeHttpClient.layerUndici))
)

layer(Tables, { excludeTestServices: true })("the warning of a platform", (it) => {
  it.effect(
    "is told once for each connected account, by several processes, and anew when it was over for more than an hour",
    () =>
      Effect.gen(function* () {
        const sql = yield* PgClient.PgClient
        const repository = yield* SocialAccountRepository
        const now = yield* DateTime.now
        const workspace_id = WorkspaceId.make(SecureRandom.uuidV7Unsafe())
        yield* sql`insert into workspaces ${sql.insert({ id: workspace_id, name: "w", created_at: DateTime.toDateUtc(now) })}`
        const connected = (username: string) =>
          repository.connect({
            workspace_id,
            platform: "sandbox",
            remote_id: username,
            username,
            display_name: null,
            avatar_url: null,
            avatar: null,
            avatar_version: null,
            default_board_id: null,
            limits: null,
            granted_scopes: null,
            credentials: new Uint8Array([1]),
            ...tokenTimes(now, null, 0),
            connected_at: now
          })
        const ids = [(yield* connected("one")).id, (yield* connected("two")).id].map(String)
        let warning: string | null = null
        const told: Array<NewEvent> = []
        const unused = () => assert.fail("is not used here")
        const events = Layer.mock(Events, {
          appending: unused,
          toWake: unused,
          storing: unused,
          append: (some) => Effect.sync(() => void told.push(...some))
        })
        const platform = {
          ...makeSandbox(yield* HttpClient.HttpClient, "http://localhost", Duration.zero),
          warning: Effect.sync(() => warning)
        }
        const process = Effect.map(
          Layer.build(
            Layer.fresh(PlatformWarnings.layerNoDeps).pipe(
              Layer.provide([events, PlainAccounts, Platforms.layerOf([platform])])
            )
          ),
          Context.get(PlatformWarnings)
        )
        const processes = [yield* process, yield* process]
        const toldAt = Effect.fnUntraced(function* (minutes: number) {
          told.length = 0
          yield* Effect.forEach([...processes, ...processes], ({ tell }) => tell, {
            concurrency: "unbounded",
            discard: true
          }).pipe(later(minutes))
          return told.map(({ subject, type }) => `${type} ${subject}`).toSorted()
        })
        const both = ids.map((id) => `account.warning ${id}`).toSorted()

        assert.deepStrictEqual(yield* toldAt(0), [])
        warning = "The posts due from tomorrow on would pass the budget."
        assert.deepStrictEqual(yield* toldAt(0), both)
        assert.deepStrictEqual(yield* toldAt(0), [])
        warning = null
        assert.deepStrictEqual(yield* toldAt(59), [])
        warning = "It comes and goes."
        assert.deepStrictEqual(yield* toldAt(59), [])
        warning = null
        assert.deepStrictEqual(yield* toldAt(61), [])
        warning = "It was told an hour ago, and was there a moment ago."
        assert.deepStrictEqual(yield* toldAt(62), [])
        warning = null
        assert.deepStrictEqual(yield* toldAt(124), [])
        warning = "It is back."
        assert.deepStrictEqual(yield* toldAt(124), both)
      }).pipe(Effect.scoped)
  )
})

/** The database below keeps its own time. */
const later = (minutes: number) =>
  Effect.updateService(Clock.Clock, (clock) =>
    Object.assign(Object.create(clock) as typeof clock, {
      currentTimeMillisUnsafe: () => start + minutes * 60_000,
      currentTimeMillis: Effect.succeed(start + minutes * 60_000)
    })
  )
const start = Date.parse("2026-11-28T12:00:00Z")
