import { InvalidRequestError, type Queue } from "@carillon/sdk"
import { keepPreviousData, useQuery } from "@tanstack/react-query"
import { carillon, queries } from "./api.ts"
import { postsChanged } from "./posts.ts"

export const queueKey = ["queue"] as const
const setupKey = [...queueKey, "setup"] as const

export const useQueue = () =>
  useQuery<Queue>({
    queryKey: setupKey,
    queryFn: ({ signal }) => carillon.queue.get({ signal })
  })

const shownFree = 10

/** The next times that are free. */
export const useFreeSlots = (zone: string, hasTimes: boolean) =>
  useQuery({
    queryKey: [...queueKey, "free", zone],
    enabled: hasTimes,
    queryFn: async ({ signal }) => (await carillon.queue.next({ count: shownFree }, { signal })).data,
    placeholderData: keepPreviousData
  })

/** The next free slot of the queue; null: there is none. */
export const useNextSlot = () =>
  useQuery({
    queryKey: [...queueKey, "next"],
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

/** Reads again what is free and what is taken. */
export const queueChanged = () =>
  Promise.all([queries.invalidateQueries({ queryKey: queueKey }), postsChanged()])

export const setQueue = async (queue: Queue) => {
  queries.setQueryData<Queue>(setupKey, await carillon.queue.set(queue))
}
