import { assert, layer } from "@effect/vitest"
import { Effect, Fiber } from "effect"
import { readFileSync } from "node:fs"
import { connect as connectSocket } from "node:net"
import { readEvents } from "@carillon/testing/EventReader"
import { connectApp, promised, signedInBrowser } from "@carillon/testing/OAuthBrowser"
import { connect, create, settled } from "@carillon/testing/Publishing"
import { receiver, until } from "@carillon/testing/Receiver"
import { callsWith, Service } from "@carillon/testing/ServiceProcess"
import { SharedService } from "@carillon/testing/SharedService"

const picture = readFileSync(new URL("../../examples/media/bells.jpg", import.meta.url))

const keyWith = Effect.fnUntraced(function* (fields: object) {
  const service = yield* Service
  const { body } = yield* service.call("POST", "/v1/api-keys", { name: "listener", ...fields })
  return { id: body.id as string, url: service.url, ...callsWith(service.url, body.key) }
})

const about = (id: string) => (read: { readonly event: any }) =>
  [read.event.data?.id, read.event.data?.post_id].includes(id)

layer(SharedService, { excludeTestServices: true, timeout: "180 seconds" })("the stream of events", (it) => {
  it.effect("tells what webhooks are told, in the same words, without an address", () =>
    Effect.gen(function* () {
      const service = yield* Service
      const hook = yield* receiver()
      yield* service.call("POST", "/v1/webhooks", {
        url: hook.url,
        events: ["post.created", "post.scheduled", "post.result", "post.published"]
      })
      const stream = yield* readEvents(service)
      assert.strictEqual(stream.response.status, 200)
      assert.strictEqual(stream.response.headers.get("x-accel-buffering"), "no")
      assert.strictEqual(stream.response.headers.get("cache-control"), "no-store")
      const { id } = yield* create({ social_accounts: [yield* connect("streamed")], caption: "Live" })
      yield* until(
        () =>
          hook.types(id).includes("post.published") &&
          stream.read.some(({ type }) => type === "post.published")
      )
      assert.deepStrictEqual(
        stream.read.filter(about(id)).map(({ event }) => event),
        hook.of(id).map(({ event }) => event)
      )
      assert.include(
        stream.read.map(({ type }) => type),
        "account.connected"
      )
    })
  )

  it.effect("goes on after the event that the client had last, as if it had never been away", () =>
    Effect.gen(function* () {
      const service = yield* Service
      const account = yield* connect("resumed")
      const first = yield* readEvents(service)
      yield* until(() => first.lastId() !== "")
      yield* first.close
      const { id } = yield* create({ social_accounts: [account], caption: "While nobody reads" })
      yield* settled(id)
      const second = yield* readEvents(service, { lastEventId: first.lastId() })
      yield* until(() => second.read.length === 4)
      assert.deepStrictEqual(
        second.read.map(({ type }) => type),
        ["post.created", "post.scheduled", "post.result", "post.published"]
      )
      const third = yield* readEvents(service, { query: `?types=post.published&after=${second.read[0]!.id}` })
      yield* until(() => third.read.length > 0)
      assert.deepStrictEqual(third.read, second.read.slice(3))
    })
  )

  it.effect("tells of every change of a post, whoever makes it and wherever it begins", () =>
    Effect.gen(function* () {
      const service = yield* Service
      const hook = yield* receiver()
      const types = ["post.created", "post.updated", "post.deleted", "post.scheduled"]
      yield* service.call("POST", "/v1/webhooks", { url: hook.url, events: types })
      const { read } = yield* readEvents(service, { query: `?types=${types.join(",")}` })
      const account = yield* connect("changed")
      const media = yield* service.upload(picture, "image/jpeg", "bells.jpg")
      const { id } = yield* create({
        social_accounts: [account],
        caption: "A draft",
        media: [media],
        is_draft: true
      })
      const patch = (fields: object) => service.call("PATCH", `/v1/posts/${id}`, fields)
      yield* patch({ caption: "Another" })
      yield* service.call("DELETE", `/v1/media/${media}`)
      yield* service.call("POST", "/mcp", {
        jsonrpc: "2.0",
        id: 1,
        method: "tools/call",
        params: { name: "update_post", arguments: { post_id: id, caption: "By an agent" } }
      })
      const { body: now } = yield* patch({ is_draft: false, scheduled_at: "2100-01-01T00:00:00Z" })
      yield* patch({ caption: "x".repeat(100_000) })
      yield* service.call("DELETE", `/v1/posts/${id}`)
      yield* until(() => read.some(({ type }) => type === "post.deleted"))
      yield* until(() => hook.types(id).includes("post.deleted"))
      const heard = read.filter(about(id)).map(({ event }) => event)
      assert.deepStrictEqual(
        heard.map(({ data, type }) => [type, data.caption, data.media?.length]),
        [
          ["post.created", "A draft", 1],
          ["post.updated", "Another", 1],
          ["post.updated", "Another", 0],
          ["post.updated", "By an agent", 0],
          ["post.updated", "By an agent", 0],
          ["post.scheduled", "By an agent", 0],
          ["post.deleted", undefined, undefined]
        ]
      )
      assert.deepStrictEqual(heard.at(-2)!.data, now)
      assert.deepStrictEqual(heard.at(-1)!.data, { id, social_accounts: [account] })
      assert.deepStrictEqual(
        hook.of(id).map(({ event }) => event),
        heard
      )
    })
  )

  it.effect("tells once that an account is disconnected", () =>
    Effect.gen(function* () {
      const service = yield* Service
      const { read } = yield* readEvents(service, { query: "?types=account.disconnected" })
      const [gone, last] = [yield* connect("gone"), yield* connect("gone-last")]
      for (const id of [gone, gone, last]) yield* service.call("DELETE", `/v1/social-accounts/${id}`)
      const { body } = yield* service.call("GET", `/v1/social-accounts/${gone}`)
      yield* until(() => read.some(({ event }) => event.data.id === last))
      assert.deepStrictEqual(
        read.map(({ event }) => event.data.id),
        [gone, last]
      )
      assert.deepStrictEqual(read[0]!.event.data, body)
    })
  )

  it.effect("says resync first where it cannot go on", () =>
    Effect.gen(function* () {
      const service = yield* Service
      for (const lastEventId of ["999999999999", "0191-ab", "9999999999999999999999"]) {
        const { read, lastId } = yield* readEvents(service, { lastEventId })
        yield* until(() => read.length > 0)
        assert.deepInclude<object>(read[0]!, { type: "resync", event: {} })
        assert.match(lastId(), /^\d{1,15}$/)
      }
    })
  )

  it.effect("tells a credential what it may read, and of its accounts alone", () =>
    Effect.gen(function* () {
      const [mine, other] = [yield* connect("heard"), yield* connect("unheard")]
      const service = yield* Service
      const all = yield* readEvents(service)
      const limited = yield* keyWith({ scopes: ["posts:read"], social_accounts: [mine] })
      const { read } = yield* readEvents(limited)
      yield* create({ social_accounts: [other], caption: "Not theirs" })
      const both = yield* create({ social_accounts: [mine, other], caption: "Half theirs" })
      const deleted: Array<string> = []
      for (const social_accounts of [[other], [mine, other]]) {
        const { id } = yield* create({ social_accounts, caption: "Deleted", is_draft: true })
        yield* service.call("DELETE", `/v1/posts/${id}`)
        deleted.push(id)
      }
      yield* connect("heard")
      yield* settled(both.id)
      const last = yield* create({ social_accounts: [mine], caption: "Theirs" })
      yield* until(() =>
        [all, { read }].every((one) =>
          one.read.some(({ type, event }) => type === "post.published" && about(last.id)({ event }))
        )
      )
      assert.include(
        all.read.map(({ type }) => type),
        "account.connected"
      )
      assert.notInclude(
        read.map(({ type }) => type),
        "account.connected"
      )
      for (const { event } of read) {
        assert.deepStrictEqual(event.data.social_accounts ?? [event.data.social_account_id], [mine])
      }
      const { body } = yield* limited.call("GET", `/v1/posts/${both.id}`)
      assert.deepStrictEqual(
        read.filter(about(both.id)).findLast(({ type }) => type === "post.published")?.event.data,
        body
      )
      assert.deepStrictEqual(
        read.flatMap(({ event, type }) => (type === "post.deleted" ? [event.data] : [])),
        [{ id: deleted[1], social_accounts: [mine] }]
      )
      const accountsOnly = yield* readEvents(yield* keyWith({ scopes: ["accounts:read"] }))
      assert.strictEqual(accountsOnly.response.status, 403)
    })
  )

  it.effect("are at most 20 of a credential, and fewer when one ends", () =>
    Effect.gen(function* () {
      const key = yield* keyWith({ scopes: ["posts:read"] })
      const streams = yield* Effect.forEach(Array.from({ length: 20 }), () => readEvents(key))
      assert.isTrue(streams.every(({ response }) => response.status === 200))
      const { status, body } = yield* key.call("GET", "/v1/events")
      assert.deepStrictEqual([status, body.code], [429, "stream_limit_reached"])
      yield* streams[7]!.close
      const again = Effect.scoped(Effect.map(readEvents(key), ({ response }) => response.status))
      assert.strictEqual(yield* Effect.repeat(again, { until: (one) => one === 200 }), 200)
    })
  )

  it.effect("ends with its key", () =>
    Effect.gen(function* () {
      const service = yield* Service
      const key = yield* keyWith({ scopes: ["posts:read"] })
      const [stream, other] = [yield* readEvents(key), yield* readEvents(service)]
      const end = yield* Effect.forkChild(other.ended)
      yield* service.call("DELETE", `/v1/api-keys/${key.id}`)
      yield* stream.ended
      assert.isUndefined(end.pollUnsafe())
      yield* Fiber.interrupt(end)
    })
  )

  it.effect("ends with the session of a browser, and with the grant of an app", () =>
    Effect.gen(function* () {
      const service = yield* Service
      const person = yield* promised(() => signedInBrowser(service))
      const other = yield* promised(() => signedInBrowser(service))
      const { tokens } = yield* promised(() => connectApp(person, { resource: `${service.url}/v1` }))
      const app = callsWith(service.url, tokens.access_token)
      const { body: profile } = yield* app.call("GET", "/v1/profile")
      const headers = { origin: service.url, "carillon-workspace": profile.workspace.id as string }
      const ask = (method: string, path: string) =>
        Effect.map(
          promised(() => person.visit(path, { method, headers })),
          ({ html }) => JSON.parse(html)
        )
      const cookie = [...other.cookies].map(([name, value]) => `${name}=${value}`).join("; ")
      const ofSession = yield* readEvents(service, { headers: { ...headers, cookie } })
      const ofApp = yield* readEvents({ ...app, url: service.url })
      assert.deepStrictEqual([ofSession.response.status, ofApp.response.status], [200, 200])

      const { data: sessions } = yield* ask("GET", "/v1/sessions")
      const newest = sessions.find(({ current }: any) => !current)
      yield* ask("DELETE", `/v1/sessions/${newest.id}`)
      yield* ofSession.ended
      const { data: apps } = yield* ask("GET", "/v1/connected-apps")
      yield* ask("DELETE", `/v1/connected-apps/${apps.find(({ ended_at }: any) => ended_at === null).id}`)
      yield* ofApp.ended
    })
  )

  it.effect("waits for a client that does not read, and then tells it everything", () =>
    Effect.gen(function* () {
      const service = yield* Service
      const { hostname, port } = new URL(service.url)
      const socket = yield* Effect.acquireRelease(
        Effect.sync(() => connectSocket({ host: hostname, port: Number(port) })),
        (one) => Effect.sync(() => one.destroy())
      )
      socket.write(
        `GET /v1/events?types=post.scheduled HTTP/1.1\r\nhost: x\r\nauthorization: Bearer ${service.key}\r\n\r\n`
      )
      let text = ""
      socket.on("data", (chunk) => (text += chunk))
      yield* until(() => text.includes("retry: 2000"))
      socket.pause()
      // Each event is large, so that all of them together fill every buffer on the way.
      const accounts = yield* Effect.forEach(
        Array.from({ length: 40 }),
        (_, index) => connect(`slow${index}`),
        { concurrency: 4 }
      )
      const post = { social_accounts: accounts, caption: "Slow", scheduled_at: "2100-01-01T00:00:00Z" }
      const ids = yield* Effect.forEach(
        Array.from({ length: 150 }),
        () => Effect.map(create(post), ({ id }) => id),
        { concurrency: 8 }
      )
      socket.resume()
      yield* until(() => ids.every((id) => text.includes(`"id":"${id}"`)))
      assert.strictEqual(text.match(/^event: post.scheduled$/gm)?.length, 150)
    })
  )
})
