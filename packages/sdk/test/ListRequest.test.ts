import { Carillon, InvalidRequestError, type PostSummary } from "@carillon/sdk"
import { afterAll, assert, beforeAll, beforeEach, describe, it } from "@effect/vitest"
import { type Call, ContractServer } from "./ContractServer.ts"
import { post } from "./Samples.ts"

let server: ContractServer
let client: Carillon
let stored: Array<PostSummary>

beforeAll(async () => {
  server = await ContractServer.start()
  client = new Carillon({ apiKey: "crl_key", baseUrl: server.url })
})
afterAll(() => server.close())

const numbered = (number: number): PostSummary => ({
  ...post,
  excerpt: null,
  id: `019a9d3c-0000-7000-8000-${String(number).padStart(12, "0")}`
})

beforeEach(() => {
  server.calls.length = 0
  stored = [5, 4, 3, 2, 1].map(numbered)
  server.on("posts.list", ({ query }: Call) => {
    const { limit = 2, offset = 0 } = query as { limit?: number; offset?: number }
    const more = offset + limit < stored.length
    // Another address than the one that is called, as behind a proxy.
    const next = `https://public.example.com/v1/posts?status=draft&limit=${limit}&offset=${offset + limit}`
    return {
      data: stored.slice(offset, offset + limit),
      meta: { total: stored.length, offset, limit, next: more ? next : null }
    }
  })
})

describe("a list", () => {
  it("a list is its first page when it is awaited", async () => {
    const { data, meta } = await client.posts.list({ status: "draft" })
    assert.deepStrictEqual(
      [data.map(({ id }) => id), meta.total, server.calls.length],
      [[numbered(5).id, numbered(4).id], 5, 1]
    )
  })

  it("is all of its items in a for await, a page at a time, at the address that the client has", async () => {
    const seen: Array<string> = []
    const requests: Array<number> = []
    for await (const { id } of client.posts.list({ status: "draft" })) {
      seen.push(id)
      requests.push(server.calls.length)
    }
    assert.deepStrictEqual(
      seen,
      stored.map(({ id }) => id)
    )
    assert.deepStrictEqual(requests, [1, 1, 2, 2, 3])
    assert.deepStrictEqual<unknown>(server.calls[1]!.query, { status: ["draft"], limit: 2, offset: 2 })
  })

  it("asks for no further page when the loop is left", async () => {
    for await (const _ of client.posts.list()) break
    assert.lengthOf(server.calls, 1)
  })

  it("a list can be gone through by page", async () => {
    const sizes: Array<number> = []
    for await (const { data } of client.posts.list().pages()) sizes.push(data.length)
    assert.deepStrictEqual(sizes, [2, 2, 1])
  })

  it("a list does not show twice what new items have pushed into the next page", async () => {
    const seen: Array<string> = []
    for await (const { id } of client.posts.list()) {
      seen.push(id)
      if (seen.length === 2) stored.unshift(numbered(6))
    }
    assert.deepStrictEqual(
      seen,
      [5, 4, 3, 2, 1].map((number) => numbered(number).id)
    )
  })

  it("sends nothing before it is awaited or gone through, and then once", async () => {
    const list = client.posts.list()
    await new Promise((resolve) => setImmediate(resolve))
    assert.lengthOf(server.calls, 0)
    const [first, again] = await Promise.all([list, list])
    assert.strictEqual(first, again)
    assert.lengthOf(server.calls, 1)
  })

  it("rejects like any other call", async () => {
    const controller = new AbortController()
    const reason = new Error("enough")
    controller.abort(reason)
    const aborted = client.posts.list({}, { signal: controller.signal })
    assert.strictEqual(await aborted.catch((error: unknown) => error), reason)
    const wrong = client.webhooks.deliveries("..")
    assert.instanceOf(await wrong.catch((error: unknown) => error), InvalidRequestError)
  })
})
