import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { connect, create, inSeconds, settled } from "@carillon/testing/Publishing"
import { Service } from "@carillon/testing/ServiceProcess"
import { SharedService } from "@carillon/testing/SharedService"

const later = () => inSeconds(3600)

const patch = Effect.fnUntraced(function* (
  id: string,
  changes: object,
  headers: Record<string, string> = {}
) {
  const service = yield* Service
  return yield* service.call("PATCH", `/v1/posts/${id}`, changes, headers)
})

let accounts = 0

/** A post of an account of its own, and what a PATCH makes of it. */
const after = Effect.fnUntraced(function* (fields: object, changes: object) {
  const post = yield* create({
    social_accounts: [yield* connect(`patch${++accounts}`)],
    caption: "x",
    ...fields
  })
  const { status, body } = yield* patch(post.id, changes)
  assert.strictEqual(status, 200, JSON.stringify(body))
  return { post, body }
})

layer(SharedService, { excludeTestServices: true, concurrent: true, timeout: "180 seconds" })(
  "a PATCH of a post",
  (it) => {
    it.effect("leaves everything as it is when it names nothing, but for the version and who made it", () =>
      Effect.gen(function* () {
        const { post, body } = yield* after({ scheduled_at: later() }, {})
        const { updated_at: _, updated_by, version, ...rest } = body
        assert.deepInclude(post, rest)
        assert.deepStrictEqual([version, updated_by.type, updated_by.at], ["2", "key", body.updated_at])
      })
    )

    it.effect("takes is_draft: null and use_queue: null as if they were not there", () =>
      Effect.gen(function* () {
        const at = later()
        const scheduled = (yield* after({ scheduled_at: at }, { is_draft: null, use_queue: null })).body
        assert.deepStrictEqual([scheduled.status, scheduled.scheduled_at], ["scheduled", at])
        const draft = (yield* after({ is_draft: true, scheduled_at: at }, { is_draft: null })).body
        assert.deepStrictEqual([draft.status, draft.scheduled_at], ["draft", at])
      })
    )

    it.effect(
      "sets a field back to its default by null, unless a post that goes out would be empty then",
      () =>
        Effect.gen(function* () {
          const { post, body } = yield* after(
            {
              is_draft: true,
              processing_enabled: false,
              platform_configurations: { sandbox: { title: "T" } }
            },
            { processing_enabled: null, platform_configurations: null, media: null }
          )
          assert.deepStrictEqual(
            [body.processing_enabled, body.platform_configurations, body.media],
            [true, null, []]
          )
          const refused = yield* patch(post.id, { caption: null, is_draft: false, scheduled_at: later() })
          assert.deepStrictEqual([refused.status, refused.body.code], [400, "empty_post"])
        })
    )

    it.effect("moves a scheduled post to another time", () =>
      Effect.gen(function* () {
        const at = inSeconds(7200)
        const { body } = yield* after({ scheduled_at: later() }, { scheduled_at: at })
        assert.deepStrictEqual(
          [body.status, body.scheduled_at, body.results[0].next_attempt_at],
          ["scheduled", at, at]
        )
      })
    )

    it.effect("makes a scheduled post a draft that keeps its time as a plan", () =>
      Effect.gen(function* () {
        const at = later()
        const { body } = yield* after({ scheduled_at: at }, { is_draft: true })
        assert.deepStrictEqual([body.status, body.is_draft, body.scheduled_at], ["draft", true, at])
        assert.isNull(body.results[0].next_attempt_at)
      })
    )

    it.effect("makes a draft without a time by scheduled_at: null, and publishes nothing", () =>
      Effect.gen(function* () {
        for (const fields of [{}, { is_draft: true }]) {
          for (const said of [{}, { is_draft: null }, { is_draft: true }, { use_queue: false }]) {
            const changes = { ...said, scheduled_at: null }
            const { body } = yield* after({ scheduled_at: later(), ...fields }, changes)
            assert.deepStrictEqual([body.status, body.is_draft, body.scheduled_at], ["draft", true, null])
            assert.isNull(body.results[0].next_attempt_at)
          }
        }
      })
    )

    it.effect("schedules nothing without a time, and POST …/publish publishes", () =>
      Effect.gen(function* () {
        const service = yield* Service
        const { post } = yield* after({ scheduled_at: later() }, { scheduled_at: null })
        for (const changes of [{ is_draft: false }, { is_draft: false, scheduled_at: null }]) {
          const { status, body } = yield* patch(post.id, changes)
          assert.deepStrictEqual([status, body.code], [400, "time_required"])
          assert.include(body.detail, "give scheduled_at or use_queue")
        }
        const { body } = yield* service.call("POST", `/v1/posts/${post.id}/publish`)
        assert.deepStrictEqual([body.status, body.is_draft, body.scheduled_at], ["scheduled", false, null])
        assert.strictEqual((yield* settled(post.id)).status, "published")
      })
    )

    it.effect("leaves a draft that is given a time a draft, with the time as its plan", () =>
      Effect.gen(function* () {
        const at = later()
        for (const said of [{}, { is_draft: null }, { is_draft: true }, { use_queue: false }]) {
          const { post, body } = yield* after({ is_draft: true }, { scheduled_at: at, ...said })
          assert.deepStrictEqual([body.status, body.is_draft, body.scheduled_at], ["draft", true, at])
          assert.isNull(body.results[0].next_attempt_at)
          const moved = (yield* patch(post.id, { scheduled_at: inSeconds(7200) })).body
          assert.strictEqual(moved.status, "draft")
        }
      })
    )

    it.effect("schedules a draft by is_draft: false, at the time beside it or at its plan", () =>
      Effect.gen(function* () {
        const at = later()
        for (const [fields, changes] of [
          [{}, { is_draft: false, scheduled_at: at }],
          [{ scheduled_at: at }, { is_draft: false }]
        ]) {
          const { body } = yield* after({ is_draft: true, ...fields }, changes!)
          assert.deepStrictEqual([body.status, body.is_draft, body.scheduled_at], ["scheduled", false, at])
          assert.strictEqual(body.results[0].next_attempt_at, at)
        }
      })
    )

    it.effect("drops the overrides of accounts that leave the post, and says whose", () =>
      Effect.gen(function* () {
        const [stays, leaves, comes] = [
          yield* connect("stays"),
          yield* connect("leaves"),
          yield* connect("comes")
        ]
        const entries = [stays, leaves].map((account_id) => ({ account_id, caption: `For ${account_id}` }))
        const post = yield* create({
          social_accounts: [stays, leaves],
          caption: "x",
          account_configurations: entries,
          scheduled_at: later()
        })
        const accounts = { social_accounts: [stays, comes] }
        const refused = yield* patch(post.id, { ...accounts, account_configurations: entries })
        assert.deepStrictEqual(
          [refused.status, refused.body.errors.map(({ path }: { readonly path: string }) => path)],
          [400, ["account_configurations[1].account_id"]]
        )
        const { status, body } = yield* patch(post.id, accounts)
        assert.deepStrictEqual(
          [status, body.social_accounts, body.account_configurations],
          [200, [stays, comes], [entries[0]]]
        )
        assert.lengthOf(body.warnings, 1)
        assert.match(body.warnings[0], new RegExp(`account ${leaves}\\).*@leaves`))
        const service = yield* Service
        const { body: key } = yield* service.call("POST", "/v1/api-keys", {
          name: "Of those that stay",
          scopes: ["posts:read"],
          social_accounts: [stays, comes]
        })
        const seen = yield* service.call("GET", `/v1/posts/${post.id}`, undefined, {
          authorization: `Bearer ${key.key}`
        })
        assert.deepStrictEqual([seen.status, seen.body.warnings], [200, []])
        const again = yield* patch(post.id, { social_accounts: [comes] })
        assert.isNull(again.body.account_configurations)
        assert.lengthOf(again.body.warnings, 1)
      })
    )

    it.effect("leaves a draft a draft when it changes only what it says", () =>
      Effect.gen(function* () {
        const { body } = yield* after({ is_draft: true }, { caption: "y" })
        assert.deepStrictEqual([body.status, body.caption], ["draft", "y"])
      })
    )

    it.effect("refuses a time that has passed, and one that nobody can read, and changes nothing", () =>
      Effect.gen(function* () {
        const service = yield* Service
        const { post } = yield* after({ scheduled_at: later() }, {})
        for (const [scheduled_at, code] of [
          ["2020-01-01T00:00:00Z", "scheduled_at_past"],
          ["2027-02-30T00:00:00Z", "scheduled_at_invalid"],
          ["9999-12-31T23:59:59Z", "scheduled_at_invalid"],
          ["", "scheduled_at_invalid"]
        ]) {
          const refused = yield* patch(post.id, { scheduled_at, caption: "y" })
          assert.deepStrictEqual([refused.status, refused.body.code], [400, code])
        }
        const { body } = yield* service.call("GET", `/v1/posts/${post.id}`)
        assert.deepStrictEqual([body.caption, body.scheduled_at], ["x", post.scheduled_at])
      })
    )

    it.effect(
      "is done when If-Match is *, the version, quoted or not, as a proxy weakens it, or a list with it",
      () =>
        Effect.gen(function* () {
          const service = yield* Service
          const { post } = yield* after({ scheduled_at: later() }, {})
          let etag = (yield* patch(post.id, {})).headers.get("etag")!
          const bare = () => etag.replaceAll('"', "")
          for (const ifMatch of [() => "*", () => etag, bare, () => `W/${etag}`, () => `"0", ${etag},"x"`]) {
            const done = yield* patch(post.id, { caption: "y" }, { "if-match": ifMatch() })
            assert.strictEqual(done.status, 200)
            etag = done.headers.get("etag")!
            assert.strictEqual(done.body.version, bare())
          }
          const { body } = yield* service.call(
            "GET",
            `/v1/posts?social_account_id=${post.results[0].social_account_id}`
          )
          assert.strictEqual(body.data.find(({ id }: { id: string }) => id === post.id).version, bare())
          for (const ifMatch of ['"0"', 'W/"0"', '"0", "1"', "0", "none"]) {
            const refused = yield* patch(post.id, { caption: "z" }, { "if-match": ifMatch })
            assert.deepStrictEqual([refused.status, refused.body.code], [412, "stale_version"], ifMatch)
          }
        })
    )

    it.effect("answers with the ETag of the post, as every answer with one post does", () =>
      Effect.gen(function* () {
        const service = yield* Service
        const account = yield* connect("etag")
        const created = yield* service.call("POST", "/v1/posts", {
          social_accounts: [account],
          caption: "x",
          scheduled_at: later()
        })
        const path = `/v1/posts/${created.body.id}`
        const read = yield* service.call("GET", path)
        assert.strictEqual(created.headers.get("etag"), read.headers.get("etag"))
        const patched = yield* service.call("PATCH", path, { caption: "y" })
        assert.strictEqual(
          patched.headers.get("etag"),
          (yield* service.call("GET", path)).headers.get("etag")
        )
        assert.notStrictEqual(patched.headers.get("etag"), read.headers.get("etag"))
        assert.match((yield* service.call("POST", `${path}/publish`)).headers.get("etag")!, /^"\d+"$/)
      })
    )
  }
)
