import { type Period, useDayCounts } from "../data/calendar.ts"
import { words } from "../post/en.ts"
import { addDays } from "../time/days.ts"
import { spanOfDays } from "../time/zone.ts"
import { Icon } from "../ui/Icon.tsx"

interface Props {
  readonly period: Period
  readonly accounts: ReadonlyArray<number>
  readonly isShown: boolean
  readonly onShow: (shown: boolean) => void
}

const line = "flex min-h-8 flex-wrap items-center gap-x-4 px-2 pb-1 text-sm text-soft tabular-nums"

/** What became of the weeks before, in one line. */
export const PastWeeks = ({ accounts, isShown, onShow, period }: Props) => {
  const { data } = useDayCounts(period, accounts)
  const span = spanOfDays(period.first, addDays(period.first, period.days - 1))
  if (data?.total === 0 && !isShown) return <div className={line}>{words.empties(span, true)}</div>
  return (
    <div className={line}>
      <strong className="text-ink">{span}</strong>
      {data !== undefined && data.published > 0 && (
        <span className="inline-flex items-center gap-1 text-good">
          <Icon name="check" /> {words.counts.published(data.published)}
        </span>
      )}
      {data !== undefined && data.failed > 0 && (
        <span className="inline-flex items-center gap-1 text-bad">
          <Icon name="cross" /> {words.counts.failed(data.failed)}
        </span>
      )}
      <button
        type="button"
        className="min-h-6 cursor-pointer border-0 bg-transparent p-0 underline hover:text-ink"
        aria-expanded={isShown}
        onClick={() => onShow(!isShown)}
      >
        {isShown ? words.pastWeeks.hide : words.pastWeeks.show}
      </button>
    </div>
  )
}
