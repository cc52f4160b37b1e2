import { assert, layer } from "@effect/vitest"
import { DateTime, Effect } from "effect"
import { countTokens } from "gpt-tokenizer"
import { readFileSync } from "node:fs"
import { connectAccount } from "@carillon/testing/ConnectedAccount"
import { connect, create } from "@carillon/testing/Publishing"
import { Service } from "@carillon/testing/ServiceProcess"
import { SharedService } from "@carillon/testing/SharedService"

const picture = readFileSync(new URL("../../examples/media/bells.jpg", import.meta.url))

const rpc = Effect.fnUntraced(function* (method: string, params: object = {}) {
  const service = yield* Service
  const { body } = yield* service.call("POST", "/mcp", { jsonrpc: "2.0", id: 1, method, params })
  return body.result
})

/** An answer as a host gives it to its model: the text or the structured part, of which the longer counts. */
const tokensOf = ({ content, structuredContent }: any) =>
  Math.max(countTokens(content[0].text), countTokens(JSON.stringify(structuredContent)))

/** Every schema within a schema, with its path. */
const schemasIn = (value: any, at = ""): ReadonlyArray<readonly [string, any]> =>
  typeof value !== "object" || value === null
    ? []
    : [[at, value], ...Object.entries(value).flatMap(([key, inner]) => schemasIn(inner, `${at}/${key}`))]

/** What an input has besides the few words that the APIs of all models take, where a schema stands. */
const unusualIn = (schema: any, isRoot = false, at = ""): ReadonlyArray<string> => {
  const { description: _, items, properties = {}, ...rest } = schema
  const own = Object.entries(rest).filter(
    ([word, value]) =>
      !(word === "additionalProperties" && value === false && isRoot) &&
      !(word === "type" && typeof value === "string") &&
      !["enum", "required"].includes(word)
  )
  return [
    ...own.map(([word, value]) => `${at} ${word}: ${JSON.stringify(value)}`),
    ...(items === undefined ? [] : unusualIn(items, false, `${at}[]`)),
    ...Object.entries(properties).flatMap(([name, inner]) => unusualIn(inner, false, `${at}.${name}`))
  ]
}

const captions = {
  english: "We baked fresh bread this morning and the whole street smelled of it. Come by before noon! ",
  japanese: "今朝、焼きたてのパンを焼きました。通り全体がその香りに包まれました。お昼前にお越しください。",
  emoji: "🥐🍞🥖🧁🎂🍰🥧🍪☕️🫖"
}

