import { SandboxProcess } from "@carillon/sandbox/testing"
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { connect, create, inSeconds, settled } from "@carillon/testing/Publishing"
import { Service, startService } from "@carillon/testing/ServiceProcess"
import { kind } from "@carillon/testing/TestSql"
import { anotherWorkspace, SharedService } from "@carillon/testing/SharedService"

const week = ["mon", "tue", "wed", "thu", "fri", "sat", "sun"]
const hour = 3_600_000

/** Every day at these times. */
const daily = (...times: ReadonlyArray<string>) => week.flatMap((day) => times.map((time) => ({ day, time })))

const began = new Date()

/** A time of the day by UTC that is so many hours away: no slot comes or goes while this file runs. */
const ahead = (hours: number, minutes = "00") =>
  `${String((began.getUTCHours() + hours) % 24).padStart(2, "0")}:${minutes}`

/** Four slots a day. */
const everySixHours = daily(ahead(3), ahead(9), ahead(15), ahead(21))

const firstSlot = new Date(began).setUTCMinutes(0, 0, 0) + 3 * hour

/** The next of them, from the `first` on (0: the very next). */
const sixths = (count: number, first = 0) =>
  Array.from({ length: count }, (_, index) => new Date(firstSlot + (first + index) * 6 * hour).toISOString())

const minutesAfter = (at: string, minutes: number) =>
  new Date(Date.parse(at) + minutes * 60_000).toISOString()

const setQueue = Effect.fnUntraced(function* (schedule: object) {
  const service = yield* Service
  const { status, body } = yield* service.call("PUT", "/v1/queue", { timezone: "UTC", ...schedule })
  assert.strictEqual(status, 200, JSON.stringify(body))
  return body
})

const patch = Effect.fnUntraced(function* (id: string, changes: object) {
  const service = yield* Service
  const { status, body } = yield* service.call("PATCH", `/v1/posts/${id}`, changes)
  assert.strictEqual(status, 200, JSON.stringify(body))
  return body
})

/** The slots of one test must be free in it. */
const emptyQueue = Effect.gen(function* () {
  const service = yield* Service
  const { body } = yield* service.call("GET", "/v1/posts?status=scheduled&limit=200")
  for (const { id } of body.data) yield* service.call("DELETE", `/v1/posts/${id}`)
})

