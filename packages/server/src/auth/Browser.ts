import { type Markup, markup, type Unauthorized } from "@carillon/domain"
import { Context, Effect, Layer, Option } from "effect"
import { HttpServerRequest, HttpServerResponse } from "effect/http"
import { createHmac, randomBytes, timingSafeEqual } from "node:crypto"
import { AppConfig } from "../AppConfig.ts"
import { htmlPage, type Page } from "../http/HtmlPage.ts"
import { clientAddress } from "../http/RateLimit.ts"
import { type SitePage, sitePages } from "../http/SitePages.ts"
import { deviceLasts } from "./DeviceCookie.ts"
import { Members, type NewSession, type Origin, type Session } from "./Members.ts"
import { cookieNamed } from "./SessionCookie.ts"
import { signedOut } from "./signedOut.ts"
import { Secrets } from "../crypto/Secrets.ts"

type Request = HttpServerRequest.HttpServerRequest
type Response = HttpServerResponse.HttpServerResponse

/** The hidden field that proves that a form is ours. */
export const formField = (token: string) => markup`<input type="hidden" name="form" value="${token}">`

/**
 * The browser that asks for a page: its session, and whether a form that it sends was given to this very browser. A
 * request without that proof is answered with `foreignForm`.
 *
 * @effect-expect-leaking HttpServerRequest
 */
export class Browser extends Context.Service<
  Browser,
  {
    readonly session: Effect.Effect<Option.Option<Session>, never, Request>
    /** The session of a request under `/v1`, which may have just ended. */
    readonly ownSession: Effect.Effect<Session, Unauthorized, Request>
    /** This very browser, as nobody else can name it; none: it was given no page of ours yet. */
    readonly visit: Effect.Effect<Option.Option<string>, never, Request>
    /** A page whose form belongs to this browser: `form` is the hidden field that the form has to carry. */
    page(page: (form: Markup) => Page): Effect.Effect<Response, never, Request>
    /** The fields of a form of ours; none if it came from elsewhere. */
    readonly form: Effect.Effect<Option.Option<URLSearchParams>, never, Request>
    readonly origin: Effect.Effect<Origin, never, Request>
    /** Makes the answer carry the session, and ends the one that the browser had before. */
    signedIn(session: NewSession, response: Response): Effect.Effect<Response, never, Request>
    signedOut(response: Response): Response
  }
>()("@carillon/server/auth/Browser") {
  static readonly layer = Layer.effect(
    Browser,
    Effect.gen(function* () {
      const members = yield* Members
      const { publicUrl } = yield* AppConfig
      const key = (yield* Secrets).key("forms")
      const secure = publicUrl.startsWith("https:")
      const sessionCookie = cookieNamed(publicUrl, "carillon_session")
      const visitCookie = cookieNamed(publicUrl, "carillon_visit")
      const deviceCookie = cookieNamed(publicUrl, "carillon_device")
      const cookie = { httpOnly: true, sameSite: "lax", secure, path: "/" } as const

      const proof = (visit: string, session: string | undefined) =>
        createHmac("sha256", key)
          .update(`${visit} ${session ?? ""}`)
          .digest("base64url")

      const session = Effect.flatMap(HttpServerRequest.HttpServerRequest, ({ cookies }) =>
        members.session(cookies[sessionCookie])
      )

      return Browser.of({
        session,
        ownSession: Effect.flatMap(session, Effect.fromOption).pipe(Effect.mapError(signedOut)),
        visit: Effect.map(HttpServerRequest.HttpServerRequest, ({ cookies }) =>
          Option.map(Option.fromUndefinedOr(cookies[visitCookie]), (visit) =>
            proof(visit, cookies[sessionCookie])
          )
        ),
        page: Effect.fnUntraced(function* (page) {
          const { cookies } = yield* HttpServerRequest.HttpServerRequest
          const visit = cookies[visitCookie] ?? randomBytes(16).toString("base64url")
          const response = htmlPage(page(formField(proof(visit, cookies[sessionCookie]))))
          return cookies[visitCookie] === undefined
            ? HttpServerResponse.setCookieUnsafe(response, visitCookie, visit, cookie)
            : response
        }),
        form: Effect.gen(function* () {
          const request = yield* HttpServerRequest.HttpServerRequest
          const fields = new URLSearchParams(yield* Effect.orDie(request.text))
          const visit = request.cookies[visitCookie]
          if (visit === undefined || request.headers["sec-fetch-site"] === "cross-site") return Option.none()
          const expected = Buffer.from(proof(visit, request.cookies[sessionCookie]))
          const given = Buffer.from(fields.get("form") ?? "")
          return given.length === expected.length && timingSafeEqual(given, expected)
            ? Option.some(fields)
            : Option.none()
        }),
        origin: Effect.gen(function* () {
          const { cookies, headers } = yield* HttpServerRequest.HttpServerRequest
          const userAgent = headers["user-agent"]?.slice(0, 500) ?? null
          return { address: yield* clientAddress, userAgent, device: cookies[deviceCookie] }
        }),
        signedIn: Effect.fnUntraced(function* ({ token, device }, response) {
          const { cookies } = yield* HttpServerRequest.HttpServerRequest
          const before = cookies[sessionCookie]
          if (before !== undefined && before !== token) yield* members.signOut(before)
          return HttpServerResponse.setCookieUnsafe(response, sessionCookie, token, {
            ...cookie,
            maxAge: "60 days"
          }).pipe(
            HttpServerResponse.setCookieUnsafe(deviceCookie, device, { ...cookie, maxAge: deviceLasts }),
            HttpServerResponse.setCookieUnsafe(visitCookie, randomBytes(16).toString("base64url"), cookie)
          )
        }),
        signedOut: (response) => HttpServerResponse.expireCookieUnsafe(response, sessionCookie, cookie)
      })
    })
  )
}

/** The answer to a form that came from elsewhere, or was opened before a sign-in. */
export const foreignForm = htmlPage({
  title: "That form has expired",
  body: markup`<p>It was opened before you signed in or out, or on another site. Nothing was changed. Go back, reload the page and try again.</p>`,
  status: 403,
  bad: true
})

export const seeOther = (path: string) =>
  HttpServerResponse.redirect(path, {
    status: 303,
    headers: { "cache-control": "no-store", "referrer-policy": "no-referrer" }
  })

/** Asks for a sign-in that leads back to the page `next`. */
export const signInFirst = (next: string) => seeOther(`/sign-in?${new URLSearchParams({ next })}`)

const waysBack = Object.values<SitePage>(sitePages)
  .filter(({ forMembers }) => forMembers)
  .map(({ path, query = "" }) => new RegExp(`^${path.replace(/:\w+/g, "[\\w-]+")}${query}$`))

/** A page that a sign-in may lead back to, else `home`: anything else would be an open redirect. */
export const wayBack = (next: string | null | undefined, home: string): string =>
  next != null && waysBack.some((page) => page.test(next)) ? next : home
