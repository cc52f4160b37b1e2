import { type Instance, PlatformId } from "@carillon/domain"
import { Context, Duration, Effect, Layer, Option } from "effect"
import { HttpClient } from "effect/http"
import { AppConfig } from "../AppConfig.ts"
import { layerCheckingClient } from "../http/SendGuard.ts"
import { isPublicUrl } from "../http/PublicAddress.ts"
import { RemoteFetch } from "../http/RemoteFetch.ts"
import { makeBluesky } from "./bluesky/Bluesky.ts"
import { makeInstagram } from "./instagram/Instagram.ts"
import { instagramApps } from "./instagram/InstagramApps.ts"
import type { Platform } from "./Platform.ts"
import { makePinterest } from "./pinterest/Pinterest.ts"
import { connectedApp } from "./PlatformApps.ts"
import { makeSandbox } from "./Sandbox.ts"
import { makeTikTok } from "./tiktok/TikTok.ts"
import { Quota } from "./youtube/Quota.ts"
import { makeYouTube } from "./youtube/YouTube.ts"

/** The adapters of this instance. */
export class Platforms extends Context.Service<
  Platforms,
  {
    /** None for a platform that this release or this instance does not publish to. */
    get(id: PlatformId): Option.Option<Platform>
    /** The environment variables that would add a missing platform; none: nothing would. */
    settings(id: PlatformId): Option.Option<ReadonlyArray<string>>
    readonly all: ReadonlyArray<Platform>
    /** The platforms of which accounts can be connected, and those that only want the operator's settings. */
    readonly connectable: Instance["connectable"]
    /** The platforms that cannot fetch from this instance: PUBLIC_URL is no https address on a public host. */
    readonly unreached: ReadonlyArray<PlatformId>
  }
>()("@carillon/server/platforms/Platforms") {
  static readonly layerNoDeps = Layer.effect(
    Platforms,
    Effect.gen(function* () {
      const config = yield* AppConfig
      // For the sandbox, whose address is ours; every address from a user goes through the guarded client.
      const client = yield* HttpClient.HttpClient
      const guarded = yield* RemoteFetch
      const bluesky = makeBluesky(guarded.client, {
        plc_directory: "https://plc.directory",
        handle_resolver: "https://public.api.bsky.app",
        allow_http: config.allowPrivateHosts
      })
      const sandbox = Option.map(config.sandboxUrl, (url) =>
        makeSandbox(client, url, config.sandboxSettleWait)
      )
      const quota = yield* Quota
      const youtube = Option.map(connectedApp(config, "google"), (app) => makeYouTube(client, app, quota))
      const instagram = Option.map(instagramApps(config), ({ apps, stand_in }) =>
        makeInstagram(client, {
          apps,
          stand_in,
          version: config.metaGraphVersion,
          settle_wait: stand_in ? config.sandboxSettleWait : Duration.seconds(10)
        })
      )
      const tiktok = Option.map(connectedApp(config, "tiktok"), (app) => makeTikTok(client, app))
      const pinterest = Option.map(connectedApp(config, "pinterest"), (app) =>
        makePinterest(client, app, app.stand_in ? { settle_wait: config.sandboxSettleWait } : {})
      )
      return registryOf(
        [bluesky, ...[tiktok, instagram, youtube, pinterest, sandbox].flatMap(Option.toArray)],
        isPublicUrl(config.publicUrl)
      )
    })
  )

  static readonly layer = Platforms.layerNoDeps.pipe(
    Layer.provide([layerCheckingClient, RemoteFetch.layer, Quota.layer])
  )

  /** Just these adapters. */
  static readonly layerOf = (all: ReadonlyArray<Platform>) => Layer.succeed(Platforms, registryOf(all))
}

const registryOf = (all: ReadonlyArray<Platform>, reachable = true) => {
  const byId = new Map(all.map((platform) => [platform.id, platform]))
  return Platforms.of({
    all,
    connectable: PlatformId.literals.flatMap((platform) => {
      const adapter = byId.get(platform)
      const wantsApp = appSettings[platform] !== undefined
      if (adapter === undefined && !wantsApp) return []
      const by = wantsApp || adapter?.oauth !== undefined ? "consent" : "credentials"
      return [{ platform, by, configured: adapter !== undefined }]
    }),
    unreached: all.flatMap(({ id, stand_in }) => (reachable || stand_in ? [] : [id])),
    get: (id) => Option.fromUndefinedOr(byId.get(id)),
    settings: (id) => Option.fromUndefinedOr(appSettings[id])
  })
}

/** The operator's settings for each platform that wants an app of theirs. */
const appSettings: Partial<Record<PlatformId, ReadonlyArray<string>>> = {
  tiktok: ["TIKTOK_CLIENT_KEY", "TIKTOK_CLIENT_SECRET"],
  instagram: ["INSTAGRAM_APP_ID", "INSTAGRAM_APP_SECRET"],
  youtube: ["GOOGLE_CLIENT_ID", "GOOGLE_CLIENT_SECRET"],
  pinterest: ["PINTEREST_APP_ID", "PINTEREST_APP_SECRET"]
}
