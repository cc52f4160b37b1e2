import { Link, Outlet, useNavigate } from "@tanstack/react-router"
import { Suspense, useEffect, useSyncExternalStore } from "react"
import { workspace } from "./data/api.ts"
import { boot } from "./data/boot.ts"
import { singleKeys } from "./data/preferences.ts"
import { words } from "./en.ts"
import { person, phoneLink } from "./menuButtons.ts"
import { buttonClass } from "./ui/Button.tsx"
import { isField } from "./ui/isField.ts"
import { Icon } from "./ui/Icon.tsx"
import { Mark } from "./ui/Mark.tsx"
import { later } from "./ui/later.ts"
import { usePageName } from "./ui/PageName.tsx"
import { whenIdle } from "./ui/whenIdle.ts"
import { type NavigationEntry, useNavigation } from "./useNavigation.ts"

const menus = () => whenIdle(() => import("./menus.tsx"))
const Toasts = later(() => whenIdle(() => import("./ui/Toasts.tsx")), "Toasts")
const MorePages = later(menus, "MorePages")
const Person = later(menus, "Person")
const WorkspaceSwitch = later(menus, "WorkspaceSwitch")

const useOnline = () =>
  useSyncExternalStore(
    (changed) => {
      window.addEventListener("online", changed)
      window.addEventListener("offline", changed)
      return () => {
        window.removeEventListener("online", changed)
        window.removeEventListener("offline", changed)
      }
    },
    () => navigator.onLine
  )

interface PageLinkProps {
  readonly page: NavigationEntry
}

const activeOptions = (to: string) => ({ includeSearch: false, exact: to === "/" })

const PageLink = ({ page: { Badge, name, to } }: PageLinkProps) => (
  <Link
    to={to}
    className={`${headLink} hover:text-ink`}
    activeOptions={activeOptions(to)}
    activeProps={{ className: "bg-sunk text-ink" }}
    inactiveProps={{ className: "text-soft" }}
  >
    {name}
    <Suspense>{Badge && <Badge />}</Suspense>
  </Link>
)

const headLink =
  "inline-flex min-h-8 items-center gap-1 rounded-control px-2 text-sm font-semibold no-underline lg:px-3"

const PhoneLink = ({ page: { Badge, icon, name, to } }: PageLinkProps) => (
  <Link
    to={to}
    className={phoneLink}
    activeOptions={activeOptions(to)}
    activeProps={{ className: "text-brand" }}
    inactiveProps={{ className: "text-soft" }}
  >
    <Icon name={icon} />
    {name}
    {Badge && (
      <span className="absolute top-0 start-1/2 ms-1">
        <Suspense>
          <Badge />
        </Suspense>
      </span>
    )}
  </Link>
)

const beforePlus = 2

const phoneBar =
  "flex flex-none justify-around border-t border-line bg-card px-2 pt-1 pb-bar md:hidden writing:hidden"

/** The pages at the lower edge of a phone. */
const PhoneBar = () => {
  const links = useNavigation()
    .filter(({ inBar }) => inBar)
    .map((page) => <PhoneLink key={page.to} page={page} />)
  return (
    <nav aria-label={words.pages} className={phoneBar}>
      {links.slice(0, beforePlus)}
      <Link
        to="/compose"
        className={`${buttonClass("main")} min-h-touch w-12 self-center px-0`}
        aria-label={words.newPost}
      >
        <Icon name="plus" />
      </Link>
      {links.slice(beforePlus)}
      <Suspense
        fallback={
          <span className={`${phoneLink} text-soft`}>
            <Icon name="more" />
            {words.more}
          </span>
        }
      >
        <MorePages />
      </Suspense>
    </nav>
  )
}

const elsewhere = new URL(boot.public_url).origin

/** `N` writes a post, wherever the focus is. A room that knows a day handles the key first. */
const useKeys = () => {
  const navigate = useNavigate()
  useEffect(() => {
    const listen = (event: KeyboardEvent) => {
      if (event.defaultPrevented || event.metaKey || event.ctrlKey || event.altKey) return
      if (event.key.toLowerCase() !== "n" || !singleKeys() || isField(event.target)) return
      if (document.querySelector(".veil, .popover") !== null) return
      event.preventDefault()
      void navigate({ to: "/compose" })
    }
    window.addEventListener("keydown", listen)
    return () => window.removeEventListener("keydown", listen)
  }, [navigate])
}

const skip = "absolute -top-12 start-3 z-60 rounded-control bg-card px-3 py-2"
const head =
  "flex h-head flex-none items-center gap-2 border-b border-line bg-card px-4 md:px-room max-md:writing:hidden"
const brand = "me-1 flex items-center gap-2 text-lg font-semibold text-ink no-underline max-md:me-auto"
const workspaceName = "min-w-0 truncate text-sm font-semibold"
const room = "flex min-h-0 flex-1 flex-col outline-none sm:px-room short:overflow-y-auto"
const strip = "flex flex-none items-center gap-2 bg-float px-4 py-2 text-sm text-on-float md:px-room"

/** The frame of every page. */
export const Shell = () => {
  useKeys()
  const online = useOnline()
  const pages = useNavigation()
  const name = usePageName()
  useEffect(() => {
    document.title = words.title(name)
  }, [name])
  return (
    <>
      <a className={`${skip} focus:top-3`} href="#room">
        {words.skip}
      </a>
      <header className={`${head} max-md:justify-between lg:gap-3`}>
        <Link to="/" className={`${brand} lg:me-3`}>
          <Mark />
          {/* A tablet in a wide font has no room for it. */}
          <span className="md:max-lg:sr-only">{words.brand}</span>
        </Link>
        <nav aria-label={words.pages} className="me-auto flex max-md:hidden lg:gap-1">
          {pages.map((page) => (
            <PageLink key={page.to} page={page} />
          ))}
        </nav>
        {boot.workspaces.length < 2 ? (
          <span className={workspaceName}>{workspace.name}</span>
        ) : (
          <Suspense fallback={<span className={buttonClass("quiet")}>{workspace.name}</span>}>
            <WorkspaceSwitch />
          </Suspense>
        )}
        <Link
          to="/compose"
          className={`${buttonClass("main")} max-md:hidden`}
          activeOptions={{ includeSearch: false }}
        >
          <Icon name="plus" />
          {words.newPost}
        </Link>
        <Suspense fallback={<span className={person}>{boot.member.name.slice(0, 1).toUpperCase()}</span>}>
          <Person />
        </Suspense>
      </header>
      {!online && (
        <p className={strip} role="status">
          <Icon name="offline" />
          <strong>{words.offline.title}</strong> {words.offline.text}
        </p>
      )}
      {location.origin !== elsewhere && (
        <p className={strip} role="status">
          <Icon name="warning" />
          {words.elsewhere.text}{" "}
          <a className="text-on-float-brand" href={`${elsewhere}/app/`}>
            {words.elsewhere.go}
          </a>
        </p>
      )}
      <main className={room} id="room" tabIndex={-1}>
        <Outlet />
      </main>
      <PhoneBar />
      <Suspense>
        <Toasts />
      </Suspense>
    </>
  )
}
