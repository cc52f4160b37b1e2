import { DateTime, Effect, Option } from "effect"
import { HttpRouter, HttpServerRequest } from "effect/http"
import { SocialAccounts } from "../accounts/SocialAccounts.ts"
import { Browser, foreignForm, seeOther } from "../auth/Browser.ts"
import type { MemberWorkspace } from "../auth/MemberRepository.ts"
import { Members } from "../auth/Members.ts"
import { escapeHtml, htmlPage } from "../http/HtmlPage.ts"
import { AuthorizationServer, type PendingConsent } from "./AuthorizationServer.ts"
import { commandLineClient } from "./CommandLineClient.ts"
import { destination } from "./Destination.ts"
import { accountsOf, grantFields, readChoice } from "./GrantFields.ts"
import { Grants } from "./Grants.ts"

const gone = htmlPage({
  title: "This request is no longer open",
  body: "<p>It was answered already, is older than half an hour, or was begun in another browser. Start again in the app; nothing was granted.</p>",
  status: 404,
  bad: true
})

const identity = ({ documented, client_id: id }: PendingConsent) =>
  documented
    ? new URL(id).host
    : id === commandLineClient.client_id
      ? "this service, but any program on your computer can use the name"
      : "unknown: it registered itself"

const warning = (asked: PendingConsent) => {
  const { kind, shown } = destination(asked.redirect_uri)
  if (kind === "loopback")
    return "The answer goes to a program on this computer. Continue only if you have just started to connect it yourself."
  if (asked.documented && new URL(asked.client_id).host === shown) return null
  return `Carillon cannot check who is behind ${shown}. Continue only if you have just started to connect it yourself and trust it.`
}

const nameOf = ({ client_name, client_id, documented }: PendingConsent) =>
  client_name !== "" ? client_name : documented ? new URL(client_id).host : "An app without a name"

const workspaceChoice = (workspaces: ReadonlyArray<MemberWorkspace>, chosen: MemberWorkspace) =>
  workspaces.length === 1
    ? ""
    : `<form method="get"><label class="field">Workspace<span>The app gets access to one of them.</span><select name="workspace">${workspaces
        .map(
          ({ id, name }) =>
            `<option value="${id}"${id === chosen.id ? " selected" : ""}>${escapeHtml(name)}</option>`
        )
        .join(
          ""
        )}</select></label><div class="actions"><button class="quiet">Show its accounts</button></div></form>`

/** A person is asked what an app may do, and answers; without JavaScript. */
export const ConsentPagesLayer = HttpRouter.use(
  Effect.fnUntraced(function* (router) {
    const server = yield* AuthorizationServer
    const members = yield* Members
    const browser = yield* Browser
    const grants = yield* Grants
    const accounts = yield* SocialAccounts

    /** As it was asked: the body, if there is one, is the person's. */
    const asked = Effect.map(HttpServerRequest.HttpServerRequest, (request) => ({
      method: request.method,
      url: request.originalUrl,
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
      if (Option.isNone(session)) return { answer: seeOther(`/sign-in?next=/oauth/consent/${id}`) } as const
      const workspaces = yield* members.workspaces(session.value.member)
      return { request, pending: pending.value, session: session.value, workspaces } as const
    })

    const page = (
      pending: PendingConsent,
      name: string,
      workspaces: ReadonlyArray<MemberWorkspace>,
      workspace: MemberWorkspace,
      told: string | null
    ) =>
      Effect.gen(function* () {
        const listed = yield* accountsOf(workspace).pipe(Effect.provideService(SocialAccounts, accounts))
        const app = nameOf(pending)
        const beware = warning(pending)
        return yield* browser.page((form) => ({
          title: `${app} wants to use your Carillon`,
          status: told === null ? 200 : 400,
          wide: true,
          leadsTo: pending.redirect_uri,
          body: `${told === null ? "" : `<div class="note bad" role="alert"><p>${escapeHtml(told)}</p></div>`}
<dl><dt>App</dt><dd>${escapeHtml(app)}</dd><dt>Known by</dt><dd>${escapeHtml(identity(pending))}</dd><dt>Sends you back to</dt><dd>${escapeHtml(destination(pending.redirect_uri).shown)}</dd><dt>Workspace</dt><dd>${escapeHtml(workspace.name)}</dd><dt>Signed in as</dt><dd>${escapeHtml(name)}</dd></dl>
${beware === null ? "" : `<div class="note"><p>${escapeHtml(beware)}</p></div>`}
${workspaceChoice(workspaces, workspace)}
<form method="post">${form}<input type="hidden" name="workspace" value="${workspace.id}">
${grantFields(pending.scopes, listed, {
  scopes: pending.scopes,
  social_accounts: listed.length === 0 ? null : listed.map(({ id }) => id),
  needs_approval: false
})}
<p class="soft">The access lasts until you end it under <em>Connected apps</em>, or until the app has not used it for 60 days.</p>
<div class="actions even"><button class="quiet" name="decision" value="deny">Deny</button><button name="decision" value="allow">Allow</button></div></form>`
        }))
      })

    const chosenWorkspace = (workspaces: ReadonlyArray<MemberWorkspace>, id: string | null) =>
      workspaces.find((workspace) => workspace.id === id)

    yield* router.add(
      "GET",
      "/oauth/consent/:uid",
      Effect.gen(function* () {
        const visited = yield* visit
        if ("answer" in visited) return visited.answer
        const { pending, session, workspaces } = visited
        const { workspace } = yield* HttpServerRequest.ParsedSearchParams
        const shown =
          chosenWorkspace(workspaces, typeof workspace === "string" ? workspace : null) ?? workspaces[0]
        if (shown === undefined) return gone
        return yield* page(pending, session.member.name, workspaces, shown, null)
      })
    )

    yield* router.add(
      "POST",
      "/oauth/consent/:uid",
      Effect.gen(function* () {
        const form = yield* browser.form
        if (Option.isNone(form)) return foreignForm
        const visited = yield* visit
        if ("answer" in visited) return visited.answer
        const { request, pending, session, workspaces } = visited
        if (form.value.get("decision") !== "allow") return seeOther(yield* server.refuse(request))
        const workspace = chosenWorkspace(workspaces, form.value.get("workspace"))
        if (workspace === undefined) return foreignForm
        const listed = yield* accountsOf(workspace).pipe(Effect.provideService(SocialAccounts, accounts))
        const choice = readChoice(form.value, pending.scopes, listed)
        if (choice.scopes.length === 0 || choice.social_accounts?.length === 0) {
          const told =
            choice.scopes.length === 0
              ? "Nothing is ticked that the app may do. Tick something, or deny."
              : "No account is ticked. Tick those that the app may use, or deny."
          return yield* page(pending, session.member.name, workspaces, workspace, told)
        }
        const answer = { ...pending, member_id: session.member.id, granted: choice.scopes }
        const back = yield* server.allow(request, answer, (id) =>
          Effect.flatMap(DateTime.now, (now) =>
            grants.keep({
              id,
              member_id: session.member.id,
              workspace_id: workspace.id,
              client_id: pending.client_id,
              client_name: nameOf(pending),
              redirect_uri: pending.redirect_uri,
              audience: pending.audience,
              asked_scopes: pending.scopes,
              created_at: now,
              ...choice
            })
          )
        )
        return seeOther(back)
      })
    )
  })
)
