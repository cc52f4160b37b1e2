import { SandboxProcess } from "@carillon/sandbox/testing"
import { assert, it } from "@effect/vitest"
import { Effect, Schedule } from "effect"
import { SqlClient } from "effect/sql"
import { readFileSync } from "node:fs"
import { createServer, type ServerResponse } from "node:http"
import { parseEnv } from "node:util"
import { listening } from "../../packages/server/test/http/TestServer.ts"
import { s3Server } from "../../packages/server/test/media/files/S3Server.ts"
import { inDatabaseOf } from "@carillon/testing/DatabaseOf"
import {
  authorizePath,
  callWith,
  eventuallyRefused,
  followToApp,
  pkce,
  PlainBrowser,
  redirect,
  refresh,
  register,
  signedInBrowser,
  tickedOf,
  token
} from "@carillon/testing/OAuthBrowser"
import { readEvents } from "@carillon/testing/EventReader"
import { connect, create, inSeconds, settled } from "@carillon/testing/Publishing"
import { receiver, until } from "@carillon/testing/Receiver"
import { runToEnd, Service, type ServiceProcess, startService } from "@carillon/testing/ServiceProcess"
import { kind } from "@carillon/testing/TestSql"

const onTheEmbeddedDatabase = {
  "ends with one sentence when the bootstrap key is shorter than 24 characters": Effect.gen(function* () {
    const key = "23-characters-are-short"
    const { code, output } = yield* runToEnd({ CARILLON_BOOTSTRAP_API_KEY: key })
    assert.strictEqual(code, 1)
    assert.match(
      output.trim(),
      /^Carillon stopped\. CARILLON_BOOTSTRAP_API_KEY has 23 characters; it needs at least 24\. Make one with: openssl rand -hex 32$/
    )
    assert.notInclude(output, key)
  }),
  "refuses a second process on the same data, says what to do, and lets the next one in when the first is killed":
    Effect.gen(function* () {
      const service = yield* startService()
      const { code, output } = yield* runToEnd({ DATA_DIR: service.dataDir })
      assert.strictEqual(code, 1)
      assert.match(output, /in use by another Carillon process/)
      assert.strictEqual((yield* service.call("GET", "/readyz")).status, 200)
      yield* service.kill
      yield* service.start
    })
}

