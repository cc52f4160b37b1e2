import type { ErrorClass } from "@carillon/domain"
import type { Handle } from "@carillon/server/engine/Handle"
import { RemoteFetch } from "@carillon/server/http/RemoteFetch"
import { Accepted, type PublishRequest } from "@carillon/server/platforms/Platform"
import { versionWarning } from "@carillon/server/platforms/linkedin/ApiVersion"
import { makeLinkedIn } from "@carillon/server/platforms/linkedin/LinkedIn"
import {
  duplicateOf,
  refuseApi,
  refuseTokens,
  refuseUpload
} from "@carillon/server/platforms/linkedin/LinkedInErrors"
import { postBody } from "@carillon/server/platforms/linkedin/PostBody"
import { NodeDns, NodeHttpClient } from "@effect/platform-node"
import { assert, describe, it, layer } from "@effect/vitest"
import { DateTime, Duration, Effect, Layer, Redacted, Stream } from "effect"
import { HttpClient } from "effect/http"
import { type Received, type Reply, scriptedServer } from "./ScriptedServer.ts"
import { dueAt, image, live, noneTaken, request, savedHandles, takenAre, video } from "./TestRequest.ts"

const person = "urn:li:person:alice"
const page = "urn:li:organization:1234"
const post = (values: Partial<PublishRequest> = {}) =>
  request({ remote_id: person, username: "Alice", ...values })
const pagePost = (values: Partial<PublishRequest> = {}) =>
  request({ remote_id: page, username: "bells", ...values })

const token = "t0ken-of-alice"
const credentialsOf = (login: "linkedin" | "linkedin_pages", more: object = {}) =>
  Redacted.make({ login, access_token: token, ...more })
const asPerson = credentialsOf("linkedin")
const asPage = credentialsOf("linkedin_pages")

const linkedIn = Effect.fn("linkedIn")(function* (
  script: (request: Received) => Reply,
  settings: Partial<Parameters<typeof makeLinkedIn>[1]> = {}
) {
  const server = yield* scriptedServer(script)
  const at = (host: string) => `${server.url}/${host}`
  const app = { id: "77abc", secret: Redacted.make("a-very-s3cret-value"), at, stand_in: true }
  const platform = makeLinkedIn(yield* HttpClient.HttpClient, {
    apps: { linkedin: app, linkedin_pages: app },
    at,
    stand_in: true,
    version: "202607",
    settle_wait: Duration.zero,
    download: (yield* RemoteFetch).download,
    ...settings
  })
  const asked = () =>
    server.received.map(({ method, path }) => `${method} ${path.replace(/^\/\w+\.[\w.]+/, "")}`)
  return { platform, server, asked }
})

const bodyOf = ({ body }: Received) => JSON.parse(body.toString("utf8"))

const urn = "urn:li:share:7141138937766391808"
const made: Reply = { status: 201, headers: { "x-restli-id": urn } }
const duplicate: Reply = {
  status: 422,
  json: {
    errorDetailType: "com.linkedin.common.error.BadRequest",
    message: `com.linkedin.content.common.exception.BadRequestResponseException: Content is a duplicate of ${urn}`,
    errorDetails: {
      inputErrors: [{ description: "Duplicate post is detected", input: {}, code: "DUPLICATE_POST" }]
    },
    status: 422
  }
}

describe("the version of LinkedIn's API", () => {
  it.each([
    ["202607", "2026-11-28T00:00:00Z", false],
    ["202607", "2027-04-30T23:59:59Z", false],
    ["202607", "2027-05-01T00:00:00Z", true],
    ["202601", "2026-11-28T00:00:00Z", true],
    ["202602", "2026-11-28T00:00:00Z", false],
    ["202612", "2026-11-28T00:00:00Z", false]
  ])("%s has to be replaced soon at %s: %s", (version, now, expected) => {
    const said = versionWarning(version, DateTime.makeUnsafe(now))
    assert.strictEqual(said !== undefined, expected)
    if (said !== undefined) assert.include(said, `LINKEDIN_VERSION is ${version}`)
  })
})

