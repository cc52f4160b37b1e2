import { useQuery } from "@tanstack/react-query"
import { useMemo } from "react"
import { daysLeft, endingOf } from "../accounts/access.ts"
import { type Account, type Accounts, useAccountList } from "../accounts/useAccounts.ts"
import { carillon, workspace } from "../api.ts"
import { isReplaced } from "../posts/resultRows.ts"
import { addDays } from "../time/days.ts"
import { wallClock } from "../time/zone.ts"
import { type Cause, causesOf, type Planned } from "./needs.ts"

/** What failed longer ago than this is history. */
export const needsLast = 14

const most = 100

const notConnected = (account: Account) => account.status !== "connected" && !isReplaced(account)

/** The posts that wait for an account, from those that are late already on. */
const plannedOf = async (account: number, signal: AbortSignal): Promise<Planned> => {
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
  const [lost, drafts] = await Promise.all([
    carillon.posts.list({ result: ["failed", "unconfirmed"], from: since, limit: most }, { signal }),
    carillon.posts.list({ status: "draft", limit: most }, { signal })
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
  return {
    posts: lost.data,
    results,
    approvals: drafts.data.filter(({ approval }) => approval?.status === "waiting")
  }
}

const endingsOf = (accounts: Accounts, now: Date): ReadonlyMap<number, number> =>
  new Map(
    [...accounts.values()].flatMap((account) => {
      const ending = endingOf(account, now)
      return ending.is === "soon" ? [[account.id, daysLeft(ending.at, now, workspace.timezone)]] : []
    })
  )

export const needsKey = ["needs"] as const

/** What is asked of the service. */
export type Found = Awaited<ReturnType<typeof readPosts>> & { readonly planned: ReadonlyMap<number, Planned> }

/** What needs a person. The badge and the room ask for it together. */
export const useNeeds = () => {
  const accounts = useAccountList()
  const broken = [...(accounts.data?.values() ?? [])].filter(notConnected).map(({ id }) => id)
  const { data, error, refetch } = useQuery({
    queryKey: [...needsKey, broken],
    enabled: accounts.data !== undefined,
    queryFn: async ({ signal }) => {
      const [posts, ...planned] = await Promise.all([
        readPosts(signal),
        ...broken.map((id) => plannedOf(id, signal))
      ])
      return { ...posts, planned: new Map(broken.map((id, index) => [id, planned[index]!])) }
    },
    placeholderData: (before) => before
  })
  const causes = useMemo(
    (): ReadonlyArray<Cause> | undefined =>
      data &&
      accounts.data &&
      causesOf(
        {
          ...data,
          accounts: accounts.data,
          ending: endingsOf(accounts.data, new Date())
        },
        Date.now()
      ),
    [data, accounts.data]
  )
  return {
    causes,
    error: accounts.error ?? error,
    refetch: () => {
      void accounts.refetch()
      void refetch()
    }
  }
}
