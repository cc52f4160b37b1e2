import { assert, describe, it, vi } from "@effect/vitest"
import {
  Arbitrary,
  ConfigProvider,
  Context,
  Deferred,
  Effect,
  Exit,
  Fiber,
  Layer,
  Result,
  Schema,
  Scope,
  Stream
} from "effect"
import { HttpClient, HttpClientRequest } from "effect/http"
import { Dns } from "effect/net"
import { createServer, type IncomingHttpHeaders } from "node:http"
import { createServer as createTlsServer } from "node:https"
import { Socket } from "node:net"
import { getCACertificates, setDefaultCACertificates } from "node:tls"
import { inspect } from "node:util"
import { AppConfig } from "@carillon/server/AppConfig"
import { makeGuardedDispatcher } from "@carillon/server/http/GuardedDispatcher"
import { RemoteFetch, type RemoteFetchOptions } from "@carillon/server/http/RemoteFetch"
import { RemoteFetchError } from "@carillon/server/http/RemoteFetchError"
import { hostileUrls, loopbackUrls } from "./HostileUrls.ts"
import { testCertificate } from "./TestCertificate.ts"
import { testDns } from "./TestDns.ts"
import { listening, rawServer } from "./TestServer.ts"

const publicAddress = "93.184.216.34"
const otherAddress = "93.184.216.35"
const publicIpv6 = "2606:2800:220:1::34"

type Names = Record<string, ReadonlyArray<string> | ((type: number) => ReadonlyArray<string> | null)>

const everyName: Names = { "media.test": [publicAddress], "next.test": [otherAddress] }

/** DNS from a table. A function in it answers each query anew. */
const dnsOf = (names: Names) =>
  testDns((name, type) => {
    const entry = names[name] ?? []
    return typeof entry === "function" ? entry(type) : entry
  })

const remoteFetch = (options: Partial<RemoteFetchOptions> = {}, names = everyName) =>
  Layer.build(RemoteFetch.layerWith(options).pipe(Layer.provide(dnsOf(names)))).pipe(
    Effect.map(Context.get(RemoteFetch))
  )

/** Sends connections for the public address to a server on this machine, whatever the port; no other is touched. */
const at = (server: { readonly port: number }, address = publicAddress) => ({
  connectTo: (checked: string) => (checked === address ? { host: "127.0.0.1", port: server.port } : undefined)
})

/** Where sockets of this process are connected to from here on, seen below undici and the code under test. */
const socketsOpened = Effect.acquireRelease(
  Effect.sync(() => vi.spyOn(Socket.prototype, "connect")),
  (spy) => Effect.sync(() => spy.mockRestore())
).pipe(Effect.map((spy) => () => spy.mock.calls.length))

const text = (bytes: Stream.Stream<Uint8Array, RemoteFetchError>) =>
  bytes.pipe(Stream.decodeText, Stream.mkString)

const fetched = (fetch: RemoteFetch["Service"], url: string, maxBytes = 1_000_000) =>
  Effect.scoped(Effect.flatMap(fetch.download(url, { maxBytes }), ({ content }) => text(content)))

const refusal = (fetch: RemoteFetch["Service"], url: string, maxBytes?: number) =>
  Effect.flip(fetched(fetch, url, maxBytes))

const ok = (body: string, headers = "") =>
  `HTTP/1.1 200 OK\r\ncontent-length: ${Buffer.byteLength(body)}\r\n${headers}\r\n${body}`

describe("a hostile URL", () => {
  it.live.each(hostileUrls)("a hostile URL is refused before any connection: $url", ({ url, reason, says }) =>
    Effect.gen(function* () {
      const forbidden = yield* rawServer((socket) => socket.end(ok("secret")))
      const fetch = yield* remoteFetch({ allowedPorts: [80, 443, forbidden.port] })
      const spelled = url.replaceAll("PORT", String(forbidden.port))
      const sockets = yield* socketsOpened

      const error = yield* refusal(fetch, spelled)
      assert.strictEqual(error.reason, reason)
      assert.include(error.message, says)
      assert.isFalse(error.retryable)
      assert.isTrue(error.neverSent)
      assert.isBelow(error.message.length, 500)
      assert.notInclude(error.message, "secret")

      assert.strictEqual((yield* Effect.flip(fetch.check(spelled))).message, error.message)
      assert.strictEqual(sockets(), 0)
      assert.strictEqual(forbidden.connections(), 0)
    })
  )

  it.live("a hostile URL is refused by the client as well", () =>
    Effect.gen(function* () {
      const forbidden = yield* rawServer((socket) => socket.end(ok("secret")))
      const fetch = yield* remoteFetch({ allowedPorts: [80, 443, forbidden.port] })
      const sockets = yield* socketsOpened
      for (const { url, reason } of hostileUrls) {
        const error = yield* Effect.flip(fetch.client.get(url.replaceAll("PORT", String(forbidden.port))))
        assert.instanceOf(error.cause, RemoteFetchError, url)
        assert.strictEqual((error.cause as RemoteFetchError).reason, reason, url)
        assert.strictEqual(error.reason._tag, "InvalidUrlError", url)
      }
      assert.strictEqual(sockets(), 0)
    })
  )

  it.live.each([301, 302, 303, 307, 308])(
    "a hostile URL is refused as the target of a %i redirect",
    (status) =>
      Effect.gen(function* () {
        const forbidden = yield* rawServer((socket) => socket.end(ok("secret")))
        const spelledAs = (url: string) => url.replaceAll("PORT", String(forbidden.port))
        let location = ""
        const server = yield* rawServer((socket) =>
          socket.end(`HTTP/1.1 ${status} Moved\r\nlocation: ${location}\r\ncontent-length: 0\r\n\r\n`)
        )
        const fetch = yield* remoteFetch({ ...at(server), allowedPorts: [80, 443, forbidden.port] })
        const sockets = yield* socketsOpened
        // A header cannot carry line ends, and what names no host leads back to the public server.
        const absolute = hostileUrls.filter(
          ({ url }) => URL.canParse(spelledAs(url)) && !/[\s\0]|^http:\/?[^/\\]/.test(url)
        )
        assert.isAbove(absolute.length, 100)
        // One status leads to all of them, the others to some.
        const targets = status === 302 ? absolute : absolute.filter((_, index) => index % 10 === 0)
        for (const { url, reason } of targets) {
          location = spelledAs(url)
          const error = yield* refusal(fetch, "http://media.test/a.jpg")
          assert.strictEqual(error.reason, reason, url)
        }
        assert.strictEqual(sockets(), targets.length)
        assert.strictEqual(forbidden.connections(), 0)
      })
  )

  it.live("a hostile URL is refused for its length, and cut in the message", () =>
    Effect.gen(function* () {
      const fetch = yield* remoteFetch()
      const error = yield* refusal(fetch, `http://media.test/${"a".repeat(8200)}`)
      assert.strictEqual(error.reason, "url_not_allowed")
      assert.include(error.message, "has 8218 characters, more than 8192")
      assert.isBelow(error.message.length, 400)
    })
  )

  it.live.each(loopbackUrls)("would have reached the forbidden listener: $url", ({ url }) =>
    Effect.gen(function* () {
      const server = yield* rawServer((socket) => socket.end(ok("private")))
      const fetch = yield* remoteFetch({ allowPrivateHosts: true })
      assert.strictEqual(yield* fetched(fetch, url.replaceAll("PORT", String(server.port))), "private")
    })
  )
})

