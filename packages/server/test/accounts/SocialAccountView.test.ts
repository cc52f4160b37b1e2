import { SocialAccountRepository } from "@carillon/server/accounts/SocialAccountRepository"
import { SocialAccountView } from "@carillon/server/accounts/SocialAccountView"
import { AppConfig } from "@carillon/server/AppConfig"
import { CredentialCipher, owner } from "@carillon/server/crypto/CredentialCipher"
import { Secrets } from "@carillon/server/crypto/Secrets"
import { Platforms } from "@carillon/server/platforms/Platforms"
import { Wakeup } from "@carillon/server/sql/Wakeup"
import * as TestSql from "@carillon/testing/TestSql"
import { type PlatformId, WorkspaceId } from "@carillon/domain"
import { PgClient } from "@effect/sql-pg"
import { assert, layer } from "@effect/vitest"
import { ConfigProvider, Context, DateTime, Effect, Layer, Redacted } from "effect"
import { SecureRandom } from "effect/crypto"

/** The view of accounts of an instance that is set up like this. */
const viewOf = (env: Readonly<Record<string, string>>) =>
  Effect.map(
    Layer.build(
      Layer.fresh(SocialAccountView.layer).pipe(
        Layer.provideMerge(Layer.fresh(Layer.merge(Platforms.layer, CredentialCipher.layer))),
        Layer.provideMerge(Layer.fresh(Secrets.layer)),
        Layer.provideMerge(Layer.fresh(AppConfig.layer)),
        Layer.provide(
          ConfigProvider.layer(
            ConfigProvider.fromUnknown({
              PUBLIC_URL: "https://carillon.example",
              CARILLON_SECRET: "a secret of at least thirty-two characters",
              ...env
            })
          )
        )
      )
    ),
    (context) => ({
      view: Context.get(context, SocialAccountView),
      cipher: Context.get(context, CredentialCipher)
    })
  )

const alone = { CARILLON_SANDBOX: "off" }
const beside = { SANDBOX_URL: "http://localhost:4401" }
const ownApp = { ...beside, TIKTOK_CLIENT_KEY: "key", TIKTOK_CLIENT_SECRET: "secret" }
const platformsPlayed = { PLATFORMS_URL: "http://localhost:4401" }

const bluesky = (service: string) => ({
  service,
  did: "did:web:x.bsky.sandbox",
  accessJwt: "a",
  refreshJwt: "r"
})
const mastodon = (server: string) => ({ server, access_token: "t", account_id: "1" })
const telegram = (token: string) => ({ token, chat_id: "-100" })
const webhook = (test_network: boolean) => ({
  webhook_id: "4",
  webhook_token: "t",
  test_network,
  channel_id: "5",
  guild_id: null
})

type Row = readonly [
  about: string,
  env: Readonly<Record<string, string>>,
  platform: PlatformId,
  username: string,
  credentials: Readonly<Record<string, any>> | null,
  network: "real" | "test"
]

