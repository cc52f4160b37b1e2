import { Effect } from "effect"
import type { HttpClient } from "effect/http"
import type { ConnectedApp } from "../ConnectedApp.ts"
import { makeGraph } from "../meta/Graph.ts"
import { PublishError } from "../Platform.ts"
import { refuseGraph } from "./GraphErrors.ts"

/** The app of each login that is set up here. */
export interface InstagramApps {
  readonly instagram?: ConnectedApp
  readonly facebook?: ConnectedApp
}

export type Login = keyof InstagramApps

const hosts = { instagram: "graph.instagram.com", facebook: "graph.facebook.com" } as const

/** The Graph API on the host of an account's login; `version` as in `v25.0`. */
export const instagramGraph = (httpClient: HttpClient.HttpClient, apps: InstagramApps, version: string) => {
  const appOf = (login: Login) => {
    const app = apps[login]
    return app === undefined
      ? Effect.fail(
          new PublishError({
            class: "config",
            code: "platform_not_configured",
            message: `This instance is no longer set up for Instagram accounts connected with ${login === "facebook" ? "Facebook" : "Instagram"} Login. Tell the operator.`
          })
        )
      : Effect.succeed(app)
  }
  const graph = makeGraph<Login>(httpClient, {
    name: "Instagram",
    root: (login) => Effect.map(appOf(login), (app) => `${app.at(hosts[login])}/${version}`),
    refuse: refuseGraph
  })
  return { ...graph, appOf, version }
}

export type InstagramGraph = ReturnType<typeof instagramGraph>
