import { badRequest, PostId, problem, type UpdatePost } from "@carillon/domain"
import {
  atSlot,
  isScheduledAnew,
  lateWarnings,
  missingTime,
  overdueProblems,
  type PostChange,
  queueConflicts,
  queueProblems,
  readTime,
  reschedule,
  schedule,
  storedTime
} from "@carillon/server/posts/PostTimes"
import { assert, describe, it } from "@effect/vitest"
import { DateTime, Result } from "effect"

const at = (time: string) => DateTime.makeUnsafe(`2026-11-22T${time}:00Z`)

const now = at("12:00")
const planned = at("15:00")
const later = at("18:00")
const slot = at("16:00")
const id = PostId.make("0191f0a0-0000-7000-8000-000000000001")

const draft = { id, status: "draft", scheduled_at: planned, queue_slot: null } as const
const timeless = { ...draft, scheduled_at: null } as const
const scheduled = { id, status: "scheduled", scheduled_at: planned, queue_slot: null } as const
const queued = {
  id,
  status: "scheduled",
  scheduled_at: DateTime.add(slot, { minutes: 3 }),
  queue_slot: slot
} as const

const codes = (problems: ReadonlyArray<{ readonly code: string }>) => problems.map(({ code }) => code)

describe("the time that a request names", () => {
  it("a request may name no time", () => {
    assert.deepStrictEqual(readTime(null, "UTC", now), { instant: null, warnings: [], problems: [] })
  })

  it("the time that a request names without an offset is in the workspace's time zone", () => {
    const { instant, problems } = readTime("2026-11-22T15:00:00", "Europe/Berlin", now)
    assert.deepStrictEqual([instant, problems], [at("14:00"), []])
  })

  it("a time of a request that is no time has a problem and no instant", () => {
    const { instant, problems } = readTime("soon", "UTC", now)
    assert.deepStrictEqual([instant, codes(problems)], [null, ["scheduled_at_invalid"]])
  })

  it("the time that a request names may have passed by a minute and no more", () => {
    assert.deepStrictEqual(codes(readTime("2026-11-22T11:59:00Z", "UTC", now).problems), [])
    assert.deepStrictEqual(codes(readTime("2026-11-22T11:58:59.999Z", "UTC", now).problems), [
      "scheduled_at_past"
    ])
  })
})

describe("a new post", () => {
  it("goes out at its time, without one at once", () => {
    assert.deepStrictEqual(schedule({}, planned, false, now), { _tag: "at", instant: planned, slot: null })
    assert.deepStrictEqual(schedule({}, null, false, now), { _tag: "now" })
  })

  it("takes the next slot, of the queue's time zone or of the one that is named", () => {
    assert.deepStrictEqual(schedule({ use_queue: true }, null, false, now), {
      _tag: "queue",
      timezone: null,
      slot: null,
      post: null
    })
    assert.deepStrictEqual(schedule({ use_queue: { timezone: "Asia/Tokyo" } }, null, false, now), {
      _tag: "queue",
      timezone: "Asia/Tokyo",
      slot: null,
      post: null
    })
  })

  it("stays a draft when asked to, or when its app may write nothing else", () => {
    assert.deepStrictEqual(schedule({ is_draft: true }, planned, false, now), {
      _tag: "draft",
      instant: planned
    })
    assert.deepStrictEqual(schedule({}, planned, true, now), { _tag: "draft", instant: planned })
    assert.deepStrictEqual(schedule({ use_queue: true }, null, true, now), { _tag: "draft", instant: null })
  })
})

