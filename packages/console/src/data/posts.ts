import type { Post, PostResult, PostSummary } from "@carillon/sdk"
import { useQueries, useQuery } from "@tanstack/react-query"
import { carillon, queries } from "./api.ts"
import { untilNextRead, whileGoing } from "./intervals.ts"
import { scheduledByAccount, type ScheduledByAccount } from "./scheduledByAccount.ts"

/** Everything that is read of posts begins so: single posts, the calendar, what needs a person, counts. */
export const postsKey = ["posts"] as const

const postKey = (id: string) => [...postsKey, "one", id] as const

/** Reads again what is shown of posts: one of them changed. */
export const postsChanged = () => queries.invalidateQueries({ queryKey: postsKey })

/** Shows a post as the service has just answered it. */
export const postSeen = (post: Post) => queries.setQueryData(postKey(post.id), post)

const readPost = (id: string) => ({
  queryKey: postKey(id),
  queryFn: ({ signal }: { readonly signal: AbortSignal }): Promise<Post> => carillon.posts.get(id, { signal })
})

/** A post with its results, read again as often as something may have become of them. */
export const usePost = (id: string, read?: Post) =>
  useQuery({
    ...readPost(id),
    ...(read === undefined ? {} : { initialData: read }),
    refetchInterval: ({ state }) => untilNextRead(state.data, Date.now())
  })

/**
 * A post as it is when its editor opens. It has a key of its own: what changes meanwhile never changes what is written
 * under the caret. Each `opening` reads it once more: what was written may be going out by now, and what was going out may wait.
 */
export const useOpenedPost = (id: string | undefined, opening: string) =>
  useQuery({
    queryKey: ["opened-post", id, opening],
    queryFn: async ({ signal }) => {
      const post = await carillon.posts.get(id!, { signal })
      postSeen(post)
      return post
    },
    enabled: id !== undefined,
    refetchOnWindowFocus: false,
    staleTime: 0,
    gcTime: 0
  })

/** The post that waits for a person's approval, read again while it does; undefined where none does. */
export const useHeldPost = (id: string | undefined) => {
  const { data } = useQuery({
    ...readPost(id ?? ""),
    enabled: id !== undefined,
    staleTime: 30_000
  })
  return data?.approval?.status === "waiting" ? { ...data, approval: data.approval } : undefined
}

/** Several posts, each as soon as it is read. */
export const usePostsById = (ids: ReadonlyArray<string>): ReadonlyArray<Post> =>
  useQueries({
    queries: ids.map((id) => ({ ...readPost(id), staleTime: 30_000 })),
    combine: (found) => found.flatMap(({ data }) => data ?? [])
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
        staleTime: Infinity
      })),
    combine: (logs) => new Map(logs.flatMap(({ data }) => (data ? [[data.id, data.attempts_log ?? []]] : [])))
  })

export type Logs = ReturnType<typeof useLogs>

/** A failed result that is repaired, which does not change. */
export const useResult = (id: string | undefined) =>
  useQuery({
    queryKey: ["post-results", id],
    queryFn: ({ signal }) => carillon.results.get(id!, { signal }),
    enabled: id !== undefined,
    staleTime: Infinity
  }).data

const fewPosts = 20

/** The newest posts of the workspace, read again soon while one of them is `goingOut`. */
export const useNewestPosts = (
  enabled: boolean,
  goingOut: (posts: ReadonlyArray<PostSummary>) => boolean = () => false
) =>
  useQuery<ReadonlyArray<PostSummary>>({
    queryKey: [...postsKey, "newest"],
    enabled,
    queryFn: async ({ signal }) => (await carillon.posts.list({ limit: fewPosts }, { signal })).data,
    refetchInterval: ({ state: { data } }) => goingOut(data ?? []) && whileGoing
  })

/** The table of accounts counts this many pages of 200 posts. */
const mostPages = 5

interface ScheduledCounts {
  readonly scheduled: ScheduledByAccount
  /** Not all posts were counted: the numbers are minimums. */
  readonly more: boolean
}

/** The scheduled posts of each account, counted over one list. */
export const useScheduledByAccount = () =>
  useQuery<ScheduledCounts>({
    queryKey: [...postsKey, "scheduled"],
    queryFn: async ({ signal }) => {
      const posts = []
      let pages = 0
      for await (const { data, meta } of carillon.posts
        .list({ status: "scheduled", limit: 200 }, { signal })
        .pages()) {
        posts.push(...data)
        pages += 1
        if (meta.next !== null && pages === mostPages)
          return { scheduled: scheduledByAccount(posts), more: true }
      }
      return { scheduled: scheduledByAccount(posts), more: false }
    }
  })

/** The exact number of scheduled posts of an account, before it is disconnected. */
export const useScheduledCount = (account: number) =>
  useQuery({
    queryKey: [...postsKey, "scheduled", account],
    queryFn: async ({ signal }) => {
      const { meta } = await carillon.posts.list(
        { status: "scheduled", social_account_id: account, limit: 1 },
        { signal }
      )
      return meta.total
    },
    staleTime: 0
  })
