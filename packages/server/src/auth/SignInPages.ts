import { type Markup, markup } from "@carillon/domain"
import { Effect, Option } from "effect"
import { HttpRouter, HttpServerRequest, HttpServerResponse } from "effect/http"
import { AppConfig } from "../AppConfig.ts"
import { longestPassword, passwordRule, shortestPassword } from "../crypto/PasswordRules.ts"
import { alerts, htmlPage, timeInUtc } from "../http/HtmlPage.ts"
import { sitePages } from "../http/SitePages.ts"
import { Browser, foreignForm, seeOther, signInFirst, wayBack } from "./Browser.ts"
import type { Grant } from "./GrantRepository.ts"
import { Grants } from "./Grants.ts"
import { FormRefused, Members, type Session } from "./Members.ts"
import { Passkeys } from "./Passkeys.ts"
import { passkeyScript } from "./passkeyScript.ts"
import { passwordLinkMinutes } from "./PasswordLink.ts"
import { type AwaitsCode, SignIns } from "./SignIns.ts"
import type { Throttled } from "../http/Throttle.ts"
import { Workspaces } from "../workspaces/Workspaces.ts"

type Failure = FormRefused | Throttled

const refusal = (failure: Failure | null) => alerts(failure === null ? [] : [said(failure)])

const newPassword = (label: string, name = "password") =>
  markup`<label class="field">${label}<span>${passwordRule}</span>
<input type="password" name="${name}" required minlength="${shortestPassword}" maxlength="${longestPassword}" autocomplete="new-password"></label>`

const nameField = (value: string) =>
  markup`<label class="field">Name<input type="text" name="name" required maxlength="100" value="${value}" autocomplete="username" autocapitalize="none" spellcheck="false"></label>`

const zoneField = (chosen: string) =>
  markup`<label class="field">Time zone<span>Posts are scheduled and shown in this zone. You can change it in the settings.</span>
<select name="timezone">${[...new Set([chosen, "UTC", ...Intl.supportedValuesOf("timeZone")])].map((zone) => markup`<option${zone === chosen ? markup` selected` : null}>${zone}</option>`)}</select></label>`

const browserZone = `
const zones = document.querySelector("[name=timezone]")
const { timeZone } = Intl.DateTimeFormat().resolvedOptions()
if ([...zones.options].some(({ value }) => value === timeZone)) zones.value = timeZone
`

const appRow = (
  { id, client_name, last_used_at }: Grant,
  form: Markup
) => markup`<li><strong>${client_name}</strong> <span class="soft">${last_used_at === null ? "not used yet" : markup`last used ${timeInUtc(last_used_at)}`}</span>
<form method="post" action="/account/apps/${id}/disconnect">${form}<button class="quiet" aria-label="Disconnect ${client_name}">Disconnect</button></form></li>`

const said = (failure: Failure) =>
  failure._tag === "FormRefused"
    ? failure.message
    : `Too many attempts. Wait ${minutes(failure.retry_after_seconds)} and try again.`

const passwordOver = new FormRefused({
  message: "The password was given more than five minutes ago, or has changed. Enter it again."
})

/** Hidden until the script finds that the browser can: without JavaScript there is the password. */
const passkeyForm = (form: Markup, next: string, origin: string) =>
  markup`<form method="post" action="/sign-in/passkey" id="passkey" data-origin="${origin}" hidden>${form}
<input type="hidden" name="next" value="${next}"><input type="hidden" name="credential" value="">
<div class="note bad" role="alert" hidden><p>The browser gave no passkey. Try again, or sign in with the password.</p></div>
<div class="actions"><button class="quiet">Sign in with a passkey</button></div></form>`

const minutes = (seconds: number) =>
  seconds < 90 ? `${seconds} seconds` : `${Math.ceil(seconds / 60)} minutes`

const statusOf = (failure: Failure | null) =>
  failure === null ? 200 : failure._tag === "Throttled" ? 429 : 400

