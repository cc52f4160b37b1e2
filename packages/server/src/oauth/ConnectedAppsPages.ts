import { CurrentActor, markup } from "@carillon/domain"
import { Effect, Option } from "effect"
import { HttpRouter } from "effect/http"
import { SocialAccounts } from "../accounts/SocialAccounts.ts"
import { memberActor } from "../auth/Admission.ts"
import { Browser, foreignForm, seeOther, signInFirst } from "../auth/Browser.ts"
import { Members } from "../auth/Members.ts"
import { alerts, htmlPage, timeInUtc } from "../http/HtmlPage.ts"
import { sitePages } from "../http/SitePages.ts"
import { PostApprovals } from "../posts/PostApprovals.ts"
import { appScopes, isAppScope, scopeSentences } from "../auth/Audience.ts"
import { destination } from "./Destination.ts"
import type { Grant } from "../auth/GrantRepository.ts"
import { accountsOf, grantFields, readChoice } from "./GrantFields.ts"
import { Grants } from "../auth/Grants.ts"

const noSuchApp = htmlPage({
  title: "This app is not connected",
  body: markup`<p>It was disconnected, or never connected. <a href="/connected-apps">Connected apps</a></p>`,
  status: 404,
  bad: true,
  signedIn: true
})

const endings = {
  person: "You disconnected it",
  app: "It signed itself out",
  reuse:
    "Carillon disconnected it because a code or token was used twice. Somebody may have copied it. Connect the app again"
}

const identity = ({ client_id, redirect_uri }: Grant) =>
  client_id.startsWith("https://")
    ? new URL(client_id).host
    : redirect_uri === null
      ? "signed in with a code"
      : destination(redirect_uri).shown

const summary = (grant: Grant) => {
  const can = appScopes
    .filter((scope) => grant.scopes.includes(scope))
    .map((scope) => scopeSentences[scope][0])
  const count = grant.social_accounts?.length
  const accounts = count === undefined ? "every account" : `${count} ${count === 1 ? "account" : "accounts"}`
  return markup`${can.join(" · ")}. With ${accounts} of ${grant.workspace_name}.${grant.needs_approval ? markup` <strong>Held for <a href="/approvals">your approval</a>.</strong>` : ""}`
}

const row = (
  grant: Grant
) => markup`<li><strong>${grant.client_name}</strong> <span class="soft">${identity(grant)}</span>
<p class="soft">${summary(grant)}</p>
<p class="soft">Connected ${timeInUtc(grant.created_at)}, ${grant.last_used_at === null ? "not used yet" : markup`last used ${timeInUtc(grant.last_used_at)}`}.</p>
<p><a href="/connected-apps/${grant.id}" aria-label="Change or disconnect ${grant.client_name}">Change or disconnect</a></p></li>`

const endedRow = (grant: Grant) =>
  markup`<li><strong>${grant.client_name}</strong><p class="soft">${endings[grant.ended_because ?? "person"]} (${timeInUtc(grant.ended_at!)}).</p></li>`

const waitingNote = (count: number) =>
  count === 0
    ? ""
    : markup`<div class="note"><p><a href="/approvals">${count === 1 ? "A post is waiting" : `${count} posts are waiting`} for your approval</a></p></div>`

