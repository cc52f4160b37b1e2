import { Carillon, InvalidRequestError, type MimeType } from "@carillon/sdk"
import { afterAll, assert, beforeAll, beforeEach, describe, it } from "@effect/vitest"
import { once } from "node:events"
import type { IncomingMessage } from "node:http"
import { mkdtemp, rm, truncate, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { pathToFileURL } from "node:url"
import { type Call, ContractServer } from "./ContractServer.ts"
import { media, mediaId, problem } from "./Samples.ts"

let folder: string
let server: ContractServer
let client: Carillon

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "carillon-sdk-"))
  await writeFile(join(folder, "bells at dusk.PNG"), "12345")
  await writeFile(join(folder, "notes.txt"), "12345")
  server = await ContractServer.start()
  client = new Carillon({ apiKey: "crl_key", baseUrl: server.url })
})
afterAll(async () => {
  await server.close()
  await rm(folder, { recursive: true })
})

beforeEach(() => {
  server.calls.length = 0
  server.onUpload(undefined)
  server.on("media.reserve", {
    media_id: mediaId,
    upload_url: `${server.url}/v1/media/${mediaId}/upload?expires=1&signature=s`,
    complete_url: `${server.url}/v1/media/${mediaId}/complete`,
    name: "a.png",
    expires_at: media.created_at
  })
  server.on("media.upload", media)
  server.on("media.complete", media)
})

const png = new Uint8Array([1, 2, 3, 4, 5])

describe("an upload", () => {
  it("reserves, sends the bytes to the signed URL without the key, and confirms with it", async () => {
    assert.deepStrictEqual(await client.media.upload(join(folder, "bells at dusk.PNG")), media)
    const [reserve, upload, complete] = server.calls as [Call, Call, Call]
    assert.deepStrictEqual(
      server.calls.map(({ endpoint }) => endpoint),
      ["media.reserve", "media.upload", "media.complete"]
    )
    assert.deepStrictEqual(reserve.payload, {
      mime_type: "image/png",
      size_bytes: 5,
      name: "bells at dusk.PNG"
    })
    assert.strictEqual(upload.received, 5)
    assert.strictEqual(upload.headers["content-length"], "5")
    assert.strictEqual(upload.headers["content-type"], "image/png")
    assert.isUndefined(upload.headers.authorization)
    assert.strictEqual(complete.headers.authorization, "Bearer crl_key")
  })

  const sources = [
    {
      what: "a file URL",
      file: () => pathToFileURL(join(folder, "bells at dusk.PNG")),
      name: "bells at dusk.PNG",
      type: "image/png"
    },
    { what: "a File", file: () => new File([png], "a.webp"), name: "a.webp", type: "image/webp" },
    {
      what: "a typed File",
      file: () => new File([png], "a.bin", { type: "image/gif" }),
      name: "a.bin",
      type: "image/gif"
    },
    {
      what: "a typed Blob",
      file: () => new Blob([png], { type: "video/mp4" }),
      name: undefined,
      type: "video/mp4"
    },
    {
      what: "a Blob with a name",
      file: () => new Blob([png]),
      options: { name: "b.mov" },
      name: "b.mov",
      type: "video/quicktime"
    },
    {
      what: "a file with another type and name",
      file: () => join(folder, "notes.txt"),
      options: { name: "c", mimeType: "application/pdf" as MimeType },
      name: "c",
      type: "application/pdf"
    }
  ]

  it.each(sources)("takes $what", async ({ file, name, options, type }) => {
    await client.media.upload(file(), options)
    assert.deepStrictEqual(server.calls[0]!.payload, {
      mime_type: type,
      size_bytes: 5,
      ...(name === undefined ? {} : { name })
    })
    assert.strictEqual(server.calls[1]!.headers["content-type"], type)
  })

  it.each([
    { what: "a file", file: () => join(folder, "notes.txt"), says: /"notes.txt".*jpg/ },
    { what: "a blob", file: () => new Blob([png]), says: /the blob.*mimeType/ }
  ])("asks nothing of the service when the type of $what is unknown", async ({ file, says }) => {
    const error = await client.media.upload(file()).catch((reason: unknown) => reason)
    assert.instanceOf(error, InvalidRequestError)
    assert.match((error as Error).message, says)
    assert.lengthOf(server.calls, 0)
  })

  it("says which file does not exist", async () => {
    const error = await client.media.upload(join(folder, "no.png")).catch((reason: unknown) => reason)
    assert.match((error as Error).message, /ENOENT.*no\.png/)
    assert.lengthOf(server.calls, 0)
  })

  it("ends with the service's reason when the bytes are refused", async () => {
    server.on("media.upload", (_: Call, response) => {
      response.writeHead(422).end(JSON.stringify(problem(422, "media_type_mismatch")))
    })
    const error = await client.media.upload(new File([png], "a.png")).catch((reason: unknown) => reason)
    assert.deepInclude(error, { code: "media_type_mismatch", status: 422 })
    assert.lengthOf(server.calls, 2)
  })

  it("stops sending when the caller gives up", async () => {
    const big = join(folder, "stopped.mp4")
    await writeFile(big, "")
    await truncate(big, 64 * 1024 * 1024)
    const controller = new AbortController()
    const reason = new Error("enough")
    const closed = Promise.withResolvers<void>()
    server.onUpload(async (request: IncomingMessage) => {
      await once(request, "data")
      request.on("error", () => closed.resolve())
      controller.abort(reason)
    })
    const error = await client.media
      .upload(big, { signal: controller.signal })
      .catch((given: unknown) => given)
    assert.strictEqual(error, reason)
    await closed.promise
  })

  it("keeps memory flat, whatever the size", async () => {
    const big = join(folder, "big.mp4")
    const size = 320 * 1024 * 1024
    await writeFile(big, "")
    await truncate(big, size)
    const before = process.memoryUsage.rss()
    let peak = before
    const sampling = setInterval(() => (peak = Math.max(peak, process.memoryUsage.rss())), 10)
    await client.media.upload(big)
    clearInterval(sampling)
    assert.strictEqual(server.calls[1]!.received, size)
    assert.isBelow((peak - before) / 1024 / 1024, 160, "MiB more than before")
  })
})
