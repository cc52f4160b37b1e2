import type { Finding } from "./Finding.ts"
import type { SocialAccount } from "./SocialAccount.ts"

/** So many days before its access ends an account is told of, each time once. */
export const noticeDays = [7, 1] as const

type Facts = Pick<(typeof SocialAccount)["Encoded"], "platform" | "username" | "status" | "access_expires_at">

/** The finding about an account whose access ends within the days of the first notice. */
export const accessFinding = (
  { platform, username, status, access_expires_at: end }: Facts,
  now: number
): Finding | undefined =>
  end !== null && status === "connected" && Date.parse(end) - now <= noticeDays[0] * 86_400_000
    ? {
        check: `${platform}/@${username}`,
        level: "warning",
        found: `its access ${Date.parse(end) <= now ? "ended" : "ends"} on ${end.slice(0, 10)}`,
        advice: `Connect it again: carillon accounts connect ${platform}.`
      }
    : undefined
