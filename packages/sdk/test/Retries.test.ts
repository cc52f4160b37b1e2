import {
  AuthenticationError,
  Carillon,
  ConflictError,
  RateLimitError,
  ServiceError,
  TimeoutError
} from "@carillon/sdk"
import { afterAll, assert, beforeAll, beforeEach, describe, it } from "@effect/vitest"
import type { ServerResponse } from "node:http"
import { type Call, ContractServer } from "./ContractServer.ts"
import { post, postId, problem } from "./Samples.ts"

let server: ContractServer
let client: Carillon

beforeAll(async () => {
  server = await ContractServer.start()
  client = new Carillon({ apiKey: "crl_key", baseUrl: server.url })
})
afterAll(() => server.close())
beforeEach(() => {
  server.calls.length = 0
})

type Failing = (response: ServerResponse) => unknown

/** The endpoint fails in these ways, one after the other, and then answers. */
const failing = (endpoint: string, ...ways: ReadonlyArray<Failing>) => {
  const left = [...ways]
  server.on(endpoint, (_: Call, response) => {
    const way = left.shift()
    return way === undefined ? post : void way(response)
  })
}

const answering =
  (status: number, code: string, headers: Record<string, string> = {}): Failing =>
  (response) =>
    response.writeHead(status, headers).end(JSON.stringify(problem(status, code)))

const failure = (promise: Promise<unknown>): Promise<unknown> => promise.catch((error: unknown) => error)
const keys = (of = "posts.create") =>
  server.calls.filter(({ endpoint }) => endpoint === of).map(({ headers }) => headers["idempotency-key"])
const bells = { social_accounts: [1], caption: "Bells" }

describe("a call", () => {
  const passing: ReadonlyArray<readonly [string, Failing]> = [
    ["a connection that breaks", (response) => response.destroy()],
    ["429", answering(429, "rate_limited", { "retry-after": "0" })],
    ["500", answering(500, "internal_error")],
    ["502 of a proxy", (response) => response.writeHead(502).end("<html>")],
    ["503", answering(503, "unavailable", { "retry-after": "0" })],
    ["an earlier try that still runs", answering(409, "idempotency_in_progress", { "retry-after": "0" })]
  ]

  it("a call has an idempotency key where crypto.randomUUID is not: on plain http that is not localhost", async () => {
    server.on("posts.create", () => post)
    const own = Object.getOwnPropertyDescriptor(Crypto.prototype, "randomUUID")!
    Object.defineProperty(Crypto.prototype, "randomUUID", { ...own, value: undefined })
    try {
      await client.posts.create(bells)
      await client.posts.create(bells)
    } finally {
      Object.defineProperty(Crypto.prototype, "randomUUID", own)
    }
    assert.match(keys().join(" "), /^[0-9a-f]{32} [0-9a-f]{32}$/)
    assert.notStrictEqual(...(keys() as [string, string]))
  })

  it.each(passing)("a call is made again after %s, with the same idempotency key", async (_, way) => {
    failing("posts.create", way)
    assert.strictEqual((await client.posts.create(bells)).id, postId)
    const [first, second, ...more] = keys()
    assert.match(String(first), /^[0-9a-f]{32}$/)
    assert.strictEqual(second, first)
    assert.lengthOf(more, 0)
  })

  it("a call is made again when it had no answer in time", async () => {
    // An endpoint that no other test asks: what was given up may still arrive.
    failing("posts.validate", () => undefined)
    await client.posts.validate(bells, { timeout: 1000 })
    assert.strictEqual(keys("posts.validate")[1], keys("posts.validate")[0])
    failing("posts.validate", () => undefined)
    assert.instanceOf(
      await failure(client.posts.validate(bells, { timeout: 20, maxRetries: 0 })),
      TimeoutError
    )
  })

  it("a call has a key of its own each time, or the one that it is given", async () => {
    failing("posts.create")
    await client.posts.create(bells)
    await client.posts.create(bells)
    await client.posts.create(bells, { idempotencyKey: "row 7" })
    assert.strictEqual(new Set(keys()).size, 3)
    assert.strictEqual(keys()[2], "row 7")
  })

  it("a call has no key where nothing is made", async () => {
    failing("posts.get")
    await client.posts.get(postId)
    assert.deepStrictEqual(keys("posts.get"), [undefined])
  })

  it("waits as long as the service asks", async () => {
    failing("posts.get", answering(429, "rate_limited", { "retry-after": "1" }))
    const start = Date.now()
    await client.posts.get(postId)
    assert.isAtLeast(Date.now() - start, 990)
  })

  it("a call is not kept waiting for longer than a minute", async () => {
    failing("posts.get", answering(429, "rate_limited", { "retry-after": "61" }))
    const error = await failure(client.posts.get(postId))
    assert.instanceOf(error, RateLimitError)
    assert.strictEqual((error as RateLimitError).retryAfter, 61)
    assert.lengthOf(keys("posts.get"), 1)
  })

  it("ends with the last failure when its tries are used up", async () => {
    const busy = answering(503, "unavailable", { "retry-after": "0" })
    failing("posts.get", busy, busy, busy, busy)
    assert.instanceOf(await failure(client.posts.get(postId)), ServiceError)
    assert.lengthOf(keys("posts.get"), 3)
    assert.instanceOf(await failure(client.posts.get(postId, { maxRetries: 0 })), ServiceError)
    assert.lengthOf(keys("posts.get"), 4)
  })

  it.each([
    [400, "invalid_request"],
    [409, "post_not_editable"],
    [507, "storage_full"]
  ])("a call is not made again after %s, which would only come again", async (status, code) => {
    failing("posts.get", answering(status, code))
    assert.deepInclude(await failure(client.posts.get(postId)), { status, code })
    assert.lengthOf(keys("posts.get"), 1)
  })

  it("a call can be given up while it waits for its next try", async () => {
    const controller = new AbortController()
    const reason = new Error("enough")
    failing("posts.get", (response) => {
      answering(429, "rate_limited", { "retry-after": "30" })(response)
      setTimeout(() => controller.abort(reason), 50)
    })
    assert.strictEqual(await failure(client.posts.get(postId, { signal: controller.signal })), reason)
  })
})

