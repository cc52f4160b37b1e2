/** The words of the frame around every page. */
export const words = {
  firstSteps: { hidden: "Hidden. Everything in it has its own page, too.", undo: "Undo" },
  skip: "Skip to content",
  brand: "Carillon",
  title: (page: string) => `${page} – Carillon`,
  pages: "Pages",
  newPost: "New post",
  more: "More",
  morePages: "More pages",
  workspaces: "Workspaces",
  person: (name: string) => `${name}: account and settings`,
  menu: {
    settings: "Settings",
    approvals: "Approvals",
    connectedApps: "Connected apps",
    connectApp: "Connect an app",
    reference: "API reference",
    account: "Account",
    signOut: "Sign out",
    notSignedOut: "Not signed out"
  },
  offline: { title: "No connection.", text: "This page may be out of date." },
  elsewhere: {
    text: "This is not the address set for this service.",
    go: "Go to the right one"
  },
  failed: {
    title: "This page did not load",
    text: "What you have written is kept in this browser."
  },
  notFound: {
    title: "There is no page at this address",
    text: "It may be mistyped, or an old link.",
    go: "Open the calendar"
  }
} as const
