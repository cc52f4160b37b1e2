import { RemoteFetch } from "@carillon/server/http/RemoteFetch"
import { makeBluesky } from "@carillon/server/platforms/bluesky/Bluesky"
import type { Handle } from "@carillon/server/engine/Handle"
import { NodeDns, NodeHttpClient } from "@effect/platform-node"
import { assert, layer } from "@effect/vitest"
import { Clock, Effect, Layer, Redacted, Stream } from "effect"
import { HttpClient, HttpClientRequest } from "effect/http"
import { type Received, type Reply, scriptedServer } from "./ScriptedServer.ts"
import { request, savedHandles, video } from "./TestRequest.ts"

const film = "moving pictures of bells"
const partSize = 7
const parts = ["moving ", "picture", "s of be", "lls"]
const post = request({ media: [video("film", Stream.make(Buffer.from(film)), film.length)] })
const credentials = Redacted.make({
  service: "https://pds.example",
  did: "did:plc:alice",
  accessJwt: "access",
  refreshJwt: "refresh"
})
const blob = { $type: "blob", ref: { $link: "bafyvideo" }, mimeType: "video/mp4", size: film.length }
const plan = { partSizeBytes: partSize, partCount: parts.length }
const refusal = (error: string, status = 400): Reply => ({ status, json: { error, message: error } })

/**
 * A video service with uploads in parts, from the lexicons. `odd` gives the answer to a call, by its method and how many like it came
 * before, instead of the usual one: "lost" after the effect, any other without.
 */
const service = Effect.fnUntraced(function* (
  odd: (method: string, nth: number) => Reply | "lost" | undefined = () => undefined
) {
  const calls: Array<string> = []
  const counts = new Map<string, number>()
  const received = new Map<number, string>()
  let started = 0
  let completed = false
  let tokens = 0
  const answer = ({ body, headers, path, query }: Received): Reply => {
    const method = path.split(".").at(-1)!
    const part = query["partNumber"]
    const nth = counts.get(method) ?? 0
    counts.set(method, nth + 1)
    const strange = odd(method, nth)
    calls.push(part === undefined ? method : `${method} ${part}`)
    if (strange !== undefined && strange !== "lost") return strange
    const effect = (): object => {
      switch (method) {
        case "getServiceAuth":
          return { token: `token ${++tokens}` }
        case "describeServer":
          return { did: "did:web:pds.example", availableUserDomains: [] }
        case "getUploadLimits":
          return { canUpload: true }
        case "startUpload":
          assert.deepStrictEqual(JSON.parse(body.toString()), {
            sizeBytes: film.length,
            mimeType: "video/mp4",
            name: "film.mp4",
            width: 1280,
            height: 720
          })
          return { jobId: `upload-${++started}`, expiresAt: "2026-11-22T12:00:00.000Z", ...plan }
        case "uploadPart":
          assert.deepStrictEqual(
            [headers["content-type"], headers["content-length"], query["jobId"]],
            ["application/octet-stream", String(body.length), "upload-1"]
          )
          received.set(Number(part), body.toString())
          return { partNumber: Number(part), sizeBytes: body.length }
        case "getUploadStatus":
          return {
            jobId: query["jobId"],
            ...plan,
            receivedParts: [...received.keys()],
            expiresAt: "2026-11-22T12:00:00.000Z",
            state: completed ? "completed" : "created",
            ...(completed
              ? { completedJobId: "job-1", jobStatus: { jobId: "job-1", state: "JOB_STATE_ENCODING" } }
              : {})
          }
        case "finishUpload":
          completed = true
          return { completedJobId: "job-1", jobStatus: { jobId: "job-1", state: "JOB_STATE_ENCODING" } }
        case "uploadVideo":
          return { jobId: "at-once", state: "JOB_STATE_CREATED" }
        default:
          return { jobStatus: { jobId: query["jobId"], state: "JOB_STATE_COMPLETED", blob } }
      }
    }
    const json = effect()
    return strange === "lost" ? "reset" : { status: 200, json }
  }
  const server = yield* scriptedServer(answer)
  const client = HttpClient.mapRequest(yield* HttpClient.HttpClient, (toServer) =>
    HttpClientRequest.setUrl(toServer, toServer.url.replace("https://", `${server.url}/`))
  )
  const platform = makeBluesky(client, client, {
    video_service: "https://video.bsky.app",
    plc_directory: "https://plc.example",
    handle_resolver: "https://resolver.example",
    allow_http: false,
    download: (yield* RemoteFetch).download
  })
  const { all, save } = yield* savedHandles
  return {
    all,
    calls,
    /** The calls since the last time. */
    since: () => calls.splice(0),
    prepare: (handle: Handle | null = null) => platform.prepare(post, credentials, handle, save),
    poll: (handle: Handle) => platform.poll(post, credentials, handle),
    /** What the service has. */
    file: () => [...received].toSorted(([one], [other]) => one - other).map(([, text]) => text),
    ofUpload: server.received
  }
})

