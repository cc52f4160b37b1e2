import { SandboxProcess } from "@carillon/sandbox/testing"
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { connect, create, inSeconds, settled } from "@carillon/testing/Publishing"
import { Service } from "@carillon/testing/ServiceProcess"
import { SharedService } from "@carillon/testing/SharedService"

/** A client as people write them: a base URL, a key, and no knowledge of this service. */
const client = (base: "/v1" | "/post-bridge/v1") =>
  Effect.map(Service, ({ call }) => {
    const send = (method: string, path: string, body?: object) =>
      Effect.flatMap(call(method, path.startsWith("http") ? path : base + path, body), (answer) =>
        answer.status < 300
          ? Effect.succeed(answer.body)
          : Effect.die(new Error(`${method} ${path}: ${JSON.stringify(answer.body)}`))
      )
    return {
      get: (path: string) => send("GET", path),
      post: (path: string, body: object) => send("POST", path, body),
      patch: (path: string, body: object) => send("PATCH", path, body)
    }
  })

/** Asks again and again until the post is settled, as their scripts do; any word that they do not know is an error. */
const waitForPosted = Effect.fnUntraced(function* (id: string) {
  const { get } = yield* client("/post-bridge/v1")
  const words = new Set<string>()
  for (;;) {
    const { status } = yield* get(`/posts/${id}`)
    if (!["scheduled", "processing", "posted", "failed"].includes(status)) throw new Error(status)
    words.add(status)
    if (status === "posted" || status === "failed") return { status, words }
    yield* Effect.promise(() => new Promise((resolve) => setTimeout(resolve, 100)))
  }
})

layer(SharedService, { excludeTestServices: true, timeout: "180 seconds" })("a client that", (it) => {
  it.effect(
    "waits for posted or failed and takes rows of results as final finds out what became of posts",
    () =>
      Effect.gen(function* () {
        const sandbox = yield* SandboxProcess
        const { get, post } = yield* client("/post-bridge/v1")
        const [good, bad] = [yield* connect("waits_good"), yield* connect("waits_bad")]
        yield* sandbox.script("waits_bad", [
          { on: "post", fault: "refuse", code: "banned_word", message: "That word is not allowed." }
        ])
        for (const [account, expected, error] of [
          [good, "posted", null],
          [bad, "failed", "That word is not allowed."]
        ] as const) {
          const made = yield* post("/posts", { social_accounts: [account], caption: "Now" })
          assert.strictEqual(made.status, "processing")
          const { status, words } = yield* waitForPosted(made.id)
          assert.strictEqual(status, expected)
          assert.notInclude([...words], "scheduled")
          const { data } = yield* get(`/post-results?post_id=${made.id}`)
          assert.lengthOf(data, 1)
          assert.strictEqual(data[0].success, expected === "posted")
          if (error === null) assert.isNull(data[0].error)
          else assert.include(data[0].error, error)
          assert.strictEqual(data[0].platform_data?.username ?? null, error === null ? "waits_good" : null)
          const found = yield* get(`/posts?status=${expected}&social_account_id=${account}`)
          assert.deepStrictEqual(
            found.data.map((row: any) => [row.id, row.status]),
            [[made.id, expected]]
          )
        }
        const later = yield* post("/posts", {
          social_accounts: [good],
          caption: "Later",
          scheduled_at: inSeconds(3600)
        })
        assert.strictEqual(later.status, "scheduled")
        // Nobody reports that as failed.
        assert.deepStrictEqual((yield* get(`/post-results?post_id=${later.id}`)).data, [])
      })
  )

  for (const base of ["/v1", "/post-bridge/v1"] as const) {
    const name = base === "/v1" ? "paged" : "paged_in_words"

    it.effect(`pages by meta.next with arrays of filters sees each post once, under ${base}`, () =>
      Effect.gen(function* () {
        const { url } = yield* Service
        const { get } = yield* client(base)
        const accounts = [yield* connect(`${name}_one`), yield* connect(`${name}_two`)]
        const expected: Array<string> = []
        for (const index of [0, 1, 2, 3, 4]) {
          const post = yield* create({
            social_accounts: [accounts[index % 2]],
            caption: `Page ${index}`,
            ...(index === 2 ? { is_draft: true } : { scheduled_at: inSeconds(3600) })
          })
          if (base !== "/v1" || index !== 2) expected.unshift(post.id)
        }
        const query = accounts.map((id) => `social_account_id[]=${id}`).join("&")
        const seen: Array<any> = []
        let next: string | null =
          `/posts?limit=2&offset=0&platform[]=sandbox&platform[]=tiktok&status[]=scheduled&status[]=failed&${query}`
        while (next !== null) {
          const page: any = yield* get(next)
          assert.strictEqual(page.meta.total, expected.length)
          seen.push(...page.data)
          next = page.meta.next
          // The service's own address, whatever this client's was.
          if (next !== null) assert.isTrue(next.startsWith(`${url}${base}/posts?`), next)
        }
        assert.deepStrictEqual(
          seen.map(({ id }) => id),
          expected
        )
        for (const { status } of seen) assert.strictEqual(status, "scheduled")
      })
    )

    it.effect(`changes only the accounts of a post keeps the rest, under ${base}`, () =>
      Effect.gen(function* () {
        const { get, post, patch } = yield* client(base)
        const [stays, leaves] = [yield* connect(`${name}_stays`), yield* connect(`${name}_leaves`)]
        const scheduled_at = inSeconds(3600)
        const { id } = yield* post("/posts", {
          social_accounts: [stays, leaves],
          caption: "Shared",
          scheduled_at,
          account_configurations: [
            { account_id: stays, caption: "Mine" },
            { account_id: leaves, caption: "Gone" }
          ]
        })
        yield* patch(`/posts/${id}`, { social_accounts: [stays] })
        const after = yield* get(`/posts/${id}`)
        assert.deepStrictEqual(after.social_accounts, [stays])
        assert.deepStrictEqual(after.account_configurations, [{ account_id: stays, caption: "Mine" }])
        assert.deepStrictEqual(
          [after.status, after.caption, after.scheduled_at],
          ["scheduled", "Shared", scheduled_at]
        )
        assert.match(after.warnings.join("\n"), new RegExp(`@${name}_leaves was removed`))
      })
    )

    it.effect(
      `reads results right after a create never takes a pending row for a failure, under ${base}`,
      () =>
        Effect.gen(function* () {
          const { get, post } = yield* client(base)
          const account = yield* connect(`${name}_reads`)
          const made = yield* post("/posts", { social_accounts: [account], caption: "Read at once" })
          for (;;) {
            const { data } = yield* get(`/post-results?post_id=${made.id}&limit=100`)
            for (const row of data) assert.isTrue(row.success, JSON.stringify(row))
            if (data.length === 1) break
            yield* Effect.promise(() => new Promise((resolve) => setTimeout(resolve, 50)))
          }
          yield* settled(made.id)
        })
    )
  }
})
