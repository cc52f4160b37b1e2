/** The words of this room. */
export const words = {
  room: "Activity",
  needs: "Needs you",
  keys: "Go through with",
  lastDays: (days: number) => `What failed in the last ${days} days`,
  nothing: {
    title: "Nothing needs you",
    sent: (count: number) =>
      count === 0
        ? "Nothing went out this week."
        : count === 1
          ? "1 post went out this week."
          : `${count} posts went out this week.`,
    next: (at: string) => `The next one rings ${at}.`
  },
  reconnect: {
    title: (network: string, name: string) => `${network} ${name} has to be connected again`,
    gone: (network: string, name: string) => `${network} ${name} is disconnected`,
    waiting: (total: number, next: string) =>
      total === 1
        ? `1 post waits for it, due ${next}. It goes out by itself after that.`
        : `${total} posts wait for it, the next one due ${next}. They go out by themselves after that.`,
    late: (total: number, since: string) =>
      total === 1
        ? `1 post waits for it since ${since}. It goes out by itself after that.`
        : `${total} posts wait for it, the first since ${since}. They go out by themselves after that.`,
    failed: (count: number) =>
      count === 1 ? "1 post has failed for it." : `${count} posts have failed for it.`,
    none: "No post waits for it yet.",
    act: "Reconnect"
  },
  doubt: {
    title: (network: string, text: string) => `${network}: is “${text}” live?`,
    text: (at: string) => `The answer was lost ${at}. Look at the account before you answer.`
  },
  restored: {
    title: (network: string, name: string, count: number) =>
      count === 1
        ? `${network} ${name}: is a post from before the backup live?`
        : `${network} ${name}: are ${count} posts from before the backup live?`,
    text: "The service was restored after they were due. Look at the account before you answer.",
    act: "Go through them"
  },
  failed: {
    one: (network: string, text: string) => `${network} did not take “${text}”`,
    broken: (network: string, text: string) => `The chain “${text}” broke off on ${network}`,
    several: (networks: string, text: string) => `“${text}” did not go out to ${networks}`,
    posts: (network: string, name: string, count: number) =>
      `${count} posts did not go out to ${network} ${name}`,
    open: "Open",
    again: "Try again",
    allAgain: "Try all again",
    edit: "Edit and retry",
    details: "See details",
    sendAgain: "Send again",
    leave: "Leave it as it is",
    left: "Nobody is asked about it any more",
    noConnection: "Not left: no connection",
    undo: "Undo"
  },
  ends: {
    title: (network: string, name: string, days: number) =>
      days < 1
        ? `${network} ${name}: its access ends today`
        : days === 1
          ? `${network} ${name}: its access ends tomorrow`
          : `${network} ${name}: its access ends in ${days} days`,
    text: "It was not renewed by itself. Connect it again before, and nothing has to wait."
  },
  approvals: {
    title: (count: number) =>
      count === 1 ? "1 post waits for your approval" : `${count} posts wait for your approval`,
    text: (name: string, at: string | null) =>
      at === null ? `${name} asked first.` : `${name} asked first, for ${at}.`,
    act: "Review"
  },
  andMore: (count: number) => `and ${count} more`,
  noText: "a post without text",
  happened: {
    title: "What happened",
    live: (text: string, count: number) => [text, count === 1 ? " is live" : ` is live on ${count} accounts`],
    part: (text: string, live: number, total: number) => [text, ` is live on ${live} of ${total} accounts`],
    failed: (text: string) => [text, " failed"],
    doubt: (text: string) => [text, " may be live"],
    going: (text: string) => [text, " is going out"],
    blocked: (text: string) => [text, " waits for an account"],
    nothing: "Nothing went out in the last week.",
    more: (count: number) => `${count} more on this day`
  },
  today: "Today",
  yesterday: "Yesterday",
  now: {
    title: "Going out now",
    none: "Nothing at this moment.",
    progress: (live: number, total: number) => `${live} of ${total} live`,
    state: {
      failed: "failed",
      broken: "broke off",
      doubt: "may be live",
      blocked: "waits for the account",
      going: "going out",
      waiting: "tried again later",
      planned: "planned",
      live: "live"
    }
  },
  next: {
    title: "Next",
    calendar: "Calendar",
    none: "Nothing is planned for the next week.",
    blocked: "An account has to be connected again"
  },
  week: { title: "This week", sent: "sent", failed: "failed", planned: "planned" },
  solved: (next: string) => `Solved. Next: ${next}`,
  allSolved: "Solved. Nothing needs you.",
  failedToLoad: "The activity did not load"
} as const
