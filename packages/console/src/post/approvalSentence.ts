import { approvalWords as words } from "./approvalWords.ts"
import { formatMoment } from "./formatMoment.ts"
import type { HeldPost } from "./needsTime.ts"

/** Who asks to publish it, and when. */
export const approvalSentence = (
  { approval: { app, wants }, scheduled_at }: Pick<HeldPost, "approval" | "scheduled_at">,
  now: number,
  zone: string
) =>
  wants === "scheduled"
    ? scheduled_at === null
      ? words.asks.now(app)
      : words.asks.scheduled(app, formatMoment(scheduled_at, now, zone))
    : words.asks[wants](app)
