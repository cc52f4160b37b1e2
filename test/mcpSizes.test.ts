import { assert, layer } from "@effect/vitest"
import { DateTime, Effect } from "effect"
import { countTokens } from "gpt-tokenizer"
import { connect, create } from "@carillon/testing/Publishing"
import { Service } from "@carillon/testing/ServiceProcess"
import { SharedService } from "@carillon/testing/SharedService"

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

const captions = {
  english: "We baked fresh bread this morning and the whole street smelled of it. Come by before noon! ",
  japanese: "今朝、焼きたてのパンを焼きました。通り全体がその香りに包まれました。お昼前にお越しください。",
  emoji: "🥐🍞🥖🧁🎂🍰🥧🍪☕️🫖"
}

layer(SharedService, { excludeTestServices: true })("what tools take of a model's context", (it) => {
  it.effect("is 32,000 bytes for all of them, and 6,000 tokens for what a model reads of it", () =>
    Effect.gen(function* () {
      const { tools } = yield* rpc("tools/list")
      assert.isAtMost(Buffer.byteLength(JSON.stringify(tools)), 32_000)
      const read = tools.map(({ outputSchema: _, ...tool }: any) => tool)
      assert.isAtMost(countTokens(JSON.stringify(read)), 6_000)
      for (const { description } of tools) assert.isAtMost(Buffer.byteLength(description), 2_000)
    })
  )

  it.effect("has schemas that every host takes", () =>
    Effect.gen(function* () {
      const { tools } = yield* rpc("tools/list")
      for (const { name, inputSchema, outputSchema } of tools) {
        for (const [at, schema] of schemasIn(inputSchema)) {
          assert.notProperty(schema, "allOf", name + at)
          assert.isFalse(Array.isArray(schema.type), name + at)
          assert.notProperty(schema, "anyOf", name + at)
        }
        for (const [at, schema] of schemasIn({ inputSchema, outputSchema })) {
          if (schema.type === "object") assert.isObject(schema.properties, name + at)
          if (schema.type === "object") assert.isNotEmpty(schema.properties, name + at)
        }
      }
    })
  )

  for (const [language, sentence] of Object.entries(captions)) {
    it.effect(
      `is at most 6,000 tokens an answer with 60 posts of 2,000 characters in two weeks: ${language}`,
      () =>
        Effect.gen(function* () {
          const accounts = yield* Effect.forEach([1, 2, 3], (one) => connect(`sizes_${language}${one}`))
          const caption = sentence.repeat(50).slice(0, 2_000).toWellFormed()
          const from = DateTime.makeUnsafe("2098-03-03T06:00:00Z")
          for (let index = 0; index < 60; index++) {
            yield* create({
              social_accounts: accounts,
              is_draft: true,
              caption: `${index} ${caption}`,
              scheduled_at: DateTime.formatIso(DateTime.add(from, { hours: index * 5 })),
              account_configurations: accounts.map((account_id) => ({ account_id, caption }))
            })
          }
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
        })
    )
  }

  for (const [language, sentence] of Object.entries(captions)) {
    it.effect(
      `is at most 6,000 tokens for one long chain with captions of its own everywhere: ${language}`,
      () =>
        Effect.gen(function* () {
          const accounts = yield* Effect.forEach(Array.from({ length: 12 }), (_, index) =>
            connect(`sizes_chain_${language}${index}`)
          )
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
