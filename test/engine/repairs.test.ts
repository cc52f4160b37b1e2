import { type Fault, SandboxProcess } from "@carillon/sandbox/testing"
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { connectAccount } from "@carillon/testing/ConnectedAccount"
import { connect, create, settled } from "@carillon/testing/Publishing"
import { callsWith, Service } from "@carillon/testing/ServiceProcess"
import { anotherWorkspace, SharedService } from "@carillon/testing/SharedService"

const refuse: Fault = { on: "post", fault: "refuse", code: "banned_word", message: "No." }
const far = "2094-05-05T10:00:00Z"

const call = Effect.fnUntraced(function* (
  method: string,
  path: string,
  body?: unknown,
  headers: Record<string, string> = {}
) {
  return yield* (yield* Service).call(method, path, body, headers)
})

const scripted = Effect.fnUntraced(function* (username: string, ...faults: ReadonlyArray<Fault>) {
  yield* (yield* SandboxProcess).script(username, faults)
})

/** A post that failed on each of these new accounts, of which the first result is the one to mend. */
const failedOn = Effect.fnUntraced(function* (...usernames: ReadonlyArray<string>) {
  const accounts = yield* Effect.forEach(usernames, (username) => connect(username))
  for (const username of usernames) yield* scripted(username, refuse)
  const { id } = yield* create({ social_accounts: accounts, caption: "A word too much" })
  const post = yield* settled(id)
  assert.deepStrictEqual(
    post.results.map(({ status }: any) => status),
    usernames.map(() => "failed")
  )
  return { post, accounts, results: post.results as ReadonlyArray<any> }
})

const repair = (repairs: string, social_accounts: ReadonlyArray<number>, more: object = {}) =>
  call("POST", "/v1/posts", { social_accounts, caption: "Better", repairs, ...more })

const result = (id: string) => Effect.map(call("GET", `/v1/post-results/${id}`), ({ body }) => body)

/** The posts of the account of which something failed, and the rows that somebody has to look at. */
const needed = Effect.fnUntraced(function* (account: number) {
  const posts = yield* call("GET", `/v1/posts?result=failed&social_account_id=${account}`)
  const rows = yield* call(
    "GET",
    `/v1/post-results?status=failed&dismissed=false&social_account_id=${account}`
  )
  return [posts.body, rows.body].map(({ data, meta }) => {
    assert.strictEqual(meta.total, data.length)
    return data.map(({ id }: any) => id)
  })
})

const published = Effect.fnUntraced(function* (username: string) {
  return (yield* (yield* SandboxProcess).publications(username)).length
})

