import { SandboxProcess } from "@carillon/sandbox/testing"
import type { Platform, PublishRequest } from "@carillon/server/platforms/Platform"
import { makeTelegram } from "@carillon/server/platforms/telegram/Telegram"
import { typedAt } from "@carillon/testing/ConnectedAccount"
import { SharedSandbox } from "@carillon/testing/SharedService"
import { NodeHttpClient } from "@effect/platform-node"
import { assert, describe, layer } from "@effect/vitest"
import { Effect, Layer, Redacted, Stream } from "effect"
import { HttpClient } from "effect/http"
import { adapters } from "./Adapters.ts"
import { publisher, somebody } from "./Publisher.ts"
import { scriptedServer } from "./ScriptedServer.ts"
import { image, live, request, savedHandles, video } from "./TestRequest.ts"

// Every expectation here is from https://core.telegram.org/bots/api; the words of errors are those of the server's source,
// https://github.com/tdlib/telegram-bot-api.

const Network = Layer.merge(SharedSandbox, NodeHttpClient.layerUndici)

let accounts = 0
const newName = () => `bells${++accounts}`
const tokenOf = (bot: number) => `${bot}:sandbox`

const telegram = { ...adapters.telegram, typed: typedAt.telegram }
const adapter = Effect.map(somebody(telegram), ({ platform }) => platform)

/** A chat of its own, connected, and what it gets. */
const connected = Effect.fn(function* (
  values: Partial<PublishRequest> = {},
  ending = "",
  typed: typeof telegram.typed = telegram.typed
) {
  const own = yield* publisher({ ...telegram, ending, typed }, values)
  const publish = Effect.flatMap(own.prepare(), ({ handle }) => Effect.map(own.commit(handle), live))
  return { ...own, publish }
})

/** What Telegram was told of the only message. */
const told = Effect.fn(function* (values: Partial<PublishRequest>) {
  const { publish, publications } = yield* connected(values)
  yield* publish
  const [publication] = yield* publications
  const { message_id: _, ...details } = publication!.details!
  return { details, text: publication!.text, types: publication!.media.map((one) => one.content_type) }
})

const film = (size = 1000) => video("film", Stream.succeed(new Uint8Array(size)), size)

