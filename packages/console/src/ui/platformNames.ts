const names: Readonly<Record<string, string>> = {
  tiktok: "TikTok",
  instagram: "Instagram",
  youtube: "YouTube",
  pinterest: "Pinterest",
  twitter: "X",
  linkedin: "LinkedIn",
  facebook: "Facebook",
  threads: "Threads",
  bluesky: "Bluesky",
  mastodon: "Mastodon",
  google_business: "Google Business",
  sandbox: "Test network"
}

/** A network as people call it. */
export const platformName = (platform: string) => names[platform] ?? platform
