import type { PostSummary } from "@carillon/sdk"
import { useQuery } from "@tanstack/react-query"
import { carillon } from "../api.ts"
import { firstPostOf } from "./steps.ts"

const few = 20
const soon = 2 * 60_000

/** The first posts of the workspace; often, while one of them is about to go out. */
export const useFirstPosts = (enabled: boolean) =>
  useQuery<ReadonlyArray<PostSummary>>({
    queryKey: ["first-posts"],
    enabled,
    queryFn: async ({ signal }) => (await carillon.posts.list({ limit: few }, { signal })).data,
    refetchInterval: ({ state: { data } }) => {
      const first = firstPostOf(data ?? [], Date.now())
      const isNear =
        first.state === "going" ||
        (first.state === "planned" && Date.parse(first.post.scheduled_at!) - Date.now() < soon)
      return isNear ? 1_000 : 30_000
    }
  })
