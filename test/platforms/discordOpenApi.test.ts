import { SandboxProcess } from "@carillon/sandbox/testing"
import type { PublishRequest } from "@carillon/server/platforms/Platform"
import { makeDiscord } from "@carillon/server/platforms/discord/Discord"
import { allowConsent } from "@carillon/testing/allowConsent"
import { heldAgainstDescription } from "@carillon/testing/ValidatingProxy"
import { DateTime, Effect, Redacted } from "effect"
import type { HttpClient } from "effect/http"

const walked = Effect.fnUntraced(function* (client: HttpClient.HttpClient) {
  const { url, on } = yield* SandboxProcess
  const host = (name: string) => `${url}/${name}`
  const discord = makeDiscord(client, {
    at: host,
    public_url: "https://carillon.test",
    test_network: host,
    app: {
      id: "1234567",
      secret: Redacted.make("sandbox"),
      bot_token: Redacted.make("1234567.sandbox"),
      at: host,
      stand_in: true
    }
  })
  const { authorizeUrl, exchange } = discord.oauth!
  const consent = {
    login: "discord",
    redirect_uri: "https://carillon.test/oauth/callback/discord",
    state: "state",
    code_verifier: "verifier"
  }
  const back = yield* allowConsent(new URL(authorizeUrl(consent)), "described-many", ["bot", "identify"])
  yield* exchange({ ...consent, code: new URL(back!).searchParams.get("code")! })
  const poll = { question: "Which bell?", options: ["High", "Low"], duration_hours: 2, multiple: true }
  const embeds = [
    {
      title: "Bells",
      description: "In the valley",
      url: "https://example.com/bells",
      color: "#5865f2",
      image: "https://example.com/bell.png",
      author: "The ringers",
      footer: "Every evening"
    }
  ]
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
        thread: null,
        options,
        due_at: yield* DateTime.now
      }
      const { handle } = yield* discord.prepare(request, credentials, null, () => Effect.void)
      const data = yield* Effect.result(discord.commit(request, credentials, handle))
      if (data._tag === "Failure") continue
      yield* discord.reconcile(request, credentials, handle, () => Effect.succeed(new Set()))
      if (!("id" in data.success)) continue
      yield* discord.confirm(request, credentials, handle, data.success)
      const thread = { index: 1, count: 2, root: data.success, parent: data.success, rest: [] }
      const item = { ...request, target_id: `${request.target_id}-1`, thread }
      yield* discord.commit(item, credentials, handle)
      yield* discord.reconcile(item, credentials, handle, () => Effect.succeed(new Set()))
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
    { crosspost: true },
    { embeds }
  )
  const inForum = { thread_name: "Bells", applied_tags: ["News"], embeds }
  yield* on("discord").script("described-forum", faults)
  for (const ending of ["-forum", "-archived-forum"])
    yield* walk(
      { webhook_or_token: `described${ending}.sandbox`, channel_id: "123456789012345678" },
      inForum,
      {},
      { ...everything, ...inForum },
      { thread_name: "Bells" }
    )
  yield* walk(
    { webhook_or_token: `${url}/discord.com/api/webhooks/123456789012345678/sandbox-described-forum` },
    { ...inForum, applied_tags: [] },
    { thread_name: "Bells" }
  )
  yield* on("discord").script("described", faults)
  yield* walk(
    { webhook_or_token: `${url}/discord.com/api/webhooks/123456789012345678/sandbox-described` },
    {},
    {},
    { embeds },
    { ...everything, username: "Ringer", avatar_url: "https://example.com/bell.png" },
    { thread_id: "123456789012345679" }
  )
})

heldAgainstDescription(
  {
    // `specs/openapi.json` of github.com/discord/discord-api-spec
    network: "Discord",
    variable: "DISCORD_OPENAPI",
    api: "discord.com/api/v10",
    path: "/gateway",
    answers: ["POST 200", "POST 201", "GET 200", "POST 429", "POST 403"]
  },
  walked
)
