import type { Post } from "@carillon/sdk"
import { resultWords as words } from "../post/resultWords.ts"

/** Whether the service accepts a change: no network has the post yet or is receiving it. */
export const isChangeable = ({ results, status }: Pick<Post, "results" | "status">) =>
  status === "draft" || (status === "scheduled" && results.every((result) => result.status === "waiting"))

/** Why a post can no longer be changed; null where it can. */
export const whyFixed = (post: Pick<Post, "results" | "status">): string | null => {
  if (isChangeable(post)) return null
  const is = (status: Post["results"][number]["status"]) =>
    post.results.some((result) => result.status === status)
  if (is("publishing")) return words.fixed.going
  if (is("published")) return words.fixed.live
  if (is("unconfirmed")) return words.fixed.doubt
  return post.results.some(({ repaired_by }) => repaired_by === undefined)
    ? words.fixed.failed
    : words.fixed.repaired
}

/** Edit is hidden this long before the next try, when a change would arrive too late. */
const tooLate = 2_000
/** A try that is overdue by more than this waits for something other than the clock. */
const overdue = 30_000

/** Whether there is time to change the post before its next try. */
export const isEditOffered = (post: Pick<Post, "results" | "status">, now: number) =>
  isChangeable(post) &&
  !post.results.some(({ next_attempt_at }) => {
    if (next_attempt_at === null) return false
    const ahead = Date.parse(next_attempt_at) - now
    return ahead <= tooLate && ahead > -overdue
  })
