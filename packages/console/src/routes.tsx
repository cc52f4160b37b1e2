import {
  createRootRoute,
  createRoute,
  createRouter,
  lazyRouteComponent,
  retainSearchParams
} from "@tanstack/react-router"
import type { ComponentType } from "react"
import { appSearch } from "./apps/appSearch.ts"
import { accountsSearch } from "./accounts/accountsSearch.ts"
import { Failed } from "./Failed.tsx"
import { NotFound } from "./NotFound.tsx"
import { calendarSearch } from "./calendar/calendarSearch.ts"
import { composeSearch } from "./compose/composeSearch.ts"
import { queueSearch } from "./queue/queueSearch.ts"
import { librarySearch } from "./library/librarySearch.ts"
import { Shell } from "./Shell.tsx"
import type { IconName } from "./ui/Icon.tsx"
import { Home } from "./Home.tsx"
import { later } from "./ui/later.ts"
import { whenIdle } from "./ui/whenIdle.ts"

const NeedsBadge = later(() => whenIdle(() => import("./activity/NeedsBadge.tsx")), "NeedsBadge")

const root = createRootRoute({
  component: Shell,
  notFoundComponent: NotFound,
  staticData: { name: "Not found" },
  validateSearch: ({ w }: Record<string, unknown>): { readonly w?: string } =>
    typeof w === "string" ? { w } : {},
  // The workspace of a member of several stays in the address from room to room.
  search: { middlewares: [retainSearchParams(["w"])] }
})

/*
 * Every page of the console: its address, its name in the title and the heading, its entry in the navigation if it has one, and
 * the room that draws it. `build.ts` reads here which files each needs.
 */

const calendar = createRoute({
  getParentRoute: () => root,
  path: "/",
  validateSearch: calendarSearch,
  staticData: { name: "Calendar", inNavigation: { icon: "calendar", inBar: true } },
  component: Home
})

/** A post that is written keeps its page when it gets its own address. */
const composer = createRoute({
  getParentRoute: () => root,
  id: "composer",
  staticData: { name: "Post" },
  component: lazyRouteComponent(() => import("./PostRoom.tsx"), "PostRoom")
})

const compose = createRoute({
  getParentRoute: () => composer,
  path: "/compose",
  validateSearch: composeSearch,
  staticData: { name: "New post" }
})

/** `edit`: one that waits for its next try is to be changed. */
const post = createRoute({
  getParentRoute: () => composer,
  path: "/posts/$id",
  validateSearch: ({ edit }: Record<string, unknown>): { readonly edit?: true } =>
    edit === true ? { edit } : {},
  staticData: { name: "Post" }
})

const library = createRoute({
  getParentRoute: () => root,
  path: "/library",
  validateSearch: librarySearch,
  staticData: { name: "Library", inNavigation: { icon: "picture", inBar: true } },
  component: lazyRouteComponent(() => import("./library/Library.tsx"), "Library")
})

const queue = createRoute({
  getParentRoute: () => root,
  path: "/queue",
  validateSearch: queueSearch,
  staticData: { name: "Queue", inNavigation: { icon: "queue" } },
  component: lazyRouteComponent(() => import("./queue/Queue.tsx"), "Queue")
})

const activity = createRoute({
  getParentRoute: () => root,
  path: "/activity",
  staticData: { name: "Activity", inNavigation: { icon: "bell", inBar: true, Badge: NeedsBadge } },
  component: lazyRouteComponent(() => import("./activity/Activity.tsx"), "Activity")
})

const accounts = createRoute({
  getParentRoute: () => root,
  path: "/accounts",
  validateSearch: accountsSearch,
  staticData: { name: "Accounts", inNavigation: { icon: "accounts" } },
  component: lazyRouteComponent(() => import("./accounts/AccountsRoom.tsx"), "AccountsRoom")
})

/** The operator's apps at the networks that want one, and one of them. */
const apps = createRoute({
  getParentRoute: () => root,
  path: "/accounts/apps",
  staticData: { name: "Network apps" },
  component: lazyRouteComponent(() => import("./apps/Apps.tsx"), "Apps")
})

const app = createRoute({
  getParentRoute: () => root,
  path: "/accounts/apps/$app",
  validateSearch: appSearch,
  staticData: { name: "Network app" },
  component: lazyRouteComponent(() => import("./apps/App.tsx"), "App")
})

