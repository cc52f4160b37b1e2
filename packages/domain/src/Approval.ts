import { Schema } from "effect"
import { Timestamp } from "./Time.ts"
import { field } from "./Field.ts"

/**
 * The approval of a post by an app whose posts a person wants to see first. `waiting` and `refused` posts are
 * drafts.
 */
export const Approval = Schema.Struct({
  status: field(
    "`waiting` until a person decides; a `refused` post waits again when its app asks again. Only `approved` posts go out; the others stay drafts.",
    Schema.Literals(["waiting", "approved", "refused"])
  ),
  app: field("The name of the app that created the post, as it was then.", Schema.String),
  asked_by: field(
    "The app that asked to publish the post: its kind and name.",
    Schema.Struct({
      type: field("Always `app`: only posts of apps need approval.", Schema.Literal("app")),
      name: field("The app's name when it asked; the app may have another by now.", Schema.String)
    })
  ),
  wants: field(
    "When the post goes out once it is approved. `now`: at once. `scheduled`: at its `scheduled_at`. `queue`: at the queue's next free slot.",
    Schema.Literals(["now", "scheduled", "queue"])
  ),
  asked_at: field("When the app asked to publish the post, in UTC.", Timestamp),
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
