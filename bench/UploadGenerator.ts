/** Sends uploads for bench/upload.ts, in a process of its own: so many at once, each of the same bytes again and again. */
import { request } from "node:http"

export interface Uploads {
  readonly urls: ReadonlyArray<string>
  readonly bytes: number
  readonly type: string
}

export interface UploadsResult {
  readonly seconds: number
  readonly statuses: ReadonlyArray<number | undefined>
}

const block = Buffer.alloc(1024 * 1024, "the bells of the old town ")
// The header of a PDF; nothing reads further.
const start = Buffer.from("%PDF-1.7\n")

const send = (url: string, { bytes, type }: Uploads) =>
  new Promise<number | undefined>((resolve, reject) => {
    const put = request(
      url,
      { method: "PUT", headers: { "content-type": type, "content-length": bytes } },
      (response) => {
        response.resume()
        response.once("end", () => resolve(response.statusCode))
      }
    ).once("error", reject)
    let left = bytes - start.length
    put.write(start)
    const more = () => {
      while (left > 0) {
        const chunk = left >= block.length ? block : block.subarray(0, left)
        left -= chunk.length
        if (!put.write(chunk)) return put.once("drain", more)
      }
      return put.end()
    }
    more()
  })

process.on("message", async (uploads: Uploads) => {
  const begun = performance.now()
  const statuses = await Promise.all(uploads.urls.map((url) => send(url, uploads)))
  process.send!({ seconds: (performance.now() - begun) / 1000, statuses } satisfies UploadsResult)
})
process.send!("ready")
