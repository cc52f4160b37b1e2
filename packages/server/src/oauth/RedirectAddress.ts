export const loopback = new Set(["localhost", "127.0.0.1", "[::1]"])

/** Schemes with a rule of their own in browsers; any other scheme an app can make its own. */
const taken = new Set(
  "about blob chrome data file filesystem ftp intent javascript mailto sms tel vbscript view-source ws wss".split(
    " "
  )
)

/** The problem of an address for answers, or null. The authorization server has rules of its own for the rest. */
export const redirectProblem = (address: string): string | null => {
  const url = URL.parse(address)
  if (url === null) return "is not an absolute address"
  if (/[\p{C}\p{Z}]/u.test(address)) return "has a space, a control character or an invisible one"
  if (url.username !== "" || url.password !== "" || /^[^:]+:[/\\]{2,}[^/\\?#]*@/.test(address)) {
    return "names a user before its host"
  }
  if (address.includes("*") || url.hostname.includes("*")) {
    return "has a wildcard; each address is registered as it is"
  }
  const scheme = url.protocol.slice(0, -1)
  return taken.has(scheme)
    ? `has the scheme ${scheme}; https, http on this computer and an app's own schemes are allowed`
    : null
}

/** Whether the requested address is the registered one; of a loopback address the port may differ. */
export const isRegisteredAs = (asked: string, registered: string) => {
  const [one, other] = [URL.parse(asked), URL.parse(registered)]
  if (one === null || other === null) return false
  if (other.protocol === "http:" && loopback.has(other.hostname)) one.port = other.port
  return one.href === other.href
}