describe("a host name", () => {
  const privateAddresses = [
    "127.0.0.1",
    "10.0.0.1",
    "169.254.169.254",
    "168.63.129.16",
    "0.0.0.0",
    "::1",
    "::ffff:93.184.216.34",
    "::127.0.0.1",
    "fe80::1",
    "fd00:ec2::254",
    "64:ff9b::5db8:d822",
    "2002:7f00:1::",
    "2001::1"
  ]

  it.live.each(privateAddresses)("a host name with the address %s is refused", (address) =>
    Effect.gen(function* () {
      const fetch = yield* remoteFetch({}, { "rebound.test": [address] })
      const sockets = yield* socketsOpened
      for (const url of ["http://rebound.test/", "https://rebound.test/", "http://rebound.test./"]) {
        const error = yield* refusal(fetch, url)
        assert.strictEqual(error.reason, "address_not_allowed")
        assert.include(error.message, `The name "rebound.test" has an address that is not public`)
        assert.notInclude(error.message, address)
      }
      assert.strictEqual(sockets(), 0)
    })
  )

  it.live.each([
    [publicAddress, "127.0.0.1"],
    ["127.0.0.1", publicAddress],
    [publicAddress, otherAddress, publicIpv6, "fd00::1"]
  ])(
    "a host name is refused with one address that is not public, whatever the order: %s, %s",
    (...[addresses]) =>
      Effect.gen(function* () {
        const fetch = yield* remoteFetch({}, { "mixed.test": addresses })
        const sockets = yield* socketsOpened
        assert.strictEqual((yield* refusal(fetch, "http://mixed.test/")).reason, "address_not_allowed")
        assert.strictEqual(sockets(), 0)
      })
  )

  it.live(
    "a host name that answers differently each time is looked up once per connection and never reached inside",
    () =>
      Effect.gen(function* () {
        const forbidden = yield* rawServer((socket) => socket.end(ok("secret")))
        const server = yield* rawServer((socket) => socket.end(ok("public")))
        const answers: Array<string> = []
        const fetch = yield* remoteFetch(
          { ...at(server), allowedPorts: [forbidden.port] },
          {
            "rebound.test": (type) => {
              if (type === 28) return []
              answers.push(answers.length % 2 === 0 ? publicAddress : "127.0.0.1")
              return answers.slice(-1)
            }
          }
        )
        const url = `http://rebound.test:${forbidden.port}/`
        for (let round = 0; round < 5; round++) {
          assert.strictEqual(yield* fetched(fetch, url), "public")
          assert.strictEqual((yield* refusal(fetch, url)).reason, "address_not_allowed")
        }
        assert.strictEqual(answers.length, 10)
        assert.strictEqual(server.connections(), 5)
        assert.strictEqual(forbidden.connections(), 0)
      })
  )

  it.live("a host name that turns private between two hops of one download is refused", () =>
    Effect.gen(function* () {
      const server = yield* rawServer((socket) =>
        socket.end("HTTP/1.1 302 Found\r\nlocation: /again\r\nconnection: close\r\n\r\n")
      )
      const answers = [[publicAddress], ["127.0.0.1"]]
      const fetch = yield* remoteFetch(at(server), {
        "rebound.test": (type) => (type === 28 ? [] : (answers.shift() ?? []))
      })
      assert.strictEqual((yield* refusal(fetch, "http://rebound.test/")).reason, "address_not_allowed")
      assert.strictEqual(server.connections(), 1)
    })
  )

  it.live("a host name is connected to at the very address that was checked, and stays the Host", () =>
    Effect.gen(function* () {
      const heads: Array<string> = []
      const server = yield* rawServer((socket, head) => {
        heads.push(head)
        socket.end(ok("bytes"))
      })
      const targets: Array<string> = []
      const fetch = yield* remoteFetch(
        {
          connectTo: (address, port) => {
            targets.push(`${address} ${port}`)
            return { host: "127.0.0.1", port: server.port }
          }
        },
        { ...everyName, "six.test": [publicIpv6] }
      )
      for (const url of [
        "http://media.test/a",
        "http://MEDIA.test.:80/a",
        `http://[${publicIpv6}]/a`,
        "http://six.test/a",
        `http://${publicAddress}/a`
      ]) {
        assert.strictEqual(yield* fetched(fetch, url), "bytes")
      }
      const hosts = heads.map((head) => /^host: (.*)$/m.exec(head)?.[1])
      assert.deepStrictEqual(hosts, [
        "media.test",
        "media.test",
        `[${publicIpv6}]`,
        "six.test",
        publicAddress
      ])
      assert.deepStrictEqual(targets, [
        `${publicAddress} 80`,
        `${publicAddress} 80`,
        `${publicIpv6} 80`,
        `${publicIpv6} 80`,
        `${publicAddress} 80`
      ])
    })
  )

  it.live("a host name is reached at its next address when the first does not answer", () =>
    Effect.gen(function* () {
      const server = yield* rawServer((socket) => socket.end(ok("second")))
      const gone = yield* Effect.scoped(rawServer(() => {}))
      const fetch = yield* remoteFetch(
        {
          connectTo: (address) => ({
            host: "127.0.0.1",
            port: address === publicAddress ? gone.port : server.port
          })
        },
        { "two.test": [publicAddress, otherAddress] }
      )
      assert.strictEqual(yield* fetched(fetch, "http://two.test/"), "second")
    })
  )

  it.live("a host name is reached by one kind of address when the DNS fails for the other", () =>
    Effect.gen(function* () {
      const server = yield* rawServer((socket) => socket.end(ok("bytes")))
      const half: Names = { "half.test": (type) => (type === 28 ? null : [publicAddress]) }
      assert.strictEqual(yield* fetched(yield* remoteFetch(at(server), half), "http://half.test/"), "bytes")
    })
  )

  it.live("a host name may be looked up again when the DNS has failed", () =>
    Effect.gen(function* () {
      const error = yield* refusal(
        yield* remoteFetch({}, { "broken.test": () => null }),
        "http://broken.test/"
      )
      assert.strictEqual(error.reason, "unresolvable")
      assert.include(error.message, "(ServerFailure)")
      assert.isTrue(error.retryable)
    })
  )

  it.live("without an address, or whose look-up never ends, is unresolvable", () =>
    Effect.gen(function* () {
      const fetch = yield* remoteFetch()
      const missing = yield* refusal(fetch, "http://nowhere.test/")
      assert.strictEqual(missing.reason, "unresolvable")
      assert.include(missing.message, `The name "nowhere.test" could not be looked up (NotFound)`)
      assert.isFalse(missing.retryable)

      const never = Dns.make({ lookup: () => Effect.never, resolve: () => Effect.never })
      const slow = yield* Layer.build(
        RemoteFetch.layerWith({ connectTimeout: "20 millis" }).pipe(
          Layer.provide(Layer.succeed(Dns.Dns, never))
        )
      ).pipe(Effect.map(Context.get(RemoteFetch)))
      const unanswered = yield* refusal(slow, "http://media.test/")
      assert.strictEqual(unanswered.reason, "unresolvable")
      assert.isTrue(unanswered.retryable)
      assert.isTrue(unanswered.neverSent)
    })
  )
})

