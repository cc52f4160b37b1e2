import type { Handle } from "@carillon/server/engine/Handle"
import type { PublishRequest } from "@carillon/server/platforms/Platform"
import { makeThreads } from "@carillon/server/platforms/threads/Threads"
import { Duration, Effect, Redacted } from "effect"
import { HttpClient } from "effect/http"
import { type Received, type Reply, scriptedServer } from "./ScriptedServer.ts"
import { request, savedHandles } from "./TestRequest.ts"

export const user = "17841400000000001"
const permalink = "https://www.threads.com/@alice/post/DAbc-1"

export const post = (values: Partial<PublishRequest> = {}) =>
  request({ remote_id: user, username: "alice", ...values })

export const credentials = (issued_at = "2026-01-01T00:00:00.000Z") =>
  Redacted.make({ login: "threads", token: "t0ken-of-alice", issued_at })

const answers: ReadonlyArray<readonly [call: RegExp, json: object]> = [
  [/^GET \/(refresh_)?access_token$/, { access_token: "a-l0ng-token", expires_in: 5_184_000 }],
  [/^POST \/oauth\/access_token$/, { access_token: "a-sh0rt-token", user_id: user }],
  [/^GET \/v1\.0\/me$/, { id: user, username: "alice", name: "Alice" }],
  [
    /^GET \/v1\.0\/debug_token$/,
    { data: { scopes: ["threads_basic", "threads_content_publish", "threads_location_tagging"] } }
  ],
  [/\/threads_publish$/, { id: "900" }],
  [/\/threads_publishing_limit$/, { data: [{ quota_usage: 1, config: { quota_total: 250 } }] }],
  [/^GET .*\/(threads|replies|ghost_posts)$/, { data: [] }],
  [/^GET \/v1\.0\/900$/, { id: "900", permalink }],
  [/^GET \/v1\.0\/\d+$/, { status: "FINISHED" }]
]

export const callOf = ({ method, path }: Pick<Received, "method" | "path">) =>
  `${method} ${path.replace(/^\/graph\.threads\.net/, "")}`

export const formOf = ({ body }: Received): Record<string, string> =>
  Object.fromEntries(new URLSearchParams(body.toString("utf8")))

/** Threads as its documents have it, where the script says nothing else. Containers are 1, 2, 3; the post is 900. */
export const threads = Effect.fnUntraced(function* (
  script: (received: Received) => Reply | undefined = () => undefined
) {
  let made = 0
  const server = yield* scriptedServer((received) => {
    const call = callOf(received)
    const usual = answers.find(([known]) => known.test(call))?.[1] ?? { id: String((made += 1)) }
    return script(received) ?? { status: 200, json: usual }
  })
  const platform = makeThreads(
    yield* HttpClient.HttpClient,
    {
      id: "990602627938098",
      secret: Redacted.make("a-very-s3cret-value"),
      at: (host) => `${server.url}/${host}`,
      stand_in: true
    },
    { settle_wait: Duration.millis(1) }
  )
  const { all: saved, save } = yield* savedHandles
  const one = credentials()
  const prepare = (values: Partial<PublishRequest> = {}, handle: Handle | null = null) =>
    platform.prepare(post(values), one, handle, save)
  /** All of a post, in which nothing waits. */
  const publish = Effect.fnUntraced(function* (values: Partial<PublishRequest> = {}) {
    const { handle } = yield* prepare(values)
    return yield* platform.commit(post(values), one, handle)
  })
  /** The parameters of the containers that were made. */
  const containers = () =>
    server.received.filter((received) => /^POST \S+\/threads$/.test(callOf(received))).map(formOf)
  const calls = () => server.received.map(callOf)
  return { calls, containers, platform, prepare, publish, received: server.received, saved }
})
