import type { Media } from "@carillon/domain"
import { FetchMedia } from "@carillon/server/media/imports/FetchMedia"
import { Imports } from "@carillon/server/media/imports/Imports"
import { ImportRepository, lease } from "@carillon/server/media/imports/ImportRepository"
import { TokenVault } from "@carillon/server/accounts/TokenVault"
import { TargetQueue } from "@carillon/server/engine/TargetQueue"
import { Platforms } from "@carillon/server/platforms/Platforms"
import { makeSandbox } from "@carillon/server/platforms/Sandbox"
import { Outcomes } from "@carillon/server/publishing/Outcomes"
import { Publish } from "@carillon/server/publishing/Publish"
import { PublishRequests } from "@carillon/server/publishing/PublishRequests"
import { assert, layer } from "@effect/vitest"
import { DateTime, Effect, Fiber, Layer, Option, Schedule } from "effect"
import { HttpClient } from "effect/http"
import { SqlClient } from "effect/sql"
import { TestClock } from "effect/testing"
import { createServer, type ServerResponse } from "node:http"
import { Socket } from "node:net"
import { vi } from "vitest"
import { listening } from "../../http/TestServer.ts"
import {
  call,
  elsewhere,
  home,
  MediaServer,
  mediaServer,
  mediaServerWith,
  put,
  stagedFiles,
  storedFiles
} from "../MediaServer.ts"
import { fixture, jpeg } from "../Pictures.ts"

const fileServer = (answer: (response: ServerResponse, path: string) => void) =>
  Effect.map(
    listening(createServer((request, response) => answer(response, request.url ?? ""))),
    ({ port, connections }) => ({ url: `http://127.0.0.1:${port}`, connections })
  )

const imported = Effect.fnUntraced(function* (url: string, name?: string, workspace = home) {
  const { status, body } = yield* call("POST", "/v1/media/import", { url, name }, workspace)
  assert.strictEqual(status, 201, JSON.stringify(body))
  return body as Media
})

const read = (id: string) => Effect.map(call("GET", `/v1/media/${id}`), ({ body }) => body as Media)

const claimed = Effect.gen(function* () {
  const claim = yield* (yield* ImportRepository).claim([])
  return yield* Effect.fromOption(claim)
})

const fetched = Effect.gen(function* () {
  yield* (yield* FetchMedia).fetch(yield* claimed)
})

let posts = 0

/** A scheduled post with the item, whose one target is due then. */
const scheduledPost = Effect.fnUntraced(function* (media: string, minutes: number) {
  const sql = yield* SqlClient.SqlClient
  const at = yield* DateTime.now
  const now = DateTime.toDateUtc(at)
  const due = DateTime.toDateUtc(DateTime.add(at, { minutes }))
  const [id, target] = [++posts, ++posts].map(
    (n) => `0190a000-0000-7000-8000-${n.toString().padStart(12, "0")}`
  )
  const [account] = yield* sql<{ id: string }>`
    insert into social_accounts (workspace_id, platform, remote_id, username, status, connected_at, created_at)
    values (${home}, 'sandbox', ${id}, 'u', 'connected', ${now}, ${now}) returning id`
  yield* sql`
    insert into posts (id, workspace_id, status, scheduled_at, social_accounts, media, processing_enabled, warnings,
      created_at, updated_at)
    values (${id}, ${home}, 'scheduled', ${due}, ${[account!.id]}::bigint[], ${[media]}::uuid[], true,
      '{Something else.}', ${now}, ${now})`
  yield* sql`insert into post_media (post_id, media_id) values (${id}, ${media})`
  yield* sql`
    insert into targets (id, post_id, workspace_id, social_account_id, platform, state, due_at, next_step_at, lead,
      created_at)
    values (${target}, ${id}, ${home}, ${account!.id}, 'sandbox', 'waiting', ${due}, ${due}, '0', ${now})`
  return id!
})

const readPost = Effect.fnUntraced(function* (id: string) {
  const sql = yield* SqlClient.SqlClient
  const [row] = yield* sql<{ warnings: ReadonlyArray<string>; version: number; next_step_at: Date }>`
    select p.warnings, p.version, t.next_step_at from posts p join targets t on t.post_id = p.id where p.id = ${id}`
  return row!
})

