import type { Approval, Post } from "@carillon/sdk"

/** A post that waits for a person's approval. */
export type HeldPost = Pick<Post, "id" | "version" | "scheduled_at"> & { readonly approval: Approval }

/** Whether the person has to say when it goes out: the service publishes nothing at once for an approval alone. */
export const needsTime = (
  { approval: { wants }, scheduled_at }: Pick<HeldPost, "approval" | "scheduled_at">,
  now: number
) => wants === "now" || (wants === "scheduled" && (scheduled_at === null || Date.parse(scheduled_at) <= now))
