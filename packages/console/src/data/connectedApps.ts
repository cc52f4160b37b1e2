import type { ConnectedApp } from "@carillon/sdk"
import { useQuery } from "@tanstack/react-query"
import { carillon, queries } from "./api.ts"
import { everyMinute } from "./intervals.ts"

const connectedAppsKey = ["connected-apps"] as const

/** The apps that the person connected to the workspace, last used first, and those that ended a short while ago. */
export const useConnectedApps = () =>
  useQuery<ReadonlyArray<ConnectedApp>>({
    queryKey: connectedAppsKey,
    queryFn: async ({ signal }) => (await carillon.connectedApps.list({ signal })).data,
    refetchInterval: everyMinute
  })

/** Reads them again: one was changed or disconnected. */
export const connectedAppsChanged = () => queries.invalidateQueries({ queryKey: connectedAppsKey })
