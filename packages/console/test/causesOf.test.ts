import { words } from "@carillon/console/activity/en"
import { causesOf, type NeedyAccount, type Situation } from "@carillon/console/activity/causesOf"
import type { Approval, CalendarPost, PostResult, PostSummary } from "@carillon/sdk"
import { describe, expect, it } from "@effect/vitest"

const account = (
  id: number,
  status: NeedyAccount["status"] = "connected",
  demo: NeedyAccount["demo"] = null
): NeedyAccount => ({
  id,
  name: `@${id}`,
  username: String(id),
  platform: "sandbox",
  network: "test",
  status,
  demo
})

const post = (id: string, at: string) =>
  ({ id, caption: id, scheduled_at: at, created_at: at, updated_at: at, published_at: null }) as PostSummary

const result = (
  id: string,
  postId: string,
  accountId: number,
  status: PostResult["status"],
  code: string,
  action: string
) =>
  ({
    id,
    post_id: postId,
    social_account_id: accountId,
    platform: "sandbox",
    status,
    next_attempt_at: null,
    error: { code, action, message: code, class: "invalid", retry_at: null }
  }) as PostResult

const causes = (given: Partial<Situation> & { readonly of: ReadonlyArray<NeedyAccount> }) =>
  causesOf(
    {
      planned: new Map(),
      ending: new Map(),
      posts: [],
      results: [],
      approvals: [],
      ...given,
      accounts: new Map(given.of.map((one) => [one.id, one]))
    },
    Date.parse("2026-12-10T12:00:00Z")
  )

const days = ["2026-12-01", "2026-12-02", "2026-12-03"].map((day) => `${day}T08:00:00Z`)
const posts = [post("c", days[2]!), post("b", days[1]!), post("a", days[0]!)]

