import { SandboxProcess } from "@carillon/sandbox/testing"
import { assert, layer } from "@effect/vitest"
import { Effect, Schedule } from "effect"
import { createServer, type ServerResponse } from "node:http"
import { readFileSync } from "node:fs"
import { listening } from "../../packages/server/test/http/TestServer.ts"
import { connectInBrowser } from "@carillon/testing/ConsentVisit"
import { readEvents } from "@carillon/testing/EventReader"
import { connect, create, eventually, inSeconds, settled } from "@carillon/testing/Publishing"
import { until } from "@carillon/testing/Receiver"
import { Service } from "@carillon/testing/ServiceProcess"
import { anotherWorkspace, SharedService } from "@carillon/testing/SharedService"

const picture = readFileSync(new URL("../../examples/media/bells.jpg", import.meta.url))

const film = readFileSync(new URL("../../packages/server/test/media/fixtures/video.mp4", import.meta.url))

const fileServer = (answer: (path: string, response: ServerResponse) => void) =>
  Effect.map(
    listening(createServer((request, response) => answer(request.url ?? "", response))),
    ({ port, connections }) => ({ url: `http://127.0.0.1:${port}`, connections })
  )

const sendPicture = (response: ServerResponse) =>
  response.writeHead(200, { "content-type": "text/plain" }).end(picture)

/** A call of the tool by an agent; what it says, as data and as text. */
const importMedia = Effect.fnUntraced(function* (args: object) {
  const { call } = yield* Service
  const { body } = yield* call("POST", "/mcp", {
    jsonrpc: "2.0",
    id: 1,
    method: "tools/call",
    params: { name: "import_media", arguments: args }
  })
  const { structuredContent, isError, content } = body.result
  return { made: structuredContent, isError, text: content[0].text as string }
})

const item = (id: string, wanted: (media: any) => boolean) =>
  Effect.gen(function* () {
    const { body } = yield* (yield* Service).call("GET", `/v1/media/${id}`)
    return wanted(body) ? body : yield* Effect.fail(body)
  }).pipe(
    Effect.retry({ schedule: Schedule.spaced("50 millis"), times: 2400 }),
    Effect.catch((last) => Effect.die(new Error(JSON.stringify(last))))
  )

