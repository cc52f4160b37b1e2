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
  asked_by: Schema.Struct({ type: Schema.Literals(["app", "member"]), name: Schema.String }),
  /** When the app wants it to go out: at once, at `scheduled_at`, or at the next free slot of the queue. */
  wants: Schema.Literals(["now", "scheduled", "queue"]),
  asked_at: Timestamp,
  decided_at: Schema.NullOr(Timestamp),
  decided_by: Schema.NullOr(Schema.Struct({ name: Schema.String })).annotate({
    description:
      "The person who approved or refused it; null: nobody yet, or it was before this was recorded."
  }),
  /** Why the person refused it. */
  reason: Schema.NullOr(Schema.String)
}).annotate({ identifier: "Approval" })
export interface Approval extends Schema.Schema.Type<typeof Approval> {}
