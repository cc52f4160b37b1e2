import { type PlatformId, type RequestRecord, SandboxProcess } from "@carillon/sandbox/testing"
import { assert, layer } from "@effect/vitest"
import { Effect, Schedule } from "effect"
import { SqlClient } from "effect/sql"
import { createHash } from "node:crypto"
import { connectInBrowser } from "@carillon/testing/ConsentVisit"
import { create, inSeconds, ServiceWithSandbox, settled } from "@carillon/testing/Publishing"
import { inDatabaseOf } from "@carillon/testing/DatabaseOf"
import { Service, type ServiceProcess } from "@carillon/testing/ServiceProcess"
import { bigVideo } from "@carillon/testing/UprightVideo"

const mebibyte = 1024 * 1024
/** 1024 in `npm run test:all`. */
const youtubeFilm = Number(process.env["YOUTUBE_FILM_MIB"] ?? "24") * mebibyte
const youtubeChunks = Math.ceil(youtubeFilm / (8 * mebibyte))
const patience = 120 + youtubeFilm / mebibyte

interface Upload {
  readonly network: PlatformId
  readonly login?: string
  /** An ending of the username that means something to the stand-in. */
  readonly ending?: string
  /** Bytes. */
  readonly size: number
  /** The call that sends bytes, and how many of it are answered before the one that never is. */
  readonly on: "media" | "upload"
  readonly answered: number
  /** The part of the upload's address that lets anyone send to it; the stored handle is sealed then. */
  readonly secret?: string
  /** What it has cost in the end, killed in the middle. */
  readonly cost: (count: (operation: string) => number) => void
}

const uploads: ReadonlyArray<Upload> = [
  {
    network: "tiktok",
    ending: "-pieces",
    size: 32 * mebibyte,
    on: "media",
    answered: 1,
    secret: "upload_token",
    cost: (count) => {
      // The first was refused for its one chunk.
      assert.strictEqual(count("upload_start"), 2)
      // Two of its three chunks go ahead; the one under way may be there twice, once refused.
      assert.isAtMost(count("media"), 3)
    }
  },
  {
    network: "instagram",
    login: "facebook",
    size: 4 * mebibyte,
    on: "upload",
    answered: 0,
    cost: (count) => assert.deepStrictEqual([count("media"), count("upload")], [1, 1])
  },
  {
    network: "youtube",
    size: youtubeFilm,
    on: "media",
    answered: Math.floor(youtubeChunks / 3),
    secret: "upload_id",
    cost: (count) => {
      assert.strictEqual(count("upload_start"), 1)
      // At most the chunk that broke off is cut in two.
      assert.isAtMost(count("media"), youtubeChunks + 1)
    }
  },
  {
    network: "pinterest",
    size: 4 * mebibyte,
    on: "media",
    answered: 0,
    cost: (count) => assert.isAtMost(count("media"), 2)
  },
  {
    network: "twitter",
    size: 4 * mebibyte,
    on: "media",
    answered: 2,
    // Of its four segments the one under way may be there twice.
    cost: (count) => {
      assert.deepStrictEqual([count("upload_start"), count("upload")], [1, 1])
      assert.isAtMost(count("media"), 5)
    }
  }
]

/** The id of a film that is made while it is sent. */
const uploaded = Effect.fnUntraced(function* (size: number) {
  const { body } = yield* (yield* Service).call("POST", "/v1/media/create-upload-url", {
    mime_type: "video/mp4",
    size_bytes: size,
    name: "film.mp4"
  })
  yield* Effect.promise(async () => {
    const response = await fetch(body.upload_url, {
      method: "PUT",
      headers: { "content-type": "video/mp4", "content-length": String(size) },
      body: ReadableStream.from(bigVideo(size)()),
      duplex: "half"
    } as RequestInit)
    assert.strictEqual(response.status, 200, await response.text())
  })
  return body.media_id as string
})

const storedHandles = (service: ServiceProcess) =>
  inDatabaseOf({ service, database: service.database })(
    Effect.flatMap(
      SqlClient.SqlClient,
      (sql) => sql<{ handle: object }>`select handle from targets where handle is not null`
    )
  ).pipe(Effect.map((rows) => rows.map(({ handle }) => handle)))

const counted = (requests: ReadonlyArray<RequestRecord>) => (operation: string) =>
  requests.filter((one) => one.operation === operation).length

