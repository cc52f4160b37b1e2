import type { Post, UpdatePost } from "@carillon/domain"

type Entries = Readonly<Record<string, unknown>>
type Overrides = Pick<UpdatePost, "account_configurations" | "platform_configurations">
type Changes = Overrides & Pick<UpdatePost, "social_accounts">

/**
 * The changes with what the post has for other accounts and platforms, and for other fields of the same ones. A field that is null goes
 * back to what the post has for all; null for the whole takes everything away.
 */
export const mergedOverrides = (changes: Changes, post: Pick<Post, keyof Changes>): Overrides => {
  const { account_configurations: accounts, platform_configurations: platforms } = changes
  const addressed: ReadonlyArray<number> = changes.social_accounts ?? post.social_accounts
  const before = (post.account_configurations ?? []).filter(({ account_id }) =>
    addressed.includes(account_id)
  )
  return {
    ...(accounts
      ? {
          account_configurations: [
            ...before.map((one) => ({
              ...one,
              ...accounts.find((given) => given.account_id === one.account_id)
            })),
            ...accounts.filter((given) => !before.some((one) => one.account_id === given.account_id))
          ]
        }
      : {}),
    ...(platforms
      ? { platform_configurations: { ...post.platform_configurations, ...byPlatform(post, platforms) } }
      : {})
  }
}

const byPlatform = ({ platform_configurations }: Pick<Post, keyof Overrides>, given: Entries) =>
  Object.fromEntries(
    Object.entries(given).map(([platform, entry]) => [
      platform,
      entry === null
        ? null
        : { ...((platform_configurations as Entries | null)?.[platform] as object), ...(entry as object) }
    ])
  )