layer(SharedService, { excludeTestServices: true, timeout: "180 seconds", concurrent: true })(
  "a repair",
  (it) => {
    it.effect(
      "a repair that is live settles the failure, which says where, and asks for nobody any more",
      () =>
        Effect.gen(function* () {
          const {
            post,
            accounts: [account],
            results: [row]
          } = yield* failedOn("mended")
          assert.deepStrictEqual(yield* needed(account!), [[post.id], [row.id]])
          const made = yield* repair(row.id, [account!])
          assert.strictEqual(made.status, 201, JSON.stringify(made.body))
          assert.deepStrictEqual([made.body.repairs, made.body.results[0].repairs], [row.id, row.id])
          const mended = yield* settled(made.body.id)
          const [live] = mended.results
          assert.deepStrictEqual([live.status, mended.repairs, live.repairs], ["published", row.id, row.id])

          const old = yield* result(row.id)
          assert.deepStrictEqual([old.status, old.error.code], ["failed", "banned_word"])
          assert.deepStrictEqual(old.repaired_by, {
            post_id: mended.id,
            post_result_id: live.id,
            url: live.platform_data.url
          })
          assert.notProperty(old, "open_repair")
          const { body: before } = yield* call("GET", `/v1/posts/${post.id}`)
          assert.strictEqual(before.status, "failed")
          assert.deepStrictEqual(before.results[0].repaired_by, old.repaired_by)
          assert.deepInclude(before.progress, { total: 1, failed: 0, repaired: 1 })
          assert.deepStrictEqual(yield* needed(account!), [[], []])

          const rows = (yield* call("GET", `/v1/post-results?status=failed&social_account_id=${account}`))
            .body
          assert.deepStrictEqual(
            rows.data.map(({ id, repaired_by }: any) => [id, repaired_by.post_id]),
            [[row.id, mended.id]]
          )
          const [listed] = (yield* call("GET", `/v1/posts?status=failed&social_account_id=${account}`)).body
            .data
          assert.deepInclude(listed.progress, { failed: 0, repaired: 1 })
          const [mending] = (yield* call("GET", `/v1/posts?status=published&social_account_id=${account}`))
            .body.data
          assert.strictEqual(mending.repairs, row.id)
          const day = before.created_at.slice(0, 10)
          const { days } = (yield* call(
            "GET",
            `/v1/posts/calendar?from=${day}&to=${day}&social_account_id=${account}&timezone=UTC`
          )).body
          const shown = days[0].posts.find(({ id }: any) => id === post.id)
          assert.deepStrictEqual(shown.progress, { total: 1, repaired: 1 })

          const again = yield* repair(row.id, [account!])
          assert.deepStrictEqual(
            [again.status, again.body.code, again.body.post_ids],
            [409, "already_repaired", [mended.id]]
          )
          assert.include(again.body.detail, `/app/posts/${mended.id}`)
          const retried = yield* call("POST", `/v1/posts/${post.id}/retry`)
          assert.deepStrictEqual([retried.status, retried.body.code], [409, "already_repaired"])
          assert.strictEqual(yield* published("mended"), 1)
        })
    )

    for (const [kind, time] of Object.entries({
      draft: { is_draft: true },
      "scheduled post": { scheduled_at: far }
    })) {
      it.effect(
        `a repair that is a ${kind} is the only one, keeps the old post from a retry, and deleted frees both`,
        () =>
          Effect.gen(function* () {
            const {
              post,
              accounts: [account],
              results: [row]
            } = yield* failedOn(`open-${kind.slice(0, 5)}`)
            const first = yield* repair(row.id, [account!], time)
            assert.strictEqual(first.status, 201, JSON.stringify(first.body))
            const { body: validated } = yield* call("POST", "/v1/posts/validate", {
              social_accounts: [account],
              caption: "x",
              repairs: row.id
            })
            assert.strictEqual(validated.code, "repair_in_progress")
            const second = yield* repair(row.id, [account!], { is_draft: true })
            assert.deepStrictEqual(
              [second.status, second.body.code, second.body.post_ids],
              [409, "repair_in_progress", [first.body.id]]
            )
            assert.include(second.body.detail, `/app/posts/${first.body.id}`)
            const retried = yield* call("POST", `/v1/posts/${post.id}/retry`, { social_accounts: [account] })
            assert.deepStrictEqual(
              [retried.status, retried.body.code, retried.body.post_ids],
              [409, "repair_in_progress", [first.body.id]]
            )
            // It is open still, and leads to what mends it.
            const old = yield* result(row.id)
            assert.notProperty(old, "repaired_by")
            assert.deepStrictEqual(old.open_repair, {
              post_id: first.body.id,
              post_result_id: first.body.results[0].id,
              status: "waiting"
            })
            assert.deepStrictEqual(yield* needed(account!), [[post.id], [row.id]])

            yield* call("DELETE", `/v1/posts/${first.body.id}`)
            assert.notProperty(yield* result(row.id), "open_repair")
            const third = yield* repair(row.id, [account!], { is_draft: true })
            assert.strictEqual(third.status, 201)
            yield* call("DELETE", `/v1/posts/${third.body.id}`)
            assert.strictEqual((yield* call("POST", `/v1/posts/${post.id}/retry`)).status, 200)
            assert.strictEqual((yield* settled(post.id)).status, "published")
            const late = yield* repair(row.id, [account!])
            assert.deepStrictEqual([late.status, late.body.code], [409, "result_not_failed"])
          })
      )
    }

    it.effect(
      "a repair that leaves the account opens the failure again, and may come back only while it is free",
      () =>
        Effect.gen(function* () {
          const {
            accounts: [account],
            results: [row]
          } = yield* failedOn("left")
          const other = yield* connect("left-other")
          const first = yield* repair(row.id, [account!, other], { is_draft: true })
          const to = (social_accounts: ReadonlyArray<number>) =>
            call("PATCH", `/v1/posts/${first.body.id}`, { social_accounts })
          const left = yield* to([other])
          assert.deepStrictEqual([left.status, left.body.repairs], [200, undefined])
          assert.notProperty(yield* result(row.id), "open_repair")
          const second = yield* repair(row.id, [account!], { is_draft: true })
          assert.strictEqual(second.status, 201)
          const back = yield* to([other, account!])
          assert.deepStrictEqual(
            [back.status, back.body.code, back.body.post_ids],
            [409, "repair_in_progress", [second.body.id]]
          )
          yield* call("DELETE", `/v1/posts/${second.body.id}`)
          const free = yield* to([other, account!])
          assert.deepStrictEqual([free.status, free.body.repairs], [200, row.id])
          assert.strictEqual((yield* result(row.id)).open_repair.post_id, first.body.id)
        })
    )

    it.effect("a repair that its network rejects afterwards is not live, and nothing is sent instead", () =>
      Effect.gen(function* () {
        const {
          post,
          accounts: [account],
          results: [row]
        } = yield* failedOn("rejected-too")
        yield* scripted("rejected-too", { on: "post", fault: "review", states: ["rejected"] })
        const first = yield* settled((yield* repair(row.id, [account!])).body.id)
        assert.deepStrictEqual([first.status, first.progress.rejected], ["published", 1])
        const old = yield* result(row.id)
        assert.notProperty(old, "repaired_by")
        assert.deepInclude(old.open_repair, { post_id: first.id, status: "published" })
        const { body } = yield* call("GET", `/v1/posts/${post.id}`)
        assert.deepInclude(body.progress, { failed: 1 })
        assert.notProperty(body.progress, "repaired")
        for (const again of [
          yield* repair(row.id, [account!]),
          yield* call("POST", `/v1/posts/${post.id}/retry`, { social_accounts: [account] })
        ])
          assert.deepStrictEqual([again.status, again.body.code], [409, "already_repaired"])
      })
    )

    it.effect(
      "a repair that fails opens the failure again; whichever goes out then settles all of them",
      () =>
        Effect.gen(function* () {
          const {
            post,
            accounts: [account],
            results: [row]
          } = yield* failedOn("failed-too")
          yield* scripted("failed-too", refuse)
          const first = yield* settled((yield* repair(row.id, [account!])).body.id)
          assert.strictEqual(first.status, "failed")
          assert.notProperty(yield* result(row.id), "open_repair")
          assert.deepStrictEqual(yield* needed(account!), [
            [first.id, post.id],
            [first.results[0].id, row.id]
          ])
          // A repair of the repair stands for the first failure too.
          const open = yield* repair(first.results[0].id, [account!], { is_draft: true })
          assert.strictEqual(open.body.repairs, first.results[0].id)
          for (const id of [row.id, first.results[0].id]) {
            const refused = yield* repair(id, [account!])
            assert.deepStrictEqual(
              [refused.body.code, refused.body.post_ids],
              ["repair_in_progress", [open.body.id]]
            )
          }
          for (const id of [post.id, first.id])
            assert.strictEqual((yield* call("POST", `/v1/posts/${id}/retry`)).body.code, "repair_in_progress")
          yield* call("DELETE", `/v1/posts/${open.body.id}`)
          // The failed repair itself goes out at last.
          assert.strictEqual((yield* call("POST", `/v1/posts/${first.id}/retry`)).status, 200)
          assert.strictEqual((yield* settled(first.id)).status, "published")
          assert.strictEqual((yield* result(row.id)).repaired_by.post_id, first.id)
          assert.deepStrictEqual(yield* needed(account!), [[], []])
          assert.strictEqual(
            (yield* call("POST", `/v1/posts/${post.id}/retry`)).body.code,
            "already_repaired"
          )
          assert.strictEqual(yield* published("failed-too"), 1)
        })
    )

    it.effect("a repair that failed needs nobody once what it repairs was retried and is live", () =>
      Effect.gen(function* () {
        const {
          post,
          accounts: [account],
          results: [row]
        } = yield* failedOn("retried-after")
        yield* scripted("retried-after", refuse)
        const failed = yield* settled((yield* repair(row.id, [account!])).body.id)
        assert.strictEqual((yield* call("POST", `/v1/posts/${post.id}/retry`)).status, 200)
        yield* settled(post.id)
        assert.strictEqual((yield* result(failed.results[0].id)).repaired_by.post_id, post.id)
        assert.deepStrictEqual(yield* needed(account!), [[], []])
        const refused = yield* repair(failed.results[0].id, [account!])
        assert.deepStrictEqual([refused.body.code, refused.body.post_ids], ["already_repaired", [post.id]])
        assert.strictEqual(
          (yield* call("POST", `/v1/posts/${failed.id}/retry`)).body.code,
          "already_repaired"
        )
        assert.strictEqual(yield* published("retried-after"), 1)
      })
    )

    it.effect("a repair that is unconfirmed keeps the failure closed until a person's word", () =>
      Effect.gen(function* () {
        const name = "doubted-none"
        for (const live of [false, true]) {
          const {
            post,
            accounts: [account],
            results: [row]
          } = yield* failedOn(`${live}-${name}`)
          yield* scripted(`${live}-${name}`, {
            on: "post",
            fault: live ? "effect_then_lost_reply" : "reset_before"
          })
          const doubted = yield* settled((yield* repair(row.id, [account!])).body.id)
          assert.strictEqual(doubted.results[0].status, "unconfirmed")
          assert.strictEqual((yield* result(row.id)).open_repair.status, "unconfirmed")
          const refused = yield* repair(row.id, [account!])
          assert.strictEqual(refused.body.code, "repair_in_progress")
          assert.match(refused.body.detail, /may be live.*confirm/)
          assert.strictEqual(
            (yield* call("POST", `/v1/posts/${post.id}/retry`)).body.code,
            "repair_in_progress"
          )
          const early = yield* repair(doubted.results[0].id, [account!])
          assert.deepStrictEqual([early.status, early.body.code], [409, "result_not_failed"])
          assert.match(early.body.detail, /unconfirmed.*confirm it first/i)
          yield* call("POST", `/v1/post-results/${doubted.results[0].id}/confirm`, { published: live })
          const after = yield* result(row.id)
          assert.notProperty(after, "open_repair")
          assert.strictEqual(after.repaired_by?.post_id, live ? doubted.id : undefined)
          const next = yield* repair(row.id, [account!], { is_draft: true })
          assert.strictEqual(next.status, live ? 409 : 201)
        }
      })
    )

    it.effect("mends what failed on each of its accounts, and goes nowhere that the first post may be", () =>
      Effect.gen(function* () {
        const { accounts, post, results } = yield* failedOn("several-a", "several-b")
        const both = yield* repair(results[0].id, accounts, { is_draft: true })
        assert.strictEqual(both.body.repairs, results[0].id)
        assert.deepStrictEqual(
          both.body.results.map(({ repairs }: any) => repairs),
          results.map(({ id }) => id)
        )
        assert.strictEqual((yield* repair(results[1].id, [accounts[1]!])).body.code, "repair_in_progress")
        const { body: one } = yield* call("PATCH", `/v1/posts/${both.body.id}`, {
          social_accounts: [accounts[1]]
        })
        assert.strictEqual(one.repairs, results[1].id)
        const mended = yield* call("POST", `/v1/posts/${both.body.id}/publish`)
        assert.strictEqual(mended.status, 200, JSON.stringify(mended.body))
        yield* settled(both.body.id)
        // Of a retry of the post that part goes out which no repair stands for.
        const named = yield* call("POST", `/v1/posts/${post.id}/retry`, { social_accounts: accounts })
        assert.deepStrictEqual([named.status, named.body.code], [409, "already_repaired"])
        const retried = yield* call("POST", `/v1/posts/${post.id}/retry`)
        assert.deepStrictEqual(
          retried.body.results.map(({ status }: any) => status),
          ["waiting", "failed"]
        )
        yield* settled(post.id)
        assert.deepStrictEqual([yield* published("several-a"), yield* published("several-b")], [1, 1])

        const live = yield* connect("several-live")
        const bad = yield* connect("several-bad")
        yield* scripted("several-bad", refuse)
        const half = yield* settled((yield* create({ social_accounts: [live, bad], caption: "Half" })).id)
        const twice = yield* repair(half.results[1].id, [live, bad])
        assert.deepStrictEqual([twice.status, twice.body.code], [409, "result_not_failed"])
        assert.include(twice.body.detail, half.results[0].id)
        assert.strictEqual((yield* repair(half.results[1].id, [bad])).status, 201)
      })
    )

    it.effect("names a failed result that its credential sees, of an account that it goes to", () =>
      Effect.gen(function* () {
        const {
          accounts: [account],
          results: [row]
        } = yield* failedOn("named")
        const other = yield* connect("named-other")
        const refusal = Effect.fnUntraced(function* (asked: Effect.Effect<any, never, any>) {
          const { status, body } = yield* asked
          return [status, body.code, body.errors[0].path]
        })
        const unknown = [400, "post_result_not_found", "repairs"]
        for (const id of ["no-such-result", "0190a1b2-0000-7000-8000-000000000000"])
          assert.deepStrictEqual(yield* refusal(repair(id, [account!])), unknown)
        assert.deepStrictEqual(yield* refusal(repair(row.id, [other])), [400, "invalid_request", "repairs"])
        assert.deepStrictEqual(yield* refusal(repair(row.id, [other], { is_draft: true })), [
          400,
          "invalid_request",
          "repairs"
        ])
        // All problems at once.
        const { body } = yield* repair("no-such-result", [account!], { scheduled_at: "soon" })
        assert.deepStrictEqual(
          body.errors.map(({ path }: any) => path),
          ["scheduled_at", "repairs"]
        )
        const stranger = yield* anotherWorkspace
        const theirs = yield* stranger.call("POST", "/v1/social-accounts", {
          platform: "sandbox",
          credentials: { username: "named-theirs", password: "sandbox" }
        })
        assert.deepStrictEqual(
          yield* refusal(
            stranger.call("POST", "/v1/posts", {
              social_accounts: [theirs.body.id],
              caption: "x",
              repairs: row.id
            })
          ),
          unknown
        )
        const { url } = yield* Service
        const { body: limited } = yield* call("POST", "/v1/api-keys", {
          name: "limited",
          scopes: ["posts:read", "posts:write", "posts:publish"],
          social_accounts: [other]
        })
        assert.deepStrictEqual(
          yield* refusal(
            callsWith(url, limited.key).call("POST", "/v1/posts", {
              social_accounts: [other],
              caption: "x",
              repairs: row.id
            })
          ),
          unknown
        )
        const live = yield* settled((yield* create({ social_accounts: [other], caption: "Fine" })).id)
        const fine = yield* repair(live.results[0].id, [other])
        assert.deepStrictEqual([fine.status, fine.body.code], [409, "result_not_failed"])
      })
    )

    it.effect("a repair is made once by simultaneous requests, with and without a key", () =>
      Effect.gen(function* () {
        const {
          accounts: [account],
          results: [row]
        } = yield* failedOn("at-once")
        const picture = yield* Effect.promise(() => pixel)
        const media = [yield* (yield* Service).upload(picture, "image/png", "pixel.png")]
        for (const more of [{}, { media }]) {
          const body = { is_draft: true, ...more }
          const made = yield* Effect.forEach(
            Array.from({ length: 6 }),
            (_, index) => repair(row.id, [account!], { ...body, caption: `x${index}` }),
            { concurrency: "unbounded" }
          )
          const { 201: won = [], 409: lost = [] } = Object.groupBy(made, ({ status }) => status)
          assert.deepStrictEqual([won.length, lost.length], [1, 5])
          for (const { body } of lost)
            assert.deepStrictEqual([body.code, body.post_ids], ["repair_in_progress", [won[0]!.body.id]])
          yield* call("DELETE", `/v1/posts/${won[0]!.body.id}`)

          const keyed = yield* Effect.forEach(
            Array.from({ length: 4 }),
            () =>
              call(
                "POST",
                "/v1/posts",
                { social_accounts: [account], caption: "x", repairs: row.id, ...body },
                { "idempotency-key": `at-once-${"media" in more}` }
              ).pipe(Effect.repeat({ until: ({ body }) => body.code !== "idempotency_in_progress" })),
            { concurrency: "unbounded" }
          )
          assert.deepStrictEqual(
            keyed.map(({ status, body }) => [status, body.id, body.repairs]),
            keyed.map(() => [201, keyed[0]!.body.id, row.id])
          )
          yield* call("DELETE", `/v1/posts/${keyed[0]!.body.id}`)
        }
      })
    )

    it.effect(
      "a repair of one board of several is for this board, and goes to no other that the post reached",
      () =>
        Effect.gen(function* () {
          const name = "repair-boards"
          const account = yield* connectAccount("pinterest", name)
          const { choices } = (yield* call("GET", `/v1/social-accounts/${account}/options`)).body
          const [a, b, c] = choices.board_ids.map(({ id }: any) => id)
          const picture = yield* Effect.promise(() => pixel)
          const media = [yield* (yield* Service).upload(picture, "image/png", "board.png")]
          const on = (...board_ids: ReadonlyArray<string>) => ({
            media,
            platform_configurations: { pinterest: { board_ids } }
          })
          const sandbox = (yield* SandboxProcess).on("pinterest")
          yield* sandbox.script(name, [refuse])
          const { id } = yield* create({ social_accounts: [account], caption: "Boards", ...on(a, b) })
          const post = yield* settled(id)
          const failed = post.results.find(({ status }: any) => status === "failed")
          const live = post.results.find(({ status }: any) => status === "published")
          assert.deepStrictEqual([failed !== undefined, live !== undefined], [true, true])
          const refused = yield* repair(failed.id, [account], on(a, b))
          assert.deepStrictEqual([refused.status, refused.body.errors[0].path], [400, "repairs"])
          assert.match(refused.body.detail, /2 boards/)
          const there = yield* repair(failed.id, [account], on(live.board_id))
          assert.deepStrictEqual([there.status, there.body.errors[0].path], [400, "repairs"])
          // Another board instead of the one that refused it is a repair too.
          const elsewhere = yield* repair(failed.id, [account], { ...on(c), is_draft: true })
          assert.strictEqual(elsewhere.status, 201, JSON.stringify(elsewhere.body))
          yield* call("DELETE", `/v1/posts/${elsewhere.body.id}`)
          const mended = yield* repair(failed.id, [account], on(failed.board_id))
          assert.strictEqual(mended.status, 201, JSON.stringify(mended.body))
          yield* settled(mended.body.id)
          const after = (yield* call("GET", `/v1/posts/${id}`)).body
          assert.deepInclude(after.progress, { published: 1, failed: 0, repaired: 1 })
        })
    )

    it.effect(
      "a repair is no way to continue a thread, which a retry does; a thread that breaks off is live",
      () =>
        Effect.gen(function* () {
          const account = yield* connect("repaired-thread")
          yield* scripted("repaired-thread", { on: "post", fault: "slow", ms: 1 }, refuse)
          const pair = { caption: "One", thread: ["Two"] }
          const broken = yield* settled((yield* create({ social_accounts: [account], ...pair })).id)
          assert.strictEqual(broken.progress.failed_items, 1)
          const refused = yield* repair(broken.results[0].id, [account])
          assert.deepStrictEqual([refused.status, refused.body.code], [409, "result_not_failed"])
          assert.match(refused.body.detail, /retry/)
          assert.strictEqual((yield* call("POST", `/v1/posts/${broken.id}/retry`)).status, 200)

          const {
            post,
            accounts: [other],
            results: [row]
          } = yield* failedOn("thread-repair")
          yield* scripted("thread-repair", { on: "post", fault: "slow", ms: 1 }, refuse)
          const half = yield* settled((yield* repair(row.id, [other!], pair)).body.id)
          assert.strictEqual(half.progress.failed_items, 1)
          assert.strictEqual((yield* result(row.id)).repaired_by.post_id, half.id)
          assert.deepStrictEqual((yield* needed(other!))[0], [half.id])
          assert.strictEqual(
            (yield* call("POST", `/v1/posts/${post.id}/retry`)).body.code,
            "already_repaired"
          )
          assert.strictEqual((yield* call("POST", `/v1/posts/${half.id}/retry`)).status, 200)
          yield* settled(half.id)
          assert.deepStrictEqual(yield* needed(other!), [[], []])
        })
    )

    for (const seed of [1, 2, 3, 4, 5, 6]) {
      it.effect(`goes out at most once with its failure, whatever happens to them (history ${seed})`, () =>
        history(seed)
      )
    }
  }
)

