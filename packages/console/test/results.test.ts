import { untilNextRead } from "@carillon/console/data/intervals"
import { historyOf } from "@carillon/console/results/historyOf"
import { clock, formatMoment, waitUntil } from "@carillon/console/post/formatMoment"
import {
  inOrder,
  ownOf,
  profileAddress,
  rowAct,
  resultRows,
  rowState,
  saidBy,
  sentTo,
  stageOf,
  titleOf
} from "@carillon/console/post/resultRows"
import { reasonOf, stateWords } from "@carillon/console/post/stateWords"
import type { Post, PostResult } from "@carillon/sdk"
import { isChangeable, isEditOffered, whyFixed } from "@carillon/console/results/isChangeable"
import { whoChanged } from "@carillon/console/post/whoChanged"
import { describe, expect, it } from "@effect/vitest"

const now = Date.parse("2026-12-09T17:00:00Z")
const later = "2026-12-10T08:00:00Z"

const result = (more: Partial<PostResult>) =>
  ({
    id: "r",
    social_account_id: 1,
    platform: "sandbox",
    status: "waiting",
    attempts: 0,
    next_attempt_at: null,
    error: null,
    ...more
  }) as PostResult

const error = (action: string, code = "x") =>
  ({ action, code, class: "invalid", message: "", retry_at: null }) as NonNullable<PostResult["error"]>

const connected = { status: "connected" } as const
const broken = { status: "needs_reconnect" } as const

