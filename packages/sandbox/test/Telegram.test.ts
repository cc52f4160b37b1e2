import { SandboxProcess } from "@carillon/sandbox/testing"
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { json, send } from "./PlatformClient.ts"

const call = (method: string, parameters: Record<string, unknown>, files: Record<string, string> = {}) => {
  const form = new FormData()
  for (const [name, value] of Object.entries(parameters)) {
    form.append(name, typeof value === "string" ? value : JSON.stringify(value))
  }
  for (const [name, bytes] of Object.entries(files)) form.append(name, new Blob([bytes]), `${name}.bin`)
  const request = Object.keys(files).length === 0 ? json(parameters) : { method: "POST", body: form }
  return send(`/api.telegram.org/bot5000001:sandbox/${method}`, request)
}

/** https://core.telegram.org/bots/api: every field whose description does not begin with "Optional". */
const required = {
  ChatFullInfo: "id type accent_color_id max_reaction_count accepted_gift_types",
  AcceptedGiftTypes: "unlimited_gifts limited_gifts unique_gifts premium_subscription gifts_from_channels",
  administrator:
    "status user can_be_edited is_anonymous can_manage_chat can_delete_messages can_manage_video_chats " +
    "can_restrict_members can_promote_members can_change_info can_invite_users can_post_stories can_edit_stories " +
    "can_delete_stories can_send_welcome_messages",
  restricted:
    "status user is_member can_send_messages can_send_audios can_send_documents can_send_photos can_send_videos " +
    "can_send_video_notes can_send_voice_notes can_send_polls can_send_other_messages can_add_web_page_previews " +
    "can_react_to_messages can_change_info can_invite_users can_edit_tag can_pin_messages can_manage_topics until_date",
  member: "status user"
} as const

