import { Effect, Option, Redacted, Schema } from "effect"
import { type Credentials, PublishError } from "../Platform.ts"
import { decodeCredentials } from "../StoredCredentials.ts"

const bot = {
  bot_id: Schema.String,
  guild_id: Schema.NullOr(Schema.String),
  channel_id: Schema.String,
  test_network: Schema.Boolean,
  /** The channel takes posts in threads alone. Absent: it is no forum. */
  forum: Schema.optionalKey(Schema.Boolean)
}

/** A webhook's address is its credential. A bot posts in one channel, with a token of its own or with that of the operator's app. */
const DiscordCredentials = Schema.Union([
  Schema.Struct({
    webhook_id: Schema.String,
    webhook_token: Schema.String,
    guild_id: Schema.NullOr(Schema.String),
    channel_id: Schema.String,
    test_network: Schema.Boolean
  }),
  Schema.Struct({ ...bot, bot_token: Schema.String }),
  Schema.Struct({ ...bot, login: Schema.Literal("discord") })
])
type Stored = typeof DiscordCredentials.Type
/** Credentials with all that calls need. */
export type DiscordCredentials = Exclude<Stored, { readonly login: unknown }>

export const decodeStored = decodeCredentials(DiscordCredentials, "Discord")

/** Reads credentials. `bot_token`: that of the operator's app. */
export const accessWith = (bot_token: Redacted.Redacted | undefined) => (stored: Credentials) =>
  Effect.flatMap(decodeStored(stored), (access): Effect.Effect<DiscordCredentials, PublishError> => {
    if (!("login" in access)) return Effect.succeed(access)
    const { login: _, ...rest } = access
    return bot_token === undefined
      ? Effect.fail(noApp)
      : Effect.succeed({ ...rest, bot_token: Redacted.value(bot_token) })
  })

const noApp = new PublishError({
  class: "reconnect",
  code: "app_missing",
  message:
    "The channel was connected through this instance's Discord app, which is not set up any more. Set it up, or connect the channel with a webhook or a bot token."
})

export const isWebhook = (
  credentials: DiscordCredentials
): credentials is Extract<DiscordCredentials, { readonly webhook_id: string }> => "webhook_id" in credentials

const SignIn = Schema.Struct({
  webhook_or_token: Schema.String,
  channel_id: Schema.optionalKey(Schema.String)
})

const decodeSignIn = Schema.decodeUnknownOption(SignIn)

type Typed =
  | { readonly webhook_id: string; readonly webhook_token: string; readonly test_network: boolean }
  | { readonly bot_token: string; readonly channel_id: string; readonly test_network: boolean }

/**
 * What a person typed, or what is wrong with it. Of a webhook's address only its id and token are taken, and only if it is one
 * of Discord's: nobody can send this service to another host with it. `testNetwork` is the test network's `discord.com`.
 */
export const typedAccess = (input: unknown, testNetwork: string | undefined): Typed | string => {
  const typed = Option.getOrUndefined(decodeSignIn(input))
  const address = typed?.webhook_or_token.trim() ?? ""
  const channel = typed?.channel_id?.trim() ?? ""
  if (address === "") return nothing
  if (address.includes("/")) {
    if (channel !== "") return oneOfBoth
    const played = testNetwork !== undefined && address.startsWith(`${testNetwork}/`)
    const path = played ? address.slice(testNetwork.length) : address.replace(hosts, "")
    const [, webhook_id, webhook_token] =
      path === address ? [] : (/^\/api(?:\/v\d+)?\/webhooks\/(\d{1,20})\/([\w-]{1,200})\/?$/.exec(path) ?? [])
    return webhook_id === undefined || webhook_token === undefined
      ? notAnAddress
      : { webhook_id, webhook_token, test_network: played }
  }
  if (!/^[\w.-]{5,200}$/.test(address)) return notAToken
  if (!/^\d{15,20}$/.test(channel)) return notAChannel
  return {
    bot_token: address,
    channel_id: channel,
    test_network: testNetwork !== undefined && address.endsWith(".sandbox")
  }
}

const hosts = /^https:\/\/(?:(?:canary|ptb)\.)?discord(?:app)?\.com(?=\/)/i

const nothing =
  'Discord needs a "webhook_or_token": a webhook URL (channel settings, Integrations, Webhooks) or a bot token.'
const oneOfBoth = "A webhook URL already names its channel. Leave channel_id out, or use a bot token."
const notAnAddress =
  "This is not a webhook URL. One looks like https://discord.com/api/webhooks/123456789012345678/AbC… Copy it in " +
  "the channel's settings under Integrations, Webhooks."
const notAToken =
  "This is neither a webhook URL nor a bot token. Discord shows a bot token once, at discord.com/developers/applications under Bot."
const notAChannel =
  'A bot needs a "channel_id" of 17 to 20 digits. Turn on Developer Mode in Discord\'s settings, then right-click the channel and copy its ID.'
