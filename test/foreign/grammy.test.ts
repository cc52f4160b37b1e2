import { Api, GrammyError, InputFile } from "grammy"
import assert from "node:assert/strict"
import { readFile } from "node:fs/promises"
import { test, type TestContext } from "node:test"
import { sha256, startTestNetwork } from "./TestNetwork.ts"

const network = await startTestNetwork()

const sent: Array<string> = []
const bot = new Api("4000001:sandbox", { apiRoot: `${network.url}/api.telegram.org` })
bot.config.use(async (call, method, payload, signal) => {
  try {
    return await call(method, payload, signal)
  } finally {
    // The library names its files while it sends them.
    sent.push(`${method} ${JSON.stringify(payload)}`)
  }
})

const published = (chat: string) => network.published("telegram", chat)
const bytesOf = (word: string, size = 5000) => Buffer.alloc(size, word)

/** What the library sent, and what the test network has of it, for a table. */
const tell = async (t: TestContext, chat: string) => {
  t.diagnostic(`sent: ${sent.splice(0).join(" · ")}`)
  const publications = await published(chat)
  for (const { text, media, details } of publications) {
    const files = media.map(({ size, sha256 }) => `${size} B, sha256 ${sha256.slice(0, 8)}`)
    t.diagnostic(`came: ${JSON.stringify(text)} ${JSON.stringify(files)} ${JSON.stringify(details)}`)
  }
  return publications
}

const singles = {
  sendPhoto: (chat: string, file: InputFile) => bot.sendPhoto(chat, file, { caption: "A *bell*" }),
  sendVideo: (chat: string, file: InputFile) =>
    bot.sendVideo(chat, file, { caption: "A *bell*", width: 640, height: 360 }),
  sendAnimation: (chat: string, file: InputFile) => bot.sendAnimation(chat, file, { caption: "A *bell*" }),
  sendDocument: (chat: string, file: InputFile) => bot.sendDocument(chat, file, { caption: "A *bell*" })
}

for (const [method, send] of Object.entries(singles)) {
  test(`${method} brings its file and its caption`, async (t) => {
    const chat = `grammy_${method}`
    const bytes = bytesOf(method)
    const message = await send(`@${chat}`, new InputFile(bytes, "bell.bin")).finally(() => tell(t, chat))
    assert.deepEqual(message.chat, {
      id: message.chat.id,
      type: "channel",
      title: message.chat.title,
      username: chat
    })
    const [publication] = await published(chat)
    assert.equal(publication?.text, "A *bell*")
    assert.deepEqual(
      publication.media.map(({ size, sha256 }) => ({ size, sha256 })),
      [{ size: bytes.length, sha256: sha256(bytes) }]
    )
    assert.equal(publication.details?.["message_id"], String(message.message_id))
  })
}

test("a file that is read while it is sent comes whole", async (t) => {
  const chat = "grammy_stream"
  const chunks = Array.from({ length: 40 }, (_, index) => bytesOf(String(index), 64 * 1024))
  await bot
    .sendDocument(
      `@${chat}`,
      new InputFile(async function* () {
        yield* chunks
      }, "bells.bin")
    )
    .finally(() => tell(t, chat))
  assert.equal((await published(chat))[0]?.media[0]?.sha256, sha256(Buffer.concat(chunks)))
})

test("sendMediaGroup brings its files in their order, also one file twice", async (t) => {
  const chat = "grammy_album"
  const [high, low] = [new InputFile(bytesOf("high"), "high.jpg"), new InputFile(bytesOf("low"), "low.mp4")]
  const messages = await bot
    .sendMediaGroup(`@${chat}`, [
      { type: "photo", media: high, caption: "Three" },
      { type: "video", media: low },
      { type: "photo", media: high }
    ])
    .finally(() => tell(t, chat))
  assert.equal(messages.length, 3)
  const [publication] = await published(chat)
  assert.equal(publication?.text, "Three")
  assert.deepEqual(
    publication.media.map((one) => one.sha256),
    ["high", "low", "high"].map((word) => sha256(bytesOf(word)))
  )
})

