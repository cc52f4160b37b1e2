/** The words of the result page. */
export const resultWords = {
  back: "Back",
  untitled: "A post without text",
  zone: (place: string) => `${place} time`,
  by: (name: string) => `by ${name}`,
  when: {
    draft: "A draft",
    planned: (at: string) => `Scheduled for ${at}`,
    due: (at: string) => `Was due ${at}`,
    sent: (at: string) => `Sent ${at}`,
    going: (at: string) => `Going out since ${at}`
  },
  summary: {
    failed: (count: number, total: number) =>
      total === 1 ? "Failed" : count === total ? `All ${total} failed` : `${count} of ${total} failed`,
    broken: () => "A thread broke off",
    rejected: (count: number, total: number) => (total === 1 ? "Rejected" : `${count} of ${total} rejected`),
    repaired: (count: number, total: number) =>
      total === 1 ? "Repaired" : count === total ? `All ${total} repaired` : `${count} of ${total} repaired`,
    doubt: (count: number) => (count === 1 ? "1 to check" : `${count} to check`),
    blocked: () => "Waiting for an account",
    going: () => "Going out",
    waiting: () => "Waiting for its next try",
    planned: () => "Scheduled",
    live: (total: number) => (total === 1 ? "Live" : `Live on all ${total}`)
  },
  state: {
    failed: (at: string | null, tries: number) =>
      `Failed${at === null ? "" : ` ${at}`}${tries > 1 ? `, after ${tries} tries` : ""}`,
    notLive: "Not live",
    broken: (live: number, total: number) => `Broke off: ${live} of ${total} are live`,
    doubt: (at: string | null) =>
      at === null ? "May be live: the answer was lost" : `May be live: the answer was lost at ${at}`,
    restored: "May be live since before the backup",
    blocked: (name: string) => `Waiting for ${name} to be connected again`,
    going: "Going out",
    waiting: (at: string, wait: string) => `Goes out ${at}, in ${wait}`,
    planned: (at: string) => `Goes out ${at}`,
    unplanned: "Has no time yet",
    live: (at: string | null) => (at === null ? "Live" : `Live since ${at}`),
    inReview: (since: string) => `${since}, in review`,
    rejected: "Rejected after it was published",
    repaired: "Repaired: live",
    repairedAt: "Repaired: live at"
  },
  why: {
    reconnectWaits: (network: string) =>
      `${network} no longer accepts this account’s access. Connect it again and the post goes out by itself.`,
    disconnected:
      "The account is disconnected. Connect it again before the post is due and it goes out by itself.",
    demo: (network: string) => `This was a demo account on ${network}, and the network is real here now.`,
    reconnect: (network: string) =>
      `${network} no longer accepts this account’s access. Connect it again, then try again.`,
    connectedAgain: "The account is connected again, so the post can be sent now.",
    said: (network: string, said: string) => `${network} did not accept it: “${said}”`,
    busy: (network: string) => `${network} wants fewer posts for a while.`,
    passing: (network: string) => `${network} had a problem. The service tries again by itself.`,
    rejected: (network: string, reason: string | null) =>
      reason === null
        ? `${network} reviewed it and rejected it, and does not say why. Check its rules for posts, then write a new version.`
        : `${network} reviewed it and rejected it: “${reason}”. Write a new version without what it objects to.`,
    missed: "The service was not running when the post was due, and too much time has passed since.",
    look: "Look at the account before you answer.",
    restored:
      "It was due before the service was restored from a backup. Look at the account before you answer.",
    notLive: "It is not on the account. You can send it again.",
    repair: {
      waiting: "A repair is written or scheduled. It has not gone out yet.",
      publishing: "Its repair is going out.",
      unconfirmed: "Its repair may be live. Look at the account, and answer there.",
      published: "Its repair was rejected after it was published. Write a new version there."
    }
  },
  items: {
    published: "Live",
    failed: "Not accepted",
    unconfirmed: "May be live",
    publishing: "Going out",
    waiting: "Waiting",
    notSent: "Not sent",
    open: (index: number) => `Open post ${index} of the thread`
  },
  answer: (network: string) => `${network}’s answer`,
  details: "What exactly happened",
  openAccount: (name: string) => `Open ${name}`,
  open: "Open",
  openOn: (network: string, name: string) => `Open the post on ${network}, ${name}`,
  act: {
    reconnect: (name: string) => `Connect ${name} again`,
    edit: "Edit and retry",
    rewrite: "Write a new version",
    repair: "Open the repair",
    again: "Try again",
    goOn: "Continue from there",
    sendAgain: "Send again",
    copy: "Copy details",
    stop: "Stop trying",
    live: "It is live",
    notLive: "It is not live",
    retryFailed: (count: number) => `Retry all ${count} failed`,
    duplicate: "Duplicate"
  },
  liveDialog: {
    title: (name: string) => `It is live on ${name}`,
    text: "The post then counts as sent and is not sent again.",
    address: "Address of the post",
    help: "Optional. It becomes the link to the post.",
    wrong: "This is not the address of a page. Enter one that begins with https://",
    cancel: "Cancel",
    confirm: "It is live"
  },
  againDialog: {
    title: (network: string) => `Send it to ${network} again?`,
    text: "The first answer was lost, so it may be live already. If you send it again, it may appear twice.",
    looked: (name: string) => `I looked: it is not on ${name}`,
    lookFirst: "Tick this when you have looked.",
    cancel: "Look first",
    leave: "Leave it unsent",
    confirm: "Send again"
  },
  edit: "Edit",
  fixed: {
    going: "It is going out, so it can no longer be changed.",
    live: "It is live already, so it can no longer be changed here. Duplicate it to write a new version.",
    doubt: "It may be live already, so it can no longer be changed here.",
    failed: "It was refused and can no longer be changed.",
    repaired: "It was refused, and another post went out instead."
  },
  done: {
    live: (name: string) => `Noted: live on ${name}`,
    notLive: (name: string) => `Noted: not on ${name}`,
    again: "On its way again",
    stopped: "Stopped. It is a draft now",
    copied: "Copied",
    notCopied: "Not copied. Select the details below and copy them.",
    somebody: "Somebody else answered first"
  },
  notDone: "Not done",
  notStopped: "Not stopped",
  said: (network: string, name: string, state: string) => `${network} ${name}: ${state}`,
  results: "What became of it",
  more: "More about the post",
  tabs: { history: "History", sent: "What was sent" },
  history: {
    made: (name: string | null) => (name === null ? "The post was written." : `${name} wrote the post.`),
    approval: {
      asked: (name: string | null) => `${name ?? "An app"} asked for approval.`,
      approved: (name: string | null) => (name === null ? "It was approved." : `${name} approved it.`),
      refused: (name: string | null) => (name === null ? "It was refused." : `${name} refused it.`)
    },
    planned: (at: string) => `It was due: ${at}.`,
    outcome: {
      published: " accepted it.",
      failed: " did not accept it.",
      unconfirmed: " gave no answer. It may be live.",
      waiting: " did not accept it yet. It will be tried again.",
      publishing: " has it. The outcome is not known yet."
    },
    more: (count: number) => `${count} more accounts are not shown.`
  },
  sent: {
    all: (count: number) => (count === 1 ? "To the account" : `To all ${count} accounts`),
    noText: "No text",
    own: (network: string, name: string, what: string) => `${name} on ${network} got its own ${what}.`,
    ownMany: (count: number, what: string) => `${count} accounts got their own ${what}.`,
    ownParts: { text: "text", files: "files", both: "text and files", either: "text or files" },
    compare: "Compare"
  },
  facts: {
    post: "The post",
    title: "Facts",
    planned: "Scheduled",
    first: "First live",
    by: "By",
    repairs: "Repair of",
    failure: "a post that failed",
    media: "Media",
    none: "none",
    gone: "a file that is gone"
  },
  gone: {
    title: "This post is gone",
    text: "Somebody deleted it, or it belongs to another workspace.",
    back: "Back to the calendar"
  },
  today: "today",
  tomorrow: "tomorrow",
  yesterday: "yesterday",
  hours: (hours: number, minutes: number) => (minutes === 0 ? `${hours} h` : `${hours} h ${minutes} min`),
  minutes: (minutes: number) => (minutes < 1 ? "less than a minute" : `${minutes} min`),
  days: (days: number) => (days === 1 ? "1 day" : `${days} days`)
} as const
