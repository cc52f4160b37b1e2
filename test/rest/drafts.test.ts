import { AccountConfiguration, PlatformConfigurations } from "@carillon/domain"
import { assert, layer } from "@effect/vitest"
import { Effect, Schema } from "effect"
import { connect, inSeconds, settled } from "@carillon/testing/Publishing"
import { Service } from "@carillon/testing/ServiceProcess"
import { SharedService } from "@carillon/testing/SharedService"

const call = Effect.fnUntraced(function* (method: string, path: string, body?: object) {
  const service = yield* Service
  return yield* service.call(method, path, body)
})

const draftOf = Effect.fnUntraced(function* (fields: object) {
  const { status, body } = yield* call("POST", "/v1/posts", { is_draft: true, ...fields })
  assert.strictEqual(status, 201, JSON.stringify(body))
  return body
})

const account = connect("draftsoul")

const disconnected = Effect.gen(function* () {
  const id = yield* connect("draftsgone")
  yield* call("DELETE", `/v1/social-accounts/${id}`)
  return id
})

const problemsIn = (errors: ReadonlyArray<any>) => errors.map(({ path, code }) => [path, code])

const unknownMedia = "01a1fd84-0a5f-7788-97ec-9b46677293d3"
const reserved = Effect.map(
  call("POST", "/v1/media/create-upload-url", { mime_type: "image/png", name: "bells.png", size_bytes: 10 }),
  ({ body }) => body.media_id as string
)

/** What a draft keeps, with the problem that it then has. */
const kept: Readonly<
  Record<string, (id: number) => Effect.Effect<[object, string, string], never, Service>>
> = {
  "neither a caption nor media": () => Effect.succeed([{}, "caption", "empty_post"]),
  "a caption that is too long": () =>
    Effect.succeed([{ caption: "x".repeat(501) }, "caption", "caption_too_long"]),
  "a time that has passed": () =>
    Effect.succeed([{ caption: "x", scheduled_at: inSeconds(-7200) }, "scheduled_at", "scheduled_at_past"]),
  "media without bytes": () => Effect.map(reserved, (id) => [{ media: [id] }, "media", "media_not_ready"]),
  "an option that the platform does not take": () =>
    Effect.succeed([
      { caption: "x", platform_configurations: { sandbox: { title: "x".repeat(101) } } },
      "platform_configurations.sandbox.title",
      "invalid_value"
    ]),
  "an option of another platform": (id) =>
    Effect.succeed([
      { caption: "x", account_configurations: [{ account_id: id, board_ids: ["1"] }] },
      "account_configurations[0].board_ids",
      "unknown_field"
    ]),
  "an option for a platform that it does not go to": () =>
    Effect.succeed([
      { caption: "x", platform_configurations: { tiktok: { privacy_level: "NOBODY" } } },
      "platform_configurations.tiktok.privacy_level",
      "invalid_value"
    ]),
  "options that do not fit the post": () =>
    Effect.succeed([
      { caption: "x", platform_configurations: { sandbox: { alt_text: ["a picture"] } } },
      "platform_configurations.sandbox.alt_text",
      "option_not_accepted"
    ])
}