test("sendMessage and sendPoll bring their words", async (t) => {
  const chat = "grammy_words"
  await bot.sendMessage(`@${chat}`, "In the valley")
  await bot.sendPoll(`@${chat}`, "Which bell?", [{ text: "High" }, { text: "Low" }])
  const [message, poll] = await tell(t, chat)
  assert.equal(message?.text, "In the valley")
  assert.equal(poll?.text, "Which bell?")
  assert.deepEqual(poll.details?.["options"], [{ text: "High" }, { text: "Low" }])
})

// The words are those of github.com/tdlib/telegram-bot-api.
const missing = {
  "a photo": [
    (chat: string) => bot.sendPhoto(chat, "attach://bell"),
    "Bad Request: there is no photo in the request"
  ],
  "a document": [
    (chat: string) => bot.sendDocument(chat, "attach://bell"),
    "Bad Request: there is no document in the request"
  ],
  "one of an album": [
    (chat: string) =>
      bot.sendMediaGroup(chat, [
        { type: "photo", media: new InputFile(bytesOf("high")) },
        { type: "photo", media: "attach://bell" }
      ]),
    "Bad Request: can't parse InputMedia: media not found"
  ]
} as const

for (const [what, [send, words]] of Object.entries(missing)) {
  test(`${what} that is named and not there is refused`, async (t) => {
    const chat = `grammy_missing_${what.replaceAll(" ", "_")}`
    const error = await send(`@${chat}`).then(
      () => assert.fail("it was taken"),
      (error: unknown) => error
    )
    assert.ok(error instanceof GrammyError)
    t.diagnostic(`answer: ${error.error_code} ${error.description}`)
    assert.equal(error.description, words)
    assert.deepEqual(await tell(t, chat), [])
  })
}

/** The fields that a type of the library, which follows the Bot API's reference, asks for. */
const required = async (type: string): Promise<ReadonlyArray<string>> => {
  const types = await readFile(new URL("node_modules/@grammyjs/types/manage.d.ts", import.meta.url), "utf8")
  const [, body] =
    new RegExp(
      `${type.startsWith("ChatFullInfo.") ? "namespace ChatFullInfo \\{[^]*?" : ""}interface ${type.split(".").at(-1)} \\{([^}]*)\\}`
    ).exec(types) ?? []
  assert.ok(body !== undefined, `the library has no type ${type}`)
  return [...body.matchAll(/^\s*(\w+): /gm)].map(([, name]) => name!)
}

const kinds = [
  ["grammy_of_a_channel", "Channel", "Administrator"],
  ["grammy_of_a_group", "Supergroup", "Administrator"],
  ["grammy_moved", "Group", "Member"],
  ["grammy_muted", "Supergroup", "Restricted"],
  ["grammy_member", "Channel", "Member"],
  ["grammy_person", "Private", "Member"]
] as const

for (const [name, type, status] of kinds) {
  test(`getChat and getChatMember have every field that they must: ${type}, ${status}`, async (t) => {
    const chat = await bot.getChat(`@${name}`)
    const member = await bot.getChatMember(chat.id, 4_000_001)
    t.diagnostic(`sent: ${sent.splice(0).join(" · ")}`)
    t.diagnostic(`came: ${JSON.stringify(chat)} ${JSON.stringify(member)}`)
    const lacks = async (name: string, answer: object) =>
      (await required(name)).filter((field) => !(field in answer))
    assert.deepEqual([chat.type, member.status], [type.toLowerCase(), status.toLowerCase()])
    assert.deepEqual(await lacks(`ChatFullInfo.${type}Chat`, chat), [])
    assert.deepEqual(await lacks("AcceptedGiftTypes", chat.accepted_gift_types ?? {}), [])
    assert.deepEqual(await lacks(`ChatMember${status}`, member), [])
  })
}
