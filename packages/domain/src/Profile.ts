import { Schema } from "effect"
import { ApiKeyId, SocialAccountId, WorkspaceId } from "./Ids.ts"
import { List, paging } from "./Lists.ts"
import { Text } from "./Text.ts"
import { TimeZoneName, Timestamp } from "./Time.ts"
import { field } from "./Field.ts"

/** The scopes of a credential. */
export const Scope = Schema.Literals([
  "posts:read",
  "posts:write",
  "posts:publish",
  "media:read",
  "media:write",
  "accounts:read",
  "accounts:write",
  "admin"
]).annotate({ identifier: "Scope" })
export type Scope = typeof Scope.Type

const implied: Partial<Record<Scope, ReadonlyArray<Scope>>> = {
  "posts:write": ["posts:read"],
  "posts:publish": ["posts:write", "posts:read"],
  "media:write": ["media:read"],
  "accounts:write": ["accounts:read"],
  admin: Scope.literals
}

/** Whether the granted scopes cover a needed one. */
export const hasScope = (granted: ReadonlyArray<Scope>, needed: Scope): boolean =>
  granted.some((scope) => scope === needed || (implied[scope]?.includes(needed) ?? false))

const scopes = Schema.Array(Scope).check(Schema.isMaxLength(50))

/**
 * How late a post may still go out, in seconds, when the service was not running at its time; a later one fails with
 * `missed`. One minute to 30 days; 24 hours unless it is changed.
 */
const LatenessLimit = Schema.Int.check(
  Schema.isBetween({ minimum: 60, maximum: 30 * 86_400 }, { message: "Expected 60 to 2592000 seconds" })
)

/** The credential of the request: an API key, a person's grant to a connected app, or the session of a member. */
const Credential = Schema.Struct({
  type: field(
    "`api_key`: a key of the workspace. `app`: a person's grant to a connected app. `session`: a member in the console.",
    Schema.Literals(["api_key", "app", "session"])
  ),
  name: field(
    "The key's or app's name; null: the key in the service's configuration, or a session.",
    Schema.NullOr(Schema.String)
  ),
  member: field(
    "The name of the person who is signed in or gave the app access; null: an API key.",
    Schema.NullOr(Schema.String)
  ),
  social_accounts: field(
    "Ids of the accounts that it may use; null: all of the workspace, including later ones.",
    Schema.NullOr(Schema.Array(SocialAccountId).check(Schema.isMaxLength(100_000)))
  ),
  needs_approval: field("Whether its posts stay drafts until a person approves them.", Schema.Boolean),
  expires_at: field(
    "When it expires, in UTC; an app's access does so only if the app has not used it before. null: never.",
    Schema.NullOr(Timestamp)
  )
}).annotate({ identifier: "Credential" })

/** The credential's own workspace. `timezone` is for times that name none. */
export const Profile = Schema.Struct({
  id: field("The id of the credential's own workspace.", WorkspaceId),
  name: field("The name of the credential's own workspace.", Schema.String),
  timezone: field(
    "IANA name of the time zone for times that name none, such as `Europe/Paris`.",
    TimeZoneName
  ),
  lateness_limit_seconds: field(
    "How many seconds late a post may still go out if the service was down at its time. Later ones fail as `missed`.",
    LatenessLimit
  ),
  workspace: field(
    "The id and the name again, for clients of similar services.",
    Schema.Struct({
      id: field("The same as the profile's `id`.", WorkspaceId),
      name: field("The same as the profile's `name`.", Schema.String)
    })
  ),
  scopes: field(
    "What the credential may do. A `write` scope includes its `read`, and `admin` includes all.",
    scopes
  ),
  credential: field("The credential that this request was made with.", Credential)
}).annotate({ identifier: "Profile" })
export interface Profile extends Schema.Schema.Type<typeof Profile> {}

export const UpdateProfile = Schema.Struct({
  name: field(
    "The workspace's new name, 1 to 200 characters. Absent: unchanged.",
    Schema.optionalKey(Text.check(Schema.isBetweenLength(1, 200)))
  ),
  timezone: field(
    "IANA name of the time zone for times that name none, such as `Europe/Paris`. Posts keep their times. Absent: unchanged.",
    Schema.optionalKey(TimeZoneName)
  ),
  lateness_limit_seconds: field(
    "How many seconds late a post may still go out if the service was down at its time: 60 to 2,592,000; new workspaces have 86,400. Absent: unchanged.",
    Schema.optionalKey(LatenessLimit)
  )
}).annotate({ identifier: "UpdateProfile" })
export interface UpdateProfile extends Schema.Schema.Type<typeof UpdateProfile> {}

