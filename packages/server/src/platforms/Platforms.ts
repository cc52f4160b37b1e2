import {
  type AccountNetwork,
  appsOf,
  connectForm,
  type CredentialForm,
  credentialForms,
  type Instance,
  PlatformId
} from "@carillon/domain"
import { Context, DateTime, Duration, Effect, Layer, Option, Semaphore } from "effect"
import { HttpClient } from "effect/http"
import { AppConfig } from "../AppConfig.ts"
import { layerCheckingClient } from "../http/SendGuard.ts"
import { isPublicUrl } from "../http/PublicAddress.ts"
import { RemoteFetch } from "../http/RemoteFetch.ts"
import { makeBluesky } from "./bluesky/Bluesky.ts"
import { type ConnectedApps, connectedApps, hostsOf } from "./ConnectedApp.ts"
import { makeDiscord } from "./discord/Discord.ts"
import { makeFacebook } from "./facebook/Facebook.ts"
import { withSharedClient } from "./google/SharedClient.ts"
import { makeGoogleBusiness } from "./google_business/GoogleBusiness.ts"
import { makeInstagram } from "./instagram/Instagram.ts"
import { versionWarning } from "./linkedin/ApiVersion.ts"
import { makeLinkedIn } from "./linkedin/LinkedIn.ts"
import { makeMastodon } from "./mastodon/Mastodon.ts"
import { MastodonApps } from "./mastodon/MastodonApps.ts"
import type { Credentials, Platform, PublishError } from "./Platform.ts"
import { makePinterest } from "./pinterest/Pinterest.ts"
import { makeSandbox } from "./Sandbox.ts"
import { StoredApps } from "./StoredApps.ts"
import { makeTelegram } from "./telegram/Telegram.ts"
import { isTestServer, staysOnTestNetwork } from "./TestNetwork.ts"
import { makeThreads } from "./threads/Threads.ts"
import { makeTikTok } from "./tiktok/TikTok.ts"
import { isMetered, Spending } from "./twitter/Spending.ts"
import { makeTwitter } from "./twitter/Twitter.ts"
import { Quota } from "./youtube/Quota.ts"
import { makeYouTube } from "./youtube/YouTube.ts"

/** The adapters of this instance. Those that want an app of the operator's change when one is set or removed. */
export class Platforms extends Context.Service<
  Platforms,
  {
    /** None for a platform that this release or this instance does not publish to. */
    get(id: PlatformId): Option.Option<Platform>
    readonly all: ReadonlyArray<Platform>
    /** The platforms of which accounts can be connected, and those that only want the operator's settings. */
    readonly connectable: Instance["connectable"]
    /** Whether the test network plays the platform for an account: for all, or for the one with these credentials. */
    networkOf(id: PlatformId, credentials: Credentials | null): Effect.Effect<AccountNetwork, PublishError>
    /** The platforms that cannot fetch from this instance: PUBLIC_URL is no https address on a public host. */
    readonly unreached: ReadonlyArray<PlatformId>
    /** Reads the apps that were entered here anew; in other processes that happens by itself. */
    readonly reload: Effect.Effect<void>
  }
