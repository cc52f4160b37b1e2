import { Context, Metric } from "effect"

/** The request being answered: its route, once that is known. */
export interface Answering {
  route: string
}

export const CurrentAnswering = Context.Reference<Answering>("@carillon/server/http/CurrentAnswering", {
  defaultValue: () => ({ route: "other" })
})

const requests = Metric.counter("carillon_http_requests_total", {
  description: "Requests answered, by route and status; `other` counts requests that match no route.",
  incremental: true
})

const methods = new Set(["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"])

export const countAnswer = (method: string, route: string, status: number) =>
  Metric.update(
    Metric.withAttributes(requests, {
      // Clients may invent methods; they must not create series with them.
      method: methods.has(method) ? method : "other",
      route,
      status: String(status)
    }),
    1
  )
