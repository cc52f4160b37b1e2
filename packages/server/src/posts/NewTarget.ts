import type { PlatformId, TargetId } from "@carillon/domain"
import type { DateTime } from "effect"
import { iso } from "../sql/Columns.ts"

/** A target to insert, for an account of a post or a destination of it. `lead` is in milliseconds. */
export interface NewTarget {
  readonly id: TargetId
  readonly social_account_id: number
  readonly platform: PlatformId
  readonly account_connected: boolean
  readonly board_id: string | null
  readonly state: "draft" | "waiting"
  readonly due_at: DateTime.Utc | null
  readonly next_step_at: DateTime.Utc | null
  readonly lead: number
  /** What its platform will charge, in millionths of a US dollar; null: nothing. */
  readonly cost: number | null
  /** How many items its thread has; null: not a thread. */
  readonly item_count: number | null
}

/** Rows for `json_to_recordset`. */
export const targetRows = (targets: ReadonlyArray<NewTarget>) =>
  targets.map(({ account_connected: _, ...target }) => ({
    ...target,
    due_at: iso(target.due_at),
    next_step_at: iso(target.next_step_at)
  }))