describe("the connector", () => {
  it.live.each([
    "http://127.0.0.1",
    "http://[::1]",
    "http://[::ffff:7f00:1]",
    "https://10.0.0.1",
    "http://localhost",
    "http://localhost.",
    "http://media.test:22"
  ])("refuses %s by itself, because undici asks no look-up about an IP literal", (origin) =>
    Effect.gen(function* () {
      const sockets = yield* socketsOpened
      const dispatcher = yield* makeGuardedDispatcher({
        allowPrivateHosts: false,
        allowedPorts: [80, 443],
        connectTimeout: "1 second"
      }).pipe(Effect.provideContext(yield* Layer.build(dnsOf(everyName))))
      const error = yield* Effect.promise(() =>
        dispatcher.request({ origin, path: "/", method: "GET" }).then(
          () => undefined,
          (cause: unknown) => cause
        )
      )
      assert.include(["address_not_allowed", "url_not_allowed"], (error as RemoteFetchError).reason)
      assert.strictEqual(sockets(), 0)
    })
  )
})

describe("a server that cannot be reached", () => {
  it.live("a server that cannot be reached is unreachable, and nothing was sent", () =>
    Effect.gen(function* () {
      const gone = yield* Effect.scoped(rawServer(() => {}))
      const error = yield* refusal(yield* remoteFetch(at(gone)), "http://media.test/a?token=secret")
      assert.strictEqual(error.reason, "unreachable")
      assert.include(error.message, `"http://media.test" could not be connected to (ECONNREFUSED)`)
      assert.isTrue(error.retryable)
      assert.isTrue(error.neverSent)
    })
  )

  it.live("a server does not get TLS to work, or has no valid certificate for its name", () =>
    Effect.gen(function* () {
      const garbage = yield* listening(createServer())
      const notTls = yield* refusal(yield* remoteFetch(at(garbage)), "https://media.test/a")
      assert.strictEqual(notTls.reason, "unreachable")

      const stranger = yield* listening(
        createTlsServer(testCertificate(["media.test"]), (_, answer) => answer.end())
      )
      const unsigned = yield* refusal(yield* remoteFetch(at(stranger)), "https://media.test/a")
      assert.strictEqual(unsigned.reason, "unreachable")
      assert.include(unsigned.message, "(DEPTH_ZERO_SELF_SIGNED_CERT)")
      assert.isTrue(unsigned.neverSent)
    })
  )
})

describe("https", () => {
  const certificate = testCertificate(["media.test", "next.test"])
  const trusted = Effect.acquireRelease(
    Effect.sync(() => {
      const before = getCACertificates("default")
      setDefaultCACertificates([...before, certificate.cert])
      return before
    }),
    (before) => Effect.sync(() => setDefaultCACertificates(before))
  )

  it.live("asks for the name and checks the certificate against it, though it connects to an address", () =>
    Effect.gen(function* () {
      yield* trusted
      const names: Array<string> = []
      const SNICallback = (name: string, done: (error: null) => void) => {
        names.push(name)
        done(null)
      }
      const server = yield* listening(
        createTlsServer({ ...certificate, SNICallback }, (_, answer) => answer.end("bytes"))
      )
      const fetch = yield* remoteFetch(at(server), { ...everyName, "other.test": [publicAddress] })
      assert.strictEqual(yield* fetched(fetch, "https://media.test/a"), "bytes")
      assert.strictEqual(yield* fetched(fetch, "https://media.test./a"), "bytes")

      const other = yield* refusal(fetch, "https://other.test/a")
      assert.strictEqual(other.reason, "unreachable")
      assert.include(other.message, "ERR_TLS_CERT_ALTNAME_INVALID")
      const address = yield* refusal(fetch, `https://${publicAddress}/a`)
      assert.include(address.message, "ERR_TLS_CERT_ALTNAME_INVALID")
      assert.deepStrictEqual(names, ["media.test", "media.test", "other.test"])
    })
  )

  it.live("https is never left by a redirect, and may be entered by one", () =>
    Effect.gen(function* () {
      yield* trusted
      const plain = yield* rawServer((socket) =>
        socket.end("HTTP/1.1 301 Moved\r\nlocation: https://next.test/b\r\ncontent-length: 0\r\n\r\n")
      )
      const secure = yield* listening(
        createTlsServer(certificate, (request, answer) =>
          request.url === "/down"
            ? answer.writeHead(302, { location: "http://media.test/a" }).end()
            : answer.end("bytes")
        )
      )
      const fetch = yield* remoteFetch({
        connectTo: (_, port) => ({ host: "127.0.0.1", port: port === 443 ? secure.port : plain.port })
      })
      assert.strictEqual(yield* fetched(fetch, "http://media.test/a"), "bytes")
      const error = yield* refusal(fetch, "https://next.test/down")
      assert.strictEqual(error.reason, "url_not_allowed")
      assert.include(error.message, `"https://next.test/down" redirects from https to http`)
      assert.strictEqual(plain.connections(), 1)
    })
  )
})