layer(SharedService, { excludeTestServices: true })("what tools take of a model's context", (it) => {
  it.effect(
    "what tools take of a model's context is 33,000 bytes for all of them, and 5,700 tokens for what a model reads of it",
    () =>
      Effect.gen(function* () {
        const { tools } = yield* rpc("tools/list")
        assert.isAtMost(Buffer.byteLength(JSON.stringify(tools)), 33_000)
        const read = tools.map(({ description, inputSchema, name }: any) => ({
          name,
          description,
          inputSchema
        }))
        assert.isAtMost(countTokens(JSON.stringify(read)), 5_700)
        for (const { description } of tools) assert.isAtMost(Buffer.byteLength(description), 2_000)
      })
  )

  it.effect("tools have schemas that every host takes", () =>
    Effect.gen(function* () {
      const { tools } = yield* rpc("tools/list")
      for (const { name, inputSchema, outputSchema } of tools) {
        assert.deepStrictEqual(unusualIn(inputSchema, true), [], name)
        for (const [at, schema] of schemasIn(outputSchema)) {
          assert.isFalse(Array.isArray(schema.type), name + at)
          if (!at.endsWith("/properties")) assert.isNotEmpty(schema, name + at)
        }
        for (const [at, schema] of schemasIn({ inputSchema, outputSchema })) {
          if (schema.type === "object") assert.isObject(schema.properties, name + at)
          if (schema.type === "object") assert.isNotEmpty(schema.properties, name + at)
        }
      }
    })
  )

  it.effect("says of every argument what it is, where a model that has only this tool reads it", () =>
    Effect.gen(function* () {
      const { tools } = yield* rpc("tools/list")
      const inputOf = (tool: string) => tools.find(({ name }: any) => name === tool).inputSchema.properties
      for (const { name, inputSchema } of tools) {
        for (const [argument, schema] of Object.entries<any>(inputSchema.properties)) {
          const fields = name === "change_posts" ? schema.items?.properties : undefined
          for (const [at, { description }] of Object.entries<any>({ [argument]: schema, ...fields })) {
            assert.isString(description, `${name} ${at}`)
            assert.notMatch(description, /\bas in [a-z]+_[a-z]+/i, `${name} ${at}`)
          }
        }
      }
      const options = ["create_post", "update_post", "preview_post"].map((tool) => {
        const { properties } = inputOf(tool).platform_configurations
        return Object.keys(properties).map((network) => [
          network,
          Object.keys(properties[network].properties)
        ])
      })
      assert.includeDeepMembers(options[0]!, [["pinterest", ["title", "board_ids"]]])
      assert.deepStrictEqual(options, [options[0], options[0], options[0]])
      assert.includeMembers(Object.keys(inputOf("change_posts").update.items.properties), [
        "is_draft",
        "media",
        "account_configurations"
      ])
    })
  )

  for (const [language, sentence] of Object.entries(captions)) {
    it.effect(
      `what tools take of a model's context is at most 6,000 tokens an answer with 60 posts of 2,000 characters in two weeks: ${language}`,
      () =>
        Effect.gen(function* () {
          const accounts = yield* Effect.forEach([1, 2, 3], (one) => connect(`sizes_${language}${one}`))
          const caption = sentence.repeat(50).slice(0, 2_000).toWellFormed()
          const from = DateTime.makeUnsafe("2098-03-03T06:00:00Z")
          const draft = (index: number) =>
            create({
              social_accounts: accounts,
              is_draft: true,
              caption: `${index} ${caption}`,
              scheduled_at: DateTime.formatIso(DateTime.add(from, { hours: index * 5 })),
              account_configurations: accounts.map((account_id) => ({ account_id, caption }))
            })
          yield* Effect.forEach(Array.from({ length: 59 }).keys(), draft, { concurrency: 20 })
          yield* draft(59)
          const call = (name: string, args: object) =>
            Effect.tap(rpc("tools/call", { name, arguments: args }), (answer) =>
              Effect.sync(() => assert.isAtMost(tokensOf(answer), 6_000, `${name} ${JSON.stringify(args)}`))
            )
          const [account_id] = accounts
          const calendar = yield* call("show_calendar", { from: "2098-03-03", to: "2098-03-16", account_id })
          const { days, complete } = calendar.structuredContent
          const shown = days.flatMap(({ posts }: any) => posts)
          if (language === "english") assert.deepStrictEqual([complete, shown.length], [true, 60])
          assert.isAtMost([...shown[0].caption].length, 100)
          assert.deepStrictEqual(shown[0].accounts[0], `sandbox @sizes_${language}1`)

          const listed = yield* call("list_posts", { account_id })
          assert.isTrue(listed.structuredContent.posts[0].caption_truncated)
          assert.strictEqual([...listed.structuredContent.posts[0].caption].length, 300)
          // One post alone may be longer.
          const full = yield* language === "english"
            ? call("list_posts", { account_id, detail: "full" })
            : rpc("tools/call", { name: "list_posts", arguments: { account_id, detail: "full" } })
          const { posts, total, next_offset } = full.structuredContent
          assert.deepStrictEqual([total, next_offset], [60, posts.length])
          assert.strictEqual(posts[0].caption, `59 ${caption}`)
          if (language === "english") yield* call("get_post", { post_id: posts[0].id })

          const rows: Array<any> = []
          for (let offset: number | null = 0; offset !== null;) {
            const calendar = { from: "2098-03-03", to: "2098-03-16", account_id }
            const page: any = (yield* call("get_app_data", { calendar, offset })).structuredContent
            rows.push(...page.rows)
            offset = page.next_offset
          }
          assert.deepStrictEqual(
            ["account", "day", "post"].map((name) => rows.filter((row) => name in row).length),
            [3, 14, 60]
          )
        })
    )
  }

  /** The accounts of the threads of all languages. */
  const threaded = Effect.runSync(
    Effect.cached(Effect.forEach(Array.from({ length: 12 }), (_, index) => connect(`sizes_thread${index}`)))
  )

  for (const [language, sentence] of Object.entries(captions)) {
    it.effect(
      `what tools take of a model's context is at most 6,000 tokens for one long thread with captions of its own everywhere: ${language}`,
      () =>
        Effect.gen(function* () {
          const accounts = yield* threaded
          const caption = sentence.repeat(50).slice(0, 1_000).toWellFormed()
          const thread = Array.from({ length: 10 }, () => ({ caption }))
          const own = { caption, thread }
          const { id } = yield* create({
            social_accounts: accounts,
            is_draft: true,
            ...own,
            platform_configurations: Object.fromEntries(
              ["sandbox", "bluesky", "mastodon", "discord"].map((platform) => [platform, own])
            ),
            account_configurations: accounts.map((account_id) => ({ account_id, ...own }))
          })
          const ask = (args: object) =>
            rpc("tools/call", { name: "get_post", arguments: { post_id: id, ...args } })
          const shown = yield* ask({})
          assert.isAtMost(tokensOf(shown), 6_000)
          assert.isTrue(shown.structuredContent.caption_truncated)
          assert.match(shown.structuredContent.thread[0].caption, /…$/)
          const { structuredContent: full } = yield* ask({ detail: "full" })
          assert.notProperty(full, "caption_truncated")
          assert.deepStrictEqual([full.caption, full.thread.length], [caption, 10])
          assert.lengthOf(full.account_configurations, 12)
        })
    )
  }

  it.effect(
    "what tools take of a model's context is at most 6,000 tokens an answer with 60 accounts, and a picture that 60 posts use",
    () =>
      Effect.gen(function* () {
        const service = yield* Service
        const social_accounts = yield* Effect.forEach(
          Array.from({ length: 60 }),
          (_, index) => connect(`sizes-crowd-with-a-long-name-${index}`),
          { concurrency: 5 }
        )
        const media_id = yield* service.upload(picture, "image/jpeg", "sizes-crowd.jpg")
        const call = (name: string, args: object) =>
          Effect.tap(rpc("tools/call", { name, arguments: args }), (answer) =>
            Effect.sync(() => assert.isAtMost(tokensOf(answer), 6_000, name))
          )
        const listed = (yield* call("list_accounts", {})).structuredContent
        assert.isAtLeast(listed.accounts.length, 60)
        const { contents } = yield* rpc("resources/read", { uri: "carillon://accounts" })
        assert.isAtMost(countTokens(contents[0].text), 6_000)

        const thread = Array.from({ length: 24 }, () => ({ caption: captions.english.repeat(5) }))
        const long = { social_accounts, caption: captions.english.repeat(10), is_draft: true }
        const media = [media_id, media_id, media_id, media_id]
        for (const post of [long, { ...long, thread }, { ...long, media }]) {
          const { accounts, shortened } = (yield* call("preview_post", post)).structuredContent
          assert.isNotEmpty(accounts[0].problems)
          assert.include(shortened, `${accounts.length} of 60 accounts`)
        }
        for (const post of [
          { ...long, thread },
          { ...long, media },
          { ...long, caption: "パン".repeat(10_000) }
        ]) {
          const shown: Array<any> = []
          for (let offset: number | null = 0; offset !== null;) {
            const page: any = (yield* call("get_app_data", { post, offset })).structuredContent
            shown.push(...page.rows)
            offset = page.next_offset
          }
          assert.lengthOf(
            shown.filter(({ preview }) => preview),
            60
          )
        }
        const made = (yield* call("create_post", long)).structuredContent
        assert.isNotEmpty(made.draft_problems)
        assert.notIncludeMembers(made.warnings, made.draft_problems)
        const [first] = social_accounts
        const create = Array.from({ length: 50 }, (_, index) => ({
          ...long,
          social_accounts: [first],
          media: [media_id],
          is_draft: index < 25,
          scheduled_at: "2097-01-01T09:00"
        }))
        const changed = (yield* call("change_posts", { create })).structuredContent
        assert.deepStrictEqual([changed.outcomes.length, changed.failed], [50, 25])
        const refused = { ...long, is_draft: false, scheduled_at: "2097-01-01T09:00" }
        const many = yield* call("change_posts", { create: Array.from({ length: 50 }, () => refused) })
        assert.deepStrictEqual(
          [many.structuredContent.outcomes.length, many.structuredContent.failed],
          [50, 50]
        )
        const item = (yield* call("complete_media_upload", { media_id })).structuredContent
        assert.deepStrictEqual([item.used_by.length, item.used_by_more], [10, 15])
        const { drafts, drafts_more } = (yield* call("delete_media", { media_id })).structuredContent
        assert.deepStrictEqual([drafts.length, drafts_more], [20, 5])
      })
  )

  it.effect(
    "what tools take of a model's context is at most 6,000 tokens for an account with 303 boards, which says how many it left out",
    () =>
      Effect.gen(function* () {
        const account_id = yield* connectAccount("pinterest", "sizes-manyboards")
        const ask = (name: string, args: object) => rpc("tools/call", { name, arguments: args })
        const options = yield* ask("get_platform_options", { account_id })
        assert.isAtMost(tokensOf(options), 6_000)
        const { choices, choices_left_out } = options.structuredContent
        assert.isAtLeast(choices.board_ids.length, 50)
        assert.include(choices_left_out, `board_ids: ${choices.board_ids.length} of 30`)
        const draft = { social_accounts: [account_id], caption: "x", is_draft: true }
        const on = (name: string) => ({
          ...draft,
          platform_configurations: { pinterest: { board_ids: [name] } }
        })
        const named = yield* ask("preview_post", on("Board 299"))
        assert.notMatch(named.content[0].text, /Board 299/)
        const unknown = yield* ask("preview_post", on("No such board"))
        assert.match(unknown.structuredContent.accounts[0].problems.at(-1), /has no board "No such board"/)
        assert.isAtMost(tokensOf(unknown), 6_000)
      })
  )

  it.effect("shows the caption of an account where the post has none of its own", () =>
    Effect.gen(function* () {
      const account = yield* connect("mcp_sizes_own")
      yield* create({
        social_accounts: [account],
        is_draft: true,
        account_configurations: [{ account_id: account, caption: "Only here" }]
      })
      const { structuredContent } = yield* rpc("tools/call", {
        name: "list_posts",
        arguments: { account_id: account }
      })
      assert.strictEqual(structuredContent.posts[0].caption, "Only here")
    })
  )
})
