import { useNavigate } from "@tanstack/react-router"
import { Dialog, Heading } from "react-aria-components/Dialog"
import { Popover } from "react-aria-components/Popover"
import { Reconnect } from "../accounts/Reconnect.tsx"
import type { Day } from "../time/days.ts"
import { ownClock, shortDay } from "../time/zone.ts"
import { Button } from "../ui/Button.tsx"
import { Icon } from "../ui/Icon.tsx"
import { Mark } from "../ui/Mark.tsx"
import { platformName } from "@carillon/domain/PlatformFacts"
import { useRoom } from "./CalendarRoom.ts"
import { words } from "./en.ts"
import type { CalendarPost } from "@carillon/sdk"
import { isMovable, stateOf } from "./PostState.ts"
import { StateSign } from "./Tile.tsx"

interface CardProps {
  readonly row: CalendarPost
  readonly day: Day
  readonly onMove: () => void
  readonly onRemove: () => void
}

/** What a tile has no room for, and what can be done with it. */
const PostCard = ({ day, onMove, onRemove, row }: CardProps) => {
  const { accounts, zone } = useRoom()
  const navigate = useNavigate()
  const state = stateOf(row)
  return (
    <Dialog className="post-card">
      <Heading slot="title" level={2}>
        <StateSign state={state} />
        {words.states[state]}
        <time dateTime={row.at} title={ownClock(row.at, zone)}>
          {shortDay(day)}, {row.local}
        </time>
      </Heading>
      <p>{row.excerpt || words.noText}</p>
      {row.thread_count !== undefined && <p className="soft">{words.chain(row.thread_count + 1)}</p>}
      {row.blocked_by !== undefined && (
        <p className="blocked">
          <Icon name="warning" />
          <span>
            {words.reconnect(
              platformName(accounts.get(row.blocked_by)?.platform ?? ""),
              accounts.get(row.blocked_by)?.name ?? ""
            )}
          </span>
          <Reconnect account={row.blocked_by} />
        </p>
      )}
      <ul>
        {row.social_accounts.map((id) => {
          const account = accounts.get(id)
          return (
            account && (
              <li key={id}>
                <Mark platform={account.platform} /> {account.name}
              </li>
            )
          )
        })}
      </ul>
      <div className="actions">
        <Button look="main" onPress={() => void navigate({ to: "/posts/$id", params: { id: row.id } })}>
          <Icon name={isMovable(row) ? "pencil" : "arrow"} />
          {isMovable(row) ? words.edit : words.openPost}
        </Button>
        {isMovable(row) && (
          <Button onPress={onMove}>
            <Icon name="calendar" />
            {words.moveTo}
          </Button>
        )}
        <Button
          look="quiet"
          square
          aria-label={words.duplicate}
          onPress={() => void navigate({ to: "/compose", search: { from: row.id } })}
        >
          <Icon name="copy" />
        </Button>
        {isMovable(row) && (
          <Button look="quiet" square aria-label={words.remove} onPress={onRemove}>
            <Icon name="trash" />
          </Button>
        )}
      </div>
    </Dialog>
  )
}

interface Props extends CardProps {
  /** The tile that it stands beside. */
  readonly tile: HTMLElement
  readonly onClose: () => void
}

/** The card with what is around it. */
const cardWidth = 340

/** A row of a list may be as wide as the page. */
const hasRoomBeside = (tile: HTMLElement) => {
  const { left, right } = tile.getBoundingClientRect()
  return Math.max(left, window.innerWidth - right) >= cardWidth
}

export const PostPopover = ({ onClose, tile, ...card }: Props) => (
  <Popover
    className="popover"
    triggerRef={{ current: tile }}
    isOpen
    onOpenChange={onClose}
    placement={hasRoomBeside(tile) ? "right top" : "bottom"}
  >
    <PostCard {...card} />
  </Popover>
)
