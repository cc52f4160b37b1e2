import { assert, describe, it } from "@effect/vitest"
import { Arbitrary, Schema } from "effect"
import { isPublicAddress, isPublicName, isPublicUrl } from "@carillon/server/http/PublicAddress"

// Addresses as numbers, by other means than the code under test.
const ipv4 = (value: bigint) => [24n, 16n, 8n, 0n].map((shift) => (value >> shift) & 255n).join(".")
const ipv6 = (value: bigint) =>
  [112n, 96n, 80n, 64n, 48n, 32n, 16n, 0n].map((shift) => ((value >> shift) & 65535n).toString(16)).join(":")

/** First and last address of every range that must never be connected to. */
const refusedIpv4: ReadonlyArray<readonly [name: string, first: bigint, last: bigint]> = [
  ["0/8", 0x00000000n, 0x00ffffffn],
  ["10/8", 0x0a000000n, 0x0affffffn],
  ["100.64/10", 0x64400000n, 0x647fffffn],
  ["127/8", 0x7f000000n, 0x7fffffffn],
  ["168.63.129.16", 0xa83f8110n, 0xa83f8110n],
  ["169.254/16", 0xa9fe0000n, 0xa9feffffn],
  ["172.16/12", 0xac100000n, 0xac1fffffn],
  ["192.0.0/24", 0xc0000000n, 0xc00000ffn],
  ["192.0.2/24", 0xc0000200n, 0xc00002ffn],
  ["192.88.99/24", 0xc0586300n, 0xc05863ffn],
  ["192.168/16", 0xc0a80000n, 0xc0a8ffffn],
  ["198.18/15", 0xc6120000n, 0xc613ffffn],
  ["198.51.100/24", 0xc6336400n, 0xc63364ffn],
  ["203.0.113/24", 0xcb007100n, 0xcb0071ffn],
  ["224/4 and 240/4", 0xe0000000n, 0xffffffffn]
]
const hextets = (...parts: ReadonlyArray<number>) =>
  parts.concat(Array(8 - parts.length).fill(0)).reduce((sum, part) => (sum << 16n) | BigInt(part), 0n)
const block = (name: string, first: bigint, prefix: bigint) =>
  [name, first, first | ((1n << (128n - prefix)) - 1n)] as const
const refusedIpv6 = [
  ["below 2000::/3", 0n, hextets(0x2000) - 1n] as const,
  block("2001::/23", hextets(0x2001), 23n),
  block("2001:db8::/32", hextets(0x2001, 0xdb8), 32n),
  block("2002::/16", hextets(0x2002), 16n),
  block("3fff::/20", hextets(0x3fff), 20n),
  ["above 2000::/3", hextets(0x4000), (1n << 128n) - 1n] as const
]
const inside = (ranges: ReadonlyArray<readonly [string, bigint, bigint]>, value: bigint) =>
  ranges.some(([, first, last]) => value >= first && value <= last)

const word = Arbitrary.schema(Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 0xffffffff })))
const anyIpv4 = Arbitrary.map(word, BigInt)
const anyIpv6 = Arbitrary.map(Arbitrary.all([word, word, word, word]), (words) =>
  words.reduce((sum, part) => (sum << 32n) | BigInt(part), 0n)
)

