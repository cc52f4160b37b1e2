import type { PostState } from "./PostState.ts"
import type { RowState } from "./resultRows.ts"

export const stateColors: Readonly<Record<PostState | RowState, string>> = {
  planned: "text-wait",
  going: "text-wait",
  waiting: "text-wait",
  draft: "text-soft",
  approval: "text-brand",
  sent: "text-good",
  live: "text-good",
  repaired: "text-good",
  failed: "text-bad",
  broken: "text-bad",
  rejected: "text-bad",
  blocked: "text-bad",
  doubt: "text-doubt"
}
