import { Schema } from "effect"
import { AccountLimits } from "./AccountLimits.ts"
import { PendingConnectionId, SocialAccountId } from "./Ids.ts"
import { anyOf, List, paging, Several } from "./Lists.ts"
import { permissionNames } from "./Permissions.ts"
import { PlacementRules, PlatformId } from "./Platform.ts"
import { credentialsSchema, type CredentialsOf } from "./platforms/ConnectForm.ts"
import { type ConnectedByForm, credentialForms } from "./platforms/PlatformDefinitions.ts"
import { Text } from "./Text.ts"
import { Timestamp } from "./Time.ts"
import { field } from "./Field.ts"
import { success } from "./Success.ts"

export const SocialAccountStatus = Schema.Literals(["connected", "needs_reconnect", "disconnected"]).annotate(
  {
    identifier: "SocialAccountStatus"
  }
)
export type SocialAccountStatus = typeof SocialAccountStatus.Type

const Permissions = Schema.Array(Schema.Literals(permissionNames)).check(Schema.isMaxLength(10))

const AccountPermissions = Schema.Struct({
  granted: field("What the account may do.", Permissions),
  missing: field("What it may not: an option that needs one of these is refused.", Permissions)
}).annotate({ identifier: "AccountPermissions" })

/** `test`: the test network plays the platform there, and nothing reaches the platform itself. */
export const AccountNetwork = Schema.Literals(["real", "test"]).annotate({
  identifier: "AccountNetwork",
  description:
    "`real`: the platform itself. `test`: the test network stands in for it, and nothing reaches the platform."
})
export type AccountNetwork = typeof AccountNetwork.Type

/** `replaced`: an app or an account of the network itself has come. `removed`: somebody disconnected it then. */
export const DemoState = Schema.Literals(["active", "replaced", "removed"])

/** An account on a platform, connected to the workspace. Its tokens never leave the server. */
export const SocialAccount = Schema.Struct({
  id: field(
    "A number, for `social_accounts` of posts. It stays the same when the account is connected again.",
    SocialAccountId
  ),
  platform: field("The platform that the account is on, such as `bluesky`; `twitter` is X.", PlatformId),
  username: field(
    "The account's name on the platform, without a leading `@`; on Mastodon with its server, such as `alice@mastodon.social`.",
    Schema.String
  ),
  display_name: field(
    "The name that the platform shows beside the username, as it was when last connected; null: none.",
    Schema.NullOr(Schema.String)
  ),
  avatar_url: field(
    "A signed URL of a small copy of the account's picture, valid for 24 hours; null: there is none.",
    Schema.NullOr(Schema.String)
  ),
  network: AccountNetwork,
  demo: field(
    "Of a demo account of the test network. `replaced`: the platform has an app or account of yours now; disconnect this one. `removed`: that was done.",
    Schema.NullOr(DemoState)
  ),
  status: field(
    "`connected`: posts can go out. `needs_reconnect`: the platform no longer accepts its access, and its posts wait until it is reconnected. `disconnected`: someone disconnected it.",
    SocialAccountStatus
  ),
  needs_reconnect: field(
    "The same as `status: needs_reconnect`. true: a person must connect the account again.",
    Schema.Boolean
  ),
  status_reason: field(
    "Why the account is not connected, as a sentence for people; null: it is connected.",
    Schema.NullOr(Schema.String)
  ),
  warning: field(
    "What will stop its posts unless the operator acts; null: nothing known.",
    Schema.NullOr(Schema.String)
  ),
  connected_at: field("When a person last connected or reconnected it, in UTC.", Timestamp),
  token_expires_at: field(
    "When the present token expires, in UTC; the service renews it before that. null: it does not expire.",
    Schema.NullOr(Timestamp)
  ),
  access_expires_at: field(
    "When the account must be reconnected unless its access is renewed first, in UTC; null: the platform gives no expiry.",
    Schema.NullOr(Timestamp)
  ),
  default_board_id: field(
    "Pinterest: the board that a post without `board_ids` goes to; null: none.",
    Schema.NullOr(Schema.String)
  ),
  default_privacy_level: field(
    "TikTok: who can see a post without `privacy_level`; null: the widest audience that the account offers.",
    Schema.NullOr(Schema.String)
  ),
  limits: field(
    "What the account's own server accepts, asked when it is connected and once a day; on Discord, whether it is a webhook or a bot. null: the platform's own rules apply.",
    Schema.NullOr(AccountLimits)
  ),
  permissions: field(
    "What it was allowed beyond publishing. null: the platform has no such permissions, or nobody knows.",
    Schema.NullOr(AccountPermissions)
  )
}).annotate({ identifier: "SocialAccount" })
export interface SocialAccount extends Schema.Schema.Type<typeof SocialAccount> {}

