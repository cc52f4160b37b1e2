import { markup } from "@carillon/domain"
import { createHash } from "node:crypto"

/** `anna.berg-lookup`: `Anna Berg Lookup`. */
export const displayName = (username: string): string =>
  username
    .split(/[._-]+/)
    .filter((word) => word !== "")
    .map((word) => word[0]!.toUpperCase() + word.slice(1))
    .join(" ") || username

export const avatarPath = (username: string): string => `/avatars/${encodeURIComponent(username)}`

/** A disc in the account's own colour with its initial. */
export const avatarSvg = (username: string): string => {
  const hue = (createHash("sha256").update(username).digest()[0]! * 360) / 256
  return markup`<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 96 96">
<rect width="96" height="96" fill="hsl(${Math.round(hue)} 55% 45%)"/>
<text x="48" y="50" fill="#fff" font-family="system-ui,sans-serif" font-size="46" font-weight="600" text-anchor="middle" dominant-baseline="central">${displayName(username)[0]!}</text>
</svg>`.markup
}
