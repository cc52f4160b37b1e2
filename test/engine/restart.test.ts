import { SandboxProcess } from "@carillon/sandbox/testing"
import { AppConfig } from "@carillon/server/AppConfig"
import { CredentialCipher } from "@carillon/server/crypto/CredentialCipher"
import { Secrets } from "@carillon/server/crypto/Secrets"
import { assert, it, layer } from "@effect/vitest"
import { ConfigProvider, Effect, Exit, Fiber, Latch, Layer, Schedule } from "effect"
import { SqlClient } from "effect/sql"
import { execFile } from "node:child_process"
import { existsSync, readFileSync, statSync, writeFileSync } from "node:fs"
import { createServer } from "node:http"
import { join } from "node:path"
import { promisify } from "node:util"
import sharp from "sharp"
import { Webhook } from "standardwebhooks"
import { listening } from "../../packages/server/test/http/TestServer.ts"
import { signInAt } from "@carillon/testing/ConsentVisit"
import { inDatabaseOf } from "@carillon/testing/DatabaseOf"
import {
  ownerName,
  ownerPassword,
  PlainBrowser,
  signedInBrowser,
  welcomeLink
} from "@carillon/testing/OAuthBrowser"
import { onTerminal } from "@carillon/testing/PseudoTerminal"
import { connect, create, inSeconds, ServiceWithSandbox, settled } from "@carillon/testing/Publishing"
import { receiver, until } from "@carillon/testing/Receiver"
import {
  callsWith,
  freePort,
  Service,
  type ServiceProcess,
  startService
} from "@carillon/testing/ServiceProcess"
import * as TestDirectory from "@carillon/testing/TestDirectory"

const picture = readFileSync(new URL("../../examples/media/bells.jpg", import.meta.url))

/** What `npm run password` prints beside the service, which runs, and whose address the command is not told. */
const newPasswordLink = ({ database, dataDir }: ServiceProcess, env: NodeJS.ProcessEnv = {}) =>
  Effect.promise(async () => {
    const { stdout } = await promisify(execFile)(process.execPath, ["packages/server/src/password.ts"], {
      env: { DATA_DIR: dataDir, ...database, ...env }
    })
    const [link] = /http\S+\/welcome\/\S+/.exec(stdout) ?? []
    if (link === undefined) throw new Error(stdout)
    return link
  })

const megabytes = (bytes: number) => Math.round(bytes / 1024 / 1024)

it.live("a start on the embedded database peaks below 600 MB, and hundreds of requests later below 750", () =>
  Effect.gen(function* () {
    // The first start of an instance.
    const service = yield* startService({ dataDir: yield* TestDirectory.make })
    const peak = () => megabytes(service.memory().peak)
    // V8 optimizes in the background what has run often: enough work for it to have come.
    const work = Effect.forEach(
      Array.from({ length: 150 }, (_, index) => index),
      (index) =>
        Effect.gen(function* () {
          const file = { name: `${index}.png`, mime_type: "image/png", size_bytes: 1 }
          const reserved = yield* service.call("POST", "/v1/media/create-upload-url", file)
          assert.strictEqual(reserved.status, 201)
          assert.strictEqual((yield* service.call("GET", "/v1/media?q=png")).status, 200)
        }),
      { concurrency: 4, discard: true }
    )
    assert.isBelow(peak(), 600)
    yield* work
    assert.isBelow(peak(), 750)
    // A later start, killed and with a log to recover.
    yield* service.kill
    yield* service.start
    assert.isBelow(peak(), 600)
    yield* work
    assert.isBelow(peak(), 750)
  })
)

