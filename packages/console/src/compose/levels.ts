import type { PlatformId } from "@carillon/domain"
import type { Account } from "../data/accounts.ts"
import { everywhere, type Form, type Own, ownOf, partAt, type Tab } from "./Form.ts"

/** The options of an account or a network, with the inherited ones. */
export const effectiveOptions = (form: Form, owner: PlatformId | number, platform: PlatformId) => ({
  ...ownOf(form, platform).options,
  ...ownOf(form, owner).options
})

/** The options of an account that differ from its network's. */
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

/** The tabs of the text and the files. An account has one if its network has several accounts, or if it has overrides. */
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

/** The first tab that shows a file. */
export const tabHolding = (form: Form, tabs: ReadonlyArray<Tab>, file: string): Tab | undefined =>
  tabs.find((tab) =>
    [
      ...partAt(form, "media", tab).value,
      ...partAt(form, "thread", tab).value.flatMap(({ media }) => media)
    ].includes(file)
  )
