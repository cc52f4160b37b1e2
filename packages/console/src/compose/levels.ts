import { type Content, type PlatformId, resolveContent } from "@carillon/domain"
import type { Account } from "../data/accounts.ts"
import { everywhere, type Form, type Own, ownOf, partAt, type Tab, toDraft } from "./Form.ts"

/** The post as the rules of the domain take it. */
export const contentOf = (form: Form): Content => toDraft(form, "UTC") as unknown as Content

/** What an account gets: its own, its platform's, or the shared. */
export const resolvedFor = (form: Form, { id, platform }: Pick<Account, "id" | "platform">) =>
  resolveContent(contentOf(form), platform, id)

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

/** The places of a text and of files. An account has its own where its network has several, or where it has one of them. */
export const tabsOf = (form: Form, accounts: ReadonlyArray<Account>): ReadonlyArray<Tab> => [
  everywhere,
  ...[...Map.groupBy(accounts, ({ platform }) => platform)].flatMap(
    ([platform, members]): ReadonlyArray<Tab> => [
      { level: platform, platform },
      ...members
        .filter(({ id }) => {
          const { caption, media, thread } = ownOf(form, id)
          return members.length > 1 || [caption, media, thread].some((own) => own !== undefined)
        })
        .map(({ id }) => ({ level: id, platform }))
    ]
  )
]

/** Where a file is seen, be it of the post itself or of one that follows. */
export const tabHolding = (form: Form, tabs: ReadonlyArray<Tab>, file: string): Tab | undefined =>
  tabs.find((tab) =>
    [
      ...partAt(form, "media", tab).value,
      ...partAt(form, "thread", tab).value.flatMap(({ media }) => media)
    ].includes(file)
  )
