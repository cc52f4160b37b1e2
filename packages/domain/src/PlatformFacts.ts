interface PlatformFacts {
  /** As people call it. */
  readonly name: string
  /** The public address of an account, with its name for `{}` and its server for `{server}`; absent if the name leads to none. */
  readonly profile?: string
  /** What stays plain in the text of a post, where others make a link of it. */
  readonly plain?: ReadonlyArray<"link" | "mention" | "tag">
  /** Days of an access that lasts. Left out: it has no end, or one of hours, which is renewed unseen. */
  readonly access_days?: number
}

/**
 * Every platform, in the order of all lists. Nothing is imported here: the command line and the first screen of the console
 * load this and neither rules nor schemas. `platforms/PlatformDefinitions.ts` has the rest of each.
 */
const facts = {
  tiktok: { name: "TikTok", profile: "https://www.tiktok.com/@{}", plain: ["link"] },
  instagram: {
    name: "Instagram",
    profile: "https://www.instagram.com/{}/",
    plain: ["link"],
    access_days: 60
  },
  youtube: { name: "YouTube", profile: "https://www.youtube.com/@{}" },
  pinterest: {
    name: "Pinterest",
    profile: "https://www.pinterest.com/{}/",
    plain: ["link"],
    access_days: 30
  },
  twitter: { name: "X", profile: "https://x.com/{}" },
  linkedin: { name: "LinkedIn", plain: ["mention"], access_days: 60 },
  facebook: { name: "Facebook" },
  threads: { name: "Threads", profile: "https://www.threads.com/@{}", access_days: 60 },
  bluesky: { name: "Bluesky", profile: "https://bsky.app/profile/{}" },
  mastodon: { name: "Mastodon", profile: "https://{server}/@{}" },
  discord: { name: "Discord" },
  telegram: { name: "Telegram", profile: "https://t.me/{}" },
  google_business: { name: "Google Business", plain: ["link", "mention", "tag"] },
  /** The one of `packages/sandbox`. */
  sandbox: { name: "Test network" }
} as const satisfies Readonly<Record<string, PlatformFacts>>

export type PlatformId = keyof typeof facts

export const platformFacts: Readonly<Record<PlatformId, PlatformFacts>> = facts

export const platformIds = Object.keys(facts) as ReadonlyArray<PlatformId>

export const isPlatformId = (text: string): text is PlatformId => Object.hasOwn(facts, text)

/** A platform as people call it; a word that is none stays as it is. */
export const platformName = (platform: string) =>
  isPlatformId(platform) ? platformFacts[platform].name : platform
