import * as NodeHttpClient from "@effect/platform-node/NodeHttpClient"
import { buildConnector, type Dispatcher } from "@effect/platform-node/Undici"
import { Cause, Duration, Effect, FiberSet, type Scope } from "effect"
import { Dns, type Host, NetAddress } from "effect/net"
import type { Socket } from "node:net"
import { specialUse } from "./PublicAddress.ts"
import { errorCode, RemoteFetchError } from "./RemoteFetchError.ts"
import { isAllowedPort, parseHost, portOf, type UrlRules } from "./RemoteUrl.ts"

export interface ConnectionRules extends UrlRules {
  /** The time for the lookup, and again for each address. */
  readonly connectTimeout: Duration.Input
  /** Tests only: the address to connect to instead of one that passed the rules; undefined: that one. */
  readonly connectTo?: (
    address: string,
    port: number
  ) => { readonly host: string; readonly port: number } | undefined
}

/**
 * An undici dispatcher that opens sockets only to addresses that passed the rules. The lookup and the check happen in the
 * connector, once per connection, and the socket gets the address itself: no second lookup could answer otherwise. Host
 * and SNI stay the name.
 */
export const makeGuardedDispatcher = Effect.fnUntraced(function* (
  rules: ConnectionRules
): Effect.fn.Return<Dispatcher, never, Dns.Dns | Scope.Scope> {
  const dns = yield* Dns.Dns
  const run = yield* FiberSet.makeRuntime<never>()
  const connectTimeout = Duration.toMillis(rules.connectTimeout)
  // HTTP/1.1 only: the bounds here may not hold for HTTP/2.
  const plain = buildConnector({ allowH2: false, timeout: connectTimeout })

  const connect = (options: buildConnector.Options, address: NetAddress.IpAddress) =>
    Effect.callback<Socket, RemoteFetchError>((resume) => {
      let abandoned = false
      const hostname = NetAddress.formatIp(address)
      const port = portOf(options)
      const target = rules.connectTo?.(hostname, port) ?? { host: hostname, port }
      plain({ ...options, hostname: target.host, port: String(target.port) }, (error, socket) => {
        if (error !== null) return resume(Effect.fail(unreachable(options, error)))
        if (abandoned) return socket.destroy()
        resume(Effect.succeed(socket))
      })
      return Effect.sync(() => {
        abandoned = true
      })
    })

  const lookUp: (name: Host.DomainName) => Effect.Effect<ReadonlyArray<NetAddress.IpAddress>, Dns.DnsError> =
    rules.allowPrivateHosts ? (name) => dns.lookup(name) : publicAddresses(dns)

  const open = Effect.fnUntraced(function* (options: buildConnector.Options) {
    if (!isAllowedPort(portOf(options), rules)) {
      return yield* new RemoteFetchError({
        reason: "url_not_allowed",
        message: `Port ${portOf(options)} is not one of ${rules.allowedPorts.join(", ")}.`,
        retryable: false
      })
    }
    const host = yield* Effect.fromResult(parseHost(options.hostname, rules))
    if (NetAddress.isIpAddress(host)) return yield* connect(options, host)
    const addresses = yield* lookUp(host).pipe(
      Effect.timeout(rules.connectTimeout),
      Effect.mapError((error) => unresolvable(host, error))
    )
    if (!rules.allowPrivateHosts && addresses.some((address) => specialUse(address) !== null)) {
      return yield* new RemoteFetchError({
        reason: "address_not_allowed",
        message:
          `The name "${host}" has an address that is not public. Every address of a host must be on the public ` +
          `internet: put the file where anyone can reach it.`,
        retryable: false
      })
    }
    // Two of each family, so that a family without a route from this machine does not use up the time.
    const candidates = [
      ...addresses.filter(NetAddress.isIpv4Address).slice(0, 2),
      ...addresses.filter(NetAddress.isIpv6Address).slice(0, 2)
    ]
    return yield* Effect.firstSuccessOf(candidates.map((address) => connect(options, address)))
  })

  return yield* NodeHttpClient.makeDispatcherOptions({
    allowH2: false,
    maxHeaderSize: 16 * 1024,
    // Otherwise a server may ask to keep its idle connection for ten minutes.
    keepAliveMaxTimeout: 10_000,
    connect: (options, callback) => {
      run(
        Effect.matchCause(open(options), {
          onFailure: (cause) => callback(Cause.squash(cause) as Error, null),
          onSuccess: (socket) => callback(null, socket)
        })
      )
    }
  })
})

/**
 * Asks the DNS itself and not the system: `getaddrinfo` holds one of the process's few threads for as long as a
 * stranger's name server pleases, and it knows the names of this machine and its network.
 */
const publicAddresses = (dns: Dns.Dns["Service"]) =>
  Effect.fnUntraced(function* (name: Host.DomainName) {
    const addressesOf = (type: "A" | "AAAA") =>
      Effect.map(dns.resolve(name, type), (records): ReadonlyArray<NetAddress.IpAddress> =>
        records.map(({ address }) => address)
      )
    const [found, errors] = yield* Effect.partition(["A", "AAAA"] as const, addressesOf, { concurrency: 2 })
    const addresses = found.flat()
    if (addresses.length > 0) return addresses
    return yield* errors.find(({ reason }) => reason !== "NotFound") ?? notFound(name)
  })

const notFound = (hostname: string) => new Dns.DnsError({ reason: "NotFound", method: "resolve", hostname })

const unresolvable = (name: string, error: Dns.DnsError | Cause.TimeoutError) => {
  const why = error._tag === "DnsError" ? error.reason : "Timeout"
  return new RemoteFetchError({
    reason: "unresolvable",
    message: `The name "${name}" could not be looked up (${why}). Check its spelling, and that it has an address.`,
    retryable: why !== "NotFound" && why !== "BadName"
  })
}

const unreachable = (options: buildConnector.Options, error: Error) =>
  new RemoteFetchError({
    reason: "unreachable",
    message:
      `"${options.protocol}//${options.host}" could not be connected to (${errorCode(error)}). ` +
      `Check that the server is up${options.protocol === "https:" ? " and its certificate is valid" : ""}.`,
    retryable: true
  })
