import type { Calendar as CalendarPage, CalendarDay, CalendarPost } from "@carillon/sdk"
import { type ReactNode, Suspense, useEffect, useMemo, useState } from "react"
import type { Accounts } from "../data/accounts.ts"
import type { Period } from "../data/calendar.ts"
import { words } from "../post/en.ts"
import type { Place } from "../post/Place.ts"
import { type Day, daysFrom } from "../time/days.ts"
import { Button } from "../ui/Button.tsx"
import { Icon } from "../ui/Icon.tsx"
import { Joined } from "../ui/Joined.tsx"
import { later } from "../ui/later.ts"
import { Segments } from "../ui/Segments.tsx"
import { Agenda } from "./Agenda.tsx"
import { CalendarContext, postKey } from "./CalendarContext.ts"
import type { View } from "./calendarSearch.ts"
import { FourWeeks } from "./FourWeeks.tsx"
import { MonthGrid } from "./MonthGrid.tsx"
import type { TimeField } from "./MoveDialog.tsx"
import { stepOf, titleOf } from "./periodOf.ts"
import { type CardAsks, type OpenPost, PostDialogs } from "./PostDialogs.tsx"
import { type CalendarActs, useCalendarKeys } from "./useCalendarKeys.ts"
import { WeekGrid } from "./WeekGrid.tsx"

/** Loaded after the posts, so that it opens without a connection. */
const HourPopover = later(() => import("./HourPopover.tsx"), "HourPopover")

/** A block of a week whose posts are open. */
interface OpenHour {
  readonly rows: ReadonlyArray<CalendarPost>
  readonly day: Day
  readonly element: HTMLElement
}

interface Props {
  readonly zone: string
  /** The time in `zone`. */
  readonly clock: Place
  readonly accounts: Accounts
  /** The views that fit the screen. */
  readonly views: ReadonlyArray<View>
  readonly view: View
  readonly date: Day
  readonly period: Period
  /** The days of the period, or of the last one while they load; undefined while there is none. */
  readonly page: CalendarPage | undefined
  /** Whether the page has every post of its days, so that days without posts are known. */
  readonly isWhole?: boolean
  /** The field for a time; the browser's own by default. */
  readonly timeField?: TimeField
  readonly isPending: boolean
  readonly go: (change: { readonly view?: View; readonly date?: Day }) => void
  readonly acts: CalendarActs
  /** What stands in the bar beside the views, and in the line below. */
  readonly renderCounts: (days: ReadonlyArray<CalendarDay>) => ReactNode
  readonly filters?: ReactNode
  readonly above?: ReactNode
  /** Shown instead of the days, if not null. */
  readonly instead: ReactNode
  /** The part of the card of a post below its text. */
  readonly renderActions: (row: CalendarPost, asks: CardAsks) => ReactNode
}

const empty = (date: Day): CalendarDay => ({
  date,
  total: 0,
  total_relation: "exact",
  by_status: { scheduled: 0, published: 0, failed: 0, draft: 0 },
  free_slots: [],
  posts: []
})

/** The days of a period. Those of a page that was read for another stay until its own come. */
const daysOf = ({ days, first }: Period, page: CalendarPage | undefined) => {
  const known = new Map(page?.days.map((day) => [day.date, day]))
  return daysFrom(first, days).map((date) => known.get(date) ?? empty(date))
}

const bar =
  "flex flex-none flex-wrap items-center gap-x-4 gap-y-2 py-3 max-sm:px-4 max-sm:py-2 max-sm:control:min-h-touch"

/** What is written in it for screen readers alone stays in it, too. */
const filterLine = [
  "relative ms-auto flex flex-wrap items-center gap-2",
  "max-sm:ms-0 max-sm:w-full max-sm:flex-nowrap max-sm:overflow-x-auto max-sm:scrollbar-none"
].join(" ")

