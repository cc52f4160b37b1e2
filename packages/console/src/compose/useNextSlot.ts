import { InvalidRequestError } from "@carillon/sdk"
import { useQuery } from "@tanstack/react-query"
import { carillon } from "../api.ts"

/** The next free slot of the queue; null: there is none. */
export const useNextSlot = () =>
  useQuery({
    queryKey: ["queue", "next"],
    queryFn: async ({ signal }) => {
      try {
        const { data } = await carillon.queue.next({ count: 1 }, { signal })
        return data[0]?.scheduled_at ?? null
      } catch (error) {
        if (error instanceof InvalidRequestError) return null
        throw error
      }
    },
    staleTime: 30_000
  }).data
