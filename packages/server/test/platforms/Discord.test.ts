import type { PlatformData } from "@carillon/domain"
import { SandboxProcess } from "@carillon/sandbox/testing"
import type { PublishRequest } from "@carillon/server/platforms/Platform"
import { makeDiscord } from "@carillon/server/platforms/discord/Discord"
import { nonceOf } from "@carillon/server/platforms/discord/DiscordMessage"
import { typedAt, typedWebhook } from "@carillon/testing/ConnectedAccount"
import { SharedSandbox } from "@carillon/testing/SharedService"
import { NodeHttpClient } from "@effect/platform-node"
import { assert, describe, layer } from "@effect/vitest"
import { DateTime, Effect, Layer, Redacted, Stream } from "effect"
import { HttpClient } from "effect/http"
import { forgetful } from "./AdapterRows.ts"
import { type Adapter, adapters } from "./Adapters.ts"
import { publisher, publisherOf, somebody } from "./Publisher.ts"
import { image, live, noneTaken, request, video } from "./TestRequest.ts"

// Every expectation here is from https://docs.discord.com/developers: resources/webhook, resources/message, resources/poll,
// topics/opcodes-and-status-codes, topics/rate-limits, reference#uploading-files.

const Network = Layer.merge(SharedSandbox, NodeHttpClient.layerUndici)

/** Those of every forum of the stand-in. */
const forumTags = [
  { id: "555231712275338559", name: "Events" },
  { id: "111358341285076269", name: "News" }
] as const
const [events, news] = forumTags

let accounts = 0
const newId = () => String(700_000_000_000_000_000n + BigInt(++accounts))
const newName = (ending = "") => `bells-${++accounts}${ending}`
const longAgo = DateTime.makeUnsafe(-3_600_000)

const adapter = Effect.map(somebody({ ...adapters.discord, typed: typedWebhook }), ({ platform }) => platform)

const webhookOf = (name: string, id = newId()) =>
  Effect.map(SandboxProcess, ({ url }) => ({
    webhook_or_token: `${url}/discord.com/api/webhooks/${id}/sandbox-${name}`
  }))
const botOf = (name: string, channel_id = newId()) => ({ webhook_or_token: `${name}.sandbox`, channel_id })

/** A chat of its own, connected, and what it gets. */
const connected = Effect.fn(function* (
  kind: "webhook" | "bot",
  values: Partial<PublishRequest> = {},
  ending = ""
) {
  const typed = kind === "bot" ? typedAt.discord : typedWebhook
  const own = yield* publisher({ ...adapters.discord, ending, typed }, values)
  const prepared = own.prepare()
  const publish = Effect.flatMap(prepared, ({ handle }) => Effect.map(own.commit(handle), live))
  return { ...own, prepared, publish }
})

const film = (size = 1000) => video("film", Stream.succeed(new Uint8Array(size)), size)

