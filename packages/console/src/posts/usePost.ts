import type { Media, Post, PostResult } from "@carillon/sdk"
import { useQueries, useQuery } from "@tanstack/react-query"
import { useEffect, useState } from "react"
import { carillon } from "../api.ts"
import { pauseOf } from "./resultRows.ts"

export const postKey = (id: string) => ["posts", id] as const

/** A post with its results, read again as often as something may have become of them. */
export const usePost = (id: string, read?: Post) =>
  useQuery<Post>({
    ...(read === undefined ? {} : { initialData: read }),
    queryKey: postKey(id),
    queryFn: ({ signal }) => carillon.posts.get(id, { signal }),
    refetchInterval: ({ state }) => pauseOf(state.data, Date.now())
  })

/** More results than this are not asked for their tries. */
export const mostLogs = 20

/** The tries of each result, by its id. They are read again when something has become of it. */
export const useLogs = (results: ReadonlyArray<PostResult>) =>
  useQueries({
    queries: results
      .filter(({ attempts, error, status }) => attempts > 0 || error !== null || status === "unconfirmed")
      .slice(0, mostLogs)
      .map(({ attempts, id, status }) => ({
        queryKey: ["post-results", id, status, attempts],
        queryFn: ({ signal }: { readonly signal: AbortSignal }) => carillon.results.get(id, { signal }),
        refetchInterval: false as const,
        staleTime: Infinity
      })),
    combine: (logs) => new Map(logs.flatMap(({ data }) => (data ? [[data.id, data.attempts_log ?? []]] : [])))
  })

/** A failed result that is repaired, which does not change. */
export const useResult = (id: string | undefined) =>
  useQuery({
    queryKey: ["post-results", id],
    queryFn: ({ signal }) => carillon.results.get(id!, { signal }),
    enabled: id !== undefined,
    refetchInterval: false,
    staleTime: Infinity
  }).data

export type Logs = ReturnType<typeof useLogs>

/** The files of a post; one that is gone has none. */
export const useMedia = (ids: ReadonlyArray<string>): ReadonlyMap<string, Media | null> =>
  useQueries({
    queries: ids.map((id) => ({
      queryKey: ["media", id],
      queryFn: ({ signal }: { readonly signal: AbortSignal }) => carillon.media.get(id, { signal }),
      staleTime: 300_000,
      refetchInterval: false as const
    })),
    combine: (found) => new Map(found.map(({ data }, index) => [ids[index]!, data ?? null]))
  })

/** Now, in milliseconds: again each second while something moves, else each half minute. */
export const useNow = (moving: boolean) => {
  const [now, setNow] = useState(Date.now)
  useEffect(() => {
    setNow(Date.now())
    const timer = setInterval(() => setNow(Date.now()), moving ? 1_000 : 30_000)
    return () => clearInterval(timer)
  }, [moving])
  return now
}
