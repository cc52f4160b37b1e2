import type { IconName } from "../ui/Icon.tsx"
import type { PostState } from "./PostState.ts"
import type { RowState } from "./resultRows.ts"

export const signs: Readonly<Record<PostState | RowState, IconName>> = {
  planned: "calendar",
  going: "bell",
  waiting: "clock",
  draft: "pencil",
  approval: "clock",
  sent: "check",
  live: "check",
  repaired: "check",
  failed: "cross",
  broken: "cross",
  rejected: "cross",
  blocked: "warning",
  doubt: "question"
}
