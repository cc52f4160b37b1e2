import { type AuthorizationServer, refusals, standardErrors } from "../oauth/AuthorizationServer.ts"
import type { Discord } from "./Discord.ts"

/** Seconds. */
const lifetime = 604_800

/**
 * Adding an app's bot to a server: https://docs.discord.com/developers/topics/oauth2#advanced-bot-authorization. The person's
 * own server is the one that is chosen.
 */
export const discordLogin = (discord: Discord["Service"]): AuthorizationServer => ({
  platform: "discord",
  name: "Discord",
  scopeSeparator: " ",
  consent: ["/discord.com/oauth2/authorize"],
  objections: (query) =>
    /^\d*$/.test(query.get("permissions") ?? "") ? [] : ["permissions must be a number."],
  endpoints: [
    {
      method: "POST",
      path: "/discord.com/api/oauth2/token",
      errors: standardErrors("discord"),
      client: "parameters",
      grants: { authorization_code: { by: "code", access: lifetime, refresh: null } },
      refusal: refusals((reason) =>
        reason === "client_id" || reason === "client_secret" ? { status: 401 } : undefined
      ),
      answer: ({ access_token, expires_in, grant: { account, client_id, scopes } }) => ({
        access_token,
        token_type: "Bearer",
        expires_in,
        scope: scopes.join(" "),
        ...(scopes.includes("bot")
          ? { guild: { id: discord.install(client_id, account).guild, name: `Server of ${account}` } }
          : {})
      })
    }
  ]
})
