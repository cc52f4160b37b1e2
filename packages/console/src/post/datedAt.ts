import type { PostSummary } from "@carillon/sdk"

/** When a post went live, else its scheduled time, else when it was last tried. */
export const datedAt = ({
  published_at,
  scheduled_at,
  updated_at
}: Pick<PostSummary, "published_at" | "scheduled_at" | "updated_at">): string =>
  published_at ?? scheduled_at ?? updated_at
