import { Approval } from "@carillon/domain"
import { Schema } from "effect"

const { app: _, decided_by, ...stored } = Approval.fields

/** An approval as it is stored with its post. */
export const StoredApproval = Schema.Struct({
  ...stored,
  decided_by: Schema.optionalKey(decided_by),
  /** The grant of the app that asked; null: a person or a key did. */
  grant_id: Schema.NullOr(Schema.String),
  /** The time zone of the slot that was asked for; null: the queue's own. */
  queue_timezone: Schema.NullOr(Schema.String)
})
export interface StoredApproval extends Schema.Schema.Type<typeof StoredApproval> {}