const onPostgres = {
  "shares the targets of one database among processes and publishes each once": Effect.gen(function* () {
    const sandbox = yield* SandboxProcess.make()
    const first = yield* startService({ env: { SANDBOX_URL: sandbox.url } })
    const second = yield* startService({ env: { SANDBOX_URL: sandbox.url, ...first.database } })
    yield* Effect.gen(function* () {
      const accounts = yield* Effect.forEach(["a", "b", "c", "d"], connect)
      const posts = yield* Effect.forEach(Array.from({ length: 20 }), (_, index) =>
        create({ social_accounts: accounts, caption: `Post ${index}`, scheduled_at: inSeconds(3) })
      )
      for (const { id } of posts) assert.strictEqual((yield* settled(id)).progress.published, 4)
      assert.lengthOf(yield* sandbox.publications(), 80)
    }).pipe(Effect.provideService(Service, first), Effect.provideService(SandboxProcess, sandbox))
    // What one process has created, another one reads.
    assert.strictEqual((yield* second.call("GET", "/v1/posts")).body.meta.total, 20)
  }),
  "tells the listeners of every process each event once and in one order, whichever process it happened in":
    Effect.gen(function* () {
      const sandbox = yield* SandboxProcess.make()
      const first = yield* startService({ env: { SANDBOX_URL: sandbox.url } })
      const others = yield* Effect.forEach([1, 2], () =>
        startService({ env: { SANDBOX_URL: sandbox.url, ...first.database } })
      )
      const services = [first, ...others]
      const streams = yield* Effect.forEach(services, (service) => readEvents(service))
      const posts = yield* Effect.gen(function* () {
        const accounts = yield* Effect.forEach(["a", "b", "c"], connect)
        return yield* Effect.forEach(
          Array.from({ length: 45 }),
          (_, index) =>
            Effect.provideService(
              create({ social_accounts: accounts, caption: `Post ${index}` }),
              Service,
              services[index % 3]!
            ),
          { concurrency: 9 }
        )
      }).pipe(Effect.provideService(Service, first), Effect.provideService(SandboxProcess, sandbox))
      const expected = 3 + posts.length * 6
      yield* until(() => streams.every(({ read }) => read.length >= expected))
      for (const { read } of streams) {
        assert.deepStrictEqual(read, streams[0]!.read)
        assert.lengthOf(read, expected)
        for (const { id } of posts) {
          const types = read
            .filter(({ event: { data } }) => [data.id, data.post_id].includes(id))
            .map(({ type }) => type)
          const results = Array.from({ length: 3 }, () => "post.result")
          assert.deepStrictEqual(types, ["post.created", "post.scheduled", ...results, "post.published"])
        }
      }
    }),
  "shares the deliveries of webhooks among processes: each sent once, those of a post in order, none together, and again after a kill":
    Effect.gen(function* () {
      const sandbox = yield* SandboxProcess.make()
      const first = yield* startService({ env: { SANDBOX_URL: sandbox.url } })
      const second = yield* startService({ env: { SANDBOX_URL: sandbox.url, ...first.database } })
      const underway = new Set<string>()
      const together: Array<string> = []
      const { url, received, types, of, answerWith } = yield* receiver(({ event: { data } }, response) => {
        const post: string = data.post_id ?? data.id
        if (underway.has(post)) together.push(post)
        underway.add(post)
        setTimeout(() => {
          underway.delete(post)
          response.writeHead(204).end()
        }, 5)
      })
      const events = ["post.scheduled", "post.result", "post.published"]
      yield* first.call("POST", "/v1/webhooks", { url, events })
      yield* Effect.gen(function* () {
        const accounts = yield* Effect.forEach(["a", "b", "c", "d"], connect)
        const posts = yield* Effect.forEach(
          Array.from({ length: 40 }),
          (_, index) =>
            Effect.provideService(
              create({ social_accounts: accounts, caption: `Post ${index}` }),
              Service,
              index % 2 === 0 ? first : second
            ),
          { concurrency: 4 }
        )
        yield* until(() => posts.every(({ id }) => types(id).includes("post.published")))
        for (const { id } of posts) {
          const results = Array.from({ length: 4 }, () => "post.result")
          assert.deepStrictEqual(types(id), ["post.scheduled", ...results, "post.published"])
        }
        assert.strictEqual(new Set(received.map(({ headers }) => headers["webhook-id"])).size, 40 * 6)
        assert.deepStrictEqual(together, [])

        // The other one is there, and takes nothing yet.
        second.signal("SIGSTOP")
        answerWith(() => {})
        const before = received.length
        const post = yield* create({
          social_accounts: accounts,
          caption: "Killed",
          scheduled_at: inSeconds(3600)
        })
        yield* until(() => received.length > before)
        first.signal("SIGKILL")
        // Its lease does not run out during the test: the other one knows that its holder is dead.
        yield* inDatabaseOf({ service: first, database: first.database })(
          Effect.gen(function* () {
            const sql = yield* SqlClient.SqlClient
            yield* sql`
              update webhook_deliveries set next_attempt_at = next_attempt_at + interval '1 hour' where status = 'sending'`
          })
        )
        answerWith(() => 204)
        second.signal("SIGCONT")
        yield* until(() => received.length > before + 1)
        const [cut, again] = of(post.id)
        assert.strictEqual(again!.headers["webhook-id"], cut!.headers["webhook-id"])
      }).pipe(Effect.provideService(Service, first), Effect.provideService(SandboxProcess, sandbox))
    }),
  "answer the requests of one sign-in by turns, and hear at once that a grant has ended": Effect.gen(
    function* () {
      const first = yield* startService()
      // Before another start makes another link for the owner.
      const browser = yield* Effect.promise(() => signedInBrowser(first))
      const second = yield* startService({ database: first.database, env: { PUBLIC_URL: first.url } })
      yield* Effect.promise(async () => {
        const elsewhere = new PlainBrowser(second.url)
        const { body } = await register(second.url)
        const { verifier, challenge } = pkce()
        const begun = await browser.visit(
          authorizePath({
            client_id: body.client_id,
            redirect_uri: redirect,
            code_challenge: challenge,
            code_challenge_method: "S256",
            resource: `${first.url}/v1`
          })
        )
        for (const [name, value] of browser.cookies) elsewhere.cookies.set(name, value)
        const page = await elsewhere.visit(begun.location!)
        const answered = await elsewhere.post(begun.location!, page.html, [
          ...tickedOf(page.html),
          ["decision", "allow"]
        ])
        const back = await followToApp(browser, answered)
        const exchanged = await token(second.url, {
          grant_type: "authorization_code",
          client_id: body.client_id,
          code: back.searchParams.get("code")!,
          redirect_uri: redirect,
          code_verifier: verifier
        })
        const { access_token, refresh_token } = exchanged.body
        for (const { url } of [first, second]) {
          assert.strictEqual((await callWith(url, access_token)).status, 200)
        }
        const renewed = await Promise.all([first, second].map(({ url }) => refresh(url, body, refresh_token)))
        assert.deepStrictEqual(
          renewed.map(({ status }) => status),
          [200, 200]
        )
        await token(first.url, { token: refresh_token, client_id: body.client_id }, "/oauth/revoke")
        await eventuallyRefused(second.url, access_token)
      })
    }
  ),
  "is woken by a post that another process accepted": Effect.gen(function* () {
    const sandbox = yield* SandboxProcess.make()
    const publisher = yield* startService({ env: { SANDBOX_URL: sandbox.url } })
    const acceptor = yield* startService({ env: { SANDBOX_URL: sandbox.url, ...publisher.database } })
    yield* Effect.gen(function* () {
      const account = yield* connect("woken")
      const post = yield* create({ social_accounts: [account], caption: "Now", scheduled_at: inSeconds(60) })
      // Only the other process is left to publish it.
      yield* acceptor.call("POST", `/v1/posts/${post.id}/publish`)
      yield* acceptor.kill
      assert.strictEqual((yield* settled(post.id)).status, "published")
      assert.lengthOf(yield* sandbox.publications("woken"), 1)
    }).pipe(Effect.provideService(Service, publisher), Effect.provideService(SandboxProcess, sandbox))
  }),
  "fetches each file of a post once among processes, and goes on when the one that fetched is killed":
    Effect.gen(function* () {
      const sandbox = yield* SandboxProcess.make()
      const first = yield* startService({ env: { SANDBOX_URL: sandbox.url } })
      const second = yield* startService({
        env: { SANDBOX_URL: sandbox.url, ...first.database, DATA_DIR: first.dataDir }
      })
      const requests: Array<string> = []
      const stuck: Array<ServerResponse> = []
      const picture = readFileSync(new URL("../../examples/media/bells.jpg", import.meta.url))
      const { port } = yield* listening(
        createServer((request, response) => {
          requests.push(request.url!)
          const again = requests.filter((path) => path === request.url).length > 1
          if (request.url === "/stuck.jpg" && !again) stuck.push(response.writeHead(200))
          else response.end(picture)
        })
      )
      const from = (path: string) => [`http://127.0.0.1:${port}${path}`]
      yield* Effect.gen(function* () {
        const account = yield* connect("shared-fetches")
        const posts = yield* Effect.forEach(Array.from({ length: 10 }), (_, index) =>
          create({ social_accounts: [account], media_urls: from(`/${index}.jpg`) })
        )
        yield* Effect.forEach(posts, ({ id }) => settled(id))
        assert.strictEqual(new Set(requests).size, 10)
        assert.lengthOf(requests, 10)
        // It is there, and takes nothing.
        second.signal("SIGSTOP")
        const late = yield* create({ social_accounts: [account], media_urls: from("/stuck.jpg") })
        yield* Effect.sync(() => stuck.length).pipe(
          Effect.repeat({ until: (count) => count === 1, schedule: Schedule.spaced("20 millis") })
        )
        second.signal("SIGCONT")
        yield* first.kill
        yield* settled(late.id).pipe(Effect.provideService(Service, second))
        assert.lengthOf(requests, 12)
        assert.lengthOf(yield* sandbox.publications("shared-fetches"), 11)
      }).pipe(Effect.provideService(Service, first), Effect.provideService(SandboxProcess, sandbox))
    }),
  "publishes from a bucket what another machine took, which is gone, as docs/deployment.md sets them up":
    Effect.gen(function* () {
      const sandbox = yield* SandboxProcess.make()
      const page = readFileSync(new URL("../../docs/deployment.md", import.meta.url), "utf8")
      const [, sample] = /^## On several machines$[^]*?^```sh\n([^]*?)^```/m.exec(page)!
      // What each process of a test has of its own.
      const own = ["PUBLIC_URL", "DATABASE_URL", "CARILLON_SECRET"]
      const given = Object.entries(parseEnv(sample!) as Record<string, string>)
      assert.includeMembers(
        given.map(([name]) => name),
        own
      )
      const variables = Object.fromEntries(given.filter(([name]) => !own.includes(name)))
      const env = { ...variables, SANDBOX_URL: sandbox.url, ...(yield* s3Server) }
      const first = yield* startService({ env })
      // With a DATA_DIR of its own.
      const second = yield* startService({ env, database: first.database })
      const picture = readFileSync(new URL("../../examples/media/bells.jpg", import.meta.url))
      const id = yield* first.upload(picture, "image/jpeg", "bells.jpg")
      yield* Effect.gen(function* () {
        const account = yield* connect("from-the-bucket")
        const scheduled = { social_accounts: [account], caption: "Kept", media: [id] }
        const post = yield* create({ ...scheduled, scheduled_at: inSeconds(60) })
        yield* first.kill
        yield* second.call("POST", `/v1/posts/${post.id}/publish`)
        assert.strictEqual((yield* settled(post.id)).status, "published")
        assert.lengthOf(yield* sandbox.publications("from-the-bucket"), 1)
      }).pipe(Effect.provideService(Service, second), Effect.provideService(SandboxProcess, sandbox))
      assert.strictEqual((yield* second.call("DELETE", `/v1/media/${id}`)).status, 200)
    }),
  "refuses a key that another process has deleted": Effect.gen(function* () {
    const first = yield* startService()
    const second = yield* startService({ env: first.database })
    const { body } = yield* first.call("POST", "/v1/api-keys", { name: "shared", scopes: ["admin"] })
    const statusOn = (service: ServiceProcess) =>
      Effect.map(
        service.call("GET", "/v1/posts", undefined, { authorization: `Bearer ${body.key}` }),
        ({ status }) => status
      )
    for (const service of [first, second]) assert.strictEqual(yield* statusOn(service), 200)
    yield* first.call("DELETE", `/v1/api-keys/${body.id}`)
    assert.strictEqual(yield* statusOn(first), 401)
    const refused = yield* Effect.repeat(statusOn(second), {
      until: (status) => status === 401,
      schedule: Schedule.max([Schedule.spaced("20 millis"), Schedule.recurs(3000)])
    })
    assert.strictEqual(refused, 401)
  }),
  "needs the secret that all processes share": Effect.gen(function* () {
    const service = yield* startService()
    const { code, output } = yield* runToEnd({
      DATABASE_URL: service.database["DATABASE_URL"]!,
      DATA_DIR: service.dataDir
    })
    assert.strictEqual(code, 1)
    assert.match(output, /CARILLON_SECRET is not set/)
  })
}

for (const [sentence, test] of Object.entries(
  { embedded: onTheEmbeddedDatabase, postgres: onPostgres }[kind]
)) {
  it.live(sentence, () => Effect.scoped(test))
}
