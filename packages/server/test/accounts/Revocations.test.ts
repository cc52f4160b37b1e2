import { WorkspaceId } from "@carillon/domain"
import { Revocations } from "@carillon/server/accounts/Revocations"
import { SocialAccountRepository } from "@carillon/server/accounts/SocialAccountRepository"
import { tokenTimes } from "@carillon/server/accounts/TokenTimes"
import { CredentialCipher } from "@carillon/server/crypto/CredentialCipher"
import { Secrets } from "@carillon/server/crypto/Secrets"
import { makeFacebook } from "@carillon/server/platforms/facebook/Facebook"
import { makeInstagram } from "@carillon/server/platforms/instagram/Instagram"
import { Platforms } from "@carillon/server/platforms/Platforms"
import * as TestConfig from "@carillon/testing/TestConfig"
import * as TestSql from "@carillon/testing/TestSql"
import { PgClient } from "@effect/sql-pg"
import { NodeHttpClient } from "@effect/platform-node"
import { assert, layer } from "@effect/vitest"
import { Context, DateTime, Duration, Effect, Layer, Logger, Queue, Redacted } from "effect"
import { SecureRandom } from "effect/crypto"
import { HttpClient } from "effect/http"
import { scriptedServer } from "../platforms/ScriptedServer.ts"

const secrets = Secrets.of({
  root: Redacted.make("not used here"),
  key: () => new Uint8Array(32).fill(1),
  formerKeys: () => []
})

const Below = Layer.mergeAll(
  CredentialCipher.layer,
  SocialAccountRepository.layer,
  NodeHttpClient.layerUndici
).pipe(
  Layer.provide(Layer.succeed(Secrets, secrets)),
  Layer.provideMerge(TestSql.layer),
  Layer.provide(TestConfig.layer)
)

/** An account of one of Meta's networks, connected by this person. */
const connected = Effect.fnUntraced(function* (platform: "facebook" | "instagram", user_id: string) {
  const sql = yield* PgClient.PgClient
  const cipher = yield* CredentialCipher
  const now = yield* DateTime.now
  const workspace_id = WorkspaceId.make(SecureRandom.uuidV7Unsafe())
  yield* sql`insert into workspaces ${sql.insert({ id: workspace_id, name: "w", created_at: DateTime.toDateUtc(now) })}`
  const remote_id = SecureRandom.uuidV7Unsafe()
  const credentials = cipher.encrypt(
    `${platform}:${remote_id}`,
    Redacted.make({ login: "facebook", token: "t0ken", page_id: "1", user_id, user_token: "t0ken-of-alice" })
  )
  const { id } = yield* (yield* SocialAccountRepository).connect({
    workspace_id,
    platform,
    remote_id,
    username: "bells",
    display_name: null,
    avatar_url: null,
    avatar: null,
    avatar_version: null,
    default_board_id: null,
    limits: null,
    granted_scopes: null,
    credentials,
    ...tokenTimes(now, null, 0),
    connected_at: now
  })
  yield* Effect.addFinalizer(() => Effect.ignore(sql`delete from social_accounts where id = ${id}`))
  return id
})

layer(Below, { excludeTestServices: true })("the access of an account that is disconnected", (it) => {
  it.effect.each([
    ["facebook", "instagram"],
    ["instagram", "facebook"]
  ] as const)(
    "the access of a %s account stays while the same person's %s account has it",
    ([leaving, staying]) =>
      Effect.gen(function* () {
        const server = yield* scriptedServer(() => ({ status: 200, json: { success: true } }))
        const app = {
          id: "1234567",
          secret: Redacted.make("s3cret"),
          at: (host: string) => `${server.url}/${host}`,
          stand_in: true
        }
        const client = yield* HttpClient.HttpClient
        const settings = { version: "v25.0", settle_wait: Duration.zero }
        const platforms = [
          makeFacebook(client, app, settings),
          makeInstagram(client, { ...settings, apps: { facebook: app }, stand_in: true })
        ]
        const said = yield* Queue.unbounded<unknown>()
        const logger = Logger.make(({ message }) => void Queue.offerUnsafe(said, String(message)))
        const revocations = Context.get(
          yield* Layer.build(
            Layer.fresh(Revocations.layer).pipe(
              Layer.provide(Platforms.layerOf(platforms)),
              Layer.provide(Logger.layer([logger]))
            )
          ),
          Revocations
        )
        const cipher = yield* CredentialCipher
        const end = (user_id: string) =>
          revocations
            .begin({
              id: 1,
              platform: leaving,
              remote_id: "gone",
              credentials: cipher.encrypt(
                `${leaving}:gone`,
                Redacted.make({
                  login: "facebook",
                  token: "t",
                  page_id: "1",
                  user_id,
                  user_token: "t0ken-of-alice"
                })
              )
            })
            .pipe(Effect.provide(Logger.layer([logger])))
        const id = yield* connected(staying, "7")
        yield* end("7")
        assert.include(yield* Queue.take(said), `because the account ${id} uses the same`)
        assert.lengthOf(server.received, 0)
        yield* end("8")
        const { method, path } = yield* server.arrival
        assert.strictEqual(`${method} ${path}`, "DELETE /graph.facebook.com/v25.0/8/permissions")
      })
  )
})
