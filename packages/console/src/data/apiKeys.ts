import type { ApiKey } from "@carillon/sdk"
import { useQuery } from "@tanstack/react-query"
import { carillon, queries } from "./api.ts"
import { everyHalfMinute } from "./intervals.ts"

const apiKeysKey = ["api-keys"] as const

/** The API keys of the workspace, newest first. */
export const useApiKeys = () =>
  useQuery<ReadonlyArray<ApiKey>>({
    queryKey: apiKeysKey,
    queryFn: async ({ signal }) => {
      const found: Array<ApiKey> = []
      for await (const key of carillon.apiKeys.list({ limit: 200 }, { signal })) found.push(key)
      return found
    },
    refetchInterval: everyHalfMinute
  })

/** Reads the keys again: one was made or deleted. */
export const apiKeysChanged = () => queries.invalidateQueries({ queryKey: apiKeysKey })