it.live(
  "a service that is killed during a choice has connected all of it or nothing, and takes it again",
  () =>
    Effect.gen(function* () {
      const sandbox = yield* SandboxProcess.make()
      const service = yield* startService({ env: { SANDBOX_URL: sandbox.url } })
      const connected = (person: string) =>
        Effect.map(
          service.call("GET", `/v1/social-accounts?platform=instagram&limit=100&q=${person}`),
          ({ body }) => body.data.length as number
        )
      const kills = {
        "at-once": () => Effect.void,
        // Its transaction is over, and its answer on the way.
        "once-stored": (person: string) =>
          Effect.repeat(connected(person), {
            while: (count) => count === 0,
            schedule: Schedule.spaced("1 millis")
          })
      }
      for (const [person, moment] of Object.entries(kills)) {
        const { body } = yield* service.call("POST", "/v1/social-accounts/connect", {
          platform: "instagram",
          login: "facebook"
        })
        yield* signInAt(body.authorize_url, `${person}-sixty`)
        const path = `/v1/social-accounts/pending/${body.pending_id}`
        const offer = (yield* service.call("GET", path)).body
        const accounts = offer.accounts.map(({ id }: { readonly id: string }) => id)
        assert.lengthOf(accounts, 60)
        const choice = yield* Effect.forkChild(Effect.exit(service.call("POST", path, { accounts })), {
          startImmediately: true
        })
        yield* moment(person)
        yield* service.kill
        yield* Fiber.join(choice)
        yield* service.start
        const found = yield* connected(person)
        const { status } = (yield* service.call("GET", path)).body
        assert.deepInclude(
          [
            [0, "choosing"],
            [60, "connected"]
          ],
          [found, status]
        )
        if (person === "once-stored") assert.strictEqual(found, 60)
        const again = yield* service.call("POST", path, { accounts })
        assert.deepStrictEqual([again.status, again.body.data.length], [200, 60])
        assert.strictEqual(yield* connected(person), 60)
      }
    })
)

const withoutKey = { CARILLON_BOOTSTRAP_API_KEY: undefined }

it.live("the log names the file of the first key and never the key, until it is used", () =>
  Effect.gen(function* () {
    const service = yield* startService({ env: withoutKey })
    const file = join(service.dataDir, "first-key")
    const key = readFileSync(file, "utf8").trim()
    assert.match(key, /^crl_/)
    assert.strictEqual(statSync(file).mode & 0o777, 0o600)
    yield* service.kill
    yield* service.start
    assert.lengthOf(service.output().match(new RegExp(`^  cat ${file}$`, "gm"))!, 2)
    assert.strictEqual(readFileSync(file, "utf8").trim(), key)

    const refused = yield* callsWith(service.url, `${key}x`).call("GET", "/v1/profile")
    assert.deepStrictEqual([refused.status, existsSync(file)], [401, true])
    const { status } = yield* callsWith(service.url, key).call("GET", "/v1/profile")
    assert.deepStrictEqual([status, existsSync(file)], [200, false])
    // As after a use of another process, which has another DATA_DIR.
    writeFileSync(file, `${key}\n`)
    yield* service.kill
    yield* service.start
    assert.isFalse(existsSync(file))
    assert.include(service.output(), "The first API key is not shown again.")
    assert.notInclude(service.output(), key)
  })
)

it.live("the file of the first key goes when there is an owner, and no other key is made then", () =>
  Effect.gen(function* () {
    const service = yield* startService({ env: withoutKey })
    const file = join(service.dataDir, "first-key")
    const key = readFileSync(file, "utf8").trim()
    yield* Effect.promise(() => signedInBrowser(service))
    assert.isFalse(existsSync(file))
    yield* inDatabaseOf({ service, database: service.database })(
      Effect.flatMap(SqlClient.SqlClient, (sql) => sql`delete from api_keys`)
    )
    yield* service.start
    assert.isFalse(existsSync(file))
    assert.notInclude(service.output(), key)
  })
)

it.live("a terminal shows the first key, which no file holds then", () =>
  Effect.gen(function* () {
    const dataDir = yield* TestDirectory.make
    const port = String(yield* freePort)
    const terminal = yield* onTerminal(process.execPath, ["packages/server/src/main.ts"], {
      cwd: join(import.meta.dirname, "../.."),
      env: { PATH: process.env["PATH"] ?? "", DATA_DIR: dataDir, PORT: port, CARILLON_SANDBOX: "off" }
    })
    yield* terminal.until("Next, in a second terminal")
    assert.match(terminal.raw(), /shown only this once: {2}crl_/)
    assert.isFalse(existsSync(join(dataDir, "first-key")))
  })
)

