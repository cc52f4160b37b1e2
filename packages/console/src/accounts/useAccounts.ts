import type { SocialAccount } from "@carillon/sdk"
import { useQuery } from "@tanstack/react-query"
import { carillon, queries } from "../api.ts"
import { named } from "./named.ts"

/** An account as people call it. */
export interface Account extends SocialAccount {
  readonly name: string
}

export type Accounts = ReadonlyMap<number, Account>

const none: Accounts = new Map()

export const accountsKey = ["social-accounts"] as const

/** The connected accounts of the workspace. Every room asks for them so, and they are asked for once. */
export const useAccountList = () =>
  useQuery({
    queryKey: accountsKey,
    queryFn: async ({ signal }) => {
      const found = new Map<number, Account>()
      for await (const account of carillon.accounts.list({ limit: 200 }, { signal }))
        found.set(account.id, named(account))
      return found as Accounts
    },
    staleTime: 60_000
  })

export const useAccounts = (): Accounts => useAccountList().data ?? none

/** After an account was connected or changed. */
export const refreshAccounts = () => void queries.invalidateQueries({ queryKey: accountsKey })
