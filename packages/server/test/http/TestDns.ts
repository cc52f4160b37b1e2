import { NodeDns } from "@effect/platform-node"
import { Effect, Layer } from "effect"
import { Dns, NetAddress } from "effect/net"
import { createSocket } from "node:dgram"
import { once } from "node:events"
import { isIPv6 } from "node:net"

/** Addresses of a name, asked anew for each query; `type` is 1 for A and 28 for AAAA. Null: the server has failed. */
export type Answers = (name: string, type: number) => ReadonlyArray<string> | null

/** Answers every query at once, from loopback and with a lifetime of zero, until the scope closes. */
const dnsServer = (answers: Answers) =>
  Effect.acquireDisposable(
    Effect.promise(async () => {
      const socket = createSocket("udp4")
      socket.on("message", (query, sender) => {
        const { end, name } = question(query)
        const type = query.readUInt16BE(end)
        const answer = answers(name, type)
        const addresses = (answer ?? []).filter((address) => isIPv6(address) === (type === 28))
        const head = Buffer.from(query.subarray(0, 12))
        head.writeUInt16BE(answer === null ? 0x8182 : 0x8180, 2)
        head.writeUInt16BE(addresses.length, 6)
        head.writeUInt32BE(0, 8)
        const records = addresses.map((address) => {
          const parsed = NetAddress.ipFromStringUnsafe(address)
          const bytes = Buffer.from(
            NetAddress.isIpv4Address(parsed)
              ? NetAddress.ipv4ToOctets(parsed)
              : NetAddress.ipv6ToOctets(parsed)
          )
          return Buffer.concat([Buffer.of(0xc0, 12, 0, type, 0, 1, 0, 0, 0, 0, 0, bytes.length), bytes])
        })
        socket.send(
          Buffer.concat([head, query.subarray(12, end + 4), ...records]),
          sender.port,
          sender.address
        )
      })
      socket.bind(0, "127.0.0.1")
      await once(socket, "listening")
      return { port: socket.address().port, [Symbol.dispose]: () => socket.close() }
    })
  )

const question = (query: Buffer) => {
  const labels: Array<string> = []
  let at = 12
  for (let length = query[at] ?? 0; length > 0; length = query[at] ?? 0) {
    labels.push(query.toString("latin1", at + 1, at + 1 + length))
    at += 1 + length
  }
  return { name: labels.join(".").toLowerCase(), end: at + 1 }
}

/** Node's own resolver, asking a DNS server of the test. */
export const testDns = (answers: Answers) =>
  Layer.effect(
    Dns.Dns,
    Effect.flatMap(dnsServer(answers), ({ port }) =>
      Effect.orDie(NodeDns.make({ nameServers: [`127.0.0.1:${port}`] }))
    )
  )
