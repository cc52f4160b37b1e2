/** The part of a browser's XMLHttpRequest that is used here. */
interface XmlHttpRequest extends EventTarget {
  readonly upload: EventTarget
  readonly status: number
  readonly responseText: string
  open(method: string, url: string): void
  setRequestHeader(name: string, value: string): void
  getResponseHeader(name: string): string | null
  send(body: Blob): void
  abort(): void
}

const { XMLHttpRequest } = globalThis as { XMLHttpRequest?: new () => XmlHttpRequest }

/** Whether this runtime has a request that tells how far its body has gone: `fetch` has none. */
export const tellsProgress = XMLHttpRequest !== undefined

/** Sends a Blob as `fetch` does, by XMLHttpRequest. */
export const fetchTelling =
  (onSent: (sent: number) => void) =>
  (url: string, init: RequestInit): Promise<Response> =>
    new Promise((resolve, reject) => {
      const signal = init.signal!
      const request = new XMLHttpRequest!()
      const giveUp = () => request.abort()
      request.open(init.method!, url)
      for (const [name, value] of new Headers(init.headers)) request.setRequestHeader(name, value)
      request.upload.addEventListener("progress", (event) =>
        onSent((event as Event & { readonly loaded: number }).loaded)
      )
      request.addEventListener("load", () => {
        const headers = new Headers()
        for (const name of ["content-type", "retry-after", "x-request-id"]) {
          const value = request.getResponseHeader(name)
          if (value !== null) headers.set(name, value)
        }
        resolve(new Response(request.responseText || null, { status: request.status, headers }))
      })
      request.addEventListener("error", () => reject(new TypeError("the connection broke")))
      request.addEventListener("abort", () => reject(signal.reason))
      request.addEventListener("loadend", () => signal.removeEventListener("abort", giveUp))
      signal.addEventListener("abort", giveUp)
      if (signal.aborted) return reject(signal.reason)
      request.send(init.body as Blob)
    })
