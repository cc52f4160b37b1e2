import { hasScope, type Markup, markup, roles } from "@carillon/domain"
import { DateTime, Effect } from "effect"
import { SocialAccounts } from "../accounts/SocialAccounts.ts"
import { Browser } from "../auth/Browser.ts"
import type { MemberWorkspace } from "../auth/MemberRepository.ts"
import type { Session } from "../auth/Members.ts"
import { alerts, timeInUtc } from "../http/HtmlPage.ts"
import type { PendingConsent } from "./AuthorizationServer.ts"
import { commandLineClient } from "../auth/CommandLineClient.ts"
import { destination } from "./Destination.ts"
import { accountsOf, type Choice, grantFields, readChoice } from "./GrantFields.ts"
import { Grants } from "../auth/Grants.ts"

/** An app's request, and the person who answers it. */
export interface Asked {
  readonly pending: PendingConsent
  readonly session: Session
  readonly workspaces: ReadonlyArray<MemberWorkspace>
}

/** The targets of the page's forms: one shows another workspace, one carries the answer. */
export interface Forms {
  readonly workspace: { readonly method: "get" | "post"; readonly action: string }
  readonly answer: string
  /** Fields that both carry. */
  readonly hidden: Markup
}

const registeredItself = ({ documented, client_id: id }: PendingConsent) =>
  !documented && id !== commandLineClient.client_id

const identity = (pending: PendingConsent) =>
  registeredItself(pending)
    ? "unknown: it registered itself"
    : pending.documented
      ? new URL(pending.client_id).host
      : `this service, but any program ${pending.device === null ? "on your computer" : "anywhere"} can use the name`

/** What the app asks for and the person can give: nobody gives more than their role has. */
const grantable = ({ scopes }: PendingConsent, { role }: MemberWorkspace) =>
  scopes.filter((scope) => hasScope(roles[role].scopes, scope))

/** What is ticked at first: nobody vouches for an app that registered itself, and what it publishes stays. */
const offered = (pending: PendingConsent, workspace: MemberWorkspace) =>
  grantable(pending, workspace).filter((scope) => scope !== "posts:publish" || !registeredItself(pending))

const warning = (pending: PendingConsent) => {
  const { device, redirect_uri } = pending
  if (device !== null)
    return `The access goes to the program that shows the code ${device.user_code}. Allow it only if you have just started that program yourself. If somebody sent you the code or a link to this page, deny: they would get the access.`
  const { kind, shown } = destination(redirect_uri!)
  if (kind === "loopback")
    return "The answer goes to a program on this computer. Continue only if you have just started to connect it yourself."
  if (pending.documented && new URL(pending.client_id).host === shown) return null
  return `Carillon cannot check who is behind ${shown}. Continue only if you have just started to connect it yourself and trust it.`
}

export const nameOf = ({ client_name, client_id, documented }: PendingConsent) =>
  client_name !== "" ? client_name : documented ? new URL(client_id).host : "An app without a name"

/** Where the answer goes. */
const whereTo = ({ device, redirect_uri }: PendingConsent) =>
  device === null
    ? markup`<dt>Sends you back to</dt><dd>${destination(redirect_uri!).shown}</dd>`
    : markup`<dt>Shows the code</dt><dd>${device.user_code}</dd><dt>Asked from</dt><dd>${device.address}, ${timeInUtc(device.asked_at)}</dd>${device.program === "" ? "" : markup`<dt>Calls itself</dt><dd>${device.program}</dd>`}`

const workspaceChoice = (
  workspaces: ReadonlyArray<MemberWorkspace>,
  chosen: MemberWorkspace,
  proof: Markup,
  { hidden, workspace: { action, method } }: Forms
) =>
  workspaces.length === 1
    ? ""
    : markup`<form method="${method}" action="${action}">${method === "post" ? [proof, hidden] : ""}<label class="field">Workspace<span>The app gets access to one of them.</span><select name="workspace">${workspaces.map(({ id, name }) => markup`<option value="${id}"${id === chosen.id ? " selected" : ""}>${name}</option>`)}</select></label><div class="actions"><button class="quiet">Show its accounts</button></div></form>`

export const chosenWorkspace = (workspaces: ReadonlyArray<MemberWorkspace>, id: unknown) =>
  workspaces.find((workspace) => workspace.id === id)

/** The form in which a person says what an app may do; every way of connecting an app uses it. */
export const makeConsentForm = Effect.gen(function* () {
  const browser = yield* Browser
  const grants = yield* Grants
  const accounts = yield* SocialAccounts
  const accountsOfWorkspace = (workspace: MemberWorkspace) =>
    accountsOf(workspace).pipe(Effect.provideService(SocialAccounts, accounts))

  const page = Effect.fnUntraced(function* (
    { pending, session, workspaces }: Asked,
    workspace: MemberWorkspace,
    forms: Forms,
    told: string | null
  ) {
    const listed = yield* accountsOfWorkspace(workspace)
    const app = nameOf(pending)
    const beware = warning(pending)
    return yield* browser.page((form) => ({
      title: `${app} wants to use your Carillon`,
      status: told === null ? 200 : 400,
      wide: true,
      leadsTo: pending.redirect_uri,
      body: markup`${alerts(told === null ? [] : [told])}
<dl><dt>App</dt><dd>${app}</dd><dt>Known by</dt><dd>${identity(pending)}</dd>${whereTo(pending)}<dt>Workspace</dt><dd>${workspace.name}</dd><dt>Signed in as</dt><dd>${session.member.name}</dd></dl>
${beware === null ? "" : markup`<div class="note"><p>${beware}</p></div>`}
${workspaceChoice(workspaces, workspace, form, forms)}
<form method="post" action="${forms.answer}">${form}${forms.hidden}<input type="hidden" name="workspace" value="${workspace.id}">
${grantFields(grantable(pending, workspace), listed, {
  scopes: offered(pending, workspace),
  social_accounts: listed.length === 0 ? null : listed.map(({ id }) => id),
  needs_approval: roles[workspace.role].held
})}
<p class="soft">The access lasts until you end it under <em>Connected apps</em>, or until the app has not used it for 60 days.</p>
<div class="actions even stay"><button class="quiet" name="decision" value="deny">Deny</button><button name="decision" value="allow">Allow</button></div></form>`
    }))
  })

  return {
    page,
    /** Reads the form: the person's choice, or a sentence about what is missing. */
    choice: Effect.fnUntraced(function* (
      { pending }: Asked,
      workspace: MemberWorkspace,
      form: URLSearchParams
    ) {
      const choice = readChoice(form, grantable(pending, workspace), yield* accountsOfWorkspace(workspace))
      if (choice.scopes.length === 0) return "Nothing that the app may do is ticked. Tick something, or deny."
      return choice.social_accounts?.length === 0
        ? "No account is ticked. Tick those that the app may use, or deny."
        : choice
    }),
    keep: (asked: Asked, workspace: MemberWorkspace, choice: Choice) => (id: string) =>
      Effect.flatMap(DateTime.now, (now) =>
        grants.keep({
          id,
          member_id: asked.session.member.id,
          workspace_id: workspace.id,
          client_id: asked.pending.client_id,
          client_name: nameOf(asked.pending),
          redirect_uri: asked.pending.redirect_uri,
          audience: asked.pending.audience,
          asked_scopes: asked.pending.scopes,
          created_at: now,
          ...choice
        })
      )
  }
})
