import {
  CurrentActor,
  hasScope,
  platformName,
  type SocialAccount,
  type Markup,
  markup,
  type AppScope,
  isAppScope,
  scopeSentences
} from "@carillon/domain"
import { Effect } from "effect"
import { SocialAccounts } from "../accounts/SocialAccounts.ts"
import { memberActor } from "../auth/Admission.ts"

/** The part of a grant that a person chooses. */
export interface Choice {
  readonly scopes: ReadonlyArray<AppScope>
  /** null: every account of the workspace, those connected later included. */
  readonly social_accounts: ReadonlyArray<number> | null
  readonly needs_approval: boolean
}

/** The accounts that a grant of this workspace can name. */
export const accountsOf = Effect.fnUntraced(function* (workspace: Parameters<typeof memberActor>[0]) {
  const accounts = yield* SocialAccounts
  const { data } = yield* accounts
    .list({}, { limit: 1000, offset: 0 })
    .pipe(Effect.provideService(CurrentActor, memberActor(workspace)))
  return data
})

const ticked = (on: boolean) => (on ? " checked" : "")

const tick = (
  name: string,
  value: string,
  on: boolean,
  label: string,
  hint: string | null,
  more: Markup | null = null
) =>
  markup`<label${more}><input type="checkbox" name="${name}" value="${value}"${ticked(on)}><span>${label}${hint === null ? "" : markup`<small>${hint}</small>`}</span></label>`

const radio = (value: string, on: boolean, label: string) =>
  markup`<label><input type="radio" name="accounts" value="${value}"${ticked(on)}><span>${label}</span></label>`

const countOf = (some: number, all: number) => (some === all ? "all" : some === 0 ? "none" : some)

const standing: Partial<Record<SocialAccount["status"], string>> = {
  needs_reconnect: "needs to be connected again",
  disconnected: "disconnected"
}

/** More accounts than these are folded. */
const mostUnfolded = 6

/** The fields of a form in which a person chooses. */
export const grantFields = (
  asked: ReadonlyArray<AppScope>,
  accounts: ReadonlyArray<SocialAccount>,
  chosen: Choice
) => {
  const isChosen = ({ id }: SocialAccount) =>
    chosen.social_accounts === null || chosen.social_accounts.includes(id)
  const tickAccount = (account: SocialAccount) => {
    const { id, platform, username, display_name: name, status } = account
    const hint = [name !== null && name !== username ? name : null, standing[status] ?? null]
    return tick(
      "account",
      String(id),
      isChosen(account),
      `${platformName(platform)}: @${username}`,
      hint.filter((part) => part !== null).join(", ") || null,
      markup` class="inset"`
    )
  }
  const folded = accounts.slice(mostUnfolded)
  const among =
    accounts.length === 0
      ? markup`<p class="soft">No account is connected yet. The app will see those that you connect later.</p><input type="hidden" name="accounts" value="all">`
      : [
          radio("some", chosen.social_accounts !== null, "Only these accounts:"),
          ...accounts.slice(0, mostUnfolded).map(tickAccount),
          folded.length === 0
            ? null
            : markup`<details class="inset"><summary>${folded.length} more, ${countOf(folded.filter(isChosen).length, folded.length)} ticked</summary>${folded.map(tickAccount)}</details>`,
          radio(
            "all",
            chosen.social_accounts === null,
            "Every account of this workspace, including those connected later"
          )
        ]
  return markup`<fieldset><legend>It may</legend>
${asked.map((scope) => tick("scope", scope, hasScope(chosen.scopes, scope), ...scopeSentences[scope]))}
</fieldset>
<fieldset><legend>With these social accounts</legend>
${among}
</fieldset>
<fieldset><legend>Your approval</legend>
${tick("approval", "yes", chosen.needs_approval, "Hold everything for my approval", "Posts that the app writes wait under Approvals until you let them go out. It cannot publish or schedule posts, nor change or delete posts and files that it did not add itself. If it changes what you approved, that waits for you again.")}
</fieldset>`
}

/** Reads the form. Scopes that a ticked one implies are granted with it. */
export const readChoice = (
  form: URLSearchParams,
  asked: ReadonlyArray<AppScope>,
  accounts: ReadonlyArray<SocialAccount>
): Choice => {
  const scopes = form
    .getAll("scope")
    .filter(isAppScope)
    .filter((scope) => asked.includes(scope))
  const ids = new Set(form.getAll("account"))
  return {
    scopes: asked.filter((scope) => hasScope(scopes, scope)),
    social_accounts:
      form.get("accounts") === "all"
        ? null
        : accounts.map(({ id }) => id).filter((id) => ids.has(String(id))),
    needs_approval: form.get("approval") === "yes"
  }
}
