import { useNavigate, useSearch } from "@tanstack/react-router"
import { useMemo } from "react"
import { workspace } from "../data/api.ts"
import { useQueueWeek } from "../data/calendar.ts"
import { firstWeekday as firstOfWeek } from "../data/preferences.ts"
import { useFreeSlots, useQueue } from "../data/queue.ts"
import { weekOf } from "../time/days.ts"
import { useMinute } from "../time/useMinute.ts"
import { wallClock } from "../time/zone.ts"
import { ErrorState } from "../ui/ErrorState.tsx"
import { Aside } from "./Aside.tsx"
import { words } from "./en.ts"
import { QueueBoard } from "./QueueBoard.tsx"
import { weekOfSlots, weekThatComes } from "./weekOfSlots.ts"

export const Queue = () => {
  const { date } = useSearch({ from: "/queue" })
  const navigate = useNavigate({ from: "/queue" })
  const queue = useQueue()
  const slots = queue.data?.slots
  const queueZone = queue.data === undefined ? undefined : (queue.data.timezone ?? workspace.timezone)
  const zone = queueZone ?? workspace.timezone
  const now = useMinute()
  const firstWeekday = firstOfWeek()
  const coming = weekThatComes(slots ?? [], zone, now, firstWeekday)
  const first = date === undefined ? coming : weekOf(date, firstWeekday)
  const week = useQueueWeek(first, queueZone)
  const free = useFreeSlots(zone, slots !== undefined && slots.length > 0)

  const isRead = week.data?.days[0]?.date === first && week.data.timezone === queueZone
  const days = useMemo(
    () =>
      week.data !== undefined && slots !== undefined && isRead
        ? weekOfSlots(week.data.days, slots, zone, now)
        : null,
    [week.data, slots, isRead, zone, now]
  )
  const error = queue.error ?? week.error
  return (
    <QueueBoard
      zone={zone}
      today={wallClock(new Date(now), zone).day}
      first={first}
      coming={coming}
      days={days}
      slots={slots}
      free={free.data ?? []}
      go={(day) => void navigate({ search: day === undefined ? {} : { date: day } })}
      instead={
        error !== null && days === null ? (
          <ErrorState
            title={words.failedToLoad}
            error={error}
            onRetry={() => {
              void queue.refetch()
              void week.refetch()
            }}
          />
        ) : null
      }
      beside={queue.data && <Aside queue={queue.data} free={free.data} zone={zone} now={now} />}
    />
  )
}