describe("what needs a person", () => {
  it("nothing needs a person where all is well", () => {
    expect(causes({ of: [account(1)] })).toEqual([])
  })

  it("a demo account whose network is real now needs nobody, whatever it had", () => {
    const planned = new Map([[1, { total: 1, posts: [{ id: "a", at: days[0] } as CalendarPost] }]])
    const failed = [result("r", "b", 1, "failed", "account_disconnected", "reconnect_account")]
    const of = (demo: NeedyAccount["demo"]) =>
      causes({
        of: [account(1, "disconnected", demo)],
        planned,
        posts,
        results: failed,
        ending: new Map([[1, 3]])
      })
    expect(of("active")).toHaveLength(1)
    expect(of("replaced")).toEqual([])
    expect(of("removed")).toEqual([])
  })

  it("what needs a person is one row for an account, with the posts that wait for it and how many failed for it", () => {
    const [cause, ...others] = causes({
      of: [account(1, "needs_reconnect")],
      planned: new Map([[1, { total: 5, posts: [{ id: "p", at: days[0], excerpt: "P" } as CalendarPost] }]]),
      posts,
      results: [result("r", "a", 1, "failed", "needs_reconnect", "reconnect_account")]
    })
    expect(cause).toMatchObject({
      kind: "reconnect",
      total: 5,
      failed: 1,
      next: days[0],
      posts: [{ id: "p" }]
    })
    expect(others).toEqual([])
  })

  it("posts of a disconnected account fail when they are due, and those of one that lost its access wait", () => {
    const fateOf = (status: NeedyAccount["status"], at: string) => {
      const [cause] = causes({
        of: [account(1, status)],
        planned: new Map([[1, { total: 1, posts: [{ id: "p", at, excerpt: "P" } as CalendarPost] }]])
      })
      return cause?.kind === "reconnect" ? words.reconnect[cause.fate](1, "Mon 14 Dec") : undefined
    }
    const [late, ahead] = ["2026-12-01T08:00:00Z", "2026-12-14T08:00:00Z"]
    expect(fateOf("disconnected", ahead)).toBe(
      "1 post is scheduled for it, due Mon 14 Dec, and fails then unless the account is connected again."
    )
    expect(fateOf("needs_reconnect", ahead)).toMatch(/^1 post is waiting .* goes out by itself\.$/)
    expect(fateOf("needs_reconnect", late)).toMatch(/^1 post has been waiting .* goes out by itself\.$/)
  })

  it("what needs a person is a thread that broke off, by itself and not among the posts that failed as it did", () => {
    const broken = { ...result("r", "a", 1, "published", "banned_word", "fix_content"), failed_items: 2 }
    const found = causes({
      of: [account(1)],
      posts,
      results: [result("s", "b", 1, "failed", "banned_word", "retry"), broken]
    })
    expect(found).toMatchObject([
      { kind: "failed", act: "again", results: ["r"], posts: [{ id: "a" }] },
      { kind: "failed", act: "again", results: ["s"], posts: [{ id: "b" }] }
    ])
  })

  it("what needs a person is a post that its network rejected after it was live, by itself, to be written anew", () => {
    const rejected = (id: string) => ({
      ...result(id, "a", 1, "published", "", ""),
      error: null,
      platform_data: {
        id,
        url: null,
        username: null,
        review: "rejected" as const,
        review_reason: "Phone number"
      }
    })
    const found = causes({
      of: [account(1)],
      posts,
      results: [rejected("s"), rejected("r"), result("t", "b", 1, "failed", "banned_word", "retry")]
    })
    expect(found.map(({ key }) => key)).toEqual(["failed-r", "failed-s", "failed-1-banned_word"])
    expect(found[0]).toMatchObject({ act: "rewrite", results: ["r"] })
  })

  it("leads to the repair that is open, and keeps apart what has none", () => {
    const open_repair = { post_id: "q", post_result_id: "s", status: "waiting" } as const
    const found = causes({
      of: [account(1), account(2)],
      posts,
      results: [
        { ...result("r", "a", 1, "failed", "banned_word", "fix_content"), open_repair },
        result("s", "a", 2, "failed", "banned_word", "fix_content")
      ]
    })
    expect(found).toMatchObject([
      { kind: "failed", act: "edit", results: ["s"], posts: [{ id: "a" }] },
      { kind: "failed", act: "repair", results: ["r"], posts: [{ id: "a" }] }
    ])
  })

  it("forgets an account that was taken away when nothing waits for it", () => {
    const waiting = { total: 1, posts: [] }
    expect(causes({ of: [account(1, "disconnected")], planned: new Map() })).toEqual([])
    expect(causes({ of: [account(1, "disconnected")], planned: new Map([[1, waiting]]) })).toHaveLength(1)
    const failed = result("r", "a", 1, "failed", "account_disconnected", "reconnect_account")
    expect(causes({ of: [account(1, "disconnected")], posts, results: [failed] })).toMatchObject([
      { kind: "reconnect", total: 0, failed: 1 }
    ])
  })

  it("what needs a person is one question for each post that may be live, and one for all since a backup", () => {
    const found = causes({
      of: [account(1)],
      posts,
      results: [
        result("3", "c", 1, "unconfirmed", "restored", "check_account"),
        result("2", "b", 1, "unconfirmed", "restored", "check_account"),
        result("1", "a", 1, "unconfirmed", "reply_lost", "check_account")
      ]
    })
    expect(found.map(({ kind, posts: on }) => [kind, on.map(({ id }) => id)])).toEqual([
      ["doubt", ["a"]],
      ["restored", ["b", "c"]]
    ])
  })

  it("what needs a person is one row for a post whose words are to be changed, and one for what failed for the same reason", () => {
    const found = causes({
      of: [account(1), account(2)],
      posts,
      results: [
        result("5", "c", 1, "failed", "timeout", "wait"),
        result("4", "b", 1, "failed", "timeout", "wait"),
        result("3", "a", 1, "failed", "timeout", "wait"),
        result("2", "b", 2, "failed", "banned", "fix_content"),
        result("1", "b", 1, "failed", "too_long", "fix_content")
      ]
    })
    expect(found.map((cause) => [cause.kind, cause.posts.map(({ id }) => id)])).toEqual([
      ["failed", ["a", "b", "c"]],
      ["failed", ["b"]]
    ])
    expect(found[1]).toMatchObject({ act: "edit", accounts: [{ id: 1 }, { id: 2 }] })
  })

  it("what failed is tried again when the account that it failed for is connected again", () => {
    const [cause] = causes({
      of: [account(1)],
      posts,
      results: [result("1", "a", 1, "failed", "account_disconnected", "reconnect_account")]
    })
    expect(cause).toMatchObject({ kind: "failed", act: "again" })
  })

  it("says which access ends first, unless it has ended", () => {
    const found = causes({
      of: [account(1), account(2), account(3, "needs_reconnect")],
      ending: new Map([
        [1, 9],
        [2, 0],
        [3, 0]
      ])
    })
    expect(found.map(({ key }) => key)).toEqual(["reconnect-3", "ends-2", "ends-1"])
  })

  it("ends with the approvals, the first wish first, and those beyond five in one row", () => {
    const held = ["g", "f", "e", "d", "c", "b", "a"].map((id, index) => ({
      ...post(id, days[0]!),
      approval: { status: "waiting", asked_at: `2026-12-0${8 - index}T08:00:00.000Z` } as Approval
    }))
    const found = causes({
      of: [account(1, "needs_reconnect")],
      approvals: held,
      posts,
      results: [result("1", "a", 1, "unconfirmed", "reply_lost", "check_account")]
    })
    expect(found.map(({ key }) => key)).toEqual([
      "reconnect-1",
      "doubt-1",
      ...["a", "b", "c", "d", "e"].map((id) => `approval-${id}`),
      "approvals"
    ])
    expect(found.at(-1)).toMatchObject({ total: 2 })
  })

  it("keeps its key while its posts change", () => {
    const one = result("1", "a", 1, "failed", "timeout", "wait")
    const two = result("2", "b", 1, "failed", "timeout", "wait")
    const keys = [[two, one], [two]].map((results) => causes({ of: [account(1)], posts, results })[0]!.key)
    expect(new Set(keys).size).toBe(1)
  })
})
