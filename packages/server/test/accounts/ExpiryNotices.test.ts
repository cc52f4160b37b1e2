import { WorkspaceId } from "@carillon/domain"
import { noticeDays } from "@carillon/domain"
import { dueNotice, ExpiryNotices } from "@carillon/server/accounts/ExpiryNotices"
import { CredentialRepository } from "@carillon/server/accounts/CredentialRepository"
import { SocialAccountRepository } from "@carillon/server/accounts/SocialAccountRepository"
import { tokenTimes } from "@carillon/server/accounts/TokenTimes"
import { Events, type NewEvent } from "@carillon/server/events/Events"
import * as TestConfig from "@carillon/testing/TestConfig"
import * as TestSql from "@carillon/testing/TestSql"
import { PgClient } from "@effect/sql-pg"
import { assert, describe, it, layer } from "@effect/vitest"
import { Context, DateTime, Duration, Effect, Layer, Schema } from "effect"
import { SecureRandom } from "effect/crypto"
import { PlainAccounts } from "./PlainAccounts.ts"

describe("the notices of an end", () => {
  const end = DateTime.makeUnsafe("2026-12-01T00:00:00Z")
  const minutesAhead = Schema.Int.check(Schema.isBetween({ minimum: -1440, maximum: 12 * 1440 }))

  it.prop(
    "the notices of an end are each told once, whenever and however often somebody looks, and by the first look that is late enough",
    [Schema.Array(minutesAhead).check(Schema.isMaxLength(40))],
    ([looks]) => {
      let told: number | null = null
      const all: Array<number> = []
      const sorted = looks.toSorted((a, b) => b - a)
      for (const ahead of sorted) {
        const due = dueNotice(DateTime.subtract(end, { minutes: ahead }), end, told)
        if (due === null) continue
        all.push(due)
        told = due
      }
      const isSeen = (days: number, after: number) =>
        sorted.some((ahead) => ahead <= days * 1440 && ahead > after * 1440)
      assert.deepStrictEqual(
        all,
        [isSeen(7, 1) ? 7 : null, isSeen(1, 0) ? 1 : null].filter((days) => days !== null)
      )
    }
  )
})

const unused = () => assert.fail("is not used here")

const tables = Layer.provideMerge(
  Layer.merge(CredentialRepository.layer, SocialAccountRepository.layer),
  Layer.provide(TestSql.layer, TestConfig.layer)
)

layer(tables, { excludeTestServices: true })("an account whose access ends", (it) => {
  const connected = Effect.gen(function* () {
    const sql = yield* PgClient.PgClient
    const repository = yield* SocialAccountRepository
    const renewals = yield* CredentialRepository
    const now = yield* DateTime.now
    const workspace_id = WorkspaceId.make(SecureRandom.uuidV7Unsafe())
    yield* sql`insert into workspaces ${sql.insert({ id: workspace_id, name: "w", created_at: DateTime.toDateUtc(now) })}`
    const credentials = new Uint8Array([1])
    const { id } = yield* repository.connect({
      workspace_id,
      platform: "sandbox",
      remote_id: SecureRandom.uuidV7Unsafe(),
      username: "ends",
      display_name: null,
      avatar_url: null,
      avatar: null,
      avatar_version: null,
      default_board_id: null,
      limits: null,
      granted_scopes: null,
      credentials,
      ...tokenTimes(now, null, 0),
      access_expires_at: DateTime.add(now, { days: 30 }),
      connected_at: now
    })
    const told: Array<NewEvent> = []
    const events = Layer.mock(Events, {
      appending: unused,
      toWake: unused,
      storing: unused,
      append: (some) =>
        Effect.sync(() => void told.push(...some.filter(({ subject }) => subject === String(id))))
    })
    /** Nothing but the database is shared by two of them, as by two processes, or by one before and after a restart. */
    const process = Effect.map(
      Layer.build(Layer.fresh(ExpiryNotices.layerNoDeps).pipe(Layer.provide([events, PlainAccounts]))),
      Context.get(ExpiryNotices)
    )
    const endsIn = (hours: number) =>
      sql`update social_accounts set access_expires_at = ${DateTime.toDateUtc(DateTime.add(now, { hours }))} where id = ${id}`
    const renewedFor = (hours: number) =>
      renewals.replaceCredentials(
        id,
        credentials,
        credentials,
        { ...tokenTimes(now, null, 0), access_expires_at: DateTime.add(now, { hours }) },
        DateTime.add(now, { days: noticeDays[0] })
      )
    const allTell = Effect.gen(function* () {
      const processes = [yield* process, yield* process, yield* process]
      yield* Effect.forEach([...processes, ...processes], ({ tell }) => tell, { concurrency: "unbounded" })
      return told.length
    })
    return { id, workspace_id, told, endsIn, renewedFor, allTell, repository }
  })

  it.effect(
    "an account whose access ends is told of a week and a day ahead, once each, by several processes that start again",
    () =>
      Effect.gen(function* () {
        const { told, endsIn, allTell, id, workspace_id } = yield* connected
        assert.strictEqual(yield* allTell, 0)
        yield* endsIn(7 * 24 - 1)
        assert.strictEqual(yield* allTell, 1)
        yield* endsIn(25)
        assert.strictEqual(yield* allTell, 1)
        yield* endsIn(24)
        assert.strictEqual(yield* allTell, 2)
        yield* endsIn(1)
        assert.strictEqual(yield* allTell, 2)
        yield* endsIn(-1)
        assert.strictEqual(yield* allTell, 2)
        for (const { type, subject, workspace_id: of } of told) {
          assert.deepStrictEqual([type, subject, of], ["account.expiring", String(id), workspace_id])
        }
        const left = Duration.toHours(
          DateTime.distance(
            yield* DateTime.now,
            (told[1]!.data as { access_expires_at: DateTime.Utc }).access_expires_at
          )
        )
        assert.approximately(left, 24, 1)
      }).pipe(Effect.scoped)
  )

  it.effect(
    "an account whose access ends is told of anew after a renewal that moved its end, and not after one that did not",
    () =>
      Effect.gen(function* () {
        const { endsIn, renewedFor, allTell } = yield* connected
        yield* endsIn(20)
        assert.strictEqual(yield* allTell, 1)
        yield* renewedFor(20)
        assert.strictEqual(yield* allTell, 1)
        yield* renewedFor(60 * 24)
        assert.strictEqual(yield* allTell, 1)
        yield* endsIn(6 * 24)
        assert.strictEqual(yield* allTell, 2)
      }).pipe(Effect.scoped)
  )

  it.effect("an account whose access ends is left alone when a person has disconnected it", () =>
    Effect.gen(function* () {
      const { id, workspace_id, endsIn, allTell, repository } = yield* connected
      yield* endsIn(20)
      yield* repository.disconnect(workspace_id, id, yield* DateTime.now)
      assert.strictEqual(yield* allTell, 0)
    }).pipe(Effect.scoped)
  )
})
