import { SandboxProcess } from "@carillon/sandbox/testing"
import { assert, layer } from "@effect/vitest"
import { Effect, type Schema } from "effect"
import { json, send } from "./PlatformClient.ts"

const execute = (name: string, body: unknown) =>
  send(`/discord.com/api/v10/webhooks/700000000000000001/sandbox-${name}?wait=true`, json(body))

// https://docs.discord.com/developers/resources/webhook#execute-webhook and …/resources/message#allowed-mentions-object
layer(SandboxProcess.layer)("the stand-in for Discord", (it) => {
  it.effect.each([
    ["what clients leave off", { content: "Bell", tts: false, enforce_nonce: false }],
    ["people who are told one by one", { content: "Bell", allowed_mentions: { users: ["1"], roles: [] } }],
    [
      "a kind of people and nobody else",
      { content: "Bell", allowed_mentions: { parse: ["users"], users: [] } }
    ],
    [
      "a poll with a custom emoji",
      {
        poll: {
          question: { text: "Which?" },
          answers: [{ poll_media: { text: "High", emoji: { id: "700000000000000002", animated: true } } }],
          layout_type: 1
        }
      }
    ],
    [
      "an embed and nothing else",
      {
        embeds: [
          {
            type: "rich",
            title: "x".repeat(256),
            description: "x".repeat(4096),
            timestamp: "2026-11-21T12:00:00.000Z",
            fields: [{ name: "High", value: "x".repeat(1024), inline: true }],
            footer: { text: "x".repeat(6000 - 256 - 4096 - 1024 - 4) },
            thumbnail: { url: "https://example.com/bell.png" }
          }
        ]
      }
    ]
  ] as const)("takes of a webhook %s", ([what, body]) =>
    Effect.gen(function* () {
      const name = what.replaceAll(" ", "-")
      assert.strictEqual((yield* execute(name, body)).status, 200)
      const [publication] = yield* (yield* SandboxProcess).on("discord").publications(name)
      const { content: _, ...told }: Record<string, Schema.Json> = body
      assert.deepInclude(publication!.details, told)
    })
  )

  it.effect.each([
    ["speech", { content: "Bell", tts: true }, ["tts"]],
    ["a key", { content: "Bell", nonce: "1" }, ["nonce"]],
    ["a key that is enforced", { content: "Bell", enforce_nonce: true }, ["enforce_nonce"]],
    [
      "roles by their kind and one by one",
      { content: "Bell", allowed_mentions: { parse: ["roles"], roles: ["1"] } },
      ["allowed_mentions"]
    ],
    [
      "an answer without words",
      { poll: { question: { text: "Which?" }, answers: [{ poll_media: {} }] } },
      ["poll", "answers", "0", "poll_media", "text"]
    ],
    ["an embed of a color alone", { embeds: [{ color: 1 }] }, ["embeds", "0"]],
    [
      "embeds of more than 6000 characters",
      { embeds: [{ description: "x".repeat(4000) }, { description: "x".repeat(2001) }] },
      ["embeds"]
    ],
    ["an embed of a video", { embeds: [{ title: "Bell", video: {} }] }, ["embeds", "0", "video"]],
    [
      "a picture that did not come with it",
      { embeds: [{ image: { url: "attachment://bell.png" } }] },
      ["embeds"]
    ],
    ["the name Clyde", { content: "Bell", username: "Clyde" }, ["username"]]
  ] as const)("refuses of a webhook %s, and names the field", ([what, body, path]) =>
    Effect.gen(function* () {
      const name = what.replaceAll(" ", "-")
      const answer = yield* execute(name, body)
      assert.deepInclude(answer.body, { code: 50035, message: "Invalid Form Body" })
      const found = path.reduce((errors, field) => errors?.[field], answer.body.errors)
      assert.match(found?._errors[0].message, /^The test network does not /)
      assert.lengthOf(yield* (yield* SandboxProcess).on("discord").publications(name), 0)
    })
  )
})
