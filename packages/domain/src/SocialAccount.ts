import { Schema } from "effect"
import { SocialAccountId } from "./Ids.ts"
import { List, paging, Several } from "./Lists.ts"
import { PlatformId } from "./Platform.ts"
import { Text } from "./Text.ts"
import { Timestamp } from "./Time.ts"

export const SocialAccountStatus = Schema.Literals(["connected", "needs_reconnect", "disconnected"]).annotate(
  {
    identifier: "SocialAccountStatus"
  }
)
export type SocialAccountStatus = typeof SocialAccountStatus.Type

/** An account on a platform, connected to the workspace (contract.md section 6). Its tokens never leave the server. */
export const SocialAccount = Schema.Struct({
  id: SocialAccountId,
  platform: PlatformId,
  username: Schema.String,
  display_name: Schema.NullOr(Schema.String),
  avatar_url: Schema.NullOr(Schema.String),
  status: SocialAccountStatus,
  status_reason: Schema.NullOr(Schema.String),
  connected_at: Timestamp,
  token_expires_at: Schema.NullOr(Timestamp)
}).annotate({ identifier: "SocialAccount" })
export interface SocialAccount extends Schema.Schema.Type<typeof SocialAccount> {}

export const SocialAccountList = List(SocialAccount).annotate({ identifier: "SocialAccountList" })

export const SocialAccountFilter = Schema.Struct({
  ...paging,
  platform: Schema.optionalKey(Several(PlatformId)),
  username: Schema.optionalKey(Text),
  status: Schema.optionalKey(Several(SocialAccountStatus))
})
export interface SocialAccountFilter extends Schema.Schema.Type<typeof SocialAccountFilter> {}

const text = Text.check(Schema.isBetweenLength(1, 500))

/**
 * Connects an account with credentials.
 * bluesky: `identifier` (handle or DID) and an app password; `service` is the address of a PDS and may be left
 * out: then it is found from the handle. sandbox: any username with the password `sandbox`.
 */
export const ConnectAccount = Schema.Union([
  Schema.Struct({
    platform: Schema.Literal("bluesky"),
    credentials: Schema.Struct({
      identifier: text,
      app_password: text,
      service: Schema.optionalKey(Schema.String.check(Schema.isPattern(/^https?:\/\/[^\s/]+\/?$/)))
    })
  }),
  Schema.Struct({
    platform: Schema.Literal("sandbox"),
    credentials: Schema.Struct({ username: text, password: text })
  })
]).annotate({ identifier: "ConnectAccount" })
export type ConnectAccount = typeof ConnectAccount.Type

export const SocialAccountDeleted = Schema.Struct({
  success: Schema.Literal(true),
  id: SocialAccountId
}).annotate({ identifier: "SocialAccountDeleted" })
