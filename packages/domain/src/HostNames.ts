/** The names of this machine on itself. */
export const loopbackNames: ReadonlyArray<string> = ["localhost", "127.0.0.1", "[::1]"]

/**
 * Whether a URL's host is one of these names, whatever its port. A page elsewhere can point a name of its own at this
 * machine (DNS rebinding), and its browser then sends that name as Host.
 */
export const isAtOneOf = (names: Iterable<string>) => {
  const known = new Set(names)
  return (url: string) => URL.canParse(url) && known.has(new URL(url).hostname)
}
