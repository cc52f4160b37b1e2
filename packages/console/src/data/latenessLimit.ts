import { useQuery } from "@tanstack/react-query"
import { carillon, queries } from "./api.ts"

const profileKey = ["profile"] as const

/** How many seconds late a post of the workspace may still go out. */
export const useLatenessLimit = () =>
  useQuery({
    queryKey: profileKey,
    queryFn: async ({ signal }) => (await carillon.profile.get({ signal })).lateness_limit_seconds
  })

export const setLatenessLimit = async (seconds: number) => {
  const { lateness_limit_seconds } = await carillon.profile.update({ lateness_limit_seconds: seconds })
  queries.setQueryData(profileKey, lateness_limit_seconds)
}