describe("what a change does to the time of a post", () => {
  const rows: ReadonlyArray<
    readonly [
      sentence: string,
      before: Parameters<typeof reschedule>[0],
      changes: PostChange,
      given: DateTime.Utc | null,
      when: ReturnType<typeof reschedule>
    ]
  > = [
    ["a draft keeps its plan", draft, { caption: "New" }, null, { _tag: "draft", instant: planned }],
    [
      "a new time is a draft's new plan",
      draft,
      { scheduled_at: "…" },
      later,
      { _tag: "draft", instant: later }
    ],
    [
      "is_draft: false sends a draft out as planned",
      draft,
      { is_draft: false },
      null,
      { _tag: "at", instant: planned, slot: null }
    ],
    [
      "is_draft: false with a time sends it out then",
      draft,
      { is_draft: false, scheduled_at: "…" },
      later,
      { _tag: "at", instant: later, slot: null }
    ],
    ["publish sends a draft out at once, whatever its plan", draft, { publish: true }, null, { _tag: "now" }],
    [
      "scheduled_at: null takes the plan from a draft",
      draft,
      { scheduled_at: null },
      null,
      { _tag: "draft", instant: null }
    ],
    [
      "scheduled_at: null with is_draft takes the plan from a draft",
      draft,
      { is_draft: true, scheduled_at: null },
      null,
      { _tag: "draft", instant: null }
    ],
    [
      "the queue takes a draft",
      draft,
      { use_queue: true },
      null,
      { _tag: "queue", timezone: null, slot: null, post: id }
    ],
    [
      "a scheduled post keeps its time",
      scheduled,
      { caption: "New" },
      null,
      { _tag: "at", instant: planned, slot: null }
    ],
    [
      "a new time moves it",
      scheduled,
      { scheduled_at: "…" },
      later,
      { _tag: "at", instant: later, slot: null }
    ],
    [
      "scheduled_at: null makes it a draft without a plan",
      scheduled,
      { scheduled_at: null },
      null,
      { _tag: "draft", instant: null }
    ],
    [
      "one that is on its way out stays so",
      { ...scheduled, scheduled_at: null },
      { caption: "New" },
      null,
      { _tag: "now" }
    ],
    [
      "is_draft: true makes its time a plan",
      scheduled,
      { is_draft: true },
      null,
      { _tag: "draft", instant: planned }
    ],
    [
      "the queue moves it to a slot",
      scheduled,
      { use_queue: true },
      null,
      { _tag: "queue", timezone: null, slot: null, post: id }
    ],
    [
      "a queued post keeps its slot",
      queued,
      { caption: "New" },
      null,
      { _tag: "at", instant: queued.scheduled_at, slot }
    ],
    [
      "use_queue: true leaves it where it is",
      queued,
      { use_queue: true },
      null,
      { _tag: "at", instant: queued.scheduled_at, slot }
    ],
    [
      "another time zone moves it to another slot",
      queued,
      { use_queue: { timezone: "Asia/Tokyo" } },
      null,
      { _tag: "queue", timezone: "Asia/Tokyo", slot: null, post: id }
    ],
    [
      "a slot that is named is taken, whatever it holds",
      queued,
      { use_queue: { slot: later } },
      null,
      { _tag: "queue", timezone: null, slot: later, post: id }
    ],
    [
      "use_queue: false frees its slot and keeps its time",
      queued,
      { use_queue: false },
      null,
      { _tag: "at", instant: queued.scheduled_at, slot: null }
    ],
    [
      "a time of its own frees its slot",
      queued,
      { scheduled_at: "…" },
      later,
      { _tag: "at", instant: later, slot: null }
    ]
  ]
  for (const [sentence, before, changes, given, when] of rows) {
    it(sentence, () => assert.deepStrictEqual(reschedule(before, changes, given, now), when))
  }
})

describe("a time that passed less than a minute ago", () => {
  const asked = DateTime.subtract(now, { seconds: 60 })
  const late = { _tag: "now", asked } as const

  it("a time that passed less than a minute ago is taken as now, with a warning", () => {
    assert.deepStrictEqual(schedule({}, asked, false, now), late)
    assert.deepStrictEqual(schedule({}, now, false, now), { _tag: "now", asked: now })
    assert.deepStrictEqual(reschedule(scheduled, { scheduled_at: "…" }, asked, now), late)
    assert.deepStrictEqual(reschedule(draft, { is_draft: false, scheduled_at: "…" }, asked, now), late)
    assert.include(lateWarnings(late).join(), "2026-11-22T11:59:00.000Z was less than a minute")
    assert.deepStrictEqual(lateWarnings({ _tag: "now" }), [])
  })

  it("stays the plan of a draft, and is not the time at which a draft may go out unseen, nor another one of a scheduled post", () => {
    const plan = { _tag: "draft", instant: asked } as const
    assert.deepStrictEqual(schedule({ is_draft: true }, asked, false, now), plan)
    assert.deepStrictEqual(reschedule(draft, { scheduled_at: "…" }, asked, now), plan)
    const kept = { _tag: "at", instant: asked, slot: null } as const
    assert.deepStrictEqual(
      reschedule({ ...draft, scheduled_at: asked }, { is_draft: false }, null, now),
      kept
    )
    assert.deepStrictEqual(codes(overdueProblems(draft, { is_draft: false }, kept, now)), [
      "scheduled_at_past"
    ])
    assert.deepStrictEqual(reschedule({ ...scheduled, scheduled_at: asked }, { caption: "New" }, null, now), {
      _tag: "at",
      instant: asked,
      slot: null
    })
  })

  it("a time that passed less than a minute ago is not in the future if only by a second", () => {
    const soon = DateTime.add(now, { seconds: 1 })
    assert.deepStrictEqual(schedule({}, soon, false, now), { _tag: "at", instant: soon, slot: null })
  })
})

