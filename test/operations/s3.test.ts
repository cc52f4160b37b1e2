import { SandboxProcess } from "@carillon/sandbox/testing"
import { assert, layer } from "@effect/vitest"
import { Effect, Layer, Schedule } from "effect"
import { readFileSync } from "node:fs"
import { s3Server } from "../../packages/server/test/media/files/S3Server.ts"
import { connect, create, ServiceWithSandbox, settled } from "@carillon/testing/Publishing"
import { Service } from "@carillon/testing/ServiceProcess"

const picture = readFileSync(new URL("../../examples/media/bells.jpg", import.meta.url))

const withS3 = Layer.unwrap(
  Effect.map(s3Server, (env) =>
    ServiceWithSandbox({ env: { ...env, BACKUP_EVERY: "1 hour", BACKUP_TO: `s3://${env.S3_BUCKET}/saved` } })
  )
)

layer(withS3, { excludeTestServices: true, timeout: "180 seconds" })(
  "with its media in S3 the service",
  (it) => {
    it.effect("puts its backups into a bucket", () =>
      Effect.gen(function* () {
        const service = yield* Service
        const metrics = Effect.promise(async () => (await fetch(`${service.url}/metrics`)).text())
        const after = yield* Effect.repeat(metrics, {
          until: (text) => text.includes("carillon_backup_last_failed"),
          schedule: Schedule.spaced("100 millis")
        })
        const made = yield* Effect.repeat(metrics, {
          until: (text) => !/carillon_backup_last_size_bytes 0$/m.test(text),
          schedule: Schedule.spaced("100 millis")
        })
        assert.match(made, /^carillon_backup_last_failed 0$/m, after)
      })
    )

    it.effect("takes, serves, publishes and removes them, over a restart", () =>
      Effect.gen(function* () {
        const service = yield* Service
        const sandbox = yield* SandboxProcess
        const account = yield* connect("from-s3")
        const id = yield* service.upload(picture, "image/jpeg", "bells.jpg")
        yield* service.kill
        yield* service.start
        assert.strictEqual((yield* service.call("GET", "/readyz")).status, 200)
        const { body: media } = yield* service.call("GET", `/v1/media/${id}`)
        const read = (headers: Record<string, string> = {}) =>
          Effect.promise(async () => {
            const response = await fetch(media.url, { headers })
            return { status: response.status, bytes: Buffer.from(await response.arrayBuffer()) }
          })
        assert.isTrue((yield* read()).bytes.equals(picture))
        const part = yield* read({ range: "bytes=10-19" })
        assert.deepStrictEqual([part.status, part.bytes], [206, Buffer.from(picture.subarray(10, 20))])
        const post = yield* create({ social_accounts: [account], caption: "From S3", media: [id] })
        assert.strictEqual((yield* settled(post.id)).status, "published")
        assert.lengthOf(yield* sandbox.publications("from-s3"), 1)
        assert.strictEqual((yield* service.call("DELETE", `/v1/media/${id}`)).status, 200)
        assert.strictEqual((yield* read()).status, 404)
      })
    )
  }
)
