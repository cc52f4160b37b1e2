import { Effect } from "effect"
// @ts-expect-error it has no types
import S3rver from "s3rver"
import * as TestDirectory from "@carillon/testing/TestDirectory"

/** A server of the S3 protocol that is not ours, until the scope closes: the environment that leads to it. */
export const s3Server = Effect.gen(function* () {
  const directory = yield* TestDirectory.make
  const server = new S3rver({
    address: "127.0.0.1",
    port: 0,
    silent: true,
    directory,
    configureBuckets: [{ name: "carillon" }]
  })
  const { port } = yield* Effect.acquireRelease(
    Effect.promise(() => server.run() as Promise<{ readonly port: number }>),
    () => Effect.promise(() => server.close() as Promise<void>)
  )
  return {
    MEDIA_STORE: "s3",
    S3_ENDPOINT: `http://127.0.0.1:${port}`,
    S3_BUCKET: "carillon",
    S3_ACCESS_KEY_ID: "S3RVER",
    S3_SECRET_ACCESS_KEY: "S3RVER"
  }
})
