import type { PGlite } from "@electric-sql/pglite"
import { Duplex } from "node:stream"

const CANCEL_REQUEST = 80_877_102

const simpleQuery = (text: string) => {
  const body = Buffer.from(`${text}\0`)
  const head = Buffer.alloc(5, "Q")
  head.writeInt32BE(body.length + 4, 1)
  return Buffer.concat([head, body])
}

const SYNC = Buffer.from([0x53, 0, 0, 0, 4])
// PGlite is one session for ever: a new connection must not find the open transaction or the prepared statements of the
// one before it.
const FRESH_SESSION = [SYNC, simpleQuery("ROLLBACK"), simpleQuery("DISCARD ALL")]

/**
 * Connections to a PGlite in this process, for sql-pg's `stream` option. The next one ends the session before it. A
 * connection stays with the PGlite that `take` gave it.
 */
export const connect = (take: () => Promise<PGlite>) => {
  let idle: Promise<unknown> = Promise.resolve()

  /** Sends one message after the other, over all connections: an answer's reader may open the next connection at once. */
  const send = (
    pglite: Promise<PGlite>,
    message: Uint8Array,
    onRawData: (data: Uint8Array) => void
  ): Promise<void> => {
    // The directory needs no sync after a statement: PostgreSQL has flushed what must be flushed.
    const sent = idle.then(async () =>
      (await pglite).execProtocolRawStream(message, { syncToFs: false, onRawData })
    )
    idle = sent.catch(() => {})
    return sent
  }

  return (): Duplex => {
    let pglite: Promise<PGlite> | undefined
    const reply = (data: Uint8Array) => {
      // The bytes live in WebAssembly memory and are gone after this call.
      if (!stream.destroyed) stream.push(Buffer.from(data))
    }
    const start = async (startup: Buffer) => {
      const taken = (pglite = take())
      for (const message of FRESH_SESSION) await send(taken, message, () => {})
      await send(taken, startup, reply)
    }
    const stream = new Duplex({
      allowHalfOpen: false,
      read() {},
      write(chunk: Buffer, _encoding, done) {
        if (pglite === undefined && chunk.readInt32BE(4) === CANCEL_REQUEST) {
          // sql-pg cancels over a connection of its own. A statement here runs to its end before anything else.
          done()
          stream.destroy()
          return
        }
        const sent = pglite === undefined ? start(chunk) : send(pglite, chunk, reply)
        sent.then(() => done(), done)
      },
      final(done) {
        stream.push(null)
        done()
      }
    })
    return stream
  }
}
