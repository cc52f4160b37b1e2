import { Schema } from "effect"
import { ApiKeyId, SocialAccountId, WorkspaceId } from "./Ids.ts"
import { List, paging } from "./Lists.ts"
import { roleNames } from "./Roles.ts"
import { scopeNames } from "./Scopes.ts"
import { Text } from "./Text.ts"
import { TimeZoneName, Timestamp } from "./Time.ts"
import { field } from "./Field.ts"
import { success } from "./Success.ts"

/** The scopes of a credential. */
export const Scope = Schema.Literals(scopeNames).annotate({ identifier: "Scope" })
export type Scope = typeof Scope.Type

/** What a person may do in a workspace, by the table in `Roles.ts`. */
export const Role = Schema.Literals(roleNames).annotate({ identifier: "Role" })
export type Role = typeof Role.Type

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
    "`api_key`: a key of the workspace, or the one in the service's configuration. `app`: a person's grant to a connected app. `session`: a member in the console.",
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
  role: field(
    "The person's role in the workspace; null: an API key or an app, which have scopes alone.",
    Schema.NullOr(Role)
  ),
  social_accounts: field(
    "Ids of the accounts that it may use; it sees no others. null: all of the workspace, including later ones.",
    Schema.NullOr(Schema.Array(SocialAccountId).check(Schema.isMaxLength(100_000)))
  ),
  needs_approval: field(
    "true: its posts stay drafts until a person approves them; apps and writers may have this. false: they go out as asked.",
    Schema.Boolean
  ),
  expires_at: field(
    "When it expires, in UTC; each use of an app's access moves it on. null: never.",
    Schema.NullOr(Timestamp)
  )
}).annotate({ identifier: "Credential" })

/** The credential's own workspace. `timezone` is for times that name none. */
export const Profile = Schema.Struct({
  id: field("The id of the credential's workspace, a UUID. It never changes.", WorkspaceId),
  name: field("The name of the credential's workspace, for people; `PATCH` changes it.", Schema.String),
  timezone: field(
    "IANA name of the time zone for times that name none, such as `Europe/Paris`; the queue and calendar use it too.",
    TimeZoneName
  ),
  lateness_limit_seconds: field(
    "How many seconds late a post may still go out if the service was down at its time; 86,400 unless it was changed. Later ones fail as `missed`.",
    LatenessLimit
  ),
  client_approval: field(
    "true: a client's yes by a review link that a person made approves a post that waits, if its time has not passed. false, as at first: editors read the yes, and approve.",
    Schema.Boolean
  ),
  workspace: field(
    "The id and the name again, for clients of similar services.",
    Schema.Struct({
      id: field("The same as the profile's `id`.", WorkspaceId),
      name: field("The same as the profile's `name`.", Schema.String)
    })
  ),
  scopes: field(
    "What the credential may do. A `write` scope includes its `read`, `posts:publish` includes `posts:write`, and `admin` includes all.",
    scopes
  ),
  credential: field(
    "What kind of credential this request was made with, whose it is, and what it may reach.",
    Credential
  )
}).annotate({ identifier: "Profile" })
export interface Profile extends Schema.Schema.Type<typeof Profile> {}

export const UpdateProfile = Schema.Struct({
  name: field(
    "The workspace's new name, 1 to 200 characters. Absent: unchanged.",
    Schema.optionalKey(Text.check(Schema.isBetweenLength(1, 200)))
  ),
  timezone: field(
    "IANA name of the time zone for times that name none, such as `Europe/Paris`. Scheduled posts keep their instants. Absent: unchanged.",
    Schema.optionalKey(TimeZoneName)
  ),
  lateness_limit_seconds: field(
    "How many seconds late a post may still go out if the service was down at its time: 60 to 2,592,000 (30 days). Absent: unchanged.",
    Schema.optionalKey(LatenessLimit)
  ),
  client_approval: field(
    "Whether a client's yes by a review link that a person made approves a post that waits. Absent: unchanged.",
    Schema.optionalKey(Schema.Boolean)
  )
}).annotate({ identifier: "UpdateProfile" })
export interface UpdateProfile extends Schema.Schema.Type<typeof UpdateProfile> {}