/** The apps that a person connected: what each may do, changing that and disconnecting, without JavaScript. */
export const ConnectedAppsPagesLayer = HttpRouter.use(
  Effect.fnUntraced(function* (router) {
    const browser = yield* Browser
    const members = yield* Members
    const grants = yield* Grants
    const accounts = yield* SocialAccounts
    const approvals = yield* PostApprovals

    const id = Effect.map(HttpRouter.RouteContext, ({ params }) => params["id"] ?? "")

    yield* router.add(
      "GET",
      sitePages.connectedApps.path,
      Effect.gen(function* () {
        const session = yield* browser.session
        if (Option.isNone(session)) return signInFirst(sitePages.connectedApps.path)
        const all = yield* grants.list(session.value.member.id)
        const waiting = yield* Effect.forEach(yield* members.workspaces(session.value.member), (workspace) =>
          Effect.provideService(approvals.waiting, CurrentActor, memberActor(workspace))
        )
        const live = all.filter(({ ended_at }) => ended_at === null)
        const ended = all.filter(({ ended_at }) => ended_at !== null)
        const connected =
          live.length === 0
            ? markup`<p>No app is connected. <a href="/connect">Connect one</a>: its name and what it may do will be listed here.</p>`
            : markup`<p>These apps act for you within what you granted them.</p><ul class="rows">${live.map(row)}</ul>`
        return htmlPage({
          title: "Connected apps",
          wide: true,
          signedIn: true,
          body: markup`${waitingNote(waiting.flatMap(({ data }) => data).length)}${connected}
${ended.length === 0 ? null : markup`<h2>Ended in the last 30 days</h2><ul class="rows">${ended.map(endedRow)}</ul>`}`
        })
      })
    )

    const page = (grant: Grant, workspace: Parameters<typeof accountsOf>[0], told: string | null) =>
      Effect.gen(function* () {
        const listed = yield* accountsOf(workspace).pipe(Effect.provideService(SocialAccounts, accounts))
        return yield* browser.page((form) => ({
          title: grant.client_name,
          wide: true,
          signedIn: true,
          status: told === null ? 200 : 400,
          body: markup`${alerts(told === null ? [] : [told])}
<dl><dt>Known by</dt><dd>${identity(grant)}</dd><dt>Workspace</dt><dd>${grant.workspace_name}</dd><dt>Connected</dt><dd>${timeInUtc(grant.created_at)}</dd><dt>Last used</dt><dd>${grant.last_used_at === null ? "never" : timeInUtc(grant.last_used_at)}</dd></dl>
<form method="post">${form}
${grantFields(grant.asked_scopes.filter(isAppScope), listed, { ...grant, scopes: grant.scopes.filter(isAppScope) })}
<p class="soft">A change takes effect with the app's next request.</p>
<div class="actions"><button>Save</button></div></form>
<h2>Disconnect</h2><p>The app loses its access at once. Posts that it scheduled stay.</p>
<form method="post" action="/connected-apps/${grant.id}/disconnect">${form}<div class="actions"><button class="stop">Disconnect ${grant.client_name}</button></div></form>`
        }))
      })

    const visit = Effect.gen(function* () {
      const session = yield* browser.session
      if (Option.isNone(session)) return { answer: signInFirst(sitePages.connectedApps.path) } as const
      const { member } = session.value
      const found = yield* grants.one(member.id, yield* id)
      const workspace = Option.isNone(found)
        ? undefined
        : (yield* members.workspaces(member)).find((one) => one.id === found.value.workspace_id)
      if (Option.isNone(found) || workspace === undefined || found.value.ended_at !== null)
        return { answer: noSuchApp } as const
      return { member, grant: found.value, workspace } as const
    })

    yield* router.add(
      "GET",
      sitePages.connectedApp.path,
      Effect.gen(function* () {
        const visited = yield* visit
        return "answer" in visited ? visited.answer : yield* page(visited.grant, visited.workspace, null)
      })
    )

    yield* router.add(
      "POST",
      sitePages.connectedApp.path,
      Effect.gen(function* () {
        const form = yield* browser.form
        if (Option.isNone(form)) return foreignForm
        const visited = yield* visit
        if ("answer" in visited) return visited.answer
        const { grant, member, workspace } = visited
        const listed = yield* accountsOf(workspace).pipe(Effect.provideService(SocialAccounts, accounts))
        const choice = readChoice(form.value, grant.asked_scopes.filter(isAppScope), listed)
        if (choice.scopes.length === 0 || choice.social_accounts?.length === 0) {
          return yield* page(
            grant,
            workspace,
            "With this choice, the app may do nothing. Tick something, or disconnect it."
          )
        }
        yield* grants.change({ ...choice, id: grant.id, member_id: member.id })
        return seeOther("/connected-apps")
      })
    )

    yield* router.add(
      "POST",
      "/connected-apps/:id/disconnect",
      Effect.gen(function* () {
        const form = yield* browser.form
        if (Option.isNone(form)) return foreignForm
        const visited = yield* visit
        if ("answer" in visited) return visited.answer
        yield* grants.disconnect(visited.member.id, visited.grant.id)
        return seeOther("/connected-apps")
      })
    )
  })
)
