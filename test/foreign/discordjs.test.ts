import { DiscordAPIError, MessageFlags, PollLayoutType, WebhookClient } from "discord.js"
import assert from "node:assert/strict"
import { test, type TestContext } from "node:test"
import { type Publication, sha256, startTestNetwork } from "./TestNetwork.ts"

type Message = Parameters<WebhookClient["send"]>[0]

const { published, url } = await startTestNetwork()

const bell = Buffer.alloc(5000, "bell")
const film = Buffer.alloc(70_000, "film")

/** Sends by a webhook of this name. Gives the library's answer and what the test network has. */
const send = async (t: TestContext, name: string, message: Message) => {
  const webhook = new WebhookClient(
    { id: "700000000000000001", token: `sandbox-${name}` },
    { rest: { api: `${url}/discord.com/api` } }
  )
  // The library's own event, after each answer.
  webhook.rest.on("response", ({ path, data: { body, files = [] } }) => {
    const parts = files.map(({ name, data }) => `${name}, ${(data as Buffer).length} B`)
    t.diagnostic(
      `sent: POST ${path.replace(/sandbox-/, "…")} ${JSON.stringify(body)} ${JSON.stringify(parts)}`
    )
  })
  const answer = await webhook.send(message).catch((error: unknown) => {
    assert.ok(error instanceof DiscordAPIError)
    t.diagnostic(`answer: ${error.status} ${error.code} ${error.message}`)
    return error
  })
  const publications = await published("discord", name)
  for (const { title, text, media, details } of publications) {
    const files = media.map(({ size, sha256 }) => `${size} B, sha256 ${sha256.slice(0, 8)}`)
    t.diagnostic(`came: ${JSON.stringify({ title, text, files, details })}`)
  }
  return { answer, publications }
}

type Answer = Exclude<Awaited<ReturnType<typeof send>>["answer"], DiscordAPIError>

const taken: Readonly<
  Record<
    string,
    readonly [name: string, message: Message, check: (came: Publication, answer: Answer) => void]
  >
> = {
  "a text": [
    "text",
    "In the *valley* 🔔",
    (came, answer) => {
      assert.equal(came.text, "In the *valley* 🔔")
      assert.equal(answer.content, came.text)
      assert.equal(answer.tts, false)
    }
  ],
  "files, with their names and descriptions": [
    "files",
    {
      content: "Two bells",
      files: [
        { attachment: bell, name: "bell.png", description: "A bell" },
        { attachment: film, name: "SPOILER_film.mp4" }
      ]
    },
    (came, answer) => {
      assert.equal(came.text, "Two bells")
      assert.deepEqual(
        came.media.map(({ size, sha256, alt_text }) => ({ size, sha256, alt_text })),
        [
          { size: bell.length, sha256: sha256(bell), alt_text: "A bell" },
          { size: film.length, sha256: sha256(film), alt_text: null }
        ]
      )
      assert.deepEqual(
        answer.attachments.map(({ filename, size }) => [filename, size]),
        [
          ["bell.png", bell.length],
          ["SPOILER_film.mp4", film.length]
        ]
      )
    }
  ],
  "a file and nothing else": [
    "file",
    { files: [bell] },
    (came) => {
      assert.equal(came.text, "")
      assert.equal(came.media[0]?.sha256, sha256(bell))
    }
  ],
  "a poll": [
    "poll",
    {
      poll: {
        question: { text: "Which bell?" },
        answers: [{ text: "High" }, { text: "Low", emoji: "🔔" }],
        duration: 2,
        allowMultiselect: true,
        layoutType: PollLayoutType.Default
      }
    },
    (came, answer) => {
      assert.deepEqual(came.details?.["poll"], {
        question: { text: "Which bell?" },
        answers: [
          { poll_media: { text: "High", emoji: null } },
          { poll_media: { text: "Low", emoji: { animated: false, name: "🔔" } } }
        ],
        duration: 2,
        allow_multiselect: true,
        layout_type: 1
      })
      assert.deepEqual(
        answer.poll?.answers.map(({ poll_media }) => poll_media),
        [{ text: "High" }, { text: "Low", emoji: { id: null, name: "🔔", animated: false } }]
      )
    }
  ],
  "people who are told, and flags": [
    "mentions",
    {
      content: "<@81384788765712384> and @everyone",
      allowedMentions: { parse: ["roles"], users: ["81384788765712384"], repliedUser: false },
      flags: [MessageFlags.SuppressEmbeds, MessageFlags.SuppressNotifications]
    },
    (came, answer) => {
      assert.deepEqual(came.details?.["allowed_mentions"], {
        parse: ["roles"],
        users: ["81384788765712384"],
        replied_user: false
      })
      assert.equal(answer.flags, 4100)
    }
  ],
  "a message in a thread": [
    "thread",
    { content: "Below", threadId: "700000000000000077" },
    (came, answer) => {
      assert.equal(came.details?.["channel_id"], "700000000000000077")
      assert.equal(answer.channel_id, "700000000000000077")
    }
  ],
  "a thread of a forum, with its name": [
    "thread-forum",
    { content: "Begins", threadName: "The bells" },
    (came) => {
      assert.equal(came.title, "The bells")
      assert.equal(came.text, "Begins")
    }
  ],
  "a name and a picture of its own": [
    "name",
    { content: "As another", username: "Ringer", avatarURL: "https://example.com/bell.png" },
    (came, answer) => {
      assert.equal(came.details?.["username"], "Ringer")
      assert.equal(answer.author.username, "Ringer")
    }
  ]
}

for (const [what, [name, message, check]] of Object.entries(taken)) {
  test(`WebhookClient.send: ${what}`, async (t) => {
    const { answer, publications } = await send(t, name, message)
    if (answer instanceof DiscordAPIError) throw answer
    assert.equal(publications.length, 1)
    assert.equal(answer.id, publications[0]!.details?.["message_id"])
    check(publications[0]!, answer)
  })
}

const once = { content: "Once", nonce: "1", enforceNonce: true }

const refused: Readonly<Record<string, readonly [name: string, message: Message, words: RegExp]>> = {
  "spoken text": ["tts", { content: "Hear", tts: true }, /^tts\[\w+\]: The test network does not play this/m],
  "a key, which only bots have": ["nonce", once, /^nonce\[\w+\]: The test network does not play this/m],
  "somebody told twice": [
    "told-twice",
    { content: "<@81384788765712384>", allowedMentions: { parse: ["users"], users: ["81384788765712384"] } },
    /^allowed_mentions\[\w+\]: /m
  ],
  "a thread's name where the channel is no forum": [
    "channel",
    { content: "Begins", threadName: "The bells" },
    /only create threads in forum channels/
  ]
}

for (const [what, [name, message, words]] of Object.entries(refused)) {
  test(`WebhookClient.send is refused: ${what}`, async (t) => {
    const { answer, publications } = await send(t, name, message)
    assert.ok(answer instanceof DiscordAPIError)
    assert.match(answer.message, words)
    assert.equal(publications.length, 0)
  })
}
