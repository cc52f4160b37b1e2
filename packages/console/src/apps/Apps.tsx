import { platformApps } from "@carillon/domain/PlatformApps"
import { Link } from "@tanstack/react-router"
import { isOwner } from "../data/may.ts"
import { NetworkLine } from "../post/NetworkLine.tsx"
import { Icon } from "../ui/Icon.tsx"
import { Card } from "../ui/Card.tsx"
import { Room } from "../ui/Room.tsx"
import { EmptyState } from "../ui/EmptyState.tsx"
import { Loaded } from "../ui/Loaded.tsx"
import { words } from "./en.ts"
import { usePlatformApps } from "../data/platformApps.ts"

const List = () => (
  <Loaded query={usePlatformApps()} failed={words.failed} rows={5}>
    {(apps) => (
      <Card>
        <ul className="divide-y divide-hair">
          {apps.map(({ accounts, app, platform, source }) => (
            <li key={app}>
              <Link to="/accounts/apps/$app" params={{ app }} className={line}>
                <NetworkLine of={{ platform }} name={platformApps[app].name}>
                  {words.state[source]}
                  {accounts > 0 && ` · ${words.connectedShort(accounts)}`}
                </NetworkLine>
                <Icon name="right" />
              </Link>
            </li>
          ))}
        </ul>
      </Card>
    )}
  </Loaded>
)

const line = "flex items-center gap-3 px-4 py-2 text-soft no-underline -outline-offset-2 hover:bg-sunk"

export const Apps = () => (
  <Room>
    {isOwner ? (
      <div className="flex max-w-text flex-col gap-4">
        <p className="text-sm text-soft max-sm:px-4">{words.intro}</p>
        <List />
      </div>
    ) : (
      <EmptyState {...words.onlyOwners} />
    )}
  </Room>
)
