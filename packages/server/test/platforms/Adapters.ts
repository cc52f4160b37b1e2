import type { PlatformId, Publication } from "@carillon/sandbox/testing"
import type { ConnectedApp } from "@carillon/server/platforms/ConnectedApp"
import type { Platform } from "@carillon/server/platforms/Platform"
import { makeBluesky } from "@carillon/server/platforms/bluesky/Bluesky"
import { makeDiscord } from "@carillon/server/platforms/discord/Discord"
import { makeGoogleBusiness } from "@carillon/server/platforms/google_business/GoogleBusiness"
import { makeFacebook } from "@carillon/server/platforms/facebook/Facebook"
import { makeInstagram } from "@carillon/server/platforms/instagram/Instagram"
import { makeLinkedIn } from "@carillon/server/platforms/linkedin/LinkedIn"
import { makeMastodon } from "@carillon/server/platforms/mastodon/Mastodon"
import { makePinterest } from "@carillon/server/platforms/pinterest/Pinterest"
import { makeSandbox } from "@carillon/server/platforms/Sandbox"
import { makeTelegram } from "@carillon/server/platforms/telegram/Telegram"
import { makeThreads } from "@carillon/server/platforms/threads/Threads"
import { makeTikTok } from "@carillon/server/platforms/tiktok/TikTok"
import { makeTwitter } from "@carillon/server/platforms/twitter/Twitter"
import { makeYouTube } from "@carillon/server/platforms/youtube/YouTube"
import { Duration, Effect, Stream } from "effect"
import type { HttpClient } from "effect/http"

/** A network's adapter, for accounts of one login. */
export interface Adapter {
  readonly network: PlatformId
  readonly login: string
  /** `url`: the test network's. */
  readonly make: (client: HttpClient.HttpClient, app: ConnectedApp, url: string) => Platform
  /** The ends of scopes of which one is needed to publish; the first is asked for where none was granted. */
  readonly needed?: ReadonlyArray<string>
  /** `last`: its tokens never end. `session`: they are renewed by the call that scripts name `session`. `end`: by another. */
  readonly tokens: "last" | "session" | "end"
  /** What it says of too many calls holds until midnight in UTC. */
  readonly daily?: true
  /** Its id of a post, where that is not the test network's own. */
  readonly idOf?: (publication: Publication) => string
}

const instagram: Adapter["make"] = (client, app) =>
  makeInstagram(client, {
    apps: { instagram: app, facebook: app },
    version: "v25.0",
    stand_in: true,
    settle_wait: Duration.seconds(1)
  })
const page = (url: string) =>
  Effect.succeed({
    url,
    content_type: "text/html",
    declared_bytes: null,
    file_name: null,
    content: Stream.succeed(new TextEncoder().encode("<title>The test network</title>"))
  })
const linkedin: Adapter["make"] = (client, app) =>
  makeLinkedIn(client, {
    apps: { linkedin: app, linkedin_pages: app },
    at: app.at,
    version: "202607",
    stand_in: true,
    settle_wait: Duration.millis(1),
    download: page
  })
const urn = ({ id, media }: Publication) =>
  `urn:li:${media[0]?.content_type === "video/mp4" ? "ugcPost" : "share"}:${id}`
const messageId = ({ details }: Publication) => String(details?.["message_id"])
const at = (url: string) => (host: string) => `${url}/${host}`

/** By network, or by the login of an account that is not the network's usual one. */
export const adapters = {
  sandbox: {
    network: "sandbox",
    login: "sandbox",
    tokens: "session",
    make: (client, _app, url) => makeSandbox(client, url)
  },
  telegram: {
    network: "telegram",
    login: "telegram",
    tokens: "last",
    idOf: messageId,
    make: (client, _app, url) =>
      makeTelegram(client, { api: "https://api.telegram.org", test_network: at(url) })
  },
  discord: {
    network: "discord",
    login: "discord",
    tokens: "last",
    idOf: messageId,
    make: (client, _app, url) =>
      makeDiscord(client, {
        public_url: "https://carillon.test",
        at: () => "http://127.0.0.1:9",
        test_network: at(url)
      })
  },
  bluesky: {
    network: "bluesky",
    login: "bluesky",
    tokens: "session",
    idOf: ({ details }) => String(details?.["uri"]),
    make: (client, _app, url) =>
      makeBluesky(client, client, {
        video_service: "https://video.bsky.app",
        plc_directory: "https://plc.example",
        handle_resolver: "https://resolver.example",
        allow_http: false,
        download: page,
        test_network: { client, at: at(url) }
      })
  },
  tiktok: {
    network: "tiktok",
    login: "tiktok",
    tokens: "session",
    needed: ["video.publish"],
    make: makeTikTok
  },
  instagram: {
    network: "instagram",
    login: "instagram",
    tokens: "end",
    needed: ["instagram_business_content_publish"],
    make: instagram
  },
  instagram_facebook: {
    network: "instagram",
    login: "facebook",
    tokens: "end",
    needed: ["pages_read_engagement"],
    make: instagram
  },
  facebook: {
    network: "facebook",
    login: "facebook_pages",
    tokens: "end",
    needed: ["pages_manage_posts"],
    idOf: ({ details, id }) => String(details?.["video_id"] ?? `${details?.["page_id"]}_${id}`),
    make: (client, app) => makeFacebook(client, app, { version: "v25.0", settle_wait: Duration.millis(1) })
  },
  threads: {
    network: "threads",
    login: "threads",
    tokens: "end",
    needed: ["threads_content_publish"],
    make: (client, app) => makeThreads(client, app, { settle_wait: Duration.seconds(1) })
  },
  youtube: {
    network: "youtube",
    login: "google",
    tokens: "session",
    // The same number, in eleven characters.
    idOf: ({ id }) => Buffer.from(BigInt(id).toString(16).padStart(16, "0"), "hex").toString("base64url"),
    needed: ["youtube.upload", "/youtube", "/youtube.force-ssl"],
    make: (client, app) => makeYouTube(client, app, { take: () => Effect.void })
  },
  google_business: {
    network: "google_business",
    login: "google_business",
    tokens: "session",
    needed: ["business.manage"],
    idOf: ({ details }) => String(details?.["name"]).replace(/^accounts\/\d+\//, ""),
    make: (client, app) => makeGoogleBusiness(client, app, { settle_wait: Duration.millis(1) })
  },
  pinterest: {
    network: "pinterest",
    login: "pinterest",
    tokens: "session",
    needed: ["pins:write"],
    make: (client, app) => makePinterest(client, app)
  },
  twitter: {
    network: "twitter",
    login: "twitter",
    tokens: "session",
    needed: ["tweet.write"],
    make: (client, app) => makeTwitter(client, app)
  },
  linkedin: {
    network: "linkedin",
    login: "linkedin",
    tokens: "end",
    daily: true,
    idOf: urn,
    needed: ["w_member_social"],
    make: linkedin
  },
  linkedin_pages: {
    network: "linkedin",
    login: "linkedin_pages",
    tokens: "session",
    daily: true,
    idOf: urn,
    needed: ["w_organization_social"],
    make: linkedin
  },
  mastodon: {
    network: "mastodon",
    login: "mastodon",
    tokens: "last",
    needed: ["write:statuses"],
    make: (client, _app, url) =>
      makeMastodon(client, {
        allow_http: false,
        test_network: { client, at: at(url) },
        apps: { obtain: (_place, _isKnown, register) => register, admit: () => Effect.void },
        website: "http://127.0.0.1:9"
      })
  }
} satisfies Readonly<Record<PlatformId | "instagram_facebook" | "linkedin_pages", Adapter>>