const retryAfter = (failure: Failure | null) => (response: HttpServerResponse.HttpServerResponse) =>
  failure?._tag === "Throttled"
    ? HttpServerResponse.setHeader(response, "retry-after", String(failure.retry_after_seconds))
    : response

/** No mail is sent: who can read the service's secret is who may choose a new password. */
const forgotten = htmlPage({
  title: "Set a new password",
  body: markup`<p>Carillon sends no email. Whoever runs the service gets a link on its own machine, while the service is running:</p>
<ol><li>In the service's folder, run:
<pre><code>npm run -s password</code></pre>
With Docker Compose:
<pre><code>docker compose exec carillon node packages/server/src/password.ts</code></pre>
Installed as a package: <code>carillon-server password</code>. The deployment guide has the line for systemd.</li>
<li>Open the link that it prints. It works once, for ${passwordLinkMinutes} minutes.</li>
<li>Choose a name and a password there.</li></ol>
<p>The new password ends every session, and removes the authenticator app, its recovery codes and the passkeys. Connected apps, API keys, accounts and posts stay as they are.</p>
<p class="soft"><a href="/sign-in">Sign in</a></p>`
})

/**
 * The owner's first visit and sign-in, without JavaScript. Where there is no console, also a page on which a person signs out, changes the
 * password and disconnects an app.
 */