describe("what LinkedIn refuses", () => {
  const input = (code: string, description: string, fieldPath?: string) => ({
    message: "Errors in input",
    errorDetails: {
      inputErrors: [{ code, description, input: fieldPath === undefined ? {} : { inputPath: { fieldPath } } }]
    }
  })
  it.each([
    [401, { code: "REVOKED_ACCESS_TOKEN", serviceErrorCode: 65601 }, "reconnect", "REVOKED_ACCESS_TOKEN"],
    [401, { serviceErrorCode: 65600, message: "Invalid access token" }, "reconnect", "65600"],
    [401, null, "reconnect", "http_401"],
    [
      403,
      { code: "ACCESS_DENIED", message: "Not enough permissions to access: posts.CREATE" },
      "reconnect",
      "ACCESS_DENIED"
    ],
    [
      403,
      {
        message: "Accessing this video resource is forbidden. Please check your permissions for this resource"
      },
      "forbidden",
      "http_403"
    ],
    [404, { message: "Not found" }, "invalid", "http_404"],
    [409, {}, "transient", "http_409"],
    [422, duplicate.json, "invalid", "DUPLICATE_POST"],
    [422, input("INVALID_VALUE", "too long", "/commentary"), "invalid", "INVALID_VALUE"],
    [400, input("MISSING_FIELD", "is needed", "/author"), "invalid", "MISSING_FIELD"],
    [400, { message: "The image is still being processed" }, "transient", "media_processing"],
    [
      400,
      input("MEDIA_ASSET_WAITING_UPLOAD", "Media asset is waiting upload"),
      "transient",
      "media_processing"
    ],
    [
      400,
      input("MEDIA_ASSET_PROCESSING_FAILED", "Media asset failed processing"),
      "media_rejected",
      "MEDIA_ASSET_PROCESSING_FAILED"
    ],
    [400, { message: "Video urn:li:video:1 is PROCESSING_FAILED" }, "media_rejected", "http_400"],
    [
      426,
      { code: "NONEXISTENT_VERSION", message: "Version 20240101 is not active" },
      "config",
      "version_ended"
    ],
    [405, null, "config", "http_405"],
    [413, null, "media_rejected", "http_413"],
    [400, "not what is documented", "invalid", "http_400"]
  ] as ReadonlyArray<readonly [number, unknown, ErrorClass, string]>)(
    "with %s %j is of its class",
    (status, body, expected, code) => {
      const refused = refuseApi({ status, body })
      assert.deepStrictEqual([refused.class, refused.code], [expected, code])
      assert.strictEqual(refused.token_expired ?? false, status === 401)
      assert.match(refused.message, /^[A-Z].+[.!)"]$/)
    }
  )

  it("names the field, and of a version the setting", () => {
    const field = refuseApi({ status: 422, body: input("INVALID_VALUE", "too long", "/commentary") })
    assert.include(field.message, "/commentary: too long")
    assert.include(refuseApi({ status: 426, body: null }).message, "LINKEDIN_VERSION")
  })

  it("names the duplicate, and nothing of another refusal", () => {
    assert.strictEqual(duplicateOf({ status: 422, body: duplicate.json }), urn)
    assert.strictEqual(duplicateOf({ status: 400, body: duplicate.json }), undefined)
    assert.strictEqual(duplicateOf({ status: 422, body: input("INVALID_VALUE", `see ${urn}`) }), undefined)
  })

  it.each([
    [400, "invalid_grant", "reconnect"],
    [400, "invalid_request", "reconnect"],
    [401, "invalid_client", "config"],
    [401, "invalid_client_id", "config"],
    [400, "unsupported_grant_type", "invalid"]
  ])("of a sign-in with %s %s is %s", (status, error, expected) => {
    assert.strictEqual(refuseTokens({ status, body: { error } }).class, expected)
  })

  it.each([
    [403, "transient"],
    [404, "transient"],
    [410, "transient"],
    [413, "media_rejected"],
    [415, "media_rejected"]
  ])("of an upload with %s is %s, and the upload starts again", (status, expected) => {
    const refused = refuseUpload({ status, body: "" })
    assert.deepStrictEqual([refused.class, refused.discard_handle], [expected, true])
  })
})

describe("the body of a post", () => {
  const handle = { assets: { a: "urn:li:image:1", b: "urn:li:image:2", d: "urn:li:document:3" } }
  const contentOf = (values: Partial<PublishRequest>, more: object = {}) =>
    postBody(post(values), { ...handle, ...more })["content"]

  it("is what a text alone needs", () => {
    assert.deepStrictEqual(postBody(post({ caption: "Bells (3)" }), handle), {
      author: person,
      commentary: "Bells \\(3\\)",
      visibility: "PUBLIC",
      distribution: {
        feedDistribution: "MAIN_FEED",
        targetEntities: [],
        thirdPartyDistributionChannels: []
      },
      lifecycleState: "PUBLISHED",
      isReshareDisabledByAuthor: false
    })
  })

  it("has one picture, or several, with their descriptions", () => {
    const [a, b] = [image("a", { alt_text: "A bell" }), image("b")]
    assert.deepStrictEqual(contentOf({ media: [a] }), {
      media: { id: "urn:li:image:1", altText: "A bell" }
    })
    assert.deepStrictEqual(contentOf({ media: [a, b] }), {
      multiImage: { images: [{ id: "urn:li:image:1", altText: "A bell" }, { id: "urn:li:image:2" }] }
    })
  })

  it("calls a document by its option or its name", () => {
    const media = [{ ...image("d"), kind: "document" as const, name: "Bells of 2026.pdf" }]
    assert.deepStrictEqual(contentOf({ media }), {
      media: { id: "urn:li:document:3", title: "Bells of 2026" }
    })
    assert.deepStrictEqual(contentOf({ media, options: { document_title: "All bells" } }), {
      media: { id: "urn:li:document:3", title: "All bells" }
    })
  })

  it("says the question of a poll once", () => {
    const poll = { options: ["Great", "Small"], duration_days: 14 }
    const content = {
      poll: {
        question: "Which bell?",
        options: [{ text: "Great" }, { text: "Small" }],
        settings: { duration: "FOURTEEN_DAYS" }
      }
    }
    const alone = postBody(post({ caption: "Which bell?", options: { poll } }), handle)
    assert.deepInclude(alone, { commentary: "", content })
    const both = post({ caption: "Vote!", options: { poll: { ...poll, question: "Which bell?" } } })
    assert.deepInclude(postBody(both, handle), { commentary: "Vote!", content })
  })

  it("has the card, the repost and the audience that were wanted", () => {
    const article = { source: "https://a.example", title: "A" }
    assert.deepStrictEqual(contentOf({}, { card: { article, warnings: [] } }), { article })
    assert.strictEqual(contentOf({}, { card: { article: null, warnings: ["None."] } }), undefined)
    const options = {
      reshare: "https://www.linkedin.com/feed/update/urn:li:ugcPost:5/",
      visibility: "CONNECTIONS",
      disable_reshare: true
    }
    assert.deepInclude(postBody(post({ options }), handle), {
      reshareContext: { parent: "urn:li:ugcPost:5" },
      visibility: "CONNECTIONS",
      isReshareDisabledByAuthor: true
    })
  })
})

const publicOnly = RemoteFetch.layerWith({ allowPrivateHosts: false }).pipe(Layer.provide(NodeDns.layer))

layer(
  Layer.merge(
    NodeHttpClient.layerUndici,
    RemoteFetch.layerWith({ allowPrivateHosts: true }).pipe(Layer.provide(NodeDns.layer))
  ),
  { excludeTestServices: true }
)("LinkedIn at the wire", (it) => {
  it.effect("gets the version and the protocol with every call", () =>
    Effect.gen(function* () {
      const { platform, server } = yield* linkedIn(() => made)
      const data = live(yield* platform.commit(post(), asPerson, { assets: {} }))
      assert.deepStrictEqual(data, {
        id: urn,
        url: `${server.url}/www.linkedin.com/feed/update/${urn}/`,
        username: "Alice"
      })
      const [sent] = server.received
      assert.deepInclude(sent!.headers, {
        "linkedin-version": "202607",
        "x-restli-protocol-version": "2.0.0",
        authorization: `Bearer ${token}`
      })
      assert.deepStrictEqual(bodyOf(sent!), postBody(post(), { assets: {} }))
    })
  )

  it.effect.each([
    ["202501", false, /^LINKEDIN_VERSION is 202501; /],
    ["202501", true, /^null$/],
    ["209901", false, /^null$/]
  ] as const)("warns its accounts of version %s (stand-in: %s)", ([version, stand_in, said]) =>
    Effect.gen(function* () {
      const { platform } = yield* linkedIn(() => made, { stand_in, version })
      assert.match(String(yield* platform.warning!), said)
    })
  )

  it.effect("is asked again at the next midnight in UTC once the day's calls are used up", () =>
    Effect.gen(function* () {
      const { platform } = yield* linkedIn(() => ({ status: 429, json: { status: 429 } }))
      const failure = yield* Effect.flip(platform.commit(post(), asPerson, { assets: {} }))
      assert.strictEqual(failure.class, "rate_limited")
      assert.match(DateTime.formatIso(failure.retry_at!), /T00:00:00\.000Z$/)
      assert.match(failure.message, /LinkedIn/)
    })
  )

  it.effect("refuses a first post that it had before", () =>
    Effect.gen(function* () {
      const { platform } = yield* linkedIn(() => duplicate)
      const failure = yield* Effect.flip(platform.commit(post(), asPerson, { assets: {} }))
      assert.deepStrictEqual([failure.class, failure.code], ["invalid", "DUPLICATE_POST"])
      assert.include(failure.message, urn)
    })
  )

  it.effect.each([
    ["publishes what was not there", made, noneTaken, `published ${urn}`],
    ["finds what was there", duplicate, noneTaken, `published ${urn}`],
    ["is refused for another post of the same words", duplicate, takenAre([urn]), "refused DUPLICATE_POST"],
    ["knows nothing after a second lost reply", "reset", noneTaken, "unknown"],
    ["knows nothing after a failure", { status: 503 }, noneTaken, "unknown"]
  ] as const)(
    "a person's post whose reply was lost is sent once more, which %s",
    ([, reply, taken, expected]) =>
      Effect.gen(function* () {
        const { platform, asked } = yield* linkedIn(() => reply)
        const found = yield* platform.reconcile(post(), asPerson, { assets: {} }, taken)
        const said =
          found._tag === "published" ? found.data.id : found._tag === "refused" ? found.failure.code : ""
        assert.strictEqual(`${found._tag} ${said}`.trim(), expected)
        assert.deepStrictEqual(asked(), ["POST /rest/posts"])
      })
  )

  const at = (seconds: number) => dueAt.epochMilliseconds + seconds * 1000
  const listed = (...elements: ReadonlyArray<object>): Reply => ({ status: 200, json: { elements } })
  const ours = { id: urn, commentary: "Hello", createdAt: at(1) }

  it.effect.each([
    ["the post is there", listed(ours), {}, [], `published ${urn}`],
    ["there is none", listed(), {}, [], "not_published"],
    ["one is older", listed({ ...ours, createdAt: at(-61) }), {}, [], "not_published"],
    ["one was there before", listed(ours), { seen: [urn] }, [], "not_published"],
    ["one belongs to another result", listed(ours), {}, [urn], "not_published"],
    ["one has other words", listed({ ...ours, commentary: "Hello all" }), {}, [], "not_published"],
    [
      "one has a picture that this one has not",
      listed({ ...ours, content: { media: { id: "urn:li:image:9" } } }),
      {},
      [],
      "not_published"
    ],
    ["two are alike", listed(ours, { ...ours, id: "urn:li:share:2" }), {}, [], "unknown"],
    ["the earlier ones were not seen", listed(ours), { seen: null }, [], "unknown"],
    ["it was named as the duplicate", listed(ours), { duplicate: urn }, [], `published ${urn}`],
    ["an old one was named as the duplicate", listed(), { duplicate: urn }, [], "refused DUPLICATE_POST"]
  ] as const)("a page's post is looked for: %s", ([, reply, more, others, expected]) =>
    Effect.gen(function* () {
      const { platform, server } = yield* linkedIn(() => reply)
      const handle = { assets: {}, seen: [], ...more } as Handle
      const found = yield* platform.reconcile(pagePost(), asPage, handle, takenAre(others))
      const said =
        found._tag === "published" ? found.data.id : found._tag === "refused" ? found.failure.code : ""
      assert.strictEqual(`${found._tag} ${said}`.trim(), expected)
      assert.deepInclude(server.received[0]!.query, { q: "author", author: page, sortBy: "CREATED" })
    })
  )

  it.effect("looks at a page's posts before it calls one a duplicate", () =>
    Effect.gen(function* () {
      const { platform } = yield* linkedIn(() => duplicate)
      const accepted = yield* platform.commit(pagePost(), asPage, { assets: {}, seen: [] })
      assert.instanceOf(accepted, Accepted)
      assert.deepInclude((accepted as Accepted).handle, { duplicate: urn })
    })
  )

  const megabyte = 1_000_000
  /** Ten ranges, each with an address of its own. */
  const studio = (refusesPart: () => number, state = () => "AVAILABLE") => {
    const parts: Array<string> = []
    const script = ({ body, method, path, query, headers }: Received): Reply => {
      const base = `http://${headers.host!}`
      if (query["action"] === "initializeUpload") {
        assert.deepStrictEqual(JSON.parse(body.toString()), {
          initializeUploadRequest: {
            owner: person,
            fileSizeBytes: 10 * megabyte,
            uploadCaptions: false,
            uploadThumbnail: false
          }
        })
        const uploadInstructions = Array.from({ length: 10 }, (_, index) => ({
          uploadUrl: `${base}/upload/${index}?signature=s3cret`,
          firstByte: index * megabyte,
          lastByte: (index + 1) * megabyte - 1
        }))
        return {
          status: 200,
          json: { value: { video: "urn:li:video:1", uploadToken: "t0ken", uploadInstructions } }
        }
      }
      if (method === "PUT") {
        const number = Number(path.split("/").at(-1))
        if (number === refusesPart()) return { status: 503 }
        assert.lengthOf(body, megabyte)
        parts.push(`${number}:${body[0]!}`)
        return { status: 200, headers: { etag: `"etag-${number}"` } }
      }
      if (query["action"] === "finalizeUpload") {
        parts.push(JSON.parse(body.toString()).finalizeUploadRequest.uploadedPartIds.join(" "))
        return { status: 200 }
      }
      return { status: 200, json: { status: state() } }
    }
    return { script, parts }
  }
  const film = video(
    "film",
    Stream.fromIterable(Array.from({ length: 10 }, (_, index) => new Uint8Array(megabyte).fill(index))),
    10 * megabyte
  )
  const etags = Array.from({ length: 10 }, (_, index) => `"etag-${index}"`).join(" ")

  it.effect(
    "gets each range of a video at its own address, goes on after a cut, and is told the ETags in order",
    () =>
      Effect.gen(function* () {
        let broken = 9
        const { script, parts } = studio(() => broken)
        const { platform, asked } = yield* linkedIn(script)
        const { save, all } = yield* savedHandles
        const film10 = post({ media: [film] })
        const cut = yield* Effect.flip(platform.prepare(film10, asPerson, null, save))
        assert.strictEqual(cut.class, "transient")
        broken = -1
        const kept = JSON.parse(JSON.stringify((yield* all).at(-1)))
        const done = yield* platform.prepare(film10, asPerson, kept, save)
        assert.strictEqual(done._tag, "ready")
        assert.deepInclude(done.handle, { assets: { film: "urn:li:video:1" } })
        assert.deepStrictEqual(parts, [
          ...Array.from({ length: 9 }, (_, index) => `${index}:${index}`),
          "8:8",
          "9:9",
          etags
        ])
        assert.strictEqual(asked().at(-1), "GET /rest/videos/urn%3Ali%3Avideo%3A1")
        assert.deepStrictEqual(
          platform.secret_handle_fields?.filter((name) => name in done.handle),
          []
        )
      })
  )

  it.effect("waits until a video is ready, and says when it cannot be", () =>
    Effect.gen(function* () {
      let state = "PROCESSING"
      const { script } = studio(
        () => -1,
        () => state
      )
      const { platform } = yield* linkedIn(script)
      const request = post({ media: [film] })
      const first = yield* platform.prepare(request, asPerson, null, () => Effect.void)
      assert.strictEqual(first._tag, "wait")
      state = "PROCESSING_FAILED"
      const failure = yield* Effect.flip(platform.poll(request, asPerson, first.handle))
      assert.deepStrictEqual([failure.class, failure.discard_handle], ["media_rejected", true])
    })
  )

  /** Takes pictures, and serves a page with one. */
  const gallery =
    (state = () => "AVAILABLE") =>
    ({ headers, method, path, query }: Received): Reply => {
      const base = `http://${headers.host!}`
      if (path === "/page")
        return {
          status: 200,
          headers: { "content-type": "text/html" },
          text: `<meta property="og:title" content="Bells"><meta property="og:image" content="${base}/bell.jpg">`
        }
      if (path === "/bell.jpg") return { status: 200, text: new Uint8Array([0xff, 0xd8, 0xff, 0xe0]) }
      if (query["action"] === "initializeUpload")
        return { status: 200, json: { value: { uploadUrl: `${base}/upload?s=1`, image: "urn:li:image:7" } } }
      if (method === "PUT") return { status: 201 }
      if (path.endsWith("/rest/posts")) return method === "GET" ? listed() : made
      return { status: 200, json: { status: state() } }
    }

  it.effect("shows the page of a link with a picture that was sent before", () =>
    Effect.gen(function* () {
      const { platform, server, asked } = yield* linkedIn(gallery())
      const source = `${server.url}/page`
      const linking = post({ options: { link: source } })
      const { handle } = yield* platform.prepare(linking, asPerson, null, () => Effect.void)
      yield* platform.commit(linking, asPerson, handle)
      const sent = server.received.find(({ method }) => method === "PUT")!
      assert.deepInclude(sent.headers, {
        authorization: `Bearer ${token}`,
        "content-type": "image/jpeg"
      })
      assert.strictEqual(asked().at(-1), "POST /rest/posts")
      assert.deepStrictEqual(bodyOf(server.received.at(-1)!).content, {
        article: { source, title: "Bells", thumbnail: "urn:li:image:7" }
      })
    })
  )

  it.effect("fetches no page from a private address, and says so", () =>
    Effect.gen(function* () {
      const { download } = yield* Effect.provide(RemoteFetch, Layer.fresh(publicOnly))
      const { platform, server } = yield* linkedIn(gallery(), { download })
      const linking = post({ options: { link: `${server.url}/page` } })
      const { handle } = yield* platform.prepare(linking, asPerson, null, () => Effect.void)
      const { warnings } = live(yield* platform.commit(linking, asPerson, handle))
      assert.match(String(warnings), /^The post has no link card for /)
      assert.notProperty(bodyOf(server.received.at(-1)!), "content")
      assert.lengthOf(server.received, 1)
    })
  )

  it.effect("gives a person's picture time, because their token may not ask about it", () =>
    Effect.gen(function* () {
      const { platform, asked } = yield* linkedIn(gallery(), { settle_wait: Duration.seconds(15) })
      const pictured = post({ media: [image("a")] })
      const first = yield* platform.prepare(pictured, asPerson, null, () => Effect.void)
      assert.strictEqual(first._tag, "wait")
      const later = { ...first.handle, uploaded_at: 0 }
      assert.strictEqual((yield* platform.poll(pictured, asPerson, later))._tag, "ready")
      assert.deepStrictEqual(asked(), ["POST /rest/images", "PUT /upload"])
    })
  )

  it.effect("asks about a page's picture until it is ready", () =>
    Effect.gen(function* () {
      let state = "PROCESSING"
      const { platform } = yield* linkedIn(gallery(() => state))
      const pictured = pagePost({ media: [image("a")] })
      const first = yield* platform.prepare(pictured, asPage, null, () => Effect.void)
      state = "AVAILABLE"
      const second = yield* platform.poll(pictured, asPage, first.handle)
      assert.deepStrictEqual([first._tag, second._tag], ["wait", "ready"])
    })
  )

  const consent = {
    redirect_uri: "http://127.0.0.1:9/oauth/callback/linkedin",
    state: "state",
    code_verifier: "v".repeat(64),
    code: "c0de"
  }
  const tokens = (scope: string, more: object = {}): Reply => ({
    status: 200,
    json: { access_token: token, expires_in: 5_184_000, scope, ...more }
  })

  it.effect("connects a person, whose access ends where LinkedIn gives nothing to renew it", () =>
    Effect.gen(function* () {
      const { platform } = yield* linkedIn(({ path }) =>
        path.endsWith("/userinfo")
          ? { status: 200, json: { sub: "alice", name: "Alice", picture: "https://a.example/a.jpg" } }
          : tokens("openid,profile,w_member_social")
      )
      const [account] = yield* platform.oauth!.exchange({ ...consent, login: "linkedin" })
      assert.deepInclude(account, { remote_id: person, username: "Alice", token_expires_at: null })
      const left = DateTime.distance(yield* DateTime.now, account!.access_expires_at!)
      assert.isTrue(Duration.isGreaterThan(left, Duration.days(59)))
      const ended = yield* Effect.flip(platform.refresh(account!.credentials))
      assert.deepStrictEqual([ended.class, ended.code], ["reconnect", "access_ended"])
    })
  )

  it.effect("renews what came with a token for it, and keeps that token", () =>
    Effect.gen(function* () {
      const { platform, server } = yield* linkedIn(() => tokens("", { access_token: "fresh" }))
      const stored = credentialsOf("linkedin", { refresh_token: "r3fresh", member: person })
      const { credentials } = yield* platform.refresh(stored)
      assert.deepStrictEqual(Redacted.value(credentials), {
        login: "linkedin",
        access_token: "fresh",
        refresh_token: "r3fresh",
        member: person
      })
      assert.include(server.received[0]!.body.toString(), "grant_type=refresh_token&refresh_token=r3fresh")
    })
  )

  it.effect("connects each page that a person may publish for", () =>
    Effect.gen(function* () {
      const role = (id: number, role: string) => ({
        organization: `urn:li:organization:${id}`,
        role,
        roleAssignee: person
      })
      const { platform } = yield* linkedIn(({ path }) =>
        path.endsWith("/organizationAcls")
          ? listed(
              role(1, "ADMINISTRATOR"),
              role(1, "CONTENT_ADMINISTRATOR"),
              role(2, "CONTENT_ADMIN"),
              role(3, "ANALYST")
            )
          : path.includes("/organizations/")
            ? {
                status: 200,
                json: { localizedName: `Bells ${path.at(-1)}`, vanityName: `bells-${path.at(-1)}` }
              }
            : tokens("w_organization_social r_organization_social rw_organization_admin")
      )
      const pages = yield* platform.oauth!.exchange({ ...consent, login: "linkedin_pages" })
      assert.deepStrictEqual(
        pages.map(({ remote_id, username, display_name, limits }) => ({
          remote_id,
          username,
          display_name,
          limits
        })),
        [1, 2].map((id) => ({
          remote_id: `urn:li:organization:${id}`,
          username: `bells-${id}`,
          display_name: `Bells ${id}`,
          limits: { organization: true }
        }))
      )
    })
  )

  it.effect.each([
    ["scopes_missing", "openid profile", "linkedin"],
    ["no_accounts", "w_organization_social r_organization_social rw_organization_admin", "linkedin_pages"]
  ] as const)("says %s", ([code, scope, login]) =>
    Effect.gen(function* () {
      const { platform } = yield* linkedIn(({ path }) =>
        path.endsWith("/accessToken") ? tokens(scope) : listed()
      )
      const failure = yield* Effect.flip(platform.oauth!.exchange({ ...consent, login }))
      assert.strictEqual(failure.code, code)
    })
  )
})
