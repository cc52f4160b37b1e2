import { Schema } from "effect"
import { AccountLimits } from "./AccountLimits.ts"
import { SocialAccountId } from "./Ids.ts"
import { List, paging, Several } from "./Lists.ts"
import { PlacementRules, PlatformId } from "./Platform.ts"
import { credentialsSchema, type CredentialsOf } from "./platforms/ConnectForm.ts"
import { type ConnectedByForm, credentialForms } from "./platforms/PlatformDefinitions.ts"
import { Text } from "./Text.ts"
import { Timestamp } from "./Time.ts"

export const SocialAccountStatus = Schema.Literals(["connected", "needs_reconnect", "disconnected"]).annotate(
  {
    identifier: "SocialAccountStatus"
  }
)
export type SocialAccountStatus = typeof SocialAccountStatus.Type

/** `test`: the test network plays the platform there, and nothing reaches the platform itself. */
export const AccountNetwork = Schema.Literals(["real", "test"]).annotate({
  identifier: "AccountNetwork",
  description: "`test`: the test network plays the platform, and nothing reaches the platform itself."
})
export type AccountNetwork = typeof AccountNetwork.Type

/** An account on a platform, connected to the workspace. Its tokens never leave the server. */
export const SocialAccount = Schema.Struct({
  id: SocialAccountId,
  platform: PlatformId,
  username: Schema.String,
  display_name: Schema.NullOr(Schema.String),
  avatar_url: Schema.NullOr(Schema.String).annotate({
    description: "A signed URL of a small picture on this service, valid for 24 hours; null: there is none."
  }),
  network: AccountNetwork,
  status: SocialAccountStatus,
  /** The same as the status of that name, for clients that look for it. */
  needs_reconnect: Schema.Boolean,
  status_reason: Schema.NullOr(Schema.String),
  connected_at: Timestamp,
  token_expires_at: Schema.NullOr(Timestamp),
  access_expires_at: Schema.NullOr(Timestamp).annotate({
    description:
      "When the account must be reconnected unless its access is renewed first; null: the platform gives no expiry."
  }),
  default_board_id: Schema.NullOr(Schema.String).annotate({
    description: "Pinterest: the board that a post without `board_ids` goes to."
  }),
  default_privacy_level: Schema.NullOr(Schema.String).annotate({
    description:
      "TikTok: who sees a post without `privacy_level`; null: the widest audience that the account offers."
  }),
  limits: Schema.NullOr(AccountLimits).annotate({
    description:
      "Mastodon and Telegram: what the account's own server accepts, asked when it is connected and once a day. Discord: whether it is a webhook or a bot. null: the network's own rules apply."
  })
}).annotate({ identifier: "SocialAccount" })
export interface SocialAccount extends Schema.Schema.Type<typeof SocialAccount> {}

export const SocialAccountList = List(SocialAccount).annotate({ identifier: "SocialAccountList" })

export const SocialAccountFilter = Schema.Struct({
  ...paging,
  platform: Schema.optionalKey(Several(PlatformId)),
  username: Schema.optionalKey(Several(Text.check(Schema.isMaxLength(500)))),
  status: Schema.optionalKey(Several(SocialAccountStatus)),
  q: Schema.optionalKey(
    Text.check(Schema.isMaxLength(1000)).annotate({
      description: "Part of the username or the display name, in any case."
    })
  )
})
export interface SocialAccountFilter extends Schema.Schema.Type<typeof SocialAccountFilter> {}

/** Connects an account with what a person types: the fields of its platform's form, as `GET /v1/instance` shows them. */
export type ConnectAccount = {
  [P in ConnectedByForm]: {
    readonly platform: P
    readonly credentials: CredentialsOf<(typeof credentialForms)[P]>
  }
}[ConnectedByForm]
export const ConnectAccount = Schema.Union(
  Object.entries(credentialForms).map(([platform, form]) =>
    Schema.Struct({ platform: Schema.Literal(platform), credentials: credentialsSchema(form) })
  )
).annotate({ identifier: "ConnectAccount" }) as unknown as Schema.Codec<ConnectAccount>

