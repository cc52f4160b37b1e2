import type { FreeSlot, Queue } from "@carillon/sdk"
import { Link } from "@tanstack/react-router"
import { workspace } from "../data/api.ts"
import { addDays } from "../time/days.ts"
import { ownClock, placeOf, shortDay, wallClock } from "../time/zone.ts"
import { Actions } from "../ui/Actions.tsx"
import { Button } from "../ui/Button.tsx"
import { Card } from "../ui/Card.tsx"
import { Icon } from "../ui/Icon.tsx"
import { Note } from "../ui/Note.tsx"
import { Skeleton } from "../ui/Skeleton.tsx"
import { Select } from "../ui/Select.tsx"
import { Stack } from "../ui/Stack.tsx"
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
    <Card title={words.nextFree}>
      {free === undefined ? (
        <Stack>
          <Skeleton rows={10} height={24} />
        </Stack>
      ) : free.length === 0 ? (
        <Note>{words.noneFree}</Note>
      ) : (
        <ul className="pb-2 text-sm">
          {free.map(({ scheduled_at }, index) => {
            const at = new Date(scheduled_at)
            const clock = wallClock(at, zone)
            const ahead = at.getTime() - now
            return (
              <li key={scheduled_at}>
                <WriteLink at={at} className={line} name={words.writeAt(whenOf(clock))}>
                  <span className={`flex-1 ${index === 0 ? "font-semibold" : "text-soft"}`}>
                    {named.get(clock.day) ?? shortDay(clock.day)}
                  </span>
                  <time
                    dateTime={scheduled_at}
                    title={ownClock(scheduled_at, zone)}
                    className="font-semibold"
                  >
                    {clock.time}
                  </time>
                  <span className="flex flex-1 justify-end text-xs text-soft">
                    {index === 0 && ahead < 2 * day ? fromNow(ahead) : <Icon name="plus" />}
                  </span>
                </WriteLink>
              </li>
            )
          })}
        </ul>
      )}
    </Card>
  )
}

const line =
  "flex min-h-8 items-center gap-2 px-4 text-ink no-underline -outline-offset-2 hover:bg-sunk max-sm:min-h-touch"

const Rules = ({ queue }: { readonly queue: Queue }) => {
  const { jitter_minutes: jitter, timezone } = queue
  const here = placeOf(workspace.timezone)
  const vary = (minutes: number) =>
    void changeQueue(
      (before) => ({ ...before, jitter_minutes: minutes }),
      minutes === 0 ? words.jitterOff : words.jitterOn(minutes)
    )
  return (
    <Card title={words.rules.title}>
      <Stack>
        {timezone === null || timezone === workspace.timezone ? (
          <p className="text-sm">
            {words.rules.workspaceZone(here)} <Link to="/settings">{words.rules.changeZone}</Link>
          </p>
        ) : (
          <>
            <p className="text-sm">{words.rules.ownZone(placeOf(timezone))}</p>
            <Actions>
              <Button
                onPress={() =>
                  void changeQueue((before) => ({ ...before, timezone: null }), words.zoneFollows(here))
                }
              >
                {words.rules.follow(here)}
              </Button>
            </Actions>
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
        <p className="text-xs text-soft">{words.rules.text}</p>
      </Stack>
    </Card>
  )
}

/** The next free slots, and the rules of the queue. */
export const Aside = ({ free, now, queue, zone }: Props) => (
  <>
    {queue.slots.length > 0 && <NextFree free={free} now={now} zone={zone} />}
    <Rules queue={queue} />
  </>
)
