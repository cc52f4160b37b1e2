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
// PGlite is one session for ever: a new connection must not find the open transaction or the prepared statements
// of the one before it.
const FRESH_SESSION = [SYNC, simpleQuery("ROLLBACK"), simpleQuery("DISCARD ALL")]

/** Connections to a PGlite in this process, for sql-pg's `stream` option. The next one ends the session before it. */
export const connect = (pglite: PGlite) => {
  let idle: Promise<unknown> = Promise.resolve()

  /** One message after the other, over all connections: an answer's reader may open the next connection at once. */
  const send = (message: Uint8Array, onRawData: (data: Uint8Array) => void): Promise<void> => {
    // The directory needs no sync after a statement: PostgreSQL has flushed what must be flushed.
    const sent = idle.then(() => pglite.execProtocolRawStream(message, { syncToFs: false, onRawData }))
    idle = sent.catch(() => {})
    return sent
  }

  return (): Duplex => {
    let started = false
    const reply = (data: Uint8Array) => {
      // The bytes live in WebAssembly memory and are gone after this call.
      if (!stream.destroyed) stream.push(Buffer.from(data))
    }
    const start = async (startup: Buffer) => {
      for (const message of FRESH_SESSION) await send(message, () => {})
      await send(startup, reply)
    }
    const stream = new Duplex({
      allowHalfOpen: false,
      read() {},
      write(chunk: Buffer, _encoding, done) {
        if (!started && chunk.readInt32BE(4) === CANCEL_REQUEST) {
          // sql-pg cancels on a connection of its own. A statement here runs to its end before anything else does.
          done()
          stream.destroy()
          return
        }
        const sent = started ? send(chunk, reply) : start(chunk)
        started = true
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
