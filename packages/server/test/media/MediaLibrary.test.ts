import { CurrentActor, type MediaId, PostId, platformRules } from "@carillon/domain"
import { PgTypes } from "@effect/sql-pg"
import { assert, layer } from "@effect/vitest"
import { Deferred, Effect, Fiber, Stream } from "effect"
import { SecureRandom } from "effect/crypto"
import { SqlClient } from "effect/sql"
import { TestClock } from "effect/testing"
import sharp from "sharp"
import { MediaLibrary } from "@carillon/server/media/MediaLibrary"
import { MediaFiles } from "@carillon/server/media/serving/MediaFiles"
import { call, elsewhere, home, mediaServer, put, reserve, send, storedFiles, upload } from "./MediaServer.ts"
import { encoded, grainy, jpeg, jpegOf } from "./Pictures.ts"

interface PostOptions {
  readonly status: "draft" | "scheduled" | "published" | "failed"
  readonly media: ReadonlyArray<string>
  readonly thread?: unknown
  readonly overrides?: { readonly platform?: unknown; readonly account?: unknown }
}

const insertPost = Effect.fnUntraced(function* ({ status, media, thread = [], overrides }: PostOptions) {
  const sql = yield* SqlClient.SqlClient
  const id = PostId.make(SecureRandom.uuidV7Unsafe())
  yield* sql`
    insert into posts (id, workspace_id, status, caption, social_accounts, media, thread,
      platform_configurations, account_configurations, processing_enabled, warnings, created_at, updated_at)
    values (${id}, ${home}, ${status}, 'a caption', '{}', ${media}::uuid[],
      ${PgTypes.jsonb(thread)}, ${PgTypes.jsonb(overrides?.platform ?? {})}, ${PgTypes.jsonb(overrides?.account ?? [])},
      true, '{}', now(), now())`
  yield* sql`insert into post_media (post_id, media_id) select ${id}, unnest(${media}::uuid[])`
  return id
})

const readPost = Effect.fnUntraced(function* (id: PostId) {
  const sql = yield* SqlClient.SqlClient
  const rows = yield* sql<{
    media: unknown
    thread: unknown
    platform: unknown
    account: unknown
    version: number
    used: number
  }>`
    select media, thread, platform_configurations as platform, account_configurations as account, version,
      (select count(*)::int from post_media where post_id = posts.id) as used
    from posts where id = ${id}`
  return rows[0]!
})

const someMedia = (name?: string) => Effect.flatMap(jpeg(), (bytes) => upload("image/jpeg", bytes, name))

const remove = (id: string, workspace = home) => call("DELETE", `/v1/media/${id}`, undefined, workspace)