const nextTry = Effect.flatMap(ImportRepository, (imports) =>
  Effect.flatMap(Effect.all([imports.nextTryAt([]), DateTime.now]), ([at, now]) =>
    Effect.succeed(
      Option.map(at, (time) => (time.epochMilliseconds - now.epochMilliseconds) / 60_000).pipe(
        Option.getOrNull
      )
    )
  )
)

const begun = (connections: () => number) =>
  Effect.sync(connections).pipe(
    Effect.repeat({ until: (count) => count > 0, schedule: Schedule.spaced("10 millis") }),
    TestClock.withLive
  )

layer(mediaServer)("an import", (it) => {
  it.effect("an import has the facts of its bytes, whatever the server says of them", () =>
    Effect.gen(function* () {
      const film = yield* fixture("video.mp4")
      const { url } = yield* fileServer((response) =>
        response.writeHead(200, { "content-type": "image/png" }).end(film)
      )
      const { id, name, mime_type, size_bytes } = yield* imported(`${url}/a%2fb/My%20film.mp4?x=1`)
      assert.deepStrictEqual([name, mime_type, size_bytes], ["My film.mp4", null, null])
      yield* fetched
      const ready = yield* read(id)
      assert.deepInclude(ready, {
        status: "ready",
        mime_type: "video/mp4",
        size_bytes: film.length,
        error: null
      })
      assert.isAbove(ready.duration_ms!, 0)
      assert.match(ready.sha256!, /^[0-9a-f]{64}$/)
      assert.strictEqual(ready.object.size_bytes, film.length)
      assert.isTrue(Option.isNone(yield* (yield* ImportRepository).claim([])))
    })
  )

  it.effect("an import is called as the caller says, else the server, else the URL, else its kind", () =>
    Effect.gen(function* () {
      const picture = yield* jpeg()
      const { url } = yield* fileServer((response, path) =>
        response
          .writeHead(200, path === "/named" ? { "content-disposition": "inline; filename=server.jpg" } : {})
          .end(picture)
      )
      const names: Array<string> = []
      for (const [path, name] of [["/named", "mine/../ours.jpg"], ["/named"], ["/url.jpg"], ["/"]] as const) {
        const { id } = yield* imported(url + path, name)
        yield* fetched
        names.push((yield* read(id)).name)
      }
      assert.deepStrictEqual(names, ["ours.jpg", "server.jpg", "url.jpg", "image.jpg"])
    })
  )

  it.effect(
    "an import of a file over the limit of its kind stops early, with and without a length, and leaves nothing",
    () =>
      Effect.gen(function* () {
        const picture = yield* jpeg()
        const before = yield* storedFiles
        let sent = 0
        const { url } = yield* fileServer((response, path) => {
          response.writeHead(200, path === "/declared" ? { "content-length": 60 * 1024 * 1024 } : {})
          response.write(picture)
          const more = () => {
            while (!response.destroyed && response.write(Buffer.alloc(1024 * 1024))) sent++
          }
          if (path !== "/declared") response.on("drain", more)
          more()
        })
        for (const path of ["/declared", "/endless"]) {
          const { id } = yield* imported(url + path)
          yield* fetched
          const { status, error } = yield* read(id)
          assert.strictEqual(status, "failed")
          assert.deepInclude(error, { class: "media_rejected", code: "too_large" })
          assert.match(error!.message, /52428800 bytes/)
        }
        assert.isBelow(sent, 70)
        assert.deepStrictEqual(yield* storedFiles, before)
        assert.deepStrictEqual(yield* stagedFiles, [])
      })
  )

  it.effect(
    "an import of a server that goes silent is cut off, tried again with pauses, and given up after ten times",
    () =>
      Effect.gen(function* () {
        const picture = yield* jpeg()
        const { url, connections } = yield* fileServer((response) => {
          response.write(picture.subarray(0, 100))
        })
        const { id } = yield* imported(`${url}/silent.jpg`)
        for (let attempt = 1; attempt <= 10; attempt++) {
          const before = connections()
          const claim = yield* claimed
          assert.strictEqual(claim.attempts, attempt)
          const fetching = yield* Effect.forkChild((yield* FetchMedia).fetch(claim))
          yield* begun(() => connections() - before)
          // The clock moves on only when the fetch is waiting.
          yield* TestClock.adjust("1 second").pipe(
            Effect.andThen(TestClock.withLive(Effect.sleep("2 millis"))),
            Effect.repeat({ until: () => fetching.pollUnsafe() !== undefined })
          )
          yield* Fiber.join(fetching)
          assert.strictEqual((yield* read(id)).status, attempt < 10 ? "reserved" : "failed")
          yield* TestClock.adjust("15 minutes")
        }
        assert.deepInclude((yield* read(id)).error, { class: "media_unreachable", code: "timed_out" })
        assert.isTrue(Option.isNone(yield* (yield* ImportRepository).claim([])))
      })
  )

  it.effect(
    "an import that failed is tried again each hour and five minutes before the time of a post, which says so",
    () =>
      Effect.gen(function* () {
        const sql = yield* SqlClient.SqlClient
        const told = DateTime.toDateUtc(yield* DateTime.now)
        yield* sql`
        insert into webhooks (id, workspace_id, url, events, status, secrets, created_at, updated_at)
        values (${home}, ${home}, 'https://example.com/', '{media.ready,media.failed}', 'paused', '', ${told}, ${told})`
        const picture = yield* jpeg()
        let there = false
        const { url } = yield* fileServer((response) =>
          there ? response.end(picture) : response.writeHead(404).end()
        )
        const { id } = yield* imported(`${url}/late.jpg`)
        const [post, later] = [yield* scheduledPost(id, 150), yield* scheduledPost(id, 600)]
        const before = yield* readPost(post)
        yield* fetched
        for (const one of [post, later]) {
          const { warnings } = yield* readPost(one)
          assert.lengthOf(warnings, 2)
          assert.strictEqual(warnings[0], "Something else.")
          assert.include(warnings[1], `The media item ${id} could not be fetched`)
          assert.include(warnings[1], "404")
        }
        const warned = yield* readPost(post)
        assert.deepStrictEqual(
          [warned.version, warned.next_step_at],
          [before.version + 1, before.next_step_at],
          "nothing woke it"
        )
        for (const minutes of [60, 60, 25]) {
          const { status, error } = yield* read(id)
          assert.deepStrictEqual([status, error?.code], ["failed", "bad_status"])
          assert.strictEqual(yield* nextTry, minutes)
          assert.isTrue(Option.isNone(yield* (yield* ImportRepository).claim([])))
          yield* TestClock.adjust(`${minutes} minutes`)
          there = minutes === 25
          yield* fetched
        }
        assert.deepInclude(yield* read(id), { status: "ready", error: null })
        assert.strictEqual(yield* nextTry, null)
        for (const one of [post, later]) {
          const { warnings, version, next_step_at } = yield* readPost(one)
          assert.deepStrictEqual([warnings, version], [["Something else."], before.version + 2])
          assert.deepStrictEqual(next_step_at, DateTime.toDateUtc(yield* DateTime.now), "it is woken")
        }
        const events = yield* sql<{ type: string }>`select type from events where subject = ${id} order by id`
        assert.deepStrictEqual(
          events.map(({ type }) => type),
          ["media.failed", "media.ready"]
        )
        yield* sql`delete from webhooks`
      })
  )

  it.effect(
    "an import of a server that is down is tried often in a post's last five minutes, and never after its time",
    () =>
      Effect.gen(function* () {
        const { url } = yield* fileServer((response) => response.writeHead(503).end())
        const { id } = yield* imported(`${url}/down.jpg`)
        const sql = yield* SqlClient.SqlClient
        yield* sql`update media_imports set attempts = 9 where media_id = ${id}`
        const post = yield* scheduledPost(id, 20)
        yield* fetched
        assert.strictEqual((yield* read(id)).status, "failed")
        assert.strictEqual(yield* nextTry, 15)
        yield* TestClock.adjust("15 minutes")
        let tries = 0
        for (let next = yield* nextTry; next !== null; next = yield* nextTry) {
          assert.isBelow(next, 5)
          yield* TestClock.adjust(`${Math.ceil(next * 60_000)} millis`)
          yield* fetched
          tries++
        }
        assert.isAbove(tries, 1)
        assert.isAtMost(tries, 10)
        assert.lengthOf((yield* readPost(post)).warnings, 2)
        yield* TestClock.adjust("1 hour")
        assert.isTrue(Option.isNone(yield* (yield* ImportRepository).claim([])))
      })
  )

  it.effect(
    "an import that failed follows a post that is moved, and is left alone when none is still to go out",
    () =>
      Effect.gen(function* () {
        const sql = yield* SqlClient.SqlClient
        const { url } = yield* fileServer((response) => response.writeHead(404).end())
        const { id } = yield* imported(`${url}/moved.jpg`)
        const post = yield* scheduledPost(id, 600)
        yield* fetched
        assert.strictEqual(yield* nextTry, 60)
        const move = Effect.fnUntraced(function* (minutes: number) {
          const due = DateTime.toDateUtc(DateTime.add(yield* DateTime.now, { minutes }))
          yield* sql`update targets set due_at = ${due} where post_id = ${post}`
          yield* (yield* Imports).followPost([id])
          return yield* nextTry
        })
        assert.strictEqual(yield* move(35), 30)
        assert.strictEqual(yield* move(600), 30, "an early try is planned already")
        assert.strictEqual(yield* move(3), 0, "at once, for there is little time")
        yield* fetched
        assert.strictEqual(yield* nextTry, null)
        yield* sql`update targets set state = 'draft', due_at = null, next_step_at = null where post_id = ${post}`
        yield* (yield* Imports).followPost([id])
        assert.strictEqual(yield* nextTry, null)
      })
  )

  it.effect("an import that ended the process ten times is never tried again", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const { url } = yield* fileServer((response) => response.writeHead(404).end())
      const { id } = yield* imported(`${url}/deadly.jpg`)
      yield* scheduledPost(id, 600)
      yield* sql`update media_imports set attempts = 10 where media_id = ${id}`
      yield* fetched
      const { error } = yield* read(id)
      assert.strictEqual(error?.code, "fetch_interrupted")
      assert.strictEqual(yield* nextTry, null)
    })
  )

  it.effect("belongs to the process that claimed it last", () =>
    Effect.gen(function* () {
      const picture = yield* jpeg()
      const { url } = yield* fileServer((response) => response.end(picture))
      const { id } = yield* imported(`${url}/twice.jpg`)
      const media = yield* FetchMedia
      const first = yield* claimed
      assert.isTrue(Option.isNone(yield* (yield* ImportRepository).claim([])))
      yield* TestClock.adjust(lease)
      const second = yield* claimed
      assert.isAbove(second.fence, first.fence)
      yield* media.fetch(first)
      assert.strictEqual((yield* read(id)).status, "reserved")
      yield* media.fetch(second)
      assert.strictEqual((yield* read(id)).status, "ready")
      yield* media.fetch(first)
      assert.strictEqual((yield* read(id)).status, "ready")
    })
  )

  it.effect("an import that was deleted while it was fetched leaves nothing", () =>
    Effect.gen(function* () {
      const picture = yield* jpeg()
      const before = yield* storedFiles
      let last: ServerResponse | undefined
      const { url, connections } = yield* fileServer((response) => {
        last = response
      })
      const { id } = yield* imported(`${url}/deleted.jpg`)
      const fetching = yield* Effect.forkChild(fetched)
      yield* begun(connections)
      assert.strictEqual((yield* call("DELETE", `/v1/media/${id}`)).status, 200)
      last!.end(picture)
      yield* Fiber.join(fetching)
      assert.deepStrictEqual(yield* storedFiles, before)
      assert.isTrue(Option.isNone(yield* (yield* ImportRepository).claim([])))
    })
  )

  it.effect("takes no upload, is confirmed when it is there, and is nobody else's", () =>
    Effect.gen(function* () {
      const picture = yield* jpeg()
      const { url } = yield* fileServer((response) => response.end(picture))
      const { id } = yield* imported(`${url}/own.jpg`)
      const early = yield* call("POST", `/v1/media/${id}/complete`)
      assert.deepStrictEqual([early.status, early.body.code], [409, "upload_incomplete"])
      assert.match(early.body.detail, /fetched from its URL/)
      const { url: base } = yield* MediaServer
      const upload = new URL(`/v1/media/${id}/upload?expires=9999999999&signature=x`, base)
      assert.strictEqual((yield* put(upload.href, "image/jpeg", picture)).status, 403)
      assert.strictEqual((yield* call("GET", `/v1/media/${id}`, undefined, elsewhere)).status, 404)
      yield* fetched
      assert.strictEqual((yield* call("POST", `/v1/media/${id}/complete`)).status, 200)
    })
  )

  it.effect("an import is free before its lease ends when its process is not seen to live", () =>
    Effect.gen(function* () {
      const { url } = yield* fileServer((response) => response.writeHead(404).end())
      const { id } = yield* imported(`${url}/1.jpg`)
      const sql = yield* SqlClient.SqlClient
      const imports = yield* ImportRepository
      const held = yield* claimed
      assert.isFalse(yield* imports.recover)
      // No process has this number.
      yield* sql`update media_imports set holder = 1 where media_id = ${id}`
      assert.isTrue(yield* imports.recover)
      const again = yield* claimed
      assert.strictEqual(again.media_id, held.media_id)
      const until = DateTime.addDuration(yield* DateTime.now, lease)
      assert.deepStrictEqual(yield* imports.renew([held], until), [])
      assert.deepStrictEqual(yield* imports.renew([again], until), [again.media_id])
      yield* (yield* FetchMedia).fetch(again)
    })
  )

  it.effect("an import of one workspace leaves room for another's", () =>
    Effect.gen(function* () {
      const { url } = yield* fileServer((response) => response.writeHead(404).end())
      yield* imported(`${url}/1.jpg`)
      yield* TestClock.adjust("1 second")
      const theirs = yield* imported(`${url}/2.jpg`, undefined, elsewhere)
      const imports = yield* ImportRepository
      const next = yield* Effect.flatMap(imports.claim([home]), Effect.fromOption)
      assert.strictEqual(next.media_id, theirs.id)
      assert.isTrue(Option.isNone(yield* imports.claim([home, elsewhere])))
      const media = yield* FetchMedia
      yield* media.fetch(next)
      yield* fetched
    })
  )
})

