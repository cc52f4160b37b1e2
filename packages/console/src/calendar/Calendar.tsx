import type { CalendarDay, CalendarPost } from "@carillon/sdk"
import { useNavigate, useSearch } from "@tanstack/react-router"
import { Suspense, useCallback, useMemo } from "react"
import { useAccounts } from "../data/accounts.ts"
import { workspace } from "../data/api.ts"
import { useCalendar, useUndated } from "../data/calendar.ts"
import { undoLast } from "../data/useAct.ts"
import { words } from "../post/en.ts"
import { notPast, type Place } from "../post/Place.ts"
import { removePost } from "../post/removePost.ts"
import { StateSign } from "../post/StateSign.tsx"
import type { Day } from "../time/days.ts"
import { useMinute } from "../time/useMinute.ts"
import { wallClock } from "../time/zone.ts"
import { Button } from "../ui/Button.tsx"
import { Choice } from "../ui/Choice.tsx"
import { Icon } from "../ui/Icon.tsx"
import { EmptyState } from "../ui/EmptyState.tsx"
import { ErrorState } from "../ui/ErrorState.tsx"
import { later } from "../ui/later.ts"
import { useMatch } from "../ui/useMatch.ts"
import { AccountFilter } from "./AccountFilter.tsx"
import { CalendarBoard } from "./CalendarBoard.tsx"
import {
  accountParameter,
  accountsIn,
  type CalendarSearch,
  narrowViews,
  type Status,
  viewOn,
  wideViews
} from "./calendarSearch.ts"
import { movePost } from "./movePost.ts"
import { PastWeeks } from "./PastWeeks.tsx"
import { pastOf, periodOf } from "./periodOf.ts"
import { Zone } from "./Zone.tsx"

const Undated = later(() => import("./Undated.tsx"), "Undated")
const PostActions = later(() => import("../post/PostActions.tsx"), "PostActions")

const narrow = window.matchMedia("(width < 600px)")

type Change = { readonly [Key in keyof CalendarSearch]: CalendarSearch[Key] | undefined }

const zone = workspace.timezone

/** The states that are counted, each with its sign. */
const counted = [
  ["scheduled", "planned"],
  ["failed", "failed"],
  ["draft", "draft"]
] as const

const countButton = [
  "inline-flex min-h-8 cursor-pointer items-center gap-1 rounded-control border-0 bg-transparent px-2",
  "text-sm whitespace-nowrap text-soft tabular-nums hover:bg-sunk data-failed:text-bad"
].join(" ")

