import type { Role } from "@carillon/domain/Roles"

/** What the service wrote into the page, so that nothing is asked before the first paint. */
export interface Boot {
  readonly member: { readonly id: string; readonly name: string }
  readonly workspaces: ReadonlyArray<Workspace>
  readonly public_url: string
}

export interface Workspace {
  readonly id: string
  readonly name: string
  readonly timezone: string
  /** What the person is there. */
  readonly role: Role
  /** The accounts that they are limited to; null: none is left out. */
  readonly social_accounts: ReadonlyArray<number> | null
  /** Whether anything was written in it before this page was opened. */
  readonly has_posts: boolean
}

export const boot: Boot = JSON.parse(document.getElementById("boot")!.textContent!)
