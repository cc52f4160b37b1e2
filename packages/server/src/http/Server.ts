import * as NodeHttpServer from "@effect/platform-node/NodeHttpServer"
import { Effect, Layer, Scope } from "effect"
import { HttpMiddleware, HttpRouter } from "effect/http"
import { AppConfig } from "../AppConfig.ts"
import { withCors } from "./Cors.ts"
import { withEdge } from "./Edge.ts"
import { Listener } from "./Listener.ts"

/** Answers with the routes as soon as the listener is opened. */
export const serve = <A, E, R>(routes: Layer.Layer<A, E, R>) =>
  Layer.effectDiscard(
    Effect.gen(function* () {
      const config = yield* AppConfig
      const listener = yield* Listener
      const handled = yield* HttpRouter.toHttpEffect(routes)
      // Closed only after the listener has waited: a scope interrupts what was begun last first.
      const scope = yield* Scope.fork(yield* Effect.scope)
      const { trustedProxies } = config
      const answered = withCors(config)(withEdge(handled, config))
      const application =
        trustedProxies.length === 0
          ? answered
          : HttpMiddleware.xForwardedHeaders({ trustedProxies })(answered)
      yield* listener.answerWith(yield* NodeHttpServer.makeHandler(application, { scope }))
    })
  )

/** The service is ready: requests are let in until it stops. */
export const OpenLayer = Layer.effectDiscard(Effect.flatMap(Listener, ({ open }) => open))
