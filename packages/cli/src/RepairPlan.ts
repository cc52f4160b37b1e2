import type { CreatePost, Post, PostResult } from "@carillon/sdk"
import { CliError, exitCodes } from "./CliError.ts"
import { contentOf } from "./PostContent.ts"

/** What a post failed on, one result for each account, and the post with the same content for these accounts. */
export interface RepairPlan {
  readonly results: ReadonlyArray<PostResult>
  readonly request: CreatePost
}

/** The parts of a post that an account may have of its own. What is given for a repair takes their place. */
type Own = "caption" | "media" | "thread"

/** The repair of what failed on the accounts, or on all; `given`: the parts that it is to have instead. */
export const planRepair = (
  post: Post,
  accounts: ReadonlyArray<number> | undefined,
  given: ReadonlyArray<Own>
): RepairPlan => {
  const failed = post.results.filter(
    ({ repaired_by, social_account_id: id, status }) =>
      status === "failed" && repaired_by === undefined && (accounts === undefined || accounts.includes(id))
  )
  // The last one of an account stays: one that is being repaired, which the service refuses, only if no other failed.
  const byAccount = new Map(
    failed
      .toSorted(
        (one, other) => Number(other.open_repair !== undefined) - Number(one.open_repair !== undefined)
      )
      .map((result) => [result.social_account_id, result] as const)
  )
  const results = [...byAccount.values()]
  if (results.length === 0) {
    throw new CliError(
      exitCodes.usage,
      `Post ${post.id} has no failure to repair${accounts === undefined ? "" : ` on ${accounts.join(", ")}`}.`,
      `See its results with: carillon posts show ${post.id}`
    )
  }
  const without = <Entry extends object>(entry: Entry): Entry =>
    Object.fromEntries(Object.entries(entry).filter(([key]) => !given.includes(key as Own))) as Entry
  const platforms = Object.entries(post.platform_configurations ?? {}).filter(([platform]) =>
    results.some((result) => result.platform === platform)
  )
  const own = results.flatMap(({ board_id, social_account_id: account_id }) => {
    const entry = post.account_configurations?.find((one) => one.account_id === account_id)
    const board = board_id === null ? {} : { board_ids: [board_id] }
    return entry === undefined && board_id === null
      ? []
      : [{ ...without({ ...entry, account_id }), ...board }]
  })
  const { account_configurations: _, platform_configurations: __, ...content } = contentOf(post)
  return {
    results,
    request: {
      social_accounts: results.map(({ social_account_id: id }) => id),
      repairs: results[0]!.id,
      ...content,
      ...(platforms.length === 0
        ? {}
        : {
            platform_configurations: Object.fromEntries(
              platforms.map(([platform, entry]) => [platform, without(entry ?? {})])
            )
          }),
      ...(own.length === 0 ? {} : { account_configurations: own })
    } as CreatePost
  }
}
