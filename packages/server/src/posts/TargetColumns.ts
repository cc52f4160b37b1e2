import {
  PlatformData,
  PlatformId,
  PostId,
  ResultError,
  ResultStatus,
  statesOf,
  TargetId,
  TargetState,
  terminalStates,
  WaitingFor
} from "@carillon/domain"
import { Schema } from "effect"
import { Instant, Int8 } from "../sql/Rows.ts"
import { isRepaired, repairColumns } from "./RepairColumns.ts"
import { waitingFor } from "./WaitingColumn.ts"

export const TargetRow = Schema.Struct({
  id: TargetId,
  post_id: PostId,
  social_account_id: Int8,
  platform: PlatformId,
  board_id: Schema.NullOr(Schema.String),
  state: TargetState,
  due_at: Schema.NullOr(Instant),
  next_step_at: Schema.NullOr(Instant),
  attempts: Schema.Int,
  item_count: Schema.NullOr(Schema.Int),
  /** The items of a thread that are live. */
  items: Schema.Array(Schema.NullOr(PlatformData)),
  error: Schema.NullOr(ResultError),
  account_connected: Schema.Boolean,
  waiting_for: Schema.NullOr(WaitingFor),
  /** The failed target that its post goes out instead of. */
  repairs: Schema.NullOr(TargetId),
  /** What stands for it, if it failed. */
  repair: Schema.NullOr(
    Schema.Struct({
      post_id: PostId,
      post_result_id: TargetId,
      state: TargetState,
      live: Schema.Boolean,
      url: Schema.NullOr(Schema.String)
    })
  ),
  platform_data: Schema.NullOr(PlatformData),
  published_at: Schema.NullOr(Instant)
})
export interface TargetRow extends Schema.Schema.Type<typeof TargetRow> {}

export const targetColumns =
  "t.id, t.post_id, t.social_account_id, t.platform, t.board_id, t.state, t.due_at, t.next_step_at, t.attempts, t.error, t.item_count, t.items, " +
  "t.platform_data, t.published_at, (select a.status = 'connected' from social_accounts a where a.id = t.social_account_id) as account_connected, " +
  `${waitingFor} as waiting_for, ${repairColumns}`

/** The accounts that something has still to go out to, and that have to be connected again: of targets `t` with their accounts `a`. */
export const lostAccounts =
  "coalesce(array_agg(distinct a.id) filter (where a.status <> 'connected' and t.stage in ('draft', 'open', 'unknown')), '{}') as lost"

/** It is published, and its platform reviewed it and rejected it. */
export const isRejected = "t.state = 'published' and t.platform_data ->> 'review' = 'rejected'"

const among = (states: Iterable<TargetState>) =>
  `t.state in (${[...states].map((state) => `'${state}'`).join(", ")})`

/** How many targets have each status, and how many items are missing of threads that broke off. */
export const progressOfTargets = `jsonb_strip_nulls(jsonb_build_object('total', count(*), ${ResultStatus.literals
  .map(
    (status) =>
      `'${status}', count(*) filter (where ${among(statesOf(status))}${status === "failed" ? ` and not ${isRepaired}` : ""})`
  )
  .join(
    ", "
  )}, 'repaired', nullif(count(*) filter (where ${isRepaired}), 0), 'rejected', nullif(count(*) filter (where ${isRejected}), 0), 'failed_items', nullif(sum(t.item_count - jsonb_array_length(t.items)) filter (
    where t.item_count is not null and t.items <> '[]' and ${among(terminalStates)}), 0)))`
