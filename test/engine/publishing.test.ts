import { SandboxProcess } from "@carillon/sandbox/testing"
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import sharp from "sharp"
import { connect, create, eventually, inSeconds, promptly, settled } from "@carillon/testing/Publishing"
import { Service } from "@carillon/testing/ServiceProcess"
import { SharedService } from "@carillon/testing/SharedService"

const picture = Effect.promise(() =>
  sharp({ create: { width: 640, height: 480, channels: 3, background: "#4060a0" } })
    .jpeg()
    .toBuffer()
)

/** The platform's clock and ours are one machine's; the reply and the settlement come after the moment itself. */
const lateness = (publishedAt: string, dueAt: string) => Date.parse(publishedAt) - Date.parse(dueAt)

layer(SharedService, {
  excludeTestServices: true,
  timeout: "180 seconds",
  concurrent: true
})("publishing to the test network", (it) => {
  it.effect("sends the library's description of a medium that the post does not describe", () =>
    Effect.gen(function* () {
      const service = yield* Service
      const account = yield* connect("described")
      const media = [
        yield* service.upload(yield* picture, "image/jpeg", "one.jpg"),
        yield* service.upload(yield* picture, "image/jpeg", "two.jpg")
      ]
      for (const id of media) {
        yield* service.call("PATCH", `/v1/media/${id}`, { alt_text: "From the library" })
      }
      const options = { sandbox: { alt_text: ["Of the post"] } }
      const post = yield* create({
        social_accounts: [account],
        caption: "Two",
        media,
        platform_configurations: options
      })
      yield* settled(post.id)
      const [published] = yield* (yield* SandboxProcess).publications("described")
      assert.deepStrictEqual(
        published!.media.map(({ alt_text }: { alt_text: string | null }) => alt_text),
        ["Of the post", "From the library"]
      )
    })
  )

  it.effect("sends a scheduled post with a picture at its time, once, to each of its accounts", () =>
    Effect.gen(function* () {
      const service = yield* Service
      const sandbox = yield* SandboxProcess
      let times = 0
      const once = Effect.gen(function* () {
        const [first, second] = [`photo-a${++times}`, `photo-b${times}`]
        const accounts = [yield* connect(first), yield* connect(second)]
        const media = yield* service.upload(yield* picture, "image/jpeg", "blue.jpg")
        const scheduledAt = inSeconds(4)
        const post = yield* create({
          social_accounts: accounts,
          caption: "Blue",
          media: [media],
          scheduled_at: scheduledAt,
          platform_configurations: { sandbox: { alt_text: "A blue square" } }
        })
        assert.strictEqual(post.status, "scheduled")
        assert.strictEqual(post.results.length, 2)

        const [published] = yield* sandbox.waitForPublications(first, 1)
        const late = lateness(String(published!.received_at), scheduledAt)
        assert.isAtLeast(late, 0)
        assert.strictEqual(published!.text, "Blue")
        assert.strictEqual(published!.media[0]!.alt_text, "A blue square")

        const after = yield* settled(post.id)
        assert.deepStrictEqual(after.progress, {
          total: 2,
          waiting: 0,
          publishing: 0,
          published: 2,
          failed: 0,
          unconfirmed: 0
        })
        for (const result of after.results) {
          assert.isTrue(result.success)
          assert.strictEqual(result.attempts, 1)
          assert.match(result.platform_data.url, new RegExp(`^${sandbox.url}/posts/`))
        }
        assert.lengthOf(yield* sandbox.publications(first), 1)
        assert.lengthOf(yield* sandbox.publications(second), 1)
        return late
      })
      assert.isBelow(yield* promptly(once, 1000), 1000)
    })
  )

  it.effect("sends a post without a time at once", () =>
    Effect.gen(function* () {
      const sandbox = yield* SandboxProcess
      const post = yield* create({ social_accounts: [yield* connect("now")], caption: "Now" })
      assert.isNull(post.scheduled_at)
      yield* sandbox.waitForPublications("now", 1)
      assert.strictEqual((yield* settled(post.id)).status, "published")
    })
  )

  it.effect("sends the account's own words instead of the platform's and the shared ones", () =>
    Effect.gen(function* () {
      const sandbox = yield* SandboxProcess
      const [mine, other] = [yield* connect("own-words"), yield* connect("platform-words")]
      yield* create({
        social_accounts: [mine, other],
        caption: "shared",
        platform_configurations: { sandbox: { caption: "for the platform" } },
        account_configurations: [{ account_id: mine, caption: "for me" }]
      })
      assert.strictEqual((yield* sandbox.waitForPublications("own-words", 1))[0]!.text, "for me")
      assert.strictEqual(
        (yield* sandbox.waitForPublications("platform-words", 1))[0]!.text,
        "for the platform"
      )
    })
  )

  it.effect("fails what the platform refuses, with its reason and what to do, and does not try again", () =>
    Effect.gen(function* () {
      const sandbox = yield* SandboxProcess
      const account = yield* connect("refused")
      yield* sandbox.script("refused", [
        { on: "post", fault: "refuse", code: "banned_word", message: "That word is not allowed." }
      ])
      const post = yield* create({ social_accounts: [account], caption: "Word" })
      const { status, results } = yield* settled(post.id)
      assert.strictEqual(status, "failed")
      assert.strictEqual(results[0].error.class, "invalid")
      assert.strictEqual(results[0].error.code, "banned_word")
      assert.strictEqual(results[0].error.action, "fix_content")
      assert.strictEqual(results[0].attempts, 1)
      assert.lengthOf(yield* sandbox.publications("refused"), 0)
    })
  )

  it.effect("tells the tries of a single result, those before a retry too", () =>
    Effect.gen(function* () {
      const service = yield* Service
      const sandbox = yield* SandboxProcess
      const account = yield* connect("tried")
      const message = `No. ${"x".repeat(600)}`
      yield* sandbox.script("tried", [
        { on: "post", fault: "rate_limited", retry_after: 1 },
        { on: "post", fault: "refuse", code: "banned_word", message }
      ])
      const post = yield* create({ social_accounts: [account], caption: "Tried" })
      const { results } = yield* settled(post.id)
      assert.notProperty(results[0], "attempts_log")
      yield* service.call("POST", `/v1/posts/${post.id}/retry`)
      yield* settled(post.id)
      const path = `/v1/post-results/${results[0].id}`
      const { attempts, attempts_log } = (yield* service.call("GET", path)).body
      assert.strictEqual(attempts, 1)
      assert.deepStrictEqual(
        attempts_log.map(({ step, outcome }: any) => [step, outcome]),
        [
          ["publish", "waiting"],
          ["publish", "failed"],
          ["publish", "published"]
        ]
      )
      const [first, second, third] = attempts_log
      assert.isString(first.message)
      assert.lengthOf(second.message, 500)
      assert.include(second.message, "No. xxx")
      assert.isNull(third.message)
      assert.isTrue(first.at < second.at && second.at < third.at)
      const list = yield* service.call("GET", `/v1/post-results?post_id=${post.id}`)
      assert.notProperty(list.body.data[0], "attempts_log")
    })
  )

  it.effect("tries again what failed before it had an effect, and publishes it once", () =>
    Effect.gen(function* () {
      const sandbox = yield* SandboxProcess
      const account = yield* connect("before-effect")
      yield* sandbox.script("before-effect", [{ on: "post", fault: "server_error_before" }])
      const post = yield* create({ social_accounts: [account], caption: "Again" })
      assert.strictEqual((yield* settled(post.id)).status, "published")
      assert.lengthOf(yield* sandbox.publications("before-effect"), 1)
    })
  )

  it.effect("sends the same commit again after a lost reply where the platform honours a key", () =>
    Effect.gen(function* () {
      const sandbox = yield* SandboxProcess
      const account = yield* connect("lost-key")
      yield* sandbox.script("lost-key", [{ on: "post", fault: "effect_then_lost_reply" }])
      const post = yield* create({ social_accounts: [account], caption: "Once" })
      const { status, results } = yield* settled(post.id)
      assert.strictEqual(status, "published")
      assert.strictEqual(results[0].attempts, 2)
      assert.lengthOf(yield* sandbox.publications("lost-key"), 1)
    })
  )

  it.effect("asks the platform after a lost reply where it can be asked", () =>
    Effect.gen(function* () {
      const sandbox = yield* SandboxProcess
      let times = 0
      const isSeenToWait = Effect.gen(function* () {
        const username = `lost${++times}-lookup`
        const account = yield* connect(username)
        yield* sandbox.script(username, [{ on: "post", fault: "effect_then_lost_reply" }])
        const post = yield* create({ social_accounts: [account], caption: "Once" })
        const first = yield* eventually(
          post.id,
          ({ results: [one] }) => one.status === "published" || one.error?.class === "ambiguous"
        )
        const { status, results } = yield* settled(post.id)
        assert.strictEqual(status, "published")
        assert.strictEqual(results[0].attempts, 1)
        assert.lengthOf(yield* sandbox.publications(username), 1)
        return first.status === "scheduled"
      })
      // It waits for a second, in which this process may stand still.
      assert.isTrue(yield* Effect.repeat(isSeenToWait, { until: (seen) => seen, times: 4 }))
    })
  )

  it.effect("sends again what the platform twice knew nothing of, and nothing after the first time", () =>
    Effect.gen(function* () {
      const sandbox = yield* SandboxProcess
      const account = yield* connect("never-lookup")
      yield* sandbox.script("never-lookup", [{ on: "post", fault: "reset_before" }])
      const post = yield* create({ social_accounts: [account], caption: "Twice asked" })
      const { status, results } = yield* settled(post.id)
      assert.strictEqual(status, "published")
      assert.strictEqual(results[0].attempts, 2)
      const [published] = yield* sandbox.publications("never-lookup")
      // Settle wait and the time between two look-ups.
      assert.isAtLeast(lateness(String(published!.received_at), post.created_at), 2000)
      assert.lengthOf(yield* sandbox.publications("never-lookup"), 1)
    })
  )

  it.effect("the engine does not send again what shows itself only after the first look-up", () =>
    Effect.gen(function* () {
      const sandbox = yield* SandboxProcess
      const account = yield* connect("late-lookup")
      yield* sandbox.script("late-lookup", [
        { on: "post", fault: "late_effect", ms: 1500, connection: "cut" }
      ])
      const post = yield* create({ social_accounts: [account], caption: "Late" })
      const { status, results } = yield* settled(post.id)
      assert.strictEqual(status, "published")
      assert.strictEqual(results[0].attempts, 1)
      assert.lengthOf(yield* sandbox.publications("late-lookup"), 1)
    })
  )

  it.effect("sends an account's posts in the order in which they were due, one after the other", () =>
    Effect.gen(function* () {
      const sandbox = yield* SandboxProcess
      const account = yield* connect("ordered")
      yield* sandbox.script("ordered", [{ on: "post", fault: "slow", ms: 700 }])
      const captions = ["first", "second", "third"]
      const times = captions.map((_, index) => inSeconds(8 + index * 0.3))
      for (const index of [2, 0, 1]) {
        yield* create({
          social_accounts: [account],
          caption: captions[index]!,
          scheduled_at: times[index]!
        })
      }
      const publications = yield* sandbox.waitForPublications("ordered", 3)
      assert.deepStrictEqual(
        publications.map(({ text }) => text),
        captions
      )
    })
  )

  it.effect("leaves to a person what nobody can know after a lost reply", () =>
    Effect.gen(function* () {
      const sandbox = yield* SandboxProcess
      const account = yield* connect("lost-none")
      yield* sandbox.script("lost-none", [{ on: "post", fault: "effect_then_lost_reply" }])
      const post = yield* create({ social_accounts: [account], caption: "Maybe" })
      const { status, results, progress } = yield* settled(post.id)
      assert.strictEqual(status, "failed")
      assert.strictEqual(progress.unconfirmed, 1)
      assert.strictEqual(results[0].status, "unconfirmed")
      assert.strictEqual(results[0].error.action, "check_account")
      assert.lengthOf(yield* sandbox.publications("lost-none"), 1)
    })
  )

  it.effect("sends what is unconfirmed again only by force", () =>
    Effect.gen(function* () {
      const service = yield* Service
      const sandbox = yield* SandboxProcess
      const account = yield* connect("forced-none")
      yield* sandbox.script("forced-none", [{ on: "post", fault: "effect_then_lost_reply" }])
      const post = yield* create({ social_accounts: [account], caption: "Twice" })
      assert.strictEqual((yield* settled(post.id)).results[0].status, "unconfirmed")

      const retry = (body: object) => service.call("POST", `/v1/posts/${post.id}/retry`, body)
      const unforced = yield* retry({ force: false })
      assert.deepStrictEqual([unforced.status, unforced.body.code], [409, "nothing_to_retry"])
      assert.match(unforced.body.detail, /sent again only on request/)
      const forced = yield* retry({ force: true, social_accounts: [account] })
      assert.deepStrictEqual([forced.status, forced.body.status], [200, "scheduled"])
      assert.strictEqual((yield* settled(post.id)).results[0].status, "published")
      assert.lengthOf(yield* sandbox.publications("forced-none"), 2)
    })
  )

  it.effect("leaves a failure as it is for the whole workspace, until it is sent again", () =>
    Effect.gen(function* () {
      const service = yield* Service
      const sandbox = yield* SandboxProcess
      const account = yield* connect("left-as-it-is")
      const refusal = { on: "post", fault: "refuse", code: "banned_word", message: "No." } as const
      yield* sandbox.script("left-as-it-is", [refusal, refusal])
      const post = yield* create({ social_accounts: [account], caption: "A word too much" })
      const [failed] = (yield* settled(post.id)).results
      const listed = Effect.fnUntraced(function* (dismissed: boolean) {
        const { body } = yield* service.call(
          "GET",
          `/v1/post-results?post_id=${post.id}&dismissed=${dismissed}`
        )
        return body.data.map(({ id }: { id: string }) => id)
      })
      const dismiss = (dismissed: boolean) =>
        service.call("POST", `/v1/post-results/${failed!.id}/dismiss`, { dismissed })
      assert.deepStrictEqual([yield* listed(false), yield* listed(true)], [[failed!.id], []])
      for (const twice of [true, true]) assert.strictEqual((yield* dismiss(twice)).status, 200)
      assert.deepStrictEqual([yield* listed(false), yield* listed(true)], [[], [failed!.id]])
      assert.strictEqual((yield* dismiss(false)).body.status, "failed")
      assert.deepStrictEqual(yield* listed(false), [failed!.id])

      // Sent again, it is a failure of its own.
      yield* dismiss(true)
      yield* service.call("POST", `/v1/posts/${post.id}/retry`, {})
      yield* settled(post.id)
      assert.deepStrictEqual([yield* listed(false), yield* listed(true)], [[failed!.id], []])
    })
  )

  it.effect("takes a person's word for what became of an unconfirmed result", () =>
    Effect.gen(function* () {
      const service = yield* Service
      const sandbox = yield* SandboxProcess
      const names = ["seen-none", "missing-none"]
      const accounts = yield* Effect.forEach(names, connect)
      yield* sandbox.script("seen-none", [{ on: "post", fault: "effect_then_lost_reply" }])
      yield* sandbox.script("missing-none", [{ on: "post", fault: "reset_before" }])
      const post = yield* create({ social_accounts: accounts, caption: "Ask a person" })
      const [seen, missing] = (yield* settled(post.id)).results
      const confirm = (result: { id: string }, body: object) =>
        service.call("POST", `/v1/post-results/${result.id}/confirm`, body)

      const both = yield* confirm(missing, { published: false, url: "https://social.example/1" })
      assert.deepStrictEqual([both.status, both.body.errors[0].path], [400, "url"])
      assert.strictEqual((yield* confirm(seen, { published: true, url: "javascript:alert(1)" })).status, 400)

      const failed = yield* confirm(missing, { published: false })
      assert.strictEqual(failed.status, 200)
      assert.strictEqual(failed.body.status, "failed")
      assert.strictEqual(failed.body.error.code, "confirmed_not_published")

      const url = "https://social.example/1"
      const published = yield* confirm(seen, { published: true, url })
      assert.strictEqual(published.body.status, "published")
      assert.isTrue(published.body.success)
      assert.isNull(published.body.error)
      assert.deepStrictEqual(published.body.platform_data, { id: url, url, username: "seen-none" })
      assert.isAtLeast(lateness(published.body.published_at, post.created_at), 0)

      const again = yield* confirm(seen, { published: false })
      assert.deepStrictEqual([again.status, again.body.code], [409, "result_not_unconfirmed"])
      const after = yield* service.call("GET", `/v1/posts/${post.id}`)
      assert.strictEqual(after.body.status, "published")
      assert.strictEqual(after.body.published_at, published.body.published_at)

      yield* service.call("POST", `/v1/posts/${post.id}/retry`)
      assert.strictEqual((yield* settled(post.id)).progress.published, 2)
      assert.lengthOf(yield* sandbox.publications("missing-none"), 1)
      assert.lengthOf(yield* sandbox.publications("seen-none"), 1)
    })
  )

  it.effect("waits as long as the platform asks, and the account's other posts with it", () =>
    Effect.gen(function* () {
      const sandbox = yield* SandboxProcess
      const account = yield* connect("limited")
      yield* sandbox.script("limited", [{ on: "post", fault: "rate_limited", retry_after: 6 }])
      const first = yield* create({ social_accounts: [account], caption: "First" })
      const limited = yield* eventually(first.id, ({ results }) => results[0].error?.class === "rate_limited")
      const until = limited.results[0].error.retry_at
      const second = yield* create({ social_accounts: [account], caption: "Second" })
      const publications = yield* sandbox.waitForPublications("limited", 2)
      for (const { received_at } of publications) assert.isAtLeast(lateness(String(received_at), until), 0)
      assert.strictEqual((yield* settled(first.id)).results[0].attempts, 2)
      assert.strictEqual((yield* settled(second.id)).results[0].attempts, 1)
    })
  )

  it.effect("says of a result what it waits for, and finds what is held up", () =>
    Effect.gen(function* () {
      const service = yield* Service
      const sandbox = yield* SandboxProcess
      const account = yield* connect("held-up")
      const waitingFor = (post: any) => post.results[0].waiting_for
      const draft = yield* create({ social_accounts: [account], caption: "Draft", is_draft: true })
      const later = yield* create({
        social_accounts: [account],
        caption: "Later",
        scheduled_at: inSeconds(3600)
      })
      const other = yield* connect("held-up-media")
      yield* sandbox.script("held-up-media", [{ on: "media", fault: "processing", polls: 100_000 }])
      const media = [yield* service.upload(yield* picture, "image/jpeg", "held.jpg")]
      const slow = yield* create({ social_accounts: [other], media })
      yield* eventually(slow.id, (post) => waitingFor(post) === "media")

      yield* sandbox.script("held-up", [{ on: "post", fault: "rate_limited", retry_after: 1800 }])
      const first = yield* create({ social_accounts: [account], caption: "First" })
      yield* eventually(first.id, (post) => waitingFor(post) === "retry")
      const second = yield* create({ social_accounts: [account], caption: "Second" })
      yield* eventually(second.id, (post) => waitingFor(post) === "pause")
      const read = yield* Effect.forEach([draft, later], ({ id }) => service.call("GET", `/v1/posts/${id}`))
      assert.deepStrictEqual([draft, later, ...read.map(({ body }) => body)].map(waitingFor), [
        "person",
        "time",
        "person",
        "time"
      ])
      const heldUp = yield* service.call("GET", `/v1/posts?result=waiting&social_account_id=${account}`)
      assert.deepStrictEqual(
        heldUp.body.data.map(({ id }: any) => id),
        [first.id]
      )
      const results = yield* service.call("GET", `/v1/post-results?post_id=${second.id}&status=waiting`)
      assert.strictEqual(results.body.data[0].waiting_for, "pause")
      for (const { id } of [draft, later, first, second, slow])
        yield* service.call("DELETE", `/v1/posts/${id}`)
    })
  )

  it.effect("renews a token that has run out without the user noticing", () =>
    Effect.gen(function* () {
      const sandbox = yield* SandboxProcess
      const account = yield* connect("expired")
      yield* sandbox.script("expired", [{ on: "post", fault: "unauthorized" }])
      const post = yield* create({ social_accounts: [account], caption: "Renewed" })
      assert.strictEqual((yield* settled(post.id)).status, "published")
      assert.lengthOf(yield* sandbox.publications("expired"), 1)
    })
  )

  it.effect("waits for an account that needs a reconnection and goes on when it is back", () =>
    Effect.gen(function* () {
      const service = yield* Service
      const sandbox = yield* SandboxProcess
      const account = yield* connect("reconnect")
      yield* sandbox.script("reconnect", [
        { on: "post", fault: "unauthorized" },
        { on: "session", fault: "unauthorized" }
      ])
      const post = yield* create({ social_accounts: [account], caption: "Later" })
      const waiting = yield* eventually(
        post.id,
        ({ results }) => results[0].error?.action === "reconnect_account"
      )
      assert.deepStrictEqual([waiting.status, waiting.results[0].waiting_for], ["scheduled", "account"])
      const { body } = yield* service.call("GET", `/v1/social-accounts/${account}`)
      assert.deepStrictEqual([body.status, body.needs_reconnect], ["needs_reconnect", true])

      // Everything that is made for it says so, and what is checked again is not told twice.
      const another = { social_accounts: [account], caption: "Warned", scheduled_at: inSeconds(3600) }
      const later: any = yield* create(another)
      const checked = yield* service.call("POST", "/v1/posts/validate", another)
      const changed = yield* service.call("PATCH", `/v1/posts/${later.id}`, { caption: "Warned again" })
      assert.strictEqual(later.results[0].waiting_for, "account")
      const waits = yield* service.call("GET", `/v1/posts?social_account_id=${account}&q=warned`)
      for (const { warnings } of [later, checked.body, changed.body, ...waits.body.data]) {
        assert.lengthOf(warnings, 1)
        assert.include(warnings[0], `(account ${account}) needed to be reconnected`)
      }
      assert.strictEqual(yield* connect("reconnect"), account)
      // Nobody has to touch a post for what it says of its account to be so.
      const read = yield* service.call("GET", `/v1/posts/${later.id}`)
      const listed = yield* service.call("GET", `/v1/posts?social_account_id=${account}`)
      for (const { warnings } of [read.body, ...listed.body.data]) assert.deepStrictEqual(warnings, [])
      const after = yield* service.call("PATCH", `/v1/posts/${later.id}`, { caption: "All is well" })
      assert.deepStrictEqual(after.body.warnings, [])
      assert.strictEqual(
        (yield* service.call("GET", `/v1/social-accounts/${account}`)).body.needs_reconnect,
        false
      )
      assert.strictEqual(after.body.results[0].waiting_for, "time")
      const over = yield* settled(post.id)
      assert.deepStrictEqual([over.status, over.results[0].waiting_for], ["published", null])
      assert.lengthOf(yield* sandbox.publications("reconnect"), 1)
    })
  )

  it.effect("polls media that the platform still processes, and commits when they are ready", () =>
    Effect.gen(function* () {
      const service = yield* Service
      const sandbox = yield* SandboxProcess
      const account = yield* connect("processing")
      yield* sandbox.script("processing", [{ on: "media", fault: "processing", polls: 2 }])
      const media = yield* service.upload(yield* picture, "image/jpeg", "blue.jpg")
      const post = yield* create({ social_accounts: [account], media: [media] })
      assert.strictEqual((yield* settled(post.id)).status, "published")
      assert.lengthOf(yield* sandbox.publications("processing"), 1)
    })
  )

  it.effect("fails a post at its time when its account was disconnected before", () =>
    Effect.gen(function* () {
      const service = yield* Service
      const once = Effect.gen(function* () {
        const account = yield* connect("disconnected")
        const scheduledAt = inSeconds(5)
        const post = yield* create({ social_accounts: [account], caption: "Gone", scheduled_at: scheduledAt })
        yield* service.call("DELETE", `/v1/social-accounts/${account}`)
        assert.strictEqual((yield* service.call("GET", `/v1/posts/${post.id}`)).body.status, "scheduled")
        const after = yield* settled(post.id)
        assert.strictEqual(after.status, "failed")
        assert.strictEqual(after.results[0].error.code, "account_disconnected")
        const late = lateness(after.updated_at, scheduledAt)
        assert.isAtLeast(late, 0)
        return late
      })
      assert.isBelow(yield* promptly(once, 2000), 2000)
    })
  )

  it.effect(
    "publishes what was last said of a post that was changed before its time, and nothing of a deleted one",
    () =>
      Effect.gen(function* () {
        const service = yield* Service
        const sandbox = yield* SandboxProcess
        const account = yield* connect("edited")
        const scheduledAt = inSeconds(7)
        const kept = yield* create({
          social_accounts: [account],
          caption: "Old",
          scheduled_at: scheduledAt
        })
        const dropped = yield* create({
          social_accounts: [account],
          caption: "Never",
          scheduled_at: scheduledAt
        })
        yield* service.call("PATCH", `/v1/posts/${kept.id}`, { caption: "New" })
        const deleted = yield* service.call("DELETE", `/v1/posts/${dropped.id}`)
        assert.deepStrictEqual(deleted.body, { success: true, id: dropped.id })
        assert.strictEqual((yield* settled(kept.id)).caption, "New")
        assert.deepStrictEqual(
          (yield* sandbox.publications("edited")).map(({ text }) => text),
          ["New"]
        )
      })
  )
})