describe("the rows of a post's results", () => {
  it("tell what waits, what goes out now and what waits for an account", () => {
    const state = (more: Partial<PostResult>, account: typeof connected | typeof broken = connected) =>
      rowState(result(more), account, now)
    expect(state({ status: "publishing" })).toBe("going")
    expect(state({ next_attempt_at: "2026-12-09T17:00:01Z" })).toBe("going")
    expect(state({ next_attempt_at: later })).toBe("planned")
    expect(state({ next_attempt_at: later, error: error("wait") })).toBe("waiting")
    expect(state({ next_attempt_at: later }, broken)).toBe("blocked")
    expect(state({ next_attempt_at: later, error: error("reconnect_account") })).toBe("blocked")
    expect(state({ status: "published" }, broken)).toBe("live")
  })

  it("lead to the post that is to go out instead, and ask for nothing once it is live", () => {
    const failure = { status: "failed", error: error("fix_content") } as const
    const repair = { post_id: "q", post_result_id: "s" }
    for (const status of ["waiting", "publishing", "unconfirmed"] as const) {
      const open = result({ ...failure, open_repair: { ...repair, status } })
      expect(rowAct(open, rowState(open, connected, now), connected)).toBe("repair")
      const confirmed = { ...open, error: error("none", "confirmed_not_published") }
      expect(rowAct(confirmed, "failed", broken)).toBe("repair")
    }
    const repaired = result({ ...failure, repaired_by: { ...repair, url: null } })
    expect(rowState(repaired, broken, now)).toBe("repaired")
    expect(rowAct(repaired, "repaired", broken)).toBe("none")
    expect(whyFixed({ status: "failed", results: [repaired] })).toMatch(/another post went out/)
    expect(whyFixed({ status: "failed", results: [repaired, result(failure)] })).not.toMatch(/went out/)
  })

  it("the rows of a post's results have one thing to do, by what the service advises and how the account is now", () => {
    const act = (action: string, account: typeof connected | typeof broken = connected, code = "x") =>
      rowAct(result({ status: "failed", error: error(action, code) }), "failed", account)
    expect(act("fix_content")).toBe("edit")
    expect(act("reconnect_account", broken)).toBe("reconnect")
    expect(act("reconnect_account")).toBe("again")
    expect(act("contact_operator")).toBe("copy")
    expect(act("none")).toBe("again")
    expect(act("none", connected, "confirmed_not_published")).toBe("sendAgain")
    expect(rowAct(result({ status: "unconfirmed" }), "doubt", connected)).toBe("answer")
    expect(rowAct(result({}), "waiting", connected)).toBe("none")
  })

  it("the rows of a thread of which a part is live go on, whatever the reason was, and are not written anew", () => {
    const half = result({ status: "published", failed_items: 2, error: error("fix_content") })
    expect(rowState(half, connected, now)).toBe("broken")
    expect(rowAct(half, "broken", connected)).toBe("again")
    expect(rowAct(half, "broken", broken)).toBe("reconnect")
    expect(rowState(result({ status: "published", failed_items: 0 }), connected, now)).toBe("live")
  })

  it("tell what is in review, and what was rejected with the reason, which is written anew", () => {
    const of = (
      review: "pending" | "approved" | "rejected",
      review_reason: string | null = null,
      published_at = "2026-12-09T16:00:00Z"
    ) => {
      const data = { id: "1", url: null, username: null, review, review_reason }
      const [row] = resultRows(
        [result({ status: "published", published_at, platform_data: data })],
        new Map(),
        now
      )
      return [
        row!.state,
        row!.act,
        stateWords(row!, undefined, "", now, "UTC"),
        reasonOf(row!, connected, "X").sentence
      ]
    }
    expect(of("pending")).toEqual(["live", "none", "Live since 16:00:00, in review", null])
    expect(of("pending", null, "2026-12-01T16:00:00Z")[2]).not.toContain("in review")
    expect(of("approved")).toEqual(["live", "none", "Live since 16:00:00", null])
    const why =
      "X reviewed it and rejected it: “Phone number”. Write a new version without what it objects to."
    expect(of("rejected", "Phone number")).toEqual([
      "rejected",
      "rewrite",
      "Rejected after it was published",
      why
    ])
    expect(of("rejected")[3]).toBe(
      "X reviewed it and rejected it, and does not say why. Check its rules for posts, then write a new version."
    )
  })

  it("begin with what needs a person, and keep the places in which they have been seen", () => {
    const results = [
      result({ id: "live", status: "published" }),
      result({ id: "planned", next_attempt_at: later }),
      result({ id: "doubt", status: "unconfirmed" }),
      result({ id: "failed", status: "failed" })
    ]
    const rows = resultRows(results, new Map([[1, connected]]), now)
    const ids = (before: ReadonlyArray<string>) => inOrder(rows, before).map((row) => row.result.id)
    expect(ids([])).toEqual(["failed", "doubt", "planned", "live"])
    expect(ids(["live", "failed"])).toEqual(["live", "failed", "doubt", "planned"])
  })

  it("the rows of a post's results are read again in two seconds while something goes out, and in time for what will", () => {
    const pause = (...results: ReadonlyArray<Partial<PostResult>>) =>
      untilNextRead({ results: results.map(result) } as unknown as Post, now)
    expect(pause({ status: "published" }, { status: "publishing" })).toBe(2_000)
    expect(pause({ next_attempt_at: "2026-12-09T16:59:58Z" })).toBe(2_000)
    expect(pause({ next_attempt_at: "2026-12-09T17:00:10Z" })).toBe(9_800)
    expect(pause({ next_attempt_at: later }, { next_attempt_at: "2026-12-09T17:00:10Z" })).toBe(9_800)
    expect(pause({ next_attempt_at: "2040-12-09T17:00:00Z" })).toBe(86_400_000)
    expect(pause({ next_attempt_at: "2026-12-09T12:00:00Z" })).toBe(false)
    expect(pause({ status: "failed" })).toBe(false)
    expect(untilNextRead(undefined, now)).toBe(false)
  })

  it("quote the platform's own words, with quotes and points within them", () => {
    expect(saidBy('Bells rejected the request with status 422: "No "x". Never.". Change the post.')).toBe(
      'No "x". Never.'
    )
    expect(saidBy("The account is not allowed to do this.")).toBeNull()
  })
})

