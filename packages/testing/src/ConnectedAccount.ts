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
const typed: { readonly [Network in PlatformId]?: (username: string) => Credentials } = {
  sandbox: (username) => ({ username, password: "sandbox" }),
  telegram: (username) => ({ chat: `@${username}`, bot_token: `${digits(username, 9)}:sandbox` }),
  discord: (username) => ({
    webhook_or_token: `${username}.sandbox`,
    channel_id: `4${digits(username, 17)}`
  }),
  mastodon: (username) => ({ server: "mastodon.sandbox", access_token: `${username}.sandbox` }),
  bluesky: (username) => ({ identifier: `${username}.bsky.sandbox`, app_password: "bell-bell-bell-bell" })
}

/** Connects an account of any network of the test network, as a person does; its id. */
export const connectAccount = Effect.fnUntraced(function* (platform: PlatformId, username: string) {
  const credentials = typed[platform]?.(username)
  if (credentials === undefined) return (yield* connectInBrowser(platform, username))[0]!
  const service = yield* Service
  const { status, body } = yield* service.call("POST", "/v1/social-accounts", { platform, credentials })
  return status === 201 ? (body.id as number) : yield* Effect.die(new Error(JSON.stringify(body)))
})
