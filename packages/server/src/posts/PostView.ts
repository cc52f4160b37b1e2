import {
  type Approval,
  namedDestinations,
  platformRules,
  postStatus,
  type Post,
  type PostResult,
  type SinglePostResult,
  type PostSummary,
  type Progress,
  resolveContent,
  resultStatus,
  SocialAccountId,
  standingWarnings,
  type Access,
  sees,
  threadResult
} from "@carillon/domain"
import { DateTime } from "effect"
import type { StoredApproval } from "./StoredApproval.ts"
import type { PostRow } from "./PostColumns.ts"
import type { AttemptRow } from "./PostRepository.ts"
import type { TargetRow } from "./TargetColumns.ts"
import { seenPost } from "./SeenPost.ts"

export const toSummary = (
  { version, queue_slot, approval, created_by, repairs, ...row }: PostRow,
  progress: Progress,
  lost: ReadonlyArray<number>
): Omit<PostSummary, "excerpt"> => {
  const repaired = repairs?.find(({ social_account_id: id }) => row.social_accounts.includes(id))
  return {
    ...row,
    version: String(version),
    ...(repaired === undefined ? {} : { repairs: repaired.target_id }),
    ...(approval === null ? {} : { approval: toApproval(approval) }),
    created_by: created_by && { type: created_by.type, name: created_by.name },
    is_draft: row.status === "draft",
    use_queue: queue_slot !== null,
    ...(queue_slot === null ? {} : { queue_slot }),
    social_accounts: row.social_accounts.map((id) => SocialAccountId.make(id)),
    progress,
    warnings: standingWarnings(row.warnings, lost),
    blocked_by: lost[0] === undefined ? null : SocialAccountId.make(lost[0])
  }
}

export const toApproval = ({
  grant_id: _,
  queue_timezone: __,
  decided_by = null,
  ...approval
}: StoredApproval): Approval => ({
  ...approval,
  app: approval.asked_by.type === "app" ? approval.asked_by.name : null,
  decided_by
})

/** A post with all of its targets, or with those that a credential for some accounts sees. */
export const toPost = (whole: PostRow, all: ReadonlyArray<TargetRow>, access: Access = null): Post => {
  const targets = all.filter(({ social_account_id: id }) => sees(id, access))
  const progress = progressOf(targets)
  const row = seenPost(whole, access, {
    progress,
    platforms: targets.map(({ platform }) => platform),
    published_at: targets.reduce(earliest, null)
  })
  const order = new Map(row.social_accounts.map((id, index) => [id, index]))
  const results = targets
    .toSorted(
      (a, b) =>
        order.get(a.social_account_id)! - order.get(b.social_account_id)! ||
        destinationOrder(row, a) - destinationOrder(row, b)
    )
    .map(toResult)
  return { ...toSummary(row, progress, lostAccounts(targets)), results }
}

export const statusOf = (targets: ReadonlyArray<TargetRow>) =>
  postStatus(
    targets.map(({ state }) => state),
    targets.some(({ published_at }) => published_at !== null)
  )

/** The place of a target among the destinations that the post names. */
const destinationOrder = (row: PostRow, { platform, social_account_id, board_id }: TargetRow): number => {
  if (board_id === null) return 0
  const { options } = resolveContent(row, platform, social_account_id)
  return namedDestinations(platformRules[platform].destinations, options).indexOf(board_id)
}

export const toResult = (target: TargetRow): PostResult => {
  const {
    account_connected: _,
    state,
    due_at,
    next_step_at,
    item_count,
    items: live,
    repairs,
    repair,
    ...rest
  } = target
  const status = resultStatus(state)
  return {
    ...rest,
    social_account_id: SocialAccountId.make(target.social_account_id),
    status,
    success: status === "published",
    next_attempt_at: nextAttemptAt(target),
    ...(item_count === null ? {} : threadResult(item_count, live, target)),
    ...(repairs === null ? {} : { repairs }),
    ...(repair === null ? {} : told(repair))
  }
}

const told = ({ post_id, post_result_id, state, live, url }: NonNullable<TargetRow["repair"]>) =>
  live
    ? { repaired_by: { post_id, post_result_id, url } }
    : { open_repair: { post_id, post_result_id, status: resultStatus(state) } }

/** The result with its tries, as only a single one has them. */
export const toSingleResult = ({
  attempts_log,
  ...target
}: TargetRow & { readonly attempts_log: ReadonlyArray<AttemptRow> }): SinglePostResult => ({
  ...toResult(target),
  attempts_log: attempts_log.map(({ state, ...attempt }) => ({ ...attempt, outcome: resultStatus(state) }))
})

/** As the lists have it in SQL. */
const lostAccounts = (targets: ReadonlyArray<TargetRow>): ReadonlyArray<number> =>
  targets
    .filter(
      ({ account_connected, state }) =>
        !account_connected && ["waiting", "publishing"].includes(resultStatus(state))
    )
    .map(({ social_account_id: id }) => id)
    .toSorted((one, other) => one - other)

/** The states from which a next attempt is made. */
const open: ReadonlyArray<TargetRow["state"]> = ["waiting", "claimed", "unknown"]

/** The due time until an attempt has failed, because preparing ahead is no attempt. */
const nextAttemptAt = ({ state, due_at, next_step_at, error }: TargetRow) => {
  if (due_at === null || !open.includes(state)) return null
  return error === null || next_step_at === null ? due_at : DateTime.max(due_at, next_step_at)
}

const earliest = (soFar: DateTime.Utc | null, { published_at }: TargetRow) =>
  soFar === null || published_at === null ? (soFar ?? published_at) : DateTime.min(soFar, published_at)

const progressOf = (targets: ReadonlyArray<TargetRow>): Progress => {
  const count = (status: PostResult["status"]) =>
    targets.filter(({ state }) => resultStatus(state) === status).length
  const failed_items = targets.reduce((sum, target) => sum + (toResult(target).failed_items ?? 0), 0)
  const rejected = targets.filter(
    ({ platform_data, state }) => state === "published" && platform_data?.review === "rejected"
  ).length
  const repaired = targets.filter(({ repair }) => repair?.live).length
  return {
    ...(failed_items === 0 ? {} : { failed_items }),
    ...(rejected === 0 ? {} : { rejected }),
    ...(repaired === 0 ? {} : { repaired }),
    total: targets.length,
    waiting: count("waiting"),
    publishing: count("publishing"),
    published: count("published"),
    failed: count("failed") - repaired,
    unconfirmed: count("unconfirmed")
  }
}
