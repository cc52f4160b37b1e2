import { isAtOneOf, loopbackNames, problem } from "@carillon/domain"
import { Effect, Layer, Option, Redacted } from "effect"
import { HttpRouter, HttpServerRequest, HttpServerResponse } from "effect/http"
import { PrometheusMetrics } from "effect/observability"
import { createHash, timingSafeEqual } from "node:crypto"
import { AppConfig } from "../AppConfig.ts"
import { showLastBackup } from "../backup/BackupMetrics.ts"
import { ScheduleRepository } from "../backup/ScheduleRepository.ts"
import { showDepth } from "../engine/EngineMetrics.ts"
import { TargetQueue } from "../engine/TargetQueue.ts"
import { problemResponse } from "../http/Problems.ts"
import { Spending } from "../platforms/twitter/Spending.ts"
import { showSpending } from "./SpendingMetrics.ts"

/** `GET /metrics`, the Prometheus text format. Its counters need no database, so they outlive an outage. */
export const MetricsPageLayer = HttpRouter.use(
  Effect.fnUntraced(function* (router) {
    const queue = yield* TargetQueue
    const backups = yield* ScheduleRepository
    const spending = yield* Spending
    const { metricsToken, publicUrl } = yield* AppConfig
    const isOwnName = isAtOneOf([...loopbackNames, new URL(publicUrl).hostname])

    const mayRead = (request: HttpServerRequest.HttpServerRequest) =>
      Option.match(metricsToken, {
        onNone: () => isNeighbour(request) && isOwnName(`http://${request.headers["host"] ?? ""}`),
        onSome: (token) => {
          const [, shown = ""] = /^Bearer (.+)$/i.exec(request.headers["authorization"] ?? "") ?? []
          return timingSafeEqual(hash(shown), hash(Redacted.value(token)))
        }
      })

    yield* router.add(
      "GET",
      "/metrics",
      Effect.gen(function* () {
        if (!mayRead(yield* HttpServerRequest.HttpServerRequest)) {
          return yield* problemResponse(
            problem(
              "unauthorized",
              Option.isSome(metricsToken)
                ? "Reading /metrics needs the header Authorization: Bearer <METRICS_TOKEN>."
                : "Without METRICS_TOKEN only programs on the service's own machine may read /metrics, at http://localhost or the public address; set one, and send it as Authorization: Bearer <METRICS_TOKEN>."
            )
          )
        }
        const depth = yield* queue.depth.pipe(
          Effect.timeout("2 seconds"),
          Effect.catchCause(() => Effect.succeed(null))
        )
        yield* showDepth(depth)
        yield* showLastBackup(
          yield* Effect.catchCause(Effect.timeout(backups.last, "2 seconds"), () => Effect.succeed(null))
        )
        yield* showSpending(
          yield* Effect.catchCause(Effect.timeout(spending.figures, "2 seconds"), () => Effect.succeed(null))
        )
        return HttpServerResponse.text(yield* PrometheusMetrics.format(), {
          contentType: "text/plain; version=0.0.4; charset=utf-8"
        })
      })
    )
  })
).pipe(Layer.provide(ScheduleRepository.layer))

/** A proxy on this machine speaks for others; the headers of a forwarded request usually show that. */
const isNeighbour = ({ remoteAddress, headers }: HttpServerRequest.HttpServerRequest) =>
  /^(127\.|::1$|::ffff:127\.)/.test(Option.getOrElse(remoteAddress, () => "")) &&
  headers["x-forwarded-for"] === undefined &&
  headers["forwarded"] === undefined &&
  headers["via"] === undefined

const hash = (text: string) => createHash("sha256").update(text).digest()