describe("an answer", () => {
  /** What a download from a server that answers so fails with, or its text. */
  const answered = (
    answer: (socket: Socket, head: string) => void,
    options: Partial<RemoteFetchOptions> = {},
    maxBytes = 1000
  ) =>
    Effect.gen(function* () {
      const server = yield* rawServer(answer)
      const fetch = yield* remoteFetch({ ...at(server), ...options })
      return yield* fetched(fetch, "http://media.test/a.jpg?token=secret", maxBytes)
    }).pipe(Effect.scoped)

  const refusedAnswer = (...parameters: Parameters<typeof answered>) => Effect.flip(answered(...parameters))

  /** Sends a piece again and again until the other side has had enough, as fast as it takes them. */
  const endlessly = (socket: Socket, piece: string) => {
    const write = () => {
      while (!socket.destroyed && socket.write(piece));
      socket.once("drain", write)
    }
    write()
  }
  const dripping = (socket: Socket, piece: string) => {
    const timer = setInterval(() => socket.write(piece), 5)
    socket.on("close", () => clearInterval(timer))
  }

  it.live.each<{
    name: string
    says: string
    limits: Partial<RemoteFetchOptions>
    maxBytes?: number
    answer: (socket: Socket) => void
  }>([
    {
      name: "that never comes",
      says: "sent nothing for 100ms",
      limits: { firstByte: "100 millis" },
      answer: () => {}
    },
    {
      name: "whose headers drip",
      says: "sent nothing for 100ms",
      limits: { firstByte: "100 millis" },
      answer: (socket) => {
        socket.write("HTTP/1.1 200 OK\r\nx: ")
        dripping(socket, "x")
      }
    },
    {
      name: "that is announced again and again",
      says: "sent nothing for 100ms",
      limits: { firstByte: "100 millis" },
      answer: (socket) => dripping(socket, "HTTP/1.1 103 Early Hints\r\nlink: x\r\n\r\n")
    },
    {
      name: "that falls silent",
      says: "sent nothing for 100ms",
      limits: { idle: "100 millis" },
      answer: (socket) => socket.write("HTTP/1.1 200 OK\r\ncontent-length: 100\r\n\r\nbegin")
    },
    {
      name: "whose body drips",
      says: "was not complete within 200ms",
      limits: { total: "200 millis" },
      answer: (socket) => {
        socket.write("HTTP/1.1 200 OK\r\ncontent-length: 900\r\n\r\n")
        dripping(socket, "x")
      }
    },
    {
      name: "that pours without end",
      says: "was not complete within 200ms",
      limits: { total: "200 millis" },
      maxBytes: Infinity,
      answer: (socket) => {
        socket.write("HTTP/1.1 200 OK\r\nconnection: close\r\n\r\n")
        endlessly(socket, "x".repeat(10_000))
      }
    },
    {
      name: "made of chunk extensions only",
      says: "sent nothing for 100ms",
      limits: { idle: "100 millis" },
      answer: (socket) => {
        socket.write("HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n1;")
        dripping(socket, "x".repeat(100))
      }
    }
  ])("$name is timed out", ({ answer, limits, maxBytes, says }) =>
    Effect.gen(function* () {
      const error = yield* refusedAnswer(answer, limits, maxBytes)
      assert.strictEqual(error.reason, "timed_out")
      assert.include(error.message, `"http://media.test/a.jpg" ${says}`)
      assert.isTrue(error.retryable)
      assert.isFalse(error.neverSent)
    })
  )

  it.live("an answer whose next piece is always at hand meets the deadline too", () =>
    Effect.gen(function* () {
      const server = yield* rawServer((socket) => socket.end(ok("x".repeat(2_000_000))))
      const fetch = yield* remoteFetch({ ...at(server), total: "2 seconds" })
      const { content } = yield* fetch.download("http://media.test/a", { maxBytes: 2_000_000 })
      const slowly = Stream.tap(content, () => Effect.sleep("400 millis"))
      assert.strictEqual((yield* Effect.flip(Stream.runDrain(slowly))).reason, "timed_out")
    })
  )

  it.live.each<{ name: string; head: string; piece: string }>([
    { name: "in chunks", head: "transfer-encoding: chunked", piece: `3e8\r\n${"x".repeat(1000)}\r\n` },
    { name: "until the connection ends", head: "connection: close", piece: "x".repeat(1000) },
    { name: "of an absurd length within a small limit", head: "content-length: 900", piece: "x".repeat(1000) }
  ])("without end, $name, is cut at the limit", ({ head, piece }) =>
    Effect.gen(function* () {
      const closed = yield* Deferred.make<number>()
      const error = yield* Effect.flip(
        answered(
          (socket) => {
            socket.on("close", () => Deferred.doneUnsafe(closed, Effect.succeed(socket.bytesWritten)))
            socket.write(`HTTP/1.1 200 OK\r\n${head}\r\n\r\n`)
            endlessly(socket, piece)
          },
          {},
          800
        )
      )
      assert.strictEqual(error.reason, "too_large")
      assert.include(error.message, "has more than 800 bytes")
      // What the kernel buffers on both sides, and not more.
      assert.isBelow(yield* Deferred.await(closed), 20_000_000)
    })
  )

  it.live("an answer that announces too much is refused before its body", () =>
    Effect.gen(function* () {
      const error = yield* refusedAnswer((socket) =>
        socket.write("HTTP/1.1 200 OK\r\ncontent-length: 10000000000000\r\n\r\n")
      )
      assert.strictEqual(error.reason, "too_large")
    })
  )

  it.live("an answer is taken up to the limit and not a byte beyond", () =>
    Effect.gen(function* () {
      const chunked = (body: string) => (socket: Socket) =>
        socket.end(
          `HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n${body.length.toString(16)}\r\n${body}\r\n0\r\n\r\n`
        )
      assert.strictEqual((yield* answered(chunked("x".repeat(1000)))).length, 1000)
      assert.strictEqual((yield* refusedAnswer(chunked("x".repeat(1001)))).reason, "too_large")
    })
  )

  it.live("an answer that sends more than it announced gives what it announced", () =>
    Effect.gen(function* () {
      const body = yield* answered((socket) =>
        socket.end("HTTP/1.1 200 OK\r\ncontent-length: 5\r\n\r\nhello world")
      )
      assert.strictEqual(body, "hello")
    })
  )

  const lies: ReadonlyArray<{ name: string; bytes: string; says: string }> = [
    {
      name: "shorter than announced",
      bytes: "HTTP/1.1 200 OK\r\ncontent-length: 100\r\n\r\nshort",
      says: "ended early"
    },
    {
      name: "that ends between chunks",
      bytes: "HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n5\r\nhello\r\n",
      says: "ended early"
    },
    { name: "that ends in its head", bytes: "HTTP/1.1 200 OK\r\ncontent-le", says: "ended early" },
    { name: "that is empty", bytes: "", says: "ended early" },
    {
      name: "with two lengths",
      bytes: "HTTP/1.1 200 OK\r\ncontent-length: 5\r\ncontent-length: 6\r\n\r\nhello!",
      says: "is not as long as it announced"
    },
    {
      name: "with a length and chunks",
      bytes:
        "HTTP/1.1 200 OK\r\ncontent-length: 5\r\ntransfer-encoding: chunked\r\n\r\n5\r\nhello\r\n0\r\n\r\n",
      says: "is not as long as it announced"
    },
    {
      name: "with a negative length",
      bytes: "HTTP/1.1 200 OK\r\ncontent-length: -5\r\n\r\nhello",
      says: "is not valid HTTP"
    },
    {
      name: "with a chunk of absurd length",
      bytes: "HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\nfffffffffffffffff\r\nhello",
      says: "is not valid HTTP"
    },
    {
      name: "of another protocol",
      bytes: "SSH-2.0-OpenSSH_9.2 secret-banner\r\n",
      says: "is not valid HTTP"
    },
    { name: "without headers", bytes: "secret-banner\r\n\r\n", says: "is not valid HTTP" },
    {
      name: "that switches protocols",
      bytes: "HTTP/1.1 101 Switching Protocols\r\nconnection: upgrade\r\nupgrade: x\r\n\r\n",
      says: "ended early"
    },
    { name: "that asks to go on", bytes: "HTTP/1.1 100 Continue\r\n\r\n", says: "ended early" },
    {
      name: "with a huge header",
      bytes: `HTTP/1.1 200 OK\r\nx: ${"x".repeat(100_000)}\r\n\r\n`,
      says: "has headers of more than 16 KiB"
    },
    {
      name: "with very many headers",
      bytes: `HTTP/1.1 200 OK\r\n${"x: y\r\n".repeat(20_000)}\r\n`,
      says: "has headers of more than 16 KiB"
    }
  ]
  it.live.each(lies)("$name is refused, and not repeated in the error", ({ bytes, says }) =>
    Effect.gen(function* () {
      const error = yield* refusedAnswer((socket) => socket.end(bytes))
      assert.strictEqual(error.reason, "bad_response")
      assert.include(error.message, `The answer from "http://media.test/a.jpg" ${says}`)
      assert.notInclude(inspect(error, { depth: 10 }), "secret")
    })
  )

  it.live.each([
    "content-encoding: gzip",
    "content-encoding: br",
    "Content-Encoding: GZIP",
    "content-encoding: identity, deflate",
    "content-encoding: zstd\r\ncontent-encoding: identity",
    "transfer-encoding: gzip, chunked"
  ])("an answer with %s is refused, so that nothing is ever unpacked", (header) =>
    Effect.gen(function* () {
      const error = yield* refusedAnswer((socket) => {
        socket.write(`HTTP/1.1 200 OK\r\n${header}\r\n\r\n`)
        endlessly(socket, "\0".repeat(1000))
      })
      assert.strictEqual(error.reason, "encoded")
      assert.include(error.message, "turn compression off")
    })
  )

  it.live.each([201, 204, 206, 300, 302, 304, 400, 401, 403, 404, 408, 410, 429, 500, 503, 599, 999])(
    "an answer with the status %i and no redirect is refused, and its text is kept to itself",
    (status) =>
      Effect.gen(function* () {
        const error = yield* refusedAnswer((socket) =>
          socket.end(
            `HTTP/1.1 ${status} secret-reason\r\nx-secret: secret\r\nconnection: close\r\n\r\nsecret-body`
          )
        )
        assert.strictEqual(error.reason, "bad_status")
        assert.strictEqual(error.status, status)
        assert.strictEqual(error.retryable, [408, 429, 500, 503, 599].includes(status))
        assert.include(
          error.message,
          `"http://media.test/a.jpg" answered with status ${status} instead of 200`
        )
        assert.notInclude(inspect(error, { depth: 10 }), "secret")
      })
  )

  const pieces = [
    "HTTP/1.1 200 OK\r\n",
    "HTTP/1.1 302 Found\r\n",
    "HTTP/1.1 103 Hints\r\n",
    "HTTP/1.0 200\r\n",
    "location: /b\r\n",
    "content-length: 5\r\n",
    "content-length: 0\r\n",
    "transfer-encoding: chunked\r\n",
    "connection: close\r\n",
    "connection: upgrade\r\nupgrade: x\r\n",
    "keep-alive: timeout=0\r\n",
    "trailer: x\r\n",
    "\r\n",
    "\r\n\r\n",
    "\n",
    ":",
    "\0",
    "5\r\nhello\r\n",
    "0\r\n\r\n",
    "ffffffff\r\n",
    "hello",
    "\u00ff\u00fe"
  ]
  const anyAnswer = Arbitrary.array(Arbitrary.schema(Schema.Literals(pieces)), { maxLength: 12 })

  it.live.prop(
    "an answer of any kind gives bytes or a refusal, never a defect",
    [anyAnswer],
    ([answer]) =>
      Effect.gen(function* () {
        const result = yield* Effect.result(
          answered((socket) => socket.end(Buffer.from(answer.join(""), "latin1")), { firstByte: "1 second" })
        )
        assert.isTrue(Result.isSuccess(result) || result.failure._tag === "RemoteFetchError")
      }),
    { arbitrary: { runs: 300 } }
  )
})

