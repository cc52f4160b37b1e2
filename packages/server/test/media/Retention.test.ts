import { MediaLibrary } from "@carillon/server/media/MediaLibrary"
import { assert, layer } from "@effect/vitest"
import { DateTime, Effect } from "effect"
import { SqlClient } from "effect/sql"
import { TestClock } from "effect/testing"
import { call, home, mediaServerWith, storedFiles, upload } from "./MediaServer.ts"
import { jpeg } from "./Pictures.ts"

const insertPost = Effect.fnUntraced(function* (status: string, media: string) {
  const sql = yield* SqlClient.SqlClient
  const now = DateTime.toDateUtc(yield* DateTime.now)
  const id = `0190a000-0000-7000-8000-${Math.floor(Math.random() * 1e12)
    .toString()
    .padStart(12, "0")}`
  yield* sql`
    insert into posts (id, workspace_id, status, caption, social_accounts, media, processing_enabled, warnings,
      created_at, updated_at)
    values (${id}, ${home}, ${status}, 'x', '{}', ${[media]}::uuid[], true, '{}', ${now}, ${now})`
  yield* sql`insert into post_media (post_id, media_id) values (${id}, ${media})`
  return id
})

const setStatus = Effect.fnUntraced(function* (id: string, status: string) {
  const sql = yield* SqlClient.SqlClient
  const now = DateTime.toDateUtc(yield* DateTime.now)
  yield* sql`update posts set status = ${status}, updated_at = ${now} where id = ${id}`
})

const expiresAt = (id: string) => Effect.map(call("GET", `/v1/media/${id}`), ({ body }) => body.expires_at)

layer(mediaServerWith({ MEDIA_RETENTION_DAYS: "3" }))("media with a retention", (it) => {
  it.effect("go when their time has come, bytes and all, and say before when that is", () =>
    Effect.gen(function* () {
      const library = yield* MediaLibrary
      const before = (yield* storedFiles).length
      const item = yield* upload("image/jpeg", yield* jpeg())
      const at = yield* expiresAt(item.id)
      assert.strictEqual(
        Date.parse(at) - Date.parse(item.created_at as unknown as string),
        3 * 24 * 3600 * 1000
      )
      yield* TestClock.adjust("2 days")
      yield* library.collect
      assert.strictEqual(yield* expiresAt(item.id), at)
      yield* TestClock.adjust("2 days")
      yield* library.collect
      assert.strictEqual((yield* call("GET", `/v1/media/${item.id}`)).status, 404)
      assert.lengthOf(yield* storedFiles, before)
    })
  )

  it.effect("stay while a draft or scheduled post needs them, and a while after the post", () =>
    Effect.gen(function* () {
      const library = yield* MediaLibrary
      const needed = yield* Effect.forEach(["draft", "scheduled"], (status) =>
        Effect.gen(function* () {
          const item = yield* upload("image/jpeg", yield* jpeg())
          return { item, post: yield* insertPost(status, item.id) }
        })
      )
      yield* TestClock.adjust("6 days")
      yield* library.collect
      for (const { item, post } of needed) {
        assert.isNull(yield* expiresAt(item.id))
        yield* setStatus(post, "published")
        assert.isAbove(Date.parse(yield* expiresAt(item.id)), (yield* DateTime.now).epochMilliseconds)
      }
      yield* library.collect
      for (const { item } of needed) assert.isNotNull(yield* expiresAt(item.id))
      yield* TestClock.adjust("4 days")
      yield* library.collect
      for (const { item } of needed)
        assert.strictEqual((yield* call("GET", `/v1/media/${item.id}`)).status, 404)
    })
  )
})
