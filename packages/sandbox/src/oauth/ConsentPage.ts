import { type Markup, markup } from "@carillon/domain"
import { Effect } from "effect"
import { HttpRouter, HttpServerRequest, HttpServerResponse } from "effect/http"
import { queryOf } from "../Exchange.ts"
import { type Issuer, platformFor, type Tokens } from "./Tokens.ts"

/** The platform's own parts of its consent page. */
export interface Consent {
  readonly platform: Issuer
  /** The name that people know. */
  readonly name: string
  /** The query parameter that names the app; `client_id` by default. */
  readonly clientParameter?: string
  /** The separator of the scopes in the query. */
  readonly scopeSeparator: "," | " "
  /** Whether it takes PKCE. Otherwise a `code_challenge` is ignored. */
  readonly pkce?: boolean
  /** How long a code lives; ten minutes by default. */
  readonly codeSeconds?: number
  /** The platform's objections to the query, beyond those of the standard. */
  readonly objections?: (query: URLSearchParams) => ReadonlyArray<string>
}

export const consentRoutes = (path: HttpRouter.PathInput, consent: Consent, tokens: Tokens["Service"]) =>
  (["GET", "POST"] as const).map((method) => HttpRouter.route(method, path, consentPage(consent, tokens)))

/**
 * The page on which a person allows an app to act for an account. It takes any username, and every scope can be
 * unticked. `GET` shows it, `POST` of its form sends the browser back to `redirect_uri` with `code` and `state`, or with
 * `error=access_denied`.
 */
const consentPage = Effect.fnUntraced(function* (consent: Consent, tokens: Tokens["Service"]) {
  const request = yield* HttpServerRequest.HttpServerRequest
  const query = queryOf(request)
  const redirectUri = query.get("redirect_uri") ?? ""
  const { clientParameter = "client_id", objections = () => [], pkce = false } = consent
  const client = query.get(clientParameter) ?? ""
  const challenge = pkce ? query.get("code_challenge") : null
  const wanted = (query.get("scope") ?? "").split(consent.scopeSeparator).filter((scope) => scope !== "")
  const wrong = [
    ...(client === "" ? [`${clientParameter} is missing.`] : []),
    ...(URL.canParse(redirectUri) ? [] : ["redirect_uri is missing or is no address."]),
    ...(query.get("response_type") === "code" ? [] : ['response_type must be "code".']),
    ...(wanted.length === 0 ? ["scope is missing."] : []),
    ...(challenge === null || query.get("code_challenge_method") === "S256"
      ? []
      : ["code_challenge_method must be S256."]),
    ...objections(query)
  ]
  if (wrong.length > 0) {
    return page(400, markup`<h1>${consent.name} cannot go on</h1><p>${wrong.join(" ")}</p>`)
  }
  if (request.method === "GET") return page(200, form(consent, client, wanted))

  const answer = new URLSearchParams(yield* Effect.orDie(request.text))
  const back = new URL(redirectUri)
  const state = query.get("state")
  if (state !== null) back.searchParams.set("state", state)
  const username = (answer.get("username") ?? "").trim()
  if (answer.get("decision") !== "allow" || username === "") {
    back.searchParams.set("error", "access_denied")
    back.searchParams.set("error_description", "The user denied the request.")
    return HttpServerResponse.redirect(back.href)
  }
  const scopes = wanted.filter((scope) => answer.getAll("scope").includes(scope))
  const code = yield* tokens.code(
    { platform: platformFor(consent.platform, scopes), account: username, client_id: client, scopes },
    { redirect_uri: redirectUri, code_challenge: challenge },
    consent.codeSeconds
  )
  back.searchParams.set("code", code)
  return HttpServerResponse.redirect(back.href)
})

const form = ({ name }: Consent, client: string, scopes: ReadonlyArray<string>) =>
  markup`<h1>${name}, as the test network plays it</h1>
<p>The app <strong>${client}</strong> asks to act for an account of yours.</p>
<form method="post"><p><label>Account <input name="username" value="demo" required pattern="[\\w.\\-]{1,60}"></label></p>
${scopes.map((scope) => markup`<p><label><input type="checkbox" name="scope" value="${scope}" checked> ${scope}</label></p>`)}
<p><button name="decision" value="allow">Allow</button> <button name="decision" value="deny">Deny</button></p></form>`

const page = (status: number, body: Markup) =>
  HttpServerResponse.text(
    markup`<!doctype html><html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width,initial-scale=1"><title>Sign in</title>${body}</html>`
      .markup,
    {
      status,
      contentType: "text/html; charset=utf-8",
      headers: {
        "cache-control": "no-store",
        "content-security-policy": "default-src 'none'; frame-ancestors 'none'",
        "referrer-policy": "no-referrer"
      }
    }
  )
