import type { MakeCommand } from "./MakeCommand.ts"

interface Entry {
  readonly summary: string
  readonly load: () => Promise<MakeCommand>
}

/** Every command with one line about it, in the order of the help. */
export const commands = {
  post: {
    summary: "Publish or schedule a post",
    load: async () => (await import("./commands/post.ts")).postCommand
  },
  posts: {
    summary: "List, edit, delete, retry and import posts",
    load: async () => (await import("./commands/posts.ts")).postsCommand
  },
  calendar: {
    summary: "Show each day's posts and free queue slots",
    load: async () => (await import("./commands/calendar.ts")).calendarCommand
  },
  results: {
    summary: "List, confirm and dismiss post results",
    load: async () => (await import("./commands/results.ts")).resultsCommand
  },
  reviews: {
    summary: "Ask clients about a post, and show what they said",
    load: async () => (await import("./commands/reviews.ts")).reviewsCommand
  },
  queue: {
    summary: "Manage the queue's weekly slots",
    load: async () => (await import("./commands/queue.ts")).queueCommand
  },
  media: {
    summary: "Manage the media library",
    load: async () => (await import("./commands/media.ts")).mediaCommand
  },
  accounts: {
    summary: "Connect and manage social accounts",
    load: async () => (await import("./commands/accounts.ts")).accountsCommand
  },
  webhooks: {
    summary: "Manage webhooks and their deliveries",
    load: async () => (await import("./commands/webhooks.ts")).webhooksCommand
  },
  notifications: {
    summary: "Manage where people are told what needs them",
    load: async () => (await import("./commands/notifications.ts")).notificationsCommand
  },
  keys: {
    summary: "Manage API keys",
    load: async () => (await import("./commands/keys.ts")).keysCommand
  },
  apps: {
    summary: "Manage the service's apps on the platforms",
    load: async () => (await import("./commands/apps.ts")).appsCommand
  },
  audit: {
    summary: "Show the audit trail of sign-ins, keys, apps, accounts and webhooks",
    load: async () => (await import("./commands/audit.ts")).auditCommand
  },
  backup: {
    summary: "Back up the running instance to a file",
    load: async () => (await import("./commands/backup.ts")).backupCommand
  },
  profile: {
    summary: "Show or change the workspace's name and time zone",
    load: async () => (await import("./commands/profile.ts")).profileCommand
  },
  export: {
    summary: "Export the workspace's posts and media to a folder",
    load: async () => (await import("./commands/export.ts")).exportCommand
  },
  import: {
    summary: "Import exported posts as drafts",
    load: async () => (await import("./commands/import.ts")).importCommand
  },
  login: {
    summary: "Sign in, or save an API key",
    load: async () => (await import("./commands/login.ts")).loginCommand
  },
  logout: {
    summary: "Sign out, or remove a saved API key",
    load: async () => (await import("./commands/login.ts")).logoutCommand
  },
  whoami: {
    summary: "Show the service, workspace and credentials in use",
    load: async () => (await import("./commands/whoami.ts")).whoamiCommand
  },
  status: {
    summary: "Show the service's health and what needs attention",
    load: async () => (await import("./commands/status.ts")).statusCommand
  },
  doctor: {
    summary: "Check your setup for problems",
    load: async () => (await import("./commands/doctor.ts")).doctorCommand
  },
  open: {
    summary: "Open a published post or the API reference in the browser",
    load: async () => (await import("./commands/open.ts")).openCommand
  },
  completion: {
    summary: "Generate a shell completion script",
    load: async () => (await import("./commands/completion.ts")).completionCommand
  },
  commands: {
    summary: "List all commands and options, for scripts",
    load: async () => (await import("./commands/commands.ts")).commandsCommand
  }
} satisfies Record<string, Entry>

export type CommandName = keyof typeof commands

export const commandNames = Object.keys(commands) as ReadonlyArray<CommandName>