describe("a redirect", () => {
  const redirecting = (target: (hop: number) => string, then = "bytes") =>
    Effect.gen(function* () {
      const heads: Array<string> = []
      const server = yield* rawServer((socket, head) => {
        heads.push(head)
        const hop = heads.length
        const location = target(hop)
        const answer =
          location === ""
            ? ok(then)
            : `HTTP/1.1 302 Found\r\nlocation: ${location}\r\nset-cookie: a=b\r\ncontent-length: 0\r\n\r\n`
        socket.end(Buffer.from(answer))
      })
      const fetch = yield* remoteFetch({ connectTo: () => ({ host: "127.0.0.1", port: server.port }) })
      return { fetch, heads }
    })

  it.live("a redirect is followed five times, to any spelling of a public place", () =>
    Effect.gen(function* () {
      const targets = [
        "/b",
        "c?d=e",
        "//next.test/f",
        "http://media.test/g/../h",
        "http://next.test./ü#part",
        ""
      ]
      const { fetch, heads } = yield* redirecting((hop) => targets[hop - 1] ?? "")
      const url = yield* Effect.scoped(
        Effect.map(fetch.download("http://media.test/a", { maxBytes: 10 }), ({ url }) => url)
      )
      assert.strictEqual(url, "http://next.test/%C3%BC")
      assert.deepStrictEqual(
        heads.map((head) => `${/^host: (.*)$/m.exec(head)?.[1]} ${head.split(" ")[1]}`),
        [
          "media.test /a",
          "media.test /b",
          "media.test /c?d=e",
          "next.test /f",
          "media.test /h",
          "next.test /%C3%BC"
        ]
      )
    })
  )

  it.live("a redirect is not followed a sixth time, in a row or in a circle", () =>
    Effect.gen(function* () {
      for (const target of [
        (hop: number) => `/${hop}`,
        () => "/a",
        (hop: number) => `http://${hop % 2 === 0 ? "media" : "next"}.test/a`
      ]) {
        const { fetch, heads } = yield* redirecting(target)
        const error = yield* refusal(fetch, "http://media.test/a?token=secret")
        assert.strictEqual(error.reason, "too_many_redirects")
        assert.include(error.message, `"http://media.test/a" redirects more than 5 times`)
        assert.isFalse(error.retryable)
        assert.strictEqual(heads.length, 6)
      }
    })
  )

  it.live("a redirect is only what has the status of one", () =>
    Effect.gen(function* () {
      const fetch = yield* remoteFetch(
        at(yield* rawServer((socket) => socket.end(ok("bytes", "location: http://127.0.0.1/\r\n"))))
      )
      assert.strictEqual(yield* fetched(fetch, "http://media.test/a"), "bytes")
    })
  )

  it.live("a redirect does not have its body read", () =>
    Effect.gen(function* () {
      const closed = yield* Deferred.make<void>()
      const server = yield* rawServer((socket, head) => {
        if (head.startsWith("GET /b")) return socket.end(ok("bytes"))
        socket.on("close", () => Deferred.doneUnsafe(closed, Effect.void))
        socket.write("HTTP/1.1 302 Found\r\nlocation: /b\r\ncontent-length: 1000000\r\n\r\n")
        return socket.write("x".repeat(1000))
      })
      const fetch = yield* remoteFetch(at(server))
      const { content } = yield* fetch.download("http://media.test/a", { maxBytes: 10 })
      yield* Deferred.await(closed)
      assert.strictEqual(yield* text(content), "bytes")
    })
  )
})