describe("what was sent", () => {
  it("what was sent is the account's own, else its network's, else what is for all", () => {
    const post = {
      caption: "all",
      media: ["1"],
      thread: [{ caption: "then", media: [] }],
      platform_configurations: { sandbox: { caption: "network", thread: ["then its own"] } },
      account_configurations: [{ account_id: 2, caption: "own", media: ["2"], thread: [] }]
    } as unknown as Post
    expect(sentTo(post, { platform: "bluesky", social_account_id: 1 })).toEqual({
      caption: "all",
      media: ["1"],
      thread: [{ caption: "then", media: [] }]
    })
    expect(sentTo(post, { platform: "sandbox", social_account_id: 1 }).caption).toBe("network")
    expect(sentTo(post, { platform: "sandbox", social_account_id: 2 })).toEqual({
      caption: "own",
      media: ["2"],
      thread: []
    })
  })

  it("differs in its text, in its files or in both", () => {
    const own = (...entries: ReadonlyArray<object>) =>
      ownOf({
        caption: "all",
        media: ["1"],
        account_configurations: entries.map((entry, index) => ({ account_id: index + 1, ...entry })),
        results: [result({ id: "a", social_account_id: 1 }), result({ id: "b", social_account_id: 2 })]
      } as unknown as Post)
    expect(own({ caption: "all", media: ["1"] })).toBeNull()
    expect(own({ caption: "mine" })).toMatchObject({ what: "text", results: [{ id: "a" }] })
    expect(own({}, { media: [] })).toMatchObject({ what: "files", results: [{ id: "b" }] })
    expect(own({ caption: "mine", media: ["2"] })?.what).toBe("both")
    expect(own({ caption: "mine" }, { media: ["2"] })?.what).toBe("either")
  })

  it("what was sent is not said to be sent before any account may have it", () => {
    const stage = (scheduled_at: string | null, ...states: ReadonlyArray<"live" | "waiting" | "blocked">) =>
      stageOf(
        { scheduled_at, status: "scheduled" },
        states.map((state) => ({ state })),
        now
      )
    expect(stage("2026-12-09T16:00:00Z", "waiting")).toBe("due")
    expect(stage(null, "waiting")).toBe("due")
    expect(stage("2026-12-09T16:00:00Z", "waiting", "live")).toBe("sent")
    expect(stage(later, "blocked")).toBe("planned")
  })

  it("what was sent is called by its first line", () => {
    expect(titleOf("\n Bells \nat dusk")).toBe("Bells")
    expect(titleOf("b".repeat(100), 10)).toBe(`${"b".repeat(9)}…`)
    expect(titleOf(null)).toBe("")
  })
})

describe("the history", () => {
  it("the history is newest first, from the writing to the last try; what is due later has not happened", () => {
    const post = {
      created_at: "2026-12-03T08:00:00Z",
      scheduled_at: "2026-12-09T17:00:00Z",
      results: [result({ id: "r" })]
    } as unknown as Post
    const logs = new Map([
      [
        "r",
        [
          { at: "2026-12-09T17:00:01Z", step: "publish", outcome: "waiting", message: "busy" },
          { at: "2026-12-09T17:00:20Z", step: "publish", outcome: "failed", message: "no" }
        ] as const
      ]
    ])
    expect(historyOf(post, logs, now).map(({ what }) => what)).toEqual(["failed", "waiting", "due", "made"])
    expect(historyOf(post, new Map(), now - 1).map(({ what }) => what)).toEqual(["made"])
  })

  it("tell who asked for an approval, and who gave it or not", () => {
    const asked = {
      app: "Claude",
      asked_by: { type: "app", name: "Claude" },
      wants: "now",
      asked_at: "2026-12-09T16:00:00Z",
      reason: null
    } as const
    const told = (approval: NonNullable<Post["approval"]>) =>
      historyOf(
        { created_at: "2026-12-09T15:00:00Z", scheduled_at: null, results: [], approval },
        new Map(),
        now
      )
        .map(({ by, what }) => [what, by])
        .toReversed()
    const [first, second] = [
      ["made", undefined],
      ["asked", "Claude"]
    ]
    const at = "2026-12-09T16:30:00Z"
    expect(told({ ...asked, status: "waiting", decided_at: null, decided_by: null })).toEqual([first, second])
    const decided = { ...asked, decided_at: at, decided_by: { name: "Maya" } } as const
    expect(told({ ...decided, status: "approved" })).toEqual([first, second, ["approved", "Maya"]])
    expect(told({ ...decided, status: "refused" })).toEqual([first, second, ["refused", "Maya"]])
    expect(told({ ...decided, status: "refused", decided_by: null })).toEqual([
      first,
      second,
      ["refused", null]
    ])
  })
})

describe("a moment", () => {
  it("a moment is named by its day on the wall clock of the zone", () => {
    const at = (instant: string) => formatMoment(instant, now, "Europe/Paris")
    expect(at("2026-12-09T17:00:00Z")).toBe("today, 18:00")
    expect(at("2026-12-09T23:30:00Z")).toBe("tomorrow, 00:30")
    expect(at("2026-12-08T17:00:00Z")).toBe("yesterday, 18:00")
    expect(at("2026-12-04T17:00:00Z")).toBe("Fri 4 Dec, 18:00")
    expect(clock("2026-12-09T17:00:41Z", now, "Europe/Paris")).toBe("18:00:41")
    expect(clock("2026-12-08T17:00:41Z", now, "Europe/Paris")).toBe("yesterday, 18:00:41")
  })

  it("a moment is told by how far away it is", () => {
    expect(waitUntil("2026-12-10T07:24:00Z", now)).toBe("14 h 24 min")
    expect(waitUntil("2026-12-09T17:20:00Z", now)).toBe("20 min")
    expect(waitUntil("2026-12-09T17:00:10Z", now)).toBe("less than a minute")
    expect(waitUntil("2026-12-13T17:00:00Z", now)).toBe("4 days")
  })
})

