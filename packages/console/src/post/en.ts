import type { PostState } from "./PostState.ts"

/** The words of this room. */
export const words = {
  room: "Calendar",
  previous: {
    weeks: "Previous four weeks",
    month: "Previous month",
    week: "Previous week",
    agenda: "Earlier",
    day: "Previous day",
    days: "Previous three days"
  },
  next: {
    weeks: "Next four weeks",
    month: "Next month",
    week: "Next week",
    agenda: "Later",
    day: "Next day",
    days: "Next three days"
  },
  today: "Today",
  tomorrow: "Tomorrow",
  views: { weeks: "4 weeks", month: "Month", week: "Week", agenda: "Agenda", day: "Day", days: "3 days" },
  pastWeeks: { show: "Show three past weeks", hide: "Hide past weeks" },
  allStates: "All states",
  zone: (place: string) => `${place} time`,
  more: "more",
  moreOf: (count: number, day: string) => `${count} more posts on ${day}`,
  countOf: (count: number, state: PostState): string => `${count} ${words.states[state].toLowerCase()}`,
  /** Posts of a week that share a block. */
  block: {
    more: (count: number) => `${count} more`,
    at: (time: string) => `at ${time}`,
    from: (time: string) => `from ${time}`
  },
  freeSlot: "free slot",
  noText: "No text",
  withMedia: "with media",
  thread: (count: number) => `a thread of ${count} posts`,
  states: {
    planned: "Scheduled",
    blocked: "Waiting for an account",
    going: "Going out",
    sent: "Sent",
    failed: "Failed",
    doubt: "May be live",
    draft: "Draft",
    approval: "Waiting for approval"
  } satisfies Record<PostState, string>,
  counts: {
    scheduled: (count: number) => `${count} scheduled`,
    published: (count: number) => `${count} sent`,
    failed: (count: number) => `${count} failed`,
    draft: (count: number) => (count === 1 ? "1 draft" : `${count} drafts`)
  },
  accounts: {
    label: "Accounts",
    all: "All accounts",
    chosen: (count: number) => `${count} chosen`,
    clear: "Clear",
    more: (count: number) => (count === 1 ? "1 account" : `${count} accounts`),
    search: (count: number) => `Search ${count} accounts`,
    none: (sought: string) => `No account matches “${sought.trim()}”`
  },
  undated: {
    count: (count: number) => (count === 1 ? "1 draft without a day" : `${count} drafts without a day`),
    title: "Drafts without a day",
    hint: {
      agenda: "Open one to give it a time.",
      grid: "Open one to give it a time, or drag it onto a day."
    },
    more: (count: number) => (count === 1 ? "and 1 more" : `and ${count} more`)
  },
  empties: (span: string, past: boolean) => `${span}: ${past ? "nothing went out" : "nothing scheduled"}`,
  posts: (count: number) => (count === 1 ? "1 post" : `${count} posts`),
  write: "Write",
  writeOn: (day: string) => `Write a post for ${day}`,
  writeAt: (day: string, time: string) => `Write a post for the free slot on ${day}, ${time}`,
  reconnect: (network: string, name: string) => `${network} ${name} has to be connected again.`,
  edit: "Edit",
  openPost: "Open",
  duplicate: "Duplicate",
  moveTo: "Move to…",
  remove: "Delete…",
  moving: {
    title: "Move to",
    day: "Day",
    time: "Time",
    confirm: "Move",
    cancel: "Cancel",
    past: "This time has passed. Choose a later one."
  },
  removing: {
    title: "Delete this post?",
    text: "It has not been published anywhere. Deleting cannot be undone.",
    confirm: "Delete",
    keep: "Keep it"
  },
  carry: {
    picked: (what: string) =>
      `${what} picked up. Move it with the arrow keys, drop it with Enter, cancel with Escape.`,
    over: (day: string, time: string) => `${day}, ${time}`,
    left: "It stays where it was."
  },
  moved: (day: string, time: string) => `Moved to ${day}, ${time}`,
  movedFromQueue: (day: string, time: string) => `Moved to ${day}, ${time}. It left its queue slot.`,
  movedBack: "Moved back",
  backInQueue: "Back in its queue slot",
  deleted: "Deleted",
  notMovedBecause: (why: string) => `Not moved: ${why}`,
  notMovedSince: "Not moved: it was changed meanwhile",
  moveAnyway: "Move it anyway",
  underway: "It is already going out",
  reconnectAccount: "Reconnect",
  /** Stands beside the name of a network that the test network plays. */
  testMark: "Test",
  notMoved: "Not moved",
  notDeleted: "Not deleted",
  empty: {
    title: "Nothing is scheduled yet",
    text: "Write a post and give it a day. Posts that agents and scripts write appear here too.",
    write: "New post"
  },
  noMatch: { title: "No post matches these filters", clear: "Clear the filters" },
  failedToLoad: "The calendar did not load"
} as const
