import { problem } from "@carillon/domain"
import { Effect, Layer } from "effect"
import { HttpRouter, HttpServerResponse } from "effect/http"
import { SqlClient } from "effect/sql"
import { AppConfig } from "../AppConfig.ts"
import { BlobStore } from "../media/files/BlobStore.ts"
import { Database } from "../sql/Sql.ts"
import { llmsText } from "./LlmsText.ts"
import { problemResponse } from "../http/Problems.ts"

/** `/llms.txt`, the operator's site files, and the health checks. */
export const PagesLayer = Layer.mergeAll(
  HttpRouter.add("GET", "/healthz", HttpServerResponse.jsonUnsafe({ status: "ok" })),
  HttpRouter.use(
    Effect.fnUntraced(function* (router) {
      const sql = yield* SqlClient.SqlClient
      const store = yield* BlobStore
      const database = yield* Database
      const { publicUrl, siteFiles } = yield* AppConfig
      // A standby answers, and takes no writes.
      const writable = Effect.filterOrFail(
        sql<{ readonly transaction_read_only: string }>`show transaction_read_only`,
        ([row]) => row?.transaction_read_only === "off",
        () => "it is read-only"
      )
      const room = Effect.filterOrFail(
        database.full,
        (full) => !full,
        () =>
          problem(
            "unavailable",
            "The disk of the database is full. Free space on it; the service continues by itself."
          )
      )
      const answers = <A, E>(what: string, asked: Effect.Effect<A, E>) =>
        asked.pipe(
          Effect.timeout("5 seconds"),
          Effect.sandbox,
          Effect.tapError((cause) =>
            Effect.logWarning(`not ready: the ${what} is not responding properly`, cause)
          ),
          Effect.mapError(() =>
            problem("unavailable", `The ${what} is not responding properly; try again in a few seconds.`)
          )
        )
      // Made with the first request: it takes a tenth of a second that no start should wait for.
      const llms = yield* Effect.cached(Effect.sync(() => HttpServerResponse.text(llmsText(publicUrl))))
      yield* router.add("GET", "/llms.txt", llms)
      for (const [name, content] of Object.entries(siteFiles)) {
        const contentType = name.endsWith(".html") ? "text/html" : "text/plain"
        yield* router.add("GET", `/${name}`, HttpServerResponse.text(content, { contentType }))
      }
      yield* router.add(
        "GET",
        "/readyz",
        Effect.all([answers("database", writable), answers("media store", store.check)], {
          concurrency: "unbounded"
        }).pipe(
          (checks) => Effect.andThen(room, checks),
          Effect.as(HttpServerResponse.jsonUnsafe({ status: "ready" })),
          Effect.catch((failure) =>
            Effect.map(problemResponse(failure), HttpServerResponse.setHeader("retry-after", "5"))
          )
        )
      )
    })
  )
)