>()("@carillon/server/platforms/Platforms") {
  static readonly layerNoDeps = Layer.effect(
    Platforms,
    Effect.gen(function* () {
      const config = yield* AppConfig
      const stored = yield* StoredApps
      const client = yield* HttpClient.HttpClient
      const guarded = yield* RemoteFetch
      const quota = yield* Quota
      const spending = yield* Spending
      const mastodonApps = yield* MastodonApps
      const withApps = (apps: ConnectedApps) =>
        registryOf(
          Object.values(adapters).flatMap(
            (make) => make({ config, client, guarded, quota, spending, mastodonApps, apps }) ?? []
          ),
          isPublicUrl(config.publicUrl),
          staysOnTestNetwork(config)
        )

      const read = Effect.map(stored.all, (apps) =>
        withApps(connectedApps(config, Object.fromEntries(apps.map((app) => [app.name, app]))))
      )
      yield* stored.reencrypt
      yield* mastodonApps.reencrypt
      let present = yield* read
      const outdated = versionWarning(config.linkedinVersion, yield* DateTime.now)
      if (
        outdated !== undefined &&
        Option.exists(present.get("linkedin"), ({ stand_in }) => stand_in !== true)
      )
        yield* Effect.logWarning(outdated)
      // One after the other: an older look must not replace what a newer one saw.
      const turns = yield* Semaphore.make(1)
      const reload = Effect.map(read, (registry) => {
        present = registry
      }).pipe(Semaphore.withPermit(turns))

      return Platforms.of({
        get: (id) => present.get(id),
        get all() {
          return present.all
        },
        get connectable() {
          return present.connectable
        },
        get unreached() {
          return present.unreached
        },
        networkOf: (id, credentials) => present.networkOf(id, credentials),
        reload
      })
    })
  )

  static readonly layer = Platforms.layerNoDeps.pipe(
    Layer.provide([
      layerCheckingClient,
      RemoteFetch.layer,
      Quota.layer,
      Spending.layer,
      StoredApps.layer,
      MastodonApps.layer
    ])
  )

  /** Just these adapters. */
  static readonly layerOf = (all: ReadonlyArray<Platform>) =>
    Layer.succeed(Platforms, Platforms.of({ ...registryOf(all), reload: Effect.void }))
}

interface Parts {
  readonly config: AppConfig["Service"]
  /** For addresses that are the operator's or ours; every address from a user goes through the guarded client. */
  readonly client: HttpClient.HttpClient
  readonly guarded: RemoteFetch["Service"]
  readonly quota: Quota["Service"]
  readonly spending: Spending["Service"]
  readonly mastodonApps: MastodonApps["Service"]
  readonly apps: ConnectedApps
}

/** The adapter of each platform that this release publishes to; undefined: this instance is not set up for it. */
const adapters: Readonly<Partial<Record<PlatformId, (parts: Parts) => Platform | undefined>>> = {
  bluesky: ({ client, config, guarded }) =>
    makeBluesky(guarded.client, client, {
      video_service: config.blueskyVideoUrl,
      plc_directory: config.blueskyPlcUrl,
      handle_resolver: "https://public.api.bsky.app",
      allow_http: config.allowPrivateHosts,
      download: guarded.download,
      ...testServersOf({ client, config })
    }),
  tiktok: ({ client, apps: { tiktok } }) => tiktok && makeTikTok(client, tiktok),
  instagram: ({ client, config, apps: { instagram, facebook } }) => {
    const app = instagram ?? facebook
    return (
      app &&
      makeInstagram(client, {
        apps: {
          ...(instagram === undefined ? {} : { instagram }),
          ...(facebook === undefined ? {} : { facebook })
        },
        stand_in: app.stand_in,
        version: config.metaGraphVersion,
        settle_wait: app.stand_in ? config.sandboxSettleWait : Duration.seconds(10)
      })
    )
  },
  facebook: ({ client, config, apps: { facebook_pages: app } }) =>
    app &&
    makeFacebook(client, app, {
      version: config.metaGraphVersion,
      settle_wait: app.stand_in ? config.sandboxSettleWait : Duration.seconds(15)
    }),
  youtube: ({ client, quota, apps: { google, google_business } }) =>
    google &&
    withSharedClient(makeYouTube(client, google, quota), google, "google_business", google_business),
  google_business: ({ client, config, apps: { google, google_business } }) =>
    google_business &&
    withSharedClient(
      makeGoogleBusiness(client, google_business, {
        settle_wait: google_business.stand_in ? config.sandboxSettleWait : Duration.seconds(10)
      }),
      google_business,
      "youtube",
      google
    ),
  pinterest: ({ client, config, apps: { pinterest } }) =>
    pinterest &&
    makePinterest(client, pinterest, pinterest.stand_in ? { settle_wait: config.sandboxSettleWait } : {}),
  twitter: ({ client, config, spending, apps: { twitter } }) =>
    twitter &&
    makeTwitter(client, twitter, {
      ...(twitter.stand_in ? { settle_wait: config.sandboxSettleWait } : {}),
      ...(isMetered(twitter) ? { spending } : {})
    }),
  linkedin: ({ client, config, guarded, apps: { linkedin, linkedin_pages } }) => {
    const app = linkedin ?? linkedin_pages
    return (
      app &&
      makeLinkedIn(client, {
        apps: {
          ...(linkedin === undefined ? {} : { linkedin }),
          ...(linkedin_pages === undefined ? {} : { linkedin_pages })
        },
        at: app.at,
        stand_in: app.stand_in,
        version: config.linkedinVersion,
        settle_wait: app.stand_in ? config.sandboxSettleWait : Duration.seconds(15),
        download: guarded.download
      })
    )
  },
  threads: ({ client, config, apps: { threads } }) =>
    threads &&
    makeThreads(client, threads, threads.stand_in ? { settle_wait: config.sandboxSettleWait } : {}),
  mastodon: ({ client, config, guarded, mastodonApps }) =>
    makeMastodon(guarded.client, {
      allow_http: config.allowPrivateHosts,
      apps: mastodonApps,
      website: config.publicUrl,
      ...testServersOf({ client, config })
    }),
  discord: ({ client, config, apps: { discord } }) =>
    playedAt(
      config,
      hostsOf(config)("discord.com"),
      makeDiscord(client, {
        at: hostsOf(config),
        public_url: config.publicUrl,
        app: discord,
        ...testNetworkOf(config)
      })
    ),
  telegram: ({ client, config }) => {
    const api = Option.getOrElse(config.telegramApiUrl, () => hostsOf(config)("api.telegram.org"))
    return playedAt(
      config,
      api,
      makeTelegram(client, { api, is_own: Option.isSome(config.telegramApiUrl), ...testNetworkOf(config) })
    )
  },
  sandbox: ({ client, config }) =>
    Option.getOrUndefined(
      Option.map(config.sandboxUrl, (url) => makeSandbox(client, url, config.sandboxSettleWait))
    )
}

