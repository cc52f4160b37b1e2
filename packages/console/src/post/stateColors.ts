import type { PostState } from "./PostState.ts"

export const stateColors: Readonly<Record<PostState, string>> = {
  planned: "text-wait",
  going: "text-wait",
  draft: "text-soft",
  approval: "text-brand",
  sent: "text-good",
  failed: "text-bad",
  blocked: "text-bad",
  doubt: "text-doubt"
}
