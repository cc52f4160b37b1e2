import type { Post, PostResult } from "@carillon/sdk"
import { isInReview } from "@carillon/domain/InReview"
import { oneLine } from "@carillon/domain/OneLine"
import { count, shortTime } from "./Text.ts"
import { color, toneOf } from "./Color.ts"

/** `sandbox @demo: published, http://...` */
export const describeResult = (result: PostResult, username: string | undefined): string => {
  const board = result.board_id === null ? "" : ` (board ${result.board_id})`
  const who = `${result.platform} ${username === undefined ? `account ${result.social_account_id}` : `@${username}`}${board}`
  const what = whatBecameOf(result)
  const status = color(toneOf(result.status), result.status)
  const waits = result.waiting_for == null ? "" : waitsFor[result.waiting_for]
  return `${oneLine(who)}: ${status}${waits}${what === null ? "" : `, ${what}`}`
}

const waitsFor: Readonly<Record<NonNullable<PostResult["waiting_for"]>, string>> = {
  time: "",
  retry: " for the next attempt",
  // Of a disconnected account it fails when it is due.
  account: " for the account to be reconnected",
  approval: " for approval",
  pause: " until the platform's pause ends",
  person: " until it is scheduled",
  media: " for its media"
}

/** Where the post is live, or why it is not; for a thread, how far it got. */
export const whatBecameOf = (result: PostResult): string | null => {
  const { error, failed_items, items, open_repair, platform_data, repaired_by } = result
  if (repaired_by !== undefined) {
    return `repaired by post ${repaired_by.post_id}${repaired_by.url === null ? "" : `, ${repaired_by.url}`}`
  }
  const repair =
    open_repair === undefined
      ? ""
      : `repair ${open_repair.status === "published" ? "rejected" : "in progress"}: post ${open_repair.post_id}, `
  const said = error === null ? null : oneLine(error.message)
  const why = (failed_items ? said : platform_data?.url) ?? said
  const found = [reviewOf(result), why].filter((one) => one !== null)
  const what = found.length === 0 ? null : `${repair}${found.join(", ")}`
  if (items === undefined) return what
  const live = items.filter(({ status }) => status === "published").length
  return `${live} of ${count(items.length, "item")}${what === null ? "" : `, ${what}`}`
}

/** What the platform's review after publication found, if a person should know. */
const reviewOf = (result: PostResult): string | null => {
  const { review, review_reason = null } = result.platform_data ?? {}
  if (isInReview(result, Date.now())) return "in review"
  if (review !== "rejected") return null
  return `rejected in review: ${review_reason === null ? "no reason given" : oneLine(review_reason)}`
}

/** A line for each item of a thread. */
export const describeItems = ({ items = [] }: PostResult): ReadonlyArray<string> =>
  items.map(({ error, index, platform_data, status }) => {
    const what = platform_data?.url ?? (error && oneLine(error.message))
    // After one that failed none is tried.
    const word = status === "failed" && !error ? "not sent" : status
    return `    ${index + 1}. ${color(toneOf(status), word)}${what ? `, ${what}` : ""}`
  })

/** A post with the result of each account, on several lines. */
export const describePost = (post: Post): string =>
  [
    `Post ${post.id}: ${color(toneOf(post.status), post.status)}`,
    ...(post.caption === null ? [] : [`Caption: ${oneLine(post.caption)}`]),
    ...(post.thread ?? []).map(
      ({ caption, media }) => `Then: ${[oneLine(caption ?? ""), ...media].filter(Boolean).join(", ")}`
    ),
    ...(post.scheduled_at === null ? [] : [`Scheduled for ${shortTime(post.scheduled_at)}`]),
    ...(post.media.length === 0 ? [] : [`Media: ${post.media.join(", ")}`]),
    ...(post.repairs === undefined ? [] : [`Repairs the failed result ${post.repairs}`]),
    ...(post.approval === undefined ? [] : [describeApproval(post.approval)]),
    ...notes(post),
    ...post.results.flatMap((result) => [`- ${describeResult(result, undefined)}`, ...describeItems(result)]),
    ...(post.progress.failed_items === undefined
      ? []
      : [`Send the missing items with: carillon posts retry ${post.id}`])
  ].join("\n")

const describeApproval = ({ asked_by, decided_by, reason, status }: NonNullable<Post["approval"]>): string =>
  [
    `Approval: ${status}${decided_by ? ` by ${oneLine(decided_by.name)}` : ""}, asked for by ${oneLine(asked_by.name ?? "the service's own key")}`,
    ...(reason === null ? [] : [oneLine(reason)])
  ].join(". ")

/** The warnings of a post, and what a draft needs before it can go out. */
export const notes = ({ warnings, draft_problems = [] }: Post): ReadonlyArray<string> => {
  const problems = draft_problems.map(({ message }) => message)
  return [
    ...warnings
      .filter((warning) => !problems.includes(warning))
      .map((warning) => `Note: ${oneLine(warning)}`),
    ...problems.map((problem) => `Fix before publishing: ${oneLine(problem)}`)
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
