import { createRootRoute, createRoute, createRouter, lazyRouteComponent } from "@tanstack/react-router"
import { calendarSearch } from "./calendar/search.ts"
import { Shell } from "./Shell.tsx"

const root = createRootRoute({ component: Shell })

const calendar = createRoute({
  getParentRoute: () => root,
  path: "/",
  validateSearch: calendarSearch,
  component: lazyRouteComponent(() => import("./calendar/Calendar.tsx"), "Calendar")
})

export const router = createRouter({
  routeTree: root.addChildren([calendar]),
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
