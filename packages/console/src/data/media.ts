import { type Media, type MediaFilter, NotFoundError } from "@carillon/sdk"
import { type InfiniteData, useQueries, useQuery } from "@tanstack/react-query"
import { carillon, queries } from "./api.ts"
import { everyMinute, whileFetching } from "./intervals.ts"
import { usePages } from "./usePages.ts"

export const mediaKey = ["media"] as const
const listsKey = [...mediaKey, "lists"] as const

const itemKey = (id: string) => [...mediaKey, "one", id]

/** The signed addresses of an item are good for a day, and the same for an hour: reading it again loads no picture anew. */
const addressesLast = 60 * 60_000

const itemQuery = (id: string) => ({
  queryKey: itemKey(id),
  // null: it is gone.
  queryFn: ({ signal }: { readonly signal: AbortSignal }): Promise<Media | null> =>
    carillon.media.get(id, { signal }).catch((error) => {
      if (error instanceof NotFoundError) return null
      throw error
    }),
  refetchInterval: ({ state }: { readonly state: { readonly data: Media | null | undefined } }) =>
    state.data?.importing === true && state.data.status !== "ready" ? whileFetching : addressesLast
})

/** One file: undefined while it is read, null when it is gone. */
export const useMediaItem = (id: string) => useQuery(itemQuery(id))

type Results = ReadonlyArray<{ readonly data: Media | null | undefined }>

const byId = (results: Results): ReadonlyMap<string, Media> =>
  new Map(results.flatMap(({ data }) => (data ? [[data.id, data] as const] : [])))

/** The files of these ids, as far as they are read and there. */
export const useMedia = (ids: ReadonlyArray<string>): ReadonlyMap<string, Media> =>
  useQueries({ queries: [...new Set(ids)].map(itemQuery), combine: byId })

export type MediaFilters = Omit<MediaFilter, "limit" | "offset">

type Page = Awaited<ReturnType<typeof carillon.media.list>>
type Pages = InfiniteData<Page, number>

/** The library, newest first, a page after the other. */
export const useMediaList = (filters: MediaFilters) => {
  const { data = [], ...list } = usePages<Media>(
    [...listsKey, filters],
    async (page, options) => {
      const read = await carillon.media.list({ ...filters, ...page }, options)
      for (const item of read.data) queries.setQueryData(itemKey(item.id), item)
      return read
    },
    ({ importing, status }) => importing && status !== "ready"
  )
  return { ...list, items: data.filter(isThere) }
}

/** Not the place of an upload that has not arrived. */
const isThere = ({ importing, status }: Media) => status !== "reserved" || importing

/** How many files fit. */
export const useMediaCount = (filters: MediaFilters) =>
  useQuery({
    queryKey: [...listsKey, "count", filters],
    queryFn: async ({ signal }) => {
      const { meta } = await carillon.media.list({ ...filters, limit: 1 }, { signal })
      return { total: meta.total, whole: meta.total_relation !== "at_least" }
    },
    refetchInterval: everyMinute
  }).data

/** Shows a changed file everywhere at once. */
export const mediaChanged = (changed: Media) => {
  queries.setQueryData(itemKey(changed.id), changed)
  queries.setQueriesData<Partial<Pages>>({ queryKey: listsKey }, (held) =>
    held?.pages === undefined
      ? held
      : {
          ...held,
          pages: held.pages.map((page) => ({
            ...page,
            data: page.data.map((item) => (item.id === changed.id ? changed : item))
          }))
        }
  )
}

/** Reads the lists anew: a file came or went. */
export const mediaListChanged = () => queries.invalidateQueries({ queryKey: listsKey })

export const mediaRemoved = (ids: ReadonlyArray<string>) => {
  for (const id of ids) queries.setQueryData(itemKey(id), null)
  return mediaListChanged()
}

/** Reads a file anew: its addresses may have ended. */
export const mediaOutdated = (id: string) => queries.invalidateQueries({ queryKey: itemKey(id) })
