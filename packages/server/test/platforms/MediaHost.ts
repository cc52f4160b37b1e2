import { Effect } from "effect"
import { createServer } from "node:http"
import type { AddressInfo } from "node:net"

const jpeg = Buffer.from([
  255, 216, 255, 224, 0, 4, 0, 0, 255, 192, 0, 11, 8, 4, 56, 4, 56, 1, 1, 17, 0, 255, 217, 0, 0, 0, 0
])

/** Where the stand-ins fetch pictures and videos from. */
export const mediaHost = Effect.acquireRelease(
  Effect.callback<{ readonly url: string; readonly close: () => void }>((resume) => {
    const server = createServer((asked, answer) => {
      const [type, bytes] =
        asked.url?.endsWith(".mp4") === true ? ["video/mp4", Buffer.alloc(10)] : ["image/jpeg", jpeg]
      answer.writeHead(200, { "content-type": type, "content-length": bytes.length })
      answer.end(asked.method === "HEAD" ? undefined : bytes)
    }).listen(0, "127.0.0.1", () => {
      const { port } = server.address() as AddressInfo
      resume(
        Effect.succeed({
          url: `http://127.0.0.1:${port}`,
          close: () => {
            server.closeAllConnections()
            server.close()
          }
        })
      )
    })
  }),
  ({ close }) => Effect.sync(close)
)
