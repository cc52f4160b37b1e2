import type { PostResult } from "@carillon/sdk"

/** `sandbox @demo: published, http://...` */
export const describeResult = (result: PostResult, username: string | undefined): string => {
  const who = `${result.platform} ${username === undefined ? `account ${result.social_account_id}` : `@${username}`}`
  const what = result.platform_data?.url ?? result.error?.message
  return `${who}: ${result.status}${what === undefined || what === null ? "" : `, ${what}`}`
}

/** `2026-11-22 08:00:00Z`: a time of the API, to the second. */
export const shortTime = (time: string | null): string | null =>
  time === null ? null : time.replace("T", " ").replace(/\.\d+Z$/, "Z")
