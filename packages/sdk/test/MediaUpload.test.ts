import {
  Carillon,
  ConnectionError,
  InvalidRequestError,
  type MimeType,
  TimeoutError,
  type UploadProgress,
  type UploadReservation
} from "@carillon/sdk"
import { afterAll, assert, beforeAll, beforeEach, describe, it } from "@effect/vitest"
import { once } from "node:events"
import type { IncomingMessage, ServerResponse } from "node:http"
import { mkdtemp, rm, truncate, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { Readable } from "node:stream"
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

  it.each(sources)("an upload takes $what", async ({ file, name, options, type }) => {
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

  it("tells how far it is, from the first byte to the last", async () => {
    const film = join(folder, "film.mp4")
    await writeFile(film, new Uint8Array(1_000_000))
    for (const file of [film, new File([new Uint8Array(1_000_000)], "film.mp4")]) {
      const seen: Array<UploadProgress> = []
      await client.media.upload(file, { onProgress: (progress) => seen.push(progress) })
      assert.deepStrictEqual(seen[0], { sent: 0, total: 1_000_000 })
      assert.deepStrictEqual(seen.at(-1), { sent: 1_000_000, total: 1_000_000 })
      assert.isAbove(seen.length, 3)
    }
  })

  const streams: ReadonlyArray<
    readonly [string, () => ReadableStream<Uint8Array> | AsyncIterable<Uint8Array>]
  > = [
    ["a web stream", () => new Blob([png]).stream()],
    ["a stream of Node", () => Readable.from([png])],
    [
      "a generator",
      async function* () {
        yield png.subarray(0, 2)
        yield png.subarray(2)
      }
    ]
  ]

  it.each(streams)("takes the bytes of %s as they come", async (_, stream) => {
    await client.media.upload(stream(), { name: "a.png", size: 5 })
    assert.deepStrictEqual([server.calls[1]!.received, server.calls[1]!.headers["content-length"]], [5, "5"])
  })

  it("asks for the size of a stream", async () => {
    const error = await client.media
      .upload(Readable.from([png]), { name: "a.png" })
      .catch((reason: unknown) => reason)
    assert.deepInclude(error, { code: "unknown_size" })
    assert.lengthOf(server.calls, 0)
  })

  /** The first upload breaks in the middle; whether its bytes were all there decides what a confirmation says. */
  const breakFirst = (arrived: boolean) => {
    let uploads = 0
    let complete = false
    server.on("media.upload", (_: Call, response: ServerResponse) => {
      uploads++
      if (uploads === 1) {
        complete = arrived
        return void response.destroy()
      }
      complete = true
      return media
    })
    server.on("media.complete", (_: Call, response: ServerResponse) =>
      complete ? media : void response.writeHead(409).end(JSON.stringify(problem(409, "upload_incomplete")))
    )
    return () => uploads
  }

  it("an upload is sent again where the connection breaks", async () => {
    const uploads = breakFirst(false)
    const sent: Array<number> = []
    assert.deepStrictEqual(
      await client.media.upload(join(folder, "bells at dusk.PNG"), {
        onProgress: (progress) => sent.push(progress.sent)
      }),
      media
    )
    assert.strictEqual(uploads(), 2)
    assert.deepStrictEqual(sent, [0, 5, 0, 5])
    assert.lengthOf(
      server.calls.filter(({ endpoint }) => endpoint === "media.reserve"),
      1
    )
  })

  it("an upload is not sent again where all bytes arrived and only the answer was lost", async () => {
    const uploads = breakFirst(true)
    assert.deepStrictEqual(await client.media.upload(new File([png], "a.png")), media)
    assert.strictEqual(uploads(), 1)
  })

  it("an upload of a stream cannot be sent again, and says what happened", async () => {
    const uploads = breakFirst(false)
    const error = await client.media
      .upload(Readable.from([png]), { name: "a.png", size: 5 })
      .catch((reason: unknown) => reason)
    assert.instanceOf(error, ConnectionError)
    assert.strictEqual(uploads(), 1)
  })

  describe("that is taken up again", () => {
    const reserved = async () => {
      let kept: UploadReservation | undefined
      breakFirst(false)
      await client.media
        .upload(new File([png], "a.png"), { maxRetries: 0, onReserved: (made) => (kept = made) })
        .catch(() => undefined)
      server.calls.length = 0
      return kept!
    }
    const endpoints = () => server.calls.map(({ endpoint }) => endpoint)
    const inAnHour = () => new Date(Date.now() + 3_600_000).toISOString()

    it("an upload that is taken up again uses its reservation", async () => {
      const reservation = { ...(await reserved()), expires_at: inAnHour() }
      assert.deepStrictEqual(await client.media.upload(new File([png], "a.png"), { reservation }), media)
      assert.deepStrictEqual(endpoints(), ["media.complete", "media.upload", "media.complete"])
    })

    it("sends nothing when everything had arrived", async () => {
      const reservation = await reserved()
      server.on("media.complete", media)
      assert.deepStrictEqual(await client.media.upload(new File([png], "a.png"), { reservation }), media)
      assert.deepStrictEqual(endpoints(), ["media.complete"])
    })

    it.each(["upload_incomplete", "not_found"])(
      "reserves anew when the reservation has run out: %s",
      async (code) => {
        const reservation = { ...(await reserved()), expires_at: "2020-01-01T00:00:00.000Z" }
        let asked = 0
        server.on("media.complete", (_: Call, response: ServerResponse) =>
          asked++ === 0 ? void response.writeHead(409).end(JSON.stringify(problem(409, code))) : media
        )
        const anew: Array<UploadReservation> = []
        await client.media.upload(new File([png], "a.png"), {
          reservation,
          onReserved: (made) => anew.push(made)
        })
        assert.lengthOf(anew, 1)
        assert.deepStrictEqual(endpoints(), [
          "media.complete",
          "media.reserve",
          "media.upload",
          "media.complete"
        ])
      }
    )

    it("reserves anew when the clocks disagree and the service calls the signature expired", async () => {
      const reservation = { ...(await reserved()), expires_at: inAnHour() }
      let uploads = 0
      server.on("media.upload", (_: Call, response: ServerResponse) =>
        uploads++ === 0
          ? void response.writeHead(403).end(JSON.stringify(problem(403, "signature_expired")))
          : media
      )
      server.on("media.complete", (_: Call, response: ServerResponse) =>
        uploads === 2
          ? media
          : void response.writeHead(409).end(JSON.stringify(problem(409, "upload_incomplete")))
      )
      assert.deepStrictEqual(await client.media.upload(new File([png], "a.png"), { reservation }), media)
      assert.include(endpoints(), "media.reserve")
    })
  })

  it("an upload may take any time, but not stand still", async () => {
    const never = async function* () {
      yield png.subarray(0, 2)
      await new Promise(() => {})
    }
    const error = await client.media
      .upload(never(), { name: "a.png", size: 5, timeout: 1000 })
      .catch((reason: unknown) => reason)
    assert.instanceOf(error, TimeoutError)
    assert.include((error as Error).message, "stood still for 1000 ms")
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
