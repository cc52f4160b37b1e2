import { SandboxProcess } from "@carillon/sandbox/testing"
import { assert, layer } from "@effect/vitest"
import { DateTime, Effect } from "effect"
import { readFileSync } from "node:fs"
import { connect, create, eventually } from "@carillon/testing/Publishing"
import { callsWith, Service } from "@carillon/testing/ServiceProcess"
import { SharedService } from "@carillon/testing/SharedService"

const show = Effect.fnUntraced(function* (query: string) {
  const service = yield* Service
  const { status, body } = yield* service.call("GET", `/v1/posts/calendar?${query}`)
  assert.strictEqual(status, 200, JSON.stringify(body))
  return body
})

const at = Effect.fnUntraced(function* (account: number, scheduled_at: string, fields: object = {}) {
  return yield* create({ social_accounts: [account], caption: scheduled_at, scheduled_at, ...fields })
})

layer(SharedService, { excludeTestServices: true, concurrent: true, timeout: "180 seconds" })(
  "the calendar",
  (it) => {
    it.effect("the calendar has the posts of each day of a zone, where the clocks change too", () =>
      Effect.gen(function* () {
        const account = yield* connect("calendarzones")
        for (const [zone, days] of Object.entries({
          "Europe/Paris": [
            ["2091-03-24", "2091-03-24T22:59:59Z", "23:59"],
            ["2091-03-25", "2091-03-24T23:00:00Z", "00:00"],
            ["2091-03-25", "2091-03-25T21:59:59Z", "23:59"],
            ["2091-03-26", "2091-03-25T22:00:00Z", "00:00"]
          ],
          "Australia/Lord_Howe": [
            ["2092-10-04", "2092-10-04T13:29:59Z", "23:59"],
            ["2092-10-05", "2092-10-04T13:30:00Z", "00:30"]
          ]
        })) {
          const posts: Array<readonly [string, string, string]> = []
          for (const [, instant] of days) {
            const post = yield* at(account, instant!)
            posts.push([post.id, instant!, ""])
          }
          const from = days[0]![0]
          const calendar = yield* show(
            `from=${from}&to=${days.at(-1)![0]}&timezone=${zone}&social_account_id=${account}`
          )
          assert.strictEqual(calendar.timezone, zone)
          const found = calendar.days.flatMap((day: any) =>
            day.posts.map((post: any) => [day.date, post.id, post.local])
          )
          const wanted = posts.map(([id, instant]) => {
            const local = new Intl.DateTimeFormat("sv", {
              timeZone: zone,
              dateStyle: "short",
              timeStyle: "short"
            }).format(new Date(instant))
            return [local.slice(0, 10), id, local.slice(11)]
          })
          assert.deepStrictEqual(found, wanted)
        }
      })
    )

    it.effect("counts all posts of a day, shows the first, and has what a change and a tile need", () =>
      Effect.gen(function* () {
        const service = yield* Service
        const account = yield* connect("calendarrows")
        const caption = "🔔 bells ".repeat(40)
        const late = yield* at(account, "2093-05-02T18:00:00Z", { caption })
        const early = yield* at(account, "2093-05-02T06:00:00Z", {
          caption: "Early",
          platform_configurations: { sandbox: { thread: ["Later"] } }
        })
        const draft = yield* at(account, "2093-05-02T12:00:00Z", {
          is_draft: true,
          thread: ["Nowhere"],
          account_configurations: [{ account_id: account, thread: [] }]
        })
        const query = `from=2093-05-01&to=2093-05-03&timezone=UTC&social_account_id=${account}`
        const { days } = yield* show(query)
        assert.deepStrictEqual(
          days.map(({ date, total, total_relation }: any) => [date, total, total_relation]),
          [
            ["2093-05-01", 0, "exact"],
            ["2093-05-02", 3, "exact"],
            ["2093-05-03", 0, "exact"]
          ]
        )
        assert.deepStrictEqual(days[1].by_status, { scheduled: 2, published: 0, failed: 0, draft: 1 })
        assert.deepStrictEqual(
          days[1].posts.map(({ id, local, status }: any) => [id, local, status]),
          [
            [early.id, "06:00", "scheduled"],
            [draft.id, "12:00", "draft"],
            [late.id, "18:00", "scheduled"]
          ]
        )
        assert.strictEqual(days[1].posts[2].excerpt, [...caption].slice(0, 120).join(""))
        assert.deepInclude(days[1].posts[0], {
          version: "1",
          at: "2093-05-02T06:00:00.000Z",
          excerpt: "Early",
          social_accounts: [account],
          media_count: 0,
          thread_count: 1
        })
        assert.notProperty(days[1].posts[1], "thread_count")
        assert.deepStrictEqual(days[1].posts[0].progress, { total: 1, waiting: 1 })

        const one = yield* show(`${query}&per_day=1&status=draft,scheduled`)
        assert.deepStrictEqual([one.days[1].total, one.days[1].posts.length], [3, 1])
        const drafts = yield* show(`${query}&status=draft`)
        assert.deepStrictEqual([drafts.days[1].total, drafts.days[1].posts[0].id], [1, draft.id])
        assert.strictEqual((yield* show(`${query}&platform=sandbox`)).days[1].total, 3)
        assert.strictEqual((yield* show(`${query}&platform=bluesky`)).days[1].total, 0)

        const [row] = days[1].posts
        const move = (version: string) =>
          service.call(
            "PATCH",
            `/v1/posts/${row.id}`,
            { scheduled_at: "2093-05-03T06:00:00Z" },
            { "if-match": version }
          )
        assert.strictEqual((yield* move(row.version)).status, 200)
        assert.strictEqual((yield* move(row.version)).body.code, "stale_version")

        yield* service.call("DELETE", `/v1/social-accounts/${account}`)
        const blocked = yield* show(query)
        assert.strictEqual(blocked.days[2].posts[0].blocked_by, account)
        const whole = yield* service.call("GET", `/v1/posts/${row.id}`)
        const listed = yield* service.call("GET", `/v1/posts?social_account_id=${account}`)
        assert.strictEqual(whole.body.blocked_by, account)
        for (const post of listed.body.data) assert.strictEqual(post.blocked_by, account)
      })
    )

    it.effect("keeps of a full day what has trouble, and shows it by the clock", () =>
      Effect.gen(function* () {
        const service = yield* Service
        const sandbox = yield* SandboxProcess
        const [good, bad, lost] = [
          yield* connect("calendartrouble"),
          yield* connect("calendarbad-none"),
          yield* connect("calendarlost")
        ]
        // Where it is noon now.
        const now = yield* DateTime.now
        const ahead = 12 - DateTime.getPartUtc(now, "hour")
        const timezone = `Etc/GMT${ahead > 0 ? "-" : "+"}${Math.abs(ahead)}`
        for (const minutes of [60, 50, 40, 30])
          yield* at(good, DateTime.formatIso(DateTime.subtract(now, { minutes })), { is_draft: true })
        yield* sandbox.script("calendarbad-none", [
          { on: "post", fault: "refuse", message: "No." },
          { on: "post", fault: "effect_then_lost_reply" }
        ])
        const half = yield* create({ social_accounts: [good, bad], caption: "Half" })
        yield* eventually(half.id, ({ progress }) => progress.published === 1 && progress.failed === 1)
        const doubtful = yield* create({ social_accounts: [good, bad], caption: "Doubtful" })
        yield* eventually(
          doubtful.id,
          ({ progress }) => progress.published === 1 && progress.unconfirmed === 1
        )
        const today = yield* show(
          `timezone=${encodeURIComponent(timezone)}&social_account_id=${good}&per_day=3`
        )
        const { posts, total } = today.days[0]
        assert.strictEqual(total, 6)
        assert.deepStrictEqual(
          posts.map(({ id, status }: any) => (status === "draft" ? "draft" : id)),
          ["draft", half.id, doubtful.id]
        )

        for (const hour of [6, 7, 8]) yield* at(good, `2095-05-02T0${hour}:00:00Z`)
        const waits = yield* at(lost, "2095-05-02T20:00:00Z", { social_accounts: [good, lost] })
        const day = `from=2095-05-02&to=2095-05-02&timezone=UTC&social_account_id=${good}&per_day=2`
        const localsOf = Effect.map(show(day), ({ days }) => days[0].posts.map(({ local }: any) => local))
        assert.deepStrictEqual(yield* localsOf, ["06:00", "07:00"])
        yield* service.call("DELETE", `/v1/social-accounts/${lost}`)
        assert.deepStrictEqual(yield* localsOf, ["06:00", "20:00"])
        // A key that does not see the lost account sees no trouble.
        const { body: key } = yield* service.call("POST", "/v1/api-keys", {
          name: "some",
          scopes: ["posts:read"],
          social_accounts: [good]
        })
        const { body } = yield* callsWith(service.url, key.key).call("GET", `/v1/posts/calendar?${day}`)
        assert.notInclude(
          body.days[0].posts.map(({ id }: any) => id),
          waits.id
        )
      })
    )

    it.effect("shows the first medium of each post, as far as it has a picture", () =>
      Effect.gen(function* () {
        const service = yield* Service
        const account = yield* connect("calendarpictures")
        const bells = new Uint8Array(readFileSync(new URL("../../examples/media/bells.jpg", import.meta.url)))
        const picture = yield* service.upload(bells, "image/jpeg", "bells.jpg")
        const { body: coming } = yield* service.call("POST", "/v1/media/create-upload-url", {
          mime_type: "image/jpeg",
          size_bytes: bells.length
        })
        for (const [hour, media] of [[picture], [coming.media_id, picture], []].entries()) {
          yield* at(account, `2094-05-02T0${hour}:00:00Z`, { media, is_draft: true })
        }
        const { days } = yield* show(
          `from=2094-05-02&to=2094-05-02&timezone=UTC&social_account_id=${account}`
        )
        const [shown, notYet, none] = days[0].posts.map(({ thumbnail_url }: any) => thumbnail_url)
        assert.deepStrictEqual([notYet, none], [undefined, undefined])
        const answer = yield* Effect.promise(() => fetch(shown))
        assert.deepStrictEqual([answer.status, answer.headers.get("content-type")], [200, "image/webp"])
        const { body } = yield* service.call("GET", `/v1/media/${picture}`)
        // Each hour signs anew.
        const pathOf = (address: string) => new URL(address).pathname
        assert.strictEqual(pathOf(shown), pathOf(body.thumbnail_url))
      })
    )

    it.effect("begins today and has two weeks by default, in the profile's zone, with the free slots", () =>
      Effect.gen(function* () {
        const service = yield* Service
        yield* service.call("PATCH", "/v1/profile", { timezone: "Asia/Kolkata" })
        yield* service.call("PUT", "/v1/queue", {
          timezone: "UTC",
          slots: ["mon", "tue", "wed", "thu", "fri", "sat", "sun"].map((day) => ({ day, time: "20:00" }))
        })
        const calendar = yield* show("")
        assert.strictEqual(calendar.timezone, "Asia/Kolkata")
        assert.lengthOf(calendar.days, 14)
        const slots = (yield* service.call("GET", "/v1/queue/slots?count=5")).body.data
        const free = calendar.days.flatMap(({ date, free_slots }: any) =>
          free_slots.map((time: string) => `${date}T${time}`)
        )
        assert.deepStrictEqual(
          free.slice(0, 5),
          slots.map(({ scheduled_at }: any) =>
            new Date(Date.parse(scheduled_at) + 5.5 * 3_600_000).toISOString().slice(0, 16)
          )
        )
        assert.strictEqual(free[0].slice(11), "01:30")
      })
    )

    it.effect("refuses a period of no day or of more than 62, and dates that there are not", () =>
      Effect.gen(function* () {
        const service = yield* Service
        for (const [query, path] of [
          ["from=2090-01-02&to=2090-01-01", "to"],
          ["from=2090-01-01&to=2090-03-04", "to"],
          ["from=2090-02-30", "from"],
          ["from=soon", "from"],
          ["timezone=Mars/Olympus", "timezone"],
          ["per_day=0", "per_day"],
          ["status=posted", "status[0]"]
        ]) {
          const { status, body } = yield* service.call("GET", `/v1/posts/calendar?${query}`)
          assert.deepStrictEqual([status, body.errors?.[0].path], [400, path], query)
        }
        assert.lengthOf((yield* show("from=2090-01-01&to=2090-03-03")).days, 62)
      })
    )

    it.effect("shows a key for some accounts their posts alone, as if they went nowhere else", () =>
      Effect.gen(function* () {
        const service = yield* Service
        const [own, other] = [yield* connect("calendarown"), yield* connect("calendarother")]
        const shared = yield* at(own, "2094-06-01T10:00:00Z", { social_accounts: [own, other] })
        yield* at(other, "2094-06-01T11:00:00Z")
        const { body: key } = yield* service.call("POST", "/v1/api-keys", {
          name: "some",
          scopes: ["posts:read"],
          social_accounts: [own]
        })
        const limited = callsWith(service.url, key.key)
        for (const filter of ["", `&social_account_id=${own}`, `&social_account_id=${other},${own}`]) {
          const { body } = yield* limited.call(
            "GET",
            `/v1/posts/calendar?from=2094-06-01&to=2094-06-01&timezone=UTC${filter}`
          )
          const [day] = body.days
          assert.deepStrictEqual(
            [day.total, day.posts.map(({ id }: any) => id), day.posts[0].social_accounts],
            [1, [shared.id], [own]]
          )
          assert.strictEqual(day.posts[0].progress.total, 1)
        }
        const none = yield* limited.call(
          "GET",
          `/v1/posts/calendar?from=2094-06-01&to=2094-06-01&social_account_id=${other}`
        )
        assert.strictEqual(none.body.days[0].total, 0)
      })
    )
  }
)
