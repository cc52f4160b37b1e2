import type { UpdateProfile } from "@carillon/sdk"
import { useQuery } from "@tanstack/react-query"
import { carillon, queries } from "./api.ts"

const profileKey = ["profile"] as const

/** What the workspace has set, beside what the page is loaded with. */
export const useProfile = () =>
  useQuery({ queryKey: profileKey, queryFn: ({ signal }) => carillon.profile.get({ signal }) })

export const changeProfile = async (changes: UpdateProfile) =>
  queries.setQueryData(profileKey, await carillon.profile.update(changes))
