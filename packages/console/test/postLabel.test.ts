import { postLabel } from "@carillon/console/post/postLabel"
import type { Account } from "@carillon/console/data/accounts"
import type { CalendarPost } from "@carillon/sdk"
import { describe, expect, it } from "@effect/vitest"

const account = (id: number, platform: string, name: string, network: "real" | "test" = "real") =>
  ({ id, platform, network, name }) as Account

const accounts = new Map(
  [
    account(1, "sandbox", "@bells"),
    account(2, "twitter", "@rye"),
    account(3, "twitter", "@oven", "test")
  ].map((one) => [one.id, one] as const)
)

const row = (change: Partial<CalendarPost>) =>
  ({ status: "scheduled", social_accounts: [1], media_count: 0, progress: {}, ...change }) as CalendarPost

describe("what a screen reader says of a post", () => {
  it("names its accounts with their networks, and none that is gone", () => {
    expect(postLabel(row({ social_accounts: [2, 3, 9] }), accounts)).toBe("Scheduled, X @rye, X (test) @oven")
  })

  it("says what it holds besides its text", () => {
    expect(postLabel(row({ status: "draft", media_count: 2, thread_count: 3 }), accounts)).toBe(
      "Draft, Test network @bells, with media, a thread of 4 posts"
    )
  })
})
