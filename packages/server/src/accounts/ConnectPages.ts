import { platformName, PlatformId, markup } from "@carillon/domain"
import { Effect, Schema } from "effect"
import { HttpRouter, HttpServerRequest, HttpServerResponse } from "effect/http"
import { createHash } from "node:crypto"
import { AppConfig } from "../AppConfig.ts"
import { htmlPage } from "../http/HtmlPage.ts"
import { Connect, type Invited } from "./Connect.ts"
import type { Connected, ConnectFailed } from "./ConnectOutcome.ts"

/** The pages that connect an account at its platform, without JavaScript. */
export const ConnectPagesLayer = HttpRouter.use(
  Effect.fnUntraced(function* (router) {
    const connect = yield* Connect
    const { publicUrl } = yield* AppConfig
    const secure = publicUrl.startsWith("https:")

    const invitation = (ticket: string) =>
      Effect.map(connect.invitation(ticket), (invited) => invitationPage(invited, publicUrl))

    // Previews of a chat and other programs open links: only the button uses one up.
    yield* router.add(
      "GET",
      "/oauth/connect/:ticket",
      Effect.flatMap(HttpRouter.RouteContext, ({ params }) => invitation(params["ticket"] ?? "")).pipe(
        Effect.catchTag("ConnectFailed", failed(null))
      )
    )

    yield* router.add(
      "POST",
      "/oauth/connect/:ticket",
      Effect.gen(function* () {
        const { params } = yield* HttpRouter.RouteContext
        const { headers } = yield* HttpServerRequest.HttpServerRequest
        const from = headers["sec-fetch-site"]
        if (from !== undefined && from !== "same-origin") return yield* invitation(params["ticket"] ?? "")
        const { url, state, browser } = yield* connect.follow(params["ticket"] ?? "")
        return yield* HttpServerResponse.redirect(url, {
          status: 303,
          headers: { "cache-control": "no-store", "referrer-policy": "no-referrer" }
        }).pipe(
          HttpServerResponse.setCookie(cookieOf(state), browser, {
            httpOnly: true,
            // The platform sends the browser back from another site, by a top-level GET.
            sameSite: "lax",
            secure,
            path: "/oauth/callback",
            maxAge: "30 minutes"
          }),
          Effect.orDie
        )
      }).pipe(Effect.catchTag("ConnectFailed", failed(null)))
    )

    yield* router.add(
      "GET",
      "/oauth/callback/*",
      Effect.gen(function* () {
        const callback = (yield* HttpRouter.RouteContext).params["*"] ?? ""
        const [platform = ""] = callback.split("/")
        const request = yield* HttpServerRequest.HttpServerRequest
        const query = yield* HttpServerRequest.ParsedSearchParams
        const state = one(query["state"])
        const browser = request.cookies[cookieOf(state)]
        const code = one(query["code"])
        const visit = { ticket: state, browser, callback, issuers: issuersIn(query) }
        return yield* (
          code === ""
            ? connect.refused(visit, one(query["error"]).slice(0, 80) || "no_code")
            : connect.complete({ ...visit, code })
        ).pipe(
          Effect.map((connected) => shown(platform, connected, cookieOf(state))),
          Effect.catchTag("ConnectFailed", failed(platform))
        )
      })
    )

    yield* router.add(
      "POST",
      "/oauth/callback/*",
      Effect.gen(function* () {
        const callback = (yield* HttpRouter.RouteContext).params["*"] ?? ""
        const [platform = ""] = callback.split("/")
        const request = yield* HttpServerRequest.HttpServerRequest
        const form = new URLSearchParams(yield* request.text)
        const named = form.get("cookie") ?? ""
        // The form says which of the browser's cookies; a stranger's form may say anything.
        const browser = cookieForm.test(named) ? request.cookies[named] : undefined
        const issuers = [...issuersIn(yield* HttpServerRequest.ParsedSearchParams), ...form.getAll("iss")]
        return yield* connect
          .choose(
            { ticket: form.get("ticket") ?? "", browser, callback, issuers },
            form.getAll("account").map(Number)
          )
          .pipe(
            Effect.map((connected) => shown(platform, connected, "")),
            Effect.catchTag("ConnectFailed", failed(platform))
          )
      })
    )
  })
)

/** One cookie for each flow, because two may run side by side in one browser. */
const cookieOf = (state: string) =>
  `carillon_connect_${createHash("sha256").update(state).digest("hex").slice(0, 12)}`

