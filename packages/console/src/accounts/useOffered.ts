import { useQuery } from "@tanstack/react-query"
import { carillon } from "../api.ts"
import type { Default } from "./access.ts"
import { words } from "./en.ts"

export interface Offered {
  readonly id: string
  readonly name: string
}

const offeredOf = (one: unknown): Offered =>
  typeof one === "string" ? { id: one, name: words.audience.names[one] ?? one } : (one as Offered)

/** What the network itself lets an account choose as its default now. */
export const useOffered = (accountId: number, { option }: Default, wanted: boolean) =>
  useQuery({
    queryKey: ["offered", accountId, option],
    queryFn: async ({ signal }): Promise<ReadonlyArray<Offered>> => {
      const { choices, choices_error } = await carillon.accounts.options(accountId, { signal })
      if (choices_error !== null) throw new Error(choices_error)
      const offered = choices[option]
      return Array.isArray(offered) ? offered.map(offeredOf) : []
    },
    enabled: wanted,
    staleTime: 10 * 60_000,
    refetchInterval: false,
    refetchOnWindowFocus: false,
    retry: false
  })
