/** For so many days after its publication a platform is asked what its review found. What is pending then stays so. */
export const daysOfReview = 7

/** Whether a result waits for a review of which something can still be heard. `published_at` is ISO 8601, `now` Unix milliseconds. */
export const isInReview = (
  {
    platform_data,
    published_at
  }: {
    readonly platform_data: { readonly review?: string | undefined } | null
    readonly published_at: string | null
  },
  now: number
): boolean =>
  platform_data?.review === "pending" &&
  now < Date.parse(published_at ?? "") + daysOfReview * 24 * 60 * 60 * 1000
