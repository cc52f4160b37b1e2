/** The calls that X charges the operator for. Files and the renewal of access are free. */
export const pricedCalls = ["post", "post_with_url", "media_metadata", "post_read", "user_read"] as const
export type PricedCall = (typeof pricedCalls)[number]

/** Millionths of a US dollar for each call: whole numbers, so that sums stay exact. */
export type Prices = Readonly<Record<PricedCall, number>>

/** As of 22 August 2026: https://docs.x.com/x-api/getting-started/pricing. A read is cheaper only where the app belongs to the account that is read. */
export const xPrices: Prices = {
  post: 15_000,
  post_with_url: 200_000,
  media_metadata: 5_000,
  post_read: 5_000,
  user_read: 10_000
}

/** X lists no fewer posts of an account at once. */
export const xPostsPerRead = 5

export const priceOf = (calls: Partial<Prices>, prices: Prices): number =>
  pricedCalls.reduce((sum, call) => sum + (calls[call] ?? 0) * prices[call], 0)

/** `$0.015`, `$0.20`, `$1,234.50`. */
export const dollars = (millionths: number): string =>
  `$${(millionths / 1_000_000).toLocaleString("en", { minimumFractionDigits: 2, maximumFractionDigits: 6 })}`
