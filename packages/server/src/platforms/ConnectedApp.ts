import { appsOf, credentialForms, type PlatformAppName, platformApps } from "@carillon/domain"
import { Option, Record, Redacted } from "effect"
import type { AppConfig, RegisteredApp } from "../AppConfig.ts"

/** The app that connects a platform's accounts, and the platform's addresses. */
export interface ConnectedApp extends RegisteredApp {
  /** The address of one of the platform's hosts. */
  readonly at: (host: string) => string
  /** It is the test network. */
  readonly stand_in: boolean
  /** The scopes that it may ask for, if fewer than all that the service uses. */
  readonly scopes?: ReadonlyArray<string>
}

/** The source of an app. */
export type AppSource = "environment" | "stored" | "test_network"

export interface FoundApp extends ConnectedApp {
  readonly source: AppSource
}

/** The apps that were entered here. */
export type StoredAppsByName = Readonly<Partial<Record<PlatformAppName, RegisteredApp>>>

/** The addresses of a platform's hosts. Only a setting of the operator's sends anything to others. */
export const hostsOf =
  ({ platformsUrl }: Pick<AppConfig["Service"], "platformsUrl">) =>
  (host: string) =>
    Option.match(platformsUrl, { onNone: () => `https://${host}`, onSome: (url) => `${url}/${host}` })

/** An app of the operator's, with the addresses at which its platform is asked. */
export const atItsPlatform = (
  { platformsUrl, tiktokScopes }: AppConfig["Service"],
  name: PlatformAppName,
  { bot_token, id, secret }: RegisteredApp
): ConnectedApp => ({
  id,
  secret,
  ...(bot_token === undefined ? {} : { bot_token }),
  at: hostsOf({ platformsUrl }),
  stand_in: Option.isSome(platformsUrl),
  ...(name === "tiktok" && Option.isSome(tiktokScopes) ? { scopes: tiktokScopes.value } : {})
})

/**
 * The operator's own app at the real platform, that of the environment first; without one the test network's stand-in, which
 * keeps every host of every platform under its own address with the same paths; without that there is none.
 */
export const connectedApps = (config: AppConfig["Service"], stored: StoredAppsByName) => {
  const own = (name: PlatformAppName): FoundApp | undefined => {
    const given = Option.getOrUndefined(config.apps[name])
    const registered = given ?? stored[name]
    return registered === undefined
      ? undefined
      : {
          ...atItsPlatform(config, name, registered),
          source: given === undefined ? "stored" : "environment"
        }
  }
  const played = Option.getOrUndefined(
    Option.map(config.sandboxUrl, (url): FoundApp => ({
      id: "sandbox",
      secret: Redacted.make("sandbox"),
      at: (host) => `${url}/${host}`,
      stand_in: true,
      source: "test_network"
    }))
  )
  return Record.map(platformApps, ({ platform }, name): FoundApp | undefined => {
    const app = own(name)
    if (app !== undefined) return app
    // What can be connected without an app waits for the operator's own.
    if (platform in credentialForms) return undefined
    // Each login has an app of its own. The test network plays all of a platform, but none beside an app of the operator's.
    return appsOf(platform).some((other) => own(other) !== undefined) ? undefined : played
  })
}

export type ConnectedApps = ReturnType<typeof connectedApps>
