import { useMemo } from "react"
import { daysLeft, endingOf } from "../data/access.ts"
import { type Account, type Accounts, useAccountList } from "../data/accounts.ts"
import { workspace } from "../data/api.ts"
import { useNeedsOf } from "../data/needs.ts"
import { isReplaced } from "../post/resultRows.ts"
import { type Cause, causesOf } from "./causesOf.ts"

const notConnected = (account: Account) => account.status !== "connected" && !isReplaced(account)

const endingsOf = (accounts: Accounts, now: Date): ReadonlyMap<number, number> =>
  new Map(
    [...accounts.values()].flatMap((account) => {
      const ending = endingOf(account, now)
      return ending.is === "soon" ? [[account.id, daysLeft(ending.at, now, workspace.timezone)]] : []
    })
  )

/** What needs a person; the badge and the page share the query. */
export const useNeeds = () => {
  const accounts = useAccountList()
  const { data, dataUpdatedAt, error, refetch } = useNeedsOf(
    accounts.data === undefined ? null : [...accounts.data.values()].filter(notConnected).map(({ id }) => id)
  )
  const causes = useMemo(
    (): ReadonlyArray<Cause> | undefined =>
      data &&
      accounts.data &&
      causesOf(
        {
          ...data,
          accounts: accounts.data,
          ending: endingsOf(accounts.data, new Date(dataUpdatedAt))
        },
        dataUpdatedAt
      ),
    [data, dataUpdatedAt, accounts.data]
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