const rows: ReadonlyArray<Row> = [
  ["the test network when it is off", alone, "sandbox", "demo", { token: "t" }, "test"],
  ["the test network itself", beside, "sandbox", "demo", { token: "t" }, "test"],
  ["a network without an app of the operator's", beside, "tiktok", "demo", { open_id: "1" }, "test"],
  ["one with an app", ownApp, "tiktok", "demo", { open_id: "1" }, "real"],
  ["another network beside it", ownApp, "pinterest", "demo", { a: "1" }, "test"],
  [
    "an app that is used at the test network",
    { ...ownApp, ...platformsPlayed },
    "tiktok",
    "demo",
    {},
    "test"
  ],
  ["no app and no test network", alone, "tiktok", "demo", { open_id: "1" }, "real"],
  ["a name that only looks like a host there", ownApp, "tiktok", "bakery.sandbox", null, "real"],
  [
    "a server of the test network",
    beside,
    "mastodon",
    "a@mastodon.sandbox",
    mastodon("https://mastodon.sandbox"),
    "test"
  ],
  [
    "a server beside the test network",
    beside,
    "mastodon",
    "a@mastodon.social",
    mastodon("https://mastodon.social"),
    "real"
  ],
  [
    "a server whose name begins like one",
    beside,
    "mastodon",
    "a@x",
    mastodon("https://mastodon.sandbox.example"),
    "real"
  ],
  [
    "a server that was the test network's",
    alone,
    "mastodon",
    "a@mastodon.sandbox",
    mastodon("https://mastodon.sandbox"),
    "test"
  ],
  ["a server that was disconnected", beside, "mastodon", "a@mastodon.sandbox", null, "test"],
  ["a real one that was disconnected", beside, "mastodon", "a@mastodon.social", null, "real"],
  ["a data server there", beside, "bluesky", "a.bsky.sandbox", bluesky("https://pds.sandbox"), "test"],
  [
    "the test network by its address",
    beside,
    "bluesky",
    "a.bsky.sandbox",
    bluesky("http://127.0.0.1:4401"),
    "test"
  ],
  [
    "a stranger that claims to be of it",
    beside,
    "bluesky",
    "a.bsky.sandbox",
    bluesky("https://pds.example"),
    "real"
  ],
  ["a server at a longer port", beside, "bluesky", "a.example", bluesky("http://127.0.0.1:44010"), "real"],
  ["a bot of the test network", beside, "telegram", "bells", telegram("123:sandbox"), "test"],
  ["a bot of Telegram's", beside, "telegram", "bells", telegram("123:AAbbCC"), "real"],
  [
    "a bot where all of Telegram is played",
    platformsPlayed,
    "telegram",
    "bells",
    telegram("123:AAbbCC"),
    "test"
  ],
  [
    "an own Bot API server",
    { ...platformsPlayed, TELEGRAM_API_URL: "http://localhost:8081" },
    "telegram",
    "bells",
    telegram("1:AA"),
    "real"
  ],
  ["a webhook of the test network", beside, "discord", "bells", webhook(true), "test"],
  ["a webhook of Discord's", beside, "discord", "bells", webhook(false), "real"],
  ["a webhook where all of Discord is played", platformsPlayed, "discord", "bells", webhook(false), "test"],
  ["credentials that do not decode any more", beside, "mastodon", "a@mastodon.social", { old: true }, "real"]
]

/** An account of an instance that is set up like this, as it is shown. */
const shown = Effect.fnUntraced(function* (
  env: Row[1],
  platform: PlatformId,
  username: string,
  credentials: Row[4]
) {
  const sql = yield* PgClient.PgClient
  const repository = yield* SocialAccountRepository
  const { cipher, view } = yield* viewOf(env)
  const now = yield* DateTime.now
  const workspace_id = WorkspaceId.make(SecureRandom.uuidV7Unsafe())
  yield* sql`insert into workspaces ${sql.insert({ id: workspace_id, name: "w", created_at: DateTime.toDateUtc(now) })}`
  const remote_id = SecureRandom.uuidV7Unsafe()
  const row = yield* repository.connect({
    workspace_id,
    platform,
    remote_id,
    username,
    display_name: null,
    avatar_url: null,
    avatar: null,
    avatar_version: null,
    default_board_id: null,
    limits: null,
    granted_scopes: null,
    credentials: cipher.encrypt(owner(platform, remote_id), Redacted.make(credentials ?? {})),
    token_expires_at: null,
    refresh_at: null,
    connected_at: now
  })
  if (credentials === null) yield* repository.disconnect(workspace_id, row.id, now)
  return yield* view.one(row)
})

layer(
  SocialAccountRepository.layer.pipe(Layer.provideMerge(Wakeup.layer), Layer.provideMerge(TestSql.layer)),
  { excludeTestServices: true }
)("an account as it is shown", (it) => {
  for (const [about, env, platform, username, credentials, network] of rows) {
    it.effect(`an account says whether the test network plays its network: ${about}: ${network}`, () =>
      Effect.gen(function* () {
        assert.strictEqual((yield* shown(env, platform, username, credentials)).network, network)
      })
    )
  }

  it.effect("an account says what its operator has to do", () =>
    Effect.gen(function* () {
      const app = { ...alone, LINKEDIN_CLIENT_ID: "id", LINKEDIN_CLIENT_SECRET: "secret" }
      const of = (version: string) =>
        Effect.map(
          shown({ ...app, LINKEDIN_VERSION: version }, "linkedin", "Alice", {}),
          ({ warning }) => warning
        )
      assert.match(String(yield* of("202501")), /^LINKEDIN_VERSION is 202501; /)
      assert.isNull(yield* of("209901"))
    })
  )
})
