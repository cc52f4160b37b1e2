import { platformName } from "@carillon/domain/PlatformFacts"

const posts = (count: number) => (count === 1 ? "1 post" : `${count} posts`)
const plannedPosts = (count: number) => (count === 1 ? "1 planned post" : `${count} planned posts`)

/** The words of this room. */
export const words = {
  room: "Accounts",
  count: (all: number, broken: number) =>
    `${all === 1 ? "1 account" : `${all} accounts`}${broken === 0 ? "" : `, ${broken} ${broken === 1 ? "needs" : "need"} you`}`,
  search: "Search accounts",
  apps: "Apps of networks",
  connect: "Connect an account",
  columns: {
    account: "Account",
    state: "State",
    ends: "Access ends",
    default: "Default",
    planned: "Planned",
    actions: "Actions"
  },
  states: {
    connected: "Connected",
    soon: "Ends soon",
    needs_reconnect: "Access ended",
    disconnected: "Disconnected"
  },
  ends: {
    never: "does not end",
    renewed: "renews itself",
    before: (day: string) => `before ${day}`,
    inDays: (days: number) => (days === 0 ? "today" : days === 1 ? "tomorrow" : `in ${days} days`)
  },
  waiting: (count: number) => `${plannedPosts(count)} ${count === 1 ? "waits" : "wait"} for it.`,
  waitingNext: (count: number, next: string) =>
    count === 1
      ? `1 planned post waits for it, ${next}.`
      : `${plannedPosts(count)} wait for it, the next one ${next}.`,
  waitingSince: (count: number, first: string) =>
    count === 1
      ? `1 planned post waits for it, since ${first}.`
      : `${plannedPosts(count)} wait for it, the first since ${first}.`,
  at: (day: string, time: string) => `${day} at ${time}`,
  today: "today",
  tomorrow: "tomorrow",
  yesterday: "yesterday",
  seePosts: (count: number) => (count === 1 ? "See the post" : `See the ${count} posts`),
  posts,
  atLeast: (count: number) => `${count}+ posts`,
  ofAccount: (name: string, platform: string) => `${platformName(platform)} ${name}`,
  more: (name: string, platform: string) => `${platformName(platform)} ${name}: more`,
  nothing: "–",
  reconnect: "Reconnect",
  renew: "Renew",
  connectAgain: "Connect again",
  disconnect: "Disconnect…",
  kept: "Access is kept encrypted on this server. Disconnecting tells you first how many planned posts would fail.",
  empty: {
    title: "No account is connected yet",
    text: "Connect one, and posts can go out to it. The test network is there to try everything without publishing anything."
  },
  emptyWithoutTest: "Connect one, and posts can go out to it.",
  noMatch: (text: string) => `No account is called “${text}”`,
  clear: "Clear the search",
  failedToLoad: "The accounts did not load",
  connecting: {
    title: "Connect an account",
    choose: "Where should posts go?",
    networks: "Networks",
    loading: "Looking which networks can be connected",
    failed: "The networks did not load",
    titleOf: (platform: string) =>
      platform === "sandbox" ? "Connect to the test network" : `Connect ${platformName(platform)}`,
    again: (platform: string, name: string) => `Reconnect ${platformName(platform)} ${name}`,
    byConsent: (platform: string) => `You allow it at ${platformName(platform)}`,
    needsApp: "Needs an app of your own",
    notConfigured: (platform: string) =>
      `${platformName(platform)} lets this service in only as an app that is registered there. The owner of this service sets it up.`,
    setUp: "Set it up",
    /** Where a person goes who has not named it yet. */
    ownServer: "your server",
    journey: (place: string) => `You go to ${place}, allow this service to post, and come back here.`,
    journeyAgain: (place: string, name: string) =>
      `You go to ${place} and come back here. Sign in there as ${name}: it stays the same account, and what waits for it goes out.`,
    login: "Signed in by",
    logins: { facebook: "A Facebook Page" } as Readonly<Record<string, string>>,
    go: (place: string) => `Go to ${place}`,
    opening: (place: string) => `Opening ${place}…`,
    withToken: "With an access token instead",
    submit: "Connect",
    submitting: "Connecting…",
    back: "Other networks",
    cancel: "Cancel",
    close: "Close"
  },
  connected: (name: string) => `Connected ${name}`,
  reconnected: (name: string) => `Reconnected ${name}`,
  connectedSeveral: (count: number) => `Connected ${count} accounts`,
  another: {
    title: "That was another account",
    text: (wanted: string, got: string) =>
      `You connected ${got}. It is in the list now. ${wanted} still has to be connected again: sign in there as ${wanted}.`,
    somebody: "another account",
    again: "Try again",
    leave: "Leave it"
  },
  failed: {
    title: "Nothing was connected",
    again: "Try again",
    close: "Close",
    sentences: {
      access_denied: (platform: string) =>
        `${platformName(platform)} was told not to let this service in. Allow it there, and it works.`,
      connection_expired: () =>
        "The way there and back took too long, or was begun in another tab. Begin again.",
      none_chosen: () => "No account was chosen. Tick at least one on the page that asks.",
      platform_not_configured: (platform: string) =>
        `This service is not set up for ${platformName(platform)} any more.`
    } as Readonly<Record<string, (platform: string) => string>>,
    other: (platform: string) => `${platformName(platform)} did not let this service in.`
  },
  noConnection: "The service could not be reached. Try again.",
  board: {
    choose: "Default board…",
    title: (name: string) => `Default board of ${name}`,
    text: "Posts that name no board go there. Posts that are planned already keep theirs.",
    label: "Board",
    none: "No default board",
    notChosen: "No board",
    loading: "Asking for the boards…",
    failed: "The boards could not be read",
    unknown: "A board that is gone",
    save: "Save",
    cancel: "Cancel",
    saved: (board: string) => `Posts go to “${board}” now`,
    savedNone: "No default board now",
    retry: "Try again"
  },
  audience: {
    choose: "Default audience…",
    title: (name: string) => `Default audience of ${name}`,
    text: "Who sees posts that do not say so. TikTok has no such setting: without a default, posts go to the widest audience that it offers.",
    label: "Who can see them",
    none: "No default audience",
    notChosen: "No audience",
    loading: "Asking for the audiences…",
    failed: "The audiences could not be read",
    unknown: "An audience that TikTok does not offer now",
    save: "Save",
    cancel: "Cancel",
    saved: (audience: string) => `Posts are for “${audience}” now`,
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
    counting: "Counting its planned posts…",
    none: "No planned post goes there.",
    fail: (count: number) => `${plannedPosts(count)} will fail.`,
    text: "Published posts stay. Its access is erased here. You can connect it again.",
    unknown: "Its planned posts could not be counted. They will fail.",
    keep: "Keep it",
    confirm: "Disconnect",
    done: (name: string) => `Disconnected ${name}`,
    failed: (why: string) => `Not disconnected. ${why}`
  }
} as const
