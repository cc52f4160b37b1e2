import type { Notifications } from "@carillon/sdk"
import { useQuery } from "@tanstack/react-query"
import { carillon, queries } from "./api.ts"
import { everyMinute } from "./intervals.ts"

const notificationsKey = ["notifications"] as const

/** Where people are told what needs them. */
export const useNotifications = () =>
  useQuery<Notifications>({
    queryKey: notificationsKey,
    queryFn: ({ signal }) => carillon.notifications.get({ signal }),
    refetchInterval: everyMinute
  })

/** Reads it again. */
export const notificationsChanged = () => queries.invalidateQueries({ queryKey: notificationsKey })
