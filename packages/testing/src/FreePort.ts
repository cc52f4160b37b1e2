import { randomInt } from "node:crypto"
import { createSocket } from "node:dgram"
import { once } from "node:events"
import { createServer } from "node:net"

/**
 * A port for a program that listens on it later, and again after it was killed. The system gives none of these away by
 * itself; a UDP socket of the same number, open as long as this process, keeps the port from every other test.
 */
export const takePort = async (): Promise<number> => {
  for (;;) {
    const port = randomInt(20_000, 32_000)
    const mark = createSocket("udp4").unref()
    const marked = once(mark, "listening")
    mark.bind(port, "127.0.0.1")
    if ((await succeeds(marked)) && (await isFree(port))) return port
    mark.close()
  }
}

const isFree = async (port: number) => {
  const server = createServer()
  const listening = once(server, "listening")
  server.listen(port, "127.0.0.1")
  const free = await succeeds(listening)
  if (free) await once(server.close(), "close")
  return free
}

const succeeds = (attempt: Promise<unknown>) =>
  attempt.then(
    () => true,
    () => false
  )
