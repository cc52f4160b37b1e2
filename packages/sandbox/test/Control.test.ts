import { SandboxProcess } from "@carillon/sandbox/testing"
import { assert, layer } from "@effect/vitest"
import { Effect, Fiber } from "effect"
import { request } from "node:http"
import { clientOf, json, send } from "./PlatformClient.ts"

const script = (username: string, body: unknown, platform = "") =>
  send(`/control/accounts/${username}/faults${platform}`, { method: "PUT", body: JSON.stringify(body) })

/** What fetch does not let one send: a Host of one's own. */
const statusWithHost = (url: string, host: string) =>
  Effect.promise(
    () =>
      new Promise<number>((resolve, reject) => {
        request(url, { headers: { host } })
          .on("response", (response) => resolve(response.resume().statusCode!))
          .on("error", reject)
          .end()
      })
  )

layer(SandboxProcess.layer)("the control of the test network", (it) => {
  it.effect("answers at this machine's own names only: a page elsewhere can point its name here", () =>
    Effect.gen(function* () {
      const { url } = yield* SandboxProcess
      for (const host of ["localhost:1", "127.0.0.1", "[::1]:4401"]) {
        assert.strictEqual(yield* statusWithHost(`${url}/ledger`, host), 200, host)
      }
      for (const host of ["evil.example", "127.0.0.1.evil.example", "a b", "localhost.evil.example:4401"]) {
        assert.strictEqual(yield* statusWithHost(`${url}/ledger`, host), 403, host)
      }
    })
  )

  it.effect("lets a caller wait for publications that are not there yet", () =>
    Effect.gen(function* () {
      const sandbox = yield* SandboxProcess
      const client = yield* clientOf("awaited")
      yield* client.post({ text: "First" })
      const waiting = yield* Effect.forkChild(sandbox.waitForPublications("awaited", 2))
      const bystander = yield* clientOf("bystander")
      yield* bystander.post({ text: "Of somebody else" })
      assert.isUndefined(waiting.pollUnsafe())
      yield* client.post({ text: "Second" })
      assert.deepStrictEqual(
        (yield* Fiber.join(waiting)).map(({ text }) => text),
        ["First", "Second"]
      )
    })
  )

  it.effect("answers at once when they are there, and with 408 when they do not come", () =>
    Effect.gen(function* () {
      const sandbox = yield* SandboxProcess
      yield* (yield* clientOf("there")).post({ text: "Here" })
      assert.lengthOf(yield* sandbox.waitForPublications("there", 1), 1)
      const { message } = yield* Effect.flip(sandbox.waitForPublications("there", 2, 20))
      assert.strictEqual(message, "there has 1 of 2 publications after 20 ms.")
      const { status, body } = yield* send("/ledger/wait?account=there&count=2&timeout_ms=20")
      assert.deepStrictEqual([status, body.error.code], [408, "timeout"])
    })
  )

  it.effect("replaces, lists and clears the script of an account", () =>
    Effect.gen(function* () {
      const sandbox = yield* SandboxProcess
      yield* sandbox.script("scripted", [{ on: "post", fault: "forbidden" }])
      yield* sandbox.script("scripted", [{ on: "post", fault: "slow", ms: 5, times: 3 }])
      assert.deepStrictEqual(yield* sandbox.pendingFaults("scripted"), [
        { on: "post", fault: "slow", ms: 5, times: 3 }
      ])
      const { body } = yield* send("/control/accounts/scripted/faults", { method: "DELETE" })
      assert.deepStrictEqual(body, { faults: [] })
      assert.deepStrictEqual(yield* sandbox.pendingFaults("scripted"), [])
    })
  )

  it.effect("takes a script for the one network that knows the name, and refuses it where several do", () =>
    Effect.gen(function* () {
      const sandbox = yield* SandboxProcess
      const query = new URLSearchParams({
        client_id: "an-app",
        redirect_uri: "http://127.0.0.1:9/callback",
        response_type: "code",
        scope: "boards:read"
      })
      const body = new URLSearchParams({ username: "everywhere", decision: "allow", scope: "boards:read" })
      const back = yield* send(`/www.pinterest.com/oauth/?${query}`, {
        method: "POST",
        body,
        redirect: "manual"
      })
      yield* send("/api.pinterest.com/v5/oauth/token", {
        method: "POST",
        headers: { authorization: `Basic ${btoa("an-app:sandbox")}` },
        body: new URLSearchParams({
          grant_type: "authorization_code",
          code: new URL(back.headers.get("location")!).searchParams.get("code")!,
          redirect_uri: "http://127.0.0.1:9/callback"
        })
      })
      yield* script("everywhere", [{ on: "post", fault: "server_error_before" }])
      assert.lengthOf(yield* sandbox.on("pinterest").pendingFaults("everywhere"), 1)
      yield* clientOf("everywhere")
      const refused = yield* script("everywhere", [{ on: "post", fault: "forbidden" }])
      assert.deepStrictEqual(
        [refused.status, refused.body.error],
        [
          422,
          {
            code: "platform_missing",
            message:
              "everywhere is an account of pinterest, sandbox. Say whose script it is, such as ?platform=pinterest."
          }
        ]
      )
      yield* sandbox.on("pinterest").script("everywhere", [{ on: "post", fault: "forbidden" }])
      const [pending, ...others] = yield* sandbox.on("pinterest").pendingFaults("everywhere")
      assert.deepStrictEqual([pending!.fault, others], ["forbidden", []])
      assert.lengthOf(yield* sandbox.pendingFaults("everywhere"), 0)
    })
  )

  it.effect.each([
    { what: "a misspelt fault", fault: { on: "post", fault: "slwo" }, says: "reset_before, refuse, slow" },
    { what: "a misspelt option", fault: { on: "post", fault: "slow", mss: 1 }, says: "mss" },
    { what: "an unknown operation", fault: { on: "posts", fault: "forbidden" }, says: "post_search" },
    { what: "no times", fault: { on: "post", fault: "forbidden", times: 0 }, says: "times" },
    { what: "a late sign-in", fault: { on: "session", fault: "late_effect", ms: 1 }, says: "late_effect" }
  ])("refuses a script with $what", ({ fault, says }) =>
    Effect.gen(function* () {
      const { status, body } = yield* script("misspelt", [fault])
      assert.strictEqual(status, 422)
      assert.include(body.error.message, says)
      assert.deepStrictEqual(yield* (yield* SandboxProcess).pendingFaults("misspelt"), [])
    })
  )

  it.effect("refuses the review of a post on a network whose stand-in has none by script", () =>
    Effect.gen(function* () {
      const { status, body } = yield* script(
        "reviewed",
        [{ on: "post", fault: "review", states: ["rejected"] }],
        "?platform=threads"
      )
      assert.strictEqual(status, 422)
      assert.include(body.error.message, "threads")
    })
  )

  it.effect("refuses a filter that it does not know", () =>
    Effect.gen(function* () {
      const { status, body } = yield* send("/ledger?acount=demo")
      assert.strictEqual(status, 422)
      assert.include(body.error.message, "acount")
    })
  )

  it.effect.each([{ path: "/ledger" }, { path: "/ledger/requests" }, { path: "/control/accounts/x/faults" }])(
    "the control of the test network does not answer a web page at $path",
    ({ path }) =>
      Effect.gen(function* () {
        const { status, body } = yield* send(path, { headers: { origin: "http://evil.example" } })
        assert.deepStrictEqual([status, body.error.code], [403, "local_only"])
      })
  )
})