/** Numbers below a limit, the same for the same seed. */
const dice = (seed: number) => {
  let state = seed * 2_654_435_761
  return (below: number) => {
    state = (Math.imul(state ^ (state >>> 15), 2_246_822_519) + 0x9e37_79b9) >>> 0
    return ((state ^ (state >>> 13)) >>> 0) % below
  }
}

/** Random requests, also two at once, about a failure and its repairs on a network that refuses, publishes, and loses answers. */
const history = Effect.fnUntraced(function* (seed: number) {
  const name = `history${seed}-none`
  const throwing = dice(seed)
  const sandbox = yield* SandboxProcess
  const {
    post: first,
    accounts: [account],
    results: [row]
  } = yield* failedOn(name)
  const other = yield* connect(`history${seed}-other`)
  const posts: Array<string> = [first.id]
  const all = Effect.suspend(() =>
    Effect.forEach(posts, (id) => Effect.map(call("GET", `/v1/posts/${id}`), ({ body }) => body))
  ).pipe(Effect.map((found) => found.filter(({ status }) => typeof status === "string")))
  const outcomes: ReadonlyArray<ReadonlyArray<Fault>> = [
    [],
    [refuse],
    [refuse],
    [refuse],
    [{ on: "post", fault: "reset_before" }],
    [{ on: "post", fault: "effect_then_lost_reply" }]
  ]
  /** The results on the account, of the failure and of all posts that are to mend it. */
  const group = Effect.map(all, (found) =>
    found.flatMap(({ results }) => results).filter((one: any) => one.social_account_id === account)
  )
  const done: Array<string> = []
  const step = Effect.gen(function* () {
    const known = yield* all
    const some = known[throwing(known.length)]
    const mine = some.results.find((one: any) => one.social_account_id === account)
    const draft = known.filter(({ status }) => status === "draft")[throwing(2)]
    switch (throwing(6)) {
      case 0:
      case 1: {
        const { status, body } = yield* repair(
          mine?.id ?? row.id,
          [account!, ...(throwing(2) === 0 ? [other] : [])],
          {
            caption: `${seed} ${posts.length} ${throwing(1_000_000)}`,
            ...(throwing(2) === 0 ? { is_draft: true } : {})
          }
        )
        if (status === 201) posts.push(body.id)
        done.push(`repair ${status} ${body.code ?? ""}`)
        return
      }
      case 2: {
        const { status, body } = yield* call("POST", `/v1/posts/${some.id}/retry`)
        done.push(`retry ${status} ${body.code ?? ""}`)
        return
      }
      case 3:
        if (draft !== undefined)
          done.push(`publish ${(yield* call("POST", `/v1/posts/${draft.id}/publish`)).status}`)
        return
      case 4:
        if (draft !== undefined) {
          const to = draft.social_accounts.includes(account) ? [other] : [account]
          done.push(
            `to ${to} ${(yield* call("PATCH", `/v1/posts/${draft.id}`, { social_accounts: to })).status}`
          )
        }
        return
      case 5:
        if (draft !== undefined)
          done.push(`delete ${(yield* call("DELETE", `/v1/posts/${draft.id}`)).status}`)
    }
  })
  const truth = Effect.fnUntraced(function* (doubted: any) {
    const { body } = yield* call("GET", `/v1/posts/${doubted.post_id}`)
    const live = (yield* sandbox.publications(name)).some(({ text }) => text === body.caption)
    yield* call("POST", `/v1/post-results/${doubted.id}/confirm`, { published: live })
  })
  for (let turn = 0; turn < 14; turn++) {
    yield* sandbox.script(name, outcomes[throwing(outcomes.length)]!)
    yield* Effect.all(throwing(2) === 0 ? [step, step] : [step], { concurrency: "unbounded" })
    for (const { id, status } of yield* all) if (status === "scheduled") yield* settled(id)
    const rows = yield* group
    const said = `${JSON.stringify(rows.map(({ status }) => status))} after ${done.join(", ")}`
    assert.isAtMost((yield* sandbox.publications(name)).length, 1, said)
    const standing = rows.filter(({ status }) => status !== "failed")
    assert.isAtMost(standing.length, 1, said)
    for (const one of rows.filter(({ status }) => status === "failed")) {
      const stands = standing[0]?.status === "published" ? one.repaired_by : one.open_repair
      assert.strictEqual(stands?.post_result_id, standing[0]?.id, said)
    }
    const needing =
      standing[0]?.status === "published" ? [] : rows.filter(({ status }) => status === "failed")
    assert.sameMembers(
      (yield* needed(account!))[1]!,
      needing.map(({ id }) => id),
      said
    )
    for (const one of standing) if (one.status === "unconfirmed" && throwing(2) === 0) yield* truth(one)
  }
})

const pixel = import("sharp").then(({ default: sharp }) =>
  sharp({ create: { width: 640, height: 640, channels: 3, background: "#4060a0" } })
    .png()
    .toBuffer()
)