layer(SharedService, { excludeTestServices: true, timeout: "180 seconds" })("the queue", (it) => {
  it.effect("the queue has ten slots a week at first, which are on the workspace's clock", () =>
    Effect.gen(function* () {
      const service = yield* Service
      const profile = (timezone: string) => service.call("PATCH", "/v1/profile", { timezone })
      assert.deepStrictEqual((yield* service.call("GET", "/v1/queue")).body, {
        timezone: null,
        slots: ["mon", "tue", "wed", "thu", "fri"].flatMap((day) => [
          { day, time: "11:00" },
          { day, time: "16:00" }
        ]),
        jitter_minutes: 0
      })
      const before = (yield* service.call("GET", "/v1/profile")).body.timezone
      yield* profile("Asia/Tokyo")
      const free = (yield* service.call("GET", "/v1/queue/slots")).body.data
      for (const { local } of free) assert.match(local, /T(11|16):00:00\.000\+09:00$/)
      const account = yield* connect("usual")
      const post: any = yield* create({ social_accounts: [account], caption: "x", use_queue: true })
      assert.include(
        free.map((slot: { scheduled_at: string }) => slot.scheduled_at),
        post.scheduled_at
      )
      yield* profile(before)
    })
  )

  it.effect("takes no post when its slots are taken away", () =>
    Effect.gen(function* () {
      const service = yield* Service
      const account = yield* connect("unset")
      const emptied = yield* service.call("PUT", "/v1/queue", { slots: [] })
      assert.deepStrictEqual([emptied.status, emptied.body.slots], [200, []])
      for (const path of ["/v1/posts", "/v1/posts/validate"]) {
        const refused = yield* service.call("POST", path, {
          social_accounts: [account, 999_999],
          caption: "x",
          use_queue: true
        })
        assert.deepStrictEqual(
          refused.body.errors.map((item: { path: string; code: string }) => [item.path, item.code]),
          [
            ["use_queue", "queue_not_configured"],
            ["social_accounts[1]", "social_account_not_found"]
          ]
        )
      }
      const slots = yield* service.call("GET", "/v1/queue/slots")
      assert.deepStrictEqual([slots.status, slots.body.code], [400, "queue_not_configured"])
    })
  )

  it.effect("the queue is set as a whole, in the order of the week, and refused with every mistake", () =>
    Effect.gen(function* () {
      const service = yield* Service
      const set = yield* service.call("PUT", "/v1/queue", {
        timezone: "Europe/Berlin",
        slots: [
          { day: "sun", time: "10:00" },
          { day: "mon", time: "17:30" },
          { day: "mon", time: "09:00" }
        ],
        jitter_minutes: 5
      })
      const expected = {
        timezone: "Europe/Berlin",
        slots: [
          { day: "mon", time: "09:00" },
          { day: "mon", time: "17:30" },
          { day: "sun", time: "10:00" }
        ],
        jitter_minutes: 5
      }
      assert.deepStrictEqual(set.body, expected)
      assert.deepStrictEqual((yield* service.call("GET", "/v1/queue")).body, expected)

      const wrong = yield* service.call("PUT", "/v1/queue", {
        timezone: "Mars/Olympus",
        slots: [
          { day: "monday", time: "09:00" },
          { day: "mon", time: "24:00" },
          { day: "mon", time: "9:00" }
        ],
        jitter_minutes: 31
      })
      assert.strictEqual(wrong.status, 400)
      assert.deepStrictEqual(
        wrong.body.errors.map(({ path }: { path: string }) => path),
        ["timezone", "slots[0].day", "slots[1].time", "slots[2].time", "jitter_minutes"]
      )
      const twice = yield* service.call("PUT", "/v1/queue", {
        slots: [
          { day: "mon", time: "09:00" },
          { day: "mon", time: "09:00" }
        ]
      })
      assert.deepStrictEqual([twice.status, twice.body.errors[0].path], [400, "slots[1]"])
      assert.deepStrictEqual((yield* service.call("GET", "/v1/queue")).body, expected)

      const cleared = yield* service.call("PUT", "/v1/queue", { slots: [] })
      assert.deepStrictEqual(cleared.body, { timezone: null, slots: [], jitter_minutes: 0 })
    })
  )

  it.effect("gives every post the next free slot, says which are free, and checks without taking one", () =>
    Effect.gen(function* () {
      const service = yield* Service
      yield* emptyQueue
      yield* setQueue({ slots: everySixHours })
      const account = yield* connect("next")
      const free = (yield* service.call("GET", "/v1/queue/slots?count=3")).body
      const expected = sixths(3)
      assert.deepStrictEqual(
        free.data,
        expected.map((at) => ({
          scheduled_at: at,
          local: at.replace("Z", "+00:00"),
          timezone: "UTC"
        }))
      )
      assert.deepStrictEqual(free.meta, { total: 360, offset: 0, limit: 3, next: null })

      const request = { social_accounts: [account], caption: "x", use_queue: true }
      const valid = yield* service.call("POST", "/v1/posts/validate", request)
      assert.deepStrictEqual(valid.body, {
        valid: true,
        scheduled_at: expected[0],
        warnings: [],
        estimated_cost: 0
      })
      for (const at of expected) {
        const { body } = yield* service.call("POST", "/v1/posts", request)
        assert.deepStrictEqual([body.status, body.scheduled_at, body.use_queue], ["scheduled", at, true])
        assert.strictEqual(body.results[0].next_attempt_at, at)
        assert.isTrue((yield* service.call("GET", `/v1/posts/${body.id}`)).body.use_queue)
      }
      const left = (yield* service.call("GET", "/v1/queue/slots?count=1")).body
      assert.deepStrictEqual([left.data[0].scheduled_at, left.meta.total], [sixths(1, 3)[0], 357])
      const none = yield* service.call("GET", "/v1/queue/slots?count=0")
      assert.deepStrictEqual([none.status, none.body.errors[0].path], [400, "count"])
    })
  )

  it.effect("reads the slots in the time zone of the request, then of the queue, then of the profile", () =>
    Effect.gen(function* () {
      const service = yield* Service
      yield* emptyQueue
      const account = yield* connect("zones")
      const hourIn = (at: string, timeZone: string) =>
        new Intl.DateTimeFormat("en-GB", { timeZone, timeStyle: "short" }).format(new Date(at))
      const queued = (use_queue: unknown) => create({ social_accounts: [account], caption: "x", use_queue })
      yield* service.call("PATCH", "/v1/profile", { timezone: "Asia/Tokyo" })
      yield* setQueue({ timezone: null, slots: daily("09:00") })
      const ofProfile = yield* queued(true)
      assert.strictEqual(hourIn(ofProfile.scheduled_at!, "Asia/Tokyo"), "09:00")
      yield* setQueue({ timezone: "Europe/Berlin", slots: daily("09:00") })
      const ofQueue = yield* queued(true)
      assert.strictEqual(hourIn(ofQueue.scheduled_at!, "Europe/Berlin"), "09:00")
      const ofRequest = yield* queued({ timezone: "America/New_York" })
      assert.strictEqual(hourIn(ofRequest.scheduled_at!, "America/New_York"), "09:00")
      const { body } = yield* service.call("GET", "/v1/queue/slots?count=1&timezone=Asia/Kathmandu")
      assert.match(body.data[0].local, /T09:00:00.000\+05:45$/)
      const unknown = yield* service.call("POST", "/v1/posts", {
        social_accounts: [account],
        caption: "x",
        use_queue: { timezone: "Mars/Olympus" }
      })
      assert.deepStrictEqual([unknown.status, unknown.body.errors[0].path], [400, "use_queue.timezone"])
      yield* service.call("PATCH", "/v1/profile", { timezone: "UTC" })
    })
  )

  it.effect(
    "the queue has a slot free again when its post is moved, deleted, made a draft or published now",
    () =>
      Effect.gen(function* () {
        const service = yield* Service
        yield* emptyQueue
        yield* setQueue({ slots: everySixHours })
        const account = yield* connect("freed")
        const queued = Effect.suspend(() =>
          create({ social_accounts: [account], caption: "x", use_queue: true })
        )
        const [first, second] = sixths(2) as [string, string]
        const other = inSeconds(100 * 86_400)
        const freedBy = {
          moved: (id: string) => Effect.asVoid(patch(id, { scheduled_at: other })),
          deleted: (id: string) => Effect.asVoid(service.call("DELETE", `/v1/posts/${id}`)),
          "made a draft": (id: string) => Effect.asVoid(patch(id, { is_draft: true })),
          published: (id: string) =>
            Effect.andThen(service.call("POST", `/v1/posts/${id}/publish`), settled(id))
        }
        let holder = yield* queued
        for (const [how, free] of Object.entries(freedBy)) {
          assert.strictEqual(holder.scheduled_at, first, how)
          const next = yield* queued
          assert.strictEqual(next.scheduled_at, second, how)
          yield* free(holder.id)
          const { body } = yield* service.call("GET", `/v1/posts/${holder.id}`)
          assert.isNotTrue(body.use_queue, how)
          // The others stay where they are, and the next post fills the hole.
          assert.strictEqual((yield* service.call("GET", `/v1/posts/${next.id}`)).body.scheduled_at, second)
          holder = yield* queued
          yield* service.call("DELETE", `/v1/posts/${next.id}`)
        }
      })
  )

  it.effect("leaves out a slot at which somebody has put a post by hand", () =>
    Effect.gen(function* () {
      yield* emptyQueue
      yield* setQueue({ slots: everySixHours })
      const account = yield* connect("by-hand")
      const [first, second, third] = sixths(3)
      yield* create({ social_accounts: [account], caption: "x", scheduled_at: first })
      yield* create({ social_accounts: [account], caption: "x", is_draft: true, scheduled_at: second })
      const post = { social_accounts: [account], caption: "x", use_queue: true }
      assert.strictEqual((yield* create(post)).scheduled_at, second)
      assert.strictEqual((yield* create(post)).scheduled_at, third)
    })
  )

  it.effect("takes a post that a PATCH moves there, and lets go of one that a PATCH takes out", () =>
    Effect.gen(function* () {
      yield* emptyQueue
      yield* setQueue({ slots: everySixHours })
      const account = yield* connect("patched-queue")
      const [first, second] = sixths(2)
      const draft = yield* create({ social_accounts: [account], caption: "x", is_draft: true })
      const moved = yield* patch(draft.id, { use_queue: true })
      assert.deepStrictEqual([moved.status, moved.scheduled_at, moved.use_queue], ["scheduled", first, true])
      // There already: it keeps its slot, also when something else changes.
      for (const changes of [
        { use_queue: true },
        { caption: "y" },
        { use_queue: null, is_draft: null },
        { is_draft: false },
        { use_queue: { timezone: "UTC" } },
        { scheduled_at: null, use_queue: true }
      ]) {
        const same = yield* patch(draft.id, changes)
        assert.deepStrictEqual([same.scheduled_at, same.use_queue], [first, true], JSON.stringify(changes))
      }
      const fixed = yield* create({
        social_accounts: [account],
        caption: "x",
        scheduled_at: inSeconds(40 * 86_400)
      })
      assert.strictEqual((yield* patch(fixed.id, { use_queue: true })).scheduled_at, second)
      // Out of the queue it keeps its time.
      const out = yield* patch(draft.id, { use_queue: false })
      assert.deepStrictEqual([out.scheduled_at, out.use_queue, out.status], [first, false, "scheduled"])
    })
  )

  it.effect("says which slot a post holds, and has it back there when it is asked for that slot", () =>
    Effect.gen(function* () {
      const service = yield* Service
      yield* emptyQueue
      yield* setQueue({ slots: everySixHours, jitter_minutes: 30 })
      const account = yield* connect("back-in-slot")
      const [first, second] = sixths(2) as [string, string]
      const post: any = yield* create({ social_accounts: [account], caption: "x", use_queue: true })
      assert.strictEqual(post.queue_slot, first)
      const rows = Effect.gen(function* () {
        const day = first.slice(0, 10)
        const { body } = yield* service.call(
          "GET",
          `/v1/posts/calendar?from=${day}&timezone=UTC&social_account_id=${account}`
        )
        return body.days.flatMap(({ posts }: { posts: ReadonlyArray<object> }) => posts)
      })
      assert.deepStrictEqual(
        (yield* rows).map(({ queue_slot }: any) => queue_slot),
        [first]
      )

      const out = yield* patch(post.id, { scheduled_at: inSeconds(40 * 3600) })
      assert.notProperty(out, "queue_slot")
      for (const row of yield* rows) assert.notProperty(row, "queue_slot")
      const back = yield* patch(post.id, { use_queue: { slot: first } })
      assert.deepStrictEqual([back.use_queue, back.queue_slot], [true, first])
      assert.isTrue(back.scheduled_at >= first && back.scheduled_at < minutesAfter(first, 30))
      // It may hold the slot that it is asked for, and a new post takes any that is free.
      assert.strictEqual((yield* patch(post.id, { use_queue: { slot: first } })).queue_slot, first)
      const third: any = yield* create({
        social_accounts: [account],
        caption: "x",
        use_queue: { slot: sixths(1, 2)[0], timezone: "UTC" }
      })
      assert.strictEqual(third.queue_slot, sixths(1, 2)[0])

      for (const slot of [first, minutesAfter(second, 1), inSeconds(-60)]) {
        const refused = yield* service.call("POST", "/v1/posts", {
          social_accounts: [account],
          caption: "x",
          use_queue: { slot }
        })
        assert.deepStrictEqual([refused.status, refused.body.errors[0].path], [400, "use_queue"], slot)
        assert.include(refused.body.errors[0].message, "is not a free slot")
      }
      const nothing = yield* service.call("PATCH", `/v1/posts/${post.id}`, { use_queue: {} })
      assert.deepStrictEqual([nothing.status, nothing.body.errors[0].path], [400, "use_queue"])
    })
  )

  it.effect("excludes a time and a draft in the same request, and changes nothing then", () =>
    Effect.gen(function* () {
      const service = yield* Service
      yield* emptyQueue
      yield* setQueue({ slots: everySixHours })
      const account = yield* connect("excluded")
      const post = yield* create({ social_accounts: [account], caption: "x", scheduled_at: inSeconds(3600) })
      for (const fields of [{ scheduled_at: inSeconds(60) }, { is_draft: true }]) {
        const request = { social_accounts: [account], caption: "y", use_queue: true, ...fields }
        for (const [method, path] of [
          ["POST", "/v1/posts"],
          ["POST", "/v1/posts/validate"],
          ["PATCH", `/v1/posts/${post.id}`]
        ] as const) {
          const refused = yield* service.call(method, path, request)
          assert.deepStrictEqual([refused.status, refused.body.code], [400, "schedule_conflict"])
          assert.strictEqual(refused.body.errors[0].path, "use_queue")
        }
      }
      const { body } = yield* service.call("GET", `/v1/posts/${post.id}`)
      assert.deepStrictEqual([body.caption, body.scheduled_at], ["x", post.scheduled_at])
    })
  )

  it.effect("the queue is full when every slot of the next 90 days is held", () =>
    Effect.gen(function* () {
      const service = yield* Service
      yield* emptyQueue
      yield* setQueue({ slots: [{ day: "mon", time: ahead(12) }] })
      const account = yield* connect("full")
      const post = { social_accounts: [account], caption: "x", use_queue: true }
      const { total } = (yield* service.call("GET", "/v1/queue/slots")).body.meta
      assert.include([12, 13], total)
      const slots = yield* Effect.forEach(Array.from({ length: total }), () => create(post))
      assert.lengthOf(new Set(slots.map(({ scheduled_at }) => scheduled_at)), total)
      for (const path of ["/v1/posts", "/v1/posts/validate"]) {
        const refused = yield* service.call("POST", path, post)
        assert.deepStrictEqual([refused.status, refused.body.code], [409, "queue_full"])
      }
      const wrong = yield* service.call("POST", "/v1/posts", { ...post, social_accounts: [999_999] })
      assert.strictEqual(wrong.body.code, "social_account_not_found")
      assert.deepStrictEqual((yield* service.call("GET", "/v1/queue/slots")).body.data, [])
    })
  )

  it.effect("puts a post after its slot by the jitter, and never as far as the next slot", () =>
    Effect.gen(function* () {
      const service = yield* Service
      yield* emptyQueue
      yield* setQueue({ slots: daily(ahead(12), ahead(12, "02")), jitter_minutes: 30 })
      const account = yield* connect("jitter")
      const slots = (yield* service.call("GET", "/v1/queue/slots?count=20")).body.data
      const shifts: Array<number> = []
      for (const { scheduled_at: slot, local } of slots) {
        const post = yield* create({ social_accounts: [account], caption: "x", use_queue: true })
        const shift = (Date.parse(post.scheduled_at!) - Date.parse(slot)) / 60_000
        assert.isAtLeast(shift, 0)
        assert.isBelow(shift, local.includes(`T${ahead(12)}`) ? 2 : 30.01)
        const stored = (yield* service.call("GET", `/v1/posts/${post.id}`)).body
        assert.strictEqual(stored.scheduled_at, post.scheduled_at)
        shifts.push(shift)
      }
      assert.isAbove(new Set(shifts).size, 10)
      assert.isTrue(shifts.some((shift) => shift > 2))
    })
  )

  it.effect("the queue has its next slot a day later when it has one a day", () =>
    Effect.gen(function* () {
      yield* emptyQueue
      // Two minutes ahead, so that the minute does not turn meanwhile.
      const soon = inSeconds(120)
      yield* setQueue({ slots: daily(soon.slice(11, 16)) })
      const account = yield* connect("once")
      const post = { social_accounts: [account], caption: "x", use_queue: true }
      const first = yield* create(post)
      assert.strictEqual(first.scheduled_at, `${soon.slice(0, 16)}:00.000Z`)
      const second = yield* create(post)
      assert.strictEqual(Date.parse(second.scheduled_at!) - Date.parse(first.scheduled_at!), 24 * hour)
    })
  )

  it.effect("the queue can be read with posts:read, set with posts:write, and is the workspace's own", () =>
    Effect.gen(function* () {
      const service = yield* Service
      const keyWith = (scope: string) =>
        Effect.map(service.call("POST", "/v1/api-keys", { name: scope, scopes: [scope] }), ({ body }) => ({
          authorization: `Bearer ${body.key}`
        }))
      const [reader, stranger] = [yield* keyWith("posts:read"), yield* keyWith("media:read")]
      const put = service.call("PUT", "/v1/queue", { slots: [] }, reader)
      assert.strictEqual((yield* put).body.code, "missing_scope")
      assert.strictEqual((yield* service.call("GET", "/v1/queue", undefined, reader)).status, 200)
      assert.strictEqual((yield* service.call("GET", "/v1/queue/slots", undefined, stranger)).status, 403)
    })
  )

  it.effect("twenty posts at once, over every process that there may be, take twenty slots in a row", () =>
    Effect.gen(function* () {
      const service = yield* Service
      const env = { SANDBOX_URL: (yield* SandboxProcess).url }
      const [first, second] = yield* {
        embedded: Effect.map(anotherWorkspace, (calls) => {
          const one = { ...service, ...calls }
          return [one, one] as const
        }),
        // Both are its own: the shared one's link for the owner ends with the start of another process.
        postgres: Effect.gen(function* () {
          const first = yield* startService({ env })
          return [first, yield* startService({ env, database: first.database })] as const
        })
      }[kind]
      yield* Effect.gen(function* () {
        yield* setQueue({ slots: everySixHours, jitter_minutes: 30 })
        const accounts = [yield* connect("queue-a"), yield* connect("queue-b")]
        const posts = yield* Effect.forEach(
          Array.from({ length: 20 }, (_, index) => (index % 2 === 0 ? first : second)),
          (process) =>
            process.call("POST", "/v1/posts", { social_accounts: accounts, caption: "x", use_queue: true }),
          { concurrency: "unbounded" }
        )
        assert.deepStrictEqual(
          posts.map(({ status }) => status),
          posts.map(() => 201)
        )
        /** The how-manieth slot it took, from the next one on. */
        const slotOf = ({ scheduled_at }: { readonly scheduled_at: string }) =>
          Math.floor((Date.parse(scheduled_at) - firstSlot) / (6 * hour))
        assert.deepStrictEqual(
          posts.map(({ body }) => slotOf(body)).toSorted((a, b) => a - b),
          posts.map((_, index) => index)
        )

        // Moves into the queue and deletions among them keep it so.
        const moved = yield* Effect.forEach(
          posts.slice(0, 10),
          ({ body }, index) =>
            index % 2 === 0
              ? second.call("PATCH", `/v1/posts/${body.id}`, { use_queue: { timezone: "UTC" } })
              : first.call("DELETE", `/v1/posts/${body.id}`),
          { concurrency: "unbounded" }
        )
        for (const { status } of moved) assert.strictEqual(status, 200)
        const { body } = yield* first.call("GET", "/v1/posts?status=scheduled")
        assert.lengthOf(new Set(body.data.map(slotOf)), 15)
      }).pipe(Effect.provideService(Service, first))
    })
  )
})
