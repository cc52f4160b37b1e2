import type { Access } from "./Access.ts"
import { hasScope, type Scope, scopeNames } from "./Scopes.ts"

/** What a member may have in one workspace. */
export const workspaceRoles = ["manager", "editor", "writer", "reader"] as const
export type WorkspaceRole = (typeof workspaceRoles)[number]

/** The strongest first. An owner of the instance has this role in every workspace. */
export const roleNames = ["owner", ...workspaceRoles] as const
export type Role = (typeof roleNames)[number]

interface Rights {
  /** `posts:publish` includes approving what others wrote. */
  readonly scopes: ReadonlyArray<Scope>
  /** What they schedule or publish waits for an approval. */
  readonly held: boolean
  /** Workspaces, backups, the platforms' apps and the checks of the instance are theirs too. */
  readonly instance: boolean
  /** They may be limited to some accounts. */
  readonly limitable: boolean
}

/** What each role may do. Everything that asks what a person may do asks this table. */
export const roles: Readonly<Record<Role, Rights>> = {
  owner: { scopes: ["admin"], held: false, instance: true, limitable: false },
  manager: { scopes: ["admin"], held: false, instance: false, limitable: false },
  editor: {
    scopes: ["posts:publish", "media:write", "accounts:write"],
    held: false,
    instance: false,
    limitable: true
  },
  writer: {
    scopes: ["posts:write", "media:write", "accounts:read"],
    held: true,
    instance: false,
    limitable: true
  },
  reader: {
    scopes: ["posts:read", "media:read", "accounts:read"],
    held: false,
    instance: false,
    limitable: true
  }
}

export const rolesWith = (scope: Scope): ReadonlyArray<Role> =>
  roleNames.filter((role) => hasScope(roles[role].scopes, scope))

/** What a member may do in a workspace. */
export interface Membership {
  readonly role: Role
  readonly social_accounts: Access
}

interface Granted {
  readonly scopes: ReadonlyArray<Scope>
  readonly social_accounts: Access
}

/** What a credential may do that a member made: at no time more than the member may. */
export const within = ({ role, social_accounts: theirs }: Membership, granted: Granted): Granted => {
  const { scopes } = roles[role]
  const own = granted.social_accounts
  return {
    scopes: scopes.includes("admin")
      ? granted.scopes
      : scopeNames.filter((scope) => hasScope(scopes, scope) && hasScope(granted.scopes, scope)),
    social_accounts:
      own === null ? theirs : theirs === null ? own : own.filter((account) => theirs.includes(account))
  }
}
