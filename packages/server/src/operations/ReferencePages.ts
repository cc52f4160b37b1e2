import { markup, openApiDocument, problemCodes } from "@carillon/domain"
import { Effect } from "effect"
import { HttpRouter, HttpServerRequest, HttpServerResponse } from "effect/http"
import { HttpApi, HttpApiScalar } from "effect/http-api"
import { createHash } from "node:crypto"
import { promisify } from "node:util"
import { gzip } from "node:zlib"
import { AppConfig } from "../AppConfig.ts"
import { htmlPage } from "../http/HtmlPage.ts"
import { sitePages } from "../http/SitePages.ts"

/** The API reference: `/docs`, its script, the OpenAPI document that it shows, and the codes of errors. */
export const ReferencePagesLayer = HttpRouter.use(
  Effect.fnUntraced(function* (router) {
    const { console, publicUrl } = yield* AppConfig

    // Each is made with its first request: no start should wait for it.
    const document = yield* Effect.cached(
      file("application/json", "no-cache", () => Promise.resolve(JSON.stringify(openApiDocument(publicUrl))))
    )
    yield* router.add("GET", "/v1/openapi.json", Effect.flatMap(document, answer))

    // Its address changes with its content.
    const script = yield* Effect.cached(
      file("text/javascript; charset=utf-8", "public, max-age=31536000, immutable", scriptOfReference)
    )
    yield* router.add("GET", "/docs/reference.js", Effect.flatMap(script, answer))

    yield* router.add(
      "GET",
      sitePages.reference.path,
      Effect.map(script, ({ hash }) =>
        HttpServerResponse.setHeader(
          htmlPage({
            title: "API reference",
            signedIn: true,
            full: true,
            body: markup`<div id="reference"><p>This page needs JavaScript; <a href="/llms.txt">the same in short</a> and <a href="/v1/openapi.json">the whole document</a> do not.</p></div><script src="/docs/reference.js?v=${hash}"></script>`
          }),
          "content-security-policy",
          // The script writes styles as it runs, and sends requests to the address that the document names.
          `default-src 'none'; script-src 'self'; style-src 'unsafe-inline'; img-src 'self' data: blob:; connect-src 'self' ${new URL(publicUrl).origin}; form-action 'none'; frame-ancestors 'none'; base-uri 'none'`
        )
      )
    )
    yield* router.add("GET", "/docs/errors", errorsPage)
    yield* router.add(
      "GET",
      "/",
      HttpServerResponse.redirect(console ? sitePages.console.path : sitePages.reference.path)
    )
  })
)

interface File {
  readonly contentType: string
  readonly cacheControl: string
  readonly plain: Buffer
  readonly compressed: Buffer
  readonly hash: string
}

const file = (contentType: string, cacheControl: string, made: () => Promise<string>) =>
  Effect.promise(async (): Promise<File> => {
    const plain = Buffer.from(await made())
    const compressed = await promisify(gzip)(plain)
    const hash = createHash("sha256").update(plain).digest("base64url").slice(0, 16)
    return { contentType, cacheControl, plain, compressed, hash }
  })

const answer = Effect.fnUntraced(function* ({ contentType, cacheControl, plain, compressed, hash }: File) {
  const { headers: asked } = yield* HttpServerRequest.HttpServerRequest
  const etag = `W/"${hash}"`
  const headers = { "cache-control": cacheControl, etag, vary: "Accept-Encoding" }
  if (asked["if-none-match"]?.includes(etag) === true) {
    return HttpServerResponse.empty({ status: 304, headers })
  }
  return /\bgzip\b(?!;\s*q=0(\.0*)?\s*(,|$))/i.test(asked["accept-encoding"] ?? "")
    ? HttpServerResponse.uint8Array(compressed, {
        contentType,
        headers: { ...headers, "content-encoding": "gzip" }
      })
    : HttpServerResponse.uint8Array(plain, { contentType, headers })
})

/** Scalar's script, taken from its own page, and the settings that start it without any request to other hosts. */
const scriptOfReference = async () => {
  const { handler, dispose } = HttpRouter.toWebHandler(HttpApiScalar.layer(HttpApi.make("none")), {
    disableLogger: true
  })
  const page = await (await handler(new Request("http://localhost/docs"))).text()
  await dispose()
  const [, library] = /<script>([^]*?)<\/script>/.exec(page)!
  const settings = {
    url: "/v1/openapi.json",
    telemetry: false,
    withDefaultFonts: false,
    showDeveloperTools: "never",
    hideClientButton: true,
    hideDarkModeToggle: true,
    authentication: { preferredSecurityScheme: "bearer" },
    theme: "none",
    customCss
  }
  return `${library}\nwindow.Scalar.createApiReference("#reference", ${JSON.stringify(settings)})`
}

/** The service's colours, and no link to the maker. */
const customCss = `
:root{--scalar-font:system-ui,sans-serif;--scalar-font-code:ui-monospace,monospace;--refs-header-height:0px}
.light-mode,.dark-mode{--scalar-background-1:var(--card);--scalar-background-2:var(--tint);--scalar-color-1:var(--ink);--scalar-color-2:var(--soft);--scalar-color-accent:var(--brand);--scalar-border-color:var(--line)}
#reference{margin:0 -1rem -3rem;border-top:1px solid var(--line)}
a[href*="scalar.com"]{display:none!important}
`

const errorsPage = htmlPage({
  title: "Errors",
  signedIn: true,
  body: markup`<p>Every failure has one body (RFC 9457). <code>code</code> is stable; <code>errors</code> names every problem of the request at once. <a href="/docs">API reference</a></p>
<ul class="rows">${Object.entries(problemCodes).map(
    ([code, [status, title, action]]) =>
      markup`<li id="${code}"><code>${code}</code> <small>${status}</small><br>${title}<br><small>${action}</small></li>`
  )}</ul>`
})
