import { Schema } from "effect"
import { SocialAccountId } from "./Ids.ts"
import { field } from "./Field.ts"
import { maximumLimit } from "./Lists.ts"
import { Scope } from "./Profile.ts"
import { success } from "./Success.ts"
import { Timestamp } from "./Time.ts"

const scopes = Schema.Array(Scope).check(Schema.isMaxLength(Scope.literals.length))
const accounts = Schema.Array(SocialAccountId)

/** An app that the member connected to the workspace, and what it may do. */
export const ConnectedApp = Schema.Struct({
  id: field("The id of the access. An app that is connected anew has another.", Schema.String),
  name: field("What the app calls itself; any app can take any name.", Schema.String),
  known_by: field(
    "What vouches for the name: the host of its document or of its redirect URL, or words for a program on a computer.",
    Schema.String
  ),
  asked_scopes: field("What the app asked for; `scopes` can have these alone.", scopes),
  scopes: field("What the member allows it.", scopes),
  social_accounts: field(
    "Ids of the accounts that it may use. null: all of the workspace, including later ones.",
    Schema.NullOr(accounts.check(Schema.isMaxLength(1000)))
  ),
  needs_approval: field("Whether its posts stay drafts until a person approves them.", Schema.Boolean),
  created_at: field("When the member connected it, in UTC; it never changes.", Timestamp),
  last_used_at: field(
    "When it was last used, in UTC and to the minute; null: never.",
    Schema.NullOr(Timestamp)
  ),
  ended_at: field("When its access ended, in UTC; null: it has not.", Schema.NullOr(Timestamp)),
  ended_because: field(
    "`person`: disconnected here. `app`: it signed itself out. `reuse`: a code or token was used twice, so somebody may have copied it. null: it has not ended.",
    Schema.NullOr(Schema.Literals(["person", "app", "reuse"]))
  )
}).annotate({ identifier: "ConnectedApp" })
export interface ConnectedApp extends Schema.Schema.Type<typeof ConnectedApp> {}

export const ConnectedAppList = Schema.Struct({
  data: field(
    "The apps, last used first, with those that ended in the last 30 days.",
    Schema.Array(ConnectedApp).check(Schema.isMaxLength(maximumLimit))
  )
}).annotate({ identifier: "ConnectedAppList" })

/** `PATCH /v1/connected-apps/{connected_app_id}` */
export const UpdateConnectedApp = Schema.Struct({
  scopes: field(
    "What it may do, among `asked_scopes`; a scope brings those that it includes. Absent: unchanged.",
    Schema.optionalKey(scopes.check(Schema.isMinLength(1)))
  ),
  social_accounts: field(
    "Ids of the accounts that it may use, 1 to 1,000. null: all of the workspace, including later ones. Absent: unchanged.",
    Schema.optionalKey(Schema.NullOr(accounts.check(Schema.isBetweenLength(1, 1000))))
  ),
  needs_approval: field(
    "true: hold everything that it writes until a person approves it. Absent: unchanged.",
    Schema.optionalKey(Schema.Boolean)
  )
}).annotate({ identifier: "UpdateConnectedApp" })
export interface UpdateConnectedApp extends Schema.Schema.Type<typeof UpdateConnectedApp> {}

export const ConnectedAppDisconnected = Schema.Struct({
  success,
  id: field("The id of the access that has ended.", Schema.String)
}).annotate({ identifier: "ConnectedAppDisconnected" })
