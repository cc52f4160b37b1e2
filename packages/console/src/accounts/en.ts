import { words as postWords } from "../post/en.ts"
import { platformName } from "@carillon/domain/PlatformFacts"
import { networkName, type OnNetwork } from "../data/networkName.ts"

const scheduledPosts = (count: number) => (count === 1 ? "1 scheduled post" : `${count} scheduled posts`)

/** The words of this room. */
export const words = {
  room: "Accounts",
  needing: "Accounts that need you",
  count: (all: number, broken: number) =>
    `${all === 1 ? "1 account" : `${all} accounts`}${broken === 0 ? "" : `, ${broken} ${broken === 1 ? "needs" : "need"} you`}`,
  search: "Search accounts",
  apps: "Network apps",
  connect: "Connect an account",
  states: {
    connected: "Connected",
    soon: "Ends soon",
    needs_reconnect: "Access ended",
    disconnected: "Disconnected",
    demo: "Demo account"
  },
  /** What a state asks for. */
  acts: {
    soon: "Renew",
    needs_reconnect: postWords.reconnectAccount,
    disconnected: "Connect again",
    demo: "Remove…"
  } as Readonly<Partial<Record<"connected" | "soon" | "needs_reconnect" | "disconnected" | "demo", string>>>,
  ends: {
    on: (day: string) => `until ${day}`,
    renewed: (day: string) => `renews itself before ${day}`,
    inDays: (days: number) => (days === 0 ? "today" : days === 1 ? "tomorrow" : `in ${days} days`)
  },
  waiting: (count: number) => `${scheduledPosts(count)} ${count === 1 ? "is" : "are"} waiting for it.`,
  waitingNext: (count: number, next: string) =>
    count === 1
      ? `1 scheduled post is waiting for it, ${next}.`
      : `${scheduledPosts(count)} are waiting for it, the next one ${next}.`,
  waitingSince: (count: number, first: string) =>
    count === 1
      ? `1 scheduled post has been waiting for it since ${first}.`
      : `${scheduledPosts(count)} are waiting for it, the first since ${first}.`,
  at: (day: string, time: string) => `${day} at ${time}`,
  today: "today",
  tomorrow: "tomorrow",
  yesterday: "yesterday",
  scheduled: (count: number, atLeast: boolean) =>
    atLeast ? `${count}+ scheduled posts` : scheduledPosts(count),
  ofAccount: (account: OnNetwork & { readonly name: string }) => `${networkName(account)} ${account.name}`,
  more: (account: OnNetwork & { readonly name: string }) => `${networkName(account)} ${account.name}: more`,
  test: {
    plays: (platform: string) =>
      `The test network plays ${platformName(platform)} here. Nothing reaches ${platformName(platform)}.`
  },
  demo: {
    text: ({ platform, status }: { readonly platform: string; readonly status: string }) =>
      status === "connected"
        ? `You have a real account on ${platformName(platform)} now. What goes to this one still stays on the test network.`
        : `${platformName(platform)} is real here now, so nothing is published to it any more, and its scheduled posts fail when they are due.`,
    removing: (name: string) => `Remove ${name}?`,
    kept: "Its drafts and published posts stay.",
    confirm: "Remove",
    removed: (name: string) => `Removed ${name}`
  },
  disconnect: "Disconnect…",
  kept: "Access is stored encrypted on this server. Before you disconnect an account, you see how many scheduled posts would fail.",
  empty: {
    title: "No account is connected yet",
    text: "Connect one to send posts to it. On the test network, you can try everything without publishing anything."
  },
  emptyWithoutTest: "Connect one to send posts to it.",
  noMatch: (text: string) => `No account matches “${text}”`,
  clear: "Clear the search",
  failedToLoad: "The accounts did not load",
  connecting: {
    title: "Connect an account",
    choose: "Where should posts go?",
    networks: "Networks",
    loading: "Loading the networks",
    failed: "The networks did not load",
    titleOf: (platform: string) =>
      platform === "sandbox" ? "Connect to the test network" : `Connect ${platformName(platform)}`,
    again: (network: string, name: string) => `Reconnect ${network} ${name}`,
    byConsent: (platform: string) => `You authorize it on ${platformName(platform)}`,
    needsApp: "Needs an app of your own",
    notConfigured: (platform: string) =>
      `${platformName(platform)} lets this service in only through an app registered there. An owner of this service has to set it up.`,
    setUp: "Set it up",
    /** Where a person goes who has not named it yet. */
    ownServer: "your server",
    journey: (place: string) => `You go to ${place}, allow this service to post, and come back here.`,
    journeyAgain: (place: string, name: string) =>
      `You go to ${place} and come back here. Sign in there as ${name}. It stays the same account, and the posts waiting for it go out.`,
    alsoAllow: "Also allow",
    login: "Sign in with",
    logins: { facebook: "A Facebook Page", linkedin: "Your profile", linkedin_pages: "A page" } as Readonly<
      Record<string, string>
    >,
    go: (place: string) => `Go to ${place}`,
    opening: (place: string) => `Opening ${place}…`,
    others: "Offer the other accounts of this sign-in too",
    withToken: (label: string) =>
      `Use ${/^[aeiou]/iu.test(label) ? "an" : "a"} ${label.charAt(0).toLowerCase()}${label.slice(1)} instead`,
    submit: "Connect",
    submitting: "Connecting…",
    back: "Other networks",
    cancel: "Cancel",
    close: "Close"
  },
  choosing: {
    title: "Choose accounts",
    titleOf: (network: string) => `Choose ${network} accounts`,
    text: (network: string, count: number) =>
      `Your sign-in at ${network} gives access to ${count} accounts. Which ones may posts go to? Access to the others is deleted.`,
    accounts: "Accounts of the sign-in",
    search: "Search accounts",
    all: (count: number) => `All ${count}`,
    allFound: (count: number) => `All ${count} that match`,
    here: "Connected already",
    count: (chosen: number, all: number) => `${chosen} of ${all} chosen`,
    connect: (count: number) =>
      count === 0 ? "Connect" : count === 1 ? "Connect 1 account" : `Connect ${count} accounts`,
    none: "Choose at least one account.",
    failed: "The accounts did not load",
    gone: "This choice has ended: it was open for 15 minutes, or someone else began it. Start again to connect accounts.",
    again: "Start again"
  },
  connected: (name: string) => `Connected ${name}`,
  reconnected: (name: string) => `Reconnected ${name}`,
  connectedSeveral: (count: number) => `Connected ${count} accounts`,
  another: {
    title: "You connected another account",
    text: (wanted: string, got: string) =>
      `${got} is in the list now. ${wanted} still has to be connected again: sign in there as ${wanted}.`,
    somebody: "another account",
    again: "Try again",
    leave: "Not now"
  },
  failed: {
    title: "No account was connected",
    again: "Try again",
    close: "Close",
    sentences: {
      access_denied: (platform: string) =>
        `You did not allow this service on ${platformName(platform)}. Try again and allow it there.`,
      connection_expired: () => "Connecting took too long, or began in another tab. Try again.",
      none_chosen: () => "No account was chosen. Try again and tick at least one.",
      platform_not_configured: (platform: string) =>
        `This service is no longer set up for ${platformName(platform)}. Ask its owner to set it up.`
    } as Readonly<Record<string, (platform: string) => string>>,
    other: (platform: string) => `${platformName(platform)} did not let this service in. Try again.`
  },
  noConnection: "The service cannot be reached. Check your connection and try again.",
  board: {
    choose: "Default board…",
    title: (name: string) => `Default board of ${name}`,
    text: "Posts that name no board go there. Posts already scheduled keep theirs.",
    label: "Board",
    none: "No default board",
    notChosen: "No board",
    loading: "Loading the boards…",
    failed: "The boards did not load",
    unknown: "A board that no longer exists",
    save: "Save",
    cancel: "Cancel",
    saved: (board: string) => `Posts now go to “${board}”`,
    savedNone: "No default board now",
    retry: "Try again"
  },
  audience: {
    choose: "Default audience…",
    title: (name: string) => `Default audience of ${name}`,
    text: "Who sees posts that name no audience. TikTok has no such default of its own: without one here, posts go to the widest audience that it offers.",
    label: "Who can see them",
    none: "No default audience",
    notChosen: "No audience",
    loading: "Loading the audiences…",
    failed: "The audiences did not load",
    unknown: "An audience that TikTok no longer offers",
    save: "Save",
    cancel: "Cancel",
    saved: (audience: string) => `Posts are now for “${audience}”`,
    savedNone: "No default audience now",
    retry: "Try again",
    names: {
      PUBLIC_TO_EVERYONE: "Everyone",
      MUTUAL_FOLLOW_FRIENDS: "Friends",
      FOLLOWER_OF_CREATOR: "Followers",
      SELF_ONLY: "Only me"
    } as Readonly<Record<string, string>>
  },
  disconnecting: {
    title: (name: string) => `Disconnect ${name}?`,
    counting: "Counting its scheduled posts…",
    none: "No scheduled posts go to this account.",
    fail: (count: number) => `${scheduledPosts(count)} will fail.`,
    text: "Published posts stay. The account’s access is deleted here. You can connect it again.",
    unknown: "Its scheduled posts could not be counted. If there are any, they will fail.",
    keep: "Keep it",
    confirm: "Disconnect",
    done: (name: string) => `Disconnected ${name}`,
    failed: "Not disconnected"
  }
} as const