const apiKey = {
  id: field("The public part of the key, which is `crl_<id>_<secret>`.", ApiKeyId),
  name: field("A name for people, 1 to 200 characters.", Schema.String),
  scopes: field("What it may do. Each `write` scope includes its `read`, and `admin` includes all.", scopes),
  social_accounts: field(
    "Ids of the accounts that it may use; null: all of the workspace, including later ones.",
    Schema.NullOr(Schema.Array(SocialAccountId).check(Schema.isMaxLength(1000)))
  ),
  expires_at: field("When it stops working, in UTC; null: never.", Schema.NullOr(Timestamp)),
  last_used_at: field("When a request last used it, to the minute; null: never.", Schema.NullOr(Timestamp)),
  created_at: field("When it was created, in UTC.", Timestamp)
}

export const ApiKey = Schema.Struct(apiKey).annotate({ identifier: "ApiKey" })
export interface ApiKey extends Schema.Schema.Type<typeof ApiKey> {}

/** The only answer that ever holds the key itself. */
export const NewApiKey = Schema.Struct({
  ...apiKey,
  key: field("The key itself: `crl_<id>_<secret>`. It is never shown again.", Schema.String)
}).annotate({
  identifier: "NewApiKey"
})
export interface NewApiKey extends Schema.Schema.Type<typeof NewApiKey> {}

/** A key that is limited to some accounts makes only keys that are limited to these or fewer. */
export const CreateApiKey = Schema.Struct({
  name: field("A name for people, 1 to 200 characters.", Text.check(Schema.isBetweenLength(1, 200))),
  scopes: field(
    "What the key may do. Each `write` scope includes its `read`, `posts:publish` includes `posts:write`, and `admin` includes all.",
    scopes.check(Schema.isMinLength(1, { expected: "at least one scope" }))
  ),
  social_accounts: field(
    "Ids of the accounts that the key may use. A key with such a list can only create keys for accounts in it. null or absent: all of the workspace.",
    Schema.optionalKey(Schema.NullOr(Schema.Array(Schema.Int).check(Schema.isMaxLength(1000))))
  ),
  expires_at: field(
    "When it stops working. null or absent: never.",
    Schema.optionalKey(Schema.NullOr(Timestamp))
  )
}).annotate({ identifier: "CreateApiKey" })
export interface CreateApiKey extends Schema.Schema.Type<typeof CreateApiKey> {}

export const ApiKeyList = List(ApiKey).annotate({ identifier: "ApiKeyList" })
export const ApiKeyFilter = Schema.Struct(paging)
export const ApiKeyDeleted = Schema.Struct({
  success: field("Always true.", Schema.Literal(true)),
  id: field("The deleted key's id. It no longer works.", ApiKeyId)
}).annotate({
  identifier: "ApiKeyDeleted"
})

/** A separate part of the instance: accounts, media, posts and keys belong to exactly one. */
const workspace = {
  id: field("A UUID, for the header `Carillon-Workspace`.", WorkspaceId),
  name: field("A name for people, 1 to 200 characters.", Schema.String),
  timezone: field(
    "IANA name of the time zone for times that name none, such as `Europe/Paris`.",
    TimeZoneName
  ),
  created_at: field("When it was created, in UTC.", Timestamp)
}

export const Workspace = Schema.Struct(workspace).annotate({ identifier: "Workspace" })
export interface Workspace extends Schema.Schema.Type<typeof Workspace> {}

export const WorkspaceList = List(Workspace).annotate({ identifier: "WorkspaceList" })
export const WorkspaceFilter = Schema.Struct(paging)

/** `POST /v1/workspaces`. `timezone` is UTC by default. */
export const CreateWorkspace = Schema.Struct({
  name: field("A name for people, 1 to 200 characters.", Text.check(Schema.isBetweenLength(1, 200))),
  timezone: field(
    "IANA name of the time zone for times that name none, such as `Europe/Paris`. Default: `UTC`.",
    Schema.optionalKey(Schema.NullOr(TimeZoneName))
  )
}).annotate({ identifier: "CreateWorkspace" })
export interface CreateWorkspace extends Schema.Schema.Type<typeof CreateWorkspace> {}

/** The workspace with its first key, which has its scope `admin` and is shown only here. */
export const NewWorkspace = Schema.Struct({
  ...workspace,
  api_key: field("Its first key, with the scope `admin`. It is never shown again.", NewApiKey)
}).annotate({
  identifier: "NewWorkspace"
})
export interface NewWorkspace extends Schema.Schema.Type<typeof NewWorkspace> {}
