import { EngineLayer } from "@carillon/server/posts/EngineLayer"
import { WorkspaceId } from "@carillon/domain"
import { CredentialCipher } from "@carillon/server/crypto/CredentialCipher"
import { CredentialRepository } from "@carillon/server/accounts/CredentialRepository"
import { SocialAccountRepository } from "@carillon/server/accounts/SocialAccountRepository"
import { tokenRefresh } from "@carillon/server/accounts/TokenRefresh"
import { nextRefresh, tokenTimes } from "@carillon/server/accounts/TokenTimes"
import { TokenVault } from "@carillon/server/accounts/TokenVault"
import { Avatars } from "@carillon/server/accounts/Avatars"
import { Secrets } from "@carillon/server/crypto/Secrets"
import { type Credentials, type Platform, PublishError } from "@carillon/server/platforms/Platform"
import { Platforms } from "@carillon/server/platforms/Platforms"
import { runRecurring } from "@carillon/server/Recurring"
import { Wakeup } from "@carillon/server/sql/Wakeup"
import { PgClient } from "@effect/sql-pg"
import { assert, describe, it, layer } from "@effect/vitest"
import { Context, DateTime, Duration, Effect, Layer, Redacted, Schema } from "effect"
import { SecureRandom } from "effect/crypto"
import { TestClock } from "effect/testing"
import * as TestConfig from "@carillon/testing/TestConfig"
import * as TestSql from "@carillon/testing/TestSql"
import { PlainAccounts } from "./PlainAccounts.ts"

/** A platform that rotates: each refresh token works once, and the tokens before it are dead at once. */
class Rotating {
  generation = 0
  refreshes = 0
  refusal: PublishError | undefined

  readonly platform = {
    id: "sandbox",
    refresh: (credentials: Credentials) =>
      Effect.gen({ self: this }, function* () {
        this.refreshes += 1
        // Long enough for everybody else to find the tokens run out too.
        yield* Effect.sleep("50 millis")
        if (this.refusal !== undefined) return yield* this.refusal
        if (generationOf(credentials) !== this.generation) return yield* invalidGrant
        this.generation += 1
        return {
          credentials: tokens(this.generation),
          token_expires_at: DateTime.add(yield* DateTime.now, { hours: 2 })
        }
      })
  } as unknown as Platform

  /** A call that is refused with tokens older than this. */
  readonly callAfter = (generation: number) => (credentials: Credentials) =>
    Effect.suspend(() => {
      const given = Number(generationOf(credentials))
      return given >= generation ? Effect.succeed(given) : expired
    })
}

const tokens = (generation: number): Credentials => Redacted.make({ generation })
const generationOf = (credentials: Credentials) => Redacted.value(credentials)["generation"]

const expired = new PublishError({
  class: "reconnect",
  code: "token_expired",
  message: "The token has run out.",
  token_expired: true
})
const invalidGrant = new PublishError({
  class: "reconnect",
  code: "invalid_grant",
  message: "The refresh token is not valid any more."
})
const overloaded = new PublishError({ class: "transient", code: "http_503", message: "Come back later." })

const secretsOf = (present: number, ...former: ReadonlyArray<number>) =>
  Layer.succeed(
    Secrets,
    Secrets.of({
      root: Redacted.make("not used here"),
      key: () => new Uint8Array(32).fill(present),
      formerKeys: () => former.map((byte) => new Uint8Array(32).fill(byte))
    })
  )

const Below = Layer.mergeAll(
  EngineLayer,
  CredentialCipher.layer,
  CredentialRepository.layer,
  SocialAccountRepository.layer
).pipe(
  Layer.provide(PlainAccounts),
  Layer.provideMerge(Wakeup.layer),
  Layer.provideMerge(secretsOf(1)),
  Layer.provideMerge(TestSql.layer),
  Layer.provide(TestConfig.layer)
)

/** A connected account whose tokens live for two hours. */
const connected = Effect.gen(function* () {
  const sql = yield* PgClient.PgClient
  const repository = yield* SocialAccountRepository
  const cipher = yield* CredentialCipher
  const now = yield* DateTime.now
  const workspace = WorkspaceId.make(SecureRandom.uuidV7Unsafe())
  yield* sql`insert into workspaces ${sql.insert({ id: workspace, name: "w", created_at: DateTime.toDateUtc(now) })}`
  const remote_id = SecureRandom.uuidV7Unsafe()
  const row = yield* repository.connect({
    workspace_id: workspace,
    platform: "sandbox",
    remote_id,
    username: "demo",
    display_name: null,
    avatar_url: null,
    avatar: null,
    avatar_version: null,
    default_board_id: null,
    limits: null,
    granted_scopes: null,
    credentials: cipher.encrypt(`sandbox:${remote_id}`, tokens(0)),
    ...tokenTimes(now, DateTime.add(now, { hours: 2 }), 0),
    connected_at: now
  })
  // Else the refresh of another test would take it up too.
  yield* Effect.addFinalizer(() => Effect.ignore(sql`delete from social_accounts where id = ${row.id}`))
  return { id: row.id, remote_id }
})

