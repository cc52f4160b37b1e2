import type { SocialAccount, SocialAccountOptions } from "@carillon/sdk"
import { useQueries, useQuery } from "@tanstack/react-query"
import { carillon, queries } from "./api.ts"
import { withName } from "./withName.ts"

/** An account as people call it. */
export interface Account extends SocialAccount {
  readonly name: string
}

export type Accounts = ReadonlyMap<number, Account>

const none: Accounts = new Map()

export const accountsKey = ["social-accounts"] as const

/** The connected accounts of the workspace. Every room asks for them so, and they are asked for once. */
export const useAccountList = () =>
  useQuery<Accounts>({
    queryKey: accountsKey,
    queryFn: async ({ signal }) => {
      const found = new Map<number, Account>()
      for await (const account of carillon.accounts.list({ limit: 200 }, { signal }))
        found.set(account.id, withName(account))
      return found
    },
    staleTime: 60_000
  })

export const useAccounts = (): Accounts => useAccountList().data ?? none

/** Reads the accounts again: one was connected or changed. */
export const accountsChanged = () => queries.invalidateQueries({ queryKey: accountsKey })

/** What an account offers now, by the names of options; null: it could not be asked. */
export interface Offer {
  readonly account: Account
  readonly choices: Readonly<Record<string, unknown>> | null
}

/** Networks are slow to answer: they are not asked again while one writes. */
const optionsOf = (account: number) => ({
  queryKey: ["account-options", account],
  queryFn: ({ signal }: { readonly signal: AbortSignal }) => carillon.accounts.options(account, { signal }),
  // A refusal is asked about again.
  staleTime: ({ state }: { readonly state: { readonly data?: SocialAccountOptions | undefined } }) =>
    (state.data?.choices_error ?? null) === null ? 10 * 60_000 : 0,
  refetchOnWindowFocus: false
})

/** What an account offers at the moment. */
export const useAccountOptions = (account: number, enabled: boolean) =>
  useQuery({ ...optionsOf(account), enabled })

/** What the connected ones of the accounts offer at the moment. */
export const useOffers = (accounts: ReadonlyArray<Account>, enabled: boolean) => {
  const asked = accounts.filter(({ status }) => status === "connected")
  return useQueries({
    queries: asked.map(({ id }) => ({ ...optionsOf(id), enabled })),
    combine: (results) => ({
      pending: enabled && results.some(({ isPending }) => isPending),
      failed: results.some(({ data, isError }) => isError || (data?.choices_error ?? null) !== null),
      again: () => results.forEach(({ refetch }) => void refetch()),
      offers: results.map(({ data }, index): Offer => ({
        account: asked[index]!,
        choices: data === undefined || data.choices_error !== null ? null : data.choices
      }))
    })
  })
}

/** A sign-in that opened several accounts, among which a person chooses. */
export const usePendingConnection = (id: string) =>
  useQuery({
    queryKey: ["pending-connection", id],
    queryFn: ({ signal }) => carillon.accounts.pending(id, {}, { signal }),
    staleTime: Infinity
  })
