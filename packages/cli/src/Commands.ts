import type { MakeCommand } from "./MakeCommand.ts"

interface Entry {
  readonly summary: string
  readonly load: () => Promise<MakeCommand>
}

/** Every command with one line about it, in the order of the help. */
export const commands = {
  post: {
    summary: "Publish a post, now or at a time",
    load: async () => (await import("./commands/post.ts")).postCommand
  },
  posts: {
    summary: "List, show, change, delete, retry and import posts",
    load: async () => (await import("./commands/posts.ts")).postsCommand
  },
  calendar: {
    summary: "The posts of each day, and the free slots of the queue",
    load: async () => (await import("./commands/calendar.ts")).calendarCommand
  },
  results: {
    summary: "What happened on each account",
    load: async () => (await import("./commands/results.ts")).resultsCommand
  },
  queue: {
    summary: "The times of the week that queued posts go out at",
    load: async () => (await import("./commands/queue.ts")).queueCommand
  },
  media: {
    summary: "The media library: files to use in any number of posts",
    load: async () => (await import("./commands/media.ts")).mediaCommand
  },
  accounts: {
    summary: "The social accounts that posts can go to",
    load: async () => (await import("./commands/accounts.ts")).accountsCommand
  },
  webhooks: {
    summary: "The addresses that events are sent to",
    load: async () => (await import("./commands/webhooks.ts")).webhooksCommand
  },
  keys: {
    summary: "The API keys of the workspace",
    load: async () => (await import("./commands/keys.ts")).keysCommand
  },
  apps: {
    summary: "The service's own apps at the platforms that want one",
    load: async () => (await import("./commands/apps.ts")).appsCommand
  },
  audit: {
    summary: "Who did what: sign-ins, keys, apps, accounts, webhooks",
    load: async () => (await import("./commands/audit.ts")).auditCommand
  },
  backup: {
    summary: "Save the whole instance to a file, while it runs",
    load: async () => (await import("./commands/backup.ts")).backupCommand
  },
  profile: {
    summary: "The workspace's name and time zone",
    load: async () => (await import("./commands/profile.ts")).profileCommand
  },
  export: {
    summary: "Write the workspace's posts and media to a folder",
    load: async () => (await import("./commands/export.ts")).exportCommand
  },
  import: {
    summary: "Bring the posts of an export in, as drafts",
    load: async () => (await import("./commands/import.ts")).importCommand
  },
  login: {
    summary: "Sign in, or keep an API key, for later commands",
    load: async () => (await import("./commands/login.ts")).loginCommand
  },
  logout: {
    summary: "End a sign-in, or forget an API key, that login has kept",
    load: async () => (await import("./commands/login.ts")).logoutCommand
  },
  whoami: {
    summary: "Which service, workspace and key commands use",
    load: async () => (await import("./commands/whoami.ts")).whoamiCommand
  },
  status: {
    summary: "Show whether the service is healthy, and what needs attention",
    load: async () => (await import("./commands/status.ts")).statusCommand
  },
  doctor: {
    summary: "Check everything that a post depends on",
    load: async () => (await import("./commands/doctor.ts")).doctorCommand
  },
  open: {
    summary: "Open a post or the API reference in the browser",
    load: async () => (await import("./commands/open.ts")).openCommand
  },
  completion: {
    summary: "Completions for bash, zsh and fish",
    load: async () => (await import("./commands/completion.ts")).completionCommand
  },
  commands: {
    summary: "List every command and option, for programs",
    load: async () => (await import("./commands/commands.ts")).commandsCommand
  }
} satisfies Record<string, Entry>

export type CommandName = keyof typeof commands

export const commandNames = Object.keys(commands) as ReadonlyArray<CommandName>
