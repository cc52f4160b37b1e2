import type { ApiKey } from "@carillon/sdk"
import { useQuery } from "@tanstack/react-query"
import { allOf } from "./allOf.ts"
import { carillon, queries } from "./api.ts"

const apiKeysKey = ["api-keys"] as const

/** The API keys of the workspace, newest first. */
export const useApiKeys = () =>
  useQuery<ReadonlyArray<ApiKey>>({
    queryKey: apiKeysKey,
    queryFn: ({ signal }) => allOf(carillon.apiKeys.list({ limit: 200 }, { signal }))
  })

/** Reads the keys again: one was made or deleted. */
export const apiKeysChanged = () => queries.invalidateQueries({ queryKey: apiKeysKey })
