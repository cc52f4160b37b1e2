import type { ReactNode } from "react"
import type { Period } from "../data/calendar.ts"
import { words } from "../post/en.ts"
import type { Day } from "../time/days.ts"
import { placeOf } from "../time/zone.ts"
import { Button } from "../ui/Button.tsx"
import { Icon } from "../ui/Icon.tsx"
import { Segments } from "../ui/Segments.tsx"
import type { View } from "./calendarSearch.ts"
import { stepOf, titleOf } from "./periodOf.ts"

interface Props {
  readonly date: Day
  readonly today: Day
  readonly period: Period
  readonly view: View
  readonly views: ReadonlyArray<View>
  readonly zone: string
  readonly go: (change: { readonly view?: View; readonly date?: Day }) => void
  readonly children: ReactNode
}

/** Chooses the days and the view. */
export const CalendarBar = ({ children, date, go, period, today, view, views, zone }: Props) => (
  <div className="bar calendar-bar">
    <h1 aria-live="polite">{titleOf(view, date, period)}</h1>
    <div className="joined">
      <Button
        square
        aria-label={words.previous[view]}
        onPress={() => go({ date: stepOf(view, date, period, -1) })}
      >
        <Icon name="left" />
      </Button>
      <Button onPress={() => go({ date: today })}>{words.today}</Button>
      <Button
        square
        aria-label={words.next[view]}
        onPress={() => go({ date: stepOf(view, date, period, 1) })}
      >
        <Icon name="right" />
      </Button>
    </div>
    {views.length > 1 && (
      <Segments
        label="View"
        options={views.map((one) => ({ id: one, name: words.views[one] }))}
        chosen={view}
        onChoose={(one) => go({ view: one })}
      />
    )}
    <div className="filters">
      {children}
      <span className="zone" title={zone}>
        <Icon name="globe" /> {words.zone(placeOf(zone))}
      </span>
    </div>
  </div>
)
