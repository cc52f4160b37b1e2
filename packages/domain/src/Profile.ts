import { Schema } from "effect"
import { ApiKeyId, SocialAccountId, WorkspaceId } from "./Ids.ts"
import { List, paging } from "./Lists.ts"
import { Text } from "./Text.ts"
import { TimeZoneName, Timestamp } from "./Time.ts"

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
  type: Schema.Literals(["api_key", "app", "session"]),
  /** The key's or the app's name; null: the key of the service's configuration, or a session. */
  name: Schema.NullOr(Schema.String),
  /** The person who granted it to the app, or is signed in; null: an API key. */
  member: Schema.NullOr(Schema.String),
  /** null: every account of the workspace. */
  social_accounts: Schema.NullOr(Schema.Array(SocialAccountId).check(Schema.isMaxLength(100_000))),
  /** Whether posts stay drafts until a person approves them. */
  needs_approval: Schema.Boolean,
  /** When an app's access ends unless it is used before; null: never. */
  expires_at: Schema.NullOr(Timestamp)
}).annotate({ identifier: "Credential" })

/** The credential's own workspace. `timezone` is for times that name none. */
export const Profile = Schema.Struct({
  id: WorkspaceId,
  name: Schema.String,
  timezone: TimeZoneName,
  lateness_limit_seconds: LatenessLimit,
  workspace: Schema.Struct({ id: WorkspaceId, name: Schema.String }),
  scopes,
  credential: Credential
}).annotate({ identifier: "Profile" })
export interface Profile extends Schema.Schema.Type<typeof Profile> {}

export const UpdateProfile = Schema.Struct({
  name: Schema.optionalKey(Text.check(Schema.isBetweenLength(1, 200))),
  timezone: Schema.optionalKey(TimeZoneName),
  lateness_limit_seconds: Schema.optionalKey(LatenessLimit)
}).annotate({ identifier: "UpdateProfile" })
export interface UpdateProfile extends Schema.Schema.Type<typeof UpdateProfile> {}

const apiKey = {
  id: ApiKeyId,
  name: Schema.String,
  scopes,
  /** null: every account of the workspace. */
  social_accounts: Schema.NullOr(Schema.Array(SocialAccountId).check(Schema.isMaxLength(1000))),
  expires_at: Schema.NullOr(Timestamp),
  last_used_at: Schema.NullOr(Timestamp),
  created_at: Timestamp
}

export const ApiKey = Schema.Struct(apiKey).annotate({ identifier: "ApiKey" })
export interface ApiKey extends Schema.Schema.Type<typeof ApiKey> {}

/** The only answer that ever holds the key itself. */
export const NewApiKey = Schema.Struct({ ...apiKey, key: Schema.String }).annotate({
  identifier: "NewApiKey"
})
export interface NewApiKey extends Schema.Schema.Type<typeof NewApiKey> {}

/** A key that is limited to some accounts makes only keys that are limited to these or fewer. */
export const CreateApiKey = Schema.Struct({
  name: Text.check(Schema.isBetweenLength(1, 200)),
  scopes: scopes.check(Schema.isMinLength(1, { expected: "at least one scope" })),
  social_accounts: Schema.optionalKey(
    Schema.NullOr(Schema.Array(Schema.Int).check(Schema.isMaxLength(1000)))
  ),
  expires_at: Schema.optionalKey(Schema.NullOr(Timestamp))
}).annotate({ identifier: "CreateApiKey" })
export interface CreateApiKey extends Schema.Schema.Type<typeof CreateApiKey> {}

export const ApiKeyList = List(ApiKey).annotate({ identifier: "ApiKeyList" })
export const ApiKeyFilter = Schema.Struct(paging)
export const ApiKeyDeleted = Schema.Struct({ success: Schema.Literal(true), id: ApiKeyId }).annotate({
  identifier: "ApiKeyDeleted"
})

/** A separate part of the instance: accounts, media, posts and keys belong to exactly one. */
const workspace = {
  id: WorkspaceId,
  name: Schema.String,
  timezone: TimeZoneName,
  created_at: Timestamp
}

export const Workspace = Schema.Struct(workspace).annotate({ identifier: "Workspace" })
export interface Workspace extends Schema.Schema.Type<typeof Workspace> {}

export const WorkspaceList = List(Workspace).annotate({ identifier: "WorkspaceList" })
export const WorkspaceFilter = Schema.Struct(paging)

/** `POST /v1/workspaces`. `timezone` is UTC by default. */
export const CreateWorkspace = Schema.Struct({
  name: Text.check(Schema.isBetweenLength(1, 200)),
  timezone: Schema.optionalKey(Schema.NullOr(TimeZoneName))
}).annotate({ identifier: "CreateWorkspace" })
export interface CreateWorkspace extends Schema.Schema.Type<typeof CreateWorkspace> {}

/** The workspace with its first key, which has its scope `admin` and is shown only here. */
export const NewWorkspace = Schema.Struct({ ...workspace, api_key: NewApiKey }).annotate({
  identifier: "NewWorkspace"
})
export interface NewWorkspace extends Schema.Schema.Type<typeof NewWorkspace> {}
