import { keepPreviousData, type QueryKey, useInfiniteQuery } from "@tanstack/react-query"
import { everyMinute, whileFetching } from "./intervals.ts"

export interface Page<Item> {
  readonly data: ReadonlyArray<Item>
  readonly meta: { readonly limit: number; readonly next: string | null; readonly offset: number }
}

const perPage = 60

/** A list, a page after the other. */
export const usePages = <Item extends { readonly id: string }>(
  queryKey: QueryKey,
  read: (
    page: { readonly limit: number; readonly offset: number },
    options: { readonly signal: AbortSignal }
  ) => PromiseLike<Page<Item>>,
  /** What will be another in some seconds. */
  isMoving: (item: Item) => boolean = () => false
) => {
  const list = useInfiniteQuery({
    queryKey,
    queryFn: async ({ pageParam, signal }) => read({ limit: perPage, offset: pageParam }, { signal }),
    initialPageParam: 0,
    getNextPageParam: ({ meta }) => (meta.next === null ? undefined : meta.offset + meta.limit),
    placeholderData: keepPreviousData,
    refetchInterval: ({ state }) => {
      const pages = state.data?.pages ?? []
      if (pages.some(({ data }) => data.some(isMoving))) return whileFetching
      // Further pages would move under the pointer.
      return pages.length > 1 ? false : everyMinute
    }
  })
  // What came in meanwhile has pushed the end of a page into the next.
  const items =
    list.data && new Map(list.data.pages.flatMap(({ data }) => data.map((item) => [item.id, item] as const)))
  return { ...list, data: items && [...items.values()] }
}
