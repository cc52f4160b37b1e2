// What the console, the SDK and the rules use, and Safari 16.4 or Chrome 111 lack.

Map.groupBy ??= (items, keyOf) => {
  const groups = new Map()
  let index = 0
  for (const item of items) {
    const key = keyOf(item, index++)
    if (!groups.get(key)?.push(item)) groups.set(key, [item])
  }
  return groups
}

Object.groupBy ??= (items, keyOf) => Object.fromEntries(Map.groupBy(items, keyOf)) as never

URL.canParse ??= (url, base) => {
  try {
    return Boolean(new URL(url, base))
  } catch {
    return false
  }
}

URL.parse ??= (url, base) => (URL.canParse(url, base) ? new URL(url, base) : null)

AbortSignal.any ??= (signals) => {
  const controller = new AbortController()
  const { signal: any } = controller
  for (const signal of signals) {
    const abort = () => controller.abort(signal.reason)
    if (signal.aborted) abort()
    else signal.addEventListener("abort", abort, { once: true, signal: any })
  }
  return any
}

Element.prototype.checkVisibility ??= function (this: Element) {
  return this.getClientRects().length > 0
}
