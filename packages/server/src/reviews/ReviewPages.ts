import { badRequest, ClientAnswer, isProblem, markup, type Problem } from "@carillon/domain"
import { Effect, Schema } from "effect"
import { HttpRouter, HttpServerRequest, HttpServerResponse } from "effect/http"
import { randomBytes } from "node:crypto"
import { AppConfig } from "../AppConfig.ts"
import { ConsoleSite } from "../console/ConsoleSite.ts"
import { htmlPage } from "../http/HtmlPage.ts"
import { jsonText } from "../http/JsonBody.ts"
import { problemItems, problemResponse } from "../http/Problems.ts"
import { ClientReviews } from "./ClientReviews.ts"

const decodeAnswer = Schema.decodeUnknownEffect(Schema.fromJsonString(ClientAnswer), {
  errors: "all",
  onExcessProperty: "error",
  reportInput: true
})

/**
 * The page of a review link, `/review#<token>`, and what it asks for. The token comes as a bearer, so that no other page can have
 * a browser send it; there are no cookies.
 */
export const ReviewPagesLayer = HttpRouter.use(
  Effect.fnUntraced(function* (router) {
    const config = yield* AppConfig
    const site = yield* ConsoleSite
    const reviews = yield* ClientReviews

    yield* router.add(
      "GET",
      "/review",
      site.reviewPage.pipe(
        Effect.map((page) => {
          const nonce = randomBytes(16).toString("base64url")
          return HttpServerResponse.text(page.replace("%NONCE%", nonce), {
            contentType: "text/html; charset=utf-8",
            headers: { "content-security-policy": policyOf(nonce) }
          })
        }),
        Effect.catchCause(() => Effect.succeed(notBuilt))
      )
    )

    const opened = Effect.gen(function* () {
      const { headers } = yield* HttpServerRequest.HttpServerRequest
      return yield* reviews.open(/^Bearer (.+)$/.exec(headers["authorization"] ?? "")?.[1] ?? "")
    })

    const answered = <E extends Problem, R>(asked: Effect.Effect<object, E, R>) =>
      asked.pipe(
        Effect.map((body) => HttpServerResponse.jsonUnsafe(body)),
        Effect.catchIf(isProblem, (failure) =>
          Effect.provideService(problemResponse(failure), AppConfig, config)
        )
      )

    yield* router.add("GET", "/review/post", answered(Effect.flatMap(opened, reviews.show)))

    yield* router.add(
      "POST",
      "/review/answers",
      answered(
        Effect.gen(function* () {
          // Before the body is read: a stranger's is not.
          const link = yield* opened
          const given = yield* decodeAnswer(yield* jsonText([ClientAnswer])).pipe(
            Effect.catchTag("SchemaError", ({ issue }) => badRequest(problemItems(issue)))
          )
          yield* reviews.answer(link, given)
          return yield* reviews.show(link)
        })
      )
    )
  })
)

const policyOf = (nonce: string) =>
  `default-src 'none'; script-src 'self'; style-src 'self' 'nonce-${nonce}'; img-src 'self' data:; media-src 'self'; ` +
  "font-src 'self'; connect-src 'self'; form-action 'none'; frame-ancestors 'none'; base-uri 'none'"

const notBuilt = htmlPage({
  title: "The page could not be built",
  body: markup`<p>Tell whoever sent you the link. The service's log says why.</p>`,
  status: 503,
  bad: true
})
