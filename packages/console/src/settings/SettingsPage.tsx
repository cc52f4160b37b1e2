import { Link } from "@tanstack/react-router"
import type { ReactNode } from "react"
import { isOwner } from "../data/may.ts"
import { EmptyState } from "../ui/EmptyState.tsx"
import { Room } from "../ui/Room.tsx"
import { words } from "./en.ts"

const pages = [
  { to: "/settings", name: words.pages.general },
  { to: "/settings/account", name: words.pages.account },
  { to: "/settings/connected-apps", name: words.pages.apps },
  { to: "/settings/api-keys", name: words.pages.keys },
  { to: "/settings/notifications", name: words.pages.notifications },
  { to: "/settings/webhooks", name: words.pages.webhooks },
  { to: "/settings/import", name: words.pages.import },
  { to: "/settings/export", name: words.pages.export },
  { to: "/settings/backups", name: words.pages.backups },
  { to: "/settings/audit", name: words.pages.audit },
  { to: "/settings/instance", name: words.pages.instance }
] as const

const entry = [
  "flex min-h-8 flex-none items-center rounded-control px-3 text-sm font-semibold text-soft no-underline",
  "hover:text-ink aria-[current=page]:bg-sunk aria-[current=page]:text-ink"
].join(" ")

/** On a phone the names scroll. */
const showCurrent = (link: HTMLAnchorElement | null) => {
  if (link?.ariaCurrent === "page") link.scrollIntoView({ block: "nearest", inline: "center" })
}

interface Props {
  /** Whether only owners may see it. */
  readonly forOwners?: boolean
  readonly children: ReactNode
}

/** One page of the settings, beside the names of all. */
export const SettingsPage = ({ children, forOwners = false }: Props) => (
  <Room title={words.pages.label}>
    <div className="grid items-start gap-4 lg:grid-cols-menu">
      <nav
        aria-label={words.pages.label}
        className="flex gap-1 overflow-x-auto max-sm:px-4 lg:flex-col"
        data-sideways
      >
        {pages.map(({ name, to }) => (
          <Link
            key={to}
            ref={showCurrent}
            to={to}
            className={entry}
            activeOptions={{ exact: to === "/settings" }}
          >
            {name}
          </Link>
        ))}
      </nav>
      <div className="flex max-w-text min-w-0 flex-col gap-4">
        {forOwners && !isOwner ? <EmptyState {...words.onlyOwners} /> : children}
      </div>
    </div>
  </Room>
)
