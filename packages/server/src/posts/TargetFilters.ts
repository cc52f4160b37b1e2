import { type Access, type PostFilter, sees, toSocialAccountId, type WorkspaceId } from "@carillon/domain"
import { Duration } from "effect"
import type { SqlClient } from "effect/sql"
import { int8s } from "../sql/Rows.ts"
import { listFragments } from "../sql/ListFragments.ts"
import { isRepaired } from "./RepairColumns.ts"
import { isRejected } from "./TargetColumns.ts"
import { waitingFor } from "./WaitingColumn.ts"

/** A target is marked when it is due. The minute allows for another process whose clock is ahead. */
export const markedWithin = Duration.minutes(1)

/** Up to this many accounts are searched one by one, each by its own index. */
export const mostArms = 16

/** The accounts that a list is limited to; undefined: no limit. */
export type Accounts = ReadonlyArray<number> | void

/** The accounts that the filter names, without those that the credential does not see. */
export const accountsAsked = (
  { social_account_id }: Pick<PostFilter, "social_account_id">,
  access: Access
): Accounts => {
  const asked = social_account_id?.flatMap((text) => toSocialAccountId(text) ?? [])
  return access === null ? asked : (asked?.filter((id) => sees(id, access)) ?? access)
}

export const emptyPage = { data: [], total: 0, total_relation: "exact" as const }

/** The conditions on targets that the lists of posts and of results share. */
export const targetFilters = (sql: SqlClient.SqlClient) => {
  const { number } = listFragments(sql)

  /** A thread that broke off is published as far as it is live; its missing items have failed. */
  const broken = sql`t.state = 'published' and t.error is not null`
  /** Without those that broke off too, so that no target is found twice. */
  const rejected = sql`t.error is null and ${sql.literal(isRejected)}`
  const repaired = sql.literal(isRepaired)
  const ofPlatform = (names: ReadonlyArray<string>) =>
    names.length === 1 ? sql`t.platform = ${names[0]!}` : sql`t.platform = any(${names}::text[])`
  const ofAccount = (ids: ReadonlyArray<number>) =>
    ids.length === 1
      ? sql`t.social_account_id = ${number(ids[0]!)}`
      : sql`t.social_account_id = any(${int8s(ids)}::bigint[])`

  /** What is not over, of accounts that have to be connected again. */
  const ofLostAccounts = (workspaceId: WorkspaceId) =>
    sql`num_nonnulls(t.next_step_at) = 1 and t.social_account_id = any(array(
      select a.id from social_accounts a where a.workspace_id = ${workspaceId} and a.status <> 'connected'))`

  /** What waits for its account or for another try: few, and found by the accounts and by an index of the tries that failed. */
  const heldUp = (workspaceId: WorkspaceId) => [
    sql`${ofLostAccounts(workspaceId)} and ${sql.literal(waitingFor)} = 'account'`,
    sql`t.stage = 'open' and t.error is not null and ${sql.literal(waitingFor)} = 'retry'`
  ]

  return { wentWrong: [broken, rejected], heldUp, ofLostAccounts, repaired, ofAccount, ofPlatform }
}