/** A platform at this address, which may be the test network's. */
const playedAt = (config: AppConfig["Service"], address: string, platform: Platform): Platform => ({
  ...platform,
  stand_in: staysOnTestNetwork(config)(address)
})

/** For platforms whose accounts say themselves whether they are the test network's. */
const testNetworkOf = ({ sandboxUrl }: AppConfig["Service"]) =>
  Option.match(sandboxUrl, {
    onNone: () => ({}),
    onSome: (url) => ({ test_network: (host: string) => `${url}/${host}` })
  })

/** For platforms whose servers people name. */
const testServersOf = ({ client, config: { sandboxUrl } }: Pick<Parts, "client" | "config">) =>
  Option.match(sandboxUrl, {
    onNone: () => ({}),
    onSome: (url) => ({ test_network: { client, at: (host: string) => `${url}/${host}` } })
  })

const forms: Readonly<Partial<Record<PlatformId, CredentialForm>>> = credentialForms

const registryOf = (all: ReadonlyArray<Platform>, reachable = true, isTest = isTestServer) => {
  const byId = new Map(all.map((platform) => [platform.id, platform]))
  const networkOfAll = (id: PlatformId): AccountNetwork =>
    id === "sandbox" || byId.get(id)?.stand_in === true ? "test" : "real"
  return {
    all,
    networkOf: (id: PlatformId, credentials: Credentials | null) => {
      const ofAll = networkOfAll(id)
      const server = credentials === null ? undefined : byId.get(id)?.serverOf?.(credentials)
      return ofAll === "test" || server === undefined
        ? Effect.succeed(ofAll)
        : Effect.map(server, (address): AccountNetwork => (isTest(address) ? "test" : "real"))
    },
    connectable: PlatformId.literals.flatMap((platform): Instance["connectable"] => {
      const adapter = byId.get(platform)
      const wantsApp = appsOf(platform).length > 0
      if (adapter === undefined && !wantsApp) return []
      const form = forms[platform]
      const by = adapter?.oauth !== undefined || (wantsApp && form === undefined) ? "consent" : "credentials"
      return [
        {
          platform,
          by,
          configured: adapter !== undefined,
          network: networkOfAll(platform),
          logins: adapter?.oauth?.logins ?? [],
          form: form === undefined ? null : connectForm(form)
        }
      ]
    }),
    unreached: all.flatMap(({ id, stand_in }) => (reachable || stand_in ? [] : [id])),
    get: (id: PlatformId) => Option.fromUndefinedOr(byId.get(id))
  }
}
