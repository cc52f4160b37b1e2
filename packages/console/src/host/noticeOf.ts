import { formatMoment } from "../post/formatMoment.ts"
import { words } from "./en.ts"
import type { Notice } from "./NoticeLine.tsx"

/** The answer of a tool that changed a post. */
export interface Changed {
  readonly status: string
  readonly scheduled_at: string | null
  readonly approval?: { readonly status: string }
  readonly what_happened: string
}

/** Tells a person what a call did to a post. */
export const noticeOf = (
  { approval, scheduled_at, status, what_happened }: Changed,
  zone: string
): Notice => {
  if (approval?.status === "waiting") return { text: words.approval }
  if (status === "draft") return { text: words.draft }
  const isLater = scheduled_at !== null && Date.parse(scheduled_at) > Date.now()
  return { text: isLater ? words.scheduled(formatMoment(scheduled_at, Date.now(), zone)) : what_happened }
}