const settings = createRoute({
  getParentRoute: () => root,
  path: "/settings",
  staticData: { name: "Settings" },
  component: lazyRouteComponent(() => import("./settings/Settings.tsx"), "Settings")
})

const account = createRoute({
  getParentRoute: () => root,
  path: "/settings/account",
  staticData: { name: "Account" },
  component: lazyRouteComponent(() => import("./settings/Account.tsx"), "Account")
})

const connectedApps = createRoute({
  getParentRoute: () => root,
  path: "/settings/connected-apps",
  staticData: { name: "Connected apps" },
  component: lazyRouteComponent(() => import("./settings/ConnectedApps.tsx"), "ConnectedApps")
})

const connectedApp = createRoute({
  getParentRoute: () => root,
  path: "/settings/connected-apps/$id",
  staticData: { name: "Connected app" },
  component: lazyRouteComponent(() => import("./settings/ConnectedAppPage.tsx"), "ConnectedAppPage")
})

const connectApp = createRoute({
  getParentRoute: () => root,
  path: "/settings/connect-app",
  staticData: { name: "Connect an app" },
  component: lazyRouteComponent(() => import("./settings/ConnectApp.tsx"), "ConnectApp")
})

const apiKeys = createRoute({
  getParentRoute: () => root,
  path: "/settings/api-keys",
  staticData: { name: "API keys" },
  component: lazyRouteComponent(() => import("./settings/ApiKeys.tsx"), "ApiKeys")
})

const notifications = createRoute({
  getParentRoute: () => root,
  path: "/settings/notifications",
  staticData: { name: "Notifications" },
  component: lazyRouteComponent(() => import("./settings/Notifications.tsx"), "Notifications")
})

const webhooks = createRoute({
  getParentRoute: () => root,
  path: "/settings/webhooks",
  staticData: { name: "Webhooks" },
  component: lazyRouteComponent(() => import("./settings/Webhooks.tsx"), "Webhooks")
})

const webhook = createRoute({
  getParentRoute: () => root,
  path: "/settings/webhooks/$id",
  staticData: { name: "Webhook" },
  component: lazyRouteComponent(() => import("./settings/WebhookPage.tsx"), "WebhookPage")
})

const importPosts = createRoute({
  getParentRoute: () => root,
  path: "/settings/import",
  staticData: { name: "Import" },
  component: lazyRouteComponent(() => import("./settings/ImportPosts.tsx"), "ImportPosts")
})

const exportWorkspace = createRoute({
  getParentRoute: () => root,
  path: "/settings/export",
  staticData: { name: "Export" },
  component: lazyRouteComponent(() => import("./settings/ExportWorkspace.tsx"), "ExportWorkspace")
})

const backups = createRoute({
  getParentRoute: () => root,
  path: "/settings/backups",
  staticData: { name: "Backups" },
  component: lazyRouteComponent(() => import("./settings/Backups.tsx"), "Backups")
})

const audit = createRoute({
  getParentRoute: () => root,
  path: "/settings/audit",
  staticData: { name: "Audit trail" },
  component: lazyRouteComponent(() => import("./settings/AuditTrail.tsx"), "AuditTrail")
})

const instance = createRoute({
  getParentRoute: () => root,
  path: "/settings/instance",
  staticData: { name: "Instance" },
  component: lazyRouteComponent(() => import("./settings/InstanceFacts.tsx"), "InstanceFacts")
})

export const router = createRouter({
  // The navigation has their order.
  routeTree: root.addChildren([
    calendar,
    composer.addChildren([compose, post]),
    library,
    queue,
    activity,
    accounts,
    apps,
    app,
    settings,
    account,
    connectedApps,
    connectedApp,
    connectApp,
    apiKeys,
    notifications,
    webhooks,
    webhook,
    importPosts,
    exportWorkspace,
    backups,
    audit,
    instance
  ]),
  basepath: "/app",
  defaultPreload: "intent",
  defaultErrorComponent: Failed,
  // What is chosen in a room does not scroll the page.
  scrollRestoration: false
})

declare module "@tanstack/react-router" {
  interface Register {
    readonly router: typeof router
  }
  interface StaticDataRouteOption {
    readonly name: string
    readonly inNavigation?: {
      readonly icon: IconName
      /** At the lower edge of a phone, which has place for three; the others are under More. */
      readonly inBar?: true
      /** A number beside the name. */
      readonly Badge?: ComponentType
    }
  }
}
