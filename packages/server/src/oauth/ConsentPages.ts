import { markup } from "@carillon/domain"
import { Effect, Option } from "effect"
import { HttpRouter, HttpServerRequest } from "effect/http"
import { Browser, foreignForm, seeOther, signInFirst } from "../auth/Browser.ts"
import { Members } from "../auth/Members.ts"
import { htmlPage } from "../http/HtmlPage.ts"
import { sitePages } from "../http/SitePages.ts"
import { AuthorizationServer } from "./AuthorizationServer.ts"
import { chosenWorkspace, makeConsentForm } from "./ConsentForm.ts"

const gone = htmlPage({
  title: "This request is no longer open",
  body: markup`<p>It has been answered, is older than half an hour, or was started in another browser. Nothing was granted. Start again in the app.</p>`,
  status: 404,
  bad: true
})

const formsOf = (uid: string) => {
  const page = `/oauth/consent/${uid}`
  return { workspace: { method: "get", action: page }, answer: page, hidden: markup`` } as const
}

/** The page that asks a person what an app may do, without JavaScript. */
export const ConsentPagesLayer = HttpRouter.use(
  Effect.fnUntraced(function* (router) {
    const server = yield* AuthorizationServer
    const members = yield* Members
    const browser = yield* Browser
    const consent = yield* makeConsentForm

    /** The authorization server gets the request without its body, which is the person's form. */
    const asked = Effect.map(HttpServerRequest.HttpServerRequest, (request) => ({
      method: request.method,
      url: request.url,
      headers: request.headers,
      body: null,
      address: "unknown"
    }))

    const uid = Effect.map(HttpRouter.RouteContext, ({ params }) => params["uid"] ?? "")

    const visit = Effect.gen(function* () {
      const id = yield* uid
      const request = yield* asked
      const pending = yield* server.pending(request, id)
      if (Option.isNone(pending)) return { answer: gone } as const
      const session = yield* browser.session
      if (Option.isNone(session)) return { answer: signInFirst(`/oauth/consent/${id}`) } as const
      const workspaces = yield* members.workspaces(session.value.member)
      return {
        request,
        pending: pending.value,
        session: session.value,
        workspaces,
        forms: formsOf(id)
      } as const
    })

    yield* router.add(
      "GET",
      sitePages.consent.path,
      Effect.gen(function* () {
        const visited = yield* visit
        if ("answer" in visited) return visited.answer
        const { forms, workspaces } = visited
        const { workspace } = yield* HttpServerRequest.ParsedSearchParams
        const shown = chosenWorkspace(workspaces, workspace) ?? workspaces[0]
        if (shown === undefined) return gone
        return yield* consent.page(visited, shown, forms, null)
      })
    )

    yield* router.add(
      "POST",
      sitePages.consent.path,
      Effect.gen(function* () {
        const form = yield* browser.form
        if (Option.isNone(form)) return foreignForm
        const visited = yield* visit
        if ("answer" in visited) return visited.answer
        const { forms, request, pending, session, workspaces } = visited
        if (form.value.get("decision") !== "allow") return seeOther(yield* server.refuse(request))
        const workspace = chosenWorkspace(workspaces, form.value.get("workspace"))
        if (workspace === undefined) return foreignForm
        const choice = yield* consent.choice(visited, workspace, form.value)
        if (typeof choice === "string") return yield* consent.page(visited, workspace, forms, choice)
        const answer = { ...pending, member_id: session.member.id, granted: choice.scopes }
        return seeOther(yield* server.allow(request, answer, consent.keep(visited, workspace, choice)))
      })
    )
  })
)