/** The engine, and a platform that no post of these tests comes to. */
const engine = Publish.layer.pipe(
  Layer.provide(PublishRequests.layer),
  Layer.provide([
    Outcomes.layer,
    Layer.mock(TokenVault, {
      open: () => () => Effect.die(new Error("nothing is sent")),
      sealing: (platform) => platform
    }),
    Platforms.layerOf([
      makeSandbox(
        HttpClient.make(() => Effect.die(new Error("nothing is sent"))),
        "http://sandbox.example"
      )
    ])
  ]),
  Layer.provideMerge(mediaServer)
)

/** The engine's next step with each target that is due. */
const steps = Effect.gen(function* () {
  const publish = yield* Publish
  for (const target of yield* (yield* TargetQueue).claim) yield* publish.target(target, { until: Infinity })
})

const result = Effect.fnUntraced(function* (post: string) {
  const sql = yield* SqlClient.SqlClient
  const now = yield* DateTime.now
  const [row] = yield* sql<{ state: string; next_step_at: Date | null; error: any }>`
    select state, next_step_at, error from targets where post_id = ${post}`
  const { state, next_step_at, error } = row!
  const seconds = next_step_at === null ? null : (next_step_at.getTime() - now.epochMilliseconds) / 1000
  return { state, seconds, code: error?.code ?? null, class: error?.class ?? null }
})