const text = Text.check(Schema.isBetweenLength(1, 500))

const returnAddress = Text.check(
  Schema.isPattern(/^https?:\/\/[^\s/?#@]+([/?#]\S*)?$/),
  Schema.isMaxLength(2000)
)

const fields = Schema.optionalKey(
  Schema.Record(Text.check(Schema.isMaxLength(100)), text).check(Schema.isMaxProperties(10))
)

/**
 * Begins connecting an account on the platform's own consent page. `login` chooses between several ways to sign in
 * (instagram: `instagram` or `facebook`). `fields` is what the platform wants to know before: those of its form in
 * `GET /v1/instance` that have `before_consent` (mastodon: `server`). `redirect_url` is where the browser goes in the end, with `status`
 * (`connected` or `failed`), `platform`, and `social_account_id` for each account or `error` and `message`.
 */
export const StartConnect = Schema.Struct({
  platform: PlatformId,
  redirect_url: Schema.optionalKey(returnAddress),
  login: Schema.optionalKey(text),
  fields
}).annotate({ identifier: "StartConnect" })
export type StartConnect = typeof StartConnect.Type

/** `PATCH /v1/social-accounts/{id}`: an absent key is unchanged. */
export const UpdateSocialAccount = Schema.Struct({
  default_board_id: Schema.optionalKey(
    Schema.NullOr(Text.check(Schema.isBetweenLength(1, 100))).annotate({
      description: "Pinterest: the board that a post without `board_ids` goes to, by id or name; null: none."
    })
  ),
  default_privacy_level: Schema.optionalKey(
    Schema.NullOr(Text.check(Schema.isBetweenLength(1, 100))).annotate({
      description:
        "TikTok: who sees a post without `privacy_level`, one of `choices.privacy_level` of the account's options; null: none."
    })
  )
}).annotate({ identifier: "UpdateSocialAccount" })
export interface UpdateSocialAccount extends Schema.Schema.Type<typeof UpdateSocialAccount> {}

/** Open `authorize_url` in a browser before `expires_at`; its page says who asks, and its button leads to the platform. */
export const ConnectStarted = Schema.Struct({
  authorize_url: Schema.String,
  expires_at: Timestamp
}).annotate({ identifier: "ConnectStarted" })
export interface ConnectStarted extends Schema.Schema.Type<typeof ConnectStarted> {}

/** `StartConnect` in the words of clients that have them from similar services: `return_url` is its `redirect_url`. */
export const ConnectLinkRequest = Schema.Struct({
  platform: PlatformId,
  return_url: Schema.optionalKey(returnAddress),
  login: Schema.optionalKey(text),
  fields
}).annotate({ identifier: "ConnectLinkRequest" })
export type ConnectLinkRequest = typeof ConnectLinkRequest.Type

/** Open `url` in a browser before `expires_at`; it leads to the platform. */
export const ConnectLink = Schema.Struct({
  url: Schema.String,
  expires_at: Timestamp
}).annotate({ identifier: "ConnectLink" })

export const SocialAccountDeleted = Schema.Struct({
  success: Schema.Literal(true),
  id: SocialAccountId
}).annotate({ identifier: "SocialAccountDeleted" })

/**
 * What a post to this account may hold, as data: one entry in `placements` for each kind of post of the platform.
 * `choices` are what the account itself offers now, asked of the platform at this moment; `choices_error` says why it
 * could not be asked. `schema` is the JSON Schema of the account's entry in `platform_configurations`.
 */
export const SocialAccountOptions = Schema.Struct({
  account_id: SocialAccountId,
  platform: PlatformId,
  placements: Schema.Array(PlacementRules).check(Schema.isMaxLength(20)),
  choices: Schema.Record(Schema.String, Schema.Json).check(Schema.isMaxProperties(100)),
  choices_error: Schema.NullOr(Schema.String),
  schema: Schema.Json
}).annotate({ identifier: "SocialAccountOptions" })
export interface SocialAccountOptions extends Schema.Schema.Type<typeof SocialAccountOptions> {}
