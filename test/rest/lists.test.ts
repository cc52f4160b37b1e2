import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { connect, create } from "@carillon/testing/Publishing"
import { callsWith, Service } from "@carillon/testing/ServiceProcess"
import { SharedService } from "@carillon/testing/SharedService"

const far = (day: number) => new Date(Date.UTC(2040, 0, day)).toISOString()

const list = Effect.fnUntraced(function* (query: string) {
  const service = yield* Service
  const { status, body } = yield* service.call("GET", query)
  assert.strictEqual(status, 200, JSON.stringify(body))
  return body as {
    readonly data: ReadonlyArray<any>
    readonly meta: {
      readonly total: number
      readonly total_relation: string
      readonly next: string | null
    }
  }
})

/** Every page, by `next`. */
const walk = Effect.fnUntraced(function* (
  query: string,
  between: Effect.Effect<unknown, never, Service> = Effect.void
) {
  const seen: Array<any> = []
  let next: string | null = query
  while (next !== null) {
    const page: Effect.Success<ReturnType<typeof list>> = yield* list(next)
    seen.push(...page.data)
    next = page.meta.next
    yield* between
  }
  return seen
})

layer(SharedService, { excludeTestServices: true, timeout: "180 seconds" })("a list", (it) => {
  it.effect("finds by every filter and every two of them exactly the posts that fit, newest first", () =>
    Effect.gen(function* () {
      const accounts = [yield* connect("one"), yield* connect("two")]
      const made: Array<any> = []
      for (let index = 0; index < 24; index++) {
        made.push(
          yield* create({
            caption: index % 3 === 0 ? "Bells 100%" : "Tower_",
            ...(index % 6 === 1 ? { thread: ["Then", 'The "small" bells 100%'] } : {}),
            social_accounts: index % 4 === 0 ? accounts : [accounts[index % 2]],
            ...(index % 5 === 0 ? { is_draft: true } : { scheduled_at: far(1 + index) })
          })
        )
      }
      const newest = made.toReversed()
      // NaN is neither before nor after anything.
      const dated = (post: any) => Date.parse(post.scheduled_at)
      const middle = newest[12].created_at
      const filters: ReadonlyArray<readonly [string, (post: any) => boolean]> = [
        ["status=draft,draft", (post) => post.status === "draft"],
        ["status=scheduled,draft", () => true],
        ["status=published", () => false],
        ["result=failed,unconfirmed", () => false],
        ["approval=waiting,refused", () => false],
        ["platform=sandbox", () => true],
        ["platform=bluesky,tiktok", () => false],
        [`social_account_id=${accounts[0]}`, (post) => post.social_accounts.includes(accounts[0])],
        [`social_account_id=${accounts.join(",")}`, () => true],
        ["social_account_id=999999", () => false],
        [`from=${far(10)}`, (post) => dated(post) >= Date.parse(far(10))],
        [`to=${far(10)}`, (post) => dated(post) <= Date.parse(far(10))],
        ["to=2040-01-10", (post) => dated(post) <= Date.parse(far(10))],
        ["undated=true", (post) => post.scheduled_at === null],
        [`created_from=${middle}`, (post) => post.created_at >= middle],
        ["to=1960-01-01T00:00:00Z", () => false],
        ["q=bells%20100%25", (post) => post.caption.startsWith("Bells") || post.thread !== null],
        ["q=%22small%22", (post) => post.thread !== null],
        ["q=_", (post) => post.caption.endsWith("_")]
      ]
      for (const [index, [first, fits]] of filters.entries()) {
        for (const [second, too] of filters.slice(index)) {
          if (first !== second && first.split("=")[0] === second.split("=")[0]) continue
          const query = first === second ? first : `${first}&${second}`
          const expected = newest.filter((post) => fits(post) && too(post)).map(({ id }) => id)
          const { data, meta } = yield* list(`/v1/posts?${query}`)
          assert.deepStrictEqual(
            data.map(({ id }) => id),
            expected,
            query
          )
          assert.deepInclude(meta, { total: expected.length, total_relation: "exact", next: null }, query)
          const pages = yield* walk(`/v1/posts?limit=5&${query}`)
          assert.deepStrictEqual(
            pages.map(({ id }) => id),
            expected,
            query
          )
        }
      }
      const results = newest.flatMap(({ results: own }) => own.map(({ id }: any) => id))
      const found = yield* walk("/v1/post-results?limit=7&status=all")
      assert.sameMembers(
        found.map(({ id }) => id),
        results
      )
      assert.deepStrictEqual(
        found.map(({ post_id }) => post_id),
        found
          .map(({ post_id }) => post_id)
          .toSorted()
          .toReversed()
      )
      for (const [query, expected] of [
        ["status=waiting", results.length],
        ["status=published", 0],
        ["platform=sandbox&status=waiting,published", results.length],
        ["platform=bluesky", 0],
        ["status=waiting,all", results.length],
        ["platform=sandbox", 0],
        [`post_id=${newest[0].id}&status=all`, newest[0].results.length],
        [`post_id=${newest[0].id}`, 0],
        [`post_id=${newest[0].id}&status=failed`, 0]
      ] as const) {
        assert.strictEqual((yield* list(`/v1/post-results?${query}`)).meta.total, expected, query)
      }
    })
  )

  it.effect("finds and shows the words of single accounts and platforms, to who sees them", () =>
    Effect.gen(function* () {
      const service = yield* Service
      const [one, two] = [yield* connect("words-one"), yield* connect("words-two")]
      const make = (fields: object) =>
        create({ social_accounts: [one, two], scheduled_at: "2041-03-04T10:00:00Z", ...fields })
      const own = { account_id: two, caption: 'Quartz "Äpfel"\nand more' }
      const posts: Record<string, { readonly id: string }> = {
        account: yield* make({ account_configurations: [{ account_id: one, caption: "Onyx" }, own] }),
        platform: yield* make({ platform_configurations: { sandbox: { caption: "Jasper 100%" } } }),
        accountThread: yield* make({
          caption: "Shared",
          account_configurations: [{ account_id: two, thread: ["Then", "Opal_"] }]
        }),
        platformThread: yield* make({
          caption: "",
          platform_configurations: { sandbox: { caption: "First", thread: [{ caption: "Beryl" }] } }
        }),
        // A network that it does not go to says nothing.
        elsewhere: yield* make({
          caption: "Shared",
          platform_configurations: { bluesky: { caption: "Ruby" } }
        })
      }
      const key = (accounts: ReadonlyArray<number>) =>
        Effect.map(
          service.call("POST", "/v1/api-keys", {
            name: "x",
            scopes: ["posts:read"],
            social_accounts: accounts
          }),
          ({ body }) => callsWith(service.url, body.key)
        )
      const ofOne = yield* key([one])
      const found = Effect.fnUntraced(function* (q: string, calls: typeof ofOne = service) {
        const { body } = yield* calls.call(
          "GET",
          `/v1/posts?q=${encodeURIComponent(q)}&from=2041-03-04&to=2041-03-04`
        )
        return body.data.map(({ id }: any) => id)
      })
      for (const [q, post] of [
        ["onyx", "account"],
        ['QUARTZ "äPFEL"', "account"],
        ["and more", "account"],
        ["jasper 100%", "platform"],
        ["opal_", "accountThread"],
        ["beryl", "platformThread"]
      ] as const) {
        assert.deepStrictEqual(yield* found(q), [posts[post]!.id], q)
        const seen = !["QUARTZ", "and m", "opal_"].some((word) => q.startsWith(word))
        assert.deepStrictEqual(yield* found(q, ofOne), seen ? [posts[post]!.id] : [], q)
      }
      for (const q of ["account_id", "caption", "bluesky", "\\n"])
        assert.deepStrictEqual(yield* found(q), [], q)
      assert.deepStrictEqual(yield* found("ruby", ofOne), [])

      const excerpts = {
        account: "Onyx",
        platform: "Jasper 100%",
        accountThread: "Shared",
        platformThread: "First"
      }
      const ofTwo = { ...excerpts, account: own.caption }
      for (const [calls, expected] of [
        [service, excerpts],
        [ofOne, excerpts],
        [yield* key([two]), ofTwo]
      ] as const) {
        const { body: listed } = yield* calls.call("GET", "/v1/posts?from=2041-03-04&to=2041-03-04")
        const { body: calendar } = yield* calls.call(
          "GET",
          "/v1/posts/calendar?from=2041-03-04&to=2041-03-04&timezone=UTC"
        )
        for (const rows of [listed.data, calendar.days[0].posts]) {
          for (const [name, excerpt] of Object.entries(expected)) {
            assert.strictEqual(rows.find(({ id }: any) => id === posts[name]!.id).excerpt, excerpt, name)
          }
        }
      }
    })
  )

  it.effect("shows each post that was there once, however many are created while it is paged through", () =>
    Effect.gen(function* () {
      const account = yield* connect("busy")
      const post = { caption: "x", social_accounts: [account], scheduled_at: far(1) }
      const before = yield* Effect.forEach(
        Array.from({ length: 15 }, () => post),
        (one) => create(one),
        { concurrency: 5 }
      )
      // Each new post pushes the rest down by one: what was seen may come again, but nothing is passed over.
      const seen = yield* walk(`/v1/posts?limit=4&social_account_id=${account}`, create(post))
      const ids = seen.map(({ id }) => id)
      assert.includeMembers(
        ids,
        before.map(({ id }) => id)
      )
      assert.deepStrictEqual(ids, ids.toSorted().toReversed())
      const again = yield* list(`/v1/posts?social_account_id=${account}`)
      const order = again.data.map(({ created_at, id }) => `${created_at} ${id}`)
      assert.deepStrictEqual(order, order.toSorted().toReversed())
    })
  )
})