layer(SandboxProcess.layer)("a reset", (it) => {
  it.effect("forgets what was published and scripted, and leaves everybody signed in", () =>
    Effect.gen(function* () {
      const sandbox = yield* SandboxProcess
      const client = yield* clientOf("again")
      const picture = yield* client.upload("a picture")
      const before = yield* client.post({ text: "Before", media: [{ id: picture.body.id }] }, "k")
      yield* sandbox.script("again", [{ on: "post", fault: "late_effect", ms: 200 }])
      yield* Effect.flip(client.post({ text: "Late" }))
      yield* sandbox.script("again", [{ on: "post", fault: "forbidden" }])

      yield* sandbox.reset
      assert.deepStrictEqual(yield* sandbox.publications(), [])
      assert.deepStrictEqual(yield* sandbox.requests(), [])
      assert.deepStrictEqual(yield* sandbox.pendingFaults("again"), [])
      assert.strictEqual((yield* send(`/media/${picture.body.id}`)).status, 404)

      yield* sandbox.script("again", [{ on: "post", fault: "slow", ms: 400 }])
      const after = yield* client.post({ text: "After" }, "k")
      assert.strictEqual(after.status, 201)
      assert.notStrictEqual(after.body.id, before.body.id)
      // The late one would have come before the slow answer.
      const left = yield* sandbox.publications()
      assert.deepStrictEqual(
        left.map(({ text }) => text),
        ["After"]
      )

      yield* sandbox.kill
      yield* sandbox.restart
      assert.deepStrictEqual(yield* sandbox.publications(), left)
    })
  )

  it.effect("leaves no file of a server behind that a post could name", () =>
    Effect.gen(function* () {
      const sandbox = yield* SandboxProcess
      const headers = { authorization: "Bearer before.sandbox" }
      const form = new FormData()
      form.append("file", new Blob(["a bell"], { type: "image/png" }), "bell.png")
      const upload = { method: "POST", headers, body: form }
      const { body } = yield* send("/mastodon.sandbox/api/v2/media", upload)
      yield* sandbox.reset
      const post = json({ status: "Bells", media_ids: [body.id] })
      const refused = yield* send("/mastodon.sandbox/api/v1/statuses", {
        ...post,
        headers: { ...post.headers, ...headers }
      })
      assert.deepStrictEqual([refused.status, refused.body.error], [404, "Record not found"])
    })
  )
})
