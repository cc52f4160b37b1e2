import { dateAfter } from "@carillon/domain"
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { connect, create, inSeconds, settled } from "@carillon/testing/Publishing"
import { Service } from "@carillon/testing/ServiceProcess"
import { SharedService } from "@carillon/testing/SharedService"

const call = Effect.fnUntraced(function* (method: string, path: string, body?: object) {
  const service = yield* Service
  const answer = yield* service.call(method, path, body)
  assert.isBelow(answer.status, 300, JSON.stringify(answer.body))
  return answer.body
})

const found = Effect.fnUntraced(function* (account: number, query: string) {
  const { data, meta } = yield* call("GET", `/v1/posts?social_account_id=${account}&${query}`)
  assert.strictEqual(meta.total, data.length, query)
  return data.map(({ id }: any): string => id)
})

/** The post in the calendar of the day, in UTC, and of the day after. */
const dated = Effect.fnUntraced(function* (account: number, at: string, id: string) {
  const day = at.slice(0, 10)
  const { days } = yield* call(
    "GET",
    `/v1/posts/calendar?from=${day}&to=${dateAfter(day, 1)}&timezone=UTC&social_account_id=${account}`
  )
  return days.flatMap(({ posts }: any) => posts).find((post: any) => post.id === id)?.at
})

