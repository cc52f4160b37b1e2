/** The baseline of bench/upload.ts: a PUT piped through a SHA-256 into a file that is flushed, on bare node:http. */
import { createHash, randomUUID } from "node:crypto"
import { once } from "node:events"
import { createWriteStream } from "node:fs"
import { unlink } from "node:fs/promises"
import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import { join } from "node:path"
import { Transform } from "node:stream"
import { pipeline } from "node:stream/promises"

const directory = process.env["BARE_DIRECTORY"]!

const server = createServer({ requestTimeout: 0 }, async (request, response) => {
  const path = join(directory, randomUUID())
  const hash = createHash("sha256")
  const hashing = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      hash.update(chunk)
      done(null, chunk)
    }
  })
  await pipeline(request, hashing, createWriteStream(path, { flush: true }))
  await unlink(path)
  const text = JSON.stringify({ sha256: hash.digest("hex") })
  response.writeHead(200, { "content-type": "application/json", "content-length": text.length }).end(text)
}).listen(0, "127.0.0.1")
await once(server, "listening")
process.send!({ url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` })
