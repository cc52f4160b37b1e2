import { SandboxProcess } from "@carillon/sandbox/testing"
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import sharp from "sharp"
import { connect, create, inSeconds, settled } from "@carillon/testing/Publishing"
import { Service } from "@carillon/testing/ServiceProcess"
import { SharedService } from "@carillon/testing/SharedService"

const later = () => inSeconds(3600)

layer(SharedService, { excludeTestServices: true, timeout: "180 seconds" })("posts", (it) => {
  it.effect("have a result for every account from the moment they exist, a draft's too", () =>
    Effect.gen(function* () {
      const service = yield* Service
      const accounts = [yield* connect("results-a"), yield* connect("results-b")]
      const scheduledAt = later()
      const post = yield* create({ social_accounts: accounts, caption: "Two", scheduled_at: scheduledAt })
      assert.deepStrictEqual(
        post.results.map(({ social_account_id, status, attempts, next_attempt_at }) => [
          social_account_id,
          status,
          attempts,
          next_attempt_at
        ]),
        accounts.map((account) => [account, "waiting", 0, scheduledAt])
      )
      const draft = yield* create({ social_accounts: accounts, caption: "Draft", is_draft: true })
      assert.strictEqual(draft.status, "draft")
      const listed = yield* service.call("GET", `/v1/post-results?post_id=${draft.id}&status=all`)
      assert.strictEqual(listed.body.meta.total, 2)
      const [first] = listed.body.data
      const alone = yield* service.call("GET", `/v1/post-results/${first.id}`)
      assert.deepStrictEqual(alone.body, { ...first, attempts_log: [] })
    })
  )

  it.effect("keep a draft's time as a plan and go out at it once they are no draft any more", () =>
    Effect.gen(function* () {
      const service = yield* Service
      const account = yield* connect("draft")
      const planned = inSeconds(6)
      const draft = yield* create({
        social_accounts: [account],
        caption: "Plan",
        is_draft: true,
        scheduled_at: planned
      })
      assert.strictEqual(draft.status, "draft")
      assert.strictEqual(draft.scheduled_at, planned)
      const scheduled = yield* service.call("PATCH", `/v1/posts/${draft.id}`, { is_draft: false })
      assert.strictEqual(scheduled.body.status, "scheduled")
      assert.strictEqual(scheduled.body.scheduled_at, planned)
      assert.strictEqual((yield* settled(draft.id)).status, "published")
    })
  )

  it.effect("change only in the fields that a PATCH names", () =>
    Effect.gen(function* () {
      const service = yield* Service
      const account = yield* connect("patched")
      const post = yield* create({
        social_accounts: [account],
        caption: "Before",
        scheduled_at: later(),
        platform_configurations: { sandbox: { title: "Title" } }
      })
      const patched = (yield* service.call("PATCH", `/v1/posts/${post.id}`, { caption: "After" })).body
      assert.strictEqual(patched.caption, "After")
      assert.strictEqual(patched.scheduled_at, post.scheduled_at)
      assert.deepStrictEqual(patched.platform_configurations, { sandbox: { title: "Title" } })
      const cleared = (yield* service.call("PATCH", `/v1/posts/${post.id}`, {
        platform_configurations: null
      })).body
      assert.isNull(cleared.platform_configurations)
    })
  )

  it.effect(
    "become a draft by is_draft, a scheduled post by is_draft: false, and go out now by publish",
    () =>
      Effect.gen(function* () {
        const service = yield* Service
        const account = yield* connect("moved")
        const post = yield* create({ social_accounts: [account], caption: "Moves", scheduled_at: later() })
        const patch = (changes: object) => service.call("PATCH", `/v1/posts/${post.id}`, changes)
        const draft = (yield* patch({ is_draft: true })).body
        assert.strictEqual(draft.status, "draft")
        assert.strictEqual(draft.results[0].next_attempt_at, null)
        const again = (yield* patch({ scheduled_at: later(), is_draft: false })).body
        assert.strictEqual(again.status, "scheduled")
        const now = (yield* service.call("POST", `/v1/posts/${post.id}/publish`)).body
        assert.isNull(now.scheduled_at)
        assert.strictEqual((yield* settled(post.id)).status, "published")
      })
  )

  it.effect("drop and add targets with their accounts", () =>
    Effect.gen(function* () {
      const service = yield* Service
      const [a, b, c] = [yield* connect("swap-a"), yield* connect("swap-b"), yield* connect("swap-c")]
      const post = yield* create({ social_accounts: [a, b], caption: "Swap", scheduled_at: later() })
      const { body } = yield* service.call("PATCH", `/v1/posts/${post.id}`, { social_accounts: [c, b] })
      assert.deepStrictEqual(body.social_accounts, [c, b])
      assert.deepStrictEqual(
        body.results.map(({ social_account_id }: { social_account_id: number }) => social_account_id),
        [c, b]
      )
      const kept = post.results.find(({ social_account_id }) => social_account_id === b)
      assert.strictEqual(body.results[1].id, kept.id)
    })
  )

  it.effect("refuse a change of an older version, and tell the version with every answer", () =>
    Effect.gen(function* () {
      const service = yield* Service
      const account = yield* connect("versions")
      const post = yield* create({ social_accounts: [account], caption: "One", scheduled_at: later() })
      const path = `/v1/posts/${post.id}`
      const etag = (yield* service.call("GET", path)).headers.get("etag")!
      const changed = yield* service.call("PATCH", path, { caption: "Two" }, { "if-match": etag })
      assert.strictEqual(changed.status, 200)
      assert.notStrictEqual(changed.headers.get("etag"), etag)
      const stale = yield* service.call("PATCH", path, { caption: "Three" }, { "if-match": etag })
      assert.strictEqual(stale.status, 412)
      assert.strictEqual(stale.body.code, "stale_version")
      assert.strictEqual((yield* service.call("DELETE", path, undefined, { "if-match": etag })).status, 412)
      assert.strictEqual((yield* service.call("GET", path)).body.caption, "Two")
    })
  )

  it.effect("posts can neither be changed nor deleted once they are published", () =>
    Effect.gen(function* () {
      const service = yield* Service
      const post = yield* create({ social_accounts: [yield* connect("immutable")], caption: "Done" })
      yield* settled(post.id)
      for (const [method, body] of [
        ["PATCH", { caption: "Other" }],
        ["DELETE", undefined]
      ] as const) {
        const refused = yield* service.call(method, `/v1/posts/${post.id}`, body)
        assert.strictEqual(refused.status, 409)
        assert.strictEqual(refused.body.code, "post_not_editable")
      }
      assert.strictEqual((yield* service.call("GET", `/v1/posts/${post.id}`)).body.caption, "Done")
    })
  )

  it.effect("posts may name accounts by numbers of any size beside each other, and filters too", () =>
    Effect.gen(function* () {
      const { call } = yield* Service
      const account = yield* connect("sizes")
      for (const large of [2 ** 31, Number.MAX_SAFE_INTEGER]) {
        for (const ids of [
          [account, large],
          [large, account]
        ]) {
          const { body } = yield* call("POST", "/v1/posts/validate", { social_accounts: ids, caption: "x" })
          assert.deepStrictEqual(
            body.errors.map(({ code, path }: { code: string; path: string }) => [code, path]),
            [["social_account_not_found", `social_accounts[${ids.indexOf(large)}]`]]
          )
        }
      }
      for (const filter of ["", "&platform=sandbox"]) {
        const ids = `${account},${2 ** 31}`
        assert.strictEqual((yield* call("GET", `/v1/posts?social_account_id=${ids}${filter}`)).status, 200)
      }
    })
  )

  it.effect("posts are refused with every rule they break, account by account, and nothing is stored", () =>
    Effect.gen(function* () {
      const service = yield* Service
      const account = yield* connect("rules")
      const total = (yield* service.call("GET", "/v1/posts")).body.meta.total
      const png = yield* Effect.promise(() =>
        sharp({ create: { width: 32, height: 32, channels: 3, background: "#fff" } })
          .png()
          .toBuffer()
      )
      const media = yield* Effect.forEach([1, 2, 3, 4, 5], () => service.upload(png, "image/png", "a.png"))
      const tooMuch = yield* service.call("POST", "/v1/posts", {
        social_accounts: [account, 999_999],
        caption: "x".repeat(501),
        media
      })
      assert.strictEqual(tooMuch.status, 400)
      assert.deepStrictEqual(
        tooMuch.body.errors.map(({ code, path }: { code: string; path: string }) => [code, path]),
        [
          ["social_account_not_found", "social_accounts[1]"],
          ["caption_too_long", "caption"],
          ["media_not_accepted", "media"]
        ]
      )
      assert.match(tooMuch.body.detail, /at most 500 characters; this caption has 501/)
      const empty = yield* service.call("POST", "/v1/posts", { social_accounts: [account] })
      assert.strictEqual(empty.body.code, "empty_post")
      const past = yield* service.call("POST", "/v1/posts", {
        social_accounts: [account],
        caption: "x",
        scheduled_at: "2020-01-01T00:00:00Z"
      })
      assert.strictEqual(past.body.code, "scheduled_at_past")
      assert.strictEqual((yield* service.call("GET", "/v1/posts")).body.meta.total, total)
    })
  )

  it.effect(
    "posts are refused with what cannot be read of them and what is wrong with the rest in one answer",
    () =>
      Effect.gen(function* () {
        const service = yield* Service
        const account = yield* connect("at-once")
        const broken = {
          social_accounts: [account, 999_999],
          caption: 5,
          scheduled_at: "yesterday",
          media: ["00000000-0000-7000-8000-000000000000"],
          colour: "red"
        }
        const all = ["caption", "colour", "media", "scheduled_at", "social_accounts[1]"]
        const paths = ({ body }: { readonly body: any }) =>
          body.errors.map(({ path }: any) => path).toSorted()
        const refused = yield* service.call("POST", "/v1/posts", broken)
        assert.strictEqual(refused.status, 400)
        assert.deepStrictEqual(paths(refused), all)
        const unread = { social_accounts: "all", media: 7, account_configurations: [{ account_id: account }] }
        assert.deepStrictEqual(paths(yield* service.call("POST", "/v1/posts", unread)), [
          "media",
          "social_accounts"
        ])
        assert.deepStrictEqual(paths(yield* service.call("POST", "/v1/posts/validate", broken)), all)
        const post = yield* create({ social_accounts: [account], caption: "Kept", scheduled_at: later() })
        const changed = yield* service.call("PATCH", `/v1/posts/${post.id}`, broken)
        assert.strictEqual(changed.status, 400)
        assert.deepStrictEqual(paths(changed), all)
        assert.deepStrictEqual((yield* service.call("GET", `/v1/posts/${post.id}`)).body, post)
      })
  )

  it.effect("posts are made for the account as it is now, whatever it was for the post before", () =>
    Effect.gen(function* () {
      const service = yield* Service
      const account = yield* connect("now-and-then")
      const post = (headers = {}) =>
        service.call(
          "POST",
          "/v1/posts",
          { social_accounts: [account], caption: "Again", scheduled_at: later() },
          headers
        )
      assert.strictEqual((yield* post()).status, 201)
      yield* service.call("DELETE", `/v1/social-accounts/${account}`)
      for (const headers of [{}, { "idempotency-key": "now-and-then" }]) {
        const refused = yield* post(headers)
        assert.strictEqual(refused.status, 400)
        assert.strictEqual(refused.body.errors[0].code, "social_account_disconnected")
      }
      assert.strictEqual(yield* connect("now-and-then"), account)
      assert.strictEqual((yield* post({ "idempotency-key": "now-and-then" })).status, 201)
    })
  )

  it.effect("take a time or the queue, not both", () =>
    Effect.gen(function* () {
      const service = yield* Service
      const account = yield* connect("queue-or-time")
      const post = (fields: object) =>
        service.call("POST", "/v1/posts", { social_accounts: [account], caption: "x", ...fields })
      const both = yield* post({ use_queue: true, scheduled_at: later() })
      assert.strictEqual(both.status, 400)
      assert.strictEqual(both.body.code, "schedule_conflict")
      yield* service.call("PUT", "/v1/queue", { slots: [] })
      const without = yield* post({ use_queue: { timezone: "Europe/Paris" } })
      assert.strictEqual(without.body.code, "queue_not_configured")
      assert.strictEqual((yield* post({ use_queue: false, scheduled_at: later() })).status, 201)
    })
  )

  it.effect("posts can be checked without being created", () =>
    Effect.gen(function* () {
      const service = yield* Service
      const account = yield* connect("validated")
      const total = (yield* service.call("GET", "/v1/posts")).body.meta.total
      const fine = yield* service.call("POST", "/v1/posts/validate", {
        social_accounts: [account],
        caption: "x",
        scheduled_at: "2099-01-01T00:00"
      })
      assert.deepStrictEqual(fine.body, {
        valid: true,
        scheduled_at: "2099-01-01T00:00:00.000Z",
        warnings: [],
        estimated_cost: 0
      })
      const wrong = yield* service.call("POST", "/v1/posts/validate", { social_accounts: [account] })
      assert.strictEqual(wrong.body.code, "empty_post")
      assert.strictEqual((yield* service.call("GET", "/v1/posts")).body.meta.total, total)
    })
  )

  it.effect("go out at once when they are told to, drafts and scheduled ones", () =>
    Effect.gen(function* () {
      const service = yield* Service
      const account = yield* connect("published-now")
      for (const fields of [{ is_draft: true }, { scheduled_at: later() }]) {
        const post = yield* create({ social_accounts: [account], caption: "x", ...fields })
        assert.strictEqual((yield* service.call("POST", `/v1/posts/${post.id}/publish`)).status, 200)
        assert.strictEqual((yield* settled(post.id)).status, "published")
        const again = yield* service.call("POST", `/v1/posts/${post.id}/publish`)
        assert.strictEqual(again.body.code, "post_not_editable")
      }
    })
  )

  it.effect("send only their failed targets again", () =>
    Effect.gen(function* () {
      const service = yield* Service
      const sandbox = yield* SandboxProcess
      const [good, bad] = [yield* connect("retry-good"), yield* connect("retry-bad")]
      yield* sandbox.script("retry-bad", [{ on: "post", fault: "refuse", code: "no", message: "No." }])
      const post = yield* create({ social_accounts: [good, bad], caption: "Again" })
      const first = yield* settled(post.id)
      assert.deepStrictEqual([first.status, first.progress.failed], ["published", 1])

      assert.strictEqual(
        (yield* service.call("POST", `/v1/posts/${post.id}/retry`, { social_accounts: [good] })).status,
        409
      )
      const retried = yield* service.call("POST", `/v1/posts/${post.id}/retry`)
      assert.strictEqual(retried.body.status, "scheduled")
      assert.strictEqual((yield* settled(post.id)).progress.published, 2)
      assert.lengthOf(yield* sandbox.publications("retry-good"), 1)
      assert.lengthOf(yield* sandbox.publications("retry-bad"), 1)
      assert.strictEqual(
        (yield* service.call("POST", `/v1/posts/${post.id}/retry`)).body.code,
        "nothing_to_retry"
      )
    })
  )

  it.effect("posts may hold what their account's options say", () =>
    Effect.gen(function* () {
      const service = yield* Service
      const account = yield* connect("options")
      const { body } = yield* service.call("GET", `/v1/social-accounts/${account}/options`)
      const [placement] = body.placements
      assert.strictEqual(placement.caption.max, 500)
      assert.strictEqual(placement.images.max_count, 4)
      assert.isTrue("title" in body.schema.properties)
      assert.isFalse(body.schema.additionalProperties)
      const fits = yield* service.call("POST", "/v1/posts/validate", {
        social_accounts: [account],
        caption: "x".repeat(placement.caption.max),
        is_draft: true
      })
      assert.strictEqual(fits.status, 200)
      assert.strictEqual((yield* service.call("GET", "/v1/social-accounts/999999/options")).status, 404)
    })
  )

  it.effect("posts are listed newest first, page by page, with next repeating the filters", () =>
    Effect.gen(function* () {
      const service = yield* Service
      const account = yield* connect("listed")
      const ids: Array<string> = []
      for (const caption of ["a", "b", "c"]) {
        ids.unshift((yield* create({ social_accounts: [account], caption, is_draft: true })).id)
      }
      const first = yield* service.call("GET", `/v1/posts?social_account_id=${account}&status=draft&limit=2`)
      assert.deepStrictEqual(
        first.body.data.map(({ id }: { id: string }) => id),
        ids.slice(0, 2)
      )
      assert.strictEqual(first.body.meta.total, 3)
      const second = yield* service.call("GET", first.body.meta.next)
      assert.deepStrictEqual(
        second.body.data.map(({ id }: { id: string }) => id),
        ids.slice(2)
      )
      assert.isNull(second.body.meta.next)
      assert.strictEqual((yield* service.call("GET", `/v1/posts?platform=bluesky`)).body.meta.total, 0)
      assert.strictEqual(
        (yield* service.call("GET", `/v1/posts?q=B&social_account_id=${account}`)).body.data[0].caption,
        "b"
      )
    })
  )

  it.effect("read a time without a zone in the profile's time zone, and warn where the clocks skip it", () =>
    Effect.gen(function* () {
      const service = yield* Service
      const account = yield* connect("zones")
      yield* service.call("PATCH", "/v1/profile", { timezone: "Europe/Berlin" })
      const summer = yield* create({
        social_accounts: [account],
        caption: "x",
        scheduled_at: "2099-07-01T09:00"
      })
      assert.strictEqual(summer.scheduled_at, "2099-07-01T07:00:00.000Z")
      const { body } = yield* service.call("POST", "/v1/posts", {
        social_accounts: [account],
        caption: "x",
        scheduled_at: "2099-03-29T02:30"
      })
      assert.strictEqual(body.scheduled_at, "2099-03-29T01:30:00.000Z")
      assert.match(body.warnings[0], /does not exist in Europe\/Berlin/)
      yield* service.call("PATCH", "/v1/profile", { timezone: "UTC" })
    })
  )

  it.effect("keep their media from being deleted while they are scheduled, and lose them as drafts", () =>
    Effect.gen(function* () {
      const service = yield* Service
      const account = yield* connect("media-kept")
      const png = yield* Effect.promise(() =>
        sharp({ create: { width: 32, height: 32, channels: 3, background: "#f00" } })
          .png()
          .toBuffer()
      )
      const media = yield* service.upload(png, "image/png", "kept.png")
      const post = yield* create({
        social_accounts: [account],
        caption: "x",
        media: [media],
        scheduled_at: later()
      })
      const kept = yield* service.call("DELETE", `/v1/media/${media}`)
      assert.strictEqual(kept.status, 409)
      assert.include(kept.body.detail, post.id)
      assert.deepStrictEqual(kept.body.post_ids, [post.id])
      yield* service.call("PATCH", `/v1/posts/${post.id}`, { is_draft: true })
      const deleted = yield* service.call("DELETE", `/v1/media/${media}`)
      assert.deepStrictEqual(deleted.body, { success: true, id: media, drafts: [post.id] })
      assert.deepStrictEqual((yield* service.call("GET", `/v1/posts/${post.id}`)).body.media, [])
    })
  )

  it.effect("go out only with the scopes and the accounts that the key has", () =>
    Effect.gen(function* () {
      const service = yield* Service
      const [mine, other] = [yield* connect("mine"), yield* connect("other")]
      const { body } = yield* service.call("POST", "/v1/api-keys", {
        name: "scheduler",
        scopes: ["posts:write", "accounts:read"],
        social_accounts: [mine]
      })
      const as = { authorization: `Bearer ${body.key}` }
      const post = (fields: object) => service.call("POST", "/v1/posts", { caption: "x", ...fields }, as)
      assert.strictEqual((yield* post({ social_accounts: [mine], scheduled_at: later() })).status, 201)
      assert.strictEqual((yield* post({ social_accounts: [mine] })).body.code, "missing_scope")
      assert.strictEqual(
        (yield* post({ social_accounts: [other], is_draft: true })).body.code,
        "account_not_allowed"
      )
      const both = yield* create({ social_accounts: [mine, other], caption: "x", scheduled_at: later() })
      for (const [method, body] of [
        ["DELETE", undefined],
        ["PATCH", { social_accounts: [mine] }],
        ["PATCH", { is_draft: true }]
      ] as const) {
        const refused = yield* service.call(method, `/v1/posts/${both.id}`, body, as)
        assert.strictEqual(refused.body.code, "account_not_allowed", method)
      }
      const accounts = yield* service.call("GET", "/v1/social-accounts", undefined, as)
      assert.deepStrictEqual(
        accounts.body.data.map(({ id }: { id: number }) => id),
        [mine]
      )
      assert.strictEqual(
        (yield* service.call("GET", `/v1/social-accounts/${other}`, undefined, as)).status,
        404
      )
    })
  )
})