/** Two of them share nothing but the database, like two processes. */
const aVault = Effect.map(Layer.build(Layer.fresh(TokenVault.layer)), Context.get(TokenVault))

const rowOf = Effect.fnUntraced(function* (id: number) {
  const sql = yield* PgClient.PgClient
  const [row] = yield* sql<{ status: string; status_reason: string | null; refresh_at: Date | null }>`
    select status, status_reason, refresh_at from social_accounts where id = ${id}`
  return row!
})

/** The refresh loop of one process, for as long as the scope lives. */
const refreshing = (remote: Rotating) =>
  Layer.build(
    Layer.effectDiscard(Effect.flatMap(tokenRefresh, (piece) => runRecurring([piece]))).pipe(
      Layer.provide(Layer.fresh(TokenVault.layer)),
      Layer.provide(Layer.mock(Avatars, { fetchMissing: () => Effect.void })),
      Layer.provide(Platforms.layerOf([remote.platform]))
    )
  )

layer(Below, { excludeTestServices: true })("the token vault", (it) => {
  it.effect("renews once when many calls of two processes find the tokens run out", () =>
    Effect.gen(function* () {
      const account = yield* connected
      const remote = new Rotating()
      const vaults = [yield* aVault, yield* aVault]
      const calls = Array.from({ length: 20 }, (_, index) =>
        vaults[index % 2]!.use(remote.platform, account, remote.callAfter(1))
      )
      const answers = yield* Effect.all(calls, { concurrency: "unbounded" })
      assert.deepStrictEqual(
        answers,
        calls.map(() => 1)
      )
      assert.strictEqual(remote.refreshes, 1)
    }).pipe(Effect.scoped)
  )

  it.effect("decrypts once what many posts of an account bring along, and anew what was stored since", () =>
    Effect.gen(function* () {
      const account = yield* connected
      const cipher = yield* CredentialCipher
      let decrypted = 0
      const counting = CredentialCipher.of({
        ...cipher,
        decrypt: (owner, ciphertext) => {
          decrypted += 1
          return cipher.decrypt(owner, ciphertext)
        }
      })
      const vault = yield* Effect.provideService(aVault, CredentialCipher, counting)
      const { platform } = new Rotating()
      const lent = (ciphertext: Uint8Array) =>
        vault.open(platform, account, ciphertext)((credentials) => Effect.succeed(generationOf(credentials)))
      const first = cipher.encrypt(`sandbox:${account.remote_id}`, tokens(1))
      const second = cipher.encrypt(`sandbox:${account.remote_id}`, tokens(2))
      assert.strictEqual(yield* lent(first), 1)
      assert.strictEqual(yield* lent(first.slice()), 1)
      assert.strictEqual(decrypted, 1)
      assert.strictEqual(yield* lent(second), 2)
      assert.strictEqual(yield* lent(first), 1)
      assert.strictEqual(decrypted, 3)
      yield* vault.forget
      assert.strictEqual(yield* lent(first), 1)
      assert.strictEqual(decrypted, 4)
    }).pipe(Effect.scoped)
  )

  it.effect("takes over from a process that died while it renewed", () =>
    Effect.gen(function* () {
      const account = yield* connected
      const repository = yield* CredentialRepository
      const before = yield* repository.credentials(account.id)
      const now = yield* DateTime.now
      // What a process leaves behind that was killed a moment before its lease ended.
      yield* repository.leaseRefresh(account.id, before!, now, DateTime.add(now, { milliseconds: 400 }))
      const remote = new Rotating()
      assert.strictEqual(yield* (yield* aVault).use(remote.platform, account, remote.callAfter(1)), 1)
    }).pipe(Effect.scoped)
  )

  it.effect("lets another try follow a renewal that failed for a passing reason", () =>
    Effect.gen(function* () {
      const account = yield* connected
      const remote = new Rotating()
      const vault = yield* aVault
      remote.refusal = overloaded
      const refused = yield* Effect.flip(vault.use(remote.platform, account, remote.callAfter(1)))
      assert.strictEqual(refused.code, overloaded.code)
      remote.refusal = undefined
      assert.strictEqual(yield* vault.use(remote.platform, account, remote.callAfter(1)), 1)
      assert.strictEqual((yield* rowOf(account.id)).status, "connected")
    }).pipe(Effect.scoped)
  )

  it.effect("opens what was encrypted under a former secret, and encrypts it anew", () =>
    Effect.gen(function* () {
      const account = yield* connected
      const remote = new Rotating()
      const rotated = Layer.fresh(TokenVault.layer).pipe(
        Layer.provide(Layer.fresh(CredentialCipher.layer)),
        Layer.provide(secretsOf(2, 1))
      )
      yield* Effect.gen(function* () {
        const vault = yield* TokenVault
        assert.strictEqual(yield* vault.use(remote.platform, account, remote.callAfter(0)), 0)
        assert.isAtLeast(yield* vault.reencrypt, 1)
        assert.strictEqual(yield* vault.reencrypt, 0)
      }).pipe(Effect.provide(rotated))
      const alone = Layer.fresh(TokenVault.layer).pipe(
        Layer.provide(Layer.fresh(CredentialCipher.layer)),
        Layer.provide(secretsOf(2))
      )
      const answer = yield* Effect.flatMap(TokenVault, (vault) =>
        vault.use(remote.platform, account, remote.callAfter(0))
      ).pipe(Effect.provide(alone))
      assert.strictEqual(answer, 0)
    }).pipe(Effect.scoped)
  )
})

