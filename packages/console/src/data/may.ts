import { roles } from "@carillon/domain/Roles"
import { hasScope, type Scope } from "@carillon/domain/Scopes"
import { workspace } from "./api.ts"

/** Whether the person may do what needs this scope, in the workspace of this tab. */
export const may = (scope: Scope): boolean => hasScope(roles[workspace.role].scopes, scope)

/** Whether what they want to go out waits for somebody's approval. */
export const isHeld = roles[workspace.role].held

/** Whether the instance is theirs too. */
export const isOwner = roles[workspace.role].instance
