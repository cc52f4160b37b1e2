import type { CalendarPost } from "@carillon/sdk"

/** The state of a post as people see it. */
export type PostState = "planned" | "blocked" | "going" | "sent" | "failed" | "doubt" | "draft" | "approval"

/** Whether it failed everywhere and other posts repaired all of it. */
export const isRepaired = ({ progress, status }: Pick<CalendarPost, "progress" | "status">) =>
  status === "failed" && progress.repaired !== undefined && progress.repaired === progress.total

export const stateOf = ({ approval, blocked_by, progress, status }: CalendarPost): PostState => {
  if (isRepaired({ progress, status })) return "sent"
  const { failed = 0, failed_items = 0, publishing = 0, rejected = 0, unconfirmed = 0 } = progress
  if (approval?.status === "waiting") return "approval"
  if (status === "draft") return "draft"
  if (unconfirmed > 0) return "doubt"
  if (failed + failed_items + rejected > 0) return "failed"
  if (status === "published") return "sent"
  if (publishing > 0) return "going"
  return blocked_by === undefined ? "planned" : "blocked"
}

/** A post can be moved until it begins to go out. */
export const isMovable = (row: CalendarPost) =>
  ["planned", "blocked", "draft", "approval"].includes(stateOf(row))