describe("a download", () => {
  it.live("sends nothing but what is needed", () =>
    Effect.gen(function* () {
      const requests: Array<{ url: string | undefined; headers: IncomingHttpHeaders }> = []
      const server = yield* listening(
        createServer((request, answer) => {
          requests.push({ url: request.url, headers: request.headers })
          if (request.url === "/b?c=%20d+e") return answer.end("bytes")
          return answer
            .writeHead(307, {
              location: "/b?c=%20d+e#part",
              "set-cookie": "session=1",
              "www-authenticate": "Basic"
            })
            .end()
        })
      )
      const fetch = yield* remoteFetch(at(server))
      const traced = Effect.withSpan(fetched(fetch, "http://media.test/a?b=c&d#e"), "outer")
      assert.strictEqual(yield* traced, "bytes")
      const headers = {
        host: "media.test",
        connection: "keep-alive",
        accept: "*/*",
        "accept-encoding": "identity",
        "user-agent": "Carillon"
      }
      assert.deepStrictEqual(requests, [
        { url: "/a?b=c&d", headers },
        { url: "/b?c=%20d+e", headers }
      ])
    })
  )

  const described = (headers: string, path = "/photos/cat%20one.jpg?x=y") =>
    Effect.gen(function* () {
      const server = yield* rawServer((socket) => socket.end(ok("bytes", headers)))
      const fetch = yield* remoteFetch(at(server))
      const { content: _, ...download } = yield* fetch.download(`http://media.test${path}`, { maxBytes: 10 })
      return download
    }).pipe(Effect.scoped)

  it.live("tells what the server says of the file", () =>
    Effect.gen(function* () {
      assert.deepStrictEqual(yield* described("Content-Type: IMAGE/JPEG; charset=x\r\n"), {
        url: "http://media.test/photos/cat%20one.jpg?x=y",
        content_type: "image/jpeg",
        declared_bytes: 5,
        file_name: "cat one.jpg"
      })
      assert.isNull((yield* described("content-type: nonsense\r\n")).content_type)
      assert.isNull((yield* described("")).content_type)
      const unknown = yield* described("", "/")
      assert.isNull(unknown.file_name)
    })
  )

  it.live.each([
    ['attachment; filename="dog.png"', "dog.png"],
    ["attachment; filename=dog.png", "dog.png"],
    ["inline; filename*=UTF-8''z%C3%BCrich.png; filename=\"zurich.png\"", "zürich.png"],
    [Buffer.from('attachment; filename="zürich.png"').toString("latin1"), "zürich.png"],
    ['attachment; filename="z\u00fcrich.png"', "zürich.png"],
    ['attachment; filename="../../etc/passwd"', "passwd"],
    ['attachment; filename="C:\\\\temp\\\\dog.png"', "dog.png"],
    ["attachment; filename*=UTF-8''..%2F..%2Fdog%00%0d%0a.png", "dog.png"],
    ["attachment; filename*=UTF-8''%E2%80%AEgnp.exe", "gnp.exe"],
    ["attachment; filename*=UTF-8''%ZZ.png", "%ZZ.png"],
    ["attachment", "cat one.jpg"],
    ['attachment; filename=""', "cat one.jpg"],
    ["; filename", "cat one.jpg"]
  ] as const)("takes the name from %s", ([disposition, name]) =>
    Effect.gen(function* () {
      const server = yield* rawServer((socket) =>
        socket.end(Buffer.from(ok("bytes", `content-disposition: ${disposition}\r\n`), "latin1"))
      )
      const fetch = yield* remoteFetch(at(server))
      const download = yield* fetch.download("http://media.test/photos/cat%20one.jpg", { maxBytes: 10 })
      assert.strictEqual(download.file_name, name)
    }).pipe(Effect.scoped)
  )

  it.live("a download gives the bytes as they are, megabytes of them", () =>
    Effect.gen(function* () {
      const bytes = Buffer.alloc(20_000_000, "0123456789abcdef")
      const server = yield* listening(createServer((_, answer) => answer.end(bytes)))
      const fetch = yield* remoteFetch(at(server))
      const received = yield* Effect.scoped(
        Effect.flatMap(fetch.download("http://media.test/a", { maxBytes: bytes.length }), ({ content }) =>
          Stream.mkUint8Array(content)
        )
      )
      assert.isTrue(bytes.equals(received))
    })
  )

  it.live("ends its connections with its scope, read or not", () =>
    Effect.gen(function* () {
      const closed = yield* Deferred.make<void>()
      const server = yield* rawServer((socket) => {
        socket.on("close", () => Deferred.doneUnsafe(closed, Effect.void))
        socket.write("HTTP/1.1 200 OK\r\ncontent-length: 100\r\n\r\nhello")
      })
      const fetch = yield* remoteFetch(at(server))
      const scope = yield* Scope.make()
      yield* Scope.provide(fetch.download("http://media.test/a", { maxBytes: 100 }), scope)
      yield* Scope.close(scope, Exit.void)
      yield* Deferred.await(closed)
    })
  )

  it.live("a download that is interrupted while it waits leaves no connection behind", () =>
    Effect.gen(function* () {
      const arrived = yield* Deferred.make<void>()
      const closed = yield* Deferred.make<void>()
      const server = yield* rawServer((socket) => {
        socket.on("close", () => Deferred.doneUnsafe(closed, Effect.void))
        Deferred.doneUnsafe(arrived, Effect.void)
      })
      const fetch = yield* remoteFetch(at(server))
      const fiber = yield* Effect.forkChild(fetched(fetch, "http://media.test/a"))
      yield* Deferred.await(arrived)
      yield* Fiber.interrupt(fiber)
      yield* Deferred.await(closed)
    })
  )
})

