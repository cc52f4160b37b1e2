import type { ByteRange } from "@carillon/domain"
import { AwsClient } from "aws4fetch"
import { Effect, Redacted, type Scope } from "effect"
import { createHash } from "node:crypto"
import { open, stat } from "node:fs/promises"
import { Readable } from "node:stream"
import type { S3Settings } from "../../AppConfig.ts"

/** The piece of a file that is held in memory at once; S3 takes 10,000 parts of 5 MiB at least. */
const partBytes = 16 * 1024 * 1024

/** The few calls of S3 that a blob store needs. A refusal of the server is a defect. */
export const makeS3Bucket = ({ url, region, accessKeyId, secretAccessKey }: S3Settings) => {
  const client = new AwsClient({
    accessKeyId,
    secretAccessKey: Redacted.value(secretAccessKey),
    region,
    service: "s3",
    retries: 4
  })

  const send = async (signal: AbortSignal, method: string, path: string, init: RequestInit = {}) => {
    const response = await client.fetch(`${url}/${path}`, { ...init, method, signal })
    if (response.ok || response.status === 404) return response
    const reason = /<Code>(\w+)<\/Code>/.exec(await response.text())?.[1] ?? "no reason given"
    throw new Error(`S3 answered ${method} with ${response.status} (${reason})`)
  }

  const expectThere = (response: Response) => {
    if (response.status === 404)
      throw new Error("S3 answered with 404: the bucket or the upload is not there")
    return response
  }

  const call = <A>(run: (signal: AbortSignal) => Promise<A>) => Effect.orDie(Effect.tryPromise(run))

  /** The server checks the bytes against the signed hash. */
  const sendBytes = async (signal: AbortSignal, path: string, bytes: Uint8Array<ArrayBuffer>) =>
    expectThere(
      await send(signal, "PUT", path, { body: bytes, headers: { "x-amz-content-sha256": sha256(bytes) } })
    )

  const sendParts = async (signal: AbortSignal, key: string, path: string, size: number) => {
    const begun = expectThere(await send(signal, "POST", `${key}?uploads=`))
    const upload = encodeURIComponent(/<UploadId>([^<]+)<\/UploadId>/.exec(await begun.text())![1]!)
    try {
      const parts: Array<string> = []
      for await (const bytes of partsOf(path, size)) {
        const number = parts.length + 1
        const sent = await sendBytes(signal, `${key}?partNumber=${number}&uploadId=${upload}`, bytes)
        parts.push(`<Part><PartNumber>${number}</PartNumber><ETag>${sent.headers.get("etag")}</ETag></Part>`)
      }
      const body = `<CompleteMultipartUpload>${parts.join("")}</CompleteMultipartUpload>`
      const done = await expectThere(await send(signal, "POST", `${key}?uploadId=${upload}`, { body })).text()
      // A completion that fails late says so in a body with status 200.
      if (done.includes("<Error>")) throw new Error("S3 could not complete a multipart upload")
    } catch (error) {
      await send(AbortSignal.timeout(10_000), "DELETE", `${key}?uploadId=${upload}`).catch(() => {})
      throw error
    }
  }

  return {
    /** Whether the server answers, the bucket is there and the key may use it. */
    check: call(async (signal) => {
      expectThere(await send(signal, "HEAD", ""))
    }),

    putFile: (key: string, path: string) =>
      call(async (signal) => {
        const { size } = await stat(path)
        if (size > partBytes) return sendParts(signal, key, path, size)
        for await (const bytes of partsOf(path, size)) await sendBytes(signal, key, bytes)
      }),

    /** null: there is no such object. */
    get: (key: string, range?: ByteRange): Effect.Effect<Readable | null, never, Scope.Scope> =>
      Effect.acquireRelease(
        call(async (signal) => {
          const headers = range === undefined ? {} : { range: `bytes=${range.start}-${range.end}` }
          const response = await send(signal, "GET", key, { headers })
          if (response.status !== 404) return Readable.fromWeb(response.body! as never)
          await response.body?.cancel()
          return null
        }),
        (readable) => Effect.sync(() => readable?.on("error", () => {}).destroy())
      ),

    remove: (key: string) =>
      call(async (signal) => {
        await (await send(signal, "DELETE", key)).body?.cancel()
      }),

    /** The keys that begin with this, a thousand at most. */
    list: (prefix: string) =>
      call(async (signal) => {
        const query = `?list-type=2&prefix=${encodeURIComponent(prefix)}`
        const text = await expectThere(await send(signal, "GET", query)).text()
        return [...text.matchAll(/<Key>([^<]+)<\/Key>/g)].map(([, key]) => key!)
      })
  }
}

const sha256 = (bytes: Uint8Array) => createHash("sha256").update(bytes).digest("hex")

async function* partsOf(path: string, size: number) {
  await using file = await open(path)
  for (let start = 0; start < size; start += partBytes) {
    const bytes = new Uint8Array(Math.min(partBytes, size - start))
    let filled = 0
    while (filled < bytes.length) {
      const { bytesRead } = await file.read(bytes, filled, bytes.length - filled, start + filled)
      if (bytesRead === 0) throw new Error("a staged file became shorter")
      filled += bytesRead
    }
    yield bytes
  }
}
