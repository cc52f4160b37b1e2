import type { Post, PostResult } from "@carillon/sdk"
import { count, oneLine, shortTime } from "./Text.ts"
import { color, toneOf } from "./Color.ts"

/** `sandbox @demo: published, http://...` */
export const describeResult = (result: PostResult, username: string | undefined): string => {
  const board = result.board_id === null ? "" : ` (board ${result.board_id})`
  const who = `${result.platform} ${username === undefined ? `account ${result.social_account_id}` : `@${username}`}${board}`
  const what = result.platform_data?.url ?? result.error?.message
  const status = color(toneOf(result.status), result.status)
  return `${oneLine(who)}: ${status}${what === undefined || what === null ? "" : `, ${what}`}`
}

/** A post with the result of each account, on several lines. */
export const describePost = (post: Post): string =>
  [
    `Post ${post.id}: ${color(toneOf(post.status), post.status)}`,
    ...(post.caption === null ? [] : [`Caption: ${oneLine(post.caption)}`]),
    ...(post.scheduled_at === null ? [] : [`Scheduled for ${shortTime(post.scheduled_at)}`]),
    ...(post.media.length === 0 ? [] : [`Media: ${post.media.join(", ")}`]),
    ...notes(post),
    ...post.results.map((result) => `- ${describeResult(result, undefined)}`)
  ].join("\n")

/** The warnings of a post, and what a draft needs before it can go out. */
export const notes = ({ warnings, draft_problems = [] }: Post): ReadonlyArray<string> => {
  const problems = draft_problems.map(({ message }) => message)
  return [
    ...warnings.filter((warning) => !problems.includes(warning)).map((warning) => `Note: ${warning}`),
    ...problems.map((problem) => `Before it goes out: ${problem}`)
  ]
}

/** One line that says what happens to the post now. */
export const summary = (post: Post): string => {
  if (post.status === "draft") return `Saved draft ${post.id}`
  const verb =
    post.scheduled_at === null
      ? "Publishing"
      : post.use_queue
        ? `Queued for ${shortTime(post.scheduled_at)}:`
        : "Scheduled"
  const where = count(post.social_accounts.length, "account")
  return `${verb} ${post.id} for ${where}. Follow it with: carillon posts show ${post.id}`
}
