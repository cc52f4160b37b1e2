import type { CalendarPost } from "@carillon/sdk"

/** What a person wants to know of a post first. */
export type PostState = "planned" | "going" | "sent" | "failed" | "doubt" | "draft" | "approval"

export const stateOf = ({ approval, progress, status }: CalendarPost): PostState => {
  if (approval?.status === "waiting") return "approval"
  if (status === "draft") return "draft"
  if (progress.unconfirmed > 0) return "doubt"
  if (progress.failed > 0) return "failed"
  if (status === "published") return "sent"
  return progress.publishing > 0 ? "going" : "planned"
}

/** A post that nobody has sent anywhere yet can be moved. */
export const isMovable = (row: CalendarPost) => ["planned", "draft", "approval"].includes(stateOf(row))