describe("who changed a post", () => {
  const here = { me: "Maya", now: Date.parse("2026-12-03T13:20:00Z"), zone: "Europe/Paris" }
  const by = (type: "member" | "key" | "app", name: string | null) =>
    whoChanged({ updated_by: { type, name, at: "2026-12-03T13:05:00.000Z" } }, here)

  it("who changed a post is said with its time, and nobody is named who is not known", () => {
    expect(by("member", "Jonas")).toBe("Jonas changed it at 14:05")
    expect(by("member", "Maya")).toBe("You changed it elsewhere at 14:05")
    expect(by("app", "Claude")).toBe("Claude changed it at 14:05")
    expect(by("key", "Nightly script")).toBe("The key “Nightly script” changed it at 14:05")
    expect(by("key", null)).toBe("The service’s own key changed it at 14:05")
    const before = { type: "member", name: "Jonas", at: "2026-12-01T13:05:00.000Z" } as const
    expect(whoChanged({ updated_by: before }, here)).toBe("Jonas changed it on Tue 1 Dec, 14:05")
    expect(whoChanged({ updated_by: null }, here)).toBe("Somebody changed it")
  })
})

describe("a post that can still be changed", () => {
  const at = Date.parse("2026-12-03T13:20:00Z")
  const post = (...statuses: ReadonlyArray<PostResult["status"]>) => ({
    status: "scheduled" as const,
    results: statuses.map((status) => ({ status, next_attempt_at: "2026-12-03T14:00:00.000Z" }) as PostResult)
  })

  it("a post that can still be changed is one that no network has or is just given; else the reason is said", () => {
    expect(whyFixed(post("waiting", "waiting"))).toBeNull()
    expect(isChangeable({ status: "draft", results: [] })).toBe(true)
    expect(whyFixed(post("waiting", "publishing", "published"))).toMatch(/going out/)
    expect(whyFixed(post("waiting", "published", "failed"))).toMatch(/live already/)
    expect(whyFixed(post("waiting", "unconfirmed"))).toMatch(/may be live/)
    expect(whyFixed(post("waiting", "failed"))).toMatch(/refused/)
  })

  it("a post that can still be changed is offered where there is time until the next try, or where that waits for something else", () => {
    expect(isEditOffered(post("waiting"), at)).toBe(true)
    expect(isEditOffered(post("waiting"), Date.parse("2026-12-03T13:59:59Z"))).toBe(false)
    expect(isEditOffered(post("waiting"), Date.parse("2026-12-03T14:05:00Z"))).toBe(true)
    expect(isEditOffered(post("published"), at)).toBe(false)
  })
})

describe("where an account is looked at", () => {
  const at = (platform: string, username: string, network: "real" | "test" = "real") =>
    profileAddress({ platform, username, network }, "http://localhost:4401")

  it.each([
    ["instagram", "bakery", "https://www.instagram.com/bakery/"],
    ["mastodon", "bakery@social.example", "https://social.example/@bakery"],
    ["youtube", "bakery", "https://www.youtube.com/@bakery"],
    ["bluesky", "bakery.bsky.social", "https://bsky.app/profile/bakery.bsky.social"]
  ])("where an account is looked at is the account's own page at %s", (platform, username, address) => {
    expect(at(platform, username)).toBe(address)
  })

  it("the page of an account is not known where its name does not tell", () => {
    expect(at("telegram", "Bells of the old town")).toBe(null)
    expect(at("youtube", "The old town")).toBe(null)
    expect(at("mastodon", "bakery")).toBe(null)
    expect(at("discord", "announcements")).toBe(null)
  })

  it("the page of an account is the test network's where that plays the network, and never the network's own", () => {
    expect(at("sandbox", "bakery & mill", "test")).toBe("http://localhost:4401/?account=bakery%20%26%20mill")
    expect(at("instagram", "bakery", "test")).toBe("http://localhost:4401")
    expect(profileAddress({ platform: "instagram", username: "bakery", network: "test" }, null)).toBe(null)
  })
})
