import type { PlatformId } from "@carillon/sandbox/testing"
import { Effect } from "effect"
import { createHash } from "node:crypto"
import { connectInBrowser } from "./ConsentVisit.ts"
import { Service } from "./ServiceProcess.ts"

/** Bots and channels have numbers; these are the username's own. */
const digits = (username: string, count: number) =>
  BigInt(`0x${createHash("sha256").update(username).digest("hex")}`)
    .toString()
    .slice(0, count)

type Credentials = Readonly<Record<string, string>>

/** What a person types where there is no page to consent on. */
export const typedAt = {
  sandbox: (username) => ({ username, password: "sandbox" }),
  telegram: (username) => ({ chat: `@${username}`, bot_token: `${digits(username, 9)}:sandbox` }),
  discord: (username) => ({
    webhook_or_token: `${username}.sandbox`,
    channel_id: `4${digits(username, 17)}`
  }),
  mastodon: (username) => ({ server: "mastodon.sandbox", access_token: `${username}.sandbox` }),
  bluesky: (username) => ({ identifier: `${username}.bsky.sandbox`, app_password: "bell-bell-bell-bell" })
} satisfies { readonly [Network in PlatformId]?: (username: string) => Credentials }

/** The same for a webhook of Discord, which has its name in its address. */
export const typedWebhook = (username: string, network: string) => ({
  webhook_or_token: `${network}/discord.com/api/webhooks/4${digits(username, 17)}/sandbox-${username}`
})

/** Connects an account of any network of the test network, as a person does; its id. */
export const connectAccount = Effect.fnUntraced(function* (platform: PlatformId, username: string) {
  if (!(platform in typedAt)) return (yield* connectInBrowser(platform, username))[0]!
  const credentials = typedAt[platform as keyof typeof typedAt](username)
  const service = yield* Service
  const { status, body } = yield* service.call("POST", "/v1/social-accounts", { platform, credentials })
  return status === 201 ? (body.id as number) : yield* Effect.die(new Error(JSON.stringify(body)))
})
