import type { CreatePost, UpdatePost } from "@carillon/domain"
import { Struct } from "effect"
import { contentColumns, emptyContent, type StoredContent } from "../engine/ContentColumns.ts"

/** What a post says, and the accounts that it goes to. */
export interface PostContent extends Omit<StoredContent, "media"> {
  readonly social_accounts: ReadonlyArray<number>
  /** Before they are looked up, they may be anything. */
  readonly media: ReadonlyArray<string>
}

const names = ["social_accounts", ...Struct.keys(contentColumns)] as const

export const contentOf = (post: PostContent): PostContent => Struct.pick(post, names)

export const newContent = (request: CreatePost, media: ReadonlyArray<string>): PostContent =>
  contentOf({ ...emptyContent, ...withoutNulls(request), media })

/** A field that is left out stays, null empties it. Accounts that leave take their overrides with them. */
export const changedContent = (before: PostContent, changes: UpdatePost): PostContent => {
  const changed = contentOf({ ...before, ...withoutNulls(changes), ...emptied(changes) })
  return overridesLost(before, changes).length === 0 ? changed : contentFor(changed, changed.social_accounts)
}

/** The accounts that leave the post by a change that does not name the overrides, and had some. */
export const overridesLost = (
  { account_configurations: overrides }: PostContent,
  { social_accounts: stay, account_configurations: given }: UpdatePost
): ReadonlyArray<number> =>
  stay === undefined || given !== undefined
    ? []
    : (overrides ?? []).map(({ account_id }) => account_id).filter((id) => !stay.includes(id))

/** The same post for some of its accounts. */
export const contentFor = (post: PostContent, accountIds: ReadonlyArray<number>): PostContent => {
  const own = post.account_configurations?.filter(({ account_id }) => accountIds.includes(account_id)) ?? []
  return {
    ...contentOf(post),
    social_accounts: accountIds,
    account_configurations: own.length === 0 ? null : own
  }
}

type Defined<A> = { [K in keyof A]: NonNullable<A[K]> }

const withoutNulls = <A extends object>(fields: A) =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== null)) as Defined<A>

const emptied = (changes: UpdatePost) =>
  Object.fromEntries(
    Object.entries(emptyContent).filter(([key]) => changes[key as keyof UpdatePost] === null)
  )
