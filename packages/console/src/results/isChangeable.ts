import type { Post } from "@carillon/sdk"
import { resultWords as words } from "../post/resultWords.ts"

/** Whether the service takes a change: none of its networks has it, or is just given it. */
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

/** What goes out this moment is not offered for a change that would come too late. */
const moment = 2_000
const forgotten = 30_000

/** Whether a person has time to change it before the next try. */
export const isEditOffered = (post: Pick<Post, "results" | "status">, now: number) =>
  isChangeable(post) &&
  !post.results.some(({ next_attempt_at }) => {
    if (next_attempt_at === null) return false
    const ahead = Date.parse(next_attempt_at) - now
    return ahead <= moment && ahead > -forgotten
  })
