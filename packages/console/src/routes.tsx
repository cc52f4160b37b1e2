import {
  createRootRoute,
  createRoute,
  createRouter,
  lazyRouteComponent,
  retainSearchParams
} from "@tanstack/react-router"
import { appSearch } from "./accounts/apps/search.ts"
import { accountsSearch } from "./accounts/search.ts"
import { calendarSearch } from "./calendar/search.ts"
import { composeSearch } from "./compose/search.ts"
import { queueSearch } from "./queue/search.ts"
import { librarySearch } from "./library/search.ts"
import { Shell } from "./Shell.tsx"
import { Home } from "./welcome/Home.tsx"

const root = createRootRoute({
  component: Shell,
  validateSearch: ({ w }: Record<string, unknown>): { readonly w?: string } =>
    typeof w === "string" ? { w } : {},
  // The workspace of a member of several stays in the address from room to room.
  search: { middlewares: [retainSearchParams(["w"])] }
})

const calendar = createRoute({
  getParentRoute: () => root,
  path: "/",
  validateSearch: calendarSearch,
  component: Home
})

/** A post that is written keeps its room when it gets its own address. */
const composer = createRoute({
  getParentRoute: () => root,
  id: "composer",
  component: lazyRouteComponent(() => import("./compose/ComposerRoom.tsx"), "ComposerRoom")
})

const compose = createRoute({
  getParentRoute: () => composer,
  path: "/compose",
  validateSearch: composeSearch
})

/** `edit`: one that waits for its next try is to be changed. */
const post = createRoute({
  getParentRoute: () => composer,
  path: "/posts/$id",
  validateSearch: ({ edit }: Record<string, unknown>): { readonly edit?: true } =>
    edit === true ? { edit } : {}
})

const queue = createRoute({
  getParentRoute: () => root,
  path: "/queue",
  validateSearch: queueSearch,
  component: lazyRouteComponent(() => import("./queue/Queue.tsx"), "Queue")
})

const settings = createRoute({
  getParentRoute: () => root,
  path: "/settings",
  component: lazyRouteComponent(() => import("./settings/Settings.tsx"), "Settings")
})

const activity = createRoute({
  getParentRoute: () => root,
  path: "/activity",
  component: lazyRouteComponent(() => import("./activity/Activity.tsx"), "Activity")
})

const library = createRoute({
  getParentRoute: () => root,
  path: "/library",
  validateSearch: librarySearch,
  component: lazyRouteComponent(() => import("./library/Library.tsx"), "Library")
})

const accounts = createRoute({
  getParentRoute: () => root,
  path: "/accounts",
  validateSearch: accountsSearch,
  component: lazyRouteComponent(() => import("./accounts/AccountsRoom.tsx"), "AccountsRoom")
})

/** The operator's apps at the networks that want one, and one of them. */
const apps = createRoute({
  getParentRoute: () => root,
  path: "/accounts/apps",
  component: lazyRouteComponent(() => import("./accounts/apps/Apps.tsx"), "Apps")
})

const app = createRoute({
  getParentRoute: () => root,
  path: "/accounts/apps/$app",
  validateSearch: appSearch,
  component: lazyRouteComponent(() => import("./accounts/apps/App.tsx"), "App")
})

export const router = createRouter({
  routeTree: root.addChildren([
    calendar,
    composer.addChildren([compose, post]),
    queue,
    activity,
    settings,
    library,
    accounts,
    apps,
    app
  ]),
  basepath: "/app",
  defaultPreload: "intent",
  // What is chosen in a room does not scroll the page.
  scrollRestoration: false
})

declare module "@tanstack/react-router" {
  interface Register {
    readonly router: typeof router
  }
}
