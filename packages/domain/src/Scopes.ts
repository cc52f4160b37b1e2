export const scopeNames = [
  "posts:read",
  "posts:write",
  "posts:publish",
  "media:read",
  "media:write",
  "accounts:read",
  "accounts:write",
  "admin"
] as const
export type Scope = (typeof scopeNames)[number]

const implied: Partial<Record<Scope, ReadonlyArray<Scope>>> = {
  "posts:write": ["posts:read"],
  "posts:publish": ["posts:write", "posts:read"],
  "media:write": ["media:read"],
  "accounts:write": ["accounts:read"]
}

/** Whether the granted scopes cover a needed one. */
export const hasScope = (granted: ReadonlyArray<Scope>, needed: Scope): boolean =>
  granted.some(
    (scope) => scope === "admin" || scope === needed || (implied[scope]?.includes(needed) ?? false)
  )

/** The scopes that an app may be granted. Keys, webhooks and connecting accounts stay with people. */
export const appScopes = [
  "accounts:read",
  "posts:read",
  "posts:write",
  "posts:publish",
  "media:read",
  "media:write"
] as const satisfies ReadonlyArray<Scope>
export type AppScope = (typeof appScopes)[number]

/** The sentence that a person reads for each scope. */
export const scopeSentences: Readonly<Record<AppScope, readonly [string, string]>> = {
  "accounts:read": [
    "See your social accounts",
    "Names, networks and whether they are connected; no passwords."
  ],
  "posts:read": ["See posts, drafts and their results", "Also the queue and its free slots."],
  "posts:write": [
    "Write and schedule posts",
    "Ten minutes ahead at least, unless it may publish too. Also change and delete drafts and scheduled posts."
  ],
  "posts:publish": ["Publish at once", "Published posts cannot be taken back here."],
  "media:read": ["See your pictures and videos", "The media library of the workspace."],
  "media:write": ["Add and delete pictures and videos", "Files that a post still needs cannot be deleted."]
}

export const isAppScope = (scope: string): scope is AppScope =>
  (appScopes as ReadonlyArray<string>).includes(scope)
