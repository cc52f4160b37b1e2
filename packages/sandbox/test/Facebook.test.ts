import { SandboxProcess } from "@carillon/sandbox/testing"
import { allowConsent } from "@carillon/testing/allowConsent"
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { mediaHost } from "./MediaHost.ts"
import { send } from "./PlatformClient.ts"

// As a client that has read https://developers.facebook.com/docs/pages-api, and nothing else, would speak.
const graph = "/graph.facebook.com/v25.0"
const redirect_uri = "http://127.0.0.1:9/callback"
const pageScopes = [
  "pages_show_list",
  "pages_read_engagement",
  "pages_manage_posts",
  "pages_manage_engagement",
  "business_management"
]
const form = (fields: Record<string, string>): RequestInit => ({
  method: "POST",
  body: new URLSearchParams(fields)
})
const withFile = (part: string, bytes: Buffer, fields: Record<string, string> = {}): RequestInit => {
  const body = new FormData()
  for (const [name, value] of Object.entries(fields)) body.set(name, value)
  body.set(part, new Blob([new Uint8Array(bytes)]), "file")
  return { method: "POST", body }
}

const userOf = Effect.fnUntraced(function* (username: string, scopes: ReadonlyArray<string> = pageScopes) {
  const query = new URLSearchParams({
    client_id: "an-app",
    redirect_uri,
    response_type: "code",
    scope: scopes.join(",")
  })
  const { url } = yield* SandboxProcess
  const consent = `${url}/www.facebook.com/v25.0/dialog/oauth?${query}`
  const location = yield* allowConsent(consent, username, scopes)
  const code = new URL(location!).searchParams.get("code")!
  const app = new URLSearchParams({ client_id: "an-app", client_secret: "sandbox", redirect_uri, code })
  const { body } = yield* send(`${graph}/oauth/access_token?${app}`)
  return callerOf(body.access_token)
})

const callerOf = (token: string) => ({
  token,
  call: (path: string, init: RequestInit = {}) =>
    send(path.startsWith("/graph-video") ? path : `${graph}${path}`, {
      ...init,
      headers: { authorization: `Bearer ${token}` }
    })
})

/** The Page that the person's token lists first, or another. */
const pageOf = Effect.fnUntraced(function* (username: string, index = 0) {
  const user = yield* userOf(username)
  const { body } = yield* user.call("/me/accounts?fields=id,access_token&limit=100")
  const { access_token, id } = body.data[index]
  const page = callerOf(access_token)
  const on = (edge: string, fields: Record<string, string>) => page.call(`/${id}/${edge}`, form(fields))
  return { ...page, id: id as string, user, on, publications: publicationsOf(username) }
})
const publicationsOf = (username: string) =>
  Effect.flatMap(SandboxProcess, (sandbox) => sandbox.on("facebook").publications(username))

const errorOf = ({ body, status }: { readonly status: number; readonly body: any }) => [
  status,
  body.error?.code,
  body.error?.error_subcode
]

const png = Buffer.from("\x89PNG\r\n\x1a\n and a picture", "latin1")
const gif = Buffer.from("GIF89a and another")
const film = Buffer.alloc(200_000, 7)