const gone = { code: "bad_status", class: "media_unreachable" }
const waitsForFetch = { state: "waiting", code: "media_not_ready", class: "transient" }

layer(engine)("an import for a scheduled post", (it) => {
  it.effect(
    "an import that fails while its post is due fails the post at once, and no post before its time",
    () =>
      Effect.gen(function* () {
        const held: Array<ServerResponse> = []
        const { url, connections } = yield* fileServer((response) => {
          if (held.push(response) > 1) response.writeHead(404).end()
        })
        const { id } = yield* imported(`${url}/gone.jpg`)
        const [due, later] = [yield* scheduledPost(id, 10), yield* scheduledPost(id, 600)]
        yield* TestClock.adjust("10 minutes")
        const fetching = yield* Effect.forkChild(fetched)
        yield* begun(connections)
        yield* TestClock.adjust("1 second")
        yield* steps
        assert.deepStrictEqual(yield* result(due), { ...waitsForFetch, seconds: 60 })
        held[0]!.writeHead(404).end()
        yield* Fiber.join(fetching)
        assert.strictEqual((yield* result(due)).seconds, 0, "it is woken")
        yield* steps
        assert.deepStrictEqual(yield* result(due), { ...gone, state: "failed", seconds: null })

        const sql = yield* SqlClient.SqlClient
        yield* sql`update targets set next_step_at = ${DateTime.toDateUtc(yield* DateTime.now)} where post_id = ${later}`
        yield* steps
        const untilDue = 590 * 60 - 1
        assert.deepStrictEqual(yield* result(later), { ...gone, state: "waiting", seconds: untilDue })
        // The last try is five minutes before.
        yield* TestClock.adjust(`${untilDue - 300} seconds`)
        yield* fetched
        yield* TestClock.adjust("5 minutes")
        yield* steps
        assert.deepStrictEqual(yield* result(later), { ...gone, state: "failed", seconds: null })
      })
  )

  it.effect("an import that is fetched again at the time of its post is waited for, and wakes the post", () =>
    Effect.gen(function* () {
      const picture = yield* jpeg()
      let there = false
      const { url } = yield* fileServer((response) =>
        there ? response.end(picture) : response.writeHead(404).end()
      )
      const { id } = yield* imported(`${url}/late.jpg`)
      const post = yield* scheduledPost(id, 600)
      yield* fetched
      assert.strictEqual((yield* read(id)).status, "failed")
      const sql = yield* SqlClient.SqlClient
      const soon = DateTime.toDateUtc(DateTime.add(yield* DateTime.now, { seconds: 2 }))
      yield* sql`update targets set due_at = ${soon}, next_step_at = ${soon} where post_id = ${post}`
      yield* (yield* Imports).followPost([id])
      const again = yield* claimed
      yield* TestClock.adjust("3 seconds")
      yield* steps
      assert.deepStrictEqual(yield* result(post), { ...waitsForFetch, seconds: 60 })
      there = true
      yield* (yield* FetchMedia).fetch(again)
      assert.strictEqual((yield* read(id)).status, "ready")
      assert.strictEqual((yield* result(post)).seconds, 0, "it is woken")
    })
  )
})

