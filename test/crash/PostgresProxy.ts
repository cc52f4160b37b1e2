import { Effect, type Scope } from "effect"
import { once } from "node:events"
import { type AddressInfo, connect, createServer, type Socket } from "node:net"
import type { Interceptor } from "./Interceptor.ts"
import { MessageReader, Statements, writeIn } from "./WireMessages.ts"

/** Between a service and PostgreSQL: counts the writes, and can be taken away like a network. */
export interface PostgresProxy {
  /** The way through it to the same database. */
  readonly url: string
  /** Breaks every connection and lets none in until `up`. */
  readonly down: () => void
  readonly up: () => void
  /** No connection answers or ends any more, as when the machine behind it disappears; new ones meet silence until `lead`. */
  readonly vanish: () => void
  /** Leads new connections to another server, as an address does that moves. */
  readonly lead: (databaseUrl: string) => void
}

export const startPostgresProxy = (
  databaseUrl: string,
  interceptor: Interceptor
): Effect.Effect<PostgresProxy, never, Scope.Scope> =>
  Effect.map(
    Effect.acquireRelease(
      Effect.promise(async () => {
        const sockets = new Set<Socket>()
        const databases = new Map<Socket, Socket>()
        const vanished = new Set<Socket>()
        let open = true
        let target: URL | undefined = new URL(databaseUrl)
        const keep = (socket: Socket) => {
          sockets.add(socket)
          socket.on("error", () => {})
          socket.once("close", () => sockets.delete(socket))
        }
        const server = createServer({ noDelay: true }, (client) => {
          if (!open) return client.destroy()
          keep(client)
          if (target === undefined) return client.resume()
          const database = connect({ host: target.hostname, port: Number(target.port), noDelay: true })
          keep(database)
          databases.set(client, database)
          const drop = () => {
            database.destroy()
            if (!vanished.has(client)) client.destroy()
          }
          client.once("close", () => {
            databases.delete(client)
            drop()
          })
          database.once("close", drop)
          relay(client, database, interceptor, drop)
        })
        server.listen(0, "127.0.0.1")
        await once(server, "listening")
        const breakAll = () => sockets.forEach((socket) => socket.destroy())
        return {
          server,
          breakAll,
          setOpen: (value: boolean) => (open = value),
          vanish: () => {
            target = undefined
            for (const [client, database] of databases) {
              vanished.add(client)
              database.destroy()
            }
          },
          lead: (url: string) => void (target = new URL(url))
        }
      }),
      ({ server, breakAll }) =>
        Effect.sync(() => {
          server.close()
          breakAll()
        })
    ),
    ({ server, breakAll, setOpen, vanish, lead }) => {
      const through = new URL(databaseUrl)
      through.hostname = "127.0.0.1"
      through.port = String((server.address() as AddressInfo).port)
      return {
        url: through.href,
        down: () => {
          setOpen(false)
          breakAll()
        },
        up: () => void setOpen(true),
        vanish,
        lead
      }
    }
  )

const relay = (client: Socket, database: Socket, interceptor: Interceptor, drop: () => void) => {
  const alive = interceptor.watch()
  const statements = new Statements()
  /** The writes of the requests that PostgreSQL has not answered yet; a request ends with its Sync. */
  const unanswered: Array<Array<string>> = []
  let request: Array<string> = []

  const forward = async () => {
    const reader = new MessageReader({ opening: true })
    for await (const chunk of client) {
      for (const message of reader.read(chunk as Buffer)) {
        const write = writeIn(statements.runBy(message) ?? "")
        if (write !== undefined) {
          const step = interceptor.pass(write)
          if (!(await interceptor.reach(step, "before"))) return drop()
          request.push(step)
        }
        if (message.type === "S" || message.type === "Q") {
          unanswered.push(request)
          request = []
        }
        if (!alive()) return drop()
        database.write(message.bytes)
      }
    }
  }

  const answer = async () => {
    const reader = new MessageReader({ opening: false })
    let withheld: Array<Buffer> = []
    for await (const chunk of database) {
      for (const { type, bytes } of reader.read(chunk as Buffer)) {
        const done = unanswered[0]?.find((step) => interceptor.isAt(step, "done"))
        if (done !== undefined) withheld.push(bytes)
        if (type === "Z") {
          // Only with this has PostgreSQL committed.
          unanswered.shift()
          if (done !== undefined && !(await interceptor.reach(done, "done"))) return drop()
        }
        if (!alive()) return drop()
        if (done === undefined) client.write(bytes)
        else if (type === "Z") {
          withheld.forEach((part) => client.write(part))
          withheld = []
        }
      }
    }
  }

  forward().catch(drop)
  answer().catch(drop)
}