layer(ServiceWithSandbox({ env: { SANDBOX_SETTLE_WAIT: "1 second" } }), {
  excludeTestServices: true,
  timeout: "180 seconds"
})("a service that is killed in the middle of its uploads", (it) => {
  it.effect(
    "goes on with each where it was, in flat memory, and publishes it once, at its time",
    () =>
      Effect.gen(function* () {
        const service = yield* Service
        const sandbox = yield* SandboxProcess
        const begun = yield* Effect.forEach(
          uploads,
          Effect.fnUntraced(function* ({ network, login, ending = "", size, on, answered, cost }) {
            const username = `cinema${ending}`
            const control = sandbox.on(network)
            const [account] = yield* connectInBrowser(network, username, login === undefined ? {} : { login })
            const { body } = yield* service.call("GET", `/v1/social-accounts/${account}/options`)
            const boards = body.choices?.board_ids?.slice(0, 1).map(({ id }: { id: string }) => id)
            const media = yield* uploaded(size)
            yield* control.script(username, [
              ...(answered === 0 ? [] : [{ on, fault: "slow", ms: 0, times: answered } as const]),
              { on, fault: "slow", ms: 600_000 }
            ])
            const due = inSeconds(15)
            const { id } = yield* create({
              social_accounts: [account],
              caption: "A long film",
              media: [media],
              scheduled_at: due,
              ...(boards === undefined
                ? {}
                : { platform_configurations: { [network]: { board_ids: boards } } })
            })
            return {
              id,
              due,
              cost,
              size,
              control,
              username,
              sent: (count: ReturnType<typeof counted>) => count(on) > answered
            }
          }),
          { concurrency: "unbounded" }
        )
        yield* Effect.forEach(begun, ({ control, username, sent }) =>
          control.requests(username).pipe(
            Effect.filterOrFail((requests) => sent(counted(requests))),
            Effect.retry({ schedule: Schedule.spaced("20 millis"), times: patience * 50 })
          )
        )
        yield* service.kill
        const handles = yield* storedHandles(service)
        assert.lengthOf(handles, uploads.length)
        for (const { secret } of uploads)
          if (secret !== undefined) assert.notInclude(JSON.stringify(handles), secret)
        assert.lengthOf(
          handles.filter((handle) => "sealed" in handle),
          uploads.filter(({ secret }) => secret !== undefined).length
        )
        yield* Effect.forEach(begun, ({ control, username }) => control.script(username, []))
        yield* service.start
        const { now } = service.memory()

        for (const { id, due, cost, size, control, username } of begun) {
          const post = yield* settled(id, patience)
          assert.strictEqual(post.status, "published", JSON.stringify(post.results))
          assert.notMatch(service.output() + JSON.stringify(post), /upload_(id|token)/)
          const [publication, ...others] = yield* control.publications(username)
          assert.lengthOf(others, 0)
          const hash = createHash("sha256")
          for (const part of bigVideo(size)()) hash.update(part)
          assert.deepInclude(publication!.media[0]!, { size, sha256: hash.digest("hex") })
          assert.isAtLeast(Date.parse(publication!.published_at), Date.parse(due))
          cost(counted(yield* control.requests(username)))
        }
        const grown = (service.memory().peak - now) / mebibyte
        yield* Effect.log(`memory +${Math.round(grown)} MiB`)
        // The embedded database alone takes a few hundred for a while after a start; a gibibyte takes a thousand.
        assert.isBelow(grown, 640)
      }),
    (patience + 60) * 1000
  )

  it.effect(
    "a service that is killed in its first uploads has one demo account of each network from the start, and after another, and they publish",
    () =>
      Effect.gen(function* () {
        const service = yield* Service
        const sandbox = yield* SandboxProcess
        const { body } = yield* service.call("GET", "/v1/social-accounts?limit=200")
        const demos: ReadonlyArray<any> = body.data.filter(({ demo }: any) => demo === "active")
        assert.includeMembers(
          demos.map(({ platform }) => platform),
          ["sandbox", "linkedin", ...uploads.map(({ network }) => network)]
        )
        assert.lengthOf(new Set(demos.map(({ platform }) => platform)), demos.length)
        // One wants a board, and the other no videos.
        const takers = demos.filter(({ platform }) => !["pinterest", "google_business"].includes(platform))
        const { id } = yield* create({
          social_accounts: takers.map((demo) => demo.id),
          caption: "First",
          media: [yield* uploaded(4 * mebibyte)]
        })
        const post = yield* settled(id)
        const total = takers.length
        assert.deepInclude(post.progress, { total, published: total }, JSON.stringify(post.results))
        assert.lengthOf(yield* sandbox.on("youtube").publications("youtube-demo"), 1)
      })
  )
})