layer(Network)("what is Telegram's own", (it) => {
  describe("connect", () => {
    it.effect("knows a channel by its name, by a link to it, and by its number, as the same account", () =>
      Effect.gen(function* () {
        const platform = yield* adapter
        const name = newName()
        const connect = (chat: string) => platform.connect!({ bot_token: ` ${tokenOf(77)} `, chat })
        const first = yield* connect(`@${name}`)
        assert.match(first.remote_id, /^-100\d{10}$/)
        assert.deepInclude(first, { username: name, avatar_url: null, token_expires_at: null })
        for (const chat of [name, `https://t.me/${name}`, `t.me/${name}/`, first.remote_id]) {
          assert.strictEqual((yield* connect(chat)).remote_id, first.remote_id)
        }
        assert.notStrictEqual((yield* connect(`@${newName()}`)).remote_id, first.remote_id)
      })
    )

    it.effect.each([
      [
        "a token of another form",
        { bot_token: "hello", chat: "@bells" },
        "credentials_rejected",
        /BotFather/
      ],
      [
        "a token that Telegram does not know",
        { bot_token: "1:nonsense", chat: "@bells" },
        "credentials_rejected",
        /BotFather/
      ],
      ["no name of a chat", { bot_token: tokenOf(1), chat: "the bells" }, "credentials_rejected", /@name/],
      [
        "a chat that the bot does not find",
        { bot_token: tokenOf(1), chat: "@bells_away" },
        "chat_not_found",
        /add the bot/
      ],
      [
        "a person",
        { bot_token: tokenOf(1), chat: "@bells_person" },
        "credentials_rejected",
        /channel or a group/
      ],
      [
        "a channel where the bot is no administrator",
        { bot_token: tokenOf(1), chat: "@bells_member" },
        "bot_may_not_post",
        /Post messages/
      ],
      [
        "a group where the bot may not write",
        { bot_token: tokenOf(1), chat: "@bells_muted" },
        "bot_may_not_post",
        /member/
      ]
    ] as const)("says what is wrong with %s", ([, signIn, code, words]) =>
      Effect.gen(function* () {
        const { url } = yield* SandboxProcess
        const platform = makeTelegram(yield* HttpClient.HttpClient, {
          api: `${url}/api.telegram.org`,
          test_network: (host) => `${url}/${host}`
        })
        const error = yield* Effect.flip(platform.connect!(signIn))
        assert.strictEqual(error.code, code)
        assert.match(error.message, words)
        assert.notInclude(JSON.stringify(error), signIn.bot_token === "hello" ? "hello" : ":nonsense")
      })
    )
  })

  describe("a message", () => {
    it.effect("a message is a text as it stands, with its link", () =>
      Effect.gen(function* () {
        const caption = "*Grüße* <b> _und_ 🔔 https://example.com"
        const { publish, publications, username } = yield* connected({ caption })
        const { id, url } = yield* publish
        assert.strictEqual(url, `${(yield* SandboxProcess).url}/t.me/${username}/${id}`)
        const [publication] = yield* publications
        assert.strictEqual(publication!.text, caption)
        assert.deepStrictEqual(publication!.details, { method: "sendMessage", text: caption, message_id: id })
      })
    )

    it.effect("carries every option in Telegram's words", () =>
      Effect.gen(function* () {
        const options = {
          silent: true,
          protect_content: true,
          has_spoiler: true,
          caption_above_media: true,
          link_preview: "off",
          message_thread_id: 7
        }
        const shared = { disable_notification: true, protect_content: true, message_thread_id: 7 }
        assert.deepStrictEqual((yield* told({ options })).details, {
          ...shared,
          method: "sendMessage",
          text: "Hello",
          link_preview_options: { is_disabled: true }
        })
        assert.deepStrictEqual((yield* told({ options, media: [image("a")] })).details, {
          ...shared,
          method: "sendPhoto",
          caption: "Hello",
          has_spoiler: true,
          show_caption_above_media: true
        })
      })
    )

    it.effect("is a photo, a video, an animation or a document by what it has", () =>
      Effect.gen(function* () {
        const gif = image("a", {
          image: Effect.succeed({ bytes: new Uint8Array(9), mime_type: "image/gif", width: 1, height: 1 })
        })
        const paper = { ...film(), kind: "document" as const, mime_type: "application/pdf" }
        const methods = yield* Effect.forEach([image("a"), film(), gif, paper], (media) =>
          Effect.map(told({ media: [media] }), ({ details, types }) => [details["method"], ...types])
        )
        assert.deepStrictEqual(methods, [
          ["sendPhoto", "image/jpeg"],
          ["sendVideo", "video/mp4"],
          ["sendAnimation", "image/gif"],
          ["sendDocument", "application/pdf"]
        ])
      })
    )

    it.effect(
      "a message is an album of several media with the caption on the first, and the next one's number counts them",
      () =>
        Effect.gen(function* () {
          const { publish, publications } = yield* connected({ media: [image("a"), film(), image("b")] })
          const first = yield* publish
          const second = yield* publish
          assert.deepStrictEqual([first.id, second.id], ["1", "4"])
          const [publication] = yield* publications
          assert.deepStrictEqual(publication!.details!["media"], [
            { type: "photo", media: "attach://file0", caption: "Hello" },
            { type: "video", media: "attach://file1", supports_streaming: true, width: 1280, height: 720 },
            { type: "photo", media: "attach://file2" }
          ])
          assert.lengthOf(publication!.media, 3)
        })
    )

    it.effect("a message is a poll whose question is the caption, or has the caption above it", () =>
      Effect.gen(function* () {
        const options = ["High", "Low"]
        const asked = yield* told({ options: { poll: { options, duration_hours: 2, multiple: true } } })
        assert.deepStrictEqual(asked.details, {
          method: "sendPoll",
          question: "Hello",
          options: [{ text: "High" }, { text: "Low" }],
          open_period: 7200,
          allows_multiple_answers: true
        })
        const beside = yield* told({ options: { poll: { question: "Which bell?", options } } })
        assert.deepInclude(beside.details, { question: "Which bell?", description: "Hello" })
      })
    )

    it.effect("goes to a private channel and to a group, with the links that these have", () =>
      Effect.gen(function* () {
        const hidden = yield* connected({}, "", (username) => ({
          ...telegram.typed(username),
          chat: "-1001234567890"
        }))
        const { id, url } = yield* hidden.publish
        assert.strictEqual(url, `${(yield* SandboxProcess).url}/t.me/c/1234567890/${id}`)
        const group = yield* connected({}, "_group")
        assert.match((yield* group.publish).url!, /t\.me\/somebody\d+_group\/1$/)
      })
    )

    it.effect("follows a group that has become a supergroup", () =>
      Effect.gen(function* () {
        const { account, publish, publications } = yield* connected({}, "_moved")
        assert.match(account.remote_id, /^-\d{10}$/)
        yield* publish
        assert.lengthOf(yield* publications, 1)
      })
    )

    it.effect(
      "a message of 60 MB goes to a server of the operator's own, which takes 2,000 MB, and not to Telegram's",
      () =>
        Effect.gen(function* () {
          const { url, on } = yield* SandboxProcess
          const own = makeTelegram(yield* HttpClient.HttpClient, { api: `${url}/bot-api.own`, is_own: true })
          const chunk = new Uint8Array(1024 * 1024)
          const bytes = Stream.fromIterable(Array.from({ length: 60 }, () => chunk))
          const media = [video("a", bytes, 60 * chunk.length)]
          const publishBy = Effect.fnUntraced(function* (
            platform: Platform,
            bot_token: string,
            chat: string
          ) {
            const { credentials, limits, username } = yield* platform.connect!({
              bot_token,
              chat: `@${chat}`
            })
            assert.deepStrictEqual(yield* platform.limits!(credentials), limits)
            const post = request({ username, media })
            const { handle } = yield* platform.prepare(post, credentials, null, () => Effect.void)
            const sent = yield* Effect.result(platform.commit(post, credentials, handle))
            return { limits, sent }
          })
          const name = newName()
          const large = yield* publishBy(own, "3000001:own", name)
          assert.deepStrictEqual(large.limits, {
            video_bytes: 2_000_000_000,
            document_bytes: 2_000_000_000,
            pins: true
          })
          assert.strictEqual(large.sent._tag, "Success")
          assert.lengthOf(yield* on("telegram").publications(name), 1)

          const refused = yield* publishBy(yield* adapter, tokenOf(3_000_002), newName())
          assert.deepStrictEqual(refused.limits, { pins: true })
          if (refused.sent._tag === "Success") return assert.fail("Telegram's own server took it")
          assert.deepInclude(refused.sent.failure, { class: "media_rejected", code: "too_large" })
          assert.match(refused.sent.failure.message, /--local/)
        })
    )

    it.effect(
      "a message is prepared again when a picture has another size than before, or what was prepared is not there",
      () =>
        Effect.gen(function* () {
          const { platform, account, post, publications } = yield* connected({ media: [image("a")] })
          const { save } = yield* savedHandles
          const { handle } = yield* platform.prepare(post, account.credentials, null, save)
          const other = image("a", {
            image: Effect.succeed({ bytes: new Uint8Array(3), mime_type: "image/jpeg", width: 1, height: 1 })
          })
          for (const [media, kept] of [
            [[other], handle],
            [[image("b")], handle],
            [[image("a")], {}]
          ] as const) {
            const error = yield* Effect.flip(platform.commit({ ...post, media }, account.credentials, kept))
            assert.deepInclude(error, { class: "transient", discard_handle: true })
          }
          assert.lengthOf(yield* publications, 0)
        })
    )
  })

  describe("formats", () => {
    const options = { markup: "markdown" }
    const caption = "**Grüße** 🔔 _[hier](https://example.com/a)_"
    const text = "Grüße 🔔 hier"
    const entities = [
      { type: "bold", offset: 0, length: 5 },
      { type: "text_link", offset: 9, length: 4, url: "https://example.com/a" },
      { type: "italic", offset: 9, length: 4 }
    ]

    it.effect(
      "formats of a text and of what is under a file are entities, and an album has them on its first",
      () =>
        Effect.gen(function* () {
          const message = yield* told({ caption, options })
          assert.strictEqual(message.text, text)
          assert.deepStrictEqual(message.details, { method: "sendMessage", text, entities })
          const photo = yield* told({ caption, options, media: [image("a")] })
          assert.deepStrictEqual(photo.details, {
            method: "sendPhoto",
            caption: text,
            caption_entities: entities
          })
          const { details } = yield* told({ caption, options, media: [image("a"), image("b")] })
          assert.deepStrictEqual(details["media"], [
            { type: "photo", media: "attach://file0", caption: text, caption_entities: entities },
            { type: "photo", media: "attach://file1" }
          ])
        })
    )

    it.effect("formats stay above a poll, and its question has none", () =>
      Effect.gen(function* () {
        const choices = ["High", "Low"]
        const above = yield* told({
          caption,
          options: { ...options, poll: { question: "*Which*?", options: choices } }
        })
        assert.deepInclude(above.details, {
          question: "*Which*?",
          description: text,
          description_entities: entities
        })
        const asked = yield* told({ caption, options: { ...options, poll: { options: choices } } })
        assert.strictEqual(asked.details["question"], text)
        assert.doesNotHaveAnyKeys(asked.details, ["question_entities", "description", "description_entities"])
      })
    )
  })

  it.effect("buttons are below a text, a file and a poll", () =>
    Effect.gen(function* () {
      const buttons = [
        [
          { text: "Tickets", url: "https://example.com/tickets" },
          { text: "Map", url: "https://example.com/map" }
        ],
        [{ text: "All bells", url: "https://example.com/" }]
      ]
      const poll = { options: ["High", "Low"] }
      for (const values of [
        { options: { buttons } },
        { options: { buttons }, media: [image("a")] },
        { options: { buttons, poll } }
      ])
        assert.deepStrictEqual((yield* told(values)).details["reply_markup"], { inline_keyboard: buttons })
      assert.notProperty((yield* told({ options: { buttons: [] } })).details, "reply_markup")
    })
  )

  it.effect("a quiz has its right choice and what explains it", () =>
    Effect.gen(function* () {
      const options = ["High", "Low"]
      const { details } = yield* told({
        options: { poll: { options, correct_option: 1, explanation: "It was cast in 1410." } }
      })
      assert.deepStrictEqual(details, {
        method: "sendPoll",
        question: "Hello",
        options: [{ text: "High" }, { text: "Low" }],
        type: "quiz",
        correct_option_ids: [1],
        explanation: "It was cast in 1410."
      })
    })
  )

  describe("a pin", () => {
    const pinning = (ending = "", options = {}) => connected({ options: { pin: true, ...options } }, ending)
    const confirmed = Effect.fnUntraced(function* (account: Effect.Success<ReturnType<typeof connected>>) {
      const { credentials, platform, post, publish } = account
      return yield* platform.confirm(post, credentials, { files: {} }, yield* publish)
    })

    it.effect("a pin follows its message in a channel and in a group", () =>
      Effect.gen(function* () {
        for (const ending of ["", "_group"]) {
          const account = yield* pinning(ending, { silent: true })
          assert.notProperty(yield* confirmed(account), "warnings")
          const [publication] = yield* account.publications
          assert.deepInclude(publication!.details, { pinned: true })
        }
      })
    )

    it.effect("a pin that is refused leaves the message, and names the right that the bot lacks", () =>
      Effect.gen(function* () {
        const account = yield* pinning("_unpinned")
        assert.deepStrictEqual(account.account.limits, { pins: false })
        assert.deepStrictEqual(yield* account.platform.limits!(account.credentials), { pins: false })
        const { warnings } = yield* confirmed(account)
        assert.lengthOf(warnings!, 1)
        assert.match(warnings![0]!, /^The message was not pinned\. .*edit messages.*pin messages/)
        const [publication] = yield* account.publications
        assert.notProperty(publication!.details, "pinned")
      })
    )
  })

  describe("an item of a thread", () => {
    const itemOf = (parent: string | null, index = 1): Partial<PublishRequest> => {
      const data = parent === null ? null : { id: parent, url: null, username: "bells" }
      return { thread: { index, count: 3, root: data, parent: data, rest: [] } }
    }
    /** A message that is there, and what becomes of an item that answers `parent`. */
    const answering = Effect.fnUntraced(function* (
      parentOf: (live: { readonly id: string; readonly url: string | null }) => string,
      typed: typeof telegram.typed = telegram.typed
    ) {
      const { credentials, platform, post, publications, publish } = yield* connected({}, "", typed)
      const parent = parentOf(yield* publish)
      const item = yield* Effect.result(
        platform.commit({ ...post, ...itemOf(parent) }, credentials, { files: {} })
      )
      return { item, all: yield* publications }
    })

    it.effect("the first item of a thread answers nothing", () =>
      Effect.gen(function* () {
        assert.notProperty((yield* told(itemOf(null, 0))).details, "reply_parameters")
      })
    )

    it.effect.each([
      ["the number of the one before", ({ id }: { id: string }) => id],
      ["the link that the service showed", ({ url }: { url: string | null }) => url!],
      [
        "Telegram's link, also with a topic in it",
        ({ url }: { url: string | null }) => url!.replace(/.*t\.me\/(\w+)\//, "https://t.me/$1/7/")
      ]
    ] as const)("an item of a thread answers %s", ([, parentOf]) =>
      Effect.gen(function* () {
        const { all, item } = yield* answering(parentOf)
        assert.strictEqual(item._tag, "Success")
        assert.deepStrictEqual(all[1]!.details!["reply_parameters"], { message_id: 1 })
      })
    )

    it.effect("an item of a thread in a private channel answers a link with the channel's number", () =>
      Effect.gen(function* () {
        const { item } = yield* answering(
          ({ id }) => `https://t.me/c/1234500001/${id}`,
          (username) => ({ ...telegram.typed(username), chat: "-1001234500001" })
        )
        assert.strictEqual(item._tag, "Success", JSON.stringify(item))
      })
    )

    it.effect.each([
      "https://t.me/another/1",
      "https://t.me/c/1234567890/1",
      "https://example.com/1",
      "https://t.me/bells"
    ])("an item of a thread is not sent after %s, which is no message of the chat", (link) =>
      Effect.gen(function* () {
        const { all, item } = yield* answering(() => link)
        if (item._tag === "Success") return assert.fail("it was sent")
        assert.deepInclude(item.failure, { class: "invalid", code: "parent_unknown" })
        assert.include(item.failure.message, link)
        assert.lengthOf(all, 1)
      })
    )

    it.effect("an item of a thread says that the message before it is gone", () =>
      Effect.gen(function* () {
        const { all, item } = yield* answering(() => "99")
        if (item._tag === "Success") return assert.fail("it was sent")
        assert.deepInclude(item.failure, { class: "invalid", code: "parent_gone" })
        assert.lengthOf(all, 1)
      })
    )
  })

  describe("an error", () => {
    const words = (status: number, message: string) => ({ status, message })
    it.effect.each([
      [words(401, "Unauthorized"), "reconnect", "token_rejected"],
      [words(404, "Not Found"), "reconnect", "token_rejected"],
      [words(403, "Forbidden: bot is not a member of the channel chat"), "forbidden", "bot_removed"],
      [words(403, "Forbidden: bot was kicked from the supergroup chat"), "forbidden", "bot_removed"],
      [words(400, "Bad Request: chat not found"), "forbidden", "not_allowed"],
      [words(400, "Bad Request: not enough rights to send photos to the chat"), "forbidden", "not_allowed"],
      [words(400, "Bad Request: need administrator rights in the channel chat"), "forbidden", "not_allowed"],
      [words(400, "Bad Request: CHAT_WRITE_FORBIDDEN"), "forbidden", "not_allowed"],
      [words(400, "Bad Request: message thread not found"), "invalid", "topic_gone"],
      [words(400, "Bad Request: message is too long"), "invalid", "bad_request"],
      [words(400, "Bad Request: message caption is too long"), "invalid", "bad_request"],
      [words(400, "Bad Request: wrong file identifier/HTTP URL specified"), "media_rejected", "file_refused"],
      [words(400, "Bad Request: PHOTO_INVALID_DIMENSIONS"), "media_rejected", "file_refused"],
      [words(400, "Bad Request: IMAGE_PROCESS_FAILED"), "media_rejected", "file_refused"],
      [words(400, "Bad Request: failed to get HTTP URL content"), "media_unreachable", "media_unreachable"],
      [words(413, "Request Entity Too Large"), "media_rejected", "too_large"]
    ] as const)("an error: %o is %s", ([said, expected, code]) =>
      Effect.gen(function* () {
        const { publish, publications, script, username } = yield* connected()
        yield* script({ on: "post", fault: "refuse", ...said })
        const error = yield* Effect.flip(publish)
        assert.deepInclude(error, { class: expected, code })
        assert.notInclude(JSON.stringify(error), telegram.typed(username).bot_token)
        assert.lengthOf(yield* publications, 0)
      })
    )

    it.effect(
      "404 without Telegram's words is the address of another server, and no matter of the token",
      () =>
        Effect.gen(function* () {
          const server = yield* scriptedServer(() => ({ status: 404, text: "<h1>Not Found</h1>" }))
          const platform = makeTelegram(yield* HttpClient.HttpClient, { api: server.url })
          const credentials = Redacted.make({ token: "123:AAF", chat_id: "-1001234567890" })
          const error = yield* Effect.flip(platform.commit(request({}), credentials, { files: {} }))
          assert.deepInclude(error, { class: "config", code: "http_404" })
        })
    )

    it.effect.each([
      [400, "invalid", "bad_request"],
      [401, "reconnect", "token_rejected"],
      [429, "rate_limited", "rate_limited"],
      [500, "ambiguous", "http_500"]
    ] as const)(
      "%i that comes with status 200 is what it would be by itself",
      ([error_code, expected, code]) =>
        Effect.gen(function* () {
          const secret = "AAFsecretSecretSecretSecretSecretSec"
          const server = yield* scriptedServer(({ path }) => ({
            status: 200,
            json: { ok: false, error_code, description: path, parameters: { retry_after: 20 } }
          }))
          const platform = makeTelegram(yield* HttpClient.HttpClient, { api: server.url })
          const credentials = Redacted.make({ token: `123:${secret}`, chat_id: "-1001234567890" })
          const error = yield* Effect.flip(platform.commit(request({}), credentials, { files: {} }))
          assert.deepInclude(error, { class: expected, code })
          assert.strictEqual(error.retry_at !== undefined, expected === "rate_limited" || error_code === 500)
          assert.notInclude(JSON.stringify(error), secret)
        })
    )
  })

  describe("the token", () => {
    it.effect("the token is in no error, also where the answer repeats it", () =>
      Effect.gen(function* () {
        const secret = "AAFsecretSecretSecretSecretSecretSec"
        const server = yield* scriptedServer(({ path }) => ({
          status: 400,
          json: { ok: false, error_code: 400, description: `Bad Request: ${path} and ${secret}` }
        }))
        const platform = makeTelegram(yield* HttpClient.HttpClient, { api: server.url })
        const error = yield* Effect.flip(platform.connect!({ bot_token: `123:${secret}`, chat: "@bells" }))
        assert.strictEqual(server.received[0]!.path, `/bot123:${secret}/getMe`)
        assert.notInclude(JSON.stringify(error), secret)
        assert.notInclude(String(error.cause ?? error.stack), secret)
      })
    )
  })
})