/** Lets ten minutes pass, and the loop do what is due by then: its queries are real and take real time. */
const tenMinutes = Effect.andThen(
  TestClock.adjust("10 minutes"),
  TestClock.withLive(Effect.sleep("10 millis"))
)

/** As much time as it takes; how many minutes that were. */
const minutesUntil = Effect.fnUntraced(function* (happened: Effect.Effect<boolean>) {
  for (let minutes = 0; minutes < 100_000; minutes += 10) {
    if (yield* happened) return minutes
    yield* tenMinutes
  }
  return yield* Effect.die(new Error("it never happened"))
})

layer(Below)("the token refresh", (it) => {
  it.effect("renews tokens before they end, again and again, and not before it is time", () =>
    Effect.gen(function* () {
      const account = yield* connected
      const remote = new Rotating()
      yield* refreshing(remote)
      for (let i = 0; i < 9; i++) yield* tenMinutes
      assert.strictEqual(remote.refreshes, 0)
      const minutes = yield* minutesUntil(Effect.sync(() => remote.generation >= 6))
      assert.isAtLeast(minutes, 5 * 90)
      assert.strictEqual(remote.generation, remote.refreshes)
      assert.strictEqual((yield* rowOf(account.id)).status, "connected")
    }).pipe(Effect.scoped)
  )

  it.effect("the token refresh does not call an account disconnected for a failure that passes", () =>
    Effect.gen(function* () {
      const account = yield* connected
      const remote = new Rotating()
      remote.refusal = overloaded
      yield* refreshing(remote)
      yield* minutesUntil(Effect.sync(() => remote.refreshes >= 4))
      assert.strictEqual((yield* rowOf(account.id)).status, "connected")
      remote.refusal = undefined
      yield* minutesUntil(Effect.sync(() => remote.generation === 1))
    }).pipe(Effect.scoped)
  )

  it.effect("says that the account needs to be connected again when the platform refuses for good", () =>
    Effect.gen(function* () {
      const account = yield* connected
      const remote = new Rotating()
      remote.refusal = invalidGrant
      yield* refreshing(remote)
      const told = Effect.map(Effect.orDie(rowOf(account.id)), ({ status }) => status === "needs_reconnect")
      yield* minutesUntil(Effect.provideContext(told, yield* Effect.context<PgClient.PgClient>()))
      assert.strictEqual((yield* rowOf(account.id)).status_reason, invalidGrant.message)
      for (let i = 0; i < 30; i++) yield* tenMinutes
      assert.strictEqual(remote.refreshes, 1)
    }).pipe(Effect.scoped)
  )
})

describe("when tokens are renewed", () => {
  const now = DateTime.makeUnsafe("2026-11-21T12:00:00Z")

  it.prop(
    "when tokens are renewed is within their life, in its last quarter, for any length of it",
    [
      Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 400 * 86_400_000 })),
      Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 1000 }))
    ],
    ([life, thousandths]) => {
      const end = DateTime.addDuration(now, Duration.millis(life))
      const { refresh_at } = tokenTimes(now, end, thousandths / 1000)
      const at = DateTime.toEpochMillis(refresh_at!) - DateTime.toEpochMillis(now)
      assert.isAtLeast(at, 0)
      assert.isAtMost(at, life)
      if (life > 25 * 60_000) assert.isAtLeast(at, life * 0.749)
    }
  )

  it("when tokens are renewed is never for tokens that do not end", () => {
    assert.isNull(tokenTimes(now, null, 0.5).refresh_at)
  })

  it("is put off longer with every failure, an hour at most", () => {
    const waits = [0, 1, 2, 10, 1000].map(
      (failures) => DateTime.toEpochMillis(nextRefresh(now, failures, 1)) - DateTime.toEpochMillis(now)
    )
    assert.deepStrictEqual(waits, [30_000, 60_000, 120_000, 3_600_000, 3_600_000])
  })
})