const apiKey = {
  id: field(
    "The public part of the key `crl_<id>_<secret>`: 12 lower-case letters and digits. Logs show it, and `DELETE /v1/api-keys/{key_id}` takes it.",
    ApiKeyId
  ),
  name: field("A name for people, 1 to 200 characters; several may have the same.", Schema.String),
  scopes: field(
    "What it may do. Each `write` scope includes its `read`, `posts:publish` includes `posts:write`, and `admin` includes all.",
    scopes
  ),
  social_accounts: field(
    "Ids of the accounts that it may use; it sees no others. null: all of the workspace, including later ones.",
    Schema.NullOr(Schema.Array(SocialAccountId).check(Schema.isMaxLength(1000)))
  ),
  expires_at: field(
    "When it stops working, in UTC; null: it works until it is deleted.",
    Schema.NullOr(Timestamp)
  ),
  last_used_at: field(
    "When a request last used it, in UTC and to the minute; null: never.",
    Schema.NullOr(Timestamp)
  ),
  created_at: field("When it was created, in UTC; it never changes.", Timestamp)
}

export const ApiKey = Schema.Struct(apiKey).annotate({ identifier: "ApiKey" })
export interface ApiKey extends Schema.Schema.Type<typeof ApiKey> {}

/** The only answer that ever holds the key itself. */
export const NewApiKey = Schema.Struct({
  ...apiKey,
  key: field(
    "The key itself, `crl_<id>_<secret>`, for `Authorization: Bearer`. Keep it: it is never shown again.",
    Schema.String
  )
}).annotate({
  identifier: "NewApiKey"
})
export interface NewApiKey extends Schema.Schema.Type<typeof NewApiKey> {}

/** A key that is limited to some accounts makes only keys that are limited to these or fewer. */
export const CreateApiKey = Schema.Struct({
  name: field(
    "A name for people, 1 to 200 characters; several may have the same.",
    Text.check(Schema.isBetweenLength(1, 200))
  ),
  scopes: field(
    "What the key may do. Each `write` scope includes its `read`, `posts:publish` includes `posts:write`, and `admin` includes all.",
    scopes.check(Schema.isMinLength(1, { expected: "at least one scope" }))
  ),
  social_accounts: field(
    "Ids of the accounts that the key may use; it sees no others. Not with the scope `admin`. null or absent: all of the workspace, including later ones.",
    Schema.optionalKey(Schema.NullOr(Schema.Array(Schema.Int).check(Schema.isMaxLength(1000))))
  ),
  expires_at: field(
    "When it stops working, in the future, such as `2027-01-01T00:00:00Z`. null or absent: never.",
    Schema.optionalKey(Schema.NullOr(Timestamp))
  )
}).annotate({ identifier: "CreateApiKey" })
export interface CreateApiKey extends Schema.Schema.Type<typeof CreateApiKey> {}

export const ApiKeyList = List(ApiKey).annotate({ identifier: "ApiKeyList" })
export const ApiKeyFilter = Schema.Struct(paging)
export const ApiKeyDeleted = Schema.Struct({
  success,
  id: field("The deleted key's id. Requests with it are answered with 401 from now on.", ApiKeyId)
}).annotate({
  identifier: "ApiKeyDeleted"
})

/** A separate part of the instance: accounts, media, posts and keys belong to exactly one. */
const workspace = {
  id: field(
    "A UUID, for the header `Carillon-Workspace`, with which a session chooses the workspace.",
    WorkspaceId
  ),
  name: field("A name for people, 1 to 200 characters; several may have the same.", Schema.String),
  timezone: field(
    "IANA name of the time zone for times that name none, such as `Europe/Paris`; the queue and calendar use it too.",
    TimeZoneName
  ),
  created_at: field("When it was created, in UTC; it never changes.", Timestamp)
}

export const Workspace = Schema.Struct(workspace).annotate({ identifier: "Workspace" })
export interface Workspace extends Schema.Schema.Type<typeof Workspace> {}

export const WorkspaceList = List(Workspace).annotate({ identifier: "WorkspaceList" })
export const WorkspaceFilter = Schema.Struct(paging)

/** `POST /v1/workspaces`. `timezone` is UTC by default. */
export const CreateWorkspace = Schema.Struct({
  name: field(
    "A name for people, 1 to 200 characters; several may have the same.",
    Text.check(Schema.isBetweenLength(1, 200))
  ),
  timezone: field(
    "IANA name of the time zone for times that name none, such as `Europe/Paris`. null or absent: `UTC`.",
    Schema.optionalKey(Schema.NullOr(TimeZoneName))
  )
}).annotate({ identifier: "CreateWorkspace" })
export interface CreateWorkspace extends Schema.Schema.Type<typeof CreateWorkspace> {}

/** The workspace with its first key, which has its scope `admin` and is shown only here. */
export const NewWorkspace = Schema.Struct({
  ...workspace,
  api_key: field("Its first key, with the scope `admin`. Its secret is never shown again.", NewApiKey)
}).annotate({
  identifier: "NewWorkspace"
})
export interface NewWorkspace extends Schema.Schema.Type<typeof NewWorkspace> {}
