import { Accepted } from "@carillon/server/platforms/Platform"
import { NodeHttpClient } from "@effect/platform-node"
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { connected, consent, credentials, film, formOf, kinds, page, post } from "./FacebookScript.ts"
import type { Received } from "./ScriptedServer.ts"
import { image, live } from "./TestRequest.ts"

interface Rule {
  /** Method and address, without the version. */
  readonly call: RegExp
  readonly auth?: RegExp
  /** The fields of the query or of the form: which there have to be, and which there may be. */
  readonly must?: ReadonlyArray<string>
  readonly may?: ReadonlyArray<string>
  /** The page below https://developers.facebook.com/docs. */
  readonly because: string
}

const graph = String.raw`graph\.facebook\.com/v25\.0`
const bearer = /^Bearer \S+$/
const rule = (
  call: string,
  because: string,
  must: ReadonlyArray<string> = [],
  may: ReadonlyArray<string> = [],
  auth: RegExp | undefined = bearer
): Rule => ({ call: new RegExp(`^${call}$`), because, must, may, ...(auth === undefined ? {} : { auth }) })

/** Meta has no description of its Graph API: these are the lines of its documents. */
const checklist: ReadonlyArray<Rule> = [
  {
    call: new RegExp(`^GET ${graph}/oauth/access_token$`),
    must: ["client_id", "client_secret"],
    may: ["redirect_uri", "code", "grant_type", "fb_exchange_token"],
    because: "facebook-login/guides/advanced/manual-flow, facebook-login/guides/access-tokens/get-long-lived"
  },
  rule(`GET ${graph}/me/permissions`, "graph-api/reference/user/permissions"),
  rule(`GET ${graph}/me`, "graph-api/reference/user", ["fields"]),
  rule(`GET ${graph}/me/accounts`, "graph-api/reference/user/accounts", ["fields", "limit"], ["after"]),
  rule(`GET ${graph}/me/businesses`, "graph-api/reference/user/businesses", ["fields", "limit"]),
  rule(`GET ${graph}/${page}`, "facebook-login/guides/access-tokens#pagetokens", ["fields"]),
  rule(`DELETE ${graph}/7/permissions`, "facebook-login/guides/permissions/request-revoke"),
  rule(
    `POST ${graph}/${page}/feed`,
    "graph-api/reference/page/feed",
    ["published"],
    ["message", "link", "place", "attached_media"]
  ),
  rule(`GET ${graph}/${page}/feed`, "graph-api/reference/page/feed", ["fields", "limit"], ["after"]),
  rule(`GET ${graph}/${page}_\\d+`, "graph-api/reference/page-post", ["fields"]),
  rule(
    `POST ${graph}/${page}/photos`,
    "graph-api/reference/page/photos",
    ["published", "source"],
    ["alt_text_custom"]
  ),
  rule(
    `POST ${graph}/${page}/videos`,
    "graph-api/reference/page/videos",
    ["upload_phase"],
    ["file_size", "upload_session_id", "start_offset", "video_file_chunk", "title", "description", "thumb"]
  ),
  rule(
    `POST ${graph}/${page}/video_reels`,
    "video-api/guides/reels-publishing",
    ["upload_phase"],
    ["video_id", "video_state", "title", "description", "place"]
  ),
  rule(
    `POST ${graph}/${page}/(photo|video)_stories`,
    "page-stories-api",
    [],
    ["upload_phase", "video_id", "photo_id"]
  ),
  rule(`GET ${graph}/${page}/stories`, "page-stories-api", ["fields", "limit"]),
  rule(
    String.raw`POST rupload\.facebook\.com/video-upload/900`,
    "video-api/guides/reels-publishing",
    [],
    [],
    /^OAuth \S+$/
  ),
  rule(`GET ${graph}/900`, "video-api/guides/reels-publishing", ["fields"]),
  rule(`POST ${graph}/[\\d_]+/comments`, "graph-api/reference/object/comments", ["message"]),
  rule(`GET ${graph}/[\\d_]+/comments`, "graph-api/reference/object/comments", ["fields", "order", "limit"])
]

/** Holds a request against the list; gives the rule of it. */
const held = (received: Received): Rule => {
  const call = `${received.method} ${received.path.slice(1)}`
  const found = checklist.filter((one) => one.call.test(call))
  assert.lengthOf(found, 1, call)
  const { auth, because, may = [], must = [] } = found[0]!
  const what = `${call}: ${because}`
  if (auth !== undefined) assert.match(received.headers.authorization ?? "", auth, what)
  const isForm = /form/.test(received.headers["content-type"] ?? "")
  const keys = [...Object.keys(received.query), ...(isForm ? Object.keys(formOf(received)) : [])]
  assert.includeMembers(keys, [...must], what)
  assert.includeMembers([...must, ...may], keys, what)
  return found[0]!
}

layer(NodeHttpClient.layerUndici, { excludeTestServices: true })("what Facebook is asked", (it) => {
  it.effect("is what its documents say, in every call of every kind of post, and no line is left over", () =>
    Effect.gen(function* () {
      const { platform, look, prepared, server } = yield* connected()
      const [account] = yield* platform.oauth!.exchange(consent)
      const posts = [
        post({ options: { link: "https://a.example" } }),
        post({ media: [image("a", { alt_text: "A bell" })], options: { location_id: "42" } }),
        post({ media: [film()], options: { title: "Bells" }, cover: image("c") }),
        post({ ...kinds.reel, options: { ...kinds.reel.options, title: "Bells", location_id: "42" } }),
        post(kinds.story),
        post(kinds.photoStory)
      ]
      for (const one of posts) {
        const handle = yield* prepared(one)
        const done = yield* platform.commit(one, account!.credentials, handle)
        const open = done instanceof Accepted ? done.handle : handle
        assert.match(yield* look(one, open), /^published /)
        if (done instanceof Accepted) continue
        const { url } = yield* platform.confirm(one, credentials, handle, live(done))
        assert.match(url!, /\/(stories\/1|bells\/posts)\//)
      }
      const comment = { text: "First", post: { id: `${page}_1`, url: null, username: "bells" } }
      const own = { ...comment, remote_id: page, username: "bells" }
      const id = yield* platform.comments!.create(own, credentials)
      assert.deepInclude(yield* platform.comments!.find(own, credentials), { id })
      const renewed = yield* platform.refresh(credentials)
      assert.strictEqual(yield* platform.revocation!.revoke(renewed.credentials), "revoked")
      const asked = new Set(server.received.map(held))
      assert.deepStrictEqual(
        checklist.filter((one) => !asked.has(one)).map(({ call }) => call.source),
        []
      )
    })
  )
})
