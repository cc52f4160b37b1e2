import type { CalendarPost } from "@carillon/sdk"

/** What a person wants to know of a post first. */
export type PostState = "planned" | "going" | "sent" | "failed" | "doubt" | "draft" | "approval"

export const stateOf = ({ approval, progress, status }: CalendarPost): PostState => {
  const { failed = 0, publishing = 0, unconfirmed = 0 } = progress
  if (approval?.status === "waiting") return "approval"
  if (status === "draft") return "draft"
  if (unconfirmed > 0) return "doubt"
  if (failed > 0) return "failed"
  if (status === "published") return "sent"
  return publishing > 0 ? "going" : "planned"
}

/** A post that nobody has sent anywhere yet can be moved. */
export const isMovable = (row: CalendarPost) => ["planned", "draft", "approval"].includes(stateOf(row))
