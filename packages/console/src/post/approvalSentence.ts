import { approvalWords as words } from "./approvalWords.ts"
import { askerName } from "./askerName.ts"
import { formatMoment } from "./formatMoment.ts"
import type { HeldPost } from "./needsTime.ts"

/** Who asks to publish it, and when. */
export const approvalSentence = (
  { approval, scheduled_at }: Pick<HeldPost, "approval" | "scheduled_at">,
  now: number,
  zone: string
) => {
  const { wants } = approval
  const who = askerName(approval)
  return wants === "scheduled"
    ? scheduled_at === null
      ? words.asks.now(who)
      : words.asks.scheduled(who, formatMoment(scheduled_at, now, zone))
    : words.asks[wants](who)
}