layer(mediaServer)("the media library", (it) => {
  it.effect("names and describes an item, and finds what is not described or on no post", () =>
    Effect.gen(function* () {
      const [plain, used] = [yield* someMedia("plain.jpg"), yield* someMedia("used.jpg")]
      assert.deepInclude(plain, { alt_text: null, kind: "image", importing: false, frame_rate: null })
      yield* insertPost({ status: "published", media: [used.id] })
      const change = (id: string, body: object) => call("PATCH", `/v1/media/${id}`, body)
      const changed = yield* change(used.id, { name: "../evening.jpg", alt_text: "Bells" })
      assert.strictEqual(changed.status, 200)
      assert.deepInclude(changed.body, { name: "evening.jpg", alt_text: "Bells" })
      assert.strictEqual((yield* change(used.id, { alt_text: null })).body.alt_text, null)
      assert.deepInclude((yield* change(used.id, { alt_text: "Bells" })).body, { name: "evening.jpg" })
      assert.strictEqual((yield* change(used.id, { alt_text: "x".repeat(2001) })).status, 400)
      assert.strictEqual((yield* call("PATCH", `/v1/media/${used.id}`, {}, elsewhere)).status, 404)
      const found = (query: string) =>
        Effect.map(call("GET", `/v1/media?${query}`), ({ body }) =>
          body.data
            .map(({ id }: { id: string }) => id)
            .filter((id: string) => id === plain.id || id === used.id)
        )
      assert.deepStrictEqual(yield* found("unused=true"), [plain.id])
      assert.deepStrictEqual(yield* found("unused=false&type=image"), [used.id])
      assert.deepStrictEqual(yield* found("described=false"), [plain.id])
      assert.deepStrictEqual(yield* found("described=true&q=evening"), [used.id])
      assert.strictEqual((yield* call("GET", "/v1/media?unused=perhaps")).status, 400)
    })
  )

  it.effect("keeps what a scheduled post says from an app whose posts need approval", () =>
    Effect.gen(function* () {
      const library = yield* MediaLibrary
      const item = yield* someMedia()
      const app = {
        workspace_id: home,
        timezone: "UTC",
        key_id: null,
        key_name: null,
        member: null,
        member_id: null,
        instance: true,
        grant: { id: "grant", connection: "app", app: "App", needs_approval: true, asked: [] },
        scopes: ["media:write"],
        social_accounts: null
      } as const
      const describe = (alt_text: string) =>
        library.update(item.id, { alt_text }).pipe(Effect.provideService(CurrentActor, app))
      assert.strictEqual((yield* Effect.flip(describe("Not its own"))).code, "approval_needed")
      const sql = yield* SqlClient.SqlClient
      yield* sql`update media set reserved_by = 'app' where id = ${item.id}`
      assert.strictEqual((yield* describe("Before")).alt_text, "Before")
      const post = yield* insertPost({ status: "scheduled", media: [item.id] })
      const refused = yield* Effect.flip(describe("After"))
      assert.deepInclude(refused, { code: "media_in_use", post_ids: [post] })
      const { body } = yield* call("PATCH", `/v1/media/${item.id}`, { alt_text: "By its owner" })
      assert.strictEqual(body.alt_text, "By its owner")
    })
  )

  it.effect("the media library has a small picture of each image, made once, that goes with it", () =>
    Effect.gen(function* () {
      const item = yield* upload("image/jpeg", yield* jpeg(1200, 600), "wide.jpg")
      const before = yield* storedFiles
      const look = () => Effect.promise(async () => fetch(item.thumbnail_url!))
      const answers = yield* Effect.all([look(), look(), look()], { concurrency: 3 })
      for (const answer of answers) {
        assert.deepStrictEqual([answer.status, answer.headers.get("content-type")], [200, "image/webp"])
        const bytes = yield* Effect.promise(async () => new Uint8Array(await answer.arrayBuffer()))
        const { width, height, format } = yield* Effect.promise(() => sharp(bytes).metadata())
        assert.deepStrictEqual({ width, height, format }, { width: 480, height: 240, format: "webp" })
      }
      assert.lengthOf(yield* storedFiles, before.length + 1)
      const forged = item.thumbnail_url!.replace(/signature=.{4}/, "signature=____")
      assert.strictEqual((yield* Effect.promise(async () => fetch(forged))).status, 403)
      assert.strictEqual((yield* remove(item.id)).status, 200)
      assert.strictEqual((yield* look()).status, 404)
      assert.lengthOf(yield* storedFiles, before.length - 1)
    })
  )

  it.effect("lists what it holds, newest first, page by page", () =>
    Effect.gen(function* () {
      const ids: Array<string> = []
      for (const name of ["first.jpg", "second.jpg", "third.jpg"]) {
        yield* TestClock.adjust("1 second")
        ids.unshift((yield* upload("image/jpeg", yield* jpeg(), name, elsewhere)).id)
      }
      const list = (query: string) =>
        Effect.map(call("GET", `/v1/media${query}`, undefined, elsewhere), ({ body }) => body)
      const all = yield* list("")
      assert.deepStrictEqual(
        all.data.map((item: { id: string }) => item.id),
        ids
      )
      assert.deepStrictEqual(all.meta, {
        total: 3,
        total_relation: "exact",
        offset: 0,
        limit: 50,
        next: null
      })
      const page = yield* list("?limit=2&type=image&status=ready")
      assert.strictEqual(page.meta.total, 3)
      const { body: rest } = yield* send(page.meta.next, {
        headers: { authorization: `Bearer ${elsewhere}` }
      })
      assert.deepStrictEqual(
        [...page.data, ...rest.data].map(({ id }) => id),
        ids
      )
      assert.strictEqual(rest.meta.next, null)
    })
  )

  it.effect("filters by type, status, name and post", () =>
    Effect.gen(function* () {
      const photo = yield* someMedia("Söme 100%_photo.jpg")
      const pdf = yield* upload("application/pdf", new TextEncoder().encode("%PDF-1.7\n"), "100 pages.pdf")
      const reserved = yield* reserve("video/mp4", 100, "film.mp4")
      const post = yield* insertPost({ status: "draft", media: [photo.id] })
      const ids = (query: string) =>
        Effect.map(call("GET", `/v1/media?${query}`), ({ body }) =>
          body.data.map((item: { id: string }) => item.id)
        )
      assert.deepStrictEqual(yield* ids("type=document"), [pdf.id])
      assert.deepStrictEqual(yield* ids("type=video&status=reserved"), [reserved.media_id])
      assert.deepStrictEqual(yield* ids("type=document,video"), [reserved.media_id, pdf.id])
      assert.deepStrictEqual(yield* ids("type[]=document&type[]=video"), [reserved.media_id, pdf.id])
      assert.deepStrictEqual(yield* ids("status=failed"), [])
      assert.deepStrictEqual(yield* ids("q=SÖME"), [photo.id])
      assert.deepStrictEqual(yield* ids("q=100%25"), [photo.id])
      assert.deepStrictEqual(yield* ids("q=0%25_p"), [photo.id])
      assert.deepStrictEqual(yield* ids("q=%25pages"), [])
      assert.deepStrictEqual(yield* ids("q=%5C"), [])
      assert.deepStrictEqual(yield* ids(`post_id=${post}`), [photo.id])
      assert.deepStrictEqual(yield* ids("post_id=1"), [])
      for (const query of ["type=audio", "status=done", "colour=red", "limit=0", "q=%00"]) {
        assert.strictEqual((yield* call("GET", `/v1/media?${query}`)).status, 400, query)
      }
    })
  )

  it.effect("shows nothing of another workspace", () =>
    Effect.gen(function* () {
      const { id } = yield* someMedia()
      const library = yield* MediaLibrary
      for (const unknown of [id, "0190a000-0000-7000-8000-00000000ffff", "not-an-id", "%00", "..%2f.."]) {
        assert.strictEqual(
          (yield* call("GET", `/v1/media/${unknown}`, undefined, elsewhere)).status,
          404,
          unknown
        )
        assert.strictEqual((yield* remove(unknown, elsewhere)).status, 404, unknown)
      }
      assert.deepStrictEqual(yield* library.find(elsewhere, [id]), [])
      assert.deepStrictEqual(yield* library.lockForUse(elsewhere, [id]), [])
      assert.strictEqual((yield* call("GET", `/v1/media/${id}`)).status, 200)
    })
  )

  it.effect("gives other rooms what it knows, in the order they asked", () =>
    Effect.gen(function* () {
      const library = yield* MediaLibrary
      const [a, b] = [yield* someMedia("a"), yield* someMedia("b")]
      const found = yield* library.find(home, [
        b.id,
        "nonsense",
        a.id.toUpperCase(),
        "0190a000-0000-7000-8000-00000000ffff"
      ])
      assert.deepStrictEqual(
        found.map(({ name }) => name),
        ["b", "a"]
      )
      assert.deepInclude(found[0]!, {
        kind: "image",
        width: 30,
        height: 20,
        size_bytes: b.size_bytes,
        sha256: b.sha256
      })
      assert.deepStrictEqual(yield* library.find(home, []), [])
    })
  )

  it.effect("hands an item to a platform, fitted or as it is", () =>
    Effect.gen(function* () {
      const files = yield* MediaFiles
      const bytes = yield* encoded(grainy(300, 200).png())
      const { id, sha256 } = yield* upload("image/png", bytes, "drawing.png")
      const images = { max_count: 1, mime_types: ["image/jpeg"], max_bytes: 20_000, max_side: 100 }
      const placement = { ...platformRules.sandbox.placementOf(["image"], undefined), images }
      const shared = { platform: "sandbox", placement, use: "media", reachable: true } as const
      const media = yield* files.publishable(home, id, {
        ...shared,
        processing_enabled: true,
        describe: () => "noise"
      })
      assert.deepInclude(media, {
        id,
        kind: "image",
        name: "drawing.png",
        sha256: sha256!,
        alt_text: "noise",
        width: 300
      })
      const fitted = yield* media.image
      assert.deepInclude(fitted, { mime_type: "image/jpeg", width: 100, height: 67 })
      assert.deepStrictEqual(new Uint8Array(Buffer.concat(yield* Stream.runCollect(media.content))), bytes)
      const part = Buffer.concat(yield* Stream.runCollect(media.part({ start: 10, end: 19 })))
      assert.deepStrictEqual(new Uint8Array(part), bytes.subarray(10, 20))

      const unprocessed = yield* files.publishable(home, id, {
        ...shared,
        processing_enabled: false,
        describe: () => null
      })
      const refused = yield* Effect.flip(unprocessed.image)
      assert.strictEqual(refused.class, "media_rejected")
      assert.include(refused.message, "accepts image/jpeg, but this one is image/png")

      const missing = yield* Effect.flip(
        files.publishable(elsewhere, id, { ...shared, processing_enabled: true, describe: () => null })
      )
      assert.strictEqual(missing.code, "media_not_found")
    })
  )

  it.effect("deletes an item that no post needs, bytes and all", () =>
    Effect.gen(function* () {
      const { id } = yield* someMedia()
      const { status, body } = yield* remove(id)
      assert.strictEqual(status, 200)
      assert.deepStrictEqual(body, { success: true, id, drafts: [] })
      assert.notInclude(yield* storedFiles, id)
      assert.strictEqual((yield* call("GET", `/v1/media/${id}`)).status, 404)
      assert.strictEqual((yield* remove(id)).status, 404)
    })
  )

  it.effect("keeps an item that scheduled posts need, and names them", () =>
    Effect.gen(function* () {
      const { id } = yield* someMedia()
      const draft = yield* insertPost({ status: "draft", media: [id] })
      const scheduled = [
        yield* insertPost({ status: "scheduled", media: [id] }),
        yield* insertPost({ status: "scheduled", media: [id] })
      ]
      const { status, body } = yield* remove(id)
      assert.strictEqual(status, 409)
      assert.strictEqual(body.code, "media_in_use")
      assert.deepStrictEqual(
        body.errors.map(({ path }: { path: string }) => path),
        scheduled.map((post) => `/v1/posts/${post}`)
      )
      assert.include(yield* storedFiles, id)
      assert.deepStrictEqual((yield* readPost(draft)).media, [id])
      assert.deepStrictEqual(
        (yield* call("GET", `/v1/media/${id}`)).body.used_by,
        [draft, ...scheduled].toReversed()
      )
    })
  )

  it.effect("takes a deleted item off drafts, wherever they use it", () =>
    Effect.gen(function* () {
      const [gone, kept] = [yield* someMedia(), yield* someMedia()]
      const shouted = gone.id.toUpperCase()
      const draft = yield* insertPost({
        status: "draft",
        media: [gone.id, kept.id],
        thread: [{ caption: gone.id, media: [gone.id, kept.id] }, "x"],
        overrides: {
          platform: {
            bluesky: { media: [kept.id, shouted], caption: gone.id },
            instagram: { cover_image: gone.id, thread: [{ media: [shouted] }] },
            sandbox: { title: "x", cover_image: kept.id }
          },
          account: [
            { account_id: 7, media: [gone.id], cover_image: shouted },
            { account_id: 8, caption: "y", thread: [{ media: [kept.id, gone.id] }] }
          ]
        }
      })
      const { status, body } = yield* remove(gone.id)
      assert.strictEqual(status, 200)
      assert.deepStrictEqual(body.drafts, [draft])
      assert.deepStrictEqual(yield* readPost(draft), {
        media: [kept.id],
        thread: [{ caption: gone.id, media: [kept.id] }, "x"],
        platform: {
          bluesky: { media: [kept.id], caption: gone.id },
          instagram: { thread: [{ media: [] }] },
          sandbox: { title: "x", cover_image: kept.id }
        },
        account: [
          { account_id: 7, media: [] },
          { account_id: 8, caption: "y", thread: [{ media: [kept.id] }] }
        ],
        version: 2,
        used: 1
      })
    })
  )

  it.effect("remembers name and hash of a deleted item with the post that was published", () =>
    Effect.gen(function* () {
      const { id, sha256 } = yield* someMedia("published.jpg")
      const post = yield* insertPost({ status: "published", media: [id] })
      assert.strictEqual((yield* remove(id)).status, 200)
      assert.notInclude(yield* storedFiles, id)
      yield* (yield* MediaLibrary).collect
      const { body } = yield* call("GET", `/v1/media?post_id=${post}`)
      assert.strictEqual(body.meta.total, 1)
      assert.deepInclude(body.data[0], { id, name: "published.jpg", sha256, url: null })
      assert.strictEqual(body.data[0].object.isDeleted, true)
      assert.deepStrictEqual((yield* readPost(post)).media, [id])
    })
  )

  it.effect("the media library does not delete an item that a post is just being made with", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const library = yield* MediaLibrary
      const { id } = yield* someMedia()
      const locked = yield* Deferred.make<void>()
      const creating = yield* Effect.gen(function* () {
        const [item] = yield* library.lockForUse(home, [id])
        yield* Deferred.succeed(locked, undefined)
        return yield* insertPost({ status: "scheduled", media: [item!.id] })
      }).pipe(sql.withTransaction, Effect.forkChild)
      yield* Deferred.await(locked)
      const { status, body } = yield* remove(id)
      const post = yield* Fiber.join(creating)
      assert.strictEqual(status, 409)
      assert.include(body.detail, post)
      assert.include(yield* storedFiles, id)
    })
  )

  it.effect("never leaves a post with an item that is gone when both are done at once", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const library = yield* MediaLibrary
      const create = (id: MediaId) =>
        Effect.gen(function* () {
          const found = yield* library.lockForUse(home, [id])
          return yield* Effect.forEach(found, (item) => insertPost({ status: "scheduled", media: [item.id] }))
        }).pipe(sql.withTransaction)
      const outcomes = yield* Effect.forEach(
        Array.from({ length: 20 }),
        () =>
          Effect.gen(function* () {
            const { id } = yield* someMedia()
            const [posts, deletion] = yield* Effect.all([create(id), remove(id)], {
              concurrency: "unbounded"
            })
            return `${posts.length} posts, ${deletion.status}`
          }),
        { concurrency: 4 }
      )
      assert.deepStrictEqual(
        outcomes.filter((outcome) => outcome !== "1 posts, 409" && outcome !== "0 posts, 200"),
        []
      )
    })
  )

  it.effect("deletes while drafts are being edited without either waiting for the other for ever", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const library = yield* MediaLibrary
      const edit = (post: PostId, ids: ReadonlyArray<string>) =>
        Effect.gen(function* () {
          yield* sql`select id from posts where id = ${post} for update`
          const found = yield* library.lockForUse(home, ids)
          yield* sql`delete from post_media where post_id = ${post}`
          for (const { id } of found)
            yield* sql`insert into post_media (post_id, media_id) values (${post}, ${id})`
          return found.length
        }).pipe(sql.withTransaction)
      const outcomes = yield* Effect.forEach(
        Array.from({ length: 10 }),
        () =>
          Effect.gen(function* () {
            const [a, b] = [yield* someMedia(), yield* someMedia()]
            const drafts = [
              yield* insertPost({ status: "draft", media: [a.id] }),
              yield* insertPost({ status: "draft", media: [b.id] })
            ]
            const [first, second] = yield* Effect.all(
              [remove(a.id), remove(b.id), ...drafts.map((post) => edit(post, [b.id, a.id]))],
              { concurrency: "unbounded" }
            )
            return [(first as { status: number }).status, (second as { status: number }).status]
          }),
        { concurrency: 3 }
      )
      assert.deepStrictEqual(
        outcomes.flat().filter((status) => status !== 200),
        []
      )
    })
  )

  it.effect("forgets reservations after a day, and nothing else", () =>
    Effect.gen(function* () {
      const library = yield* MediaLibrary
      const old = yield* reserve("image/jpeg", 100)
      const filled = yield* someMedia()
      const used = yield* reserve("image/jpeg", 100)
      yield* insertPost({ status: "draft", media: [used.media_id] })
      yield* TestClock.adjust("23 hours")
      const young = yield* reserve("image/jpeg", 100)
      const status = (id: string) => Effect.map(call("GET", `/v1/media/${id}`), (answer) => answer.status)
      assert.strictEqual(yield* status(old.media_id), 200)
      yield* TestClock.adjust("2 hours")
      yield* library.collect
      assert.strictEqual(yield* status(old.media_id), 404)
      assert.strictEqual(yield* status(filled.id), 200)
      assert.strictEqual(yield* status(used.media_id), 200)
      assert.strictEqual(yield* status(young.media_id), 200)
      assert.strictEqual((yield* put(old.upload_url, "image/jpeg", yield* jpegOf(1000))).status, 403)
    })
  )
})
