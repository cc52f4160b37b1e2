import type { ApprovePost, ConflictError } from "@carillon/sdk"
import { carillon, workspace } from "../data/api.ts"
import { queueChanged } from "../data/queue.ts"
import { useAct } from "../data/useAct.ts"
import type { Message } from "../ui/toast.ts"
import { approvalWords as words } from "./approvalWords.ts"
import { clashWith } from "./clashWith.ts"
import { formatMoment } from "./formatMoment.ts"
import type { HeldPost } from "./needsTime.ts"

const whenOf = (at: string) => formatMoment(at, Date.now(), workspace.timezone)

/** Says who was first: another person who decided, or the app that changed the post. */
const conflictAbout = async (
  post: HeldPost,
  { code, message }: ConflictError,
  onNeedsTime: () => void
): Promise<Message> => {
  if (code === "approval_needs_time")
    return {
      icon: "clock",
      text: words.needsTime,
      action: { label: words.chooseTime, act: onNeedsTime }
    }
  if (code === "stale_version") return { icon: "warning", text: words.changed(await clashWith([post])) }
  if (code !== "nothing_to_decide") return { icon: "cross", text: message }
  const approval = await carillon.posts.get(post.id).then(
    (found) => found.approval,
    () => undefined
  )
  if (approval === undefined || approval.status === "waiting" || approval.decided_at === null)
    return { icon: "warning", text: message }
  const who = approval.decided_by?.name ?? words.somebody
  return { icon: "warning", text: words.first[approval.status](who, whenOf(approval.decided_at)) }
}

/**
 * Lets a post that waits for approval go out, or refuses it. `onNeedsTime`: the service asks when it goes out; `latest`: the version
 * that the person sees, where that is not the post's own.
 */
export const useDecide = (
  onNeedsTime: () => void,
  latest: () => Promise<Pick<HeldPost, "version"> | null> = async () => null,
  onDecided: () => void = () => {}
) => {
  const { act, busy } = useAct()
  const common = (post: HeldPost) => ({
    conflict: (error: ConflictError) => conflictAbout(post, error, onNeedsTime),
    changed: queueChanged
  })
  return {
    busy,
    approve: (post: HeldPost, when: ApprovePost) =>
      act(post.id, {
        ...common(post),
        do: async () => {
          const approved = await carillon.posts.approve(post.id, when, { ifMatch: (await latest()) ?? post })
          onDecided()
          return approved
        },
        done: ({ scheduled_at }) =>
          scheduled_at === null ? words.approved.now : words.approved.at(whenOf(scheduled_at)),
        failed: words.notApproved
      }),
    refuse: (post: HeldPost, reason: string) =>
      act(post.id, {
        ...common(post),
        do: async () => {
          await carillon.posts.refuse(post.id, { reason }, { ifMatch: (await latest()) ?? post })
          onDecided()
        },
        done: words.refused,
        failed: words.notRefused
      })
  }
}
