import { useEffect, useRef } from "react"
import { useAccounts } from "../data/accounts.ts"
import { workspace } from "../data/api.ts"
import { useNearbyPosts } from "../data/calendar.ts"
import { needsLast } from "../data/needs.ts"
import { postsChanged } from "../data/posts.ts"
import { formatMoment } from "../post/formatMoment.ts"
import { firstWeekdayOf, weekOf } from "../time/days.ts"
import { useNow } from "../time/useNow.ts"
import { wallClock } from "../time/zone.ts"
import { Card } from "../ui/Card.tsx"
import { Columns } from "../ui/Columns.tsx"
import { ErrorState } from "../ui/ErrorState.tsx"
import { Note } from "../ui/Note.tsx"
import { Room } from "../ui/Room.tsx"
import { Skeleton } from "../ui/Skeleton.tsx"
import { CauseList } from "./CauseList.tsx"
import { comingNext, goingOut, pastDays } from "./comingNext.ts"
import { words } from "./en.ts"
import { numbersOf } from "./numbersOf.ts"
import { PastPosts } from "./PastPosts.tsx"
import { UpcomingPosts } from "./UpcomingPosts.tsx"
import { useNeeds } from "./useNeeds.ts"

const zone = workspace.timezone
const firstWeekday = firstWeekdayOf(navigator.language)

const colors = { sent: "text-ink", failed: "text-bad", planned: "text-wait" } as const

/** What needs a person and what happened; beside them, what goes out now and next. */
export const Activity = () => {
  const needs = useNeeds()
  const now = useNow(false)
  const today = wallClock(new Date(now), zone).day
  const { data, error, refetch } = useNearbyPosts(today, ({ days }) => goingOut(days, Date.now()).length > 0)
  const accounts = useAccounts()
  const going = data === undefined ? [] : goingOut(data.days, now)
  // A post that has just gone out may need a person.
  const before = useRef(0)
  useEffect(() => {
    if (going.length < before.current) void postsChanged()
    before.current = going.length
  }, [going.length])
  const room = useRef<HTMLDivElement>(null)

  const failure = needs.error ?? error
  if ((needs.causes === undefined || data === undefined) && failure !== null)
    return (
      <Room>
        <ErrorState
          title={words.failedToLoad}
          error={failure}
          onRetry={() => {
            needs.refetch()
            void refetch()
          }}
        />
      </Room>
    )
  if (needs.causes === undefined || data === undefined)
    return (
      <Room>
        <Columns side={<Skeleton rows={3} height={120} />}>
          <Skeleton rows={6} height={64} />
        </Columns>
      </Room>
    )

  const next = comingNext(data.days, now, 4)
  const week = numbersOf(data.days, weekOf(today, firstWeekday))
  return (
    <Room ref={room}>
      <Columns
        side={
          <>
            <UpcomingPosts going={going} next={next} accounts={accounts} now={now} />
            <Card title={words.week.title}>
              <Note>{words.week.each}</Note>
              <dl className="grid grid-cols-3 px-4 pb-4">
                {(["sent", "failed", "planned"] as const).map((one) => (
                  <div key={one} className="flex flex-col-reverse">
                    <dt className="text-xs text-soft">{words.week[one]}</dt>
                    <dd
                      className={`text-lg font-semibold tabular-nums ${week[one] === 0 ? "text-soft" : colors[one]}`}
                    >
                      {week.atLeast ? words.week.atLeast(week[one]) : week[one]}
                    </dd>
                  </div>
                ))}
              </dl>
            </Card>
          </>
        }
      >
        <CauseList
          causes={needs.causes}
          room={room}
          sent={week.posts}
          next={next[0] === undefined ? null : formatMoment(next[0].at, now, zone)}
        />
        {needs.causes.length > 0 && <Note>{words.lastDays(needsLast)}</Note>}
        <PastPosts days={pastDays(data.days, today, now)} today={today} accounts={accounts} />
      </Columns>
    </Room>
  )
}
