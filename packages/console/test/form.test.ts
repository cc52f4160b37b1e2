import { describe, expect, it } from "@effect/vitest"
import {
  change,
  changesOf,
  emptyForm,
  type Form,
  fromPost,
  sameForm,
  toDraft,
  toRequest
} from "@carillon/console/compose/Form"
import { failuresOf, onBoards } from "@carillon/console/compose/repairs"
import type { CreatePost, Post } from "@carillon/sdk"

const zone = "Europe/Paris"

/** The post that a request becomes. */
const postOf = (request: CreatePost) => ({
  caption: request.caption ?? null,
  social_accounts: request.social_accounts,
  media: request.media ?? [],
  platform_configurations: request.platform_configurations ?? null,
  account_configurations: (request.account_configurations ?? null) as null,
  scheduled_at: request.scheduled_at ?? null,
  is_draft: request.is_draft ?? false,
  use_queue: request.use_queue === true,
  processing_enabled: request.processing_enabled ?? true,
  thread: (request.thread ?? null) as Post["thread"],
  thread_fallback: request.thread_fallback ?? null
})

const everything: CreatePost = {
  social_accounts: [3, 1, 2],
  caption: "The evening bells.",
  media: ["one", "two"],
  platform_configurations: {
    tiktok: { caption: "Bells", privacy_level: "SELF_ONLY", draft: true },
    pinterest: { board_ids: ["7"], title: "Bells" }
  },
  account_configurations: [
    { account_id: 3, caption: "", media: ["two"] },
    { account_id: 2, first_comment: "More", thread: [{ caption: "Then mine", media: [] }] }
  ],
  thread: [
    { caption: "Then", media: ["three"] },
    { caption: "Last", media: [] }
  ],
  thread_fallback: "join",
  scheduled_at: "2026-12-04T17:00:00.000Z",
  processing_enabled: false
}

describe("the form of a post", () => {
  it("holds all that a post has, and asks for the same again", () => {
    const form = fromPost(postOf(everything), zone)
    expect(form.when).toEqual({ kind: "at", value: "2026-12-04T18:00" })
    expect(toRequest(form, zone)).toEqual({ ...everything, scheduled_at: "2026-12-04T18:00[Europe/Paris]" })
    expect(
      fromPost(postOf({ ...toRequest(form, zone), scheduled_at: everything.scheduled_at! }), zone)
    ).toEqual(form)
  })

  it("the form of a repair goes out now, instead of what failed, to the boards that failed", () => {
    const draft = { ...postOf({ social_accounts: [1], caption: "x" }), is_draft: true, scheduled_at: null }
    expect(fromPost(draft, zone).when).toEqual({ kind: "at", value: "" })
    expect(fromPost({ ...draft, repairs: "r" }, zone).when).toEqual({ kind: "now" })
    const row = (id: string, social_account_id: number, more: object = {}) =>
      ({ id, social_account_id, board_id: null, status: "failed", ...more }) as Post["results"][number]
    const results = [
      row("live", 1, { status: "published" }),
      row("repaired", 2, { repaired_by: {} }),
      row("other", 3),
      row("one", 4, { board_id: "A" }),
      row("two", 4, { board_id: "B" }),
      row("left", 5)
    ]
    const failures = failuresOf({ results }, "two", [1, 2, 3, 4])
    expect(failures).toEqual([
      { result: "two", account: 4, board: "B" },
      { result: "other", account: 3, board: null }
    ])
    const own = { 4: { caption: "mine", options: { title: "t", board_ids: ["A", "B"] } } }
    expect(onBoards({ ...emptyForm, ofAccounts: own }, failures).ofAccounts).toEqual({
      4: { caption: "mine", options: { title: "t", board_ids: ["B"] } }
    })
  })

  it("keeps options that the console has no words for", () => {
    const strange = { bluesky: { of_tomorrow: { deep: [1, null] }, nothing: null } } as never
    const form = fromPost(postOf({ social_accounts: [1], platform_configurations: strange }), zone)
    expect(toRequest(form, zone).platform_configurations).toEqual(strange)
  })

  it("saves nothing of a post that was only looked at", () => {
    const form = fromPost(postOf({ ...everything, scheduled_at: "2026-12-04T17:00:31.250Z" }), zone)
    expect(changesOf(form, form, zone, { draft: false })).toEqual({})
    const written = change(form, { type: "caption", of: "everywhere", caption: "Bells at six" })
    expect(changesOf(form, written, zone, { draft: false })).toEqual({ caption: "Bells at six" })
  })

  it("sends the time as the clock of the zone", () => {
    const at: Form = { ...emptyForm, accounts: [1], when: { kind: "at", value: "2027-03-28T02:30" } }
    expect(toRequest(at, zone).scheduled_at).toBe("2027-03-28T02:30[Europe/Paris]")
    expect(toRequest({ ...at, when: { kind: "queue" } }, zone)).toMatchObject({ use_queue: true })
    const now = toRequest({ ...at, when: { kind: "now" } }, zone)
    expect(now).not.toHaveProperty("scheduled_at")
    expect(now).not.toHaveProperty("use_queue")
  })

  it("keeps a draft without a slot of the queue", () => {
    const form: Form = { ...emptyForm, accounts: [1], caption: "Bells", when: { kind: "queue" } }
    expect(toDraft(form, zone)).toEqual({
      social_accounts: [1],
      caption: "Bells",
      media: [],
      platform_configurations: {},
      account_configurations: [],
      is_draft: true
    })
    const planned = change(form, { type: "when", when: { kind: "at", value: "2027-01-01T09:00" } })
    expect(toDraft(planned, zone)).toMatchObject({
      scheduled_at: "2027-01-01T09:00[Europe/Paris]",
      is_draft: true
    })
    expect(changesOf(planned, form, zone, { draft: true })).toEqual({ scheduled_at: null })
    expect(changesOf(planned, form, zone, { draft: false })).toEqual({ use_queue: true })
  })
})