layer(SharedService, {
  excludeTestServices: true,
  timeout: "180 seconds"
})("media from URLs", (it) => {
  it.effect("media from URLs are imported: the item is there at once and ready when the bytes are", () =>
    Effect.gen(function* () {
      const service = yield* Service
      const files = yield* fileServer((_, response) =>
        response
          .writeHead(200, {
            "content-type": "text/html",
            "content-disposition": 'attachment; filename="../../evening bells.jpg"'
          })
          .end(picture)
      )
      const { status, body } = yield* service.call("POST", "/v1/media/import", {
        url: `${files.url}/x?token=1`
      })
      assert.strictEqual(status, 201, JSON.stringify(body))
      assert.strictEqual(body.status, "reserved")
      assert.strictEqual(body.mime_type, null)
      const ready = yield* item(body.id, ({ status }) => status !== "reserved")
      assert.strictEqual(ready.status, "ready", JSON.stringify(ready))
      assert.strictEqual(ready.name, "evening bells.jpg")
      assert.strictEqual(ready.mime_type, "image/jpeg")
      assert.strictEqual(ready.size_bytes, picture.length)
      assert.isAbove(ready.width, 0)
      const served = yield* Effect.promise(async () =>
        Buffer.from(await (await fetch(ready.url)).arrayBuffer())
      )
      assert.isTrue(served.equals(picture))
    })
  )

  it.effect(
    "media from URLs are not taken for a post while the workspace holds as many bytes as it may",
    () =>
      Effect.gen(function* () {
        const service = yield* Service
        const ours = { authorization: `Bearer ${(yield* anotherWorkspace).key}` }
        const { body: film } = yield* service.call(
          "POST",
          "/v1/media/create-upload-url",
          { mime_type: "video/mp4", size_bytes: 1_000_000_000 },
          ours
        )
        const post = {
          caption: "x",
          social_accounts: [1],
          is_draft: true,
          media_urls: ["http://127.0.0.1:9/a.jpg"]
        }
        for (const path of ["/v1/posts", "/v1/posts/validate"]) {
          const { status, body } = yield* service.call("POST", path, post, ours)
          assert.deepStrictEqual([status, body.code], [413, "workspace_full"])
          assert.include(body.detail, "uses 1000000000 of its 1000000000 bytes")
        }
        assert.strictEqual((yield* service.call("GET", "/v1/posts", undefined, ours)).body.meta.total, 0)
        yield* service.call("DELETE", `/v1/media/${film.media_id}`, undefined, ours)
        assert.notStrictEqual((yield* service.call("POST", "/v1/posts", post, ours)).status, 413)
      })
  )

  it.effect("media from URLs may be attachments of a conversation that the host hands to the tool", () =>
    Effect.gen(function* () {
      const service = yield* Service
      const asked: Array<string> = []
      const files = yield* fileServer((path, response) => {
        asked.push(path)
        sendPicture(response)
      })
      const listed = yield* service.call("POST", "/mcp", { jsonrpc: "2.0", id: 1, method: "tools/list" })
      const tool = listed.body.result.tools.find(({ name }: any) => name === "import_media")
      assert.deepStrictEqual(tool._meta["openai/fileParams"], ["file"])
      // The shape that the host looks for: these four, of which these two are always there.
      const { properties, required } = tool.inputSchema.properties.file
      assert.hasAllKeys(properties, ["download_url", "file_id", "mime_type", "file_name"])
      assert.sameMembers(required, ["download_url", "file_id"])

      const file = { download_url: `${files.url}/file-1?sig=secret`, file_id: "file-1" }
      const { made } = yield* importMedia({ file: { ...file, file_name: "bells.jpg", added_later: 1 } })
      const ready = yield* item(made.id, ({ status }) => status !== "reserved")
      assert.deepStrictEqual(
        [ready.status, ready.name, ready.mime_type],
        ["ready", "bells.jpg", "image/jpeg"]
      )
      assert.deepStrictEqual(asked, ["/file-1?sig=secret"])
      const named = yield* importMedia({ file: { ...file, file_name: "bells.jpg" }, name: "Ours" })
      assert.strictEqual(named.made.name, "Ours")
      for (const args of [{}, { url: `${files.url}/a.jpg`, file }, { url: null, file: null }]) {
        const refused = yield* importMedia(args)
        assert.isTrue(refused.isError)
        assert.include(refused.text, "Give either url or file")
      }
    })
  )

  it.effect("go out with a post that was accepted before they were fetched, after those of media", () =>
    Effect.gen(function* () {
      const service = yield* Service
      const sandbox = yield* SandboxProcess
      const account = yield* connect("from-urls")
      const held: Array<ServerResponse> = []
      const files = yield* fileServer((_, response) => held.push(response))
      const uploaded = yield* service.upload(picture, "image/jpeg", "first.jpg")
      const post: any = yield* create({
        social_accounts: [account],
        caption: "Both",
        media: [uploaded],
        media_urls: [`${files.url}/second.jpg`]
      })
      assert.strictEqual(post.status, "scheduled")
      assert.strictEqual(post.media[0], uploaded)
      const [, imported] = post.media
      const reserved = yield* item(imported, () => true)
      assert.strictEqual(reserved.status, "reserved")
      assert.deepStrictEqual(reserved.used_by, [post.id])
      yield* eventually(post.id, ({ results }) => results[0].error?.code === "media_not_ready")
      yield* until(() => held.length === 1)
      held.forEach(sendPicture)
      const done: any = yield* settled(post.id)
      assert.strictEqual(done.status, "published", JSON.stringify(done))
      const [published]: any = yield* sandbox.publications("from-urls")
      assert.strictEqual(published.media.length, 2)
    })
  )

  it.effect("media from URLs may be a film's thumbnail, which is waited for, and has to be a picture", () =>
    Effect.gen(function* () {
      const service = yield* Service
      const sandbox = yield* SandboxProcess
      const accounts = yield* connectInBrowser("youtube", "filmed")
      const held: Array<ServerResponse> = []
      const files = yield* fileServer((_, response) => held.push(response))
      const filmWith = Effect.fnUntraced(function* (thumbnail: string) {
        const imported = yield* service.call("POST", "/v1/media/import", { url: files.url + thumbnail })
        const post = yield* create({
          social_accounts: accounts,
          caption: thumbnail,
          media: [yield* service.upload(film, "video/mp4", "film.mp4")],
          platform_configurations: { youtube: { thumbnail: imported.body.id } }
        })
        return yield* eventually(post.id, ({ results }) => results[0].error?.code === "media_not_ready")
      })
      const good: any = yield* filmWith("/cover.jpg")
      yield* until(() => held.length === 1)
      held.splice(0).forEach(sendPicture)
      const done: any = yield* settled(good.id)
      assert.strictEqual(done.status, "published", JSON.stringify(done))
      const asked = yield* sandbox.on("youtube").requests("filmed")
      assert.include(
        asked.map(({ operation, status }) => `${operation} ${status}`),
        "thumbnail 200"
      )
      const bad: any = yield* filmWith("/paper.jpg")
      yield* until(() => held.length === 1)
      held.splice(0).forEach((response) => response.end("%PDF-1.7\n"))
      const failed: any = yield* settled(bad.id)
      assert.strictEqual(failed.status, "failed")
      assert.strictEqual(failed.results[0].error.class, "media_rejected")
      assert.match(failed.results[0].error.message, /accepts only an image as thumbnail/)
    })
  )

  const unavailable = {
    "/gone.jpg": ["media_unreachable", "bad_status"],
    "/private.jpg": ["media_unreachable", "url_not_allowed"],
    "/page.jpg": ["media_rejected", "media_type_unknown"],
    "/huge.jpg": ["media_rejected", "too_large"]
  }
  const unavailableFiles = fileServer((path, response) => {
    if (path === "/page.jpg") return response.end("<html>no picture</html>")
    if (path === "/private.jpg") return response.writeHead(302, { location: "ftp://10.0.0.1/x" }).end()
    if (path === "/huge.jpg") return response.end(Buffer.concat([picture, Buffer.alloc(50 * 1024 * 1024)]))
    return response.writeHead(404).end()
  })

  it.effect("media from URLs that cannot be had fail a post that goes out at once, with the reason", () =>
    Effect.gen(function* () {
      const account = yield* connect("no-media")
      const files = yield* unavailableFiles
      const fails = Effect.fnUntraced(function* ([path, [errorClass, code]]: readonly [
        string,
        Array<string>
      ]) {
        const post: any = yield* create({
          social_accounts: [account],
          caption: path,
          media_urls: [files.url + path]
        })
        const done: any = yield* settled(post.id)
        const [{ error }] = done.results
        assert.deepStrictEqual([done.status, error.class, error.code], ["failed", errorClass, code], path)
        assert.strictEqual(error.action, "fix_content", path)
        assert.match(error.message, path === "/private.jpg" ? /ftp/ : /127\.0\.0\.1/)
        const media = yield* item(post.media[0], () => true)
        assert.deepStrictEqual([media.status, media.error.code], ["failed", code])
      })
      yield* Effect.forEach(Object.entries(unavailable), fails, { concurrency: "unbounded" })
    })
  )

  it.effect(
    "media from URLs that cannot be had leave a scheduled post as it is, with a warning, to be changed or deleted",
    () =>
      Effect.gen(function* () {
        const service = yield* Service
        const account = yield* connect("no-media-yet")
        const files = yield* unavailableFiles
        const { read } = yield* readEvents(service, { query: "?types=post.updated" })
        const stays = Effect.fnUntraced(function* ([path, [, code]]: readonly [string, Array<string>]) {
          const made: any = yield* create({
            social_accounts: [account],
            caption: path,
            media_urls: [files.url + path],
            scheduled_at: inSeconds(36000)
          })
          const [id] = made.media
          const post: any = yield* eventually(made.id, ({ warnings }) => warnings.length > 0)
          const media = yield* item(id, () => true)
          assert.deepStrictEqual([media.status, media.error.code], ["failed", code], path)
          const warning = post.warnings[0]
          assert.include(warning, `The media item ${id} could not be fetched`)
          assert.include(warning, media.error.message)
          const told = () => read.find(({ event }) => event.data.id === made.id)
          yield* until(() => told() !== undefined)
          assert.deepStrictEqual(told()!.event.data.warnings, [warning])
          assert.deepStrictEqual([post.status, post.results[0].status], ["scheduled", "waiting"])

          const change = (body: object) => service.call("PATCH", `/v1/posts/${post.id}`, body)
          for (const body of [{ caption: "New" }, { scheduled_at: inSeconds(72000) }]) {
            const changed = yield* change(body)
            assert.deepStrictEqual([changed.status, changed.body.warnings], [200, [warning]], path)
          }
          const sent = yield* service.call("POST", `/v1/posts/${post.id}/publish`)
          assert.deepStrictEqual([sent.status, sent.body.code], [400, "media_failed"])
          const without = yield* change({ media: [] })
          assert.deepStrictEqual([without.status, without.body.warnings], [200, []], path)
          const gone = yield* service.call("DELETE", `/v1/posts/${post.id}`)
          assert.strictEqual(gone.status, 200)
        })
        yield* Effect.forEach(Object.entries(unavailable), stays, { concurrency: "unbounded" })
      })
  )

  it.effect("media from URLs are tried again before the post's time, and it goes out with them", () =>
    Effect.gen(function* () {
      const service = yield* Service
      const sandbox = yield* SandboxProcess
      const account = yield* connect("at-last")
      let there = false
      const files = yield* fileServer((_, response) =>
        there ? sendPicture(response) : response.writeHead(404).end()
      )
      const post: any = yield* create({
        social_accounts: [account],
        caption: "At last",
        media_urls: [`${files.url}/late.jpg`],
        scheduled_at: inSeconds(36000)
      })
      yield* eventually(post.id, ({ warnings }) => warnings.length > 0)
      there = true
      // Within five minutes of its time it is tried at once.
      const moved = yield* service.call("PATCH", `/v1/posts/${post.id}`, { scheduled_at: inSeconds(250) })
      assert.strictEqual(moved.status, 200, JSON.stringify(moved.body))
      const good: any = yield* eventually(post.id, ({ warnings }) => warnings.length === 0)
      assert.strictEqual(good.status, "scheduled")
      const media = yield* item(post.media[0], () => true)
      assert.deepStrictEqual([media.status, media.error], ["ready", null])
      assert.strictEqual((yield* service.call("POST", `/v1/posts/${post.id}/publish`)).status, 200)
      const done: any = yield* settled(post.id)
      assert.strictEqual(done.status, "published", JSON.stringify(done))
      const published: any = yield* sandbox.publications("at-last")
      assert.deepStrictEqual(
        published.map(({ media }: any) => media.length),
        [1]
      )
    })
  )

  it.effect("media from URLs that failed are fetched anew by a retry", () =>
    Effect.gen(function* () {
      const service = yield* Service
      const account = yield* connect("second-try")
      let there = false
      const files = yield* fileServer((_, response) =>
        there ? sendPicture(response) : response.writeHead(404).end()
      )
      const post: any = yield* create({
        social_accounts: [account],
        caption: "Again",
        media_urls: [`${files.url}/late.jpg`]
      })
      yield* settled(post.id)
      there = true
      const { status, body } = yield* service.call("POST", `/v1/posts/${post.id}/retry`)
      assert.strictEqual(status, 200, JSON.stringify(body))
      yield* item(post.media[0], (media) => media.status === "ready")
      const again: any = yield* settled(post.id)
      assert.strictEqual(again.status, "published", JSON.stringify(again))
    })
  )

  it.effect("media from URLs are checked against the platform's rules when they are known", () =>
    Effect.gen(function* () {
      const account = yield* connect("does-not-fit")
      const files = yield* fileServer((_, response) => response.end("%PDF-1.7\n"))
      const post: any = yield* create({
        social_accounts: [account],
        caption: "A document",
        media_urls: [`${files.url}/paper.jpg`]
      })
      const done: any = yield* settled(post.id)
      assert.strictEqual(done.status, "failed")
      assert.strictEqual(done.results[0].error.class, "media_rejected")
      assert.match(done.results[0].error.message, /does not accept documents/)
    })
  )

  it.effect("media from URLs are refused at once where their URL says enough, and nothing is stored", () =>
    Effect.gen(function* () {
      const service = yield* Service
      const account = yield* connect("bad-urls")
      const before = yield* service.call("GET", "/v1/media?status=reserved")
      for (const path of ["/v1/posts", "/v1/posts/validate"]) {
        const { status, body } = yield* service.call("POST", path, {
          social_accounts: [account],
          caption: "",
          media_urls: ["https://example.com/a.jpg", "ftp://example.com/a.jpg", "nothing"]
        })
        assert.strictEqual(status, 400)
        assert.deepStrictEqual(
          body.errors.map((error: any) => [error.path, error.code]),
          [
            ["media_urls[1]", "media_url_not_allowed"],
            ["media_urls[2]", "media_url_not_allowed"]
          ]
        )
      }
      const single = yield* service.call("POST", "/v1/media/import", { url: "file:///etc/passwd" })
      assert.deepStrictEqual([single.status, single.body.errors[0].path], [400, "url"])
      const many = yield* service.call("POST", "/v1/posts/validate", {
        social_accounts: [account],
        media_urls: Array.from({ length: 30 }, (_, i) => `https://example.com/${i}.jpg`)
      })
      assert.strictEqual(many.body.code, "media_not_accepted")
      const after = yield* service.call("GET", "/v1/media?status=reserved")
      assert.strictEqual(after.body.meta.total, before.body.meta.total)
    })
  )

  it.effect("take the place of a post's media in a change, after those it names", () =>
    Effect.gen(function* () {
      const service = yield* Service
      const account = yield* connect("changed-media")
      const files = yield* fileServer((_, response) => sendPicture(response))
      const first = yield* service.upload(picture, "image/jpeg", "first.jpg")
      const post: any = yield* create({
        social_accounts: [account],
        caption: "Draft",
        is_draft: true,
        media: [first]
      })
      const change = (body: object) => service.call("PATCH", `/v1/posts/${post.id}`, body)
      const replaced = yield* change({ media_urls: [`${files.url}/a.jpg`] })
      assert.strictEqual(replaced.status, 200, JSON.stringify(replaced.body))
      assert.lengthOf(replaced.body.media, 1)
      assert.notStrictEqual(replaced.body.media[0], first)
      const both = yield* change({ media: [first], media_urls: [`${files.url}/b.jpg`] })
      assert.lengthOf(both.body.media, 2)
      assert.strictEqual(both.body.media[0], first)
      const unchanged = yield* change({ caption: "Same media", media_urls: [] })
      assert.deepStrictEqual(unchanged.body.media, both.body.media)
    })
  )

  it.effect(
    "media from URLs can be deleted while they are being fetched, off a draft but not off a scheduled post",
    () =>
      Effect.gen(function* () {
        const service = yield* Service
        const account = yield* connect("deleted-media")
        const files = yield* fileServer(() => {})
        const make = (rest: object) =>
          create({ social_accounts: [account], caption: "x", media_urls: [`${files.url}/a.jpg`], ...rest })
        const scheduled: any = yield* make({ scheduled_at: inSeconds(3600) })
        const kept = yield* service.call("DELETE", `/v1/media/${scheduled.media[0]}`)
        assert.deepStrictEqual([kept.status, kept.body.post_ids], [409, [scheduled.id]])
        const draft: any = yield* make({ is_draft: true })
        const gone = yield* service.call("DELETE", `/v1/media/${draft.media[0]}`)
        assert.deepStrictEqual([gone.status, gone.body.drafts], [200, [draft.id]])
        assert.strictEqual((yield* service.call("GET", `/v1/media/${draft.media[0]}`)).status, 404)
      })
  )
})