describe("the client", () => {
  const json = (body: unknown, headers = "") =>
    ok(JSON.stringify(body), `content-type: application/json\r\n${headers}`)
  const causeOf = (error: { readonly cause?: unknown }) => {
    assert.instanceOf(error.cause, RemoteFetchError)
    return error.cause as RemoteFetchError
  }

  it.live("calls a server, sends bodies of any kind, and uses its connection again", () =>
    Effect.gen(function* () {
      const server = yield* listening(
        createServer((request, answer) => {
          const pieces: Array<string> = []
          request.setEncoding("utf8").on("data", (piece: string) => pieces.push(piece))
          request.on("end", () =>
            answer.writeHead(201, { "content-type": "application/json", "set-cookie": ["a=b", "c=d"] }).end(
              JSON.stringify({
                method: request.method,
                url: request.url,
                headers: request.headers,
                body: pieces.join("")
              })
            )
          )
        })
      )
      const { client } = yield* remoteFetch(at(server))
      const sent = HttpClientRequest.post("http://media.test./xrpc/a?b=%20c", {
        headers: { authorization: "Bearer mine", host: "elsewhere.test" }
      })
      const content = Stream.make("one ", "two").pipe(Stream.encodeText)
      const inOne = HttpClientRequest.bodyText(sent, "one two")
      const inPieces = HttpClientRequest.bodyStream(sent, content)
      for (const request of [inOne, inPieces, inOne, inPieces, inOne, inPieces]) {
        const response = yield* Effect.withSpan(client.execute(request), "outer")
        assert.strictEqual(response.status, 201)
        assert.strictEqual(response.headers["content-type"], "application/json")
        const received = (yield* response.json) as Record<string, unknown> & {
          headers: IncomingHttpHeaders
        }
        assert.deepInclude(received, { method: "POST", url: "/xrpc/a?b=%20c", body: "one two" })
        assert.strictEqual(received.headers.host, "media.test")
        assert.strictEqual(received.headers.authorization, "Bearer mine")
        assert.strictEqual(received.headers["accept-encoding"], "identity")
        assert.doesNotHaveAnyKeys(received.headers, ["traceparent", "b3", "cookie"])
      }
      // undici needs a turn of the loop to see that a connection is free, and opens another meanwhile.
      assert.isBelow(server.connections(), 6)
    })
  )

  it.live("checks the URL as it is after the caller's own transformations", () =>
    Effect.gen(function* () {
      const forbidden = yield* rawServer((socket) => socket.end(json("secret")))
      const { client } = yield* remoteFetch({ allowedPorts: [80, forbidden.port] })
      const based = HttpClient.mapRequest(
        client,
        HttpClientRequest.prependUrl(`http://127.0.0.1:${forbidden.port}`)
      )
      assert.strictEqual(causeOf(yield* Effect.flip(based.get("/a"))).reason, "address_not_allowed")
      assert.strictEqual(forbidden.connections(), 0)
    })
  )

  it.live("follows no redirect unless asked, and then checks each hop", () =>
    Effect.gen(function* () {
      const forbidden = yield* rawServer((socket) => socket.end(json("secret")))
      const server = yield* rawServer((socket) =>
        socket.end(
          `HTTP/1.1 307 Moved\r\nlocation: http://127.0.0.1:${forbidden.port}/\r\ncontent-length: 0\r\n\r\n`
        )
      )
      const { client } = yield* remoteFetch({ ...at(server), allowedPorts: [80, forbidden.port] })
      assert.strictEqual((yield* client.get("http://media.test/a")).status, 307)
      const error = yield* Effect.flip(HttpClient.followRedirects(client).get("http://media.test/a"))
      assert.strictEqual(causeOf(error).reason, "address_not_allowed")
      assert.strictEqual(forbidden.connections(), 0)
    })
  )

  it.live.each([200, 204, 205, 299, 304, 404, 422, 500, 599])(
    "answers with the status %i as it is",
    (status) =>
      Effect.gen(function* () {
        const server = yield* rawServer((socket) =>
          socket.end(`HTTP/1.1 ${status} X\r\ncontent-length: 0\r\n\r\n`)
        )
        const response = yield* (yield* remoteFetch(at(server))).client.get("http://media.test/a")
        assert.strictEqual(response.status, status)
        assert.strictEqual(yield* response.text, "")
      })
  )

  it.live("leaves the body out where a status has none", () =>
    Effect.gen(function* () {
      const server = yield* rawServer((socket) =>
        socket.end("HTTP/1.1 205 Reset\r\ncontent-length: 5\r\n\r\nbytes")
      )
      const response = yield* (yield* remoteFetch(at(server))).client.get("http://media.test/a")
      assert.strictEqual(yield* response.text, "")
    })
  )

  const failures: ReadonlyArray<{
    name: string
    reason: RemoteFetchError["reason"]
    options?: Partial<RemoteFetchOptions>
    answer: (socket: Socket) => void
  }> = [
    {
      name: "an answer beyond the cap",
      reason: "too_large",
      options: { maxResponseBytes: 10 },
      answer: (socket) => socket.end(json("more than ten bytes"))
    },
    {
      name: "a status beyond 599",
      reason: "bad_status",
      answer: (socket) => socket.end("HTTP/1.1 999 Denied\r\ncontent-length: 0\r\n\r\n")
    },
    {
      name: "a content coding",
      reason: "encoded",
      answer: (socket) => socket.end(json("x", "content-encoding: gzip\r\n"))
    },
    {
      name: "an answer that ends early",
      reason: "bad_response",
      answer: (socket) => socket.end("HTTP/1.1 200 OK\r\ncontent-length: 9\r\n\r\nx")
    },
    { name: "no answer", reason: "bad_response", answer: (socket) => socket.destroy() },
    {
      name: "what is not HTTP",
      reason: "bad_response",
      answer: (socket) => socket.end("secret-banner\r\n\r\n")
    },
    {
      name: "a huge header",
      reason: "bad_response",
      answer: (socket) => socket.end(`HTTP/1.1 200 OK\r\nx: ${"x".repeat(20_000)}\r\n\r\n`)
    },
    // Time enough to be connected, which is what is closed in the end.
    { name: "silence", reason: "timed_out", options: { total: "2 seconds" }, answer: () => {} },
    {
      name: "a body that falls silent",
      reason: "timed_out",
      options: { idle: "100 millis" },
      answer: (socket) => socket.write("HTTP/1.1 200 OK\r\ncontent-length: 9\r\n\r\nx")
    }
  ]
  it.live.each(failures)(
    "fails on $name, lets go of the connection, and cannot say that nothing was sent",
    ({ reason, options, answer }) =>
      Effect.gen(function* () {
        const closed = yield* Deferred.make<void>()
        const server = yield* rawServer((socket) => {
          socket.on("close", () => Deferred.doneUnsafe(closed, Effect.void))
          answer(socket)
        })
        const { client } = yield* remoteFetch({ ...at(server), ...options })
        const error = yield* Effect.flip(client.post("http://media.test/a?token=secret"))
        assert.strictEqual(error.reason._tag, "TransportError")
        assert.strictEqual(causeOf(error).reason, reason)
        assert.isFalse(causeOf(error).neverSent)
        assert.notInclude(causeOf(error).message, "secret")
        assert.notInclude(inspect(causeOf(error), { depth: 10 }), "secret")
        yield* Deferred.await(closed)
      })
  )

  it.live("says of a server that is gone that nothing was sent", () =>
    Effect.gen(function* () {
      const gone = yield* Effect.scoped(rawServer(() => {}))
      const { client } = yield* remoteFetch(at(gone))
      for (const url of ["http://media.test/a", "http://nowhere.test/a"]) {
        const error = yield* Effect.flip(client.post(url))
        assert.isTrue(causeOf(error).neverSent)
        assert.isTrue(error.reason._tag === "TransportError")
      }
    })
  )

  it.live("the client does not blame the server for a request body that fails", () =>
    Effect.gen(function* () {
      const server = yield* rawServer(() => {})
      const { client } = yield* remoteFetch(at(server))
      const body = Stream.concat(Stream.make(new Uint8Array(3)), Stream.fail("the disk is gone"))
      const error = yield* Effect.flip(
        client.execute(HttpClientRequest.post("http://media.test/a").pipe(HttpClientRequest.bodyStream(body)))
      )
      assert.notInstanceOf(error.cause, RemoteFetchError)
    })
  )

  it.live("lets go of the connection when a call is interrupted", () =>
    Effect.gen(function* () {
      const arrived = yield* Deferred.make<void>()
      const closed = yield* Deferred.make<void>()
      const server = yield* rawServer((socket) => {
        socket.on("close", () => Deferred.doneUnsafe(closed, Effect.void))
        Deferred.doneUnsafe(arrived, Effect.void)
      })
      const { client } = yield* remoteFetch(at(server))
      const call = yield* Effect.forkChild(client.get("http://media.test/a"))
      yield* Deferred.await(arrived)
      yield* Fiber.interrupt(call)
      yield* Deferred.await(closed)
    })
  )

  it.live("survives header names that are special to JavaScript", () =>
    Effect.gen(function* () {
      const server = yield* rawServer((socket) =>
        socket.end(json({ a: 1 }, "__proto__: x\r\nconstructor: y\r\ntoString: z\r\nhasOwnProperty: z\r\n"))
      )
      const { client } = yield* remoteFetch(at(server))
      const response = yield* client.get("http://media.test/a")
      assert.deepStrictEqual(yield* response.json, { a: 1 })
    })
  )
})

