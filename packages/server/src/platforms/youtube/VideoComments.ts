import { Effect, Schema } from "effect"
import { HttpBody } from "effect/http"
import type { ConnectedApp } from "../ConnectedApp.ts"
import type { Platform } from "../Platform.ts"
import { shortAnswer } from "../PlatformHttp.ts"
import { readCredentials } from "./ChannelAccess.ts"
import { cost, type MeteredCalls } from "./MeteredCalls.ts"

const Thread = Schema.Struct({
  id: Schema.String,
  snippet: Schema.Struct({
    topLevelComment: Schema.Struct({
      snippet: Schema.Struct({
        /** Only of the caller's own comments. */
        textOriginal: Schema.optionalKey(Schema.String),
        authorChannelId: Schema.optionalKey(Schema.Struct({ value: Schema.String }))
      })
    })
  })
})
const Threads = Schema.Struct({ items: Schema.optionalKey(Schema.Array(Thread)) })

const newest = 50
/** Each comment of 10,000 characters comes twice, and a character may be written as six bytes. */
const threadsAnswer = newest * 2 * 64 * 1024

/** https://developers.google.com/youtube/v3/docs/commentThreads */
export const videoComments = (
  metered: MeteredCalls,
  app: ConnectedApp
): NonNullable<Platform["comments"]> => {
  const url = `${app.at("www.googleapis.com")}/youtube/v3/commentThreads`

  return {
    create: Effect.fn("YouTube.comment")(function* ({ post, remote_id, text }, credentials) {
      const { access_token: bearer } = yield* readCredentials(credentials)
      const { id } = yield* metered("units", cost.comment, {
        method: "POST",
        url,
        query: { part: "snippet" },
        bearer,
        body: HttpBody.jsonUnsafe({
          snippet: {
            channelId: remote_id,
            videoId: post.id,
            topLevelComment: { snippet: { textOriginal: text } }
          }
        }),
        commit: true,
        maxAnswerBytes: shortAnswer,
        answer: Schema.Struct({ id: Schema.String })
      })
      return id
    }),

    find: Effect.fn("YouTube.findComment")(function* ({ post, remote_id, text }, credentials) {
      const { access_token: bearer } = yield* readCredentials(credentials)
      const { items = [] } = yield* metered("units", cost.list, {
        method: "GET",
        url,
        query: { part: "snippet", videoId: post.id, order: "time", maxResults: String(newest) },
        bearer,
        maxAnswerBytes: threadsAnswer,
        answer: Threads
      })
      const found = items.find(({ snippet: { topLevelComment } }) => {
        const { authorChannelId, textOriginal } = topLevelComment.snippet
        return authorChannelId?.value === remote_id && textOriginal?.trim() === text.trim()
      })
      return found ?? "not_published"
    })
  }
}