layer(Network)("what is Discord's own", (it) => {
  describe("connect", () => {
    it.effect("takes the address of a webhook, and keeps nothing of it but its id and token", () =>
      Effect.gen(function* () {
        const name = newName()
        const id = newId()
        const { url } = yield* SandboxProcess
        const platform = yield* adapter
        const { webhook_or_token } = yield* webhookOf(name, id)
        const account = yield* platform.connect!({ webhook_or_token: ` ${webhook_or_token}/ ` })
        assert.deepInclude(account, {
          remote_id: `webhook/${id}`,
          username: name,
          avatar_url: null,
          token_expires_at: null
        })
        assert.deepInclude(Redacted.value(account.credentials), {
          webhook_id: id,
          webhook_token: `sandbox-${name}`,
          test_network: true
        })
        assert.notInclude(JSON.stringify(Redacted.value(account.credentials)), url)
      })
    )

    it.effect("makes two accounts of two channels, of a webhook each and of one bot", () =>
      Effect.gen(function* () {
        const platform = yield* adapter
        const name = newName()
        const channel = newId()
        const ids = yield* Effect.forEach(
          [
            yield* webhookOf(name),
            yield* webhookOf(name),
            botOf(name, channel),
            botOf(name),
            botOf(name, channel)
          ],
          (signIn) => Effect.map(platform.connect!(signIn), ({ remote_id }) => remote_id)
        )
        assert.lengthOf(new Set(ids), 4)
        assert.strictEqual(ids[2], ids[4])
      })
    )

    it.effect.each([
      "https://evil.example/api/webhooks/123456789012345678/abc",
      "https://discord.com.evil.example/api/webhooks/123456789012345678/abc",
      "https://discord.com@evil.example/api/webhooks/123456789012345678/abc",
      "http://discord.com/api/webhooks/123456789012345678/abc",
      "http://169.254.169.254/api/webhooks/123456789012345678/abc",
      "https://discord.com/api/webhooks/123456789012345678/abc/../../../users/@me",
      "https://discord.com/api/webhooks/123456789012345678/abc?wait=true",
      "https://discord.com/channels/1/2",
      "/api/webhooks/123456789012345678/abc",
      "abc"
    ])("calls nothing for %s", (webhook_or_token) =>
      Effect.gen(function* () {
        const error = yield* Effect.flip((yield* adapter).connect!({ webhook_or_token }))
        assert.strictEqual(error.code, "credentials_rejected")
        assert.match(error.message, /webhook URL/)
      })
    )

    it.effect.each([
      "https://discord.com/api/webhooks/123456789012345678/abc",
      "https://discordapp.com/api/webhooks/123456789012345678/abc",
      "https://ptb.discord.com/api/v10/webhooks/123456789012345678/abc",
      "https://CANARY.discord.com/api/webhooks/123456789012345678/abc/"
    ])("asks Discord itself for %s", (webhook_or_token) =>
      Effect.gen(function* () {
        // Nothing listens where `at` leads here.
        const error = yield* Effect.flip((yield* adapter).connect!({ webhook_or_token }))
        assert.deepInclude(error, { class: "transient", code: "ECONNREFUSED" })
      })
    )

    it.effect.each([
      ["a webhook that is gone", { gone: true }, /no longer exists/],
      [
        "a token of another form",
        { webhook_or_token: "a b", channel_id: "700000000000000001" },
        /nor a bot token/
      ],
      [
        "a token that Discord does not know",
        { webhook_or_token: "nonsense.sandbox.sandbox", channel_id: "700000000000000001" },
        /credentials|token/
      ],
      [
        "a channel by its name",
        { webhook_or_token: "bells.sandbox", channel_id: "#general" },
        /17 to 20 digits/
      ],
      [
        "both at once",
        { webhook_or_token: "https://discord.com/api/webhooks/1/a", channel_id: "700000000000000001" },
        /Leave channel_id out/
      ],
      ["nothing", {}, /webhook_or_token/]
    ] as const)("says what is wrong with %s", ([, typed, words]) =>
      Effect.gen(function* () {
        const signIn = "gone" in typed ? yield* webhookOf(newName("-gone")) : typed
        const error = yield* Effect.flip((yield* adapter).connect!(signIn))
        assert.strictEqual(error.code, "credentials_rejected")
        assert.match(error.message, words)
      })
    )

    it.effect.each([
      ["does not see the channel", "-hidden", /^The bot cannot see the channel\..*"View Channel"/],
      ["may not write in it", "-mute", /lacks "Send Messages"\..*denies it/],
      ["may not write in the thread", "-mute-thread", /lacks "Send Messages in Threads"\..*thread's channel/],
      ["may not send files and links", "-bare", /lacks "Attach Files" and "Embed Links"\..*Roles/],
      ["may not enter", "-voice", /lacks "Connect"/]
    ] as const)(
      "says which permission is missing, and where to give it, of a bot that %s",
      ([, ending, words]) =>
        Effect.gen(function* () {
          const error = yield* Effect.flip((yield* adapter).connect!(botOf(newName(ending))))
          assert.deepInclude(error, { class: "forbidden", code: "bot_may_not_post" })
          assert.match(error.message, words)
        })
    )

    it.effect("learns the tags of a bot's forum, and offers them", () =>
      Effect.gen(function* () {
        const platform = yield* adapter
        for (const [ending, tag_required] of [
          ["-forum", false],
          ["-tagged-forum", true]
        ] as const) {
          const { credentials, limits, remote_id } = yield* platform.connect!(botOf(newName(ending)))
          assert.match(remote_id, /^forum\//)
          assert.deepStrictEqual(limits, { webhook: false, forum_tags: [...forumTags], tag_required })
          assert.deepStrictEqual(yield* platform.limits!(credentials), limits)
          assert.deepStrictEqual(yield* platform.choices!(credentials, ""), { applied_tags: [...forumTags] })
        }
        const { credentials } = yield* platform.connect!(botOf(newName()))
        assert.deepStrictEqual(yield* platform.choices!(credentials, ""), {})
      })
    )

    it.effect.each(["-admin", "-thread", "-news"])("takes a bot that may post: %s", (ending) =>
      Effect.gen(function* () {
        const { publish, publications } = yield* connected("bot", {}, ending)
        yield* publish
        assert.lengthOf(yield* publications, 1)
      })
    )
  })

  describe("the bot of the operator's app", () => {
    const at = (url: string) => (host: string) => `${url}/${host}`
    const withApp = {
      ...adapters.discord,
      make: (client, app, url) =>
        makeDiscord(client, {
          public_url: "https://carillon.test",
          at: at(url),
          test_network: at(url),
          app: { ...app, id: "1234567", bot_token: Redacted.make("1234567.sandbox") }
        })
    } satisfies Adapter
    const without = Effect.gen(function* () {
      const { url } = yield* SandboxProcess
      return makeDiscord(yield* HttpClient.HttpClient, {
        public_url: "https://carillon.test",
        at: at(url),
        test_network: at(url)
      })
    })

    it.effect(
      "the bot of the operator's app is offered with every channel of the server in which it may post",
      () =>
        Effect.gen(function* () {
          const { exchange, page, username } = yield* somebody({ ...withApp, ending: "-many" })
          // View, send, links, files, history, threads: https://docs.discord.com/developers/topics/permissions
          assert.strictEqual(page!.searchParams.get("permissions"), "274878024704")
          const accounts = yield* exchange()
          assert.deepStrictEqual(
            accounts.map((account) => [
              account.username,
              account.display_name,
              account.limits?.forum_tags?.length
            ]),
            ["", "-news", "-forum"].map((ending) => [
              `${username}${ending}`,
              `#${username}${ending} · Server of ${username}`,
              ending === "-forum" ? 2 : undefined
            ])
          )
          assert.lengthOf(new Set(accounts.map(({ remote_id }) => remote_id)), 3)
          assert.notInclude(
            JSON.stringify(accounts.map(({ credentials }) => Redacted.value(credentials))),
            "1234567.sandbox"
          )
          const again = yield* exchange()
          assert.deepStrictEqual(
            again.map(({ remote_id }) => remote_id),
            accounts.map(({ remote_id }) => remote_id)
          )
        })
    )

    it.effect.each([0, 2])(
      "the bot of the operator's app posts in the channel that was chosen: %i",
      (chosen) =>
        Effect.gen(function* () {
          const person = yield* somebody({ ...withApp, ending: "-many" })
          const account = (yield* person.exchange())[chosen]!
          const options = { thread_name: "Bells", applied_tags: ["News"] }
          const own = yield* publisherOf(person, account, chosen === 0 ? {} : { options })
          const { handle } = yield* own.prepare()
          yield* own.commit(handle)
          assert.lengthOf(yield* person.network.publications(account.username), 1)
          assert.isNull((yield* own.platform.refresh(account.credentials)).token_expires_at)
          const gone = yield* without
          assert.strictEqual(yield* gone.serverOf!(account.credentials), "https://discord.sandbox")
          const error = yield* Effect.flip(gone.commit(own.post, account.credentials, handle))
          assert.deepInclude(error, { class: "reconnect", code: "app_missing" })
        })
    )

    it.effect("the bot of the operator's app is not offered where it may post in no channel", () =>
      Effect.gen(function* () {
        const { exchange } = yield* somebody({ ...withApp, ending: "-mute" })
        const error = yield* Effect.flip(exchange())
        assert.strictEqual(error.code, "no_accounts")
        assert.match(error.message, /may post in no channel of Server of /)
      })
    )

    it.effect("the bot of the operator's app needs a server, and an app that Discord knows", () =>
      Effect.gen(function* () {
        const { exchange } = yield* somebody(withApp)
        assert.strictEqual((yield* Effect.flip(exchange(["identify"]))).code, "scopes_missing")
        const wrong = yield* somebody(withApp, { secret: "wrong-s3cret" })
        const error = yield* Effect.flip(wrong.exchange())
        assert.deepInclude(error, { class: "config", code: "invalid_client" })
        assert.notInclude(JSON.stringify(error), "wrong-s3cret")
      })
    )
  })

  describe("a message", () => {
    it.effect.each(["webhook", "bot"] as const)(
      "a message by a %s notifies nobody whom it mentions, and has a link",
      (kind) =>
        Effect.gen(function* () {
          const { publish, publications } = yield* connected(kind, { caption: "@everyone Grüße 🔔 <@1>" })
          const { id, url } = yield* publish
          const { url: base } = yield* SandboxProcess
          const [publication] = yield* publications
          const { details = {}, text } = publication!
          assert.strictEqual(text, "@everyone Grüße 🔔 <@1>")
          assert.deepStrictEqual(details["allowed_mentions"], { parse: [] })
          assert.strictEqual(
            url,
            `${base}/discord.com/channels/820000000000000001/${String(details["channel_id"])}/${id}`
          )
        })
    )

    it.effect("carries every option in Discord's words", () =>
      Effect.gen(function* () {
        const { publish, publications } = yield* connected("webhook", {
          media: [image("a", { alt_text: "A bell" }), film()],
          options: {
            username: "Ringer",
            avatar_url: "https://example.com/bell.png",
            thread_id: "700000000000000099",
            silent: true,
            suppress_embeds: true,
            spoiler: true,
            mentions: ["users", "everyone", "users"]
          }
        })
        yield* publish
        const [publication] = yield* publications
        assert.deepInclude(publication!.details, {
          username: "Ringer",
          avatar_url: "https://example.com/bell.png",
          channel_id: "700000000000000099",
          flags: 4100,
          allowed_mentions: { parse: ["users", "everyone"] },
          attachments: [
            { filename: "a.jpg", is_spoiler: true },
            { filename: "film.mp4", is_spoiler: true }
          ]
        })
        assert.deepStrictEqual(
          publication!.media.map(({ content_type, alt_text, size }) => [content_type, alt_text, size]),
          [
            ["image/jpeg", "A bell", 7],
            ["video/mp4", null, 1000]
          ]
        )
      })
    )

    it.effect.each(["webhook", "bot"] as const)(
      "a message by a %s has embeds, which show pictures of the post and of other places",
      (kind) =>
        Effect.gen(function* () {
          const shown = "01938f4a-0000-7000-8000-000000000001"
          const { publish, publications } = yield* connected(kind, {
            caption: "",
            media: [image("a"), image(shown, { name: "Bells & whistles.png" })],
            options: {
              embeds: [
                {
                  title: "Bells",
                  description: "In the *valley*",
                  url: "https://example.com/bells",
                  color: "#5865F2",
                  image: shown,
                  author: "The ringers",
                  footer: "Every evening"
                },
                { image: "https://example.com/bell.png" }
              ]
            }
          })
          yield* publish
          const [publication] = yield* publications
          assert.deepInclude(publication!.details, {
            embeds: [
              {
                title: "Bells",
                description: "In the *valley*",
                url: "https://example.com/bells",
                color: 0x5865f2,
                image: { url: "attachment://picture-2.jpg" },
                author: { name: "The ringers" },
                footer: { text: "Every evening" }
              },
              { image: { url: "https://example.com/bell.png" } }
            ],
            attachments: [
              { filename: "a.jpg", is_spoiler: false },
              { filename: "picture-2.jpg", is_spoiler: false }
            ]
          })
        })
    )

    it.effect("goes by a bot to a thread of its channel, and to no other place where the bot may write", () =>
      Effect.gen(function* () {
        const name = newName()
        const platform = yield* adapter
        const account = yield* platform.connect!(botOf(name))
        const other = yield* platform.connect!(botOf(name))
        const prepared = (thread_id: string) =>
          platform.prepare(request({ options: { thread_id } }), account.credentials, null, () => Effect.void)
        const channelOf = ({ remote_id }: typeof account) => remote_id.split("/")[2]!
        yield* prepared(channelOf(account))
        yield* prepared(`${channelOf(account)}01`)
        for (const place of [channelOf(other), `${channelOf(other)}01`]) {
          assert.deepInclude(yield* Effect.flip(prepared(place)), {
            class: "invalid",
            code: "thread_elsewhere"
          })
        }
      })
    )

    it.effect("says what an account of its kind does not have", () =>
      Effect.gen(function* () {
        const options = {
          username: "Ringer",
          thread_name: "Bells",
          applied_tags: ["News"],
          crosspost: true
        }
        const bot = yield* connected("bot", { options })
        assert.deepStrictEqual(
          (yield* bot.publish).warnings?.map((warning) => warning.split(" ")[0]),
          ["username", "thread_name", "applied_tags"]
        )
        const webhook = yield* connected("webhook", { options: { crosspost: true } })
        assert.match((yield* webhook.publish).warnings![0]!, /^crosspost was left out: only a bot can use it/)
        for (const { platform, account } of [bot, webhook])
          assert.deepStrictEqual(yield* platform.limits!(account.credentials), account.limits)
      })
    )

    it.effect("a message is a poll whose question is the caption, or has the caption above it", () =>
      Effect.gen(function* () {
        const options = ["High", "Low"]
        const asked = yield* connected("webhook", {
          options: { poll: { options, duration_hours: 48, multiple: true } }
        })
        yield* asked.publish
        const [publication] = yield* asked.publications
        assert.strictEqual(publication!.text, "")
        assert.deepStrictEqual(publication!.details!["poll"], {
          question: { text: "Hello" },
          answers: [{ poll_media: { text: "High" } }, { poll_media: { text: "Low" } }],
          duration: 48,
          allow_multiselect: true
        })
        const beside = yield* connected("bot", { options: { poll: { question: "Which bell?", options } } })
        yield* beside.publish
        assert.strictEqual((yield* beside.publications)[0]!.text, "Hello")
      })
    )

    it.effect.each([
      ["webhook", "-forum", [news.id]],
      ["bot", "-tagged-forum", ["News", events.id]]
    ] as const)("begins by a %s a thread in a forum %s, with tags", ([kind, ending, applied_tags]) =>
      Effect.gen(function* () {
        const options = { thread_name: "Bells", applied_tags }
        const { publish, publications } = yield* connected(kind, { options }, ending)
        const { id, url } = yield* publish
        const [publication] = yield* publications
        assert.strictEqual(publication!.title, "Bells")
        assert.deepInclude(publication!.details!["thread"], {
          name: "Bells",
          applied_tags: kind === "bot" ? [news.id, events.id] : applied_tags
        })
        assert.isTrue(url!.endsWith(`/${id}/${id}`))
      })
    )

    it.effect.each([
      ["webhook", "-tagged-forum", {}, "40067"],
      ["bot", "-tagged-forum", {}, "40067"],
      ["webhook", "-forum", { applied_tags: ["700000000000000001"] }, "10087"],
      ["bot", "-forum", { applied_tags: ["700000000000000001"] }, "10087"],
      ["bot", "-forum", { applied_tags: ["Bells"] }, "tag_unknown"]
    ] as const)("a thread by a %s in a forum %s is refused with %o: %s", ([kind, ending, more, code]) =>
      Effect.gen(function* () {
        const options = { thread_name: "Bells", ...more }
        const { publish, publications } = yield* connected(kind, { options }, ending)
        assert.deepInclude(yield* Effect.flip(publish), { class: "invalid", code })
        assert.lengthOf(yield* publications, 0)
      })
    )

    it.effect("begins by a webhook no post in a forum without a thread", () =>
      Effect.gen(function* () {
        const without = yield* connected("webhook", {}, "-forum")
        const error = yield* Effect.flip(without.publish)
        assert.deepInclude(error, { class: "invalid", code: "220001" })
      })
    )

    it.effect("goes on to the servers that follow an announcement channel, or says why not", () =>
      Effect.gen(function* () {
        const options = { crosspost: true }
        const confirmed = Effect.fnUntraced(function* (ending?: string) {
          const { account, platform, post, prepared, publish, requests } = yield* connected(
            "bot",
            { options },
            ending
          )
          const data = yield* publish
          const { handle } = yield* prepared
          const confirm = platform.confirm(post, account.credentials, handle, data)
          // A process that ends before its answer is stored confirms again.
          yield* confirm
          const known = yield* confirm
          const asked = (yield* requests).map(({ operation }) => operation)
          return { asked, warnings: known.warnings ?? [] }
        })
        const news = yield* confirmed("-news")
        assert.deepInclude(news, { warnings: [] })
        assert.include(news.asked, "comment")
        assert.match((yield* confirmed()).warnings[0]!, /not published to the servers/)
      })
    )

    it.effect("a message is refused with files that are too large, and with the field that is too long", () =>
      Effect.gen(function* () {
        const large = yield* connected("webhook", { media: [film(10 * 1024 * 1024 + 1)] })
        assert.deepInclude(yield* Effect.flip(large.publish), { class: "media_rejected", code: "40005" })
        const long = yield* connected("webhook", { caption: "x".repeat(2001) })
        const error = yield* Effect.flip(long.publish)
        assert.deepInclude(error, { class: "invalid", code: "50035" })
        assert.include(error.message, "content: Must be 2000 or fewer in length.")
      })
    )

    it.effect("a message is prepared again when what was prepared is not there", () =>
      Effect.gen(function* () {
        const { platform, account, post } = yield* connected("bot", { media: [image("a")] })
        for (const handle of [{}, { files: {} }]) {
          const error = yield* Effect.flip(platform.commit(post, account.credentials, handle))
          assert.deepInclude(error, { class: "transient", discard_handle: true })
        }
      })
    )
  })

  describe("an item of a thread", () => {
    /** The item behind one that is live. */
    const behind = (post: PublishRequest, parent: PlatformData, index = 1): PublishRequest => ({
      ...post,
      target_id: `${post.target_id}-${index}`,
      thread: { index, count: 25, root: parent, parent, rest: [] }
    })

    it.effect(
      "an item of a thread by a bot answers the one before, and is found by that among others of its words",
      () =>
        Effect.gen(function* () {
          const { account, platform, post, prepared, publish, publications } = yield* connected("bot", {
            due_at: longAgo
          })
          const { handle } = yield* prepared
          const first = yield* publish
          const second = live(yield* platform.commit(behind(post, first), account.credentials, handle))
          const third = behind(post, second, 2)
          const look = platform.reconcile(third, account.credentials, handle, noneTaken)
          assert.deepStrictEqual(yield* look, { _tag: "not_published" })
          const { id } = live(yield* platform.commit(third, account.credentials, handle))
          const found = yield* look
          assert.strictEqual(found._tag === "published" && found.data.id, id)
          assert.deepStrictEqual(
            (yield* publications).map(({ details }) => details!["message_reference"]),
            [undefined, { message_id: first.id }, { message_id: second.id }]
          )
        })
    )

    it.effect(
      "an item of a thread by a webhook, which cannot answer, follows in the channel or in the thread that was begun",
      () =>
        Effect.gen(function* () {
          for (const ending of ["", "-forum"]) {
            const options = ending === "" ? {} : { thread_name: "Bells" }
            const own = yield* connected("webhook", { options }, ending)
            const { handle } = yield* own.prepared
            const item = { ...behind(own.post, yield* own.publish), options: {} }
            yield* own.platform.commit(item, own.account.credentials, handle)
            const [first, second] = yield* own.publications
            assert.notProperty(second!.details, "message_reference")
            assert.strictEqual(second!.details!["channel_id"], first!.details!["channel_id"])
          }
        })
    )

    it.effect(
      "an item of a thread by a bot follows in the thread that the first one began in a forum, and in no other",
      () =>
        Effect.gen(function* () {
          const options = { thread_name: "Bells" }
          const own = yield* connected("bot", { options, due_at: longAgo }, "-forum")
          const first = yield* own.publish
          const item = { ...behind(own.post, first), options: {} }
          const { handle } = yield* own.platform.prepare(item, own.credentials, null, () => Effect.void)
          const { id } = live(yield* own.platform.commit(item, own.credentials, handle))
          const found = yield* own.platform.reconcile(item, own.credentials, handle, noneTaken)
          assert.strictEqual(found._tag === "published" && found.data.id, id)
          const [, second] = yield* own.publications
          assert.deepInclude(second!.details, {
            channel_id: first.id,
            message_reference: { message_id: first.id }
          })
          const elsewhere = `https://discord.com/channels/1/${newId()}/3`
          const away = { ...item, ...behind(own.post, { ...first, id: elsewhere, url: elsewhere }) }
          assert.deepInclude(
            yield* Effect.flip(own.platform.prepare(away, own.credentials, null, () => Effect.void)),
            { class: "invalid", code: "thread_elsewhere" }
          )
        })
    )

    it.effect("an item of a thread has a key of its own, as short as Discord wants it", () =>
      Effect.sync(() => {
        const target = "01938f4a-0000-7000-8000-0000000000ff"
        const keys = [target, ...Array.from({ length: 24 }, (_, index) => `${target}-${index + 1}`)].map(
          nonceOf
        )
        assert.lengthOf(new Set(keys), 25)
        assert.isTrue(keys.every(({ length }) => length <= 25))
      })
    )

    it.effect.each([
      [
        "a message that is gone",
        "",
        "https://discord.com/channels/1/2/3",
        /message_reference: Unknown message/
      ],
      ["in a channel whose history it may not read", "-blind", undefined, /Read Message History/],
      ["what is no link to a message", "", "https://example.com/bells", /not a link to a Discord message/]
    ] as const)(
      "an item of a thread by a bot cannot answer %s, and is not sent",
      ([, ending, confirmed, words]) =>
        Effect.gen(function* () {
          const own = yield* connected("bot", {}, ending)
          const { handle } = yield* own.prepared
          const first = yield* own.publish
          const parent = confirmed === undefined ? first : { ...first, id: confirmed, url: confirmed }
          const item = behind(own.post, parent)
          const error = yield* Effect.flip(own.platform.commit(item, own.account.credentials, handle))
          assert.match(error.message, words)
          assert.include(["invalid", "forbidden"], error.class)
          assert.lengthOf(yield* own.publications, 1)
        })
    )
  })

  describe("after a lost reply", () => {
    it.effect("a bot's key holds for a minute after the post was due, then its messages tell", () =>
      Effect.gen(function* () {
        const { platform, post } = yield* connected("bot")
        const at = (seconds: number) =>
          platform.capabilities.reconcile(post, DateTime.add(post.due_at, { seconds }))
        assert.deepStrictEqual([at(0), at(59), at(60), at(3600)], ["replay", "replay", "lookup", "lookup"])
      })
    )

    it.effect("finds its message by its embeds among others without words, where the key does not show", () =>
      Effect.gen(function* () {
        const shown = "01938f4a-0000-7000-8000-000000000001"
        const { account, commit, platform, post, prepare } = yield* publisher(
          { ...adapters.discord, typed: typedAt.discord },
          {
            caption: "",
            due_at: longAgo,
            media: [image(shown)],
            options: { embeds: [{ title: "Great bell", image: shown }, { description: "Small bell" }] }
          },
          { through: forgetful }
        )
        const { handle } = yield* prepare()
        const other = {
          ...post,
          target_id: "other",
          options: { embeds: [{ title: "Small bell", image: shown }] }
        }
        yield* platform.commit(other, account.credentials, handle)
        const look = platform.reconcile(post, account.credentials, handle, noneTaken)
        assert.deepStrictEqual(yield* look, { _tag: "not_published" })
        const { id } = live(yield* commit(handle))
        const found = yield* look
        assert.strictEqual(found._tag === "published" && found.data.id, id)
      })
    )

    it.effect.each(["-forum", "-archived-forum"])(
      "finds by title and words the thread that it began, and takes no other for it: %s",
      (ending) =>
        Effect.gen(function* () {
          const options = { thread_name: "Bells" }
          const own = yield* connected("bot", { options, due_at: longAgo }, ending)
          const { capabilities, commit, reconcile } = own.platform
          const { handle } = yield* own.prepared
          assert.strictEqual(capabilities.reconcile(own.post, own.post.due_at), "lookup")
          for (const other of [{ options: { thread_name: "Others" } }, { caption: "Other words" }])
            yield* commit({ ...own.post, ...other }, own.credentials, handle)
          const look = reconcile(own.post, own.credentials, handle, noneTaken)
          assert.deepStrictEqual(yield* look, { _tag: "not_published" })
          const { id, url } = yield* own.publish
          assert.deepInclude(yield* look, { _tag: "published" })
          const found = yield* look
          assert.deepInclude(found._tag === "published" && found.data, { id, url })
          const taken = () => Effect.succeed(new Set([id]))
          assert.deepStrictEqual(yield* reconcile(own.post, own.credentials, handle, taken), {
            _tag: "not_published"
          })
        })
    )

    it.effect("nobody can tell of a thread in a forum whose history the bot may not read", () =>
      Effect.gen(function* () {
        const options = { thread_name: "Bells" }
        const own = yield* connected("bot", { options, due_at: longAgo }, "-blind-forum")
        yield* own.publish
        const { handle } = yield* own.prepared
        assert.deepStrictEqual(yield* own.reconcile(handle), { _tag: "unknown" })
      })
    )

    it.effect("nobody can tell in a channel whose history the bot may not read", () =>
      Effect.gen(function* () {
        const { platform, account, post, prepared, publish } = yield* connected(
          "bot",
          { due_at: longAgo },
          "-blind"
        )
        yield* publish
        const { handle } = yield* prepared
        assert.deepStrictEqual(yield* platform.reconcile(post, account.credentials, handle, noneTaken), {
          _tag: "unknown"
        })
      })
    )

    it.effect("finds its message behind hundreds of others, and takes nobody else's for it", () =>
      Effect.gen(function* () {
        const { platform, account, post, prepared, publish, username } = yield* connected("bot", {
          due_at: longAgo
        })
        const { handle } = yield* prepared
        const other = yield* platform.connect!(botOf(newName(), typedAt.discord(username).channel_id))
        yield* Effect.forEach(
          Array.from({ length: 205 }, (_, index) => index),
          (index) => platform.commit({ ...post, target_id: `other-${index}` }, other.credentials, handle),
          { concurrency: 8, discard: true }
        )
        assert.deepStrictEqual(yield* platform.reconcile(post, account.credentials, handle, noneTaken), {
          _tag: "not_published"
        })
        const { id } = yield* publish
        const found = yield* platform.reconcile(post, account.credentials, handle, noneTaken)
        assert.strictEqual(found._tag === "published" ? found.data.id : found._tag, id)
      })
    )
  })

  describe("an error", () => {
    it.effect.each([
      [404, 10015, "reconnect"],
      [401, 50027, "reconnect"],
      [401, 0, "reconnect"],
      [401, 40001, "reconnect"],
      [401, 50014, "reconnect"],
      [404, 10003, "forbidden"],
      [404, 10004, "forbidden"],
      [403, 50001, "forbidden"],
      [403, 50013, "forbidden"],
      [400, 40058, "invalid"],
      [400, 40067, "invalid"],
      [400, 10087, "invalid"],
      [400, 40066, "invalid"],
      [400, 50008, "invalid"],
      [400, 220001, "invalid"],
      [400, 220003, "invalid"],
      [404, 10008, "invalid"],
      [400, 50083, "invalid"],
      [400, 160005, "invalid"],
      [403, 160002, "forbidden"],
      [400, 20028, "rate_limited"],
      [400, 20016, "rate_limited"],
      [413, 40005, "media_rejected"],
      [400, 50045, "media_rejected"],
      [400, 50046, "media_rejected"],
      [400, 200000, "invalid"],
      [400, 240000, "invalid"],
      [400, 50035, "invalid"],
      [400, 50006, "invalid"],
      [403, 40333, "transient"],
      [403, 99999, "forbidden"]
    ] as const)("%i with code %i is %s", ([status, code, expected]) =>
      Effect.gen(function* () {
        const { publish, publications, script, username } = yield* connected("webhook")
        yield* script({
          on: "post",
          fault: "refuse",
          status,
          code: String(code),
          message: "In its own words"
        })
        const error = yield* Effect.flip(publish)
        assert.strictEqual(error.class, expected)
        assert.notInclude(JSON.stringify(error), `sandbox-${username}`)
        assert.lengthOf(yield* publications, 0)
      })
    )
  })
})
