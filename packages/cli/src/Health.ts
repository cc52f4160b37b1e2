import { httpFetch } from "./HttpFetch.ts"

/** The service's health page; `ms` is how long the answer took. */
export interface Health {
  readonly ready: boolean
  readonly ms: number | null
  readonly reason: string | null
  /** How far this machine's clock is ahead of the service's, in seconds. */
  readonly clockAhead: number | null
}

/** Asks once without a key, and does not wait long. */
export const healthOf = async (url: string): Promise<Health> => {
  const started = performance.now()
  try {
    const answer = await httpFetch(`${url.replace(/\/+$/, "")}/readyz`, {
      signal: AbortSignal.timeout(10_000)
    })
    const ms = Math.round(performance.now() - started)
    const date = Date.parse(answer.headers.get("date") ?? "")
    const clockAhead = Number.isNaN(date) ? null : Math.round((Date.now() - date) / 1000)
    const { detail, status }: { readonly detail?: string; readonly status?: string } = JSON.parse(
      await answer.text()
    )
    const ready = answer.ok && status === "ready"
    return { ready, ms, clockAhead, reason: ready ? null : (detail ?? `it responded with ${answer.status}`) }
  } catch (error) {
    return { ready: false, ms: null, clockAhead: null, reason: reasonOf(error) }
  }
}

const reasonOf = (error: unknown): string => {
  const { cause, name } = error as {
    readonly cause?: { readonly code?: string; readonly message?: string }
    readonly name?: string
  }
  if (name === "TimeoutError" || cause?.code === "ABORT_ERR") return "no response within 10 seconds"
  if (name === "SyntaxError") return "the response is not from Carillon"
  return `no response (${cause?.code ?? cause?.message ?? name})`
}
