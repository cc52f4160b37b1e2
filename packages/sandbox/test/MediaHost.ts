import { Effect } from "effect"
import { createServer, type IncomingMessage } from "node:http"
import type { AddressInfo } from "node:net"

/** The files of a host by their paths. */
export type HostedFiles = Readonly<Record<string, readonly [type: string, bytes: Buffer]>>

const startOfFrame = [0xff, 0xd8, 0xff, 0xe0, 0, 4, 0, 0, 0xff, 0xc0, 0, 11, 8]
const rest = [1, 1, 0x11, 0, 0xff, 0xd9, 0, 0, 0, 0]

/** The header of a JPEG of this size; whoever only looks at the size is content. */
export const jpeg = (width: number, height: number) =>
  Buffer.from([...startOfFrame, height >> 8, height & 255, width >> 8, width & 255, ...rest])

/** Somebody's media, on an address of its own; it remembers who asked. `/moved.jpg` is elsewhere. */
export const mediaHost = (files: HostedFiles) =>
  Effect.acquireRelease(
    Effect.callback<{
      readonly url: string
      readonly asked: Array<IncomingMessage>
      readonly close: () => void
    }>((resume) => {
      const asked: Array<IncomingMessage> = []
      const server = createServer((request, response) => {
        asked.push(request)
        if (request.url === "/moved.jpg")
          return void response.writeHead(302, { location: "/square.jpg" }).end()
        const file = files[request.url ?? ""]
        if (file === undefined) return void response.writeHead(404).end()
        response.writeHead(200, { "content-type": file[0], "content-length": file[1].length })
        response.end(request.method === "HEAD" ? undefined : file[1])
      }).listen(0, "127.0.0.1", () => {
        const { port } = server.address() as AddressInfo
        resume(Effect.succeed({ url: `http://127.0.0.1:${port}`, asked, close: () => server.close() }))
      })
    }),
    ({ close }) => Effect.sync(close)
  )
