import type { Default } from "../data/access.ts"
import { useAccountOptions } from "../data/accounts.ts"
import { words } from "./en.ts"

export interface Offered {
  readonly id: string
  readonly name: string
}

const offeredOf = (one: unknown): Offered =>
  typeof one === "string" ? { id: one, name: words.audience.names[one] ?? one } : (one as Offered)

/** The values that the network offers for an account's default. */
export const useOffered = (account: number, { option }: Default, wanted: boolean) => {
  const { data, error, refetch } = useAccountOptions(account, wanted)
  const refusal = data?.choices_error ?? null
  const offered = data?.choices[option]
  return {
    data:
      data === undefined || refusal !== null
        ? undefined
        : Array.isArray(offered)
          ? offered.map(offeredOf)
          : [],
    error: refusal === null ? error : new Error(refusal),
    refetch
  }
}
