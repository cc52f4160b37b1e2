import { cidOf } from "@carillon/sandbox/bluesky/Records"
import { SandboxProcess } from "@carillon/sandbox/testing"
import { assert, it, layer } from "@effect/vitest"
import { Clock, Effect } from "effect"
import { TestClock } from "effect/testing"
import { json, send } from "./PlatformClient.ts"

const link = "bafkreihwqn2azxwwnagz3fg742rfrzcms2rhe6fityk2znjmbohterj5ha"

// Each CID is that of @ipld/dag-cbor and multiformats for the same record.
it.each([
  ["nothing", {}, "bafyreigbtj4x7ip5legnfznufuopl4sg4knzc2cof6duas4b3q2fy6swua"],
  [
    "a link to a file",
    { embed: { image: { $type: "blob", ref: { $link: link }, mimeType: "image/jpeg", size: 70_000 } } },
    "bafyreicqrf3tro4ybtulvpklx6466cnwqez3rtpwa4hyvgbhbij2uslii4"
  ]
])("the CID of %s is as everybody computes it", (_, record, cid) => {
  assert.strictEqual(cidOf(record), cid)
})

const at = "/bsky.sandbox/xrpc/com.atproto"
const video = "/video.bsky.sandbox/xrpc/app.bsky.video"
const signIn = (name: string, password = "bell-bell-bell-bell") =>
  send(`${at}.server.createSession`, json({ identifier: `${name}.bsky.sandbox`, password }))

const clientOf = Effect.fnUntraced(function* (name: string) {
  const { body: session } = yield* signIn(name)
  const as = (token: string, path: string, init: RequestInit = {}) =>
    send(path, { ...init, headers: { ...init.headers, authorization: `Bearer ${token}` } })
  const call = (path: string, init?: RequestInit) => as(session.accessJwt, path, init)
  const did: string = session.did
  const create = (collection: string, rkey: string, value: object) => ({
    $type: "com.atproto.repo.applyWrites#create",
    collection,
    rkey,
    value: { $type: collection, createdAt: "2026-11-21T12:00:00.000Z", ...value }
  })
  return {
    as,
    call,
    did,
    session,
    post: (rkey: string, value: object) => create("app.bsky.feed.post", rkey, value),
    gate: (rkey: string, of: string) =>
      create("app.bsky.feed.threadgate", rkey, { post: `at://${did}/app.bsky.feed.post/${of}`, allow: [] }),
    write: (...writes: ReadonlyArray<object>) => call(`${at}.repo.applyWrites`, json({ repo: did, writes })),
    upload: (bytes: string, type: string) =>
      call(`${at}.repo.uploadBlob`, { method: "POST", headers: { "content-type": type }, body: bytes })
  }
})

