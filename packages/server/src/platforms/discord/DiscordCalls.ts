import type { Schema } from "effect"
import type { HttpClient } from "effect/http"
import type { ConnectedApp } from "../ConnectedApp.ts"
import { platformHttp, shortAnswer } from "../PlatformHttp.ts"
import { accessWith } from "./DiscordAccess.ts"
import { refuseDiscord } from "./DiscordErrors.ts"

export interface DiscordHosts {
  /** PUBLIC_URL: Discord wants to be told whose bot it is. */
  readonly public_url: string
  /** The addresses of Discord's hosts; a webhook's own address is never called as it was typed. */
  readonly at: (host: string) => string
  /** Those of the test network, for its webhooks and for tokens that end in `.sandbox`. */
  readonly test_network?: (host: string) => string
  /** The operator's app, whose bot people add to their servers. */
  readonly app?: ConnectedApp | undefined
}

export const longAnswer = 4 * 1024 * 1024

/** The parts of an access that calls need. */
export type Access = { readonly test_network: boolean } & (
  | { readonly webhook_id: string; readonly webhook_token: string }
  | { readonly bot_token: string }
)

/** How Discord is called with an access. */
export const discordCalls = (
  client: HttpClient.HttpClient,
  { app, at, public_url, test_network }: DiscordHosts
) => {
  const call = platformHttp(client, "Discord")

  const site = ({ test_network: played }: { readonly test_network: boolean }) =>
    (played && test_network !== undefined ? test_network : at)("discord.com")
  const api = (access: { readonly test_network: boolean }) => `${site(access)}/api/v10`

  /** The address, headers and secrets of calls with this access. */
  const reach = (access: Access) => ({
    base:
      "bot_token" in access
        ? api(access)
        : `${api(access)}/webhooks/${access.webhook_id}/${access.webhook_token}`,
    rest: {
      headers: {
        // https://docs.discord.com/developers/reference#user-agent
        "user-agent": `DiscordBot (${public_url}, 1)`,
        ...("bot_token" in access ? { authorization: `Bot ${access.bot_token}` } : {})
      },
      secrets: ["bot_token" in access ? access.bot_token : access.webhook_token],
      refuse: refuseDiscord
    }
  })

  const get = <S extends Schema.ConstraintDecoder<unknown>>(
    access: Access,
    path: string,
    answer: S,
    query: Readonly<Record<string, string>> = {}
  ) => {
    const { base, rest } = reach(access)
    return call({
      method: "GET",
      url: `${base}${path}`,
      query,
      maxAnswerBytes: /\/(channels|messages(\/\d+)?|roles|active|public)$/.test(path)
        ? longAnswer
        : shortAnswer,
      answer,
      ...rest
    })
  }

  return { call, get, reach, site, accessOf: accessWith(app?.bot_token) }
}

export type DiscordCalls = ReturnType<typeof discordCalls>
