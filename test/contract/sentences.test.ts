import { credentialForms } from "@carillon/domain"
import { SandboxProcess } from "@carillon/sandbox/testing"
import { assert, layer } from "@effect/vitest"
import { Effect, Schedule } from "effect"
import { readFileSync } from "node:fs"
import { join } from "node:path"
import { connect, create, inSeconds, settled } from "@carillon/testing/Publishing"
import { Service } from "@carillon/testing/ServiceProcess"
import { SharedService } from "@carillon/testing/SharedService"
import { type Operation, operations, resolve } from "./Document.ts"
import { good, hasJson } from "./Requests.ts"
import { InProcessService } from "./InProcessService.ts"
import { World } from "./World.ts"
import { json } from "./Wire.ts"

const bells = join(import.meta.dirname, "../../examples/media/bells.jpg")
const pixel = Buffer.from(
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==",
  "base64"
)

const nothingOfThat = "no_such_value"

const isList = ({ parameters }: Operation) => parameters.some(({ name }) => name === "limit")

/** The values that a schema allows, its own or its items'. */
const choices = (schema: any): ReadonlyArray<unknown> | undefined =>
  resolve(schema).enum ?? resolve(resolve(schema).items)?.enum

/** Rules of the API that no other test file is about; generated where they concern every operation. */
layer(World.layer, { excludeTestServices: true, timeout: "180 seconds" })("the API", (it) => {
  const ask = Effect.fnUntraced(function* (request: Parameters<World["Service"]["mine"]["send"]>[0]) {
    const { mine } = yield* World
    const answer = yield* Effect.promise(() => mine.send(request))
    return { status: answer.status, body: JSON.parse(answer.text), text: answer.text }
  })

  it.effect(
    "1: a limit that is zero, negative or no whole number is a 400 in every list, and so is an offset",
    () =>
      Effect.gen(function* () {
        const { mine } = yield* World
        const lists = operations.filter(isList)
        assert.isAbove(lists.length, 6)
        for (const operation of lists) {
          const { target } = yield* Effect.promise(() => good(operation, mine))
          const path = target.split("?")[0]
          const { body } = yield* ask(json("GET", path!, undefined))
          assert.deepInclude(body.meta, { limit: 50, offset: 0 }, operation.id)
          for (const value of ["limit=0", "limit=-1", "limit=1.5", "limit=all", "offset=-1", "offset=0.5"]) {
            const refused = yield* ask(json("GET", `${path}?${value}`, undefined))
            assert.strictEqual(refused.status, 400, `${operation.id} ${value}`)
            assert.strictEqual(refused.body.errors[0].path, value.split("=")[0])
            assert.include(refused.body.detail, JSON.stringify(value.split("=")[1]))
          }
        }
      })
  )

  it.effect("1: an unknown value of a filter, and of a field, is a 400 that lists what is allowed", () =>
    Effect.gen(function* () {
      const { mine } = yield* World
      let asked = 0
      const refusedWith = Effect.fnUntraced(function* (
        where: string,
        allowed: ReadonlyArray<unknown>,
        request: Parameters<typeof ask>[0]
      ) {
        const { status, body, text } = yield* ask(request)
        assert.strictEqual(status, 400, `${where}: ${text}`)
        for (const value of allowed) assert.include(body.detail, JSON.stringify(value), where)
        asked++
      })
      for (const operation of operations) {
        // Only a member comes as far: `test/browser/console/connectedApps.test.ts`.
        if (operation.scope === null || operation.membersOnly !== null) continue
        const request = yield* Effect.promise(() => good(operation, mine))
        for (const { name, in: place, schema } of operation.parameters) {
          const allowed = place === "query" ? choices(schema) : undefined
          if (allowed === undefined) continue
          const target = `${request.target.split("?")[0]}?${name}=${nothingOfThat}`
          yield* refusedWith(`${operation.id} ${name}`, allowed, { ...request, target })
        }
        if (!hasJson(operation)) continue
        const known = yield* Effect.promise(() => mine.example(operation))
        const { properties = {} } = resolve(operation.requestBody.content["application/json"].schema)
        for (const [name, schema] of Object.entries<any>(properties)) {
          const allowed = choices(schema)
          if (allowed === undefined) continue
          const value = resolve(schema).type === "array" ? [nothingOfThat] : nothingOfThat
          yield* refusedWith(
            `${operation.id} ${name}`,
            allowed,
            json(operation.method, request.target, { ...known, [name]: value })
          )
        }
      }
      assert.isAbove(asked, 15)
    })
  )

  it.effect("1: a body that is missing, or of no known shape, is told what belongs there", () =>
    Effect.gen(function* () {
      const missing = yield* ask({ method: "POST", target: "/v1/posts", headers: {} })
      assert.deepStrictEqual(
        [missing.status, missing.body.detail],
        [400, "The body is missing; send a JSON object."]
      )
      const account = { platform: "threads", credentials: { access_token: "secret" } }
      const { status, body, text } = yield* ask(json("POST", "/v1/social-accounts", account))
      assert.strictEqual(status, 400)
      assert.deepInclude(body.errors[0], { path: "platform", code: "invalid_value" })
      const forms = Object.keys(credentialForms).map((platform) => `"${platform}"`)
      assert.include(body.detail, forms.join(" | "))
      assert.notInclude(text, "secret")
    })
  )

  it.effect("10: every absolute URL is built from PUBLIC_URL, never from the Host header", () =>
    Effect.gen(function* () {
      const { url } = yield* InProcessService
      const { mine } = yield* World
      const elsewhere = {
        host: "evil.example",
        "x-forwarded-host": "evil.example",
        "x-forwarded-proto": "https"
      }
      yield* Effect.promise(() => mine.fresh("post"))
      yield* Effect.promise(() => mine.fresh("post"))
      yield* Effect.promise(() => mine.fresh("media"))
      const upload = { mime_type: "image/png", size_bytes: 1 }
      const addresses = {
        "GET /v1/posts?limit=1&status=scheduled,draft": ({ meta }: any) => [meta.next],
        "GET /v1/media?status=ready": ({ data }: any) => [data[0].url, data[0].object.url],
        "GET /v1/posts/none": ({ type }: any) => [type],
        "POST /v1/media/create-upload-url": (made: any) => [made.upload_url, made.complete_url],
        "POST /v1/social-accounts/connect": (made: any) => [made.authorize_url],
        "POST /v1/social-accounts/connect-link": (made: any) => [made.url]
      }
      for (const [request, found] of Object.entries(addresses)) {
        const [method, target] = request.split(" ") as [string, string]
        const body = target.includes("/connect")
          ? { platform: "youtube" }
          : method === "POST"
            ? upload
            : undefined
        const asked = json(method, target, body)
        const answer = yield* ask({ ...asked, headers: { ...asked.headers, ...elsewhere } })
        for (const address of found(answer.body))
          assert.isTrue(address.startsWith(`${url}/`), `${request} ${address}`)
        assert.notInclude(answer.text, "evil.example")
      }
    })
  )
})