layer(SandboxProcess.layer, { excludeTestServices: true })("Facebook, as the test network plays it", (it) => {
  it.effect("lists the Pages of a person in parts, with the fields that were asked for", () =>
    Effect.gen(function* () {
      const user = yield* userOf("ann-sixty")
      const fields = "fields=id,name,username,access_token,tasks,picture{url}"
      const first = yield* user.call(`/me/accounts?${fields}&limit=40`)
      assert.hasAllKeys(first.body.data[0], ["id", "name", "username", "access_token", "tasks", "picture"])
      const next = yield* send(first.body.paging.next)
      assert.notProperty(next.body.paging, "next")
      const after = yield* user.call(`/me/accounts?${fields}&after=${first.body.paging.cursors.after}`)
      assert.lengthOf(after.body.data, 21)
      const pages = [...first.body.data, ...next.body.data]
      assert.lengthOf(new Set(pages.map(({ id }) => id)), 61)
      const [readable, ...others] = pages.filter(({ tasks }) => !tasks.includes("CREATE_CONTENT"))
      assert.deepStrictEqual([readable.username, others.length], ["ann-read", 0])
      const post = yield* callerOf(readable.access_token).call(
        `/${readable.id}/feed`,
        form({ message: "Hello" })
      )
      assert.deepStrictEqual(errorOf(post), [403, 200, undefined])
    })
  )

  it.effect("keeps the grants of Pages apart from those of Instagram accounts at the same address", () =>
    Effect.gen(function* () {
      const page = yield* pageOf("bea")
      const { body: me } = yield* page.call("/me?fields=id")
      const instagram = yield* userOf("bea", [
        "instagram_basic",
        "instagram_content_publish",
        "pages_show_list"
      ])
      const { body } = yield* instagram.call("/me/accounts?fields=id,access_token,instagram_business_account")
      const [other] = body.data
      const post = form({ message: "Hello", image_url: "http://127.0.0.1:9/x.jpg" })
      const ofInstagram = callerOf(other.access_token)
      assert.deepStrictEqual(errorOf(yield* ofInstagram.call(`/${other.id}/feed`, post)), [400, 100, 33])
      const media = `/${other.instagram_business_account.id}/media`
      assert.deepStrictEqual(errorOf(yield* page.call(media, post)), [400, 100, 33])
      const allowed = yield* page.user.call("/me/permissions")
      assert.sameMembers(
        allowed.body.data.map(({ permission }: any) => permission),
        pageScopes
      )
      assert.deepStrictEqual((yield* page.user.call(`/${me.id}/permissions`, { method: "DELETE" })).body, {
        success: true
      })
      assert.deepStrictEqual(errorOf(yield* page.on("feed", { message: "Hello" })), [400, 190, 463])
      assert.strictEqual((yield* ofInstagram.call("/me")).status, 200)
    })
  )

  it.effect(
    "publishes a text with a link, not the same twice in a row, and shows it behind its address",
    () =>
      Effect.gen(function* () {
        const page = yield* pageOf("cleo")
        const draft = { message: "Grüße", link: "https://example.com/bells" }
        const { body } = yield* page.on("feed", draft)
        const [post] = yield* page.publications
        assert.strictEqual(body.id, `${page.id}_${post!.id}`)
        assert.deepInclude(post, {
          text: "Grüße",
          details: { edge: "feed", link: draft.link, page_id: page.id, photo_ids: [] }
        })
        assert.deepStrictEqual(errorOf(yield* page.on("feed", draft)), [400, 506, undefined])
        yield* page.on("feed", { message: "Between" })
        assert.strictEqual((yield* page.on("feed", draft)).status, 200)
        for (const [fields, code, subcode] of [
          [{}, 100, undefined],
          [{ message: "x".repeat(63_207) }, 100, undefined],
          [{ link: "example.com" }, 100, 2061006],
          [{ link: "https://www.facebook.com/bells" }, 100, 1609008],
          [{ message: "x", attached_media: "1" }, 100, undefined],
          [{ message: "x", attached_media: '[{"media_fbid":"1"}]' }, 100, 33]
        ] as const) {
          const refused = errorOf(yield* page.on("feed", fields))
          assert.deepStrictEqual(refused, [400, code, subcode], JSON.stringify(fields).slice(0, 80))
        }
        const asked = "fields=id,message,created_time,permalink_url,attachments{media_type,target{id}}"
        const { body: feed } = yield* page.call(`/${page.id}/feed?${asked}&limit=2`)
        assert.deepStrictEqual(
          feed.data.map(({ message }: any) => message),
          ["Grüße", "Between"]
        )
        assert.deepStrictEqual(feed.data[0].attachments, { data: [{ media_type: "link" }] })
        const { body: earlier } = yield* send(feed.paging.next)
        assert.deepStrictEqual([earlier.data.length, earlier.paging.next], [1, undefined])
        assert.match(feed.data[0].created_time, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\+0000$/)
        const { body: read } = yield* page.call(`/${body.id}?fields=permalink_url`)
        assert.include(read.permalink_url, body.id)
        const shown = yield* send(read.permalink_url)
        assert.include(shown.text, `id="post-${post!.id}"`)
        assert.deepStrictEqual(errorOf(yield* page.call(`/${body.id}?fields=bells`)), [400, 100, undefined])
        const comment = yield* page.call(`/${body.id}/comments`, form({ message: "First!" }))
        const comments = yield* page.call(`/${body.id}/comments?fields=id,message`)
        assert.deepStrictEqual(comments.body.data, [{ id: comment.body.id, message: "First!" }])
      })
  )

  it.effect("shows photos that were prepared without being seen in one post, in their order, once", () =>
    Effect.gen(function* () {
      const page = yield* pageOf("dan-two", 1)
      const photo = (bytes: Buffer, fields: Record<string, string>) =>
        page.call(`/${page.id}/photos`, withFile("source", bytes, { published: "false", ...fields }))
      const { body: first } = yield* photo(png, { alt_text_custom: "Red" })
      const { body: second } = yield* photo(gif, {})
      assert.lengthOf(yield* publicationsOf("dan-shop"), 0)
      const attached = [second, first].map(({ id }) => ({ media_fbid: id }))
      const post = { message: "Two", attached_media: JSON.stringify(attached) }
      assert.strictEqual((yield* page.on("feed", post)).status, 200)
      const [published] = yield* publicationsOf("dan-shop")
      assert.deepStrictEqual(
        published!.media.map(({ alt_text, content_type }) => [content_type, alt_text]),
        [
          ["image/gif", null],
          ["image/png", "Red"]
        ]
      )
      const shown = yield* send(`/media/${published!.media[0]!.id}`)
      assert.strictEqual(shown.headers.get("content-type"), "image/gif")
      assert.deepStrictEqual(errorOf(yield* page.on("feed", post)), [400, 100, 1366051])
      const { body: third } = yield* photo(gif, {})
      const indexed = { "attached_media[0]": JSON.stringify({ media_fbid: third.id }) }
      assert.strictEqual((yield* page.on("feed", indexed)).status, 200)
    })
  )

  it.effect("takes a photo as bytes or behind an address, of its types and up to 4 MB", () =>
    Effect.gen(function* () {
      const page = yield* pageOf("eli")
      const { url } = yield* mediaHost({
        "/square.png": ["image/png", png],
        "/large.png": ["image/png", Buffer.concat([png, Buffer.alloc(4_000_000)])]
      })
      const { body } = yield* page.on("photos", { url: `${url}/square.png`, message: "Here" })
      const [post] = yield* page.publications
      assert.strictEqual(body.post_id, `${page.id}_${post!.id}`)
      const large = withFile("source", Buffer.concat([png, Buffer.alloc(4_000_000)]))
      for (const [answer, code, subcode] of [
        [yield* page.on("photos", { url: `${url}/large.png` }), 324, 1366046],
        [yield* page.call(`/${page.id}/photos`, large), 324, 1366046],
        [yield* page.on("photos", { url: `${url}/moved.jpg` }), 324, 2069019],
        [yield* page.call(`/${page.id}/photos`, withFile("source", film)), 324, 2069019],
        [yield* page.on("photos", {}), 100, undefined]
      ] as const) {
        assert.deepStrictEqual(errorOf(answer), [400, code, subcode])
      }
    })
  )

  it.effect("publishes a reel when its bytes are there and it is out of work, also after a kill", () =>
    Effect.gen(function* () {
      const sandbox = yield* SandboxProcess
      const page = yield* pageOf("fay-quota")
      const start = () => page.on("video_reels", { upload_phase: "start" })
      const { body } = yield* start()
      const finish = (video_id: string) =>
        page.on("video_reels", {
          upload_phase: "finish",
          video_id,
          video_state: "PUBLISHED",
          description: "Bells"
        })
      const upload = (to: { readonly upload_url: string }, offset: number, end: number) =>
        send(to.upload_url, {
          method: "POST",
          headers: {
            authorization: `OAuth ${page.token}`,
            offset: String(offset),
            file_size: String(film.length)
          },
          body: new Uint8Array(film.subarray(offset, end))
        })
      const status = (id: string) => page.call(`/${id}?fields=status,permalink_url,post_id`)
      assert.deepStrictEqual(errorOf(yield* finish(body.video_id)), [400, 6000, 1363019])
      assert.strictEqual((yield* upload(body, 0, 50_000)).body.debug_info.type, "PartialRequestError")
      const { body: far } = yield* status(body.video_id)
      assert.deepInclude(far.status.uploading_phase, { bytes_transferred: 50_000, status: "in_progress" })
      yield* sandbox.on("facebook").script("fay-quota", [{ on: "media", fault: "processing", polls: 2 }])
      assert.deepInclude((yield* upload(body, 50_000, film.length)).body, { success: true })
      assert.strictEqual((yield* status(body.video_id)).body.status.video_status, "processing")
      assert.deepStrictEqual((yield* finish(body.video_id)).body, { success: true })
      assert.lengthOf(yield* page.publications, 0)
      yield* sandbox.kill
      yield* sandbox.restart
      yield* status(body.video_id)
      const { body: done } = yield* status(body.video_id)
      assert.strictEqual(done.status.publishing_phase.publish_status, "published")
      const [post, ...more] = yield* page.publications
      assert.deepInclude(post, { text: "Bells", details: { edge: "video_reels", video_id: body.video_id } })
      assert.deepStrictEqual([post!.media[0]!.size, more.length], [film.length, 0])
      assert.strictEqual(done.post_id, `${page.id}_${post!.id}`)
      assert.include((yield* send(done.permalink_url)).text, `id="post-${post!.id}"`)
      assert.deepStrictEqual(errorOf(yield* finish(body.video_id)), [400, 100, undefined])

      const { body: second } = yield* start()
      yield* upload(second, 0, film.length)
      assert.deepStrictEqual(errorOf(yield* finish(second.video_id)), [400, 4, 1390008])
    })
  )

  it.effect("says what is wrong with a video that it gives up, and publishes none of it", () =>
    Effect.gen(function* () {
      const page = yield* pageOf("gus")
      const { script } = (yield* SandboxProcess).on("facebook")
      yield* script("gus", [{ on: "post", fault: "processing", polls: 1, becomes: "failed" }])
      const { body } = yield* page.call(`/${page.id}/videos`, withFile("source", film))
      yield* page.call(`/${body.id}?fields=status`)
      const { status } = (yield* page.call(`/${body.id}?fields=status`)).body
      assert.deepStrictEqual(
        [status.video_status, status.publishing_phase],
        ["error", { status: "error", publish_status: "draft" }]
      )
      assert.include(status.processing_phase.error.message, "problem uploading your video file")
      assert.lengthOf(yield* page.publications, 0)
    })
  )

  it.effect("takes a video in the pieces that it asks for, and a cover with it", () =>
    Effect.gen(function* () {
      const page = yield* pageOf("hal")
      const large = Buffer.alloc(5 * 1024 * 1024, 5)
      const edge = `/graph-video.facebook.com/v25.0/${page.id}/videos`
      const { body: begun } = yield* page.call(
        edge,
        form({ upload_phase: "start", file_size: String(large.length) })
      )
      const session = { upload_session_id: begun.upload_session_id }
      const transfer = (start_offset: string, end: string) =>
        page.call(
          edge,
          withFile("video_file_chunk", large.subarray(Number(start_offset), Number(end)), {
            ...session,
            upload_phase: "transfer",
            start_offset
          })
        )
      const { body: next } = yield* transfer(begun.start_offset, begun.end_offset)
      const again = yield* transfer("0", begun.end_offset)
      assert.deepStrictEqual(errorOf(again), [400, 6001, 1363037])
      assert.deepStrictEqual(again.body.error.error_data, next)
      const { body: last } = yield* transfer(next.start_offset, next.end_offset)
      assert.strictEqual(last.start_offset, last.end_offset)
      const texts = { title: "Bells", description: "Evening bells" }
      const end = withFile("thumb", png, { ...session, upload_phase: "finish", ...texts })
      assert.deepStrictEqual((yield* page.call(edge, end)).body, { success: true })
      const [post] = yield* page.publications
      assert.deepInclude(post, { title: "Bells", text: "Evening bells" })
      assert.strictEqual(post!.media[0]!.size, large.length)
      assert.deepInclude(post!.details!["cover"], { content_type: "image/png" })
      const { body: read } = yield* page.call(`/${begun.video_id}?fields=permalink_url`)
      assert.include((yield* send(read.permalink_url)).text, `id="post-${post!.id}"`)
    })
  )

  it.effect("shows a photo and a video as stories, which are not in the feed", () =>
    Effect.gen(function* () {
      const page = yield* pageOf("ida")
      const { url } = yield* mediaHost({ "/film.mp4": ["video/mp4", film] })
      const { body: photo } = yield* page.call(
        `/${page.id}/photos`,
        withFile("source", png, { published: "false" })
      )
      const { body: story } = yield* page.on("photo_stories", { photo_id: photo.id })
      assert.isTrue(story.success)
      const { body: begun } = yield* page.on("video_stories", { upload_phase: "start" })
      yield* send(begun.upload_url, {
        method: "POST",
        headers: { authorization: `OAuth ${page.token}`, file_url: `${url}/film.mp4` }
      })
      yield* page.on("video_stories", { upload_phase: "finish", video_id: begun.video_id })
      const posts = yield* page.publications
      assert.deepStrictEqual(
        posts.map(({ details, id }) => [id === story.post_id, details!["edge"]]),
        [
          [true, "photo_stories"],
          [false, "video_stories"]
        ]
      )
      assert.deepStrictEqual((yield* page.call(`/${page.id}/feed`)).body.data, [])
    })
  )

  it.effect("refuses by script in the words of Pages, and says in minutes when to come back", () =>
    Effect.gen(function* () {
      const page = yield* pageOf("joe")
      yield* (yield* SandboxProcess).on("facebook").script("joe", [
        { on: "post", fault: "rate_limited", retry_after: 90 },
        { on: "post", fault: "refuse", status: 400, code: "200/1404078" }
      ])
      const limited = yield* page.on("feed", { message: "Hello" })
      assert.deepStrictEqual(errorOf(limited), [400, 80001, undefined])
      const usage = JSON.parse(limited.headers.get("x-business-use-case-usage")!)
      assert.deepInclude((Object.values(usage) as Array<any>)[0][0], {
        type: "pages",
        estimated_time_to_regain_access: 2
      })
      assert.deepStrictEqual(errorOf(yield* page.on("feed", { message: "Hello" })), [400, 200, 1404078])
    })
  )
})