describe("a change", () => {
  it("a change is for the version of the post that was read or listed, of a copy, or for one that is named", async () => {
    failing("posts.update")
    failing("posts.delete")
    failing("posts.publish")
    const { results: _, ...listed } = post
    await client.posts.update(postId, { caption: "Bells!" }, { ifMatch: post })
    await client.posts.publish(postId, { ifMatch: { ...post } })
    await client.posts.publish(postId, { ifMatch: listed })
    await client.posts.delete(postId, { ifMatch: "8" })
    await client.posts.delete(postId, { ifMatch: '"8"' })
    await client.posts.update(postId, { caption: "Bells!" })
    assert.deepStrictEqual(
      server.calls.map(({ headers }) => headers["if-match"]),
      ['"7"', '"7"', '"7"', "8", '"8"', undefined]
    )
  })

  it("a change is refused when the post has changed since", async () => {
    failing("posts.update", answering(412, "stale_version"))
    const error = await failure(client.posts.update(postId, {}, { ifMatch: post }))
    assert.instanceOf(error, ConflictError)
  })
})

describe("a key that a function gives", () => {
  const refusing = (...refused: ReadonlyArray<string>) =>
    server.on("posts.create", ({ headers }: Call, response: ServerResponse) =>
      refused.includes(headers.authorization!) ? answering(401, "unauthorized")(response) : post
    )
  const asked: Array<string | undefined> = []
  const renewing = () => {
    asked.length = 0
    const apiKey = async (refused?: string) => {
      asked.push(refused)
      return `token-${asked.length}`
    }
    return new Carillon({ apiKey, baseUrl: server.url })
  }

  it("a key that a function gives is asked for before every request, and again with the one that was refused", async () => {
    refusing("Bearer token-1")
    const carillon = renewing()
    assert.strictEqual((await carillon.posts.create(bells)).id, postId)
    assert.deepStrictEqual(asked, [undefined, "token-1"])
    assert.lengthOf(new Set(keys()), 1)
    await carillon.posts.create(bells)
    assert.deepStrictEqual(asked, [undefined, "token-1", undefined])
  })

  it("a key that a function gives is asked for once more only, and its own failure is the call's", async () => {
    refusing("Bearer token-1", "Bearer token-2")
    const error = await failure(renewing().posts.create(bells))
    assert.instanceOf(error, AuthenticationError)
    assert.lengthOf(server.calls, 2)
    const gone = new Error("signed out")
    const carillon = new Carillon({ apiKey: () => Promise.reject(gone), baseUrl: server.url })
    assert.strictEqual(await failure(carillon.posts.create(bells)), gone)
    assert.lengthOf(server.calls, 2)
  })
})