describe("a level of the form", () => {
  const form: Form = { ...emptyForm, accounts: [1, 2], caption: "For all" }

  it("a level of the form has its own text until it takes the shared one again", () => {
    const own = change(form, { type: "caption", of: "tiktok", caption: "For TikTok" })
    expect(toRequest(own, zone).platform_configurations).toEqual({ tiktok: { caption: "For TikTok" } })
    const shared = change(own, { type: "caption", of: "tiktok", caption: undefined })
    expect(toRequest(shared, zone)).toEqual(toRequest(form, zone))
    expect(sameForm(shared, form)).toBe(true)
    expect(sameForm(own, form)).toBe(false)
  })

  it("a level of the form may have an empty text of its own", () => {
    const own = change(form, { type: "caption", of: 2, caption: "" })
    expect(toRequest(own, zone).account_configurations).toEqual([{ account_id: 2, caption: "" }])
  })

  it("keeps its media and its text when its options change", () => {
    const own = [
      { type: "caption", of: 2, caption: "Mine" } as const,
      { type: "media", of: 2, media: ["one"] } as const,
      { type: "options", of: 2, options: { title: "A", privacy_status: undefined } } as const
    ].reduce(change, form)
    expect(toRequest(own, zone).account_configurations).toEqual([
      { account_id: 2, caption: "Mine", media: ["one"], title: "A" }
    ])
    expect(
      toRequest(change(own, { type: "media", of: 2, media: undefined }), zone).account_configurations
    ).toEqual([{ account_id: 2, caption: "Mine", title: "A" }])
    expect(sameForm(change(own, { type: "clear", of: 2 }), form)).toBe(true)
  })

  it("a level of the form has its own thread until it takes the shared one again", () => {
    const item = (key: number, caption: string) => ({ key, caption, media: [] })
    const written = change(form, {
      type: "thread",
      of: "everywhere",
      platform: undefined,
      with: () => [item(0, "Two"), item(1, "Three")]
    })
    const own = change(written, {
      type: "thread",
      of: "bluesky",
      platform: "bluesky",
      with: (shared) => shared.slice(1)
    })
    expect(toRequest(own, zone)).toMatchObject({
      thread: [
        { caption: "Two", media: [] },
        { caption: "Three", media: [] }
      ],
      platform_configurations: { bluesky: { thread: [{ caption: "Three", media: [] }] } }
    })
    const back = { type: "thread", of: "bluesky", platform: "bluesky", with: () => undefined } as const
    expect(sameForm(change(own, back), written)).toBe(true)
    // A removed thread is cleared from the post, not left as it was.
    const none = { ...back, of: "everywhere", platform: undefined } as const
    expect(changesOf(written, change(written, none), zone, { draft: true })).toEqual({ thread: null })
  })

  it("goes with its account, and comes back with it", () => {
    const own = change(form, { type: "caption", of: 2, caption: "Mine" })
    const without = change(own, { type: "accounts", accounts: [1] })
    expect(toRequest(without, zone).account_configurations).toEqual([])
    expect(sameForm(change(without, { type: "accounts", accounts: [1, 2] }), own)).toBe(true)
  })
})
