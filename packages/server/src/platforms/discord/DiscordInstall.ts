import { Effect, Redacted, Schema } from "effect"
import { HttpBody } from "effect/http"
import type { ConnectedApp } from "../ConnectedApp.ts"
import { requireScopes } from "../GrantedScopes.ts"
import { type OAuthConnect, PublishError } from "../Platform.ts"
import { type Refusal, type Refused, refusedByStatus } from "../PlatformHttp.ts"
import { type DiscordCalls, longAnswer } from "./DiscordCalls.ts"
import { accountOf, Channel, channelTypes, Member, Roles, User } from "./DiscordConnect.ts"
import { askedPermissions, lackingPermissions } from "./DiscordPermissions.ts"

/** `identify`, because Discord's pages promise a code for `bot` beside another scope. */
const scopes = ["bot", "identify"]

const Answer = Schema.Struct({
  scope: Schema.optionalKey(Schema.String),
  guild: Schema.optionalKey(Schema.Struct({ id: Schema.String, name: Schema.String }))
})
const Place = Schema.Struct({ ...Channel.fields, position: Schema.optionalKey(Schema.Int) })

/**
 * A person adds the bot of the operator's app to a server (https://docs.discord.com/developers/topics/oauth2#advanced-bot-authorization).
 * Only Discord's answer to the code says which server that is: the address of the browser could name any. The person's own token is
 * thrown away; the bot's stays with the app.
 */
export const discordInstall = ({ call, get }: DiscordCalls, app: ConnectedApp): OAuthConnect => ({
  logins: ["discord"],

  authorizeUrl: ({ redirect_uri, state }) =>
    `${app.at("discord.com")}/oauth2/authorize?${new URLSearchParams({
      client_id: app.id,
      response_type: "code",
      scope: scopes.join(" "),
      permissions: askedPermissions,
      redirect_uri,
      state
    })}`,

  exchange: Effect.fn("Discord.exchange")(function* ({ code, redirect_uri }) {
    const secret = Redacted.value(app.secret)
    const granted = yield* call({
      method: "POST",
      url: `${app.at("discord.com")}/api/oauth2/token`,
      body: HttpBody.urlParams({
        grant_type: "authorization_code",
        client_id: app.id,
        client_secret: secret,
        code,
        redirect_uri
      }),
      secrets: [secret, code],
      // It has the whole server, with its roles and emoji.
      maxAnswerBytes: longAnswer,
      has_tokens: true,
      answer: Answer,
      refuse: refuseTokens
    })
    yield* requireScopes(["bot"], (granted.scope ?? "").split(" "))
    const { guild } = granted
    if (guild === undefined) return yield* nothingIn("No server was chosen. Connect again and choose one.")
    const access = {
      test_network: app.stand_in,
      bot_token: Redacted.value(app.bot_token ?? Redacted.make(""))
    }
    const bot = yield* get(access, "/users/@me", User)
    const { roles: mine } = yield* get(access, `/guilds/${guild.id}/members/${bot.id}`, Member)
    const roles = yield* get(access, `/guilds/${guild.id}/roles`, Roles)
    const channels = yield* get(access, `/guilds/${guild.id}/channels`, Schema.Array(Place))
    const open = channels.filter(
      ({ permission_overwrites: overwrites = [], type }) =>
        channelTypes.includes(type) &&
        lackingPermissions({ guild_id: guild.id, type, overwrites }, { id: bot.id, roles: mine }, roles) ===
          undefined
    )
    if (open.length === 0) {
      return yield* nothingIn(
        `The bot may post in no channel of ${guild.name}. Give its role View Channels, Send Messages, Attach Files and Embed Links, and connect again.`
      )
    }
    return open
      .toSorted((one, other) => (one.position ?? 0) - (other.position ?? 0))
      .map((channel) =>
        accountOf(bot, channel, {
          display_name: `#${channel.name ?? channel.id} · ${guild.name}`,
          credentials: {
            login: "discord",
            bot_id: bot.id,
            guild_id: guild.id,
            channel_id: channel.id,
            test_network: app.stand_in
          }
        })
      )
  })
})

const refuseTokens = ({ body, status }: Refusal): Refused => {
  const error = isError(body) ? body.error : ""
  if (error === "invalid_client")
    return {
      class: "config",
      code: error,
      message:
        "Discord rejected this instance's app. Compare the client ID and the client secret with the app in Discord's Developer Portal."
    }
  return error === "invalid_grant"
    ? { class: "reconnect", code: error, message: "Discord no longer accepts this sign-in. Connect again." }
    : refusedByStatus("Discord", status)
}
const isError = Schema.is(Schema.Struct({ error: Schema.String }))

const nothingIn = (message: string) => new PublishError({ class: "forbidden", code: "no_accounts", message })
