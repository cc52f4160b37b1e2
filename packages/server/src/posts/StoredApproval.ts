import { Approval } from "@carillon/domain"
import { Schema } from "effect"

const { asked_by: _, decided_by, ...stored } = Approval.fields

/** An approval as it is stored with its post. */
export const StoredApproval = Schema.Struct({
  ...stored,
  decided_by: Schema.optionalKey(decided_by),
  grant_id: Schema.String,
  /** The time zone of the slot that the app wants; null: the queue's own. */
  queue_timezone: Schema.NullOr(Schema.String)
})
export interface StoredApproval extends Schema.Schema.Type<typeof StoredApproval> {}