layer(SandboxProcess.layer)("Bluesky on the test network", (it) => {
  it.effect("writes all records of a commit or none", () =>
    Effect.gen(function* () {
      const { did, gate, post, write } = yield* clientOf("choir")
      const live = yield* write(
        post("3n2t2guw6ets2", { text: "Bells" }),
        gate("3n2t2guw6ets2", "3n2t2guw6ets2")
      )
      assert.strictEqual(live.status, 200)
      const [{ cid, uri }] = live.body.results
      const ref = { uri, cid }
      const lost = { uri, cid: cidOf({}) }
      const image = { $type: "blob", ref: { $link: link }, mimeType: "image/png", size: 1 }
      const refusals = [
        [500, "InternalServerError", post("3n2t2guw6ets2", { text: "Taken" })],
        [400, "InvalidRequest", post("3n2t2guw6ets4", { text: "x".repeat(301) })],
        [400, "InvalidRequest", post("3n2t2guw6ets4", { text: "", reply: { root: ref, parent: lost } })],
        [400, "InvalidRequest", gate("3n2t2guw6ets4", "3n2t2guw6ets3")],
        [400, "InvalidRequest", post("own-key", { text: "No TID" })],
        [
          400,
          "BlobNotFound",
          post("3n2t2guw6ets4", {
            text: "",
            embed: { $type: "app.bsky.embed.images", images: [{ alt: "", image }] }
          })
        ]
      ] as const
      for (const [status, error, record] of refusals) {
        const refused = yield* write(post("3n2t2guw6ets3", { text: "Beside it" }), record)
        assert.deepStrictEqual([refused.status, refused.body.error], [status, error], refused.text)
      }
      const answer = yield* write(post("3n2t2guw6ets3", { text: "", reply: { root: ref, parent: ref } }))
      assert.strictEqual(answer.status, 200, answer.text)
      const { publications } = (yield* SandboxProcess).on("bluesky")
      const [one, other, ...more] = yield* publications("choir")
      assert.deepStrictEqual([one!.text, one!.details!["threadgate"], more], ["Bells", [], []])
      assert.deepInclude(other!.details, { reply: { root: ref, parent: ref } })
      const found = yield* send(
        `${at}.repo.getRecord?${new URLSearchParams({ repo: did, collection: "app.bsky.feed.post", rkey: "3n2t2guw6ets2" })}`
      )
      assert.deepInclude(found.body, ref)
      assert.strictEqual(cidOf(found.body.value), cid)
    })
  )

  it.effect("writes one record as it writes a commit, and a gate of a post that is there", () =>
    Effect.gen(function* () {
      const { call, did, write, post } = yield* clientOf("single")
      const createdAt = "2026-11-21T12:00:00Z"
      const create = (collection: string, record: object, options: object = {}) =>
        call(`${at}.repo.createRecord`, json({ repo: did, collection, record, ...options }))
      const made = yield* create("app.bsky.feed.post", { text: "Bells", createdAt })
      assert.strictEqual(made.status, 200, made.text)
      const { cid, commit, uri, validationStatus } = made.body
      assert.deepStrictEqual([validationStatus, commit.cid], ["valid", cid])
      const [, rkey] = /^at:\/\/did:web:single\.bsky\.sandbox\/app\.bsky\.feed\.post\/([2-7a-z]{13})$/.exec(
        uri
      )!
      const postgate = (options: object) =>
        create("app.bsky.feed.postgate", { post: uri, createdAt, embeddingRules: [] }, options)
      for (const [refused, status, error] of [
        [create("app.bsky.feed.post", { text: "Taken", createdAt }, { rkey }), 500, "InternalServerError"],
        [write(post(rkey!, { text: "Taken" })), 500, "InternalServerError"],
        [postgate({}), 400, "InvalidRequest"],
        [postgate({ rkey: "3n2t2guw6ets2" }), 400, "InvalidRequest"],
        [postgate({ rkey, repo: "did:web:choir.bsky.sandbox" }), 401, "AuthenticationRequired"],
        [create("app.bsky.feed.post", { text: "Two", createdAt, more: 1 }), 400, "InvalidRequest"],
        [create("app.bsky.feed.post", { text: "No time" }), 400, "InvalidRequest"],
        [
          call(`${at}.repo.createRecord`, {
            ...json({}),
            body: `{"repo":"${did}","collection":"app.bsky.feed.post","record":${'{"a":'.repeat(100_000)}1${"}".repeat(100_001)}`
          }),
          400,
          "InvalidRequest"
        ]
      ] as const) {
        const answer = yield* refused
        assert.deepStrictEqual([answer.status, answer.body.error], [status, error], answer.text)
      }
      assert.strictEqual((yield* postgate({ rkey, repo: "single.bsky.sandbox" })).status, 200)
      assert.strictEqual((yield* postgate({ rkey })).status, 500)
      const posts = yield* (yield* SandboxProcess).on("bluesky").publications("single")
      assert.deepStrictEqual(
        posts.map(({ details, text }) => [text, details]),
        [["Bells", { uri, cid, createdAt, postgate: [] }]]
      )
    })
  )

  it.effect("leads a session on to the address that it was begun at", () =>
    Effect.gen(function* () {
      const { url } = yield* SandboxProcess
      const named = url.replace("127.0.0.1", "localhost")
      for (const [base, leadsTo] of [
        [url, url],
        [named, named],
        [`${url}/bsky.sandbox`, "https://bsky.sandbox"]
      ]) {
        const signIn = json({ identifier: "leads.bsky.sandbox", password: "bell-bell-bell-bell" })
        const { body } = yield* send(`${base}/xrpc/com.atproto.server.createSession`, signIn)
        const { body: renewed } = yield* send(`${base}/xrpc/com.atproto.server.refreshSession`, {
          method: "POST",
          headers: { authorization: `Bearer ${body.refreshJwt}` }
        })
        for (const { didDoc } of [body, renewed])
          assert.strictEqual(didDoc.service[0].serviceEndpoint, leadsTo)
      }
      const document = yield* send("/leads.bsky.sandbox/.well-known/did.json")
      assert.strictEqual(document.body.service[0].serviceEndpoint, "https://bsky.sandbox")
    })
  )

  it.effect("lets in with an app password, and with what came of it as long as that holds", () =>
    Effect.gen(function* () {
      const sandbox = (yield* SandboxProcess).on("bluesky")
      assert.strictEqual((yield* signIn("tower", "guessed")).body.error, "AuthenticationRequired")
      yield* sandbox.script("tower", [{ on: "session", fault: "short_lived", seconds: 0 }])
      const { as, session } = yield* clientOf("tower")
      const upload = (token: string) => as(token, `${at}.repo.uploadBlob`, { method: "POST", body: "x" })
      const renew = as(session.refreshJwt, `${at}.server.refreshSession`, { method: "POST" })
      assert.strictEqual((yield* upload(session.accessJwt)).body.error, "ExpiredToken")
      assert.strictEqual((yield* upload(session.refreshJwt)).body.error, "InvalidToken")
      const { body: renewed } = yield* renew
      assert.strictEqual((yield* upload(renewed.accessJwt)).status, 200)
      yield* as(session.refreshJwt, `${at}.server.deleteSession`, { method: "POST" })
      assert.strictEqual((yield* renew).body.error, "ExpiredToken")
      // Only what renews has ended: https://atproto.com/specs/xrpc#authentication
      assert.strictEqual((yield* upload(renewed.accessJwt)).status, 200)
    })
  )

  it.effect("takes a video with the token for that alone, and makes it ready once", () =>
    Effect.gen(function* () {
      const { as, call, did } = yield* clientOf("film")
      const tokenFor = (aud: string, lxm: string) =>
        Effect.map(
          call(`${at}.server.getServiceAuth?${new URLSearchParams({ aud, lxm })}`),
          ({ body }) => body.token as string
        )
      const forLimits = yield* tokenFor("did:web:video.bsky.sandbox", "app.bsky.video.getUploadLimits")
      const forFile = yield* tokenFor("did:web:bsky.sandbox", "com.atproto.repo.uploadBlob")
      assert.isTrue((yield* as(forLimits, `${video}.getUploadLimits`)).body.canUpload)
      assert.strictEqual((yield* as(forFile, `${video}.getUploadLimits`)).status, 401)
      const send = (token: string) =>
        as(token, `${video}.uploadVideo?did=${did}&name=film.mp4`, { method: "POST", body: "moving" })
      assert.strictEqual((yield* send(forLimits)).status, 401)
      const [sent, again] = [yield* send(forFile), yield* send(forFile)]
      assert.deepStrictEqual([sent.status, again.status], [200, 409])
      assert.strictEqual(again.body.jobId, sent.body.jobId)
      const { body } = yield* call(`${video}.getJobStatus?jobId=${sent.body.jobId}`)
      assert.deepInclude(body.jobStatus, { state: "JOB_STATE_COMPLETED", did })
      assert.deepInclude(body.jobStatus.blob, { mimeType: "video/mp4", size: 6 })
      // A token for a service lets nobody in elsewhere.
      assert.strictEqual((yield* as(forFile, `${at}.repo.applyWrites`, json({}))).status, 400)
      const now = yield* TestClock.withLive(Clock.currentTimeMillis)
      const late = String(Math.floor(now / 1000) + 2 * 3600)
      const refused = yield* call(`${at}.server.getServiceAuth?aud=x&lxm=y&exp=${late}`)
      assert.strictEqual(refused.body.error, "BadExpiration")
    })
  )

  it.effect(
    "takes a video in parts, each again and in any order, and makes of them what is sent at once",
    () =>
      Effect.gen(function* () {
        const { as, call, did } = yield* clientOf("in-parts")
        const query = "aud=did:web:bsky.sandbox&lxm=com.atproto.repo.uploadBlob"
        const token = (yield* call(`${at}.server.getServiceAuth?${query}`)).body.token as string
        const ask = (method: string, body?: object) =>
          as(token, `${video}.${method}`, body === undefined ? {} : json(body))
        const film = "moving pictures!"
        const start = ask("startUpload", { sizeBytes: film.length, mimeType: "video/mp4", name: "film.mp4" })
        const { body: upload } = yield* start
        assert.deepInclude(upload, { partSizeBytes: 6, partCount: 3 })
        const { jobId } = upload
        const part = (number: number, body: string) =>
          as(token, `${video}.uploadPart?jobId=${jobId}&partNumber=${number}`, { method: "POST", body })
        assert.deepStrictEqual((yield* part(3, "res!")).body, { partNumber: 3, sizeBytes: 4 })
        assert.strictEqual((yield* part(1, "Moving")).status, 200)
        assert.strictEqual((yield* part(1, "moving")).status, 200)
        for (const [refusal, error] of [
          [part(4, "x"), "InvalidPartNumber"],
          [part(0, "x"), "InvalidPartNumber"],
          [part(2, "short"), "PartSizeMismatch"],
          [ask("finishUpload", { jobId }), "MissingParts"],
          [ask("getUploadStatus?jobId=none"), "UploadNotFound"],
          [ask("startUpload", { sizeBytes: 300_000_001, mimeType: "video/mp4" }), "VideoTooLarge"],
          [ask("startUpload", { sizeBytes: 1, mimeType: "image/png" }), "UnsupportedContentType"],
          [ask("startUpload", { sizeBytes: 0, mimeType: "video/mp4" }), "InvalidRequest"]
        ] as const)
          assert.strictEqual((yield* refusal).body.error, error)
        const status = ask(`getUploadStatus?jobId=${jobId}`)
        assert.deepInclude((yield* status).body, { receivedParts: [1, 3], state: "created", partCount: 3 })
        assert.strictEqual((yield* part(2, " pictu")).status, 200)
        const [first, again] = [yield* ask("finishUpload", { jobId }), yield* ask("finishUpload", { jobId })]
        assert.deepStrictEqual(again.body, first.body)
        assert.strictEqual(first.body.completedJobId, jobId)
        assert.deepInclude(first.body.jobStatus, { state: "JOB_STATE_COMPLETED", did })
        assert.deepInclude((yield* status).body, { state: "completed", completedJobId: jobId })
        assert.strictEqual((yield* part(1, "moving")).body.error, "UploadAlreadyCompleted")
        const whole = yield* as(token, `${video}.uploadVideo?did=${did}`, { method: "POST", body: film })
        assert.deepStrictEqual([whole.status, whole.body.jobId], [409, jobId])

        const { body: other } = yield* start
        for (const state of ["aborted", "aborted"])
          assert.deepInclude((yield* ask("abortUpload", { jobId: other.jobId })).body, { state })
        assert.strictEqual((yield* ask("finishUpload", { jobId: other.jobId })).body.error, "UploadAborted")
        for (let open = 0; open < 10; open++) assert.strictEqual((yield* start).status, 200)
        assert.strictEqual((yield* start).body.error, "TooManyOpenUploads")
      })
  )

  it.effect("takes subtitles of a video as WebVTT alone, of which the account has the file", () =>
    Effect.gen(function* () {
      const { post, upload, write } = yield* clientOf("subtitled")
      const { blob: film } = (yield* upload("moving", "video/mp4")).body
      const { blob: file } = (yield* upload("WEBVTT", "text/vtt")).body
      const { blob: plain } = (yield* upload("WEBVTT, plainly", "text/plain")).body
      const posted = (captions: ReadonlyArray<object>) =>
        write(
          post("3n2t2guw6ets2", { text: "", embed: { $type: "app.bsky.embed.video", video: film, captions } })
        )
      const captions = [{ lang: "en", file }]
      for (const [wrong, error] of [
        [[{ lang: "en", file: plain }], "InvalidRequest"],
        [[{ lang: "en", file: { ...file, size: 20_001 } }], "InvalidRequest"],
        [Array.from({ length: 21 }, () => captions[0]!), "InvalidRequest"],
        [[{ lang: "en", file: { ...file, ref: { $link: link } } }], "BlobNotFound"]
      ] as const)
        assert.deepInclude((yield* posted(wrong)).body, { error })
      assert.strictEqual((yield* posted(captions)).status, 200)
      const posts = yield* (yield* SandboxProcess).on("bluesky").publications("subtitled")
      assert.deepStrictEqual(
        posts.map(({ details, media }) => [details?.["embed"], media.length]),
        [[{ $type: "app.bsky.embed.video", video: film, captions }, 1]]
      )
    })
  )

  it.effect("killed and restarted, still has the session, the file and the video of an account", () =>
    Effect.gen(function* () {
      const sandbox = yield* SandboxProcess
      const { call, did, post, upload, write } = yield* clientOf("kept")
      const lxm = "com.atproto.repo.uploadBlob"
      const token = yield* call(`${at}.server.getServiceAuth?aud=did:web:bsky.sandbox&lxm=${lxm}`)
      yield* sandbox.on("bluesky").script("kept", [{ on: "media", fault: "processing", polls: 2 }])
      const headers = { authorization: `Bearer ${token.body.token}` }
      const sent = yield* send(`${video}.uploadVideo?did=${did}`, { method: "POST", headers, body: "moving" })
      const look = Effect.map(
        send(`${video}.getJobStatus?jobId=${sent.body.jobId}`),
        ({ body }) => body.jobStatus
      )
      assert.strictEqual((yield* look).state, "JOB_STATE_ENCODING")
      const { blob } = (yield* upload("a bell", "image/png")).body
      const inParts = (method: string, init: object = {}) => send(`${video}.${method}`, { ...init, headers })
      const { jobId } = (yield* inParts("startUpload", json({ sizeBytes: 3, mimeType: "video/mp4" }))).body
      yield* inParts(`uploadPart?jobId=${jobId}&partNumber=2`, { method: "POST", body: "b" })
      yield* sandbox.kill
      yield* sandbox.restart
      const parts = yield* inParts(`getUploadStatus?jobId=${jobId}`)
      assert.deepInclude(parts.body, { receivedParts: [2], state: "created" })
      assert.strictEqual((yield* look).state, "JOB_STATE_ENCODING")
      const made = (yield* look).blob
      const embeds = [
        { $type: "app.bsky.embed.images", images: [{ alt: "A bell", image: blob }] },
        { $type: "app.bsky.embed.video", video: made }
      ]
      const keys = ["3n2t2guw6ets2", "3n2t2guw6ets3"]
      const written = yield* write(...embeds.map((embed, index) => post(keys[index]!, { text: "", embed })))
      assert.strictEqual(written.status, 200, written.text)
      const posts = yield* sandbox.on("bluesky").publications("kept")
      assert.deepStrictEqual(
        posts.map(({ media: [file] }) => [file!.content_type, file!.alt_text]),
        [
          ["image/png", "A bell"],
          ["video/mp4", null]
        ]
      )
    })
  )

  it.effect("shows the picture of a profile under its link", () =>
    Effect.gen(function* () {
      const { did } = yield* clientOf("north")
      const self = new URLSearchParams({ repo: did, collection: "app.bsky.actor.profile", rkey: "self" })
      const { body } = yield* send(`${at}.repo.getRecord?${self}`)
      const { ref, size } = body.value.avatar
      const { url } = yield* SandboxProcess
      const bytes = yield* Effect.promise(
        async () =>
          new Uint8Array(
            await (await fetch(`${url}${at}.sync.getBlob?did=${did}&cid=${ref.$link}`)).arrayBuffer()
          )
      )
      assert.strictEqual(bytes.length, size)
      assert.strictEqual((yield* send(`${at}.sync.getBlob?did=${did}&cid=${link}`)).status, 400)
    })
  )
})
