import { Api, problem, problemCodes } from "@carillon/domain"
import { Effect, Layer } from "effect"
import { HttpRouter, HttpServerResponse } from "effect/http"
import { HttpApiScalar, OpenApi } from "effect/http-api"
import { SqlClient } from "effect/sql"
import { AppConfig } from "../AppConfig.ts"
import { BlobStore } from "../media/BlobStore.ts"
import { Database } from "../sql/Sql.ts"
import { escapeHtml } from "../http/HtmlPage.ts"
import { llmsText } from "./LlmsText.ts"
import { problemResponse } from "../http/Problems.ts"

const errorRows = Object.entries(problemCodes)
  .map(
    ([code, [status, title, action]]) =>
      `<tr id="${code}"><td><code>${code}</code></td><td>${status}</td><td>${escapeHtml(title)}</td><td>${escapeHtml(action)}</td></tr>`
  )
  .join("\n")

const errorsPage = HttpServerResponse.text(
  `<!doctype html><html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<title>Carillon: errors</title>
<style>body{font:16px/1.5 system-ui,sans-serif;max-width:60rem;margin:2rem auto;padding:0 1rem;color:#1c1c28;background:#fff}
table{border-collapse:collapse;width:100%}td,th{text-align:left;padding:.5rem;border-bottom:1px solid #ddd;vertical-align:top}
tr:target{background:#fff3c4}</style>
<h1>Errors</h1><p>Every failure has one body (RFC 9457). <code>code</code> is stable; <code>errors</code> names every problem of
the request at once. <a href="/docs">API reference</a></p>
<table><tr><th>code</th><th>status</th><th>what happened</th><th>what to do</th></tr>
${errorRows}</table></html>`,
  { contentType: "text/html; charset=utf-8" }
)

/** What is not under /v1: the readable reference, the error pages, the page for language models, the operator's site files, and whether the service is well. */
export const PagesLayer = Layer.mergeAll(
  HttpApiScalar.layer(Api, { path: "/docs" }),
  HttpRouter.add("GET", "/docs/errors", errorsPage),
  HttpRouter.add("GET", "/", HttpServerResponse.redirect("/docs")),
  HttpRouter.add("GET", "/healthz", HttpServerResponse.jsonUnsafe({ status: "ok" })),
  HttpRouter.use(
    Effect.fnUntraced(function* (router) {
      const sql = yield* SqlClient.SqlClient
      const store = yield* BlobStore
      const database = yield* Database
      const { publicUrl, siteFiles } = yield* AppConfig
      // A server that follows another one answers, and takes nothing.
      const writable = Effect.filterOrFail(
        sql<{ readonly transaction_read_only: string }>`show transaction_read_only`,
        ([row]) => row?.transaction_read_only === "off",
        () => "it takes no writes"
      )
      const room = Effect.filterOrFail(
        database.full,
        (full) => !full,
        () =>
          problem(
            "unavailable",
            "The disk of the database is full. Make room on it; the service goes on by itself."
          )
      )
      const answers = <A, E>(what: string, asked: Effect.Effect<A, E>) =>
        asked.pipe(
          Effect.timeout("5 seconds"),
          Effect.sandbox,
          Effect.tapError((cause) =>
            Effect.logWarning(`not ready: the ${what} does not answer as it should`, cause)
          ),
          Effect.mapError(() =>
            problem("unavailable", `The ${what} does not answer as it should; try again in a few seconds.`)
          )
        )
      // With the first request: making it takes a tenth of a second that no start should wait for.
      const llms = yield* Effect.cached(Effect.sync(() => HttpServerResponse.text(llmsText(publicUrl))))
      yield* router.add("GET", "/llms.txt", llms)
      const openApi = yield* Effect.cached(
        Effect.sync(() =>
          HttpServerResponse.jsonUnsafe({ ...OpenApi.fromApi(Api), servers: [{ url: publicUrl }] })
        )
      )
      yield* router.add("GET", "/v1/openapi.json", openApi)
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