layer(SandboxProcess.layer)("the stand-in for Telegram", (it) => {
  it.effect.each([
    ["own_channel", "channel", "administrator", "can_post_messages can_edit_messages"],
    ["own_group", "supergroup", "administrator", "can_pin_messages can_manage_topics"],
    ["own_moved", "group", "member", ""],
    ["own_muted", "supergroup", "restricted", ""],
    ["own_member", "channel", "member", ""],
    ["own_person", "private", "member", ""]
  ] as const)(
    "tells of @%s, a %s, and of its bot, the %s, everything that the Bot API promises",
    ([name, type, status, ofItsKind]) =>
      Effect.gen(function* () {
        const chat = (yield* call("getChat", { chat_id: `@${name}` })).body.result
        const member = (yield* call("getChatMember", { chat_id: chat.id, user_id: 5_000_001 })).body.result
        assert.deepInclude(chat, { type })
        assert.deepInclude(member, { status })
        assert.containsAllKeys(chat, required.ChatFullInfo.split(" "))
        assert.hasAllKeys(chat.accepted_gift_types, required.AcceptedGiftTypes.split(" "))
        assert.containsAllKeys(member, `${required[status]} ${ofItsKind}`.trim().split(" "))
      })
  )

  it.effect.each([
    ["the field of its own name", {}, { photo: "bell" }],
    ["a field that attach:// names", { photo: "attach://any" }, { any: "bell", other: "bells" }],
    ["a field that is named like a parameter", { photo: "attach://caption" }, { caption: "bell" }]
  ] as const)("takes a photo in %s", ([, parameters, files]) =>
    Effect.gen(function* () {
      const chat = `own_photo_${Object.keys(files).join("_")}`
      const { status } = yield* call("sendPhoto", { chat_id: `@${chat}`, ...parameters }, files)
      assert.strictEqual(status, 200)
      const [publication] = yield* (yield* SandboxProcess).on("telegram").publications(chat)
      assert.deepStrictEqual(
        publication!.media.map(({ size }) => size),
        ["bell".length]
      )
    })
  )

  // The words of https://github.com/tdlib/telegram-bot-api.
  it.effect.each([
    ["no photo", "sendPhoto", {}, "there is no photo in the request"],
    ["a video that is not there", "sendVideo", { video: "attach://b" }, "there is no video in the request"],
    [
      "a name of nothing",
      "sendAnimation",
      { animation: "attach://" },
      "there is no animation in the request"
    ],
    [
      "an album with a part that is not there",
      "sendMediaGroup",
      {
        media: [
          { type: "photo", media: "attach://a" },
          { type: "photo", media: "attach://b" }
        ]
      },
      "can't parse InputMedia: media not found"
    ],
    [
      "an album with a part without a file",
      "sendMediaGroup",
      {
        media: [
          { type: "photo", media: "attach://a" },
          { type: "photo", media: "" }
        ]
      },
      "can't parse InputMedia: media not found"
    ],
    [
      "the id of a file, which the test network does not keep",
      "sendDocument",
      { document: "BQACAgQAAx0" },
      "wrong file identifier/HTTP URL specified; the test network takes files of the request only"
    ],
    [
      "an album with an address",
      "sendMediaGroup",
      {
        media: [
          { type: "photo", media: "attach://a" },
          { type: "photo", media: "https://example.com/bell.png" }
        ]
      },
      "wrong file identifier/HTTP URL specified; the test network takes files of the request only"
    ]
  ] as const)("the stand-in for Telegram refuses %s", ([, method, parameters, words]) =>
    Effect.gen(function* () {
      const answer = yield* call(method, { chat_id: "@own_refused", ...parameters }, { a: "bell" })
      assert.deepStrictEqual(answer.body, {
        ok: false,
        error_code: 400,
        description: `Bad Request: ${words}`
      })
      assert.lengthOf(yield* (yield* SandboxProcess).on("telegram").publications("own_refused"), 0)
    })
  )

  const bold = (offset: number, length: number) => [{ type: "bold", offset, length }]
  const quiz = { question: "Which?", options: [{ text: "High" }, { text: "Low" }], type: "quiz" }
  const link = { text: "Tickets", url: "https://example.com/" }

  // The words of https://github.com/tdlib/td and …/telegram-bot-api, where they are written down.
  it.effect.each([
    [
      "a format behind the text",
      "sendMessage",
      { text: "Bells", entities: bold(3, 3) },
      /ends after the end of the text/
    ],
    [
      "a format of nothing",
      "sendMessage",
      { text: "Bells", entities: bold(0, 0) },
      /incorrect offset or length/
    ],
    ["half of an emoji", "sendMessage", { text: "🔔", entities: bold(0, 1) }, /in a UTF-16 symbol/],
    [
      "a format that Telegram does not know",
      "sendMessage",
      { text: "Bells", entities: [{ type: "loud", offset: 0, length: 1 }] },
      /Unsupported type/
    ],
    [
      "a link that is none",
      "sendMessage",
      { text: "Bells", entities: [{ type: "text_link", offset: 0, length: 1, url: "bells" }] },
      /wrong HTTP URL/
    ],
    [
      "a format behind a poll's text",
      "sendPoll",
      { ...quiz, type: "regular", description: "a", description_entities: bold(0, 2) },
      /ends after/
    ],
    [
      "a button without words",
      "sendMessage",
      { text: "Bells", reply_markup: { inline_keyboard: [[{ ...link, text: " " }]] } },
      /button text is empty/
    ],
    [
      "a button without an address",
      "sendMessage",
      { text: "Bells", reply_markup: { inline_keyboard: [[{ ...link, url: "bells" }]] } },
      /button URL 'bells' is invalid/
    ],
    [
      "one button without a row",
      "sendMessage",
      { text: "Bells", reply_markup: { inline_keyboard: [link] } },
      /can't parse inline keyboard button/
    ],
    [
      "a hundred and one buttons",
      "sendMessage",
      { text: "Bells", reply_markup: { inline_keyboard: [Array.from({ length: 101 }, () => link)] } },
      /reply markup is too long/
    ],
    [
      "buttons under an album",
      "sendMediaGroup",
      { media: [], reply_markup: { inline_keyboard: [[link]] } },
      /knows no reply_markup of sendMediaGroup/
    ],
    ["a quiz without a right choice", "sendPoll", quiz, /wrong correct option ID/],
    [
      "a quiz whose right choice is not there",
      "sendPoll",
      { ...quiz, correct_option_ids: [2] },
      /wrong correct option ID/
    ],
    [
      "right choices that do not rise",
      "sendPoll",
      { ...quiz, correct_option_ids: [1, 0] },
      /wrong correct option ID/
    ],
    [
      "an explanation of four lines",
      "sendPoll",
      { ...quiz, correct_option_ids: [1], explanation: "a\nb\nc\nd" },
      /2 line feeds/
    ],
    [
      "an answer to no message",
      "sendMessage",
      { text: "Bells", reply_parameters: { message_id: 7 } },
      /message to be replied not found/
    ],
    ["a pin of no message", "pinChatMessage", { message_id: 7 }, /message to pin not found/],
    [
      "a pin with a field that it has not",
      "pinChatMessage",
      { message_id: 7, loud: true },
      /knows no loud of pinChatMessage/
    ]
  ] as const)(
    "the stand-in for Telegram refuses %s, and publishes nothing",
    ([, method, parameters, words]) =>
      Effect.gen(function* () {
        const { body, status } = yield* call(method, { chat_id: "@own_wrong", ...parameters })
        assert.strictEqual(status, 400)
        assert.match(body.description, words)
        assert.lengthOf(yield* (yield* SandboxProcess).on("telegram").publications("own_wrong"), 0)
      })
  )

  it.effect("pins any message of an album, where the bot may", () =>
    Effect.gen(function* () {
      const album = (chat_id: string) =>
        call(
          "sendMediaGroup",
          { chat_id, media: ["a", "b"].map((name) => ({ type: "photo", media: `attach://${name}` })) },
          { a: "bell", b: "bells" }
        )
      yield* album("@own_pins")
      assert.deepStrictEqual((yield* call("pinChatMessage", { chat_id: "@own_pins", message_id: 2 })).body, {
        ok: true,
        result: true
      })
      const [publication] = yield* (yield* SandboxProcess).on("telegram").publications("own_pins")
      assert.isTrue(publication!.details!["pinned"])
      assert.strictEqual((yield* call("pinChatMessage", { chat_id: "@own_pins", message_id: 3 })).status, 400)

      yield* album("@own_unpinned")
      const { body } = yield* call("pinChatMessage", { chat_id: "@own_unpinned", message_id: 1 })
      assert.match(body.description, /not enough rights to manage pinned messages/)
    })
  )

  it.effect("keeps a file once that an album names twice", () =>
    Effect.gen(function* () {
      const media = Array.from({ length: 2 }, () => ({ type: "photo", media: "attach://a" }))
      const answer = yield* call("sendMediaGroup", { chat_id: "@own_twice", media }, { a: "bell" })
      assert.lengthOf(answer.body.result, 2)
      const [publication] = yield* (yield* SandboxProcess).on("telegram").publications("own_twice")
      assert.strictEqual(publication!.media[0]!.id, publication!.media[1]!.id)
    })
  )
})