describe("on a developer's machine", () => {
  const configured = (allow: "on" | "off") =>
    Layer.build(
      RemoteFetch.layer.pipe(
        Layer.provide(AppConfig.layer),
        Layer.provide(
          ConfigProvider.layer(ConfigProvider.fromUnknown({ CARILLON_ALLOW_PRIVATE_HOSTS: allow }))
        )
      )
    ).pipe(Effect.map(Context.get(RemoteFetch)))

  it.live("private hosts, local names and any port are allowed by configuration, and nothing else", () =>
    Effect.gen(function* () {
      const server = yield* rawServer((socket) => socket.end(ok("private")))
      const allowed = yield* configured("on")
      assert.strictEqual(yield* fetched(allowed, `http://localhost:${server.port}/`), "private")
      assert.strictEqual(yield* fetched(allowed, `http://127.0.0.1:${server.port}/`), "private")
      for (const url of [
        "file:///etc/passwd",
        "http://user:secret@127.0.0.1/",
        "http://127.0.0.1../",
        "ftp://127.0.0.1/"
      ]) {
        assert.strictEqual((yield* refusal(allowed, url)).reason, "url_not_allowed")
      }
      const refused = yield* configured("off")
      for (const host of ["localhost", "127.0.0.1"]) {
        const error = yield* refusal(refused, `http://${host}:${server.port}/`)
        assert.strictEqual(error.reason, "url_not_allowed")
        assert.strictEqual((yield* refusal(refused, `http://${host}/`)).reason, "address_not_allowed")
      }
      assert.strictEqual(server.connections(), 2)
    })
  )
})
