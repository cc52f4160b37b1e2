/**
 * A process that sends HTTP/1.1 over kept connections, one request at a time on each, as fast as the answers come.
 * It reads and writes bare sockets: a request costs it about 15 µs, and it counts in microseconds, where autocannon
 * rounds every answer to whole milliseconds and node:http as a client costs as much as the server that is measured.
 */
import { randomBytes } from "node:crypto"
import { connect, type Socket } from "node:net"
import { percentile, sorted } from "./Figures.ts"

export interface Load {
  readonly url: string
  readonly method: "GET" | "POST"
  readonly headers: Readonly<Record<string, string>>
  /** Sent in turn. For a GET one empty text. */
  readonly bodies: ReadonlyArray<string>
  readonly connections: number
  /** For so many seconds; none: every body once. */
  readonly seconds?: number
  /** Send an Idempotency-Key that no other request has. */
  readonly idempotencyKeys?: boolean
  /** Keep what was answered, and when, in the order of the bodies. Only with every body once. */
  readonly collect?: boolean
}

export interface LoadResult {
  readonly requests: number
  readonly seconds: number
  readonly p50: number
  readonly p99: number
  readonly max: number
  /** Empty unless asked for. `answered_at` in milliseconds since 1970, with fractions. */
  readonly answers: ReadonlyArray<{ readonly answered_at: number; readonly body: string }>
}

const wallClock = () => performance.timeOrigin + performance.now()

const generate = async (load: Load): Promise<LoadResult> => {
  const { host, hostname, port, pathname, search } = new URL(load.url)
  const placeholder = "-".repeat(32)
  const key = load.idempotencyKeys === true ? { "idempotency-key": placeholder } : {}
  const headers = Object.entries({ host, ...load.headers, ...key }).map(
    ([name, value]) => `${name}: ${value}\r\n`
  )
  const requests = load.bodies.map((body) => {
    const length = load.method === "GET" ? "" : `content-length: ${Buffer.byteLength(body)}\r\n`
    return Buffer.from(
      `${load.method} ${pathname}${search} HTTP/1.1\r\n${headers.join("")}${length}\r\n${body}`
    )
  })
  const keyed = (request: Buffer) => {
    const copy = Buffer.from(request)
    copy.write(randomBytes(16).toString("hex"), request.indexOf(placeholder))
    return copy
  }
  const latencies: Array<number> = []
  const answers: Array<{ answered_at: number; body: string }> = []
  const once = load.seconds === undefined
  let next = 0
  let end = Number.POSITIVE_INFINITY

  const converse = (socket: Socket) =>
    new Promise<void>((resolve, reject) => {
      let buffered: Buffer = Buffer.alloc(0)
      let sentAt = 0
      let index = 0
      const send = () => {
        if (once ? next >= requests.length : performance.now() >= end) {
          socket.off("close", lost).end()
          return resolve()
        }
        index = next++
        sentAt = performance.now()
        const request = requests[index % requests.length]!
        socket.write(load.idempotencyKeys === true ? keyed(request) : request)
      }
      const lost = () => reject(new Error(`${load.url} closed the connection`))
      socket.on("data", (chunk: Buffer) => {
        buffered = buffered.length === 0 ? chunk : Buffer.concat([buffered, chunk])
        const bodyStart = buffered.indexOf("\r\n\r\n") + 4
        if (bodyStart === 3) return
        const head = buffered.toString("latin1", 0, bodyStart)
        const length = /\r\ncontent-length: *(\d+)/i.exec(head)?.[1]
        if (length === undefined)
          return socket.destroy(new Error(`no content-length in the answer:\n${head}`))
        if (buffered.length < bodyStart + Number(length)) return
        latencies.push(performance.now() - sentAt)
        if (!head.startsWith("HTTP/1.1 2"))
          return socket.destroy(new Error(`${load.url} answered:\n${buffered}`))
        if (load.collect === true) {
          answers[index] = { answered_at: wallClock(), body: buffered.toString("utf8", bodyStart) }
        }
        buffered = Buffer.alloc(0)
        send()
      })
      socket.on("error", reject).on("close", lost)
      send()
    })

  const sockets = await Promise.all(
    Array.from(
      { length: Math.min(load.connections, once ? requests.length : load.connections) },
      () =>
        new Promise<Socket>((resolve, reject) => {
          const socket: Socket = connect({ host: hostname, port: Number(port), noDelay: true }, () => {
            socket.off("error", reject)
            resolve(socket)
          })
          socket.once("error", reject)
        })
    )
  )
  const start = performance.now()
  if (!once) end = start + load.seconds! * 1000
  await Promise.all(sockets.map(converse))
  const order = sorted(latencies)
  return {
    requests: latencies.length,
    seconds: (performance.now() - start) / 1000,
    p50: percentile(order, 0.5),
    p99: percentile(order, 0.99),
    max: percentile(order, 1),
    answers
  }
}

process.on("message", async (load: Load) => process.send!(await generate(load)))
process.send!("ready")