const serviceOnTokyoMachine = ServiceWithSandbox({ env: { TZ: "Asia/Tokyo" } })

layer(serviceOnTokyoMachine, { excludeTestServices: true, timeout: "180 seconds" })(
  "a service that stops",
  (it) => {
    it.effect("sends what it acknowledged before it was killed, once, when it is back in time", () =>
      Effect.gen(function* () {
        const service = yield* Service
        const sandbox = yield* SandboxProcess
        const account = yield* connect("killed-before")
        const scheduledAt = inSeconds(8)
        const post = yield* create({ social_accounts: [account], caption: "Kept", scheduled_at: scheduledAt })
        yield* service.kill
        yield* service.start
        const [published] = yield* sandbox.waitForPublications("killed-before", 1)
        assert.isAtLeast(Date.parse(String(published!.received_at)), Date.parse(scheduledAt))
        assert.strictEqual((yield* settled(post.id)).status, "published")
        assert.lengthOf(yield* sandbox.publications("killed-before"), 1)
      })
    )

    it.effect("makes each post of a killed change_posts once, when the call is repeated with its key", () =>
      Effect.gen(function* () {
        const service = yield* Service
        const account = yield* connect("killed-many")
        const args = {
          create: Array.from({ length: 50 }, (_, index) => ({
            social_accounts: [account],
            caption: `Post ${index}`,
            is_draft: true
          })),
          idempotency_key: "killed-many"
        }
        const params = { name: "change_posts", arguments: args }
        const call = service.call("POST", "/mcp", { jsonrpc: "2.0", id: 1, method: "tools/call", params })
        const total = Effect.map(
          service.call("GET", `/v1/posts?social_account_id=${account}`),
          ({ body }) => body.meta.total as number
        )
        const cut = yield* Effect.forkChild(Effect.exit(call))
        yield* Effect.repeat(total, { until: (count) => count > 0 })
        yield* service.kill
        yield* Fiber.await(cut)
        yield* service.start
        const { body } = yield* call
        assert.strictEqual(body.result.structuredContent.failed, 0, JSON.stringify(body))
        assert.strictEqual(yield* total, 50)
      })
    )

    it.effect("sends late what was due while it was down", () =>
      Effect.gen(function* () {
        const service = yield* Service
        const sandbox = yield* SandboxProcess
        const account = yield* connect("down")
        const post = yield* create({
          social_accounts: [account],
          caption: "Late",
          scheduled_at: inSeconds(3600)
        })
        yield* service.kill
        yield* inDatabaseOf({ service, database: service.database })(
          Effect.gen(function* () {
            const sql = yield* SqlClient.SqlClient
            const at = inSeconds(-1)
            yield* sql`update posts set scheduled_at = ${at} where id = ${post.id}`
            yield* sql`update targets set due_at = ${at}, next_step_at = ${at} where post_id = ${post.id}`
          })
        )
        assert.lengthOf(yield* sandbox.publications("down"), 0)
        yield* service.start
        assert.strictEqual((yield* settled(post.id)).status, "published")
        assert.lengthOf(yield* sandbox.publications("down"), 1)
      })
    )

    for (const [username, kind] of [
      ["held", "honours a key"],
      ["held-lookup", "can be asked"]
    ] as const) {
      it.effect(`publishes once what it was sending when it was killed, on a platform that ${kind}`, () =>
        Effect.gen(function* () {
          const service = yield* Service
          const sandbox = yield* SandboxProcess
          const account = yield* connect(username)
          // The effect is there at once, the reply would come long after the process is gone.
          yield* sandbox.script(username, [{ on: "post", fault: "effect_then_lost_reply" }])
          const post = yield* create({ social_accounts: [account], caption: "In flight" })
          yield* sandbox.waitForPublications(username, 1)
          yield* service.kill
          yield* service.start
          assert.strictEqual((yield* settled(post.id)).status, "published")
          assert.lengthOf(yield* sandbox.publications(username), 1)
        })
      )
    }

    it.effect("leaves to a person what it was sending when it was killed, where nobody can know", () =>
      Effect.gen(function* () {
        const service = yield* Service
        const sandbox = yield* SandboxProcess
        const account = yield* connect("held-none")
        yield* sandbox.script("held-none", [{ on: "post", fault: "effect_then_lost_reply" }])
        const post = yield* create({ social_accounts: [account], caption: "In flight" })
        yield* sandbox.waitForPublications("held-none", 1)
        yield* service.kill
        yield* service.start
        assert.strictEqual((yield* settled(post.id)).results[0].status, "unconfirmed")
        assert.lengthOf(yield* sandbox.publications("held-none"), 1)
      })
    )

    it.effect("finishes the commit that has begun when it is told to stop, and ends with 0", () =>
      Effect.gen(function* () {
        const service = yield* Service
        const sandbox = yield* SandboxProcess
        const account = yield* connect("stopping-none")
        yield* sandbox.script("stopping-none", [{ on: "post", fault: "slow", ms: 1500 }])
        const post = yield* create({ social_accounts: [account], caption: "Slow" })
        // The effect is there; the answer is not yet.
        yield* sandbox.waitForPublications("stopping-none", 1)
        assert.strictEqual(yield* service.terminate, 0)
        yield* service.start
        const after = yield* settled(post.id)
        assert.strictEqual(after.results[0].status, "published")
        assert.strictEqual(after.results[0].attempts, 1)
        assert.lengthOf(yield* sandbox.publications("stopping-none"), 1)
      })
    )

    it.effect(
      "fetches media of a URL again that it was fetching when it was killed, and the post goes out once",
      () =>
        Effect.gen(function* () {
          const service = yield* Service
          const sandbox = yield* SandboxProcess
          const account = yield* connect("killed-fetch")
          let stuck = 0
          const { port } = yield* listening(
            createServer((_, response) => {
              response.writeHead(200, { "content-length": picture.length })
              if (stuck++ > 0) response.end(picture)
              else response.write(picture.subarray(0, 1000))
            })
          )
          const post: any = yield* create({
            social_accounts: [account],
            caption: "Survives",
            media_urls: [`http://127.0.0.1:${port}/bells.jpg`]
          })
          yield* Effect.sync(() => stuck).pipe(
            Effect.repeat({ until: (count) => count > 0, schedule: Schedule.spaced("20 millis") })
          )
          yield* service.kill
          yield* service.start
          const done: any = yield* settled(post.id)
          assert.strictEqual(done.status, "published", JSON.stringify(done))
          assert.strictEqual(stuck, 2)
          assert.lengthOf(yield* sandbox.publications("killed-fetch"), 1)
        })
    )

    it.effect(
      "a service that stops has made a post with an Idempotency-Key once, answered or not, when it is asked again",
      () =>
        Effect.gen(function* () {
          const service = yield* Service
          const account = yield* connect("killed")
          const keys = Array.from({ length: 60 }, (_, index) => `killed-${index}`)
          const scheduled_at = inSeconds(365 * 86_400)
          const ask = (key: string) =>
            service.call(
              "POST",
              "/v1/posts",
              { social_accounts: [account], caption: key, scheduled_at },
              { "idempotency-key": key }
            )

          const enough = yield* Latch.make()
          let answered = 0
          const counted = (key: string) =>
            Effect.exit(
              Effect.tap(ask(key), () => Effect.sync(() => ++answered === 15 && enough.openUnsafe()))
            )
          const [first] = yield* Effect.all(
            [Effect.forEach(keys, counted, { concurrency: 8 }), Effect.andThen(enough.await, service.kill)],
            { concurrency: "unbounded" }
          )
          const acknowledged = first.filter(Exit.isSuccess)
          assert.isAtLeast(acknowledged.length, 15)
          assert.isBelow(acknowledged.length, keys.length)

          yield* service.start
          const second = yield* Effect.forEach(keys, ask, { concurrency: 8 })
          for (const [index, { status, headers, body }] of second.entries()) {
            assert.strictEqual(status, 201)
            const before = first[index]!
            if (Exit.isFailure(before)) continue
            assert.strictEqual(headers.get("idempotency-replayed"), "true")
            assert.deepStrictEqual(body, before.value.body)
          }
          const { body } = yield* service.call("GET", `/v1/posts?social_account_id=${account}`)
          assert.strictEqual(body.meta.total, keys.length)
        })
    )

    it.effect("gives an answer again that was stored before posts had threads, to a tool and to REST", () =>
      Effect.gen(function* () {
        const service = yield* Service
        const account = yield* connect("before-threads")
        const scheduled_at = inSeconds(365 * 86_400)
        const fields = { social_accounts: [account], scheduled_at }
        const tool = { ...fields, caption: "By a tool", idempotency_key: "threadless-tool" }
        const params = { name: "create_post", arguments: tool }
        const byTool = service.call("POST", "/mcp", { jsonrpc: "2.0", id: 1, method: "tools/call", params })
        const byRest = service.call(
          "POST",
          "/v1/posts",
          { ...fields, caption: "By REST" },
          { "idempotency-key": "threadless-rest" }
        )
        const firstByTool = yield* byTool
        const firstByRest = yield* byRest
        const threadless = ({ thread: _, thread_fallback: __, ...post }: any) => post

        yield* service.kill
        yield* inDatabaseOf({ service, database: service.database })(
          Effect.gen(function* () {
            const sql = yield* SqlClient.SqlClient
            const cipher = yield* CredentialCipher
            const rows = yield* sql<Record<"owned" | "key", string> & { answer: Uint8Array }>`
              select workspace_id || ':' || owner || ':' || key as owned, key, answer from idempotency_keys
              where key like 'threadless-%'`
            assert.lengthOf(rows, 2)
            for (const { owned, key, answer } of rows) {
              const stored: any = cipher.open(`idempotency:${owned}`, answer)
              const body = JSON.stringify(threadless(JSON.parse(stored.body)))
              assert.notStrictEqual(body, stored.body)
              const before = cipher.seal(`idempotency:${owned}`, { ...stored, body })
              yield* sql`update idempotency_keys set answer = ${before} where key = ${key}`
            }
          }).pipe(
            Effect.provide(
              CredentialCipher.layer.pipe(
                Layer.provide(Secrets.layer),
                Layer.provide(AppConfig.layer),
                Layer.provide(
                  ConfigProvider.layer(
                    ConfigProvider.fromUnknown({ DATA_DIR: service.dataDir, ...service.database })
                  )
                )
              )
            ),
            Effect.orDie
          )
        )
        yield* service.start

        assert.deepStrictEqual((yield* byTool).body, firstByTool.body)
        const again = yield* byRest
        assert.strictEqual(again.status, 201)
        assert.deepStrictEqual(again.body, threadless(firstByRest.body))
      })
    )

    it.effect("sends a webhook again that it was sending when it was killed, with the same id", () =>
      Effect.gen(function* () {
        const service = yield* Service
        const { url, received, answerWith } = yield* receiver(() => {})
        const { body } = yield* service.call("POST", "/v1/webhooks", { url, events: ["media.ready"] })
        const png = yield* Effect.promise(() =>
          sharp({ create: { width: 8, height: 8, channels: 3, background: "#fff" } })
            .png()
            .toBuffer()
        )
        yield* service.upload(png, "image/png", "bells.png")
        // The receiver has it, the service does not know.
        yield* until(() => received.length === 1)
        yield* service.kill
        answerWith(() => 200)
        yield* service.start
        yield* until(() => received.length === 2)
        assert.strictEqual(received[1]!.headers["webhook-id"], received[0]!.headers["webhook-id"])
        assert.strictEqual(received[1]!.body, received[0]!.body)
        new Webhook(body.secret).verify(received[1]!.body, received[1]!.headers as Record<string, string>)
        const list = service.call("GET", `/v1/webhooks/${body.id}/deliveries`)
        const { body: deliveries } = yield* Effect.repeat(list, {
          until: ({ body: { data } }) => data[0].status === "delivered"
        })
        assert.lengthOf(deliveries.data, 1)
        yield* service.call("DELETE", `/v1/webhooks/${body.id}`)
      })
    )

    it.effect("lets the owner in with the link of its last start only", () =>
      Effect.gen(function* () {
        const service = yield* Service
        const links = () => service.output().match(/http\S+\/welcome\/\S+/g)!
        if (links().length === 1) yield* Effect.andThen(service.kill, service.start)
        const answers = yield* Effect.forEach(links(), (link) => Effect.promise(() => fetch(link)))
        assert.deepStrictEqual(
          answers.map(({ status }) => status),
          links().map((_, index, all) => (index === all.length - 1 ? 200 : 404))
        )
      })
    )

    it.effect("begins in the machine's time zone, and the owner's first visit chooses another", () =>
      Effect.gen(function* () {
        const service = yield* Service
        const zone = Effect.map(service.call("GET", "/v1/profile"), ({ body }) => body.timezone)
        assert.strictEqual(yield* zone, "Asia/Tokyo")
        const browser = new PlainBrowser(service.url)
        const answer = Effect.fnUntraced(function* (timezone: string) {
          const link = welcomeLink(service)
          const { html } = yield* Effect.promise(() => browser.visit(link))
          assert.include(html, "<option selected>Asia/Tokyo</option>")
          return yield* Effect.promise(() =>
            browser.post(link, html, [
              ["name", ownerName],
              ["password", ownerPassword],
              ["timezone", timezone]
            ])
          )
        })
        assert.include((yield* answer("Mars/Olympus")).html, "There is no such time zone.")
        assert.isUndefined(browser.session)
        assert.strictEqual(yield* zone, "Asia/Tokyo")
        yield* answer("Europe/Berlin")
        assert.isDefined(browser.session)
        assert.strictEqual(yield* zone, "Europe/Berlin")
        const { body } = yield* service.call("POST", "/v1/workspaces", { name: "Another" })
        assert.strictEqual(body.timezone, "Europe/Berlin")
      })
    )

    it.effect(
      "lets the owner choose a new password with the link that a command on its machine prints, once",
      () =>
        Effect.gen(function* () {
          const service = yield* Service
          const visit = (browser: PlainBrowser, link: string) => Effect.promise(() => browser.visit(link))
          const printed = newPasswordLink(service)
          const [earlier, link] = [yield* printed, yield* printed]
          const before = yield* Effect.promise(() => signedInBrowser(service))
          const browser = new PlainBrowser(service.url)
          assert.strictEqual(new URL(link).origin, service.publicUrl)
          const elsewhere = yield* newPasswordLink(service, { PUBLIC_URL: "https://carillon.example" })
          assert.strictEqual(new URL(elsewhere).origin, "https://carillon.example")
          const { html } = yield* visit(browser, link)
          assert.include(html, `value="${ownerName}"`)
          const choose = (address: string) =>
            Effect.promise(() =>
              browser.post(address, html, [
                ["name", ownerName],
                ["password", "a better horse battery"]
              ])
            )
          const answers = yield* Effect.all([choose(link), choose(link), choose(earlier)], { concurrency: 3 })
          assert.deepStrictEqual(answers.map(({ status }) => status).sort(), [303, 400, 400])
          assert.strictEqual((yield* visit(browser, "/account")).status, 200)
          assert.strictEqual((yield* visit(before, "/account")).location, "/sign-in?next=%2Faccount")
          for (const dead of [link, earlier]) assert.strictEqual((yield* visit(browser, dead)).status, 404)
          assert.notInclude(service.output(), new URL(link).pathname.slice("/welcome/".length))
        })
    )
  }
)
