import type { PlatformApp } from "@carillon/sdk"
import { useQuery } from "@tanstack/react-query"
import { carillon, queries } from "./api.ts"

const appsKey = ["platform-apps"] as const

/** The operator's apps at the networks that want one. */
export const usePlatformApps = () =>
  useQuery<ReadonlyArray<PlatformApp>>({
    queryKey: appsKey,
    queryFn: async ({ signal }) => (await carillon.platformApps.list({ signal })).data
  })

/** An app decides what can be connected, and which accounts are: everything is read again, the apps first. */
export const platformAppsChanged = async () => {
  await queries.invalidateQueries({ queryKey: appsKey })
  void queries.invalidateQueries()
}
