import { credentialForms, permissionsOf, type PlatformId } from "@carillon/domain"
import { Redacted, type Schema } from "effect"
import type { ConnectedAccount, Platform } from "../platforms/Platform.ts"

type Kind = "access" | "refresh"
interface Grant {
  readonly client_id: string
  readonly scopes: ReadonlyArray<string>
}

/** A token that the stand-in takes because of what it says (`packages/sandbox/src/oauth/Tokens.ts`); by default for what the platform's consent page asks for. */
type TokenOf = (kind: Kind, grant?: Grant) => string

interface Demo extends Partial<Pick<ConnectedAccount, "username" | "display_name" | "limits">> {
  readonly remote_id: string
  readonly credentials: { readonly [key: string]: Schema.Json }
}

/** The number of each demo account at the stand-ins that have a consent page. */
const number = "17841400000000000"

const both = (token: TokenOf) => ({ access_token: token("access"), refresh_token: token("refresh") })

/** What the adapter of each platform stores of its demo account. */
const demos: Readonly<Partial<Record<PlatformId, (token: TokenOf, scopes: ReadonlyArray<string>) => Demo>>> =
  {
    tiktok: (token) => {
      const open_id = `-000${number}`
      return { remote_id: open_id, credentials: { ...both(token), open_id } }
    },
    instagram: (token) => ({
      remote_id: number,
      credentials: { login: "instagram", token: token("access"), issued_at: "2026-01-01T00:00:00.000Z" },
      limits: { facebook_login: false }
    }),
    facebook: (token) => {
      const page_id = `1${number.slice(2)}`
      const tokens = { token: token("access"), user_token: token("access") }
      const credentials = { ...tokens, user_id: `9${number}`, page_id }
      return { remote_id: page_id, display_name: "Facebook Demo (Page)", credentials }
    },
    youtube: (token, scopes) => ({
      remote_id: "UCE0lKpgMfxGKopluIk9kn4A",
      credentials: { ...both(token), scope: scopes.join(" ") }
    }),
    pinterest: (token) => ({ remote_id: number, credentials: both(token) }),
    twitter: (token) => ({ remote_id: number, credentials: both(token), limits: {} }),
    linkedin: (token) => {
      const member = `urn:li:person:${BigInt(number).toString(36)}`
      const credentials = { login: "linkedin", access_token: token("access"), member }
      return {
        remote_id: member,
        display_name: "linkedin-demo",
        credentials,
        limits: { organization: false }
      }
    },
    google_business: (token, scopes) => {
      const account = `accounts/1000${number}`
      return {
        remote_id: `locations/${number}`,
        display_name: "google_business-demo, 14 Bell Lane, Frome",
        credentials: { ...both(token), scope: scopes.join(" "), account, person: account }
      }
    },
    threads: (token) => ({
      remote_id: number,
      credentials: { login: "threads", token: token("access"), issued_at: "2026-01-01T00:00:00.000Z" }
    }),
    bluesky: (token) => {
      const server = "bsky.sandbox"
      const username = `bluesky-demo.${server}`
      const did = `did:web:${username}`
      const session = { client_id: server, scopes: ["com.atproto.appPass"] }
      const jwts = { accessJwt: token("access", session), refreshJwt: token("refresh", session) }
      return { remote_id: did, username, credentials: { service: `https://${server}`, did, ...jwts } }
    },
    mastodon: () => {
      const account_id = "110672759368260169"
      return {
        remote_id: `mastodon/mastodon.sandbox/${account_id}`,
        username: "mastodon-demo@mastodon.sandbox",
        display_name: "mastodon-demo",
        credentials: { server: "https://mastodon.sandbox", access_token: "mastodon-demo.sandbox", account_id }
      }
    },
    discord: () => {
      const bot_id = "428428391262618599"
      const channel_id = "820000000000000002"
      return {
        remote_id: `bot/${bot_id}/${channel_id}`,
        display_name: "discord-demo",
        limits: { webhook: false },
        credentials: {
          bot_token: "discord-demo.sandbox",
          bot_id,
          guild_id: "820000000000000001",
          channel_id,
          test_network: true
        }
      }
    },
    telegram: () => {
      const username = "telegram_demo"
      return {
        remote_id: "-1001520056826",
        username,
        // By its name: the stand-in opens a chat when it is first named.
        credentials: { token: "110201543:sandbox", chat_id: `@${username}` }
      }
    },
    sandbox: () => ({
      remote_id: "7400000000000000000",
      // `@demo` is one account for the command line.
      username: "demo",
      display_name: "Demo",
      // Its first call is refused, and renewing such a token is signing in.
      credentials: { username: "demo", password: "sandbox", token: "none" }
    })
  }

/** Whether the credentials of each account say who plays the platform for it. Elsewhere the platform's app does. */
export const isPlayedByCredentials = (id: PlatformId) => id in credentialForms

/** The demo account of a platform at its stand-in, as signing in there would give it, without a call; none: it has none. */
export const demoAccountOf = ({ id, oauth }: Platform, sandboxUrl: string): ConnectedAccount | undefined => {
  const demo = demos[id]
  if (demo === undefined) return undefined
  const name = `${id}-demo`
  // The consent page of a platform of many servers depends on the server.
  const page = oauth === undefined || oauth.servers !== undefined ? undefined : consentPage(id, oauth)
  const scopes = page?.searchParams.get("scope")?.split(/[ ,]/) ?? []
  const tokenOf: TokenOf = (kind, grant = { client_id: "sandbox", scopes }) =>
    `demo-${kind}-${Buffer.from(JSON.stringify({ platform: id, account: name, ...grant })).toString("base64url")}`
  const { credentials, ...account } = demo(tokenOf, scopes)
  return {
    username: name,
    display_name: `${id[0]!.toUpperCase()}${id.slice(1)} Demo`,
    avatar_url: `${sandboxUrl}/avatars/${id === "sandbox" ? "demo" : name}`,
    token_expires_at: null,
    ...(page === undefined ? {} : { scopes }),
    ...account,
    credentials: Redacted.make(credentials)
  }
}

const consentPage = (id: PlatformId, { authorizeUrl, logins }: NonNullable<Platform["oauth"]>) =>
  new URL(
    authorizeUrl({
      login: logins[0]!,
      redirect_uri: "",
      state: "",
      code_verifier: "",
      permissions: permissionsOf(id)
    })
  )
