import { DateTime } from "effect"

/** https://docs.discord.com/developers/reference#snowflakes */
const discordEpoch = 1_420_070_400_000

/** The least id of what Discord makes from this time on. */
export const snowflakeAt = (at: DateTime.Utc): string =>
  String(BigInt(Math.max(0, DateTime.toEpochMillis(at) - discordEpoch)) << 22n)
