import { DateTime } from "effect"

/** LinkedIn ends a version of its API about a year after the month that it is named after. */
const safeMonths = 10

export const versionAdvice =
  "Set LINKEDIN_VERSION to a newer one of https://learn.microsoft.com/linkedin/marketing/versioning and restart the service."

/** Why the version (`YYYYMM`) has to be replaced soon; undefined while there is time. */
export const versionFlaw = (version: string, now: DateTime.Utc): string | undefined => {
  const month = DateTime.makeUnsafe(`${version.slice(0, 4)}-${version.slice(4)}-01T00:00:00.000Z`)
  return DateTime.isGreaterThanOrEqualTo(now, DateTime.add(month, { months: safeMonths }))
    ? `is ${version}; LinkedIn ends a version of its API about a year after its month, and then rejects every post`
    : undefined
}

/** The same as a sentence, with what to do. */
export const versionWarning = (version: string, now: DateTime.Utc): string | undefined => {
  const flaw = versionFlaw(version, now)
  return flaw && `LINKEDIN_VERSION ${flaw}. ${versionAdvice}`
}