describe("a public address", () => {
  it.each(refusedIpv4)("a public address is not in %s", (_, first, last) => {
    assert.isFalse(isPublicAddress(ipv4(first)))
    assert.isFalse(isPublicAddress(ipv4(last)))
  })

  it.each(refusedIpv6)("a public address is not in %s", (_, first, last) => {
    assert.isFalse(isPublicAddress(ipv6(first)))
    assert.isFalse(isPublicAddress(ipv6(last)))
  })

  it("begins and ends exactly where a special range ends and begins", () => {
    const edges = [
      ...refusedIpv4.flatMap(([, first, last]) =>
        [first - 1n, last + 1n].map((edge) => [ipv4, refusedIpv4, edge, 32n] as const)
      ),
      ...refusedIpv6.flatMap(([, first, last]) =>
        [first - 1n, last + 1n].map((edge) => [ipv6, refusedIpv6, edge, 128n] as const)
      )
    ].filter(([, , edge, bits]) => edge >= 0n && edge < 1n << bits)
    for (const [spelled, ranges, edge] of edges) {
      assert.strictEqual(isPublicAddress(spelled(edge)), !inside(ranges, edge), spelled(edge))
    }
    assert.isAbove(edges.length, 35)
  })

  it.prop(
    "agrees with the ranges for any IPv4 address",
    [anyIpv4],
    ([value]) => isPublicAddress(ipv4(value)) === !inside(refusedIpv4, value),
    { arbitrary: { runs: 2000 } }
  )

  it.prop(
    "agrees with the ranges for any IPv6 address",
    [anyIpv6],
    ([value]) => isPublicAddress(ipv6(value)) === !inside(refusedIpv6, value),
    { arbitrary: { runs: 2000 } }
  )

  it.prop(
    "a public address is never anywhere inside a special network",
    [anyIpv6],
    ([value]) => {
      for (const [ranges, spelled] of [
        [refusedIpv4, ipv4],
        [refusedIpv6, ipv6]
      ] as const) {
        for (const [, first, last] of ranges) {
          assert.isFalse(isPublicAddress(spelled(first + (value % (last - first + 1n)))))
        }
      }
    },
    { arbitrary: { runs: 500 } }
  )

  it.prop(
    "a public address is never an IPv4 address in IPv6 clothes, public or not",
    [anyIpv4],
    ([value]) => {
      const prefixes = [0n, 0xffffn << 32n, 0xffffn << 48n, hextets(0x64, 0xff9b), hextets(0x64, 0xff9b, 1)]
      for (const prefix of prefixes) assert.isFalse(isPublicAddress(ipv6(prefix | value)))
      assert.isFalse(isPublicAddress(ipv6(hextets(0x2002) | (value << 80n))), "6to4")
      assert.isFalse(isPublicAddress(ipv6(hextets(0x2001) | value)), "Teredo")
      assert.isFalse(isPublicAddress(`::ffff:${ipv4(value)}`))
      assert.isFalse(isPublicAddress(`::${ipv4(value)}`))
    }
  )

  it("the addresses of known public servers are public", () => {
    for (const address of [
      "1.1.1.1",
      "8.8.8.8",
      "93.184.216.34",
      "168.63.129.15",
      "2606:4700:4700::1111",
      "2a00:1450:4001::200e"
    ]) {
      assert.isTrue(isPublicAddress(address), address)
    }
  })

  it("what is no address is no public address", () => {
    for (const text of [
      "",
      "localhost",
      "1.2.3",
      "01.2.3.4",
      "1.2.3.4.5",
      "::1%lo",
      "fe80::1%1",
      "[2606::1]",
      "8.8.8.8:80",
      "2130706433"
    ]) {
      assert.isFalse(isPublicAddress(text), text)
    }
  })
})

describe("a public name", () => {
  it("a public name has a dot and is in no local domain", () => {
    for (const name of [
      "localhost",
      "a.localhost",
      "printer.local",
      "metadata.google.internal",
      "nas",
      "box.home.arpa",
      "x.localdomain",
      "local"
    ]) {
      assert.isFalse(isPublicName(name), name)
    }
    for (const name of [
      "example.com",
      "localhost.example.com",
      "notlocal.net",
      "mylocalhost.com",
      "internal.example.org"
    ]) {
      assert.isTrue(isPublicName(name), name)
    }
  })
})

describe("an address of this service", () => {
  it("an address of this service can be fetched from the internet only with https and a public host", () => {
    for (const url of [
      "https://posts.example.com",
      "https://posts.example.com:8443/under",
      "https://8.8.8.8"
    ]) {
      assert.isTrue(isPublicUrl(url), url)
    }
    for (const url of [
      "http://posts.example.com",
      "https://localhost",
      "https://carillon",
      "https://carillon.local",
      "https://127.0.0.1",
      "https://192.168.1.10:4400",
      "https://[::1]:4400",
      "https://[fd00::1]"
    ]) {
      assert.isFalse(isPublicUrl(url), url)
    }
  })
})
