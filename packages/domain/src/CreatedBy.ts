import { Schema } from "effect"
import { field } from "./Field.ts"

/** The credential that made a post: a member's session, a key or a connected app. */
export const CreatedBy = Schema.Struct({
  type: field(
    "`member`: a person in the console. `key`: an API key. `app`: an app that a person has connected.",
    Schema.Literals(["member", "key", "app"])
  ),
  name: field(
    "The member's, key's or app's name at that time; null: the key of the service's configuration.",
    Schema.NullOr(Schema.String)
  )
}).annotate({ identifier: "CreatedBy" })
export interface CreatedBy extends Schema.Schema.Type<typeof CreatedBy> {}
