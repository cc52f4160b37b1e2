import { type Calendar as CalendarPage, CarillonError, type Queue } from "@carillon/sdk"
import { keepPreviousData, useQuery } from "@tanstack/react-query"
import { carillon, queries } from "../api.ts"
import { calendarKey } from "../calendar/useCalendar.ts"
import { addDays, type Day } from "../time/days.ts"
import { toast } from "../ui/toasts.tsx"
import { words } from "./en.ts"

const queueKey = ["queue"] as const
const freeKey = ["queue", "free"] as const

export const useQueue = () =>
  useQuery<Queue>({
    queryKey: queueKey,
    queryFn: ({ signal }) => carillon.queue.get({ signal })
  })

const shownFree = 10
/** More than a day of the queue has in any week that can be looked at. */
const ofADay = 100

/** The next times that are free. */
export const useFree = (zone: string, hasTimes: boolean) =>
  useQuery({
    queryKey: [...freeKey, zone],
    enabled: hasTimes,
    queryFn: async ({ signal }) => (await carillon.queue.next({ count: shownFree }, { signal })).data,
    placeholderData: keepPreviousData
  })

export const useWeek = (first: Day, zone: string | undefined) =>
  useQuery<CalendarPage>({
    queryKey: [...calendarKey, "queue", first, zone],
    enabled: zone !== undefined,
    queryFn: ({ signal }) =>
      carillon.posts.calendar(
        { from: first, to: addDays(first, 6), per_day: ofADay, timezone: zone! },
        { signal }
      ),
    placeholderData: keepPreviousData
  })

/** What is free and what is taken, everywhere. */
export const refreshQueue = () =>
  Promise.all([
    queries.invalidateQueries({ queryKey: queueKey }),
    queries.invalidateQueries({ queryKey: calendarKey })
  ])

const put = async (queue: Queue) => {
  queries.setQueryData<Queue>(queueKey, await carillon.queue.set(queue))
}

/** Changes the queue as it is now at the service, and says how it can be taken back. */
export const changeQueue = async (change: (queue: Queue) => Queue, done: string) => {
  try {
    const before = await carillon.queue.get()
    await put(change(before))
    toast({
      icon: "check",
      text: done,
      action: {
        label: words.undo,
        act: () => {
          void changeBack(before)
        }
      }
    })
  } catch (error) {
    notSaved(error)
  }
  void refreshQueue()
}

const changeBack = async (before: Queue) => {
  try {
    await put(before)
    toast({ icon: "check", text: words.undone })
  } catch (error) {
    notSaved(error)
  }
  void refreshQueue()
}

const notSaved = (error: unknown) =>
  toast({
    icon: "cross",
    text: words.notSaved(error instanceof CarillonError ? error.message : String(error))
  })
