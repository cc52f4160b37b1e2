import { Effect } from "effect"
import type { HttpClient } from "effect/http"
import { appOfLogin } from "../AppOfLogin.ts"
import type { ConnectedApp } from "../ConnectedApp.ts"
import { makeGraph } from "../meta/Graph.ts"
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
  const appOf = (login: Login) =>
    appOfLogin(
      apps,
      login,
      `Instagram accounts connected with ${login === "facebook" ? "Facebook" : "Instagram"} Login`
    )
  const graph = makeGraph<Login>(httpClient, {
    name: "Instagram",
    root: (login) => Effect.map(appOf(login), (app) => `${app.at(hosts[login])}/${version}`),
    refuse: refuseGraph
  })
  return { ...graph, appOf, version }
}

export type InstagramGraph = ReturnType<typeof instagramGraph>
