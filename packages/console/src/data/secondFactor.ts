import type { SecondFactor } from "@carillon/sdk"
import { useQuery } from "@tanstack/react-query"
import { carillon, queries } from "./api.ts"

const secondFactorKey = ["second-factor"] as const

/** What the person signs in with beside the password. */
export const useSecondFactor = () =>
  useQuery<SecondFactor>({
    queryKey: secondFactorKey,
    queryFn: ({ signal }) => carillon.secondFactor.get({ signal })
  })

/** Reads it again. */
export const secondFactorChanged = () => queries.invalidateQueries({ queryKey: secondFactorKey })
