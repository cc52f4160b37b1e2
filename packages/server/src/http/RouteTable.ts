import { Effect, Layer } from "effect"
import { FindMyWay, HttpRouter } from "effect/http"
import { CurrentAnswering } from "./HttpMetrics.ts"

/** In the order in which a refusal names them. OPTIONS is not among them: it belongs to CORS. */
const methods = ["GET", "POST", "PUT", "PATCH", "DELETE"] as const

/** The routes that were added to the router, API and pages alike. */
export interface RouteTable {
  /** The methods that an address has; none: there is nothing at it. */
  methodsOf(url: string): ReadonlyArray<string>
  /** Gives the routes a router that writes each into the table, and counts its answers under the route's path. */
  readonly layer: Layer.Layer<HttpRouter.HttpRouter, never, HttpRouter.HttpRouter>
}

export const makeRouteTable = (): RouteTable => {
  const table = FindMyWay.make<true>()
  const recorded = <E, R>(route: HttpRouter.Route<E, R>): HttpRouter.Route<E, R> => {
    if (route.method !== "*") table.on(route.method, route.path, true)
    const named = Effect.map(CurrentAnswering, (answering) => (answering.route = route.path))
    return { ...route, handler: Effect.andThen(named, route.handler) }
  }
  return {
    methodsOf: (url) =>
      methods
        .filter((method) => table.find(method, url) !== undefined)
        .flatMap((method) => (method === "GET" ? ["GET", "HEAD"] : [method])),
    layer: Layer.effect(
      HttpRouter.HttpRouter,
      Effect.map(HttpRouter.HttpRouter, (router) => {
        const addAll: typeof router.addAll = (routes) => router.addAll(routes.map(recorded)) as never
        return HttpRouter.HttpRouter.of({
          ...router,
          addAll,
          add: (...[method, path, handler, options]) =>
            addAll([HttpRouter.route(method, path, handler, options)])
        })
      })
    )
  }
}
