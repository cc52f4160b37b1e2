import type { CurrentActor } from "./api/Authorization.ts"

/** The social accounts that a credential is for; null: every one of the workspace, later ones too. */
export type Access = CurrentActor["Service"]["social_accounts"]

interface Addressed {
  readonly social_accounts: ReadonlyArray<number>
}

export const sees = (accountId: number, access: Access): boolean =>
  access === null || access.includes(accountId)

/** Whether a credential sees all of a post: what it may change. */
export const seesAll = ({ social_accounts }: Addressed, access: Access): boolean =>
  access === null || social_accounts.every((id) => access.includes(id))

/** Whether it sees anything of it. */
export const seesSome = ({ social_accounts }: Addressed, access: Access): boolean =>
  access === null || social_accounts.some((id) => access.includes(id))
