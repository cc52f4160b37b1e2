import { DateTime, Duration } from "effect"
import type { TokenTimes } from "./CredentialRepository.ts"

/** Tokens are renewed when this part of their life is left, and never less than `shortest` before their end. */
const remaining = 0.2
const shortest = Duration.minutes(5)

/**
 * When tokens that were issued now are renewed. `random` (0 to 1) spreads accounts that were connected together.
 * Only the platform's `expires_in` counts, because lifetimes change.
 */
export const tokenTimes = (
  now: DateTime.Utc,
  tokenExpiresAt: DateTime.Utc | null,
  random: number
): TokenTimes => {
  if (tokenExpiresAt === null) return { token_expires_at: null, refresh_at: null }
  const life = Math.max(0, Duration.toMillis(DateTime.distance(now, tokenExpiresAt)))
  const ahead = Math.max(life * (remaining + 0.05 * random), Math.min(Duration.toMillis(shortest), life / 2))
  return {
    token_expires_at: tokenExpiresAt,
    refresh_at: DateTime.subtractDuration(tokenExpiresAt, Duration.millis(Math.round(ahead)))
  }
}

/** When a renewal is retried that failed for a passing reason. */
export const nextRefresh = (now: DateTime.Utc, failures: number, random: number): DateTime.Utc =>
  DateTime.addDuration(now, Duration.seconds(Math.min(3600, 30 * 2 ** failures) * (0.5 + 0.5 * random)))
