import { Schema } from "effect"
import { Timestamp } from "./Time.ts"
import { field } from "./Field.ts"

/**
 * The approval of a post by an app whose posts a person wants to see first. `waiting` and `refused` posts are
 * drafts.
 */
export const Approval = Schema.Struct({
  status: field(
    "`waiting` until a person decides. Only an `approved` post goes out; the others are drafts.",
    Schema.Literals(["waiting", "approved", "refused"])
  ),
  app: field("The name of the app that made the post, whoever asked to publish it.", Schema.String),
  asked_by: field(
    "Who asked to publish it: the app, or a member at its page.",
    Schema.Struct({
      type: field("`app`: the app itself. `member`: a signed-in person.", Schema.Literals(["app", "member"])),
      name: field("The app's or the member's name at that time.", Schema.String)
    })
  ),
  wants: field(
    "When it goes out once approved: at once, at its `scheduled_at`, or at the queue's next free slot.",
    Schema.Literals(["now", "scheduled", "queue"])
  ),
  asked_at: field("When `asked_by` asked; the post has waited since.", Timestamp),
  decided_at: field("When a person decided; null: nobody has yet.", Schema.NullOr(Timestamp)),
  decided_by: field(
    "The person who approved or refused it; null: nobody yet, or it was before this was recorded.",
    Schema.NullOr(Schema.Struct({ name: field("The person's name at that time.", Schema.String) }))
  ),
  reason: field(
    "Why the person refused it; null: no reason was given, or it was not refused.",
    Schema.NullOr(Schema.String)
  )
}).annotate({ identifier: "Approval" })
export interface Approval extends Schema.Schema.Type<typeof Approval> {}
