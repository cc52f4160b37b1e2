/** The social accounts that a credential may use; null: every account of the workspace, later ones too. */
export type Access = ReadonlyArray<number> | null

interface Addressed {
  readonly social_accounts: ReadonlyArray<number>
}

export const sees = (accountId: number, access: Access): boolean =>
  access === null || access.includes(accountId)

/** Whether a credential sees all of a post, and so may change it. */
export const seesAll = ({ social_accounts }: Addressed, access: Access): boolean =>
  access === null || social_accounts.every((id) => access.includes(id))

/** Whether a credential sees any of a post. */
export const seesSome = ({ social_accounts }: Addressed, access: Access): boolean =>
  access === null || social_accounts.some((id) => access.includes(id))
