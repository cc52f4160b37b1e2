import { Result } from "effect"
import { IpNetwork, NetAddress } from "effect/net"

/**
 * Networks that are not on the public internet, narrower before wider: the IANA special-purpose address
 * registries of IPv4 and IPv6, multicast, and Azure's platform address, which looks public and is not.
 */
export const specialNetworks = (
  [
    ["0.0.0.0/8", "this network"],
    ["10.0.0.0/8", "private"],
    ["100.64.0.0/10", "shared by carriers"],
    ["127.0.0.0/8", "loopback"],
    ["168.63.129.16/32", "a cloud platform's own"],
    ["169.254.0.0/16", "link-local"],
    ["172.16.0.0/12", "private"],
    ["192.0.0.0/24", "for protocol assignments"],
    ["192.0.2.0/24", "for documentation"],
    ["192.88.99.0/24", "6to4 relay"],
    ["192.168.0.0/16", "private"],
    ["198.18.0.0/15", "for benchmarks"],
    ["198.51.100.0/24", "for documentation"],
    ["203.0.113.0/24", "for documentation"],
    ["224.0.0.0/4", "multicast"],
    ["255.255.255.255/32", "broadcast"],
    ["240.0.0.0/4", "reserved"],
    ["::/128", "unspecified"],
    ["::1/128", "loopback"],
    ["::/96", "an IPv4 address inside IPv6"],
    ["::ffff:0:0/96", "an IPv4 address inside IPv6"],
    ["64:ff9b::/96", "an IPv4 address inside IPv6"],
    ["64:ff9b:1::/48", "an IPv4 address inside IPv6"],
    ["2001::/23", "for protocol assignments"],
    ["2001:db8::/32", "for documentation"],
    ["2002::/16", "an IPv4 address inside IPv6"],
    ["3fff::/20", "for documentation"],
    ["fc00::/7", "private"],
    ["fe80::/10", "link-local"],
    ["fec0::/10", "private"],
    ["ff00::/8", "multicast"]
  ] as const
).map(([cidr, name]) => ({ network: IpNetwork.fromStringUnsafe(cidr), name }))

/** The only part of IPv6 that IANA hands out as public unicast; everything outside it is refused unnamed. */
const publicIpv6 = IpNetwork.fromStringUnsafe("2000::/3")

/** The kind of an address that is not public unicast ("loopback", "private", ...), else null. */
export const specialUse = (address: NetAddress.IpAddress): string | null => {
  const special = specialNetworks.find(({ network }) => IpNetwork.contains(network, address))
  if (special !== undefined) return special.name
  return NetAddress.isIpv4Address(address) || IpNetwork.contains(publicIpv6, address) ? null : "reserved"
}

/** Whether text is a public unicast address in its usual spelling without brackets. */
export const isPublicAddress = (address: NetAddress.IpAddressInput): boolean =>
  Result.match(NetAddress.ipFromInput(address), {
    onFailure: () => false,
    onSuccess: (parsed) => specialUse(parsed) === null
  })

/** Whether the internet can fetch from this address, as far as the address tells. */
export const isPublicUrl = (url: string): boolean => {
  const parsed = URL.parse(url)
  if (parsed?.protocol !== "https:") return false
  const host = parsed.hostname.replace(/^\[(.*)\]$/, "$1").replace(/\.$/, "")
  return Result.isSuccess(NetAddress.ipFromString(host)) ? isPublicAddress(host) : isPublicName(host)
}

/** Names that mean this machine or this network (RFC 6761, 6762, 8375 and the .internal reservation). */
const localDomains = ["localhost", "localdomain", "local", "internal", "home.arpa"]

/** Whether a lower-case name without trailing dot can be a name of the public DNS at all. */
export const isPublicName = (name: string): boolean =>
  name.includes(".") && !localDomains.some((domain) => name === domain || name.endsWith(`.${domain}`))
