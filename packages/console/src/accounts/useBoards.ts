import { useQuery } from "@tanstack/react-query"
import { carillon } from "../api.ts"

export interface Board {
  readonly id: string
  readonly name: string
}

/** What the network itself offers now. */
export const useBoards = (accountId: number, wanted: boolean) =>
  useQuery({
    queryKey: ["boards", accountId],
    queryFn: async ({ signal }): Promise<ReadonlyArray<Board>> => {
      const { choices, choices_error } = await carillon.accounts.options(accountId, { signal })
      if (choices_error !== null) throw new Error(choices_error)
      const boards = choices["board_ids"]
      return Array.isArray(boards) ? (boards as unknown as ReadonlyArray<Board>) : []
    },
    enabled: wanted,
    staleTime: 10 * 60_000,
    refetchInterval: false,
    refetchOnWindowFocus: false,
    retry: false
  })
