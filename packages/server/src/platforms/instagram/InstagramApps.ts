import { Option } from "effect"
import type { AppConfig } from "../../AppConfig.ts"
import { connectedApp } from "../PlatformApps.ts"
import type { InstagramApps } from "./Graph.ts"

/** Each login has an app of its own. The test network plays both, but none beside an app of the operator's. */
export const instagramApps = (
  config: AppConfig["Service"]
): Option.Option<{ readonly apps: InstagramApps; readonly stand_in: boolean }> => {
  const own = Option.isSome(config.apps.instagram) || Option.isSome(config.apps.facebook)
  const app = (login: "instagram" | "facebook") =>
    own && Option.isNone(config.apps[login]) ? Option.none() : connectedApp(config, login)
  const apps: InstagramApps = {
    ...Option.match(app("instagram"), { onNone: () => ({}), onSome: (instagram) => ({ instagram }) }),
    ...Option.match(app("facebook"), { onNone: () => ({}), onSome: (facebook) => ({ facebook }) })
  }
  return Object.keys(apps).length === 0 ? Option.none() : Option.some({ apps, stand_in: !own })
}
