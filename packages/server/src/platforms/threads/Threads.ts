import { platformRules } from "@carillon/domain"
import { Duration, Effect, Schema } from "effect"
import type { HttpClient } from "effect/http"
import type { ConnectedApp } from "../ConnectedApp.ts"
import { containerExpired } from "../meta/ContainerWait.ts"
import { refuseOfAccount } from "../meta/GraphErrors.ts"
import { PublishingLimit, requireRoom } from "../meta/PublishingLimit.ts"
import { type Platform, PublishError, type PublishRequest, withWarnings } from "../Platform.ts"
import { decodeCredentials } from "../StoredCredentials.ts"
import { threadsContainers } from "./Containers.ts"
import { ownPosts } from "./OwnPosts.ts"
import { notThere, refuseContainer, refusePublish, refuseThreads } from "./ThreadsErrors.ts"
import { ThreadsCredentials, threadsGraph } from "./ThreadsGraph.ts"
import { threadsSignIn } from "./ThreadsSignIn.ts"

const Created = Schema.Struct({ id: Schema.String })
const Permalink = Schema.Struct({ permalink: Schema.optionalKey(Schema.String) })

const decodeStored = decodeCredentials(ThreadsCredentials, "Threads")

/** Of a container that Threads does not know any more; it says nothing of its post. */
const gone = "gone"

const commitTimeout = Duration.seconds(60)

/** https://developers.facebook.com/documentation/threads/posts */
export const makeThreads = (
  httpClient: HttpClient.HttpClient,
  app: ConnectedApp,
  { settle_wait = Duration.seconds(10) }: { readonly settle_wait?: Duration.Duration } = {}
): Platform => {
  const graph = threadsGraph(httpClient, app)
  const { get, post } = graph
  const { oauth, renewed } = threadsSignIn(app, graph)
  const { find, parentOf } = ownPosts(graph)
  const { poll, prepare, prepared, statusOf } = threadsContainers(graph, parentOf)

  const requireQuota = ({ remote_id, thread, username }: PublishRequest, credentials: ThreadsCredentials) => {
    const kind = (thread?.index ?? 0) > 0 ? "replies" : "posts"
    // Both at once would take the permission that the number of replies takes.
    const fields = kind === "posts" ? "quota_usage,config" : "reply_quota_usage,reply_config"
    const limit = get(credentials, `${remote_id}/threads_publishing_limit`, { fields }, PublishingLimit, {
      refuse: refuseOfAccount("Threads", remote_id, refuseThreads)
    })
    return requireRoom("Threads", username, limit, kind)
  }

  return {
    id: "threads",
    rules: platformRules.threads,
    stand_in: app.stand_in,
    capabilities: {
      reconcile: () => "lookup",
      by_words: true,
      // Containers last 24 hours; a video of five minutes is processed for minutes.
      prepare_ahead: Duration.hours(1),
      // Threads wants about 30 seconds between a container and its publication.
      prepare_text_ahead: Duration.minutes(1),
      settle_wait,
      lookup_apart: settle_wait,
      concurrent_commits: 64,
      commit_timeout: commitTimeout
    },
    oauth,

    refresh: Effect.fn("Threads.refresh")(function* (stored) {
      return yield* renewed(Effect.succeed(app), yield* decodeStored(stored))
    }),

    prepare: Effect.fn("Threads.prepare")(function* (request, credentials, saved, save) {
      return yield* prepare(request, yield* decodeStored(credentials), saved, save)
    }),

    poll: Effect.fn("Threads.poll")(function* (request, credentials, saved) {
      return yield* poll(request, yield* decodeStored(credentials), saved)
    }),

    commit: Effect.fn("Threads.commit")(function* (request, credentials, saved) {
      const stored = yield* decodeStored(credentials)
      const { container, warnings } = yield* prepared(request, saved)
      yield* requireQuota(request, stored)
      const { id } = yield* post(
        stored,
        `${request.remote_id}/threads_publish`,
        { creation_id: container },
        Created,
        {
          commit: true,
          timeout: commitTimeout,
          refuse: refusePublish(request.remote_id)
        }
      )
      return withWarnings({ id, url: null, username: request.username }, warnings)
    }),

    reconcile: Effect.fn("Threads.reconcile")(function* (request, credentials, saved, taken) {
      const stored = yield* decodeStored(credentials)
      const { container, warnings } = yield* prepared(request, saved)
      const { error_message, status } = yield* statusOf(container, stored).pipe(
        Effect.catchIf(
          ({ code }) => code === notThere,
          () => Effect.succeed({ status: gone, error_message: undefined })
        )
      )
      const expired = { _tag: "refused", failure: containerExpired("Threads") } as const
      switch (status) {
        case "IN_PROGRESS":
          return { _tag: "working", handle: saved, ask_after: settle_wait } as const
        case "ERROR":
          return { _tag: "refused", failure: new PublishError(refuseContainer(error_message)) } as const
        case "EXPIRED":
          return expired
        case "PUBLISHED":
        case gone:
          break
        default:
          return { _tag: "not_published" } as const
      }
      const found = yield* find(request, stored, taken)
      if (found === null && status === gone) return expired
      // A published container proves the post, even if it cannot be found or told from others.
      const data = {
        id: found?.id ?? container,
        url: found?.permalink ?? null,
        username: request.username
      }
      return { _tag: "published", data: withWarnings(data, warnings) } as const
    }),

    confirm: Effect.fn("Threads.confirm")(function* (_request, credentials, _handle, data) {
      const stored = yield* decodeStored(credentials)
      const { permalink } = yield* get(stored, data.id, { fields: "permalink" }, Permalink)
      return { ...data, url: permalink ?? data.url }
    })
  }
}