/** The posts of a period, for pointer and keyboard. It neither reads nor stores anything. */
export const CalendarBoard = (props: Props) => {
  const { above, accounts, acts, clock, date, filters, go, instead, isPending } = props
  const { isWhole = false, page, period, renderActions, renderCounts, timeField, view, views, zone } = props
  const { day: today, time: now } = clock
  const { move, write } = acts
  const isShown = page !== undefined
  const days = daysOf(period, page)
  const [opened, setOpened] = useState<OpenPost | null>(null)
  const [hour, setHour] = useState<OpenHour | null>(null)
  useEffect(() => void (isShown && HourPopover.preload()), [isShown])
  const keys = useCalendarKeys({ acts, date, days, go, period, today, view, views })
  const { announcement, carried, current, focusMap, onFocus } = keys

  const shared = useMemo(
    () => ({
      zone,
      today,
      now,
      accounts,
      carried,
      current,
      focusMap,
      drop: move,
      open: (row: CalendarPost, day: Day | null, element: HTMLElement) =>
        setOpened({ dialog: "card", row, day, element }),
      openHour: (rows: ReadonlyArray<CalendarPost>, day: Day, element: HTMLElement) =>
        setHour({ rows, day, element }),
      showDay: (day: Day) => go({ view: "agenda", date: day }),
      write
    }),
    [zone, today, now, accounts, carried, current, focusMap, move, go, write, setOpened, setHour]
  )

  const step = (direction: 1 | -1) => () => go({ date: stepOf(view, date, period, direction) })

  const shown = () => {
    if (instead !== null) return instead
    if (view === "weeks") return <FourWeeks days={days} />
    if (view === "month") return <MonthGrid days={days} month={date} />
    return view === "agenda" ? (
      <Agenda days={days} tellsEmpty={isWhole && isShown} />
    ) : (
      <WeekGrid days={days} />
    )
  }

  return (
    <CalendarContext value={shared}>
      <div className={bar}>
        <h1 aria-live="polite" className="me-3 min-w-title max-sm:me-0 max-sm:flex-auto">
          {titleOf(view, date, period)}
        </h1>
        <Joined>
          <Button square aria-label={words.previous[view]} onPress={step(-1)}>
            <Icon name="left" />
          </Button>
          <Button onPress={() => go({ date: today })}>{words.today}</Button>
          <Button square aria-label={words.next[view]} onPress={step(1)}>
            <Icon name="right" />
          </Button>
        </Joined>
        {views.length > 1 && (
          <Segments
            label="View"
            options={views.map((one) => ({ id: one, name: words.views[one] }))}
            chosen={view}
            onChoose={(one) => go({ view: one })}
          />
        )}
        <div className={filterLine} data-sideways>
          {renderCounts(days)}
        </div>
      </div>
      {filters}
      {above}
      <div
        className="flex min-h-0 flex-1 flex-col pb-4 max-sm:pb-0 short:min-h-96"
        data-calendar
        aria-busy={isPending}
        data-carrying={carried !== null || undefined}
        onFocus={onFocus}
      >
        {shown()}
      </div>
      <div role="status" className="unseen">
        {announcement}
      </div>
      {hour !== null && (
        <Suspense>
          <HourPopover
            day={hour.day}
            rows={hour.rows}
            block={hour.element}
            onClose={() => setHour(null)}
            onOpen={(row) => {
              setHour(null)
              shared.open(row, hour.day, hour.element)
            }}
          />
        </Suspense>
      )}
      <PostDialogs
        post={opened}
        isReady={isShown}
        now={clock}
        timeField={timeField}
        zone={zone}
        renderActions={renderActions}
        onOpen={setOpened}
        onMove={({ day, row }, to) => {
          focusMap.focus(postKey(row.id, to.day), to.day)
          move(row, day === null ? null : { day, time: row.local }, to)
        }}
        onRemove={acts.remove}
      />
    </CalendarContext>
  )
}
