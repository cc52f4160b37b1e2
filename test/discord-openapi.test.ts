import { SandboxProcess } from "@carillon/sandbox/testing"
import type { PublishRequest } from "@carillon/server/platforms/Platform"
import { makeDiscord } from "@carillon/server/platforms/discord/Discord"
import { patience, validatingProxy } from "@carillon/testing/ValidatingProxy"
import { NodeHttpClient } from "@effect/platform-node"
import { assert, describe, it as test, layer } from "@effect/vitest"
import { DateTime, Effect, Layer } from "effect"
import { HttpClient } from "effect/http"
import { existsSync } from "node:fs"

/** Discord's own description of its API: `specs/openapi.json` of github.com/discord/discord-api-spec. */
const description = process.env["DISCORD_OPENAPI"] ?? ""
const isThere = description !== "" && existsSync(description)
const reason = description === "" ? "DISCORD_OPENAPI names no file" : `there is no file ${description}`

/** Everything that the adapter sends as JSON and the stand-in answers, and what the description has against it. */
const everyRequest = Effect.fnUntraced(function* () {
  const { url, on } = yield* SandboxProcess
  const proxy = yield* validatingProxy(description, `${url}/discord.com/api/v10`, "/gateway")
  const violations: Array<unknown> = []
  const seen: Array<string> = []
  const client = (yield* HttpClient.HttpClient).pipe(
    HttpClient.tap((response) =>
      Effect.sync(() => {
        if (!response.request.url.startsWith(proxy)) return
        seen.push(`${response.request.method} ${response.status}`)
        const found = response.headers["sl-violations"]
        if (found !== undefined) violations.push(response.request.url, JSON.parse(found))
      })
    )
  )
  const discord = makeDiscord(
    // The description's paths begin after the version.
    HttpClient.mapRequest(
      client,
      (one) => ({ ...one, url: one.url.replace(`${url}/discord.com/api/v10`, proxy) }) as typeof one
    ),
    { at: () => proxy, public_url: "https://carillon.test", test_network: (host) => `${url}/${host}` }
  )
  const poll = { question: "Which bell?", options: ["High", "Low"], duration_hours: 2, multiple: true }
  const everything = { silent: true, suppress_embeds: true, mentions: ["users", "roles", "everyone"], poll }
  const walk = Effect.fnUntraced(function* (
    signIn: object,
    ...posts: ReadonlyArray<PublishRequest["options"]>
  ) {
    const { credentials, remote_id, username } = yield* discord.connect!(signIn)
    for (const [index, options] of posts.entries()) {
      const request: PublishRequest = {
        target_id: `01938f4a-0000-7000-8000-00000000000${index}`,
        remote_id,
        username,
        board_id: null,
        default_privacy_level: null,
        caption: "In the valley",
        media: [],
        cover: null,
        cover_frame: null,
        chain: null,
        options,
        due_at: yield* DateTime.now
      }
      const { handle } = yield* discord.prepare(request, credentials, null, () => Effect.void)
      const data = yield* Effect.result(discord.commit(request, credentials, handle))
      if (data._tag === "Failure") continue
      yield* discord.reconcile(request, credentials, handle)
      if ("id" in data.success) yield* discord.confirm(request, credentials, handle, data.success)
    }
  })
  const faults = [
    { on: "post", fault: "rate_limited", retry_after: 1 },
    { on: "post", fault: "forbidden" }
  ] as const
  yield* on("discord").script("described-news", faults)
  yield* walk(
    { webhook_or_token: "described-news.sandbox", channel_id: "123456789012345678" },
    {},
    {},
    everything,
    { crosspost: true }
  )
  yield* on("discord").script("described", faults)
  yield* walk(
    { webhook_or_token: `${url}/discord.com/api/webhooks/123456789012345678/sandbox-described` },
    {},
    {},
    { ...everything, username: "Ringer", avatar_url: "https://example.com/bell.png" },
    { thread_id: "123456789012345679" }
  )
  return { violations, seen }
}, Effect.scoped)

const Network = Layer.merge(SandboxProcess.layer, NodeHttpClient.layerUndici)

if (isThere) {
  layer(Network, { excludeTestServices: true })("Discord's own description", (it) => {
    it.effect(
      "has nothing against what the adapter sends and the stand-in answers",
      () =>
        Effect.gen(function* () {
          const { violations, seen } = yield* everyRequest()
          assert.deepStrictEqual(violations, [])
          assert.includeMembers(seen, ["POST 200", "GET 200", "POST 429", "POST 403"])
        }),
      patience + 60_000
    )
  })
} else {
  describe("Discord's own description", () => {
    // The description is Discord's to give out: whoever runs this fetches it, and names the file.
    test.skip(`has nothing against what the adapter sends and the stand-in answers (${reason})`, () =>
      undefined)
  })
}