/** What cannot be stored, not in a draft either. */
const refused: Readonly<Record<string, [fields: (id: number) => object, path: string, code: string]>> = {
  "no account": [() => ({ social_accounts: [] }), "social_accounts", "invalid_value"],
  "an unknown account": [
    () => ({ social_accounts: [999_999_999] }),
    "social_accounts[0]",
    "social_account_not_found"
  ],
  "an account twice": [(id) => ({ social_accounts: [id, id] }), "social_accounts[1]", "invalid_value"],
  "an override for another account": [
    () => ({ account_configurations: [{ account_id: 999_999_999 }] }),
    "account_configurations[0].account_id",
    "invalid_value"
  ],
  "an unknown media item": [() => ({ media: [unknownMedia] }), "media", "media_not_found"],
  "a cover that is none": [
    () => ({ platform_configurations: { instagram: { cover_image: "bells.png" } } }),
    "platform_configurations.instagram.cover_image",
    "media_not_found"
  ],
  "an unknown media item in a thread": [
    () => ({ thread: [{ caption: "x" }, { media: [unknownMedia] }] }),
    "thread[1].media",
    "media_not_found"
  ],
  "an address that is not fetched": [
    () => ({ media_urls: ["ftp://example.com/bells.png"] }),
    "media_urls[0]",
    "media_url_not_allowed"
  ],
  "a time that is none": [() => ({ scheduled_at: "soon" }), "scheduled_at", "scheduled_at_invalid"],
  "a slot of the queue": [() => ({ use_queue: true, caption: "x" }), "use_queue", "schedule_conflict"],
  "an unknown field": [() => ({ captoin: "x" }), "captoin", "unknown_field"],
  "an unknown option": [
    () => ({ platform_configurations: { sandbox: { titel: "x" } } }),
    "platform_configurations.sandbox.titel",
    "unknown_field"
  ],
  "an option of another type": [
    () => ({ platform_configurations: { sandbox: { title: 5 } } }),
    "platform_configurations.sandbox.title",
    "invalid_value"
  ],
  "a text that cannot be stored": [
    () => ({ platform_configurations: { sandbox: { title: "a\0" } } }),
    "platform_configurations.sandbox.title",
    "invalid_value"
  ],
  "a text longer than any": [() => ({ caption: "x".repeat(20_001) }), "caption", "invalid_value"]
}

/** The parts of a body that may have any value of their form. */
const Configurations = Schema.Struct({
  platform: Schema.toEncoded(PlatformConfigurations),
  own: Schema.toEncoded(AccountConfiguration)
})

