import type { Calendar, CalendarPost } from "@carillon/sdk"
import { useCallback, useEffect, useMemo, useRef, useState } from "react"
import type { Accounts } from "../data/accounts.ts"
import { CalendarBoard } from "../calendar/CalendarBoard.tsx"
import { type Place, scheduledAt } from "../post/Place.ts"
import { withMoved } from "../post/withMoved.ts"
import { periodOf } from "../calendar/periodOf.ts"
import { isMovable, stateOf } from "../post/PostState.ts"
import type { View } from "../calendar/calendarSearch.ts"
import { Undated } from "../calendar/Undated.tsx"
import { Zone } from "../calendar/Zone.tsx"
import { followedCustoms } from "../time/customs.ts"
import { addDays, type Day, monthOf } from "../time/days.ts"
import { useMinute } from "../time/useMinute.ts"
import { shortDay, shownTime, wallClock } from "../time/zone.ts"
import { useMatch } from "../ui/useMatch.ts"
import { type CalendarShown, readCalendar } from "./appData.ts"
import { callTool, type Input, openLink, openOrSay, tellModel } from "./bridge.ts"
import { words } from "./en.ts"
import { withName } from "../data/withName.ts"
import { type Notice, NoticeLine } from "./NoticeLine.tsx"
import { PostCard } from "./PostCard.tsx"
import { WhenField } from "./WhenField.tsx"

const views = ["month", "week", "agenda"] as const

/** The card of a post opens within the frame. */
const frame = "min-h-frame **:data-agenda:max-h-frame **:data-hours:h-frame"

const narrow = window.matchMedia("(width < 640px)")

/** The most days that read well as a list. */
const mostOfList = 14

const firstPlace = ({ days }: Calendar): { readonly view: View; readonly date: Day } => {
  const first = days[0]!.date
  return days.length <= mostOfList
    ? { view: "agenda", date: first }
    : { view: "month", date: monthOf(days[Math.floor(days.length / 2)]!.date) }
}

/** The console's calendar in a host, read and changed by tools. */
export const HostCalendar = ({ first, input }: { readonly first: CalendarShown; readonly input: Input }) => {
  const [shown, setShown] = useState(first)
  const [place, setPlace] = useState(() => firstPlace(first.calendar))
  const [notice, setNotice] = useState<Notice>()
  /** Why the days could not be read. */
  const [failure, setFailure] = useState<string | null>(null)
  const lastMove = useRef<(() => void) | null>(null)
  const zone = first.calendar.timezone
  const clock = wallClock(new Date(useMinute()), zone)
  // A month would be too narrow to read.
  const isNarrow = useMatch(narrow)
  const view = isNarrow ? "agenda" : place.view
  const period = periodOf(view, place.date, first.calendar.days.length)
  const days = shown.calendar.days
  const isRead = days[0]!.date === period.first && days.length === period.days
  const accounts: Accounts = useMemo(
    () => new Map(shown.accounts.map((account) => [account.id, withName(account)])),
    [shown]
  )

  const wanted = useRef({ first: period.first, days: period.days })
  const read = useCallback(async () => {
    const asked = wanted.current
    const { from: _, to: __, ...rest } = input
    try {
      const found = await readCalendar({
        ...rest,
        timezone: zone,
        from: asked.first,
        to: addDays(asked.first, asked.days - 1)
      })
      // The person may have moved on meanwhile.
      if (wanted.current === asked) setShown(found)
      setFailure(null)
    } catch (error) {
      setFailure((error as Error).message)
    }
  }, [input, zone])
  useEffect(() => {
    wanted.current = { first: period.first, days: period.days }
    if (!isRead) void read()
  }, [isRead, period.first, period.days, read])

  /** Does what the person asked for, tells the outcome, and reads the days again. */
  const act = useCallback(
    async (work: () => Promise<Notice>) => {
      lastMove.current = null
      try {
        setNotice(await work())
      } catch (error) {
        setNotice({ text: words.notDone((error as Error).message), bad: true })
      }
      await read()
    },
    [read]
  )

  const acts = useMemo(() => {
    const move = (row: CalendarPost, from: Place | null, to: Place, back = false): void => {
      setShown((before) => ({ ...before, calendar: withMoved(before.calendar, [{ id: row.id, to }]) }))
      void act(async () => {
        await callTool("update_post", { post_id: row.id, scheduled_at: scheduledAt(to, zone) })
        const draft = stateOf(row) === "draft"
        tellModel(
          `The user moved the ${draft ? "draft" : "post"} ${row.id} to ${scheduledAt(to, zone)}.${draft ? " It is still a draft." : ""}`
        )
        const text = words.moved(shortDay(to.day), shownTime(to.time), draft)
        if (back || from === null) return { text }
        lastMove.current = () => move(row, to, from, true)
        return { text, label: words.undo, act: lastMove.current }
      })
    }
    const open = (path: string) => openLink(`${first.public_url}/app${path}`)
    return {
      move,
      remove: (row: CalendarPost) =>
        void act(async () => {
          await callTool("delete_post", { post_id: row.id })
          tellModel(`The user deleted the post ${row.id}.`)
          return { text: words.deleted }
        }),
      undoLast: () => lastMove.current?.(),
      write: (day = clock.day, time?: string) => {
        const at = time === undefined ? day : `${day}T${time}`
        openOrSay(`${first.public_url}/app/compose?at=${at}`, words.writeFor(at, zone))
      },
      edit: (post: string) => open(`/posts/${post}`),
      duplicate: (post: string) => open(`/compose?from=${post}`)
    }
  }, [act, clock.day, first.public_url, zone])

  return (
    <main className={frame} data-hour12={followedCustoms()?.hour12 || undefined}>
      <CalendarBoard
        zone={zone}
        clock={clock}
        accounts={accounts}
        views={isNarrow ? ["agenda"] : views}
        view={view}
        date={place.date}
        period={period}
        page={isRead ? shown.calendar : undefined}
        isPending={!isRead}
        go={(change) => setPlace((before) => ({ ...before, ...change }))}
        acts={acts}
        renderCounts={() => <Zone zone={zone} />}
        above={
          isRead && shown.undated.total > 0 ? (
            <Undated {...shown.undated} isBesideDays={view !== "agenda"} />
          ) : null
        }
        instead={null}
        isWhole
        timeField={WhenField}
        renderActions={(row, asks) => (
          <PostCard
            row={row}
            accounts={accounts}
            zone={zone}
            publicUrl={first.public_url}
            isMovable={isMovable(row)}
            onAct={(work) => {
              asks.onClose()
              void act(work)
            }}
            {...asks}
          />
        )}
      />
      {isRead && days.some(({ posts, total }) => total > posts.length) && view !== "month" && (
        <p className="text-sm text-soft">{words.more}</p>
      )}
      <NoticeLine
        notice={
          failure === null
            ? notice
            : { text: words.notDone(failure), bad: true, label: words.tryAgain, act: () => void read() }
        }
      />
    </main>
  )
}
