import type { PostSummary } from "@carillon/sdk"

/** How far the first post is. */
export type FirstPost =
  | { readonly state: "none" }
  | { readonly state: "draft" | "planned" | "going" | "failed" | "out"; readonly post: PostSummary }

export type Step = "connect" | "write" | "plan" | "over"

const furthest = ["out", "going", "planned", "failed", "draft"] as const

const stateOf = ({ progress, scheduled_at, status }: PostSummary, now: number) => {
  if (progress.published > 0) return "out"
  if (status === "draft") return "draft"
  if (status === "failed") return "failed"
  return scheduled_at === null || Date.parse(scheduled_at) <= now ? "going" : "planned"
}

/** The post closest to being out. */
export const firstPostOf = (posts: ReadonlyArray<PostSummary>, now: number): FirstPost => {
  const all = posts.map((post) => ({ state: stateOf(post, now), post }) as const)
  return furthest.flatMap((state) => all.find((one) => one.state === state) ?? [])[0] ?? { state: "none" }
}

/** The step that is open. */
export const stepOf = (accounts: number, { state }: FirstPost): Step =>
  state === "out" ? "over" : state !== "none" ? "plan" : accounts === 0 ? "connect" : "write"

export interface Seen {
  readonly kept: "begun" | "over" | null
  readonly isOwner: boolean
  readonly hasPosts: boolean
  /** The address asks for a part of the calendar. */
  readonly asksForCalendar: boolean
}

/** A workspace with posts on its first visit is not new. An address wins over what this browser kept. */
export const beginsHere = ({ asksForCalendar, hasPosts, isOwner, kept }: Seen) =>
  isOwner && !asksForCalendar && (kept === "begun" || (kept === null && !hasPosts))