export const SignInPagesLayer = HttpRouter.use(
  Effect.fnUntraced(function* (router) {
    const members = yield* Members
    const signIns = yield* SignIns
    const passkeys = yield* Passkeys
    const browser = yield* Browser
    const workspaces = yield* Workspaces
    const { console, publicUrl } = yield* AppConfig
    const home = (console ? sitePages.console : sitePages.account).path

    /** The time zone is asked once: a later link gives a new password alone. */
    const welcome = Effect.fnUntraced(function* (
      name: string | null,
      timezone: string | null,
      failure: Failure | null
    ) {
      const owner = Option.getOrNull(yield* members.owner)
      const { timezone: present } = yield* workspaces.default
      return yield* Effect.map(
        browser.page((form) => ({
          title: owner === null ? "Welcome to Carillon" : "Set a new password",
          status: statusOf(failure),
          ...(owner !== null || timezone !== null ? {} : { script: { source: browserZone } }),
          body: markup`<p>Choose the name and the password that you will sign in with.${owner === null ? null : " The authenticator app, its recovery codes and the passkeys are removed."}</p>
${refusal(failure)}<form method="post">${form}
${nameField(name ?? owner?.name ?? "")}${newPassword("Password")}${owner === null ? zoneField(timezone ?? present) : null}
<div class="actions"><button>${owner === null ? "Create the owner account" : "Set the password"}</button></div></form>`
        })),
        retryAfter(failure)
      )
    })

    yield* router.add(
      "GET",
      "/welcome/:ticket",
      Effect.gen(function* () {
        const { params } = yield* HttpRouter.RouteContext
        if (yield* members.linkIsGood(params["ticket"] ?? "")) return yield* welcome(null, null, null)
        return yield* browser.page(() => ({
          title: "This link no longer works",
          body: markup`<p>It has been used, has expired, or was replaced by a newer one. If there is no owner account yet, the service prints a new link when it next starts.</p><p><a href="/sign-in">Sign in</a> · <a href="/sign-in/forgotten">Forgot your password?</a></p>`,
          status: 404,
          bad: true
        }))
      })
    )

    yield* router.add(
      "POST",
      "/welcome/:ticket",
      Effect.gen(function* () {
        const { params } = yield* HttpRouter.RouteContext
        const form = yield* browser.form
        if (Option.isNone(form)) return foreignForm
        const name = form.value.get("name") ?? ""
        const timezone = form.value.get("timezone")
        const password = form.value.get("password") ?? ""
        return yield* members
          .claim(params["ticket"] ?? "", { name, password, timezone }, yield* browser.origin)
          .pipe(
            Effect.flatMap((session) => browser.signedIn(session, seeOther(home))),
            Effect.catch((failure) => welcome(name, timezone, failure))
          )
      })
    )

    const signIn = Effect.fnUntraced(function* (name: string, next: string, failure: Failure | null) {
      const byPasskey = yield* passkeys.areUsed
      return yield* Effect.map(
        browser.page((form) => ({
          title: "Sign in",
          status: statusOf(failure),
          ...(byPasskey ? { script: { source: passkeyScript, sends: true } } : {}),
          body: markup`${refusal(failure)}<form method="post" action="/sign-in">${form}
<input type="hidden" name="next" value="${next}">
${nameField(name)}
<label class="field">Password<input type="password" name="password" required maxlength="${longestPassword}" autocomplete="current-password"></label>
<div class="actions"><button>Sign in</button></div></form>
${byPasskey ? passkeyForm(form, next, new URL(publicUrl).origin) : null}
<p class="soft"><a href="/sign-in/forgotten">Forgot your password?</a></p>
<p class="soft">No account yet? The service prints a link for its owner when it starts.</p>`
        })),
        retryAfter(failure)
      )
    })

    const code = ({ memberId, ticket }: AwaitsCode, next: string, failure: Failure | null) =>
      Effect.map(
        browser.page((form) => ({
          title: "Enter a code",
          status: statusOf(failure),
          body: markup`<p>Your authenticator app shows it. If you do not have the app here, enter one of your recovery codes.</p>
${refusal(failure)}<form method="post" action="/sign-in/code">${form}
<input type="hidden" name="next" value="${next}">
<input type="hidden" name="member" value="${memberId}">
<input type="hidden" name="ticket" value="${ticket}">
<label class="field">Code<input type="text" name="code" required maxlength="40" autocomplete="one-time-code" autocapitalize="none" spellcheck="false" autofocus></label>
<div class="actions"><button>Sign in</button></div></form>
<p class="soft"><a href="/sign-in?${String(new URLSearchParams({ next }))}">Begin again</a></p>`
        })),
        retryAfter(failure)
      )

    yield* router.add(
      "GET",
      "/sign-in",
      Effect.gen(function* () {
        const { next } = yield* HttpServerRequest.ParsedSearchParams
        const back = wayBack(typeof next === "string" ? next : null, home)
        return Option.isSome(yield* browser.session) ? seeOther(back) : yield* signIn("", back, null)
      })
    )

    yield* router.add("GET", "/sign-in/forgotten", forgotten)

    yield* router.add(
      "POST",
      "/sign-in",
      Effect.gen(function* () {
        const form = yield* browser.form
        if (Option.isNone(form)) return foreignForm
        const name = form.value.get("name") ?? ""
        const back = wayBack(form.value.get("next"), home)
        return yield* signIns
          .withPassword(name, form.value.get("password") ?? "", yield* browser.origin)
          .pipe(
            Effect.flatMap((begun) =>
              "ticket" in begun ? code(begun, back, null) : browser.signedIn(begun, seeOther(back))
            ),
            Effect.catch((failure) => signIn(name, back, failure))
          )
      })
    )

    yield* router.add(
      "POST",
      "/sign-in/code",
      Effect.gen(function* () {
        const form = yield* browser.form
        if (Option.isNone(form)) return foreignForm
        const field = (name: string) => form.value.get(name) ?? ""
        const back = wayBack(field("next"), home)
        const awaits = { memberId: field("member"), ticket: field("ticket") }
        return yield* signIns.withCode(awaits, field("code"), yield* browser.origin).pipe(
          Effect.flatMap((session) => browser.signedIn(session, seeOther(back))),
          Effect.catchTag("PasswordOver", () => signIn("", back, passwordOver)),
          Effect.catch((failure) => code(awaits, back, failure))
        )
      })
    )

    yield* router.add(
      "GET",
      "/sign-in/passkey",
      Effect.gen(function* () {
        const visit = yield* browser.visit
        if (Option.isNone(visit) || !(yield* passkeys.areUsed))
          return HttpServerResponse.empty({ status: 404 })
        return HttpServerResponse.jsonUnsafe(yield* passkeys.request(visit.value), {
          headers: { "cache-control": "no-store" }
        })
      })
    )

    yield* router.add(
      "POST",
      "/sign-in/passkey",
      Effect.gen(function* () {
        const form = yield* browser.form
        const visit = yield* browser.visit
        if (Option.isNone(form) || Option.isNone(visit)) return foreignForm
        const back = wayBack(form.value.get("next"), home)
        const credential = form.value.get("credential") ?? ""
        return yield* signIns.withPasskey(visit.value, credential, yield* browser.origin).pipe(
          Effect.flatMap((session) => browser.signedIn(session, seeOther(back))),
          Effect.catch(({ message }) => signIn("", back, new FormRefused({ message })))
        )
      })
    )

    for (const { path, room } of [sitePages.account, sitePages.connectedApps, sitePages.connectApp]) {
      if (console) yield* router.add("GET", path, seeOther(`${sitePages.console.path}${room}`))
      else if (path !== sitePages.account.path)
        yield* router.add("GET", path, seeOther(sitePages.account.path))
    }
    if (console) return

    const grants = yield* Grants

    const account = Effect.fnUntraced(function* ({ member }: Session, failure: Failure | null) {
      const apps = (yield* grants.list(member.id)).filter(({ ended_at }) => ended_at === null)
      return yield* browser.page((form) => ({
        title: "Account",
        signedIn: true,
        status: statusOf(failure),
        body: markup`${refusal(failure)}<p>You are signed in as <strong>${member.name}</strong>.</p>
<form method="post" action="/sign-out">${form}<div class="actions"><button class="quiet">Sign out</button><button class="quiet" name="everywhere" value="yes">Sign out everywhere</button></div></form>
<h2>Connected apps</h2>
${apps.length === 0 ? null : markup`<ul class="rows">${apps.map((app) => appRow(app, form))}</ul>`}
<p class="soft">Give an app the address <code>${publicUrl}/mcp</code>: it asks you what it may do. To change that, connect it again.</p>
<h2>Change the password</h2>
<form method="post" action="/account">${form}
<input type="text" name="name" value="${member.name}" autocomplete="username" hidden>
<label class="field">Current password<input type="password" name="present" required maxlength="${longestPassword}" autocomplete="current-password"></label>
${newPassword("New password")}
<div class="actions"><button>Change the password</button></div></form>`
      }))
    })

    yield* router.add(
      "GET",
      sitePages.account.path,
      Effect.gen(function* () {
        const session = yield* browser.session
        return Option.isNone(session)
          ? signInFirst(sitePages.account.path)
          : yield* account(session.value, null)
      })
    )

    yield* router.add(
      "POST",
      sitePages.account.path,
      Effect.gen(function* () {
        const session = yield* browser.session
        const form = yield* browser.form
        if (Option.isNone(form) || Option.isNone(session)) return foreignForm
        const fields = form.value
        return yield* members
          .changePassword(
            session.value,
            fields.get("present") ?? "",
            fields.get("password") ?? "",
            yield* browser.origin
          )
          .pipe(
            Effect.flatMap((renewed) => browser.signedIn(renewed, seeOther("/account"))),
            Effect.catch((failure) => Effect.map(account(session.value, failure), retryAfter(failure)))
          )
      })
    )

    yield* router.add(
      "POST",
      "/account/apps/:id/disconnect",
      Effect.gen(function* () {
        const { params } = yield* HttpRouter.RouteContext
        const session = yield* browser.session
        const form = yield* browser.form
        if (Option.isNone(form) || Option.isNone(session)) return foreignForm
        yield* grants.disconnect(session.value.member.id, params["id"] ?? "")
        return seeOther(sitePages.account.path)
      })
    )

    yield* router.add(
      "POST",
      "/sign-out",
      Effect.gen(function* () {
        const session = yield* browser.session
        const form = yield* browser.form
        if (Option.isNone(form)) return foreignForm
        if (Option.isSome(session)) {
          yield* form.value.has("everywhere")
            ? members.signOutEverywhere(session.value.member)
            : members.signOut(session.value.token)
        }
        return browser.signedOut(seeOther("/sign-in"))
      })
    )
  })
)
