import { moment } from "../post/moment.ts"
import { words } from "./en.ts"
import type { Said } from "./Notice.tsx"

/** A post as the tools that change one answer it. */
export interface Changed {
  readonly status: string
  readonly scheduled_at: string | null
  readonly approval?: { readonly status: string }
  readonly what_happened: string
}

/** What a call that changed a post did, to a person. */
export const saidOf = ({ approval, scheduled_at, status, what_happened }: Changed, zone: string): Said => {
  if (approval?.status === "waiting") return { text: words.approval }
  if (status === "draft") return { text: words.draft }
  const isLater = scheduled_at !== null && Date.parse(scheduled_at) > Date.now()
  return { text: isLater ? words.scheduled(moment(scheduled_at, Date.now(), zone)) : what_happened }
}
