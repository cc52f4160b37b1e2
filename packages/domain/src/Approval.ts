import { Schema } from "effect"
import { CreatedBy } from "./CreatedBy.ts"
import { Timestamp } from "./Time.ts"
import { field } from "./Field.ts"

/** Somebody's request to let a post go out, and a person's decision. `waiting` and `refused` posts are drafts. */
export const Approval = Schema.Struct({
  status: field(
    "`waiting` until a person decides; a `refused` post waits again when somebody asks again. Only `approved` posts go out; the others stay drafts.",
    Schema.Literals(["waiting", "approved", "refused"])
  ),
  app: field("The name of the app that asked; null: a person or a key did.", Schema.NullOr(Schema.String)),
  asked_by: field("Who asked to let the post go out, by the name of that time.", CreatedBy),
  wants: field(
    "When the post goes out once it is approved. `now`: at once. `scheduled`: at its `scheduled_at`. `queue`: at the queue's next free slot.",
    Schema.Literals(["now", "scheduled", "queue"])
  ),
  asked_at: field("When it was asked for, in UTC.", Timestamp),
  decided_at: field(
    "When a person approved or refused it, in UTC; null: nobody has yet.",
    Schema.NullOr(Timestamp)
  ),
  decided_by: field(
    "The person who approved or refused it; null: nobody has yet, or it was not recorded.",
    Schema.NullOr(
      Schema.Struct({
        name: field("The person's name when they decided; they may have another by now.", Schema.String)
      })
    )
  ),
  reason: field(
    "Why the person refused it, in their words; null: no reason was given, or it was not refused.",
    Schema.NullOr(Schema.String)
  )
}).annotate({ identifier: "Approval" })
export interface Approval extends Schema.Schema.Type<typeof Approval> {}
