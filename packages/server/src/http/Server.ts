import * as NodeHttpServer from "@effect/platform-node/NodeHttpServer"
import { Effect, Layer, Option, Result, Scope } from "effect"
import { HttpMiddleware, HttpRouter, HttpServerRequest } from "effect/http"
import { IpNetwork, NetAddress } from "effect/net"
import { AppConfig } from "../AppConfig.ts"
import { withCors } from "./Cors.ts"
import { withEdge } from "./Edge.ts"
import { withHostGuard } from "./HostGuard.ts"
import { Listener } from "./Listener.ts"
import { makeRouteTable } from "./RouteTable.ts"

/** Answers with the routes as soon as the listener is opened. */
export const serve = <A, E, R>(routes: Layer.Layer<A, E, R>) =>
  Layer.effectDiscard(
    Effect.gen(function* () {
      const config = yield* AppConfig
      const listener = yield* Listener
      const table = makeRouteTable()
      const handled = yield* HttpRouter.toHttpEffect(Layer.provide(routes, table.layer))
      // Closed after the listener has waited: a scope closes in reverse order.
      const scope = yield* Scope.fork(yield* Effect.scope)
      const { trustedProxies } = config
      const answered = withWarning(trustedProxies)(
        withCors(config)(withEdge(withHostGuard(config)(handled), config, table.methodsOf))
      )
      const application =
        trustedProxies.length === 0
          ? answered
          : HttpMiddleware.xForwardedHeaders({ trustedProxies })(answered)
      yield* listener.answerWith(yield* NodeHttpServer.makeHandler(application, { scope }))
    })
  )

const forwardedHeaders = ["x-forwarded-for", "x-forwarded-host", "x-forwarded-proto", "forwarded"]

/** Warns the operator once about forwarded headers from a proxy that is not trusted. */
const withWarning = (trustedProxies: ReadonlyArray<IpNetwork.IpNetwork>) => {
  const isTrusted = (address: string) => {
    const parsed = NetAddress.ipFromString(address)
    if (Result.isFailure(parsed)) return false
    const canonical = NetAddress.toCanonical(parsed.success)
    return trustedProxies.some((network) => IpNetwork.contains(network, canonical))
  }
  let told = false
  return <A, E, R>(answered: Effect.Effect<A, E, R>) =>
    Effect.flatMap(HttpServerRequest.HttpServerRequest, ({ headers, peerAddress }) => {
      const sent = told ? undefined : forwardedHeaders.find((name) => headers[name] !== undefined)
      const peer = Option.getOrElse(peerAddress, () => "")
      if (sent === undefined || isTrusted(peer)) return answered
      told = true
      return Effect.andThen(
        Effect.logWarning(
          `A request from ${peer} came with ${sent}, but TRUSTED_PROXIES does not name that address. If it is your proxy's, add it ` +
            "there: until then all of its clients count as one for the limits on refused sign-ins and credentials."
        ),
        answered
      )
    })
}

/** Lets requests in until the service stops. */
export const OpenLayer = Layer.effectDiscard(Effect.flatMap(Listener, ({ open }) => open))
