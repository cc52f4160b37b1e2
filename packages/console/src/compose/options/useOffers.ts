import { useQueries } from "@tanstack/react-query"
import type { Account } from "../../accounts/useAccounts.ts"
import { carillon } from "../../api.ts"
import type { Offer } from "./offered.ts"

/** The network is asked: not again while one writes. */
const staysGood = 10 * 60_000

/** What the accounts offer at the moment; it is asked only where a field needs it. */
export const useOffers = (accounts: ReadonlyArray<Account>, needed: boolean) => {
  const asked = accounts.filter(({ status }) => status === "connected")
  return useQueries({
    queries: asked.map(({ id }) => ({
      queryKey: ["account-options", id],
      queryFn: ({ signal }: { readonly signal: AbortSignal }) => carillon.accounts.options(id, { signal }),
      enabled: needed,
      staleTime: staysGood,
      refetchInterval: false as const,
      refetchOnWindowFocus: false
    })),
    combine: (results) => ({
      pending: needed && results.some(({ isPending }) => isPending),
      failed: results.some(({ data, isError }) => isError || (data?.choices_error ?? null) !== null),
      again: () => results.forEach(({ refetch }) => void refetch()),
      offers: results.map(({ data }, index): Offer => ({
        account: asked[index]!,
        choices: data === undefined || data.choices_error !== null ? null : data.choices
      }))
    })
  })
}