layer(SharedService, { excludeTestServices: true, concurrent: true, timeout: "180 seconds" })(
  "a draft",
  (it) => {
    for (const [what, make] of Object.entries(kept)) {
      it.effect(`keeps ${what}, says so wherever it is read alone, and does not go out with it`, () =>
        Effect.gen(function* () {
          const id = yield* account
          const [fields, path, code] = yield* make(id)
          const request = { social_accounts: [id], ...fields }
          const draft = yield* draftOf(request)
          assert.deepStrictEqual([draft.status, draft.results.length], ["draft", 1])
          assert.deepStrictEqual(problemsIn(draft.draft_problems), [[path, code]])
          const [problem] = draft.draft_problems
          assert.include(draft.warnings, problem.message)
          if (problem.account_id === id) {
            assert.strictEqual(
              problem.message,
              `Test network (@draftsoul, account ${id}) ${problem.sentence}`
            )
          }

          const read = (yield* call("GET", `/v1/posts/${draft.id}`)).body
          assert.deepStrictEqual(
            read.draft_problems.map(({ message: _, ...item }: any) => item),
            draft.draft_problems.map(({ message: _, ...item }: any) => item)
          )
          const changed = (yield* call("PATCH", `/v1/posts/${draft.id}`, {})).body
          assert.deepStrictEqual(problemsIn(changed.draft_problems), [[path, code]])
          for (const post of [read, changed]) {
            assert.deepStrictEqual(post.platform_configurations, draft.platform_configurations)
            assert.deepStrictEqual(post.account_configurations, draft.account_configurations)
          }

          const validated = yield* call("POST", "/v1/posts/validate", { is_draft: true, ...request })
          assert.deepStrictEqual([validated.status, problemsIn(validated.body.errors)], [400, [[path, code]]])
          if (code === "scheduled_at_past") {
            const late = yield* call("PATCH", `/v1/posts/${draft.id}`, { is_draft: false })
            assert.deepStrictEqual([late.status, late.body.code], [400, code])
            return
          }
          for (const [method, way, body] of [
            ["POST", "/publish", undefined],
            ["PATCH", "", { is_draft: false, scheduled_at: inSeconds(7200) }],
            ["PATCH", "", { use_queue: true }]
          ] as const) {
            const gone = yield* call(method, `/v1/posts/${draft.id}${way}`, body)
            assert.deepStrictEqual([gone.status, problemsIn(gone.body.errors)], [400, [[path, code]]], way)
          }
        })
      )
    }

    for (const [what, [fields, path, code]] of Object.entries(refused)) {
      it.effect(`a draft refuses ${what}`, () =>
        Effect.gen(function* () {
          const id = yield* account
          const post = { social_accounts: [id], caption: "x".repeat(501), is_draft: true, ...fields(id) }
          const { status, body } = yield* call("POST", "/v1/posts", post)
          assert.deepStrictEqual(
            [status, problemsIn(body.errors)],
            [400, [[path, code]]],
            JSON.stringify(body)
          )
        })
      )
    }

    it.effect("learns that its account was disconnected, and that it was connected again", () =>
      Effect.gen(function* () {
        const gone = yield* disconnected
        const draft = yield* draftOf({ social_accounts: [gone], caption: "x" })
        assert.deepStrictEqual(problemsIn(draft.draft_problems), [
          ["social_accounts[0]", "social_account_disconnected"]
        ])
        yield* connect("draftsgone")
        const read = (yield* call("GET", `/v1/posts/${draft.id}`)).body
        assert.deepStrictEqual(read.draft_problems, [])
        assert.deepStrictEqual(read.warnings, [])
      })
    )

    it.effect("goes out once its problems are mended", () =>
      Effect.gen(function* () {
        const id = yield* account
        const draft = yield* draftOf({
          social_accounts: [id],
          platform_configurations: { sandbox: { title: "x".repeat(101) } }
        })
        assert.lengthOf(draft.draft_problems, 2)
        const changes = { caption: "Bells", platform_configurations: { sandbox: { title: "Bells" } } }
        const mended = (yield* call("PATCH", `/v1/posts/${draft.id}`, changes)).body
        assert.deepStrictEqual([mended.status, mended.draft_problems], ["draft", []])
        const { body } = yield* call("POST", `/v1/posts/${draft.id}/publish`)
        assert.notProperty(body, "draft_problems")
        assert.strictEqual((yield* settled(draft.id)).status, "published")
      })
    )

    it.effect(
      "a draft is what a scheduled post becomes by is_draft: true, whatever else the change says",
      () =>
        Effect.gen(function* () {
          const id = yield* account
          const post = { social_accounts: [id], caption: "x", scheduled_at: inSeconds(7200) }
          const { body } = yield* call("POST", "/v1/posts", post)
          const refusal = yield* call("PATCH", `/v1/posts/${body.id}`, { caption: "x".repeat(501) })
          assert.deepStrictEqual([refusal.status, refusal.body.code], [400, "caption_too_long"])
          const changes = { caption: "x".repeat(501), is_draft: true }
          const draft = (yield* call("PATCH", `/v1/posts/${body.id}`, changes)).body
          assert.deepStrictEqual(
            [draft.status, problemsIn(draft.draft_problems)],
            ["draft", [["caption", "caption_too_long"]]]
          )
        })
    )

    it.effect("a draft has no problems in lists, which say how it is read alone", () =>
      Effect.gen(function* () {
        const id = yield* account
        const draft = yield* draftOf({ social_accounts: [id], caption: "draftslisted ".repeat(50) })
        const { body } = yield* call("GET", "/v1/posts?status=draft&q=draftslisted")
        assert.deepStrictEqual(
          body.data.map(({ id }: any) => id),
          [draft.id]
        )
        assert.notProperty(body.data[0], "draft_problems")
        assert.deepStrictEqual(body.data[0].warnings, [])
      })
    )

    it.effect("a draft is answered with all its problems again where its key was used before", () =>
      Effect.gen(function* () {
        const service = yield* Service
        const post = { social_accounts: [yield* account], is_draft: true, caption: "x".repeat(501) }
        const key = { "idempotency-key": "draft with problems" }
        const first = yield* service.call("POST", "/v1/posts", post, key)
        const again = yield* service.call("POST", "/v1/posts", post, key)
        assert.lengthOf(first.body.draft_problems, 1)
        assert.deepStrictEqual(again.body, first.body)
      })
    )

    it.effect(
      "a draft and any other post is told all its problems at once, whatever is wrong with its options",
      () =>
        Effect.gen(function* () {
          const id = yield* account
          const { status, body } = yield* call("POST", "/v1/posts", {
            social_accounts: [id],
            caption: "x".repeat(501),
            scheduled_at: inSeconds(-7200),
            platform_configurations: {
              sandbox: { title: "x".repeat(101), alt_text: 5 },
              tiktok: { privacy_level: "NOBODY", titel: "x" }
            },
            account_configurations: [{ account_id: id, tags: ["x"] }]
          })
          assert.strictEqual(status, 400)
          assert.sameDeepMembers(problemsIn(body.errors), [
            ["platform_configurations.sandbox.alt_text", "invalid_value"],
            ["platform_configurations.tiktok.titel", "unknown_field"],
            ["scheduled_at", "scheduled_at_past"],
            ["account_configurations[0].tags", "unknown_field"],
            ["platform_configurations.sandbox.title", "invalid_value"],
            ["platform_configurations.tiktok.privacy_level", "invalid_value"],
            ["caption", "caption_too_long"]
          ])
          const title = body.errors.find(({ path }: any) => path === "platform_configurations.sandbox.title")
          assert.deepInclude(title, { account_id: id, platform: "sandbox", rule: "option_value" })
        })
    )

    it.effect("tells of at most fifty problems, in less than 64 KiB", () =>
      Effect.gen(function* () {
        const id = yield* account
        const tags = Array.from({ length: 200 }, () => "x".repeat(600))
        const platforms = ["tiktok", "youtube", "pinterest", "instagram", "bluesky", "mastodon", "threads"]
        const draft = yield* draftOf({
          social_accounts: [id],
          platform_configurations: {
            ...Object.fromEntries(platforms.map((name) => [name, { caption: "x" }])),
            youtube: { tags, title: "x".repeat(1000), category_id: "x".repeat(1000) },
            bluesky: { thread: Array.from({ length: 24 }, () => ""), reply_gate: "x".repeat(90_000) }
          }
        })
        assert.isAtMost(draft.draft_problems.length, 51)
        assert.isBelow(JSON.stringify(draft.draft_problems).length, 65_536)
      })
    )

    it.effect.prop(
      "a draft is read, listed, changed and replaced as it was stored, whatever its options are",
      [Configurations],
      ([{ platform, own }]) =>
        Effect.gen(function* () {
          const id = yield* account
          const given = JSON.parse(JSON.stringify({ platform, own }))
          // Media have to exist.
          const storable = (entry: any) => {
            const { caption: _, media: __, cover_image: ___, thumbnail: ____, ...options } = entry ?? {}
            const thread = options.thread?.map((item: any) =>
              typeof item === "string" ? item : { ...item, media: item.media && [] }
            )
            return { ...options, ...(thread && { thread }) }
          }
          const draft = yield* draftOf({
            social_accounts: [id],
            platform_configurations: Object.fromEntries(
              Object.entries(given.platform).map(([name, entry]) => [name, storable(entry)])
            ),
            account_configurations: [{ ...storable(given.own), account_id: id }]
          })
          const { platform_configurations, account_configurations } = draft
          const same = { platform_configurations, account_configurations }
          for (const post of [
            (yield* call("GET", `/v1/posts/${draft.id}`)).body,
            (yield* call("PATCH", `/v1/posts/${draft.id}`, same)).body,
            (yield* call("GET", "/v1/posts?status=draft&limit=200")).body.data.find(
              (one: any) => one.id === draft.id
            )
          ]) {
            assert.deepStrictEqual({ ...same, ...post }, post)
            assert.deepStrictEqual(post.platform_configurations, platform_configurations)
            assert.deepStrictEqual(post.account_configurations, account_configurations)
          }
          yield* call("DELETE", `/v1/posts/${draft.id}`)
        }),
      { arbitrary: { runs: 20 } }
    )
  }
)