const network = Layer.mergeAll(
  NodeHttpClient.layerUndici,
  RemoteFetch.layerWith({ allowPrivateHosts: true }).pipe(Layer.provide(NodeDns.layer))
)
const before = ["getServiceAuth", "getUploadLimits", "describeServer", "getServiceAuth", "startUpload"]
const upTo = (last: number) => Array.from({ length: last }, (_, index) => `uploadPart ${index + 1}`)
const from = (first: number) => upTo(parts.length).slice(first - 1)
const again = ["describeServer", "getServiceAuth", "getUploadStatus"]

layer(network)("a video for Bluesky goes up in parts", (it) => {
  it.effect("each once, in order, with the upload stored before the first", () =>
    Effect.gen(function* () {
      const { all, file, poll, prepare, since } = yield* service()
      const first = yield* prepare()
      assert.strictEqual(first._tag, "wait")
      assert.deepStrictEqual(since(), [...before, ...upTo(4), "finishUpload"])
      assert.deepStrictEqual(file(), parts)
      assert.deepStrictEqual(
        (yield* all).map(({ video }) => video),
        [{ upload: "upload-1" }, { job: "job-1" }]
      )
      assert.strictEqual((yield* poll(first.handle))._tag, "ready")
      assert.deepStrictEqual(since(), ["getJobStatus"])
    })
  )

  it.effect.each([
    ["the first part is cut", 0, "reset", 1],
    ["a part is cut", 2, "reset", 3],
    ["the last part is cut", 3, "reset", 4],
    ["the answer to a part is lost", 1, "lost", 3],
    ["the answer to the last part is lost", 3, "lost", 5],
    ["the service is in trouble", 2, { status: 503 }, 3],
    ["the service is overloaded", 2, refusal("ServiceOverloaded"), 3],
    ["the service asks to wait", 2, { status: 429 }, 3]
  ] as const)(
    "a video for Bluesky goes up in parts, which go on where they were when %s",
    ([, at, strange, goesOnWith]) =>
      Effect.gen(function* () {
        const { all, file, prepare, since } = yield* service((method, nth) =>
          method === "uploadPart" && nth === at ? strange : undefined
        )
        const error = yield* Effect.flip(prepare())
        assert.include(["transient", "rate_limited"], error.class)
        assert.isUndefined(error.discard_handle)
        since()
        // All that a killed process leaves behind.
        const [kept, ...others] = yield* all
        assert.deepStrictEqual(others, [])
        assert.strictEqual((yield* prepare(kept!))._tag, "wait")
        assert.deepStrictEqual(since(), [...again, ...from(goesOnWith), "finishUpload"])
        assert.deepStrictEqual(file(), parts)
        assert.deepStrictEqual((yield* all).at(-1)!["video"], { job: "job-1" })
      })
  )

  it.effect.each([
    ["is lost", "lost", []],
    ["never came", "reset", ["finishUpload"]],
    ["says that parts are missing", refusal("MissingParts"), ["finishUpload"]]
  ] as const)(
    "a video for Bluesky goes up in parts, which are finished once, though the first answer %s",
    ([, strange, then]) =>
      Effect.gen(function* () {
        const { all, prepare, since } = yield* service((method, nth) =>
          method === "finishUpload" && nth === 0 ? strange : undefined
        )
        yield* Effect.flip(prepare())
        since()
        const resumed = yield* prepare((yield* all)[0]!)
        assert.deepStrictEqual(resumed.handle["video"], { job: "job-1" })
        assert.deepStrictEqual(since(), [...again, ...then])
      })
  )

  it.effect(
    "a video for Bluesky goes up in parts, which are waited for while the service puts them together",
    () =>
      Effect.gen(function* () {
        let busy = true
        const { poll, prepare, since } = yield* service((method) =>
          !busy
            ? undefined
            : method === "finishUpload"
              ? refusal("UploadNotReady")
              : method === "getUploadStatus"
                ? {
                    status: 200,
                    json: { jobId: "upload-1", ...plan, receivedParts: [1, 2, 3, 4], state: "finishing" }
                  }
                : undefined
        )
        const first = yield* prepare()
        const second = yield* poll(first.handle)
        assert.deepStrictEqual(
          [first, second].map(({ _tag, handle }) => [_tag, handle["video"]]),
          [1, 2].map(() => ["wait", { upload: "upload-1" }])
        )
        busy = false
        since()
        assert.deepStrictEqual((yield* poll(second.handle)).handle["video"], { job: "job-1" })
        assert.deepStrictEqual(since(), [...again, "finishUpload"])
      })
  )

  it.effect.each([
    ["is unknown", refusal("UploadNotFound")],
    ...(["failed", "aborted", "expired"] as const).map(
      (state) =>
        [
          `has ${state}`,
          { status: 200, json: { jobId: "upload-1", ...plan, receivedParts: [1], state } }
        ] as const
    )
  ] as const)("a video for Bluesky goes up in parts, which begin anew when the upload %s", ([, status]) =>
    Effect.gen(function* () {
      const { prepare, since } = yield* service((method) =>
        method === "getUploadStatus" ? status : undefined
      )
      const error = yield* Effect.flip(prepare({ images: {}, video: { upload: "upload-1" } }))
      assert.deepInclude(error, { class: "transient", discard_handle: true })
      assert.deepStrictEqual(since(), again)
    })
  )

  it.effect.each([
    ["fewer parts than the file has", { partSizeBytes: 7, partCount: 3 }],
    ["more parts than the file has", { partSizeBytes: 7, partCount: 5 }],
    ["no size", { partSizeBytes: 0, partCount: 4 }],
    ["endless parts", { partSizeBytes: 1e-9, partCount: 2 ** 40 }]
  ] as const)("a video for Bluesky goes up in parts, of which none is sent for a plan with %s", ([, odd]) =>
    Effect.gen(function* () {
      const { calls, prepare } = yield* service((method) =>
        method === "startUpload" ? { status: 200, json: { jobId: "upload-1", ...odd } } : undefined
      )
      assert.strictEqual((yield* Effect.flip(prepare())).class, "transient")
      assert.deepStrictEqual(calls, before)
    })
  )

  it.effect.each([
    ["501", refusal("MethodNotImplemented", 501)],
    ["404", { status: 404, text: "404 page not found" }],
    ["405", { status: 405 }],
    // Which token the calls take stands in no document.
    ["401", refusal("AuthenticationRequired", 401)]
  ] satisfies ReadonlyArray<readonly [string, Reply]>)(
    "or at once where the service has no parts, and says %s",
    ([, reply]) =>
      Effect.gen(function* () {
        const { calls, ofUpload, prepare } = yield* service((method) =>
          method === "startUpload" ? reply : undefined
        )
        const { handle } = yield* prepare()
        assert.deepStrictEqual(handle["video"], { job: "at-once" })
        assert.deepStrictEqual(calls, [...before, "uploadVideo"])
        assert.strictEqual(ofUpload.at(-1)!.body.toString(), film)
        assert.strictEqual(ofUpload.at(-1)!.headers.authorization, "Bearer token 2")
      })
  )

  it.effect.each([
    ["VideoTooLarge", "media_rejected"],
    ["VideoTooLong", "media_rejected"],
    ["BadAspectRatio", "media_rejected"],
    ["UnsupportedContentType", "media_rejected"],
    ["DailyLimitExceeded", "quota_exhausted"],
    ["TooManyOpenUploads", "quota_exhausted"],
    ["UploadForbidden", "forbidden"],
    ["ServiceOverloaded", "transient"],
    ["constructor", "media_rejected"]
  ] as const)("but not at all after %s", ([error, errorClass]) =>
    Effect.gen(function* () {
      const { all, calls, prepare } = yield* service((method) =>
        method === "startUpload" ? refusal(error) : undefined
      )
      assert.deepInclude(yield* Effect.flip(prepare()), { class: errorClass, code: error })
      assert.deepStrictEqual(calls, before)
      assert.deepStrictEqual(yield* all, [])
    })
  )

  it.effect("a video for Bluesky goes up in parts with a token of which enough is left for each", () =>
    Effect.gen(function* () {
      let now = 0
      const { ofUpload, prepare } = yield* service((method) => {
        if (method === "uploadPart") now += 15 * 60_000
        return undefined
      })
      const live = yield* Clock.Clock
      const clock = Object.create(live, {
        currentTimeMillis: { value: Effect.sync(() => now) }
      }) as typeof live
      yield* prepare().pipe(Effect.provideService(Clock.Clock, clock))
      const bearers = ofUpload
        .filter(({ path }) => /uploadPart|finishUpload/.test(path))
        .map(({ headers }) => headers.authorization)
      // After 0, 15, 30, 45 and 60 minutes; each is good for 30.
      assert.deepStrictEqual(
        bearers,
        [2, 2, 3, 3, 4].map((number) => `Bearer token ${number}`)
      )
    })
  )
})
