import { type Content, type PlatformId, resolveContent } from "@carillon/domain"
import type { Account } from "../accounts/useAccounts.ts"
import { type Form, type Level, type Own, ownOf, toDraft } from "./Form.ts"

/** The post as the rules of the domain take it. */
export const contentOf = (form: Form): Content => toDraft(form, "UTC") as unknown as Content

/** What an account gets: its own, its platform's, or the shared. */
export const resolvedFor = (form: Form, { id, platform }: Pick<Account, "id" | "platform">) =>
  resolveContent(contentOf(form), platform, id)

/** The text or the files that a level shows, and those that it would have without its own. */
export const partAt = <Part extends "caption" | "media">(
  form: Form,
  part: Part,
  { level, platform }: Tab
): { readonly value: Form[Part]; readonly inherited: Form[Part]; readonly own: boolean } => {
  if (level === "everywhere") return { value: form[part], inherited: form[part], own: true }
  const above = typeof level === "number" && platform !== undefined ? ownOf(form, platform)[part] : undefined
  const inherited = (above ?? form[part]) as Form[Part]
  const own = ownOf(form, level)[part] as Form[Part] | undefined
  return { value: own ?? inherited, inherited, own: own !== undefined }
}

/** The options that an account goes out with, or a network. */
export const effectiveOptions = (form: Form, owner: PlatformId | number, platform: PlatformId) => ({
  ...ownOf(form, platform).options,
  ...ownOf(form, owner).options
})

/** Of all options of an account, those that it does not have from its network. */
export const ownOptions = (
  form: Form,
  owner: PlatformId | number,
  platform: PlatformId,
  options: Own["options"]
): Own["options"] => {
  if (owner === platform) return options
  const shared = ownOf(form, platform).options
  return Object.fromEntries(
    Object.entries(options).filter(([name, value]) => JSON.stringify(value) !== JSON.stringify(shared[name]))
  )
}

export interface Tab {
  readonly level: Level
  readonly platform: PlatformId | undefined
}

export const everywhere: Tab = { level: "everywhere", platform: undefined }

/** The places of a text and of files. An account has its own where its network has several, or where it has one of them. */
export const tabsOf = (form: Form, accounts: ReadonlyArray<Account>): ReadonlyArray<Tab> => [
  everywhere,
  ...[...Map.groupBy(accounts, ({ platform }) => platform)].flatMap(
    ([platform, members]): ReadonlyArray<Tab> => [
      { level: platform, platform },
      ...members
        .filter(({ id }) => {
          const { caption, media } = ownOf(form, id)
          return members.length > 1 || caption !== undefined || media !== undefined
        })
        .map(({ id }) => ({ level: id, platform }))
    ]
  )
]