layer(SharedService, { excludeTestServices: true, timeout: "180 seconds" })("the API", (it) => {
  it.effect("4: what was prepared at a platform ahead of time is discarded when the post is changed", () =>
    Effect.gen(function* () {
      const service = yield* Service
      const sandbox = yield* SandboxProcess
      const account = yield* connect("prepared")
      const [first, second] = [
        yield* service.upload(readFileSync(bells), "image/jpeg", "first.jpg"),
        yield* service.upload(pixel, "image/png", "second.png")
      ]
      const post = yield* create({
        social_accounts: [account],
        caption: "First words",
        media: [first],
        scheduled_at: inSeconds(300)
      })
      yield* sandbox.requests("prepared").pipe(
        Effect.repeat({
          until: (requests) => requests.some(({ operation }) => operation === "media"),
          schedule: Schedule.max([Schedule.spaced("20 millis"), Schedule.recurs(1000)])
        })
      )
      const changed = yield* service.call("PATCH", `/v1/posts/${post.id}`, {
        caption: "Second words",
        media: [second]
      })
      assert.strictEqual(changed.status, 200, JSON.stringify(changed.body))
      yield* service.call("POST", `/v1/posts/${post.id}/publish`)
      assert.strictEqual((yield* settled(post.id)).status, "published")
      const [publication, ...others] = yield* sandbox.publications("prepared")
      assert.lengthOf(others, 0)
      assert.strictEqual(publication!.text, "Second words")
      assert.deepStrictEqual(
        publication!.media.map(({ content_type }) => content_type),
        ["image/png"]
      )
    })
  )
})
