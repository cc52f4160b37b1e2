import type { CalendarPost } from "@carillon/sdk"
import type { Account } from "../data/accounts.ts"
import { workspace } from "../data/api.ts"
import { FreeSlot } from "../post/FreeSlot.tsx"
import { Tile } from "../post/Tile.tsx"
import { addDays } from "../time/days.ts"
import { wallClock } from "../time/zone.ts"
import { Card } from "../ui/Card.tsx"
import bakery from "./bakery.svg?url&no-inline"
import { words } from "./en.ts"
import tower from "./tower.svg?url&no-inline"

const zone = workspace.timezone

const accounts = new Map([
  [1, { id: 1, platform: "sandbox", username: "demo", name: "@demo", avatar_url: null } as Account]
])

const row = (
  id: string,
  local: string,
  excerpt: string,
  thumbnail_url: string | undefined,
  status: "scheduled" | "draft" = "scheduled"
): CalendarPost => ({
  id,
  version: "1",
  status,
  at: new Date().toISOString(),
  local,
  excerpt,
  social_accounts: [1],
  media_count: thumbnail_url === undefined ? 0 : 1,
  ...(thumbnail_url === undefined ? {} : { thumbnail_url }),
  progress: { total: 1, waiting: 1 }
})

/** Shows two days of a calendar to people who have none yet. */
export const Example = () => {
  const today = wallClock(new Date(), zone).day
  const tomorrow = addDays(today, 1)
  const shared = { accounts, zone, form: "low" } as const
  const [first, second, third] = words.example.posts
  return (
    <Card
      title={words.example.title}
      beside={<span className="ms-auto text-xs text-soft">{words.example.tag}</span>}
    >
      <p className="unseen">{words.example.unseen}</p>
      <div className="grid grid-cols-2 gap-2 px-4 pb-4" inert>
        <div className={day}>
          <span className="text-xs text-soft">{words.example.today}</span>
          <Tile {...shared} row={row("first", "18:00", first, tower)} day={today} />
          <FreeSlot day={today} time="20:00" />
        </div>
        <div className={day}>
          <span className="text-xs text-soft">{words.example.tomorrow}</span>
          <Tile {...shared} row={row("second", "09:00", second, bakery)} day={tomorrow} />
          <Tile
            {...shared}
            row={row("third", "12:00", third, undefined, "draft")}
            day={tomorrow}
            form="line"
          />
        </div>
      </div>
    </Card>
  )
}

const day = "flex min-w-0 flex-col gap-1"
