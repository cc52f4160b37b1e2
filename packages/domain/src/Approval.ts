import { Schema } from "effect"
import { Timestamp } from "./Time.ts"

/**
 * The approval of a post by an app whose posts a person wants to see first. `waiting` and `refused` posts are
 * drafts.
 */
export const Approval = Schema.Struct({
  status: Schema.Literals(["waiting", "approved", "refused"]),
  /** The app's name. */
  app: Schema.String,
  /** When the app wants it to go out: at once, at `scheduled_at`, or at the next free slot of the queue. */
  wants: Schema.Literals(["now", "scheduled", "queue"]),
  asked_at: Timestamp,
  decided_at: Schema.NullOr(Timestamp),
  /** Why the person refused it. */
  reason: Schema.NullOr(Schema.String)
}).annotate({ identifier: "Approval" })
export interface Approval extends Schema.Schema.Type<typeof Approval> {}
