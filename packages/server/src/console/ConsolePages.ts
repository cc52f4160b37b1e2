import { markup } from "@carillon/domain"
import { Effect, Option } from "effect"
import { HttpRouter, HttpServerRequest, HttpServerResponse } from "effect/http"
import { randomBytes } from "node:crypto"
import { extname } from "node:path"
import { AppConfig } from "../AppConfig.ts"
import { Browser, signInFirst } from "../auth/Browser.ts"
import { Members } from "../auth/Members.ts"
import { htmlPage } from "../http/HtmlPage.ts"
import { byHand, ConsoleSite } from "./ConsoleSite.ts"

const mimeTypes: Readonly<Record<string, string>> = {
  ".js": "text/javascript; charset=utf-8",
  ".css": "text/css; charset=utf-8",
  ".svg": "image/svg+xml",
  ".woff2": "font/woff2"
}

const encodings = { br: "br", gzip: "gz" } as const

/** The console at `/app`: its files, and one page for all of its rooms. */
export const ConsolePagesLayer = HttpRouter.use(
  Effect.fnUntraced(function* (router) {
    const { publicUrl } = yield* AppConfig
    const site = yield* ConsoleSite
    const browser = yield* Browser
    const members = yield* Members

    yield* router.add(
      "GET",
      "/app/assets/:name",
      Effect.gen(function* () {
        const { params } = yield* HttpRouter.RouteContext
        const file = `assets/${params["name"]}`
        const contentType = mimeTypes[extname(file)]
        if (!(yield* site.files).has(file) || contentType === undefined) return noFile
        const { headers } = yield* HttpServerRequest.HttpServerRequest
        const accepted = headers["accept-encoding"] ?? ""
        const encoding =
          contentType === mimeTypes[".woff2"]
            ? undefined
            : (["br", "gzip"] as const).find((name) =>
                new RegExp(`\\b${name}\\b(?!;\\s*q=0(\\.0*)?\\s*(,|$))`, "i").test(accepted)
              )
        const bytes = yield* site.read(encoding === undefined ? file : `${file}.${encodings[encoding]}`)
        return HttpServerResponse.uint8Array(bytes, {
          contentType,
          headers: {
            // Its name changes with its content.
            "cache-control": "public, max-age=31536000, immutable",
            "x-content-type-options": "nosniff",
            vary: "Accept-Encoding",
            ...(encoding === undefined ? {} : { "content-encoding": encoding })
          }
        })
      })
    )

    yield* router.add(
      "GET",
      "/app/*",
      Effect.gen(function* () {
        const { url } = yield* HttpServerRequest.HttpServerRequest
        const session = yield* browser.session
        if (Option.isNone(session)) return signInFirst(url)
        const state = yield* site.state
        if (state === "preparing") return preparing
        if (state === "failed") return failed
        if (state === "off") return isOff
        const { id, name } = session.value.member
        const workspaces = yield* members.workspaces(session.value.member)
        const boot = {
          member: { id, name },
          workspaces: workspaces.map(({ member: _, ...workspace }) => workspace),
          public_url: publicUrl
        }
        const nonce = randomBytes(16).toString("base64url")
        return HttpServerResponse.text(
          state.page
            .replace("%NONCE%", nonce)
            .replace("%ROOM%", (state.rooms[roomOf(url)] ?? []).map(preloaded).join(""))
            // A script of this kind ends where `</script` stands, whatever it holds.
            .replace("%BOOT%", () => JSON.stringify(boot).replaceAll("<", String.raw`\u003c`)),
          { contentType: "text/html; charset=utf-8", headers: pageHeaders(nonce) }
        )
      })
    )
  })
)

const roomOf = (url: string) => url.split(/[/?]/, 3)[2] ?? ""

/** The files of the room that is asked for come with the page, not after it. */
const preloaded = (file: string) =>
  file.endsWith(".css")
    ? `<link rel="preload" as="style" crossorigin href="/app/${file}">`
    : `<link rel="modulepreload" crossorigin href="/app/${file}">`

const pageHeaders = (nonce: string) => ({
  "cache-control": "no-store",
  "content-security-policy":
    `default-src 'none'; script-src 'self'; style-src 'self' 'nonce-${nonce}'; img-src 'self' data: blob:; ` +
    "media-src 'self' blob:; font-src 'self'; connect-src 'self'; manifest-src 'self'; form-action 'self'; frame-ancestors 'none'; base-uri 'none'",
  "referrer-policy": "same-origin",
  // An account is connected in the same tab.
  "cross-origin-opener-policy": "same-origin",
  "x-content-type-options": "nosniff"
})

const noFile = HttpServerResponse.empty({ status: 404 })

const preparing = HttpServerResponse.setHeader(
  htmlPage({
    title: "The console is being prepared",
    body: markup`<p>This takes a few seconds, the first time after an update. The page reloads by itself.</p>`
  }),
  "refresh",
  "2"
)

const failed = htmlPage({
  title: "The console could not be built",
  body: markup`<p>The service works without it. The log says why, and so does this command in the service's folder:</p><pre>${byHand}</pre>`,
  status: 503,
  bad: true
})

const isOff = htmlPage({
  title: "This instance has no console",
  body: markup`<p>It was started with <code>CARILLON_CONSOLE=off</code>.</p>`,
  status: 404,
  bad: true
})
