import { useQuery } from "@tanstack/react-query"
import { carillon } from "../api.ts"
import { plannedByAccount, type PlannedByAccount } from "./planned.ts"

/** So many pages of 200 posts are counted for the table. */
const mostPages = 5

interface Counted {
  readonly planned: PlannedByAccount
  /** Not all of them: the numbers are the least that there are. */
  readonly more: boolean
}

/** The planned posts of each account, counted over one list. */
export const usePlanned = () =>
  useQuery<Counted>({
    queryKey: ["planned"],
    queryFn: async ({ signal }) => {
      const posts = []
      let pages = 0
      for await (const { data, meta } of carillon.posts
        .list({ status: "scheduled", limit: 200 }, { signal })
        .pages()) {
        posts.push(...data)
        pages += 1
        if (meta.next !== null && pages === mostPages) return { planned: plannedByAccount(posts), more: true }
      }
      return { planned: plannedByAccount(posts), more: false }
    },
    refetchInterval: 5 * 60_000
  })

/** Exactly, of one account: before it is disconnected. */
export const usePlannedOf = (id: number) =>
  useQuery({
    queryKey: ["planned", id],
    queryFn: async ({ signal }) => {
      const { meta } = await carillon.posts.list(
        { status: "scheduled", social_account_id: id, limit: 1 },
        { signal }
      )
      return meta.total
    },
    staleTime: 0
  })
