import { Effect } from "effect"
import type { HttpClient } from "effect/http"
import type { ConnectedApp } from "../ConnectedApp.ts"
import { makeGraph } from "../meta/Graph.ts"
import { longLivedToken } from "../meta/LongLivedToken.ts"
import { refuseThreads } from "./ThreadsErrors.ts"

export const ThreadsCredentials = longLivedToken("threads")
export type ThreadsCredentials = typeof ThreadsCredentials.Type

export const host = "graph.threads.net"

/** The Threads API, which has a version of its own. */
export const threadsGraph = (httpClient: HttpClient.HttpClient, app: ConnectedApp) =>
  makeGraph<"threads">(httpClient, {
    name: "Threads",
    root: () => Effect.succeed(`${app.at(host)}/v1.0`),
    refuse: refuseThreads
  })

export type ThreadsGraph = ReturnType<typeof threadsGraph>
