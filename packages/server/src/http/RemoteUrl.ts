import { Result } from "effect"
import { Host, NetAddress } from "effect/net"
import { isPublicName, specialUse } from "./PublicAddress.ts"
import { RemoteFetchError, shownUrl } from "./RemoteFetchError.ts"

/** The rules for a URL from a user. */
export interface UrlRules {
  /** Lifts the rules for addresses, local names and ports, and no others. */
  readonly allowPrivateHosts: boolean
  readonly allowedPorts: ReadonlyArray<number>
}

const maximumLength = 8192

/**
 * Applies every rule that needs no network. The result has no fragment and no dot at the end of its host name, so that
 * Host, SNI and certificate have the same name.
 */
export const parseRemoteUrl = (input: string, rules: UrlRules): Result.Result<URL, RemoteFetchError> => {
  const url = URL.parse(input)
  if (input.length > maximumLength || url === null) {
    const flaw =
      url === null
        ? "is not a complete and valid URL"
        : `has ${input.length} characters, more than ${maximumLength}`
    return refused(`"${shownUrl(input)}" ${flaw}. Give an https URL such as https://example.com/image.jpg.`)
  }
  if (url.protocol !== "http:" && url.protocol !== "https:") {
    return refused(
      `"${shownUrl(input)}" has the scheme "${url.protocol.slice(0, -1)}". Only https and http are fetched: give an https URL.`
    )
  }
  const host = url.hostname.replace(/\.$/, "")
  url.hostname = host
  url.hash = ""
  if (url.username !== "" || url.password !== "") {
    return refused(
      `"${shownUrl(url)}" was given with a user name or password before its host "${host}". ` +
        `Credentials in URLs are never sent: remove the part up to and including "@".`
    )
  }
  const port = portOf(url)
  if (!isAllowedPort(port, rules)) {
    return refused(
      `"${shownUrl(url)}" names port ${port}. Only port ${rules.allowedPorts.join(" or ")} is fetched: ` +
        `serve the file there.`
    )
  }
  return Result.map(parseHost(host, rules), () => url)
}

const refused = (message: string) =>
  Result.fail(new RemoteFetchError({ reason: "url_not_allowed", message, retryable: false }))

export const portOf = (url: { readonly protocol: string; readonly port: string }): number =>
  url.port === "" ? (url.protocol === "https:" ? 443 : 80) : Number(url.port)

export const isAllowedPort = (port: number, rules: UrlRules): boolean =>
  rules.allowPrivateHosts || rules.allowedPorts.includes(port)

/** A host as the URL parser gives it: an address that may be connected to, or a name that may be looked up. */
export const parseHost = (
  host: string,
  rules: UrlRules
): Result.Result<NetAddress.IpAddress | Host.DomainName, RemoteFetchError> => {
  const address = NetAddress.ipFromString(host.replace(/^\[(.*)\]$/, "$1"))
  if (Result.isSuccess(address)) {
    const use = specialUse(address.success)
    return use === null || rules.allowPrivateHosts
      ? Result.succeed(address.success)
      : notPublic(`The address ${host} is ${use}`)
  }
  // A dot that is still at the end was a second one.
  const name = Host.domainNameFromString(host.endsWith(".") ? "" : host)
  if (Result.isFailure(name)) {
    return refused(
      `"${shownUrl(host)}" is not a host name: ${name.failure.message}. Give an https URL with a public host.`
    )
  }
  return isPublicName(name.success) || rules.allowPrivateHosts
    ? Result.succeed(name.success)
    : notPublic(`The name "${name.success}" belongs to a local network`)
}

const notPublic = (what: string) =>
  Result.fail(
    new RemoteFetchError({
      reason: "address_not_allowed",
      message: `${what}. Only hosts on the public internet are fetched: put the file where anyone can reach it.`,
      retryable: false
    })
  )