const cookieForm = /^carillon_connect_[0-9a-f]{12}$/

const one = (value: string | ReadonlyArray<string> | undefined): string =>
  typeof value === "string" ? value : (value?.[0] ?? "")

/** The parameter of RFC 9207. */
const issuersIn = ({ iss = [] }: Readonly<Record<string, string | ReadonlyArray<string>>>) => [iss].flat()

const nameOf = (platform: string) =>
  Schema.is(PlatformId)(platform) ? platformName(platform) : "The network"

const withQuery = (url: string, entries: ReadonlyArray<readonly [string, string]>) => {
  const target = new URL(url)
  for (const [key, value] of entries) target.searchParams.append(key, value)
  return HttpServerResponse.redirect(target.href, {
    status: 303,
    headers: { "cache-control": "no-store", "referrer-policy": "no-referrer" }
  })
}

const inviterOf = ({ name, type }: Invited["inviter"]) =>
  type === "instance" || name === null
    ? "the operator of this service"
    : { api_key: `the API key ${name}`, app: `the app ${name}`, member: name }[type ?? "member"]

/** Tells the person whose posts they are about to let out. */
const invitationPage = (invited: Invited, publicUrl: string) => {
  const { consent_url, inviter, platform, redirect_url, workspace } = invited
  const page = htmlPage({
    title: `Connect your ${platformName(platform)} account`,
    leadsOnFrom: consent_url,
    body: markup`<p>You go to ${platformName(platform)} and sign in there. From then on, this workspace can post to the accounts of this sign-in that you, or whoever sent you here, choose.</p>
<dl><dt>Workspace</dt><dd>${workspace}</dd><dt>Carillon at</dt><dd>${new URL(publicUrl).host}</dd><dt>Invited by</dt><dd>${inviterOf(inviter)}</dd>${redirect_url === null ? null : markup`<dt>Then on to</dt><dd>${new URL(redirect_url).host}</dd>`}</dl>
<p class="soft">Did you expect this? If you do not know who invited you, close this page. Nothing is connected yet.</p>
<form method="post"><div class="actions"><button>Continue to ${platformName(platform)}</button></div></form>`
  })
  return HttpServerResponse.setHeader(page, "x-robots-tag", "noindex")
}

const shown = (platform: string, connected: Connected, cookie: string) => {
  if (connected._tag === "choose") {
    return connected.redirect_url === null
      ? choicePage(platform, connected, cookie)
      : withQuery(connected.redirect_url, [
          ["status", "pending"],
          ["platform", platform],
          ["pending", connected.pending_id]
        ])
  }
  const { accounts, redirect_url } = connected
  if (redirect_url !== null) {
    return withQuery(redirect_url, [
      ["status", "connected"],
      ["platform", platform],
      ...accounts.map(({ id }) => ["social_account_id", String(id)] as const)
    ])
  }
  const names = accounts.map(
    ({ username, id }, index) =>
      markup`${index === 0 ? "" : ", "}<strong>@${username}</strong> (account ${id})`
  )
  return htmlPage({
    title: accounts.length === 1 ? "The account is connected" : "The accounts are connected",
    body: markup`<p>${nameOf(platform)}: ${names}.</p>
<p class="soft">From now on, posts can go to ${accounts.length === 1 ? "it" : "them"}. You can close this window.</p>`
  })
}

const choicePage = (
  platform: string,
  { ticket, usernames }: Extract<Connected, { _tag: "choose" }>,
  cookie: string
) =>
  htmlPage({
    title: `Which ${nameOf(platform)} accounts?`,
    body: markup`<form method="post"><fieldset><legend>This sign-in gives access to ${usernames.length} accounts. Choose those that posts may go to.</legend>
${usernames.map(
  (username, index) =>
    markup`<label><input type="checkbox" name="account" value="${index}"> @${username}</label>
`
)}</fieldset><input type="hidden" name="ticket" value="${ticket}"><input type="hidden" name="cookie" value="${cookie}">
<button>Connect</button></form>`
  })

const failed = (platform: string | null) => (failure: ConnectFailed) =>
  Effect.succeed(
    failure.redirect_url === null
      ? htmlPage({
          title: "The account was not connected",
          body: markup`<p>${failure.message}</p>`,
          status: 400,
          bad: true
        })
      : withQuery(failure.redirect_url, [
          ["status", "failed"],
          ...(platform === null ? [] : [["platform", platform] as const]),
          ["error", failure.code],
          ["message", failure.message]
        ])
  )
