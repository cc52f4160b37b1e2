import { createServer } from "node:http"
import type { AddressInfo } from "node:net"

const json = (status: number, body: object) => ({ status, body: JSON.stringify(body) })

/** As much of a Bluesky server as signs one account in with an app password (docs.bsky.app/docs/api/com-atproto-server-create-session). */
export const pds = async (handle: string, appPassword: string) => {
  const server = createServer(async (request, response) => {
    let text = ""
    for await (const chunk of request) text += chunk
    const answer = () => {
      if (request.url !== "/xrpc/com.atproto.server.createSession")
        return json(400, { error: "RecordNotFound", message: "There is none." })
      const { identifier, password } = JSON.parse(text)
      return identifier === handle && password === appPassword
        ? json(200, {
            did: "did:plc:cellar",
            handle,
            accessJwt: "access",
            refreshJwt: "refresh",
            active: true
          })
        : json(401, { error: "AuthenticationRequired", message: "Invalid identifier or password" })
    }
    const { body, status } = answer()
    response.writeHead(status, { "content-type": "application/json" }).end(body)
  })
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
  return {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    stop: () => {
      server.close()
      server.closeAllConnections()
    }
  }
}
