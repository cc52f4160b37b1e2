import { SandboxProcess } from "@carillon/sandbox/testing"
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { connect, create, eventually, inSeconds, settled } from "@carillon/testing/Publishing"
import { Service } from "@carillon/testing/ServiceProcess"
import { isEndless, operations } from "./Document.ts"
import { instance, SharedService } from "@carillon/testing/SharedService"

const picture = Buffer.from(
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==",
  "base64"
)

const reserve = Effect.gen(function* () {
  const service = yield* Service
  const { body } = yield* service.call("POST", "/v1/media/create-upload-url", {
    mime_type: "image/png",
    size_bytes: picture.length,
    name: "pixel.png"
  })
  return body as { readonly media_id: string; readonly upload_url: string }
})

const put = (url: string) =>
  Effect.promise(async () => {
    const answer = await fetch(url, {
      method: "PUT",
      headers: { "content-type": "image/png" },
      body: picture
    })
    return { status: answer.status, body: (await answer.json()) as any }
  })

const others: Readonly<Record<string, string>> = {
  backupsCreate: "application/x-tar",
  eventsStream: "text/event-stream"
}

/** The rules of the API that clients of similar services rely on, one test each. */
layer(SharedService, { excludeTestServices: true, timeout: "180 seconds" })("[compat]", (it) => {
  it.effect(
    "every 2xx answer but a backup and a stream has a JSON body and a JSON content type, DELETE included",
    () =>
      Effect.gen(function* () {
        for (const { id, responses } of operations) {
          const successes = Object.entries(responses).filter(([status]) => Number(status) < 300)
          assert.lengthOf(successes, 1, id)
          assert.include(["200", "201"], successes[0]![0], id)
          assert.deepStrictEqual(
            Object.keys(successes[0]![1].content),
            [others[id] ?? "application/json"],
            id
          )
        }
        const service = yield* Service
        const post = yield* create({
          social_accounts: [yield* connect("deleted")],
          caption: "x",
          is_draft: true
        })
        const { status, body, headers } = yield* service.call("DELETE", `/v1/posts/${post.id}`)
        assert.strictEqual(status, 200)
        assert.match(headers.get("content-type")!, /^application\/json/)
        assert.deepStrictEqual(body, { success: true, id: post.id })
      })
  )

  it.effect("an empty body with a JSON content type is fine on every GET and DELETE", () =>
    Effect.gen(function* () {
      const service = yield* instance
      const json = { "content-type": "application/json" }
      const asked = operations.filter(
        (one) => ["GET", "DELETE"].includes(one.method) && one.membersOnly === null && !isEndless(one)
      )
      for (const { id, method, path } of asked) {
        const url = path.replace(/\{\w+\}/g, "none")
        const bare = yield* service.call(method, url)
        const { status } = yield* service.call(method, url, undefined, json)
        assert.strictEqual(status, bare.status, id)
        assert.strictEqual(status, path.includes("{") ? 404 : 200, id)
      }
    })
  )

  it.effect("a limit above 200 is lowered to 200 in every list", () =>
    Effect.gen(function* () {
      const service = yield* instance
      const lists = operations.filter(({ parameters }) => parameters.some(({ name }) => name === "limit"))
      assert.isAbove(lists.length, 4)
      for (const { path } of lists) {
        const { status, body } = yield* service.call(
          "GET",
          `${path.replace(/\{\w+\}/g, "none")}?limit=100000`
        )
        if (path.includes("{")) assert.strictEqual(status, 404, path)
        else assert.strictEqual(body.meta.limit, 200, path)
      }
    })
  )

  it.effect("a filter takes several values repeated, in brackets or with commas", () =>
    Effect.gen(function* () {
      const service = yield* Service
      const account = yield* connect("filtered")
      const draft = yield* create({ social_accounts: [account], caption: "Draft", is_draft: true })
      const scheduled = yield* create({
        social_accounts: [account],
        caption: "Later",
        scheduled_at: inSeconds(3600)
      })
      for (const query of [
        "status=draft&status=scheduled",
        "status[]=draft&status[]=scheduled",
        "status=draft,scheduled",
        "status%5B%5D=draft&status%5B%5D=scheduled"
      ]) {
        const { body } = yield* service.call("GET", `/v1/posts?social_account_id=${account}&${query}`)
        const ids = body.data.map(({ id }: { id: string }) => id)
        assert.deepStrictEqual(ids, [scheduled.id, draft.id], query)
      }
    })
  )

  it.effect("a filter that names something takes several, and an id of another form finds nothing", () =>
    Effect.gen(function* () {
      const service = yield* Service
      const accounts = [yield* connect("several_one"), yield* connect("several_two")]
      const media = [yield* reserve, yield* reserve]
      for (const { upload_url } of media) yield* put(upload_url)
      const posts: Array<any> = []
      for (const [index, { media_id }] of media.entries()) {
        const to = { social_accounts: [accounts[index]], scheduled_at: inSeconds(3600) }
        posts.push(yield* create({ ...to, caption: "Several", media: [media_id] }))
      }
      const ids = posts.map(({ id }) => id)
      const mediaIds = media.map(({ media_id }) => media_id)
      const results = posts.map(({ results: [result] }) => result.id)
      for (const [list, name, values, expected] of [
        ["/v1/posts?", "social_account_id", accounts, ids],
        ["/v1/post-results?status=all&", "social_account_id", accounts, results],
        ["/v1/post-results?status=all&", "post_id", ids, results],
        ["/v1/media?", "post_id", ids, mediaIds],
        ["/v1/social-accounts?", "username", ["several_one", "@Several_Two"], accounts]
      ] as const) {
        const first = encodeURIComponent(values[0]!)
        const second = encodeURIComponent(values[1]!)
        const found = Effect.fnUntraced(function* (query: string) {
          const { status, body } = yield* service.call("GET", list + query)
          assert.strictEqual(status, 200, `${list}${query}: ${JSON.stringify(body)}`)
          return body.data.map(({ id }: { readonly id: string | number }) => id)
        })
        for (const query of [
          `${name}=${first}&${name}=${second}`,
          `${name}[]=${first}&${name}[]=${second}`,
          `${name}=${first},${second}`,
          `${name}=${first},nonsense,${second}&${name}=`
        ]) {
          assert.sameMembers(yield* found(query), [...expected], list + query)
        }
        assert.deepStrictEqual(yield* found(`${name}=${second}`), [expected[1]])
        for (const other of ["nonsense", "0", "-1", "999999999999999999999", "99999999"]) {
          assert.deepStrictEqual(yield* found(`${name}=${other}`), [], `${list}${name}=${other}`)
        }
      }
    })
  )

  it.effect(
    "an empty value of a filter is as if it were not there; an unknown name is refused all the same",
    () =>
      Effect.gen(function* () {
        const service = yield* Service
        const account = yield* connect("emptied")
        yield* create({ social_accounts: [account], caption: "Draft", is_draft: true })
        const lists = operations.filter(({ parameters }) => parameters.some(({ name }) => name === "limit"))
        for (const { path, parameters } of lists.filter((one) => !/\{|workspaces/.test(one.path))) {
          const names = parameters.flatMap((one) => (one.in === "query" ? [one.name] : []))
          const query = names.map((name) => `${name}=&${name}[]=`).join("&")
          const [all, same] = [
            yield* service.call("GET", path),
            yield* service.call("GET", `${path}?${query}`)
          ] as const
          assert.strictEqual(same.status, 200, `${path} ${JSON.stringify(same.body)}`)
          assert.strictEqual(same.body.meta.total, all.body.meta.total, path)
          const unknown = yield* service.call("GET", `${path}?stauts=`)
          assert.strictEqual(unknown.status, 400, path)
        }
      })
  )

  it.effect(
    "the status filter takes `processing`: what goes out at once and is not settled, until it is",
    () =>
      Effect.gen(function* () {
        const service = yield* Service
        const [free, limited] = [yield* connect("processing"), yield* connect("limited")]
        yield* (yield* SandboxProcess).script("limited", [
          { on: "post", fault: "rate_limited", retry_after: 3600 }
        ])
        const processing = Effect.gen(function* () {
          const { body } = yield* service.call(
            "GET",
            `/v1/posts?status=processing&social_account_id=${free},${limited}`
          )
          return body.data.map(({ id }: { readonly id: string }) => id)
        })
        yield* create({ social_accounts: [free], caption: "Later", scheduled_at: inSeconds(3600) })
        assert.deepStrictEqual(yield* processing, [])
        const held = yield* create({ social_accounts: [limited], caption: "Now" })
        assert.deepStrictEqual(yield* processing, [held.id])
        const published = yield* create({ social_accounts: [free], caption: "Now" })
        yield* settled(published.id)
        assert.deepStrictEqual(yield* processing, [held.id])
      })
  )

  it.effect("`google_business` is a platform to ask for and to configure, though none is connected", () =>
    Effect.gen(function* () {
      const service = yield* Service
      for (const path of ["/v1/posts", "/v1/post-results", "/v1/social-accounts"]) {
        const { status, body } = yield* service.call("GET", `${path}?platform=google_business`)
        assert.strictEqual(status, 200, path)
        assert.deepStrictEqual(body.data, [], path)
      }
      const google_business = {
        cta_action_type: "LEARN_MORE",
        cta_url: "https://example.com/bells",
        language_code: "en"
      }
      const account = yield* connect("business")
      const post: any = yield* create({
        social_accounts: [account],
        caption: "Open today",
        platform_configurations: { google_business },
        is_draft: true
      })
      assert.deepStrictEqual(post.platform_configurations, { google_business })
    })
  )

  it.effect("a post of which one account failed is published, and found by its result", () =>
    Effect.gen(function* () {
      const service = yield* Service
      const [good, bad] = [yield* connect("good"), yield* connect("bad")]
      yield* (yield* SandboxProcess).script("bad", [{ on: "post", fault: "refuse" }])
      const half = yield* create({ social_accounts: [good, bad], caption: "Half" })
      const whole = yield* create({ social_accounts: [good], caption: "Whole" })
      for (const { id } of [half, whole]) assert.strictEqual((yield* settled(id)).status, "published")
      const both = `social_account_id=${good},${bad}`
      for (const [query, expected] of [
        ["result=failed", [half.id]],
        ["result=failed&status=published", [half.id]],
        ["result[]=failed&result[]=unconfirmed", [half.id]],
        ["result=unconfirmed", []],
        ["result=failed&status=failed", []],
        ["result=", [whole.id, half.id]]
      ] as const) {
        const { body } = yield* service.call("GET", `/v1/posts?${both}&${query}`)
        const ids = body.data.map(({ id }: { readonly id: string }) => id)
        assert.deepStrictEqual(ids, expected, query)
      }
      const elsewhere = yield* service.call("GET", `/v1/posts?social_account_id=${good}&result=failed`)
      assert.deepStrictEqual(elsewhere.body.data, [])
      const other = yield* service.call("GET", "/v1/posts?result=published")
      assert.strictEqual(other.status, 400)
    })
  )

  it.effect("`error` of every failure is an array of strings", () =>
    Effect.gen(function* () {
      const service = yield* Service
      for (const [method, path, body] of [
        ["GET", "/nowhere", undefined],
        ["DELETE", "/v1/posts", undefined],
        ["POST", "/v1/posts", "{"],
        ["POST", "/v1/posts", { social_accounts: ["one"], captoin: "x" }],
        ["GET", "/v1/posts/none", undefined]
      ] as const) {
        const answer = yield* service.call(method, path, body)
        assert.isArray(answer.body.error)
        assert.isNotEmpty(answer.body.error)
        for (const sentence of answer.body.error) assert.isString(sentence)
      }
    })
  )

  it.effect("a PUT of the bytes answers 200 with the media item, which is usable without complete_url", () =>
    Effect.gen(function* () {
      const { media_id, upload_url } = yield* reserve
      const { status, body } = yield* put(upload_url)
      assert.strictEqual(status, 200)
      assert.strictEqual(body.id, media_id)
      assert.strictEqual(body.status, "ready")
      const account = yield* connect("uploaded")
      const post = yield* create({ social_accounts: [account], caption: "Picture", media: [media_id] })
      assert.strictEqual((yield* settled(post.id)).status, "published")
      const [publication] = yield* (yield* SandboxProcess).publications("uploaded")
      assert.lengthOf(publication!.media, 1)
    })
  )

  it.effect("a media item has `media_id` and an `object` with isDeleted, url, size_bytes and name", () =>
    Effect.gen(function* () {
      const { media_id, upload_url } = yield* reserve
      const { body } = yield* put(upload_url)
      assert.strictEqual(body.media_id, media_id)
      assert.deepStrictEqual(body.object, {
        isDeleted: false,
        url: body.url,
        size_bytes: picture.length,
        name: "pixel.png"
      })
    })
  )

  it.effect("media and media_urls together are both used, media first", () =>
    Effect.gen(function* () {
      const { media_id, upload_url } = yield* reserve
      const { body } = yield* put(upload_url)
      const account = yield* connect("both")
      const post = yield* create({
        social_accounts: [account],
        caption: "Both",
        media: [media_id],
        media_urls: [body.url],
        is_draft: true
      })
      const stored = yield* eventually(post.id, ({ media }) => media.length === 2)
      assert.strictEqual(stored.media[0], media_id)
      assert.notStrictEqual(stored.media[1], media_id)
    })
  )

  it.effect("use_queue is true, false, or an object with a time zone", () =>
    Effect.gen(function* () {
      const service = yield* Service
      const account = yield* connect("queued")
      const days = ["mon", "tue", "wed", "thu", "fri", "sat", "sun"]
      yield* service.call("PUT", "/v1/queue", {
        timezone: "UTC",
        slots: days.map((day) => ({ day, time: "09:00" })),
        jitter_minutes: 0
      })
      const at = (post: { scheduled_at: string | null }, timeZone: string) =>
        new Intl.DateTimeFormat("en-GB", { timeZone, hour: "2-digit", minute: "2-digit" }).format(
          new Date(post.scheduled_at!)
        )
      const plain = yield* create({ social_accounts: [account], caption: "Queue", use_queue: true })
      assert.strictEqual(at(plain, "UTC"), "09:00")
      const zoned = yield* create({
        social_accounts: [account],
        caption: "Queue",
        use_queue: { timezone: "Asia/Tokyo" }
      })
      assert.strictEqual(at(zoned, "Asia/Tokyo"), "09:00")
      const not = yield* create({
        social_accounts: [account],
        caption: "Not",
        use_queue: false,
        scheduled_at: inSeconds(3600)
      })
      assert.strictEqual(not.status, "scheduled")
    })
  )

  it.effect("scheduled_at that passed less than a minute ago means now, with a warning", () =>
    Effect.gen(function* () {
      const service = yield* Service
      const account = yield* connect("late-by-a-little")
      const request = { social_accounts: [account], caption: "Late" }
      const checked = yield* service.call("POST", "/v1/posts/validate", {
        ...request,
        scheduled_at: inSeconds(-5)
      })
      assert.deepStrictEqual([checked.status, checked.body.scheduled_at], [200, null])
      assert.lengthOf(checked.body.warnings, 1)
      const post = yield* create({ ...request, scheduled_at: inSeconds(-5) })
      assert.deepStrictEqual([post.status, post.scheduled_at], ["scheduled", null])
      assert.match(post.warnings[0]!, /was less than a minute in the past/)
      assert.strictEqual((yield* settled(post.id)).status, "published")
      const later = yield* create({ ...request, scheduled_at: inSeconds(3600) })
      const moved = yield* service.call("PATCH", `/v1/posts/${later.id}`, { scheduled_at: inSeconds(-5) })
      assert.deepStrictEqual([moved.status, moved.body.scheduled_at], [200, null])
      assert.lengthOf(moved.body.warnings, 1)
      const past = yield* service.call("POST", "/v1/posts", { ...request, scheduled_at: inSeconds(-3600) })
      assert.deepStrictEqual([past.status, past.body.code], [400, "scheduled_at_past"])
    })
  )

  it.effect(
    "the same post again without a key has a warning that names the first, for who may see that",
    () =>
      Effect.gen(function* () {
        const service = yield* Service
        const [account, other] = [yield* connect("twice"), yield* connect("twice-elsewhere")]
        const { media_id, upload_url } = yield* reserve
        yield* put(upload_url)
        const limited = (ids: ReadonlyArray<number>) =>
          Effect.map(
            service.call("POST", "/v1/api-keys", {
              name: "Limited",
              scopes: ["posts:write"],
              social_accounts: ids
            }),
            ({ body }) => ({ authorization: `Bearer ${body.key}` })
          )
        const [mine, theirs] = [yield* limited([account]), yield* limited([other])]
        for (const fields of [{ caption: "Twice" }, { caption: "Twice with a picture", media: [media_id] }]) {
          const request = { social_accounts: [account], scheduled_at: inSeconds(3600), ...fields }
          const first = yield* create(request)
          assert.deepStrictEqual(first.warnings, [])
          const keyed = yield* service.call("POST", "/v1/posts", request, {
            "idempotency-key": fields.caption
          })
          assert.deepStrictEqual(keyed.body.warnings, [])
          const again = yield* service.call(
            "POST",
            "/v1/posts",
            { ...request, scheduled_at: inSeconds(7200) },
            mine
          )
          assert.lengthOf(again.body.warnings, 1)
          assert.include(again.body.warnings[0], `the post ${first.id} `)
          assert.deepStrictEqual((yield* service.call("GET", `/v1/posts/${again.body.id}`)).body, again.body)
          const unlike = yield* service.call(
            "POST",
            "/v1/posts",
            { ...request, social_accounts: [other] },
            theirs
          )
          assert.deepStrictEqual(unlike.body.warnings, [])
          const both = yield* create({ ...request, social_accounts: [account, other] })
          assert.lengthOf(both.warnings, 2)
          assert.include(both.warnings[0], first.id)
          const seen = yield* service.call("GET", `/v1/posts/${both.id}`, undefined, theirs)
          assert.deepStrictEqual(seen.body.warnings, both.warnings.slice(1))
          assert.include(seen.body.warnings[0], unlike.body.id)
        }
      })
  )

  it.effect("scheduled_at: null on create means now", () =>
    Effect.gen(function* () {
      const account = yield* connect("nulled")
      const post = yield* create({ social_accounts: [account], caption: "Now", scheduled_at: null })
      assert.strictEqual((yield* settled(post.id)).status, "published")
    })
  )

  it.effect(
    "account_configurations is the array, or the array wrapped in an object; answers give the array",
    () =>
      Effect.gen(function* () {
        const account = yield* connect("wrapped")
        const entries = [{ account_id: account, caption: "Own words" }]
        for (const account_configurations of [entries, { account_configurations: entries }]) {
          const post: any = yield* create({
            social_accounts: [account],
            caption: "Shared words",
            account_configurations,
            is_draft: true
          })
          assert.deepStrictEqual(post.account_configurations, entries)
        }
      })
  )

  it.effect("the status filter takes `posted` for `published`; a result has success and platform_data", () =>
    Effect.gen(function* () {
      const service = yield* Service
      const account = yield* connect("posted")
      const draft = yield* create({ social_accounts: [account], caption: "Draft", is_draft: true })
      const post = yield* create({ social_accounts: [account], caption: "Hello" })
      yield* settled(post.id)
      const { body } = yield* service.call(
        "GET",
        `/v1/posts?status=posted,published&social_account_id=${account}`
      )
      assert.deepStrictEqual(
        body.data.map(({ id, status }: { id: string; status: string }) => [id, status]),
        [[post.id, "published"]]
      )
      const results = yield* service.call("GET", `/v1/post-results?post_id=${post.id}`)
      const [result] = results.body.data
      assert.isTrue(result.success)
      assert.hasAllKeys(result.platform_data, ["id", "url", "username"])
      assert.isString(result.platform_data.id)
      assert.strictEqual(result.platform_data.username, "posted")
      const waiting = yield* service.call("GET", `/v1/post-results?post_id=${draft.id}&status=waiting`)
      assert.isFalse(waiting.body.data[0].success)
      assert.isNull(waiting.body.data[0].platform_data)
    })
  )

  it.effect("a row in the list of results is final; those of a scheduled post are asked for by status", () =>
    Effect.gen(function* () {
      const service = yield* Service
      const account = yield* connect("final")
      const scheduled = yield* create({
        social_accounts: [account],
        caption: "Later",
        scheduled_at: inSeconds(3600)
      })
      const live = yield* create({ social_accounts: [account], caption: "Now" })
      yield* settled(live.id)
      for (const [query, expected] of [
        [`post_id=${scheduled.id}`, []],
        [`post_id=${scheduled.id}&status=published,failed,unconfirmed`, []],
        [`post_id=${scheduled.id}&status=waiting,publishing`, ["waiting"]],
        [`post_id=${scheduled.id}&status=all`, ["waiting"]],
        [`post_id=${live.id}`, ["published"]],
        [`post_id=${live.id}&status=all`, ["published"]],
        [`post_id=${live.id}&status=waiting`, []]
      ] as const) {
        const { body } = yield* service.call("GET", `/v1/post-results?${query}`)
        const statuses = body.data.map((result: { status: string }) => result.status)
        assert.deepStrictEqual(statuses, expected, query)
      }
      const [row] = scheduled.results
      const { body } = yield* service.call("GET", `/v1/post-results/${row!.id}`)
      assert.strictEqual(body.status, "waiting")
    })
  )
})
