import { type Content, type PlatformId, resolveContent } from "@carillon/domain"
import type { Account } from "../accounts/useAccounts.ts"
import { type Form, type Level, ownOf, toDraft } from "./Form.ts"

/** The post as the rules of the domain take it. */
export const contentOf = (form: Form): Content => toDraft(form, "UTC") as unknown as Content

/** What an account gets: its own, its platform's, or the shared. */
export const resolvedFor = (form: Form, { id, platform }: Pick<Account, "id" | "platform">) =>
  resolveContent(contentOf(form), platform, id)

/** The text that a level shows, and the one that it would have without its own. */
export const textAt = (form: Form, level: Level, platform: PlatformId | undefined) => {
  if (level === "everywhere") return { text: form.caption, inherited: form.caption, own: true }
  const above =
    typeof level === "number" && platform !== undefined
      ? (ownOf(form, platform).caption ?? form.caption)
      : form.caption
  const own = ownOf(form, level).caption
  return { text: own ?? above, inherited: above, own: own !== undefined }
}

export interface Tab {
  readonly level: Level
  readonly platform: PlatformId | undefined
}

/** The places where a text can be written. An account has its own where its network has several, or where it has a text. */
export const tabsOf = (form: Form, accounts: ReadonlyArray<Account>): ReadonlyArray<Tab> => [
  { level: "everywhere", platform: undefined },
  ...[...Map.groupBy(accounts, ({ platform }) => platform)].flatMap(
    ([platform, members]): ReadonlyArray<Tab> => [
      { level: platform, platform },
      ...members
        .filter(({ id }) => members.length > 1 || ownOf(form, id).caption !== undefined)
        .map(({ id }) => ({ level: id, platform }))
    ]
  )
]