const publicAddress = "93.184.216.34"

/**
 * A server that stands at a public address for every socket of this process; every other address is left as it is.
 * Answers what was connected to on the port of http.
 */
const publicServer = Effect.fnUntraced(function* (answer: (path: string, response: ServerResponse) => void) {
  const { port } = yield* listening(createServer((request, response) => answer(request.url ?? "", response)))
  const { connect } = Socket.prototype
  const hosts: Array<string> = []
  yield* Effect.acquireRelease(
    Effect.sync(() =>
      vi.spyOn(Socket.prototype, "connect").mockImplementation(function (this: Socket, ...args: Array<any>) {
        for (const to of args.flat()) {
          if (typeof to?.host !== "string") continue
          if (Number(to.port) === 80) hosts.push(to.host)
          if (to.host === publicAddress) Object.assign(to, { host: "127.0.0.1", port })
        }
        return connect.apply(this, args as Parameters<typeof connect>)
      })
    ),
    (spy) => Effect.sync(() => spy.mockRestore())
  )
  return hosts
})

layer(mediaServerWith({ CARILLON_ALLOW_PRIVATE_HOSTS: "off" }))(
  "an import where private hosts are not allowed",
  (it) => {
    it.effect(
      "fails when its URL redirects to one, which is not connected to, and its post says the reason",
      () =>
        Effect.gen(function* () {
          const targets = {
            "/loopback": "http://127.0.0.1/secret.jpg",
            "/network": "//10.0.0.1/secret.jpg",
            "/metadata": "http://169.254.169.254/latest/meta-data/",
            "/six": "http://[::ffff:192.168.0.1]/secret.jpg",
            "/name": "http://localhost/secret.jpg",
            // By way of another public one.
            "/further": `http://${publicAddress}/loopback`
          }
          const hosts = yield* publicServer((path, response) =>
            response.writeHead(302, { location: targets[path as keyof typeof targets] }).end()
          )
          for (const path of Object.keys(targets)) {
            const { id } = yield* imported(`http://${publicAddress}${path}`)
            const post = path === "/network" ? yield* scheduledPost(id, 600) : undefined
            yield* fetched
            const { status, error } = yield* read(id)
            assert.strictEqual(status, "failed", path)
            assert.deepInclude(error, { code: "address_not_allowed", class: "media_unreachable" }, path)
            assert.match(error!.message, /public internet/)
            if (post !== undefined) assert.match((yield* readPost(post)).warnings[1]!, /10\.0\.0\.1/)
          }
          assert.deepStrictEqual([...new Set(hosts)], [publicAddress])
        })
    )
  }
)
