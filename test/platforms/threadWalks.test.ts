import { SandboxProcess } from "@carillon/sandbox/testing"
import { answerableId, answered } from "@carillon/testing/Answered"
import { connectAccount, typedAt } from "@carillon/testing/ConnectedAccount"
import { create, settled } from "@carillon/testing/Publishing"
import { Service } from "@carillon/testing/ServiceProcess"
import { SharedService } from "@carillon/testing/SharedService"
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import sharp from "sharp"

/** A call of the script that goes as it should. */
const well = { on: "post", fault: "slow", ms: 0 } as const

const redPicture = () =>
  sharp({ create: { width: 600, height: 600, channels: 3, background: "red" } })
    .png()
    .toBuffer()

/** A network on which each item answers the one before. */
interface ThreadWalk {
  readonly what: string
  readonly network: "mastodon" | "discord" | "bluesky" | "telegram" | "threads" | "twitter"
  /** Undefined: a person consents on the network's page. */
  readonly typed?: (username: string, network: string) => Readonly<Record<string, string>>
  readonly options: object
  /** What every item has of the options, in the network's words. */
  readonly kept: object
  /** What the first alone has. */
  readonly first: ReadonlyArray<string>
  /** It cannot say what became of an item whose reply was lost. */
  readonly silent?: boolean
  /** Its items cannot answer. */
  readonly apart?: boolean
  /** All items go out in one call. */
  readonly atOnce?: boolean
}

const mastodon = (server: string): ThreadWalk => ({
  what: server,
  network: "mastodon",
  typed: (username) => ({ server, access_token: `${username}.sandbox` }),
  options: {
    visibility: "unlisted",
    spoiler_text: "Loud",
    language: "en",
    poll: { options: ["High", "Low"] }
  },
  kept: { visibility: "unlisted", spoiler_text: "Loud", language: "en" },
  first: ["poll"]
})

const discord = {
  network: "discord",
  options: { silent: true, poll: { options: ["High", "Low"] } },
  kept: { flags: 4096 },
  first: ["poll"]
} satisfies Omit<ThreadWalk, "what" | "typed">

const walks: ReadonlyArray<ThreadWalk> = [
  mastodon("mastodon.sandbox"),
  mastodon("gotosocial.sandbox"),
  {
    ...discord,
    what: "Discord by a bot",
    typed: (username) => ({ webhook_or_token: `${username}.sandbox`, channel_id: "440000000000000901" })
  },
  {
    ...discord,
    what: "Discord by a webhook, where they follow each other",
    typed: (username, url) => ({
      webhook_or_token: `${url}/discord.com/api/webhooks/440000000000000902/sandbox-${username}`
    }),
    silent: true,
    apart: true
  },
  {
    what: "Telegram",
    network: "telegram",
    typed: typedAt.telegram,
    options: {
      silent: true,
      pin: true,
      buttons: [[{ text: "Tickets", url: "https://example.com/" }]],
      poll: { options: ["High", "Low"] }
    },
    kept: { disable_notification: true },
    first: ["question", "reply_markup", "pinned"],
    silent: true
  },
  {
    what: "Bluesky, in one commit with their gates",
    network: "bluesky",
    typed: (username) => ({ identifier: `${username}.bsky.sandbox`, app_password: "bell-bell-bell-bell" }),
    options: { langs: ["en"], reply_gate: "nobody", quote_gate: "nobody" },
    kept: { langs: ["en"], postgate: [{ $type: "app.bsky.feed.postgate#disableRule" }] },
    first: ["threadgate"],
    atOnce: true
  },
  {
    what: "X",
    network: "twitter",
    options: {
      reply_settings: "following",
      made_with_ai: true,
      poll: { options: ["High", "Low"], duration_minutes: 60 }
    },
    kept: { made_with_ai: true },
    first: ["reply_settings", "poll"]
  },
  {
    what: "Threads",
    network: "threads",
    options: { poll: { options: ["High", "Low"] } },
    kept: {},
    first: ["poll_attachment"]
  }
]

layer(SharedService, { excludeTestServices: true, timeout: "180 seconds", concurrent: true })(
  "a thread",
  (it) => {
    for (const [index, walk] of walks.entries()) {
      it.effect(`goes out on ${walk.what}, once, though its items say the same and a reply is lost`, () =>
        Effect.gen(function* () {
          const { apart, network, options, kept, first, atOnce, silent, typed } = walk
          const service = yield* Service
          const { on, url } = yield* SandboxProcess
          const sandbox = on(network)
          const username = `threaded${index}`
          const account =
            typed === undefined
              ? yield* connectAccount(network, username)
              : (yield* service.call("POST", "/v1/social-accounts", {
                  platform: network,
                  credentials: typed(username, url)
                })).body.id
          if (silent !== true)
            yield* sandbox.script(username, [
              ...(atOnce === true ? [] : [well]),
              { on: "post", fault: "effect_then_lost_reply" }
            ])
          const picture = yield* service.upload(yield* Effect.promise(redPicture), "image/png", "red.png")
          const post = yield* create({
            social_accounts: [account],
            caption: "Bells",
            thread: ["Bells", { caption: "Bells", media: [picture] }],
            platform_configurations: { [network]: options }
          })
          const { status, results } = yield* settled(post.id)
          assert.strictEqual(status, "published", JSON.stringify(results))
          const live = yield* sandbox.publications(username)
          assert.deepStrictEqual(
            live.map(({ media, text }) => [text, media.length]),
            [
              [network === "discord" ? "" : "Bells", 0],
              ["Bells", 0],
              ["Bells", 1]
            ]
          )
          assert.deepStrictEqual(answered(live), apart === true ? [-1, -1, -1] : [-1, 0, 1])
          for (const [at, { details = {} }] of live.entries()) {
            assert.deepInclude(details, kept)
            for (const name of first) assert.strictEqual(name in details, at === 0, name)
          }
          assert.deepStrictEqual(
            results[0].items.map(({ platform_data }: any) => platform_data.id),
            live.map(answerableId)
          )
          if (atOnce !== true) return
          const calls = (yield* sandbox.requests(username)).filter(({ operation }) => operation === "post")
          // The repeated call finds its keys taken.
          assert.deepStrictEqual(
            calls.map(({ outcome, status }) => [outcome, status]),
            [
              ["cut", null],
              ["answered", 500]
            ]
          )
          assert.lengthOf(new Set(live.flatMap(({ requests }) => requests)), 1)
        })
      )
    }
  }
)
