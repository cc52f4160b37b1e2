import { Carillon, CarillonError, type Post, PublishFailedError, TimeoutError } from "@carillon/sdk"
import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest"
import { ContractServer } from "./ContractServer.ts"
import { post, postId, result } from "./Samples.ts"

let server: ContractServer
let client: Carillon

beforeAll(async () => {
  server = await ContractServer.start()
  client = new Carillon({ apiKey: "crl_key", baseUrl: server.url })
})
afterAll(() => server.close())

/** The post as it is read one time after the other; the last one stays. */
const becomes = (...states: ReadonlyArray<Partial<Post>>) => {
  let read = 0
  server.on("posts.get", () => ({ ...post, ...states[Math.min(read++, states.length - 1)] }))
}

const failure = (promise: Promise<unknown>): Promise<unknown> => promise.catch((error: unknown) => error)

describe("waiting for a post", () => {
  it("ends when it is published, and shows each state on the way", async () => {
    becomes({ status: "scheduled" }, { status: "scheduled" }, { status: "published" })
    const seen: Array<string> = []
    const done = await client.posts.waitUntilPublished(postId, {
      onUpdate: ({ status }) => seen.push(status)
    })
    assert.strictEqual(done.status, "published")
    assert.deepStrictEqual(seen, ["scheduled", "scheduled", "published"])
  })

  it("fails with the reasons when it is live nowhere", async () => {
    const error = {
      code: "too_big",
      class: "invalid",
      message: "The file is too big.",
      action: "fix_content",
      retry_at: null
    } as const
    becomes({
      status: "failed",
      results: [
        { ...result, status: "failed", error },
        { ...result, status: "failed", error }
      ]
    })
    const failed = await failure(client.posts.waitUntilPublished(postId))
    assert.instanceOf(failed, PublishFailedError)
    assert.strictEqual(
      (failed as PublishFailedError).message,
      `Post ${postId} was not published. The file is too big.`
    )
    assert.strictEqual((failed as PublishFailedError).post.status, "failed")
  })

  it("waiting for a post does not wait for a draft", async () => {
    becomes({ status: "draft" })
    const error = await failure(client.posts.waitUntilPublished(postId))
    assert.instanceOf(error, CarillonError)
    assert.deepInclude(error, { code: "post_is_draft" })
  })

  it("sleeps until the time of a post, and can be given up there", async () => {
    const at = new Date(Date.now() + 3_600_000).toISOString()
    becomes({ status: "scheduled", scheduled_at: at })
    const controller = new AbortController()
    const reads: Array<string> = []
    const onUpdate = (read: Post) => {
      reads.push(read.id)
      setImmediate(() => controller.abort(new Error("enough")))
    }
    const error = await failure(
      client.posts.waitUntilPublished(postId, { onUpdate, signal: controller.signal })
    )
    assert.strictEqual((error as Error).message, "enough")
    assert.lengthOf(reads, 1)
  })

  it("says when its time has run out, and that the post has not been touched", async () => {
    becomes({ status: "scheduled" })
    const error = await failure(client.posts.waitUntilPublished(postId, { timeout: 50 }))
    assert.instanceOf(error, TimeoutError)
    assert.include((error as Error).message, "within 50 ms. It still may be")
  })
})
