import type { Session } from "@carillon/sdk"
import { useQuery } from "@tanstack/react-query"
import { carillon, queries } from "./api.ts"
import { everyMinute } from "./intervals.ts"

const sessionsKey = ["sessions"] as const

/** Where the person is signed in, last used first. */
export const useSessions = () =>
  useQuery<ReadonlyArray<Session>>({
    queryKey: sessionsKey,
    queryFn: async ({ signal }) => (await carillon.session.list({ signal })).data,
    refetchInterval: everyMinute
  })

/** Reads them again: one has ended. */
export const sessionsChanged = () => queries.invalidateQueries({ queryKey: sessionsKey })
