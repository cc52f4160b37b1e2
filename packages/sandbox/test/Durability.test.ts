import { SandboxProcess } from "@carillon/sandbox/testing"
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { appendFile, readFile } from "node:fs/promises"
import { join } from "node:path"
import { clientOf, send } from "./PlatformClient.ts"

const ledgerFile = (directory: string) => join(directory, "ledger.jsonl")

layer(SandboxProcess.layer)("a test network, killed and restarted,", (it) => {
  it.effect("still has everything that it has answered", () =>
    Effect.gen(function* () {
      const sandbox = yield* SandboxProcess
      const client = yield* clientOf("kept")
      const { body: picture } = yield* client.upload("a picture", "image/webp")
      yield* sandbox.script("kept", [{ on: "media", fault: "processing", polls: 2 }])
      const { body: processing } = yield* client.upload("another picture")
      yield* client.get(`/api/media/${processing.id}`)
      // A line end for some readers, none for JSON.
      const post = yield* client.post(
        { text: "One\u2028two", media: [{ id: picture.id, alt_text: "A bell" }] },
        "k"
      )
      yield* client.post({ text: "Repeated" }, "k")
      yield* sandbox.script("kept", [{ on: "post", fault: "refuse", code: "spam", times: 2 }])
      yield* client.post({ text: "Spam" })
      const publications = yield* sandbox.publications()
      const requests = yield* sandbox.requests()

      yield* sandbox.kill
      yield* sandbox.restart

      assert.deepStrictEqual(yield* sandbox.publications(), publications)
      assert.deepStrictEqual(yield* sandbox.requests(), requests)
      assert.deepStrictEqual(yield* sandbox.pendingFaults("kept"), [
        { on: "post", fault: "refuse", code: "spam", times: 1 }
      ])
      assert.strictEqual((yield* client.post({ text: "Spam" })).body.error.code, "spam")
      assert.deepStrictEqual((yield* client.post({ text: "Hello" }, "k")).body, post.body)

      const shown = yield* send(`/media/${picture.id}`)
      assert.deepStrictEqual([shown.text, shown.headers.get("content-type")], ["a picture", "image/webp"])
      const looks = yield* Effect.replicateEffect(client.get(`/api/media/${processing.id}`), 2)
      assert.deepStrictEqual(
        looks.map(({ body }) => body.status),
        ["processing", "ready"]
      )

      const next = yield* client.post({ text: "Next" })
      assert.strictEqual(BigInt(next.body.id), BigInt(post.body.id) + 1n)
      const nextPicture = yield* client.upload("a third picture")
      assert.isTrue(BigInt(nextPicture.body.id) > BigInt(processing.id))
    })
  )

  it.effect("drops what it was in the middle of writing, and goes on behind it", () =>
    Effect.gen(function* () {
      const sandbox = yield* SandboxProcess
      const client = yield* clientOf("torn")
      yield* client.post({ text: "Before" })
      yield* sandbox.kill
      const whole = yield* Effect.promise(() => readFile(ledgerFile(sandbox.directory), "utf8"))
      yield* Effect.promise(() =>
        appendFile(ledgerFile(sandbox.directory), '{"room":"ledger","event":{"type":"publ🔔')
      )
      yield* sandbox.restart
      yield* client.post({ text: "After" })
      yield* sandbox.kill
      const continued = yield* Effect.promise(() => readFile(ledgerFile(sandbox.directory), "utf8"))
      yield* sandbox.restart

      assert.strictEqual(continued.slice(0, whole.length), whole)
      assert.match(continued.slice(whole.length), /^\{"room":"ledger","event":\{"type":"published"/)
      assert.deepStrictEqual(
        (yield* sandbox.publications("torn")).map(({ text }) => text),
        ["Before", "After"]
      )
    })
  )

  it.effect(
    "a test network, killed and restarted, has every post that it had acknowledged when it was killed at work",
    () =>
      Effect.gen(function* () {
        const sandbox = yield* SandboxProcess
        const client = yield* clientOf("at-work")
        const acknowledged: Array<string> = []
        const posting = Effect.forEach(
          Array.from({ length: 1500 }, (_, index) => `Post ${index}`),
          (text) =>
            client.post({ text }, text).pipe(
              Effect.map(({ body }) => acknowledged.push(body.id)),
              Effect.ignore
            ),
          { concurrency: 100 }
        )
        const killing = Effect.andThen(sandbox.waitForPublications("at-work", 100), sandbox.kill)
        yield* Effect.all([posting, killing], { concurrency: 2 })
        yield* sandbox.restart

        const kept = new Set((yield* sandbox.publications("at-work")).map(({ id }) => id))
        assert.isAbove(acknowledged.length, 0)
        assert.isBelow(acknowledged.length, 1500)
        assert.deepStrictEqual(
          acknowledged.filter((id) => !kept.has(id)),
          []
        )
      })
  )

  it.effect("takes a thousand posts at once, each of them once", () =>
    Effect.gen(function* () {
      const sandbox = yield* SandboxProcess
      const client = yield* clientOf("load")
      const texts = Array.from({ length: 1000 }, (_, index) => `Post ${index}`)
      const answers = yield* Effect.forEach(texts, (text) => client.post({ text }, text), {
        concurrency: 1000
      })
      assert.isTrue(answers.every(({ status }) => status === 201))
      assert.strictEqual(new Set(answers.map(({ body }) => body.id)).size, 1000)
      const publications = yield* sandbox.publications("load")
      assert.lengthOf(publications, 1000)
      assert.sameMembers(
        publications.map(({ text }) => text),
        texts
      )
    })
  )

  it.effect("shares nothing with another", () =>
    Effect.gen(function* () {
      const other = yield* SandboxProcess.make()
      const client = yield* clientOf("demo")
      yield* client.post({ text: "Hello" })
      assert.lengthOf(yield* (yield* SandboxProcess).publications("demo"), 1)
      assert.lengthOf(yield* other.publications(), 0)
    })
  )
})
