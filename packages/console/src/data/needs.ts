import type { CalendarPost, PostResult, PostSummary } from "@carillon/sdk"
import { useQuery } from "@tanstack/react-query"
import { addDays } from "../time/days.ts"
import { wallClock } from "../time/zone.ts"
import { carillon, queries, workspace } from "./api.ts"
import { postsKey } from "./posts.ts"

/** The scheduled posts of an account, the first few of them in the order of their times. */
export interface Scheduled {
  readonly total: number
  readonly posts: ReadonlyArray<CalendarPost>
}

export interface Needs {
  /** Posts of which something failed or is unconfirmed, newest first, and these results of theirs. */
  readonly posts: ReadonlyArray<PostSummary>
  readonly results: ReadonlyArray<PostResult>
  /** Posts that wait for an approval. */
  readonly approvals: ReadonlyArray<PostSummary>
  /** Of each account that is not connected. */
  readonly planned: ReadonlyMap<number, Scheduled>
}

/** What failed longer ago than this is history. */
export const needsLast = 14

const mostPosts = 100

/** The posts that wait for an account, from those that are late already on. */
const scheduledOn = async (account: number, signal: AbortSignal): Promise<Scheduled> => {
  const { day } = wallClock(new Date(), workspace.timezone)
  const { days } = await carillon.posts.calendar(
    {
      from: addDays(day, -2),
      to: addDays(day, 58),
      social_account_id: account,
      status: "scheduled",
      per_day: 3
    },
    { signal }
  )
  return {
    total: days.reduce((sum, { total }) => sum + total, 0),
    posts: days.flatMap(({ posts }) => posts).slice(0, 3)
  }
}

const readPosts = async (signal: AbortSignal) => {
  const since = new Date(Date.now() - needsLast * 86_400_000).toISOString()
  const [lost, waiting] = await Promise.all([
    carillon.posts.list({ result: ["failed", "unconfirmed"], from: since, limit: mostPosts }, { signal }),
    carillon.posts.list({ approval: "waiting", limit: mostPosts }, { signal })
  ])
  const results =
    lost.data.length === 0
      ? []
      : (
          await carillon.results.list(
            {
              post_id: lost.data.map(({ id }) => id),
              status: ["failed", "unconfirmed"],
              dismissed: false,
              limit: 200
            },
            { signal }
          )
        ).data
  return { posts: lost.data, results, approvals: waiting.data }
}

const needsKey = [...postsKey, "needs"] as const

/** What needs a person, given the accounts that are not connected; null: those are not known yet. */
export const useNeedsOf = (broken: ReadonlyArray<number> | null) =>
  useQuery<Needs>({
    queryKey: [...needsKey, broken],
    enabled: broken !== null,
    queryFn: async ({ signal }) => {
      const [posts, ...planned] = await Promise.all([
        readPosts(signal),
        ...broken!.map((id) => scheduledOn(id, signal))
      ])
      return { ...posts, planned: new Map(broken!.map((id, index) => [id, planned[index]!])) }
    },
    placeholderData: (before) => before
  })

/** Takes results off what is shown, and returns what takes that back. */
export const hideResults = (results: ReadonlyArray<string>) => {
  const before = queries.getQueriesData<Needs>({ queryKey: needsKey })
  queries.setQueriesData<Needs>(
    { queryKey: needsKey },
    (found) => found && { ...found, results: found.results.filter(({ id }) => !results.includes(id)) }
  )
  return () => {
    for (const [key, found] of before) queries.setQueryData(key, found)
  }
}
