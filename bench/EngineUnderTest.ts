/** The engine of bench/scheduler.ts: the service's own parts, its database, and a platform that answers at once. */
import { EngineLayer } from "@carillon/server/posts/EngineLayer"
import { PostMediaRepositoryLayer } from "@carillon/server/posts/PostMediaRepository"
import { SocialAccountView } from "@carillon/server/accounts/SocialAccountView"
import { AppConfig } from "@carillon/server/AppConfig"
import { CredentialCipher, owner } from "@carillon/server/crypto/CredentialCipher"
import { TokenVault } from "@carillon/server/accounts/TokenVault"
import { Secrets } from "@carillon/server/crypto/Secrets"
import { MediaLayer } from "@carillon/server/media/MediaLayer"
import type { Platform } from "@carillon/server/platforms/Platform"
import { Platforms } from "@carillon/server/platforms/Platforms"
import { makeSandbox } from "@carillon/server/platforms/Sandbox"
import { Publish } from "@carillon/server/publishing/Publish"
import { PublishRequests } from "@carillon/server/publishing/PublishRequests"
import { SchedulerLayer } from "@carillon/server/publishing/Scheduler"
import * as DatabaseClock from "@carillon/server/sql/DatabaseClock"
import * as Sql from "@carillon/server/sql/Sql"
import { Wakeup } from "@carillon/server/sql/Wakeup"
import { PgClient } from "@effect/sql-pg"
import { Clock, ConfigProvider, Context, DateTime, Effect, Layer, Redacted } from "effect"
import { SecureRandom } from "effect/crypto"
import { HttpClient } from "effect/http"

/** When each commit began, in milliseconds by the database's clock, with the account that it was for. */
export class Calls extends Context.Service<Calls, Array<{ readonly account: string; readonly at: number }>>()(
  "@carillon/bench/Calls"
) {
  static readonly layer = Layer.sync(Calls, () => [])
}

/** A platform in this process. `answers`: at once; else never, and each commit stays under way. */
const platformThat = (answers: boolean) =>
  Layer.unwrap(
    Effect.gen(function* () {
      const calls = yield* Calls
      // Only the rules and capabilities are the sandbox adapter's; none of its calls is made.
      const sandbox = makeSandbox(
        HttpClient.make(() => Effect.die("no network here")),
        "http://nowhere"
      )
      const platform: Platform = {
        ...sandbox,
        prepare: () => Effect.succeed({ _tag: "ready", handle: {} }),
        commit: (request) =>
          answers
            ? Clock.clockWith((clock) =>
                Effect.sync(() => {
                  calls.push({
                    account: request.remote_id,
                    at: Number(clock.currentTimeNanosUnsafe()) / 1e6
                  })
                  return { id: request.target_id, url: null, username: request.username }
                })
              )
            : Effect.never
      }
      return Platforms.layerOf([platform])
    })
  )

/** Everything but the loop, which is built and ended by each measurement. */
export const parts = (databaseUrl: string | undefined, dataDir: string, answers = true) => {
  const env = {
    DATA_DIR: dataDir,
    CARILLON_SECRET: "0123456789abcdef0123456789abcdef",
    ...(databaseUrl === undefined ? {} : { DATABASE_URL: databaseUrl })
  }
  return Publish.layer.pipe(
    Layer.provideMerge(Layer.mergeAll(PublishRequests.layer, TokenVault.layer)),
    Layer.provideMerge(Layer.mergeAll(MediaLayer, EngineLayer)),
    Layer.provideMerge(Layer.merge(SocialAccountView.layer, PostMediaRepositoryLayer)),
    Layer.provideMerge(Layer.mergeAll(platformThat(answers), CredentialCipher.layer)),
    Layer.provideMerge(Layer.mergeAll(Wakeup.layer, Calls.layer)),
    Layer.provideMerge(DatabaseClock.layer),
    Layer.provideMerge(Layer.mergeAll(Layer.unwrap(Effect.map(AppConfig, Sql.layer)), Secrets.layer)),
    Layer.provideMerge(AppConfig.layer),
    Layer.provide(ConfigProvider.layer(ConfigProvider.fromUnknown(env)))
  )
}

/** The loop, until the scope closes. */
export const running = Layer.build(Layer.fresh(SchedulerLayer))

/** Workspaces and their accounts; the accounts' ids. */
export const workspace = Effect.fnUntraced(function* (name: string, accounts: number) {
  const sql = yield* PgClient.PgClient
  const cipher = yield* CredentialCipher
  const now = DateTime.toDateUtc(yield* DateTime.now)
  const rows = Array.from({ length: accounts }, (_, index) => {
    const remote = `${name}-${index}`
    const secret = cipher.encrypt(owner("sandbox", remote), Redacted.make({ token: remote }))
    return { remote, secret: Buffer.from(secret).toString("hex") }
  })
  const [made] = yield* sql<{ id: string }>`
    insert into workspaces (id, name, created_at) values (${SecureRandom.uuidV7Unsafe()}, ${name}, ${now}) returning id`
  const ids = yield* sql<{ id: bigint }>`
    insert into social_accounts (workspace_id, platform, remote_id, username, status, credentials, connected_at, created_at)
    select ${made!.id}, 'sandbox', remote, remote, 'connected', decode(secret, 'hex'), ${now}, ${now}
    from jsonb_to_recordset(${sql.json(rows)}::jsonb) as r (remote text, secret text) returning id`
  return { id: made!.id, accounts: ids.map(({ id }) => Number(id)) }
})

/** A webhook for every publication, so that each settlement stores an event and a delivery. */
export const toldOf = Effect.fnUntraced(function* (workspace: string) {
  const sql = yield* PgClient.PgClient
  yield* sql`
    insert into webhooks (id, workspace_id, url, events, status, secrets, created_at, updated_at)
    values (${SecureRandom.uuidV7Unsafe()}, ${workspace}, 'https://nowhere.invalid', '{post.published}', 'active', '', now(), now())`
})

/** Posts of one target each, over these accounts in turn; due `spacing` after each other, from `due` on. */
export const schedule = Effect.fnUntraced(function* (
  { id, accounts }: { readonly id: string; readonly accounts: ReadonlyArray<number> },
  count: number,
  due: number,
  spacing = 0
) {
  const sql = yield* PgClient.PgClient
  const first = DateTime.toDateUtc(DateTime.makeUnsafe(due))
  // Version 7, as the service makes them: new rows lie at the end of the indexes.
  const newId = sql.literal(`encode(set_bit(set_bit(overlay(uuid_send(gen_random_uuid()) placing
    substring(int8send((extract(epoch from clock_timestamp()) * 1000)::bigint) from 3) from 1 for 6), 52, 1), 53, 1), 'hex')::uuid`)
  yield* sql`
    with post as materialized (
      select ${newId} as id, n, (${accounts}::bigint[])[1 + n % ${accounts.length}::int] as account,
        ${first}::timestamptz + floor(n * ${spacing}::float8) * interval '1 millisecond' as due
      from generate_series(0, ${count - 1}::int) n
    ), stored as (
      insert into posts (id, workspace_id, status, caption, scheduled_at, social_accounts, media, processing_enabled,
        warnings, created_at, updated_at)
      select id, ${id}, 'scheduled', 'Ding ' || n, due, array[account], '{}', true, '{}', now(), now() from post
    )
    insert into targets (id, post_id, workspace_id, social_account_id, platform, state, due_at, next_step_at, lead, created_at)
    select ${newId}, id, ${id}, account, 'sandbox', 'waiting', due, due - interval '1500 milliseconds',
      interval '1500 milliseconds', now() from post`
})
