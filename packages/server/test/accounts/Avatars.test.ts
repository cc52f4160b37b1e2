import { WorkspaceId } from "@carillon/domain"
import { AppConfig } from "@carillon/server/AppConfig"
import { Avatars } from "@carillon/server/accounts/Avatars"
import { SocialAccountRepository } from "@carillon/server/accounts/SocialAccountRepository"
import { Secrets } from "@carillon/server/crypto/Secrets"
import * as TestSql from "@carillon/testing/TestSql"
import { PgClient } from "@effect/sql-pg"
import { assert, layer } from "@effect/vitest"
import { ConfigProvider, DateTime, Effect, Layer } from "effect"
import { SecureRandom } from "effect/crypto"
import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import sharp from "sharp"

const configured = (settings: Record<string, string>) =>
  Secrets.layer.pipe(
    Layer.provideMerge(AppConfig.layer),
    Layer.provide(
      ConfigProvider.layer(
        ConfigProvider.fromUnknown({
          PUBLIC_URL: "https://carillon.example",
          CARILLON_SECRET: "a secret of at least thirty-two characters",
          ...settings
        })
      )
    )
  )

const below = (settings: Record<string, string>) =>
  Layer.merge(Avatars.layer, SocialAccountRepository.layer).pipe(
    Layer.provideMerge(TestSql.layer),
    Layer.provide(configured(settings))
  )

/** A platform's server of pictures; `asked` counts. */
const platform = Effect.acquireRelease(
  Effect.promise(async () => {
    const picture = await sharp({
      create: { width: 900, height: 600, channels: 3, background: "#1f4a60" }
    })
      .png()
      .toBuffer()
    const answers: Record<string, [number, string, Uint8Array | string]> = {
      "/good": [200, "text/plain", picture],
      "/page": [200, "image/png", "<!doctype html><p>Sign in to see this"],
      "/drawing": [200, "image/svg+xml", '<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"/>'],
      "/torn": [200, "image/png", picture.subarray(0, 120)],
      "/huge": [200, "image/png", new Uint8Array(5 * 1024 * 1024)],
      "/gone": [404, "text/plain", "gone"]
    }
    const state = { answers, asked: 0, url: "", close: () => {} }
    const server = createServer((request, response) => {
      state.asked++
      const [status, type, body] = answers[request.url!]!
      response.writeHead(status, { "content-type": type }).end(body)
    })
    await new Promise<void>((resolve) => void server.listen(0, "127.0.0.1", resolve))
    state.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
    state.close = () => void server.close()
    return state
  }),
  ({ close }) => Effect.sync(close)
)

const aWorkspace = Effect.gen(function* () {
  const sql = yield* PgClient.PgClient
  const id = WorkspaceId.make(SecureRandom.uuidV7Unsafe())
  yield* sql`insert into workspaces ${sql.insert({ id, name: "w", created_at: DateTime.toDateUtc(yield* DateTime.now) })}`
  return id
})

layer(below({ CARILLON_ALLOW_PRIVATE_HOSTS: "on" }), { excludeTestServices: true })(
  "pictures of accounts",
  (it) => {
    it.effect(
      "pictures of accounts are small squares, whatever the server calls them, and nothing else is taken",
      () =>
        Effect.gen(function* () {
          const avatars = yield* Avatars
          const { url } = yield* platform
          const workspace = WorkspaceId.make(SecureRandom.uuidV7Unsafe())
          const good = yield* avatars.fetch(workspace, `${url}/good`)
          const { format, width, height } = yield* Effect.promise(() => sharp(good!.avatar).metadata())
          assert.deepEqual([format, width, height], ["webp", 160, 160])
          assert.match(good!.avatar_version, /^[0-9a-f]{16}$/)
          for (const path of ["page", "drawing", "torn", "huge", "gone"]) {
            assert.isNull(yield* avatars.fetch(workspace, `${url}/${path}`), path)
          }
          assert.isNull(yield* avatars.fetch(workspace, "not an address"))
          assert.isNull(yield* avatars.fetch(workspace, null))
        })
    )

    it.effect("pictures of accounts that could not be had are fetched later, once", () =>
      Effect.gen(function* () {
        const avatars = yield* Avatars
        const accounts = yield* SocialAccountRepository
        const remote = yield* platform
        const workspace_id = yield* aWorkspace
        const connected_at = yield* DateTime.now
        const { id } = yield* accounts.connect({
          workspace_id,
          platform: "sandbox",
          remote_id: SecureRandom.uuidV7Unsafe(),
          username: "late",
          display_name: null,
          avatar_url: `${remote.url}/gone`,
          avatar: null,
          avatar_version: null,
          credentials: new Uint8Array(),
          token_expires_at: null,
          refresh_at: null,
          connected_at,
          default_board_id: null,
          limits: null,
          granted_scopes: null
        })
        const version = Effect.map(accounts.byIds(workspace_id, [id]), ([row]) => row!.avatar_version)
        yield* avatars.fetchMissing(id)
        assert.isNull(yield* version)
        remote.answers["/gone"] = remote.answers["/good"]!
        yield* avatars.fetchMissing(id)
        assert.isNotNull(yield* version)
        const { asked } = remote
        yield* avatars.fetchMissing(id)
        assert.strictEqual(remote.asked, asked)
      })
    )
  }
)

layer(below({}), { excludeTestServices: true })("pictures in this machine's own net", (it) => {
  it.effect("pictures in this machine's own net are not asked for", () =>
    Effect.gen(function* () {
      const avatars = yield* Avatars
      const remote = yield* platform
      assert.isNull(yield* avatars.fetch(WorkspaceId.make(SecureRandom.uuidV7Unsafe()), `${remote.url}/good`))
      assert.strictEqual(remote.asked, 0)
    })
  )
})
