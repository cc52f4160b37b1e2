/** The words of this room. */
export const words = {
  needs: "Needs you",
  keys: "Move with",
  lastDays: (days: number) => `What failed stays here for ${days} days.`,
  nothing: {
    title: "Nothing needs you",
    sent: (count: number) =>
      count === 0
        ? "Nothing went out this week."
        : count === 1
          ? "1 post went out this week."
          : `${count} posts went out this week.`,
    next: (at: string) => `The next one goes out ${at}.`
  },
  reconnect: {
    title: (network: string, name: string) => `${network} ${name} has to be connected again`,
    gone: (network: string, name: string) => `${network} ${name} is disconnected`,
    waiting: (total: number, next: string) =>
      total === 1
        ? `1 post is waiting for it, due ${next}. Once the account is connected, the post goes out by itself.`
        : `${total} posts are waiting for it, the next one due ${next}. Once the account is connected, they go out by themselves.`,
    late: (total: number, since: string) =>
      total === 1
        ? `1 post has been waiting for it since ${since}. Once the account is connected, the post goes out by itself.`
        : `${total} posts are waiting for it, the first since ${since}. Once the account is connected, they go out by themselves.`,
    willFail: (total: number, next: string) =>
      total === 1
        ? `1 post is scheduled for it, due ${next}, and fails then unless the account is connected again.`
        : `${total} posts are scheduled for it, the next one due ${next}. Each fails when it is due unless the account is connected again.`,
    failed: (count: number) =>
      count === 1 ? "1 post to it has failed." : `${count} posts to it have failed.`,
    none: "No post is waiting for it yet.",
    act: "Reconnect"
  },
  doubt: {
    title: (network: string, name: string, text: string) => `Is “${text}” live on ${network} ${name}?`,
    text: (at: string) => `The answer was lost ${at}. Look at the account before you answer.`,
    look: "Open the account"
  },
  restored: {
    title: (network: string, name: string, count: number) =>
      count === 1
        ? `${network} ${name}: is a post from before the backup live?`
        : `${network} ${name}: are ${count} posts from before the backup live?`,
    text: "They were due before the service was restored from a backup. Look at the account before you answer.",
    act: "Go through them"
  },
  failed: {
    one: (network: string, text: string) => `${network} did not accept “${text}”`,
    broken: (network: string, text: string) => `The thread “${text}” broke off on ${network}`,
    rejected: (network: string, text: string) => `${network} rejected “${text}” after it was published`,
    several: (networks: string, text: string) => `“${text}” did not go out to ${networks}`,
    posts: (network: string, name: string, count: number) =>
      `${count} posts did not go out to ${network} ${name}`,
    again: "Try again",
    allAgain: "Try all again",
    edit: "Edit and retry",
    details: "See details",
    sendAgain: "Send again",
    leave: "Dismiss",
    left: "Dismissed for everybody",
    notDismissed: "Not dismissed"
  },
  ends: {
    title: (network: string, name: string, days: number) =>
      days < 1
        ? `Access to ${network} ${name} ends today`
        : days === 1
          ? `Access to ${network} ${name} ends tomorrow`
          : `Access to ${network} ${name} ends in ${days} days`,
    text: "It did not renew by itself. Connect the account again before then, so that no post has to wait."
  },
  approval: {
    title: (text: string) => `“${text}” is waiting for your approval`
  },
  approvals: {
    title: (count: number) =>
      count === 1
        ? "1 more post is waiting for your approval"
        : `${count} more posts are waiting for your approval`,
    text: "The page of approvals shows them all.",
    act: "Review"
  },
  andMore: (count: number) => `and ${count} more`,
  noText: "a post without text",
  happened: {
    title: "What happened",
    live: (text: string, count: number) => [text, count === 1 ? " is live" : ` is live on ${count} accounts`],
    part: (text: string, live: number, total: number) => [text, ` is live on ${live} of ${total} accounts`],
    failed: (text: string) => [text, " failed"],
    repaired: (text: string) => [text, " was repaired"],
    rejected: (text: string, rejected: number, total: number) => [
      text,
      rejected === total
        ? " was rejected after it was published"
        : ` was rejected on ${rejected} of ${total} accounts after it was published`
    ],
    broke: (text: string) => [text, " broke off"],
    doubt: (text: string) => [text, " may be live"],
    going: (text: string) => [text, " is going out"],
    blocked: (text: string) => [text, " is waiting for an account"],
    more: (count: number) => `${count} more on this day`
  },
  today: "Today",
  yesterday: "Yesterday",
  now: {
    title: "Going out now",
    none: "Nothing right now.",
    progress: (live: number, total: number) => `${live} of ${total} live`,
    state: {
      failed: "failed",
      broken: "broke off",
      rejected: "rejected",
      doubt: "may be live",
      blocked: "waiting for the account",
      going: "going out",
      waiting: "will be tried again",
      planned: "scheduled",
      live: "live",
      repaired: "repaired"
    }
  },
  next: {
    title: "Next",
    calendar: "Calendar",
    none: "Nothing is scheduled for the next week.",
    blocked: "An account has to be connected again"
  },
  week: {
    title: "This week",
    each: "Each account of a post counts.",
    sent: "sent",
    failed: "failed",
    planned: "scheduled",
    atLeast: (count: number) => `${count}+`
  },
  solved: (next: string) => `Solved. Next: ${next}`,
  allSolved: "Solved. Nothing needs you.",
  failedToLoad: "The activity did not load"
} as const
