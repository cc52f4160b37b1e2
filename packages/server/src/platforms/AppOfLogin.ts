import { Effect } from "effect"
import type { ConnectedApp } from "./ConnectedApp.ts"
import { PublishError } from "./Platform.ts"

/** The app that a login goes through, on platforms of several; `what` is connected with it. */
export const appOfLogin = <Login extends string>(
  apps: { readonly [login in Login]?: ConnectedApp },
  login: Login,
  what: string
): Effect.Effect<ConnectedApp, PublishError> => {
  const app = apps[login]
  return app === undefined
    ? Effect.fail(
        new PublishError({
          class: "config",
          code: "platform_not_configured",
          message: `This instance is no longer set up for ${what}. Tell the operator.`
        })
      )
    : Effect.succeed(app)
}