describe("a post that is to be scheduled", () => {
  const missing = (before: Parameters<typeof missingTime>[0], changes: PostChange) =>
    codes(missingTime(before, changes))

  it("a post that is to be scheduled needs a time", () => {
    assert.deepStrictEqual(missing(timeless, { is_draft: false }), ["time_required"])
    for (const before of [timeless, draft, scheduled]) {
      assert.deepStrictEqual(missing(before, { is_draft: false, scheduled_at: null }), ["time_required"])
    }
  })

  it("a post that is to be scheduled has a time by its plan, beside it or in the queue, and needs none to be published", () => {
    assert.deepStrictEqual(missing(draft, { is_draft: false }), [])
    for (const changes of [{ scheduled_at: "…" }, { use_queue: true }, { publish: true }]) {
      assert.deepStrictEqual(missing(timeless, { is_draft: false, ...changes }), [])
    }
  })

  it("no time is asked of a post that is on its way out already, or stays a draft", () => {
    assert.deepStrictEqual(missing({ ...scheduled, scheduled_at: null }, { is_draft: false }), [])
    assert.deepStrictEqual(missing(scheduled, { scheduled_at: null }), [])
  })
})

describe("a time that has passed", () => {
  const past = { _tag: "at", instant: at("11:00"), slot: null } as const

  it("a time that has passed is no problem of a scheduled post that keeps it", () => {
    assert.deepStrictEqual(overdueProblems(scheduled, { caption: "New" }, past, now), [])
  })

  it("a time that has passed is a problem of a draft that goes out, and of a post that gets it", () => {
    assert.deepStrictEqual(codes(overdueProblems(draft, { is_draft: false }, past, now)), [
      "scheduled_at_past"
    ])
    assert.deepStrictEqual(codes(overdueProblems(scheduled, { scheduled_at: "…" }, past, now)), [
      "scheduled_at_past"
    ])
  })

  it("a time that has passed may be a draft's plan, and is not asked of what goes out at once, by the queue or later", () => {
    for (const when of [
      { _tag: "draft", instant: at("11:00") },
      { _tag: "now" },
      { _tag: "queue", timezone: null, slot: null, post: id },
      { _tag: "at", instant: later, slot: null }
    ] as const) {
      assert.deepStrictEqual(overdueProblems(draft, { is_draft: false }, when, now), [])
    }
  })
})

describe("the queue", () => {
  it("excludes a time and a draft", () => {
    const conflicts = (changes: UpdatePost) =>
      queueConflicts(changes).map(({ message }) => message.split(":")[0])
    assert.deepStrictEqual(conflicts({ use_queue: true, scheduled_at: "…", is_draft: true }), [
      "scheduled_at and use_queue cannot be combined; give only one of them.",
      "is_draft and use_queue cannot be combined"
    ])
    for (const fine of [
      { use_queue: true, scheduled_at: null, is_draft: false },
      { use_queue: false, scheduled_at: "…", is_draft: true },
      { scheduled_at: "…" }
    ]) {
      assert.deepStrictEqual(conflicts(fine), [])
    }
  })

  it("the queue that cannot be read is a problem of use_queue, one that is full a conflict of its own", () => {
    const item = { path: "timezone", code: "invalid", message: "No such time zone." }
    assert.deepStrictEqual(queueProblems(Result.fail(badRequest([item]))), [{ ...item, path: "use_queue" }])
    assert.deepStrictEqual(queueProblems(Result.fail(problem("queue_full", "No slot is free."))), [])
    assert.deepStrictEqual(queueProblems(Result.succeed({ slot, scheduled_at: slot, warnings: [] })), [])
  })
})

describe("a post's time as it is stored", () => {
  it("a post's time as it is stored is none where it goes out at once, and a plan of a draft", () => {
    assert.deepStrictEqual(storedTime({ _tag: "now" }), {
      status: "scheduled",
      scheduled_at: null,
      queue_slot: null
    })
    assert.deepStrictEqual(storedTime({ _tag: "draft", instant: planned }), {
      status: "draft",
      scheduled_at: planned,
      queue_slot: null
    })
  })

  it("a post's time as it is stored is its slot and the jittered instant", () => {
    const { when } = atSlot({ slot, scheduled_at: queued.scheduled_at, warnings: [] })
    assert.deepStrictEqual(storedTime(when), {
      status: "scheduled",
      scheduled_at: queued.scheduled_at,
      queue_slot: slot
    })
  })

  it("a post's time as it is stored is news when the post had none or another one", () => {
    assert.isTrue(isScheduledAnew(draft, scheduled))
    assert.isTrue(isScheduledAnew(scheduled, { ...scheduled, scheduled_at: later }))
    assert.isTrue(isScheduledAnew(scheduled, { ...scheduled, scheduled_at: null }))
    assert.isFalse(isScheduledAnew(scheduled, { ...scheduled }))
    assert.isFalse(isScheduledAnew(scheduled, { ...draft, scheduled_at: later }))
  })
})