layer(SharedService, { excludeTestServices: true, concurrent: true, timeout: "180 seconds" })(
  "the day of a post",
  (it) => {
    for (const [how, publish] of Object.entries({
      "by hand": (id: string) => call("POST", `/v1/posts/${id}/publish`),
      "after its plan was given up": (id: string) =>
        Effect.andThen(
          call("PATCH", `/v1/posts/${id}`, { scheduled_at: inSeconds(90_000) }),
          call("POST", `/v1/posts/${id}/publish`)
        ),
      "at a time of its own": (id: string) =>
        call("PATCH", `/v1/posts/${id}`, { is_draft: false, scheduled_at: inSeconds(1) })
    })) {
      it.effect(`the day of a post is that of its publication, when a draft is published ${how}`, () =>
        Effect.gen(function* () {
          const account = yield* connect(`days_${how.replaceAll(" ", "")}`)
          const { id, created_at } = yield* create({
            social_accounts: [account],
            caption: "x",
            is_draft: true
          })
          yield* publish(id)
          const { published_at } = yield* settled(id)
          assert.isAbove(Date.parse(published_at), Date.parse(created_at))
          assert.deepStrictEqual(yield* found(account, `to=${created_at}`), [])
          assert.deepStrictEqual(yield* found(account, `from=${published_at}&to=${published_at}`), [id])
          assert.strictEqual(yield* dated(account, published_at, id), published_at)
        })
      )
    }

    it.effect("the day of a post is that of its plan, though the draft was made long after", () =>
      Effect.gen(function* () {
        const account = yield* connect("days_past")
        const plans = ["2026-11-02T08:00:00.000Z", "2019-02-28T23:30:00.000Z", inSeconds(-7_200)]
        const posts = yield* Effect.forEach(plans, (scheduled_at) =>
          create({ social_accounts: [account], caption: "x", is_draft: true, scheduled_at })
        )
        for (const [index, plan] of plans.entries()) {
          const { id } = posts[index]!
          for (const status of ["", "&status=draft", "&status=draft,scheduled", "&q=x"]) {
            const range = `from=${plan}&to=${plan}${status}`
            assert.deepStrictEqual(yield* found(account, range), [id], range)
          }
          assert.strictEqual(yield* dated(account, plan, id), plan)
        }
        assert.deepStrictEqual(yield* found(account, "to=2026-11-03T00:00:00Z"), [posts[1]!.id, posts[0]!.id])
      })
    )

    it.effect("the day of a post is none for a draft without a time, which undated=true finds", () =>
      Effect.gen(function* () {
        const account = yield* connect("days_none")
        const { id, created_at } = yield* create({ social_accounts: [account], caption: "x", is_draft: true })
        const planned = yield* create({
          social_accounts: [account],
          caption: "x",
          is_draft: true,
          scheduled_at: "2091-03-01T09:00:00Z"
        })
        const unplanned = yield* create({
          social_accounts: [account],
          caption: "x",
          scheduled_at: "2091-03-02T09:00:00Z"
        })
        yield* call("PATCH", `/v1/posts/${unplanned.id}`, { scheduled_at: null })
        const undated = [unplanned.id, id]
        assert.deepStrictEqual(yield* found(account, "undated=true"), undated)
        assert.deepStrictEqual(yield* found(account, "undated=true&status=draft&q=x"), undated)
        assert.deepStrictEqual(yield* found(account, "undated=true&from=2000-01-01T00:00:00Z"), [])
        assert.deepStrictEqual(yield* found(account, "undated=false"), [planned.id])
        assert.deepStrictEqual(yield* found(account, "from=2000-01-01T00:00:00Z"), [planned.id])
        for (const ever of ["2099-01-01T00:00:00Z", "9999-12-31T23:59:59.999Z", "2199-12-31"])
          assert.deepStrictEqual(yield* found(account, `from=0000-01-01T00:00:00Z&to=${ever}`), [planned.id])
        assert.isUndefined(yield* dated(account, created_at, id))
        yield* call("PATCH", `/v1/posts/${id}`, { scheduled_at: "2091-03-01T10:00:00Z" })
        assert.deepStrictEqual(yield* found(account, "undated=true"), [unplanned.id])
      })
    )

    it.effect("the day of a post is a whole day of the workspace's zone where only a date is asked for", () =>
      Effect.gen(function* () {
        const account = yield* connect("days_dates")
        yield* call("PATCH", "/v1/profile", { timezone: "Europe/Paris" })
        // The clocks go forward on 25 March 2091 and back on 28 October 2091.
        const at = Effect.fnUntraced(function* (scheduled_at: string) {
          return (yield* create({ social_accounts: [account], caption: "x", scheduled_at })).id
        })
        const short = [yield* at("2091-03-24T23:00:00Z"), yield* at("2091-03-25T21:59:59.999Z")]
        const after = yield* at("2091-03-25T22:00:00Z")
        const long = [yield* at("2091-10-27T22:00:00Z"), yield* at("2091-10-28T22:59:59.999Z")]
        const last = yield* at("2091-10-28T23:00:00Z")
        const on = (query: string) => Effect.map(found(account, query), (ids) => ids.toReversed())
        assert.deepStrictEqual(yield* on("from=2091-03-25&to=2091-03-25"), short)
        assert.deepStrictEqual(yield* on("from=2091-10-28&to=2091-10-28"), long)
        assert.deepStrictEqual(yield* on("to=2091-03-26&status=scheduled"), [...short, after])
        assert.deepStrictEqual(yield* on("from=2091-10-28"), [...long, last])
        assert.deepStrictEqual(yield* on("from=2091-10-28&to=2091-10-28T22:30:00Z"), [long[0]!])
        yield* call("PATCH", "/v1/profile", { timezone: "UTC" })
        assert.deepStrictEqual(yield* on("from=2091-03-25&to=2091-03-25"), [short[1]!, after])
      })
    )

    it.effect("the day of a post is not that of its making, which created_from and created_to ask for", () =>
      Effect.gen(function* () {
        const account = yield* connect("days_made")
        const posts = yield* Effect.forEach(
          [{ is_draft: true }, { scheduled_at: "2091-01-01T00:00:00Z" }, {}],
          (when) => create({ social_accounts: [account], caption: "x", ...when })
        )
        const ids = posts.map(({ id }) => id).toReversed()
        const [first, , last] = posts.map(({ created_at }) => created_at)
        const yesterday = dateAfter(last!.slice(0, 10), -1)
        assert.deepStrictEqual(yield* found(account, `created_from=${first}&created_to=${last}`), ids)
        assert.deepStrictEqual(yield* found(account, `created_from=${first}&created_to=${first}`), [ids[2]])
        assert.deepStrictEqual(
          yield* found(account, `created_from=${first}&created_to=${last}&status=draft,scheduled,published`),
          ids
        )
        assert.deepStrictEqual(yield* found(account, `created_to=${yesterday}`), [])
        assert.deepStrictEqual(yield* found(account, `created_from=${yesterday}&undated=true`), [ids[2]])
        assert.deepStrictEqual(yield* found(account, `created_from=${yesterday}&from=2091-01-01`), [ids[1]])
        for (const always of ["created_from=0000-01-01T00:00:00Z", "created_to=9999-12-31T23:59:59.999Z"])
          assert.deepStrictEqual(yield* found(account, always), ids)
      })
    )

    for (const [name, value] of [
      ["from", "soon"],
      ["to", "2026-02-30"],
      ["to", "%2B275760-09-13T00:00:00Z"],
      ["created_from", "2026-13-01"],
      ["created_to", "24.12.2026"],
      ["undated", "perhaps"]
    ] as const) {
      it.effect(`the day of a post is not looked for by ${name}=${value}`, () =>
        Effect.gen(function* () {
          const service = yield* Service
          const { status, body } = yield* service.call("GET", `/v1/posts?${name}=${value}`)
          assert.deepStrictEqual([status, body.errors?.[0].path], [400, name], JSON.stringify(body))
        })
      )
    }
  }
)
