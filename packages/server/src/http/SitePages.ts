export interface SitePage {
  readonly path: `/${string}`
  /** What the menu calls it. */
  readonly menu?: string
  /** The page of the console to which it leads. */
  readonly room?: `/${string}`
  /** It asks for a sign-in, which leads back to it. */
  readonly forMembers?: true
  /** What may follow the path of a way back, as the source of a regular expression. */
  readonly query?: string
}

/** The pages that other pages lead to. */
export const sitePages = {
  console: { path: "/app", menu: "Console", forMembers: true, query: "([/?][\\w\\-./?=&%:,+~]{0,500})?" },
  approvals: { path: "/approvals", menu: "Approvals", forMembers: true },
  approval: { path: "/approvals/:id", forMembers: true },
  connectedApps: { path: "/connected-apps", menu: "Connected apps", room: "/settings/connected-apps" },
  connectApp: { path: "/connect", menu: "Connect an app", room: "/settings/connect-app" },
  reference: { path: "/docs", menu: "API" },
  account: { path: "/account", menu: "Account", room: "/settings/account", forMembers: true },
  device: { path: "/device", forMembers: true, query: "(\\?user_code=[\\w-]{1,20})?" },
  consent: { path: "/oauth/consent/:uid", forMembers: true }
} as const satisfies Record<string, SitePage>