export const Calendar = () => {
  const search = useSearch({ from: "/" })
  const navigate = useNavigate({ from: "/" })
  const clock = wallClock(new Date(useMinute()), zone)
  const isNarrow = useMatch(narrow)
  const view = viewOn(isNarrow, search.view)
  const date = search.date ?? clock.day
  const current = periodOf(view, date)
  const past = pastOf(view, current, clock.day)
  const isPastShown = past !== undefined && search.past === true
  const period = isPastShown ? { first: past.first, days: past.days + current.days } : current
  const chosen = accountsIn(search)
  const shown = { accounts: chosen, status: search.status }
  const { data, error, isPending, isPlaceholderData, refetch } = useCalendar(period, shown)
  const undated = useUndated(chosen)
  const accounts = useAccounts()

  const go = useCallback(
    (change: Change) =>
      // The router leaves undefined keys out of the address.
      void navigate({ search: (before) => ({ ...before, ...change }) as CalendarSearch, replace: true }),
    [navigate]
  )

  const write = useCallback(
    (day?: Day, time?: string) =>
      void navigate({
        to: "/compose",
        search: {
          ...(day === undefined ? {} : { at: time === undefined ? day : `${day}T${time}` }),
          ...(search.account === undefined ? {} : { accounts: String(search.account) })
        }
      }),
    [navigate, search.account]
  )

  const acts = useMemo(
    () => ({
      move: (row: CalendarPost, from: Place | null, to: Place) =>
        void movePost(row, from, from === null ? notPast(to, wallClock(new Date(), zone)) : to, zone),
      remove: (row: CalendarPost) => void removePost(row),
      undoLast,
      write,
      edit: (id: string) => void navigate({ to: "/posts/$id", params: { id } }),
      duplicate: (id: string) => void navigate({ to: "/compose", search: { from: id } })
    }),
    [write, navigate]
  )

  const instead = () => {
    if (error !== null && data === undefined)
      return <ErrorState title={words.failedToLoad} error={error} onRetry={() => void refetch()} />
    if (
      view !== "agenda" ||
      data === undefined ||
      isPlaceholderData ||
      data.days.some(({ total }) => total > 0)
    )
      return null
    return search.account !== undefined || search.status !== undefined ? (
      <EmptyState title={words.noMatch.title}>
        <Button onPress={() => go({ account: undefined, status: undefined })}>{words.noMatch.clear}</Button>
      </EmptyState>
    ) : (
      <EmptyState title={words.empty.title} text={words.empty.text}>
        <Button look="main" onPress={() => write()}>
          <Icon name="plus" />
          {words.empty.write}
        </Button>
      </EmptyState>
    )
  }

  const renderCounts = (days: ReadonlyArray<CalendarDay>) => {
    const count = (status: Status) => days.reduce((sum, { by_status }) => sum + by_status[status], 0)
    return (
      <>
        {counted.map(([status, state]) => {
          const total = count(status)
          return (
            total > 0 && (
              <button
                key={status}
                type="button"
                className={countButton}
                data-failed={state === "failed" || undefined}
                onClick={() => go({ status })}
              >
                <StateSign state={state} /> {words.counts[status](total)}
              </button>
            )
          )
        })}
        {((undated.data?.total ?? 0) > 0 || search.undated) && (
          <button
            type="button"
            className={countButton}
            aria-expanded={search.undated === true}
            aria-controls="undated"
            onClick={() => go({ undated: search.undated ? undefined : true })}
          >
            <Icon name="pencil" /> {words.undated.count(undated.data?.total ?? 0)}
          </button>
        )}
        {isNarrow && filters}
      </>
    )
  }

  const filters = (
    <>
      <AccountFilter
        accounts={accounts}
        chosen={chosen}
        isNarrow={isNarrow}
        onChoose={(ids) => go({ account: accountParameter(ids) })}
      />
      <Choice
        label="State"
        all={words.allStates}
        options={[
          { id: "scheduled", name: words.states.planned },
          { id: "published", name: words.states.sent },
          { id: "failed", name: words.states.failed },
          { id: "draft", name: words.states.draft }
        ]}
        chosen={search.status}
        onChoose={(status) => go({ status: status as Status | undefined })}
      />
      <Zone zone={zone} />
    </>
  )

  return (
    <CalendarBoard
      zone={zone}
      clock={clock}
      accounts={accounts}
      views={isNarrow ? narrowViews : wideViews}
      view={view}
      date={date}
      period={period}
      page={data}
      isPending={isPending || isPlaceholderData}
      go={go}
      acts={acts}
      renderCounts={renderCounts}
      filters={isNarrow ? null : <div className="flex items-center gap-2 pb-2">{filters}</div>}
      above={
        <>
          {search.undated && undated.data !== undefined && (
            <Suspense>
              <Undated {...undated.data} isBesideDays={view !== "agenda"} />
            </Suspense>
          )}
          {past !== undefined && (
            <PastWeeks
              period={past}
              accounts={chosen}
              isShown={isPastShown}
              onShow={(isShown) => go({ past: isShown || undefined })}
            />
          )}
        </>
      }
      instead={instead()}
      renderActions={(row, { onClose, onMove, onRemove }) => (
        <PostActions row={row} accounts={accounts} onMove={onMove} onRemove={onRemove} onDecided={onClose} />
      )}
    />
  )
}