export const SocialAccountList = List(SocialAccount).annotate({ identifier: "SocialAccountList" })

export const SocialAccountFilter = Schema.Struct({
  ...paging,
  platform: anyOf("Only accounts on any of these platforms, such as `bluesky`.", Several(PlatformId)),
  username: anyOf(
    "Only accounts with any of these usernames, in any case, with or without `@`.",
    Several(Text.check(Schema.isMaxLength(500)))
  ),
  status: anyOf(
    "Only accounts with any of these statuses, such as `needs_reconnect`.",
    Several(SocialAccountStatus)
  ),
  q: field(
    "Only accounts whose username or display name contains this text, in any case. Absent: all.",
    Schema.optionalKey(Text.check(Schema.isMaxLength(1000)))
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
    Schema.Struct({
      platform: field(
        "The account's platform; `GET /v1/instance` lists it with `by: credentials`.",
        Schema.Literal(platform)
      ),
      credentials: field(
        "What the platform's form asks for, by field name; `form` in `GET /v1/instance` explains each.",
        credentialsSchema(form)
      )
    })
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

const permissions = field(
  "What it may do beyond publishing: all that it should have. Default: none.",
  Schema.optionalKey(Permissions)
)

/**
 * Begins connecting an account on the platform's own consent page. `login` chooses between several ways to sign in
 * (instagram: `instagram` or `facebook`). `fields` is what the platform wants to know before: those of its form in
 * `GET /v1/instance` that have `before_consent` (mastodon: `server`). `redirect_url` is where the browser goes in the end.
 */
export const StartConnect = Schema.Struct({
  platform: field(
    "A platform with its own consent page; `GET /v1/instance` lists it with `by: consent`.",
    PlatformId
  ),
  redirect_url: field(
    "Where the browser goes afterwards. Query parameters are added: `platform` and `status`: `connected` with one `social_account_id` per account, `pending` with the id of a choice to make as `pending`, or `failed` with `error` and `message`. Default: a page of this service.",
    Schema.optionalKey(returnAddress)
  ),
  login: field(
    "How to sign in: one of the platform's `logins` in `GET /v1/instance`, such as `facebook` for Instagram. Default: the first.",
    Schema.optionalKey(text)
  ),
  fields: field(
    "What the platform needs to know before its consent page: the form fields with `before_consent`, such as Mastodon's `server`.",
    fields
  ),
  social_account_id: field(
    "The account to reconnect. It alone is connected, without a choice; a sign-in that does not open it connects nothing. Absent: what the person chooses.",
    Schema.optionalKey(SocialAccountId)
  ),
  offer_others: field(
    "true: a reconnection also offers the other accounts of the sign-in. Default: false.",
    Schema.optionalKey(Schema.Boolean)
  ),
  permissions
}).annotate({ identifier: "StartConnect" })
export type StartConnect = typeof StartConnect.Type

/** `PATCH /v1/social-accounts/{id}`: an absent key is unchanged. */
export const UpdateSocialAccount = Schema.Struct({
  default_board_id: field(
    "Pinterest: the board that a post without `board_ids` goes to, by id or name. null: none. Absent: unchanged.",
    Schema.optionalKey(Schema.NullOr(Text.check(Schema.isBetweenLength(1, 100))))
  ),
  default_privacy_level: field(
    "TikTok: who can see a post without `privacy_level`; one of `choices.privacy_level` in the account's options. null: the widest audience that the account offers. Absent: unchanged.",
    Schema.optionalKey(Schema.NullOr(Text.check(Schema.isBetweenLength(1, 100))))
  )
}).annotate({ identifier: "UpdateSocialAccount" })
export interface UpdateSocialAccount extends Schema.Schema.Type<typeof UpdateSocialAccount> {}

/** Open `authorize_url` in a browser before `expires_at`; its page says who asks, and its button leads to the platform. */
export const ConnectStarted = Schema.Struct({
  authorize_url: field(
    "Open this URL in a browser. Its page says who asks, and leads to the platform.",
    Schema.String
  ),
  expires_at: field(
    "When the URL stops working, in UTC: 15 minutes after the request. Ask for another after that.",
    Timestamp
  ),
  pending_id: field(
    "For `GET /v1/social-accounts/pending/{id}`, which says how it goes on, and offers the accounts where several can be chosen.",
    PendingConnectionId
  )
}).annotate({ identifier: "ConnectStarted" })
export interface ConnectStarted extends Schema.Schema.Type<typeof ConnectStarted> {}

/** `StartConnect` in the words of clients that have them from similar services: `return_url` is its `redirect_url`. */
export const ConnectLinkRequest = Schema.Struct({
  platform: field(
    "A platform with its own consent page; `GET /v1/instance` lists it with `by: consent`.",
    PlatformId
  ),
  return_url: field(
    "Where the browser goes afterwards, with the query parameters that `redirect_url` of `POST /v1/social-accounts/connect` lists. Default: a page of this service.",
    Schema.optionalKey(returnAddress)
  ),
  login: field(
    "How to sign in: one of the platform's `logins` in `GET /v1/instance`, such as `facebook` for Instagram. Default: the first.",
    Schema.optionalKey(text)
  ),
  fields: field(
    "What the platform needs to know before its consent page: the form fields with `before_consent`, such as Mastodon's `server`.",
    fields
  ),
  permissions
}).annotate({ identifier: "ConnectLinkRequest" })
export type ConnectLinkRequest = typeof ConnectLinkRequest.Type

/** Open `url` in a browser before `expires_at`; it leads to the platform. */
export const ConnectLink = Schema.Struct({
  url: field("Open this URL in a browser. Its page says who asks, and leads to the platform.", Schema.String),
  expires_at: field(
    "When the URL stops working, in UTC: 15 minutes after the request. Ask for another after that.",
    Timestamp
  )
}).annotate({ identifier: "ConnectLink" })

export const SocialAccountDeleted = Schema.Struct({
  success,
  id: field("The disconnected account's id. Its access is gone; its results remain.", SocialAccountId)
}).annotate({ identifier: "SocialAccountDeleted" })

/**
 * What a post to this account may hold, as data: one entry in `placements` for each kind of post of the platform.
 * `choices` are what the account itself offers now, asked of the platform at this moment; `choices_error` says why it
 * could not be asked. `schema` is the JSON Schema of the account's entry in `platform_configurations`.
 */
export const SocialAccountOptions = Schema.Struct({
  account_id: field("The id of the account that was asked about, as in the path.", SocialAccountId),
  platform: field("The platform that the account is on, such as `bluesky`; `twitter` is X.", PlatformId),
  placements: field(
    "The limits of each kind of post, such as feed and reel, by the account's own server where that sets some. A post's media and `placement` choose one.",
    Schema.Array(PlacementRules).check(Schema.isMaxLength(20))
  ),
  choices: field(
    "What the account offers now for each option, such as boards, playlists and audiences. The platform is asked at every request.",
    Schema.Record(Schema.String, Schema.Json).check(Schema.isMaxProperties(100))
  ),
  choices_error: field(
    "Why the platform could not be asked, for people; `choices` is then empty. null: it was, or has nothing to choose.",
    Schema.NullOr(Schema.String)
  ),
  schema: field(
    "The JSON Schema of the platform's entry in `platform_configurations`: every option with its values and meaning.",
    Schema.Json
  )
}).annotate({ identifier: "SocialAccountOptions" })
export interface SocialAccountOptions extends Schema.Schema.Type<typeof SocialAccountOptions> {}
