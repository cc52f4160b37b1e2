import { markup } from "@carillon/domain"
import { Effect, Option } from "effect"
import { HttpRouter, HttpServerRequest, HttpServerResponse } from "effect/http"
import { Browser, foreignForm, signInFirst } from "../auth/Browser.ts"
import { Members, type Session } from "../auth/Members.ts"
import { Throttle } from "../http/Throttle.ts"
import { alerts, htmlPage } from "../http/HtmlPage.ts"
import { sitePages } from "../http/SitePages.ts"
import { AuthorizationServer } from "./AuthorizationServer.ts"
import { chosenWorkspace, makeConsentForm, nameOf } from "./ConsentForm.ts"

/** Wrong codes from one member. A code is one of 20^8 and lasts ten minutes. */
const mostMistyped = { most: 10, within: "10 minutes" } as const

/** A code as the program shows it, however it was typed. */
const spelled = (typed: string) => {
  const letters = typed
    .toUpperCase()
    .replace(/[^A-Z]/g, "")
    .slice(0, 8)
  return letters.length > 4 ? `${letters.slice(0, 4)}-${letters.slice(4)}` : letters
}

const allowed = (app: string) =>
  htmlPage({
    title: `${app} is connected`,
    body: markup`<p>Go back to the program. It continues by itself within a few seconds. You can close this page.</p>`,
    signedIn: true
  })

const denied = htmlPage({
  title: "Nothing was granted",
  body: markup`<p>The program is told that you refused. You can close this page.</p>`,
  signedIn: true
})

/** The page on which a person types the code that a program shows (RFC 8628) and answers it, without JavaScript. */
export const DevicePagesLayer = HttpRouter.use(
  Effect.fnUntraced(function* (router) {
    const server = yield* AuthorizationServer
    const members = yield* Members
    const browser = yield* Browser
    const throttle = yield* Throttle
    const consent = yield* makeConsentForm

    const codePage = (code: string, told: string | null, status = 200) =>
      browser.page((form) => ({
        title: "Sign in a program",
        status,
        signedIn: true,
        body: markup`${alerts(told === null ? [] : [told])}
<p>Type the code that the program shows you. On the next page you see who is asking, and choose what it may do.</p>
<form method="post" action="/device">${form}
<label class="field">Code<input type="text" name="user_code" required maxlength="20" value="${code}" autocomplete="off" autocapitalize="characters" spellcheck="false"></label>
<div class="actions"><button>Continue</button></div></form>
<p class="soft">Did somebody send you a code, or a link to this page? Close it: they would get the access.</p>`
      }))

    const signIn = (code: string) =>
      signInFirst(code === "" ? sitePages.device.path : `/device?user_code=${code}`)

    /** Looks a code up, for members only and within `mostMistyped`. */
    const waiting = Effect.fnUntraced(function* (session: Session, code: string) {
      const limit = { bucket: `user-code:${session.member.id}`, ...mostMistyped }
      yield* throttle.take(limit)
      const pending = yield* server.pendingDevice(code)
      if (Option.isSome(pending)) yield* throttle.giveBack(limit)
      return pending
    })

    const visit = Effect.gen(function* () {
      const session = yield* browser.session
      const form = yield* browser.form
      if (Option.isNone(form)) return { answer: foreignForm } as const
      const code = spelled(form.value.get("user_code") ?? "")
      if (Option.isNone(session)) return { answer: signIn(code) } as const
      const found = yield* waiting(session.value, code)
      if (Option.isNone(found)) {
        const told = `No program is waiting with the code ${code}. Check that you typed it as the program shows it. A code works once, within ten minutes; after that, start the sign-in there again.`
        return { answer: yield* codePage(code, told, 400) } as const
      }
      const workspaces = yield* members.workspaces(session.value.member)
      const workspace = chosenWorkspace(workspaces, form.value.get("workspace")) ?? workspaces[0]
      if (workspace === undefined) return { answer: foreignForm } as const
      const asked = { pending: found.value, session: session.value, workspaces }
      return { code, form: form.value, asked, workspace } as const
    }).pipe(
      Effect.catchTag("Throttled", ({ retry_after_seconds: seconds }) =>
        Effect.map(
          codePage("", `Too many wrong codes. Wait ${seconds} seconds and try again.`, 429),
          (page) => ({ answer: HttpServerResponse.setHeader(page, "retry-after", String(seconds)) }) as const
        )
      )
    )

    const forms = (code: string) => ({
      workspace: { method: "post" as const, action: "/device" },
      answer: "/device/answer",
      hidden: markup`<input type="hidden" name="user_code" value="${code}">`
    })

    yield* router.add(
      "GET",
      sitePages.device.path,
      Effect.gen(function* () {
        const { user_code: given } = yield* HttpServerRequest.ParsedSearchParams
        const code = spelled(typeof given === "string" ? given : "")
        return Option.isNone(yield* browser.session) ? signIn(code) : yield* codePage(code, null)
      })
    )

    yield* router.add(
      "POST",
      sitePages.device.path,
      Effect.gen(function* () {
        const visited = yield* visit
        if ("answer" in visited) return visited.answer
        const { asked, code, workspace } = visited
        return yield* consent.page(asked, workspace, forms(code), null)
      })
    )

    yield* router.add(
      "POST",
      "/device/answer",
      Effect.gen(function* () {
        const visited = yield* visit
        if ("answer" in visited) return visited.answer
        const { asked, code, form, workspace } = visited
        const late = codePage(
          code,
          `The code ${code} has been answered or has expired in the meantime. Start the sign-in in the program again.`,
          400
        )
        if (form.get("decision") !== "allow") {
          return (yield* server.refuseDevice(code)) ? denied : yield* late
        }
        const choice = yield* consent.choice(asked, workspace, form)
        if (typeof choice === "string") return yield* consent.page(asked, workspace, forms(code), choice)
        const answer = { ...asked.pending, member_id: asked.session.member.id, granted: choice.scopes }
        const done = yield* server.allowDevice(code, answer, consent.keep(asked, workspace, choice))
        return done ? allowed(nameOf(asked.pending)) : yield* late
      })
    )
  })
)
