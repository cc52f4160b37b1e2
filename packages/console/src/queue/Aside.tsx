import type { FreeSlot, Queue } from "@carillon/sdk"
import { Link } from "@tanstack/react-router"
import { workspace } from "../data/api.ts"
import { addDays } from "../time/days.ts"
import { ownClock, placeOf, shortDay, wallClock } from "../time/zone.ts"
import { Button } from "../ui/Button.tsx"
import { Icon } from "../ui/Icon.tsx"
import { Skeleton } from "../ui/Skeleton.tsx"
import { Select } from "../ui/Select.tsx"
import { Switch } from "../ui/Switch.tsx"
import { words } from "./en.ts"
import { fromNow } from "./fromNow.ts"
import { changeQueue } from "./changeQueue.ts"
import { whenOf } from "./moveInQueue.ts"
import { WriteLink } from "./WriteLink.tsx"

interface Props {
  readonly queue: Queue
  readonly free: ReadonlyArray<FreeSlot> | undefined
  readonly zone: string
  readonly now: number
}

const jitters = [1, 2, 3, 5, 7, 10, 15, 20, 30]
const usualJitter = 7
const day = 86_400_000

const NextFree = ({ free, now, zone }: Omit<Props, "queue">) => {
  const today = wallClock(new Date(now), zone).day
  const named = new Map([
    [today, words.today],
    [addDays(today, 1), words.tomorrow]
  ])
  return (
    <section className="card" aria-labelledby="next-free">
      <h2 id="next-free">{words.nextFree}</h2>
      {free === undefined ? (
        <Skeleton rows={10} height={22} />
      ) : free.length === 0 ? (
        <p>{words.noneFree}</p>
      ) : (
        <ul className="next-free">
          {free.map(({ scheduled_at }, index) => {
            const at = new Date(scheduled_at)
            const clock = wallClock(at, zone)
            const ahead = at.getTime() - now
            return (
              <li key={scheduled_at}>
                <WriteLink at={at} className="next" name={words.writeAt(whenOf(clock))}>
                  <span className="date">{named.get(clock.day) ?? shortDay(clock.day)}</span>
                  <time dateTime={scheduled_at} title={ownClock(scheduled_at, zone)}>
                    {clock.time}
                  </time>
                  <span className="end">
                    {index === 0 && ahead < 2 * day ? fromNow(ahead) : <Icon name="plus" />}
                  </span>
                </WriteLink>
              </li>
            )
          })}
        </ul>
      )}
    </section>
  )
}

const Rules = ({ queue }: { readonly queue: Queue }) => {
  const { jitter_minutes: jitter, timezone } = queue
  const here = placeOf(workspace.timezone)
  const vary = (minutes: number) =>
    void changeQueue(
      (before) => ({ ...before, jitter_minutes: minutes }),
      minutes === 0 ? words.jitterOff : words.jitterOn(minutes)
    )
  return (
    <section className="card rules" aria-labelledby="rules">
      <h2 id="rules">{words.rules.title}</h2>
      {timezone === null || timezone === workspace.timezone ? (
        <p>
          {words.rules.workspaceZone(here)} <Link to="/settings">{words.rules.changeZone}</Link>
        </p>
      ) : (
        <>
          <p>{words.rules.ownZone(placeOf(timezone))}</p>
          <Button
            onPress={() =>
              void changeQueue((before) => ({ ...before, timezone: null }), words.zoneFollows(here))
            }
          >
            {words.rules.follow(here)}
          </Button>
        </>
      )}
      <Switch on={jitter > 0} onChange={(on) => vary(on ? usualJitter : 0)}>
        {words.rules.vary}
      </Switch>
      {jitter > 0 && (
        <Select
          label={words.rules.by}
          value={String(jitter)}
          options={[...new Set([...jitters, jitter])]
            .sort((one, other) => one - other)
            .map((minutes) => ({ id: String(minutes), name: words.rules.minutes(minutes) }))}
          onChange={(minutes) => vary(Number(minutes))}
        />
      )}
      <p className="note">{words.rules.text}</p>
    </section>
  )
}

/** The next free slots, and the rules of the queue. */
export const Aside = ({ free, now, queue, zone }: Props) => (
  <div className="beside">
    {queue.slots.length > 0 && <NextFree free={free} now={now} zone={zone} />}
    <Rules queue={queue} />
  </div>
)
