import type {
  AuditEntry,
  InstanceChecks,
  NotificationAttempt,
  NotificationEvent,
  NotificationFormat,
  Scope,
  WebhookEventType
} from "@carillon/sdk"

/** The words of this room. */
export const words = {
  pages: {
    label: "Settings",
    general: "General",
    keys: "API keys",
    notifications: "Notifications",
    webhooks: "Webhooks",
    import: "Import",
    export: "Export",
    backups: "Backups",
    audit: "Audit trail",
    instance: "Instance",
    apps: "Connected apps",
    account: "Account"
  },
  onlyOwners: {
    title: "Only owners change this",
    text: "Ask an owner of this workspace."
  },
  cancel: "Cancel",
  more: "Show more",
  once: {
    text: "Copy it now: it is never shown again.",
    done: "I have copied it"
  },
  connectedApps: {
    text: "Agents and other apps that act for you, within what you allow them.",
    failed: "The connected apps did not load",
    empty: {
      title: "No app is connected",
      text: "An agent such as Claude or ChatGPT can write and schedule posts for you. You choose what it may do."
    },
    connect: "Connect an app",
    accounts: (count: number | undefined) =>
      count === undefined ? "all accounts" : count === 1 ? "1 account" : `${count} accounts`,
    used: (when: string) => `last used ${when}`,
    unused: "not used yet",
    held: "held for your approval",
    ended: "Ended in the last 30 days",
    endings: {
      person: (when: string) => `You disconnected it ${when}.`,
      app: (when: string) => `It signed itself out ${when}.`,
      reuse: (when: string) =>
        `Disconnected ${when}: a code or token was used twice, so somebody may have copied it. Connect the app again.`
    },
    unknown: {
      title: "This app is not connected",
      text: "It was disconnected, or belongs to another workspace."
    },
    may: "It may",
    scopesMissing: "Tick something, or disconnect the app.",
    hold: "Hold everything for my approval",
    holdHelp:
      "Posts that the app writes wait under Approvals until you let them go out. It cannot publish or schedule posts, nor change or delete what it did not add itself.",
    save: "Save",
    saved: "Saved. It applies from the app’s next request.",
    notSaved: "Not saved",
    disconnect: {
      open: "Disconnect",
      go: (name: string) => `Disconnect ${name}`,
      title: (name: string) => `Disconnect ${name}?`,
      text: "The app loses its access at once. Posts that it scheduled stay.",
      done: (name: string) => `${name} is disconnected.`,
      failed: "Not disconnected"
    }
  },
  connectApp: {
    title: "Give the app this address",
    text: "It asks you to sign in here and to choose what it may do. You do not have to copy a key.",
    address: "Address",
    unreachable: (address: string) =>
      `Claude on the web and ChatGPT cannot reach ${address}: they need a public https address (PUBLIC_URL). Programs on your own computer work.`,
    steps: "Steps for each app",
    add: (app: string) => `Add to ${app}`,
    lines: (app: string) => `For ${app}`,
    agents: {
      description: "Schedules and publishes posts",
      orIn: (file: string) => `Or in ${file}:`,
      claudeCode: "Then, in Claude Code, /mcp and Authenticate.",
      claude: "Claude on the web, desktop and phone",
      claudeSteps: "Settings → Connectors → Add custom connector. Paste the address.",
      chatGpt:
        "Settings → Apps → switch on developer mode → Create. Paste the address with /mcp and choose OAuth.",
      gemini: "Then, in Gemini CLI:",
      zed: "In settings.json, or under Settings → AI → MCP Servers. Zed then asks you to sign in.",
      others: "Other apps with a list of servers",
      programs: "Apps that only start programs",
      programsHelp: "They reach the address through mcp-remote:",
      scripts: "Scripts, without a browser",
      scriptsHelp: "An API key works as well:"
    }
  },
  account: {
    signedIn: (name: string) => `You are signed in as ${name}.`,
    sessions: "Where you are signed in",
    failed: "The sessions did not load",
    current: "this browser",
    from: (address: string) => `from ${address}`,
    since: (when: string) => `signed in ${when}`,
    used: (when: string) => `last used ${when}`,
    signOut: "Sign out",
    end: (device: string) => `Sign out ${device}`,
    ended: (device: string) => `${device} is signed out.`,
    notEnded: "Not signed out",
    everywhere: "Sign out everywhere",
    appsStay: "Apps stay connected when you sign out.",
    password: "Password",
    currentPassword: "Current password",
    currentMissing: "Enter your current password.",
    newPassword: "New password",
    nextMissing: "Enter a new password.",
    rule: "At least 10 characters, 5 of them different. Every other browser is signed out.",
    change: "Change the password",
    changed: "The password is changed.",
    newDevice: "new browser",
    factorFailed: "The authenticator app and the passkeys did not load"
  },
  authenticatorApp: {
    title: "Authenticator app",
    off: "Your password alone signs you in. With an authenticator app, the sign-in also asks for a code that the app shows.",
    on: (when: string, left: number) =>
      `On since ${when}. After the password, the sign-in asks for a code. ${left === 1 ? "1 recovery code is left." : `${left} recovery codes are left.`}`,
    open: "Set it up",
    another: "Set up another app",
    setUp: "Set up an authenticator app",
    scan: "Scan this with the app, or type the secret into it.",
    qr: "QR code of the secret",
    secret: "Secret",
    code: "Code",
    codeHelp: "The six digits that the app shows now.",
    codeMissing: "Enter the six digits that the app shows.",
    turnOn: "Turn on",
    failed: "Not changed",
    recoveryCodes: "Recovery codes",
    recoveryText:
      "Each signs you in once, if you do not have the app. Keep them where you keep passwords: they are never shown again, and replace all former ones.",
    kept: "I have kept them",
    replace: "New recovery codes",
    remove: "Remove the app",
    removeTitle: "Remove the authenticator app?",
    removeText: "Your password alone then signs you in. The recovery codes end, too."
  },
  passkeys: {
    title: "Passkeys",
    text: "A passkey signs you in with the fingerprint, face or PIN of your device, without the password and without a code.",
    added: (when: string) => `added ${when}`,
    used: (when: string) => `last used ${when}`,
    unused: "not used yet",
    elsewhere: "made for another address, does not work here",
    unavailable: (address: string) =>
      `This browser has no passkeys here. They need a recent one, at ${address}.`,
    add: "Add a passkey",
    name: "Name",
    nameHelp: "So that you know it again, such as “laptop”.",
    nameMissing: "Enter a name.",
    go: "Continue",
    notMade: "The browser made no passkey. Try again.",
    remove: {
      open: (name: string) => `Remove the passkey “${name}”`,
      title: (name: string) => `Remove the passkey “${name}”?`,
      text: "It signs you in no more. Delete it on the device, too.",
      go: "Remove the passkey",
      failed: "Not removed"
    }
  },
  apiKeys: {
    text: "Scripts, the command line and other programs sign in with a key.",
    failed: "The API keys did not load",
    empty: { title: "No API keys", text: "A script or another program needs one to use this workspace." },
    create: "Create a key",
    created: (name: string) => `The key “${name}”`,
    label: "API key",
    name: "Name",
    nameHelp: "So that you know it again, such as “newsletter”.",
    nameMissing: "Enter a name.",
    areas: { posts: "Posts", media: "Media", accounts: "Accounts" },
    levels: {
      "posts:read": "Read",
      "posts:write": "Read and write drafts",
      "posts:publish": "Read, write, schedule and publish",
      "media:read": "Read",
      "media:write": "Read, upload and delete",
      "accounts:read": "Read",
      "accounts:write": "Read, connect and disconnect",
      admin: "Everything, settings and keys too"
    } satisfies Record<Scope, string>,
    noAccess: "No access",
    admin: "Administration",
    adminHelp: "Everything that an owner can do, such as keys, webhooks and backups.",
    scopesMissing: "Choose something that the key may do.",
    onlyAccounts: "Only some accounts",
    accountsMissing: "Choose an account.",
    expires: "Expires",
    expiry: { 30: "In 30 days", 90: "In 90 days", 365: "In a year" },
    noExpiry: "Never",
    failedToCreate: "Not created",
    shortScopes: {
      "posts:read": "reads posts",
      "posts:write": "writes drafts",
      "posts:publish": "publishes",
      "media:read": "reads media",
      "media:write": "uploads media",
      "accounts:read": "reads accounts",
      "accounts:write": "connects accounts",
      admin: "does everything"
    } satisfies Record<Scope, string>,
    some: (count: number) => (count === 1 ? "1 account" : `${count} accounts`),
    used: (when: string) => `last used ${when}`,
    unused: "never used",
    expiresAt: (when: string) => `expires ${when}`,
    expired: (when: string) => `expired ${when}`,
    remove: {
      open: (name: string) => `Delete the key “${name}”`,
      title: (name: string) => `Delete the key “${name}”?`,
      text: "What uses it is refused from now on.",
      go: "Delete the key",
      done: "The key is deleted.",
      failed: "Not deleted"
    }
  },
  webhooks: {
    text: "An address that is told at once what happens here, in signed messages.",
    failed: "The webhooks did not load",
    empty: {
      title: "No webhooks",
      text: "Another service is told when a post is published, fails, or an account needs you."
    },
    create: "Add a webhook",
    back: "Webhooks",
    unknown: "This webhook does not exist any more",
    secretOf: (url: string) => `The signing secret for ${url}`,
    secret: "Signing secret",
    url: "Address",
    urlHelp: "An http or https address on a public host.",
    urlMissing: "Enter an address.",
    description: "What it is for",
    descriptionHelp: "Only for you.",
    events: "Events",
    eventsMissing: "Choose an event.",
    types: {
      "post.created": "A post is created",
      "post.updated": "A post is changed",
      "post.deleted": "A post is deleted",
      "post.approval_requested": "A post waits for approval",
      "post.reviewed": "A client answered about a post",
      "post.scheduled": "A post got its time",
      "post.published": "A post is published",
      "post.failed": "A post failed everywhere",
      "post.result": "One account of a post is settled",
      "result.rejected": "A network withdrew a post",
      "media.ready": "A file is ready",
      "media.failed": "A file failed",
      "account.connected": "An account is connected",
      "account.expiring": "An account’s access ends soon",
      "account.warning": "An account has a warning",
      "account.needs_reconnect": "An account must be connected again",
      "account.disconnected": "An account is disconnected"
    } satisfies Record<WebhookEventType, string>,
    count: (events: number) => (events === 1 ? "1 event" : `${events} events`),
    failing: (when: string) => `fails since ${when}`,
    status: { active: "Active", paused: "Paused" },
    sendTest: "Send a test",
    tested: (status: number | null) =>
      status === null ? "The test got no answer." : `The test was answered with ${status}.`,
    pause: "Pause",
    resume: "Resume",
    change: "Change",
    save: "Save",
    rotate: {
      open: "Replace the secret",
      title: "Replace the signing secret?",
      text: "For 24 hours, messages are signed with both secrets. Then only the new one counts.",
      failed: "Not replaced"
    },
    remove: {
      open: "Delete",
      title: "Delete this webhook?",
      text: "Nothing more is sent to it, and its deliveries are forgotten.",
      done: "The webhook is deleted.",
      failed: "Not deleted"
    },
    notSaved: "Not saved",
    notSent: "Not sent",
    deliveries: {
      title: "Deliveries",
      failed: "The deliveries did not load",
      empty: "Nothing has been sent yet.",
      emptyFiltered: "None.",
      filter: "State",
      all: "All",
      states: { pending: "Waiting", delivered: "Delivered", failed: "Failed" },
      attempts: (count: number) => (count === 1 ? "1 attempt" : `${count} attempts`),
      next: (when: string) => `next ${when}`,
      answer: (status: number) => `answered ${status}`,
      error: (error: string) => error.replaceAll("_", " "),
      shown: "Message and answer",
      answered: "Answer",
      again: "Send again",
      sent: "Sent again.",
      id: "Message"
    }
  },
  notifications: {
    text: "One address where your team reads what needs a person. What happens within a minute is one message.",
    failed: "The notifications did not load",
    title: "Where you are told",
    url: "Address",
    urlHelp: "The address of an incoming webhook of your chat, an ntfy topic, or a program of yours.",
    urlKept: (url: string) => `Leave it empty to keep ${url}`,
    urlMissing: "Enter an address.",
    format: "Format",
    formatFound: "The address says so.",
    formatMissing: "Choose what the address understands.",
    formats: {
      slack: "Slack",
      discord: "Discord",
      mattermost: "Mattermost",
      ntfy: "ntfy",
      json: "JSON, for a program"
    } satisfies Record<NotificationFormat, string>,
    events: "What you are told of",
    types: {
      "post.result": "A post failed on an account, or nobody knows whether it is live",
      "post.approval_requested": "A post waits for approval",
      "account.needs_reconnect": "An account must be connected again"
    } satisfies Record<NotificationEvent, string>,
    eventsMissing: "Choose something.",
    save: "Save",
    notSaved: "Not saved",
    paused: (why: string) => `Paused: ${why}`,
    nothingYet: "There was nothing to tell yet.",
    last: "The last message",
    tested: "The test",
    answer: (what: string, when: string, { error, response_status }: NotificationAttempt) =>
      response_status === null
        ? `${what} got no answer, ${when}: ${(error ?? "").replaceAll("_", " ")}`
        : `${what} was answered with ${response_status}, ${when}`,
    sendTest: "Send a test",
    notSent: "Not sent",
    remove: {
      open: "Stop the messages",
      title: "Stop the messages?",
      text: "Nobody is told any more, and the address is forgotten.",
      done: "Nobody is told any more.",
      failed: "Not stopped"
    }
  },
  instance: {
    text: "What the operator of this service has set up.",
    apps: "Set up networks",
    none: "none",
    version: "Version",
    address: "Address",
    ready: "Networks ready",
    toSetUp: "Networks to set up",
    closed: "no network can fetch files from it: it is no https address on a public host",
    videos: "Videos",
    converted: "Converted where a network needs it",
    notConverted: "Not converted: a network may refuse them. VIDEO_TRANSCODING=on changes that.",
    largest: "Largest files",
    sizes: (image: string, video: string, document: string) =>
      `Pictures ${image}, videos ${video}, PDFs ${document}`,
    checks: "Checks",
    checksFailed: "The checks did not run",
    again: "Check again",
    levels: { ok: "Fine", warning: "Warning", problem: "Problem" } satisfies Record<
      InstanceChecks["checks"][number]["level"],
      string
    >
  },
  export: {
    text: "Everything that you see of this workspace in one file: to move elsewhere, to read with other programs, or to keep.",
    title: "Export this workspace",
    files: "With the pictures and videos",
    filesHelp:
      "All files of the library. The browser keeps them on this device until the file is saved: with many videos, use the command line.",
    go: "Export",
    reading: "Reading the posts …",
    fetching: (files: number, done: string, total: string) =>
      `${files === 1 ? "1 file" : `${files.toLocaleString()} files`}: ${done} of ${total}`,
    progress: "Progress",
    stay: "You can open other pages. Keep this tab open.",
    stop: "Stop",
    stopped: "Stopped. Nothing was saved.",
    nothing: "Nothing was saved.",
    noFile: (name: string, status: number) => `${name} did not load: the service answered ${status}.`,
    cutOff: (name: string) => `${name} did not load to its end.`,
    saved: (name: string, posts: number, files: number) =>
      `${name} is saved, with ${posts === 1 ? "1 post" : `${posts.toLocaleString()} posts`} and ${files === 1 ? "1 file" : `${files.toLocaleString()} files`}.`,
    after: "What to do with it",
    afterText:
      "Bring it into another workspace with the command line. Posts come in as drafts: nothing goes out.",
    command: "carillon import carillon-export.tar",
    notInIt:
      "It is a tar with JSON Lines. Accounts are in it by name, without their access. Not in it: API keys, webhooks, members, connected apps and the audit trail."
  },
  import: {
    text: "Posts from the rows of a spreadsheet, or of JSON Lines. You see every row, and all that is wrong with it, before a post is made.",
    title: "A file of posts",
    first:
      "CSV as a spreadsheet saves it (UTF-8), or JSON Lines: up to 5,000 rows and 10 MB. Times without a zone are the workspace’s.",
    choose: "Choose a file",
    drop: "Drop to import",
    dropText: "Nothing is made before you have seen it.",
    dropFiles: "Pictures and videos that the rows name.",
    columns: "Columns",
    columnList: [
      ["caption", "The text."],
      [
        "to",
        "The accounts: handles such as @bells, networks or numbers, with commas between them. Every row needs it."
      ],
      ["at", "The time, such as 2030-12-24 09:00, or “now”. Or true in “queue” or “draft”."],
      ["media", "Addresses, or names of files, which you then choose."],
      ["thread_2, thread_2_media", "The second post of a thread, and its files; and so on."],
      ["network.option", "An option, such as tiktok.title or @bells.caption."]
    ],
    noFormat: (name: string) =>
      `${name} is neither CSV nor JSON Lines. Its name should end in .csv or .jsonl.`,
    tooLarge: "The file is larger than 10 MB. Divide it.",
    tooMany: (rows: number, most: number) =>
      `The file has ${rows.toLocaleString()} rows, and ${most.toLocaleString()} can be imported at once. Divide it.`,
    noRows: (name: string) => `${name} has no rows.`,
    noTime: (text: string) =>
      `at is “${text}”. Write a time as 2030-12-24 09:00; only the command line reads words such as “tomorrow”.`,
    noFile: (where: string, name: string) => `${where}: ${name} is not among the files that you chose.`,
    another: "Another file",
    checking: (done: number, total: number) =>
      `Checking: ${done.toLocaleString()} of ${total.toLocaleString()} rows`,
    making: (done: number, total: number) =>
      `Making posts: ${done.toLocaleString()} of ${total.toLocaleString()}`,
    summary: (total: number, wrong: number, made: number, failed: number) =>
      [
        `${total.toLocaleString()} ${total === 1 ? "row" : "rows"}`,
        ...(wrong > 0 ? [`${wrong.toLocaleString()} with problems`] : []),
        ...(made > 0 ? [`${made.toLocaleString()} made`] : []),
        ...(failed > 0 ? [`${failed.toLocaleString()} not made`] : [])
      ].join(", "),
    progress: "Progress",
    safe: "What is made is not made twice.",
    missing: (names: string, count: number) =>
      count === 1
        ? `A row names the file ${names}.`
        : `The rows name ${count} files: ${names}${count > 5 ? " …" : ""}`,
    chooseFiles: "Choose the files",
    goingOut: (count: number) =>
      count === 1 ? "1 post goes out at once." : `${count} posts go out at once.`,
    leftOut:
      "Rows with problems are left out. Mend them in the file and import it again within a day: rows that you have not changed are not made twice.",
    make: (count: number) => (count === 1 ? "Make the post" : `Make ${count.toLocaleString()} posts`),
    goOn: (count: number) => (count === 1 ? "Try 1 row again" : `Go on with ${count.toLocaleString()} rows`),
    checkAgain: "Check the rest",
    stop: "Stop",
    rows: "Rows",
    all: (count: number) => `All ${count.toLocaleString()}`,
    wrong: (count: number) => `With problems ${count.toLocaleString()}`,
    line: (line: number) => `line ${line}`,
    noText: "No text",
    files: (count: number) => (count === 1 ? "1 file" : `${count} files`),
    open: "Open",
    when: { now: "at once", queue: "in the queue", draft: "a draft" },
    states: {
      unchecked: "Not checked yet",
      wrong: "Has problems",
      ready: "In order",
      made: "Made",
      before: "Made before",
      failed: "Not made"
    }
  },
  backups: {
    text: "One file with everything in it, from which the service can be restored. It is made while the service runs.",
    failed: "The backups did not load",
    scheduled: "Scheduled backups",
    none: "The service makes none. Set BACKUP_EVERY and BACKUP_TO.",
    every: (interval: string) => `One every ${interval}.`,
    hours: (count: number) => (count === 1 ? "hour" : `${count} hours`),
    days: (count: number) => (count === 1 ? "day" : `${count} days`),
    last: (when: string) => `The last one succeeded ${when}.`,
    noneYet: "None has been made yet.",
    running: (when: string) => `One is being made, since ${when}.`,
    broken: (when: string, why: string) => `The one of ${when} failed: ${why}`,
    make: "Make one now",
    media: "Include media files",
    mediaHelp: "Pictures and videos, which may be many gigabytes.",
    passphrase: "Passphrase",
    passphraseHelp:
      "Encrypts the service’s secret into the file. Without it, accounts must be connected again after a restore elsewhere.",
    passphraseShort: "Enter at least 12 characters, or none.",
    download: "Download a backup",
    notMade: "Not made"
  },
  audit: {
    text: "Sign-ins, and changes of who may do what. Kept for a year.",
    failed: "The audit trail did not load",
    empty: "No entries.",
    kind: "Kind",
    all: "Everything",
    kinds: {
      sign: "Sign-ins",
      member: "Members",
      app: "Apps",
      api_key: "API keys",
      account: "Accounts",
      webhook: "Webhooks",
      notifications: "Notifications",
      post: "Approvals",
      instance: "Instance"
    },
    period: "Period",
    periods: { 1: "Last day", 7: "Last 7 days", 30: "Last 30 days" },
    year: "Last year",
    csv: "Download as CSV",
    csvHelp: "In the file, a cell that a spreadsheet would take for a formula begins with an apostrophe.",
    columns: [
      "at",
      "actor_type",
      "actor_id",
      "actor_name",
      "action",
      "subject_type",
      "subject_id",
      "subject_name",
      "address"
    ],
    unknown: "Somebody",
    instance: "The service",
    configuredKey: "The configuration’s key",
    from: (address: string) => `from ${address}`,
    actions: {
      "sign_in.accepted": "signed in",
      "sign_in.refused": "was refused at the sign-in",
      "sign_in.code_refused": "gave the password and a wrong code",
      "sign_in.new_device": "signed in with a new browser",
      "password.refused": "gave a wrong password",
      "sign_out.everywhere": "signed out everywhere",
      "totp.set": "set up an authenticator app",
      "totp.removed": "removed the authenticator app",
      "recovery_codes.replaced": "replaced the recovery codes",
      "recovery_code.used": "signed in with a recovery code",
      "passkey.created": "added the passkey",
      "passkey.deleted": "removed the passkey",
      "owner_link.created": "made an owner’s link",
      "member.created": "added the member",
      "member.updated": "changed the member",
      "app.connected": "connected the app",
      "app.updated": "changed the app",
      "app.disconnected": "disconnected the app",
      "api_key.created": "created the key",
      "api_key.deleted": "deleted the key",
      "account.connected": "connected the account",
      "account.refused": "was refused the account",
      "account.reconnected": "connected again the account",
      "account.disconnected": "disconnected the account",
      "webhook.created": "added the webhook",
      "webhook.updated": "changed the webhook",
      "webhook.secret_rotated": "replaced the secret of the webhook",
      "webhook.deleted": "deleted the webhook",
      "notifications.set": "set where people are told:",
      "notifications.deleted": "stopped the messages to",
      "review_link.created": "asked a client about a post",
      "review_link.revoked": "revoked a review link of a post",
      "post.approved": "approved a post",
      "post.refused": "refused a post",
      "workspace.created": "created the workspace",
      "backup.created": "made a backup",
      "platform_app.set": "saved the network app",
      "platform_app.removed": "removed the network app"
    } satisfies Record<AuditEntry["action"], string>
  },
  workspace: {
    title: "Workspace",
    text: "For everybody who works here.",
    name: "Name",
    nameMissing: "Enter a name.",
    save: "Save the name"
  },
  zone: {
    label: "Time zone",
    list: "All time zones",
    unknown: "No place has this name. Try the nearest large city.",
    help: "The calendar, the queue and every time that you enter use this zone.",
    title: (place: string) => `Change to ${place} time?`,
    posts: (before: string, after: string, from: string, to: string) =>
      `Scheduled posts go out at the same moment as before. One for ${before} ${from} time is shown at ${after} ${to} time.`,
    queue: (place: string) =>
      `The queue’s slots keep their clock time: 09:00 is then 09:00 in ${place}. Posts already in the queue go out at the same moment as before.`,
    ownQueue: (place: string) => `The queue has its own zone, ${place}, and stays as it is.`,
    confirm: (place: string) => `Use ${place} time`,
    keep: (place: string) => `Keep ${place} time`,
    otherClock: (place: string) =>
      `This computer’s clock is in ${place}. Point at a time to see it on that clock.`
  },
  lateness: {
    label: "How late a post may go out",
    help: "If the service was down at its time. A later one fails, and you decide.",
    within: (time: string) => `Up to ${time}`,
    minutes: (count: number) => (count === 1 ? "a minute" : `${count} minutes`),
    hours: (count: number) => (count === 1 ? "an hour" : `${count} hours`),
    days: (count: number) => (count === 1 ? "a day" : `${count} days`),
    failed: "Not saved"
  },
  clientApproval: {
    label: "A client’s yes approves",
    help: "By a link that a person made, a yes lets a post go out that waits for approval. Otherwise it is only shown to you.",
    failed: "Not saved"
  },
  browser: {
    title: "This browser",
    text: "Only for you.",
    theme: "Theme",
    themes: { system: "System", light: "Light", dark: "Dark" },
    week: "The week begins on",
    weekOfLanguage: (weekday: string) => `${weekday}, as usual in your language`,
    weekdays: { 1: "Monday", 6: "Saturday", 7: "Sunday" },
    keys: "Single-letter shortcuts",
    keysHelp: "Switch them off if you dictate or press letters by accident."
  },
  keys: {
    title: "Keyboard shortcuts",
    key: "Key",
    does: "What it does",
    list: [
      { keys: ["N"], does: "Write a post" },
      { keys: ["T"], does: "Calendar: today" },
      { keys: ["←", "→"], does: "Calendar: earlier and later" },
      { keys: ["1", "2", "3", "4"], does: "Calendar: 4 weeks, month, week, agenda" },
      { keys: ["Arrows"], does: "Move from post to post and from day to day" },
      { keys: ["Enter"], does: "Open the selected item" },
      { keys: ["M"], does: "Pick up a post: arrows move it, Enter drops it, Escape cancels" },
      { keys: ["Ctrl or ⌘", "Z"], does: "Calendar: undo the last move" }
    ]
  }
} as const
