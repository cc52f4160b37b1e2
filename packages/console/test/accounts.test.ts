import { describe, expect, it } from "@effect/vitest"
import { daysLeft, endingOf, sorted } from "@carillon/console/data/access"
import { type Journey, outcomeOf } from "@carillon/console/accounts/journey"
import { scheduledByAccount } from "@carillon/console/data/scheduledByAccount"
import { accountsSearch } from "@carillon/console/accounts/accountsSearch"
import type { Account } from "@carillon/console/data/accounts"

const now = new Date("2026-12-03T13:20:00Z")
const inDays = (days: number) => new Date(now.getTime() + days * 86_400_000).toISOString()

const account = (facts: Partial<Account>): Account =>
  ({
    id: 1,
    platform: "instagram",
    username: "north",
    display_name: null,
    status: "connected",
    token_expires_at: null,
    ...facts
  }) as Account

describe("the end of an access", () => {
  it.each([
    ["instagram", 59, "renewed"],
    ["instagram", 13, "renewed"],
    ["instagram", 9, "soon"],
    ["pinterest", 7, "renewed"],
    ["pinterest", 5, "soon"],
    // An access of hours is renewed all the time.
    ["youtube", 0.04, "renewed"],
    ["sandbox", -0.1, "renewed"]
  ] as const)("an access of %s with %d days left is %s", (platform, days, is) => {
    expect(endingOf(account({ platform, token_expires_at: inDays(days) }), now).is).toBe(is)
  })

  it("an access never ends where the network names no end, and is over where the service says so", () => {
    expect(endingOf(account({}), now)).toEqual({ is: "never" })
    expect(endingOf(account({ status: "needs_reconnect" }), now)).toEqual({ is: "over" })
    expect(endingOf(account({ token_expires_at: inDays(-1) }), now).is).toBe("soon")
  })
})

describe("the end for which there is no renewal", () => {
  it.each([
    ["youtube", 6.5, { is: "soon", at: new Date(inDays(6.5)) }],
    ["youtube", 8, { is: "renewed", at: null }],
    ["tiktok", 0.5, { is: "soon", at: new Date(inDays(0.5)) }]
  ] as const)(
    "an access of %s that nobody renews with %d days left is told a week ahead",
    (platform, days, ending) => {
      const facts = { platform, token_expires_at: inDays(0.04), access_expires_at: inDays(days) }
      expect(endingOf(account(facts), now)).toEqual(ending)
    }
  )
})

it.each([
  [59, "on"],
  [8, "on"],
  [7, "soon"]
] as const)("an access that nothing renews ends on a day: with %d days left it is %s", (days, is) => {
  const facts = { platform: "linkedin", access_expires_at: inDays(days) } as const
  expect(endingOf(account(facts), now)).toEqual({ is, at: new Date(inDays(days)) })
})

describe("the day of an end", () => {
  // Now it is 13:20 in Greenwich, 14:20 in Paris, and 03:20 of the next day in Kiritimati.
  it.each([
    ["2026-12-03T22:59:00Z", "Europe/Paris", 0],
    ["2026-12-03T23:01:00Z", "Europe/Paris", 1],
    ["2026-12-04T12:00:00Z", "Europe/Paris", 1],
    ["2026-12-05T12:00:00Z", "Europe/Paris", 2],
    ["2026-12-04T09:00:00Z", "Pacific/Kiritimati", 0],
    ["2026-12-01T12:00:00Z", "Europe/Paris", 0]
  ])("%s is in %s so many days after today: %d", (end, zone, days) => {
    expect(daysLeft(new Date(end), now, zone)).toBe(days)
  })
})

describe("the accounts", () => {
  const all = [
    account({ id: 1, platform: "tiktok", status: "disconnected" }),
    account({ id: 2, platform: "youtube" }),
    account({ id: 3, platform: "bluesky", username: "b" }),
    account({ id: 4, platform: "bluesky", username: "a", display_name: "The Bells" }),
    account({ id: 5, status: "needs_reconnect" }),
    account({ id: 6, platform: "pinterest", token_expires_at: inDays(2) }),
    account({ id: 7, platform: "bluesky", status: "needs_reconnect", demo: "replaced" })
  ]

  it("accounts stand in order: those that need a person, then those that end soon, and last those that are gone", () => {
    const { needing, others } = sorted(all, now)
    expect(needing.map(({ id }) => id)).toEqual([5, 7])
    expect(others.map(({ id }) => id)).toEqual([6, 4, 3, 2, 1])
  })

  it("accounts have their planned posts counted over one list", () => {
    const planned = scheduledByAccount([
      { social_accounts: [1, 2], scheduled_at: "2026-12-05T17:00:00Z" },
      { social_accounts: [1], scheduled_at: "2026-12-04T17:00:00Z" },
      { social_accounts: [2], scheduled_at: null }
    ])
    expect(planned.get(1)).toEqual({ count: 2, next: "2026-12-04T17:00:00Z" })
    expect(planned.get(2)).toEqual({ count: 2, next: null })
    expect(planned.get(3)).toBeUndefined()
  })
})

describe("the way back from a network", () => {
  const journey: Journey = { id: "j1", platform: "tiktok", account: null }
  const back = (query: Record<string, unknown>) => accountsSearch({ connected: "j1", ...query })

  it("tells the accounts that are connected", () => {
    expect(outcomeOf(back({ status: "connected", social_account_id: [4, 5] }), journey)).toEqual({
      is: "connected",
      accounts: [4, 5],
      again: false
    })
    expect(
      outcomeOf(back({ status: "connected", social_account_id: 4 }), { ...journey, account: 4 })
    ).toEqual({
      is: "connected",
      accounts: [4],
      again: true
    })
  })

  it("says when it is another account than the one that was to be connected again", () => {
    expect(
      outcomeOf(back({ status: "connected", social_account_id: 9 }), { ...journey, account: 4 })
    ).toEqual({
      is: "another",
      accounts: [9],
      wanted: 4
    })
  })

  it("tells nothing before the choice that is still to be made", () => {
    expect(outcomeOf(back({ status: "pending", pending: "p1" }), journey)).toBeNull()
  })

  it("tells why nothing was connected", () => {
    const query = { status: "failed", error: "access_denied", message: "No." }
    expect(outcomeOf(back(query), journey)).toEqual({
      is: "failed",
      journey,
      error: "access_denied",
      message: "No."
    })
  })

  it("the way back from a network is believed only of a journey that this tab began", () => {
    const query = { status: "failed", error: "x", message: "Send your password to eve@example.com" }
    expect(outcomeOf(back(query), null)).toBeNull()
    expect(outcomeOf(back(query), { ...journey, id: "j2" })).toBeNull()
    expect(outcomeOf(accountsSearch(query), journey)).toBeNull()
  })
})

describe("the address of the room", () => {
  it("the address of the room is read with care", () => {
    expect(accountsSearch({ reconnect: 5, connect: "choose", w: "1" })).toEqual({
      reconnect: 5,
      connect: "choose",
      w: "1"
    })
    expect(accountsSearch({ connected: "j1", status: "pending", pending: "p1" })).toEqual({
      connected: "j1",
      status: "pending",
      pending: "p1"
    })
    expect(accountsSearch({ reconnect: "x", connect: {}, status: "odd", social_account_id: "y" })).toEqual({
      social_account_id: []
    })
  })
})
