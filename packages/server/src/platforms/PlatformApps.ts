import { Option, Redacted } from "effect"
import type { AppConfig, PlatformApp } from "../AppConfig.ts"

/** The app that connects a platform's accounts, and the platform's addresses. */
export interface ConnectedApp extends PlatformApp {
  /** The address of one of the platform's hosts. */
  readonly at: (host: string) => string
  /** It is the test network. */
  readonly stand_in: boolean
}

/**
 * The operator's own app at the real platform; without one the test network's stand-in, which keeps every host of every
 * platform under its own address with the same paths; without that the platform is not offered.
 */
export const connectedApp = (
  { apps, sandboxUrl }: AppConfig["Service"],
  platform: keyof AppConfig["Service"]["apps"]
): Option.Option<ConnectedApp> =>
  Option.match(apps[platform], {
    onSome: (app) => Option.some({ ...app, at: (host) => `https://${host}`, stand_in: false }),
    onNone: () =>
      Option.map(sandboxUrl, (url) => ({
        id: "sandbox",
        secret: Redacted.make("sandbox"),
        at: (host) => `${url}/${host}`,
        stand_in: true
      }))
  })
