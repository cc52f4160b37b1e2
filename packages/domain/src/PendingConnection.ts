import { Schema } from "effect"
import { field } from "./Field.ts"
import { PendingConnectionId, SocialAccountId } from "./Ids.ts"
import { PlatformId } from "./Platform.ts"
import { SocialAccount } from "./SocialAccount.ts"
import { Text } from "./Text.ts"
import { Timestamp } from "./Time.ts"

/** The most accounts that one sign-in offers. */
export const mostOffered = 1000

const name = Text.check(Schema.isBetweenLength(1, 500))

export const OfferedAccount = Schema.Struct({
  id: field("The platform's own id of the account.", Schema.String),
  username: field("The account's name on the platform, without a leading `@`.", Schema.String),
  display_name: field(
    "The name that the platform shows beside it; null: none.",
    Schema.NullOr(Schema.String)
  ),
  avatar_url: field("The platform's URL of its picture; null: none.", Schema.NullOr(Schema.String)),
  social_account_id: field(
    "The id that it has here already, and keeps if it is chosen; null: it is not connected.",
    Schema.NullOr(SocialAccountId)
  )
}).annotate({ identifier: "OfferedAccount" })
export interface OfferedAccount extends Schema.Schema.Type<typeof OfferedAccount> {}

/** A connection in the browser from its start to its end, for the credential that began it. */
export const PendingConnection = Schema.Struct({
  id: field("`pending_id` of the answer that began it.", PendingConnectionId),
  platform: field("The platform that the person signs in at.", PlatformId),
  login: field("How they sign in: one of the platform's `logins`.", Schema.String),
  status: field(
    "`waiting`: the person has not signed in yet. `choosing`: choose among `accounts`. `connected`: it ended with `social_accounts`.",
    Schema.Literals(["waiting", "choosing", "connected"])
  ),
  expires_at: field("When it is gone, in UTC: 15 minutes after its last step.", Timestamp),
  accounts: field(
    "What the sign-in offers, filtered by `q`; empty unless `status` is `choosing`.",
    Schema.Array(OfferedAccount).check(Schema.isMaxLength(mostOffered))
  ),
  social_accounts: field(
    "The ids of the accounts that were connected; empty until then.",
    Schema.Array(SocialAccountId).check(Schema.isMaxLength(mostOffered))
  )
}).annotate({ identifier: "PendingConnection" })
export interface PendingConnection extends Schema.Schema.Type<typeof PendingConnection> {}

export const PendingConnectionFilter = Schema.Struct({
  q: field(
    "Only offered accounts whose username or display name contains this text, in any case. Absent: all.",
    Schema.optionalKey(Text.check(Schema.isMaxLength(1000)))
  )
})
export interface PendingConnectionFilter extends Schema.Schema.Type<typeof PendingConnectionFilter> {}

export const ChooseAccounts = Schema.Struct({
  accounts: field(
    "The accounts to connect, each by its `id` or username as offered. Access to the others is deleted.",
    Schema.Array(name).check(Schema.isMinLength(1), Schema.isMaxLength(mostOffered))
  )
}).annotate({ identifier: "ChooseAccounts" })
export interface ChooseAccounts extends Schema.Schema.Type<typeof ChooseAccounts> {}

export const ChosenAccounts = Schema.Struct({
  data: field(
    "The accounts that are connected now, in the order offered.",
    Schema.Array(SocialAccount).check(Schema.isMaxLength(mostOffered))
  )
}).annotate({ identifier: "ChosenAccounts" })
export interface ChosenAccounts extends Schema.Schema.Type<typeof ChosenAccounts> {}
