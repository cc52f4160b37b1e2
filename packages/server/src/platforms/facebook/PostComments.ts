import { Effect, Schema } from "effect"
import type { Graph } from "../meta/Graph.ts"
import { refuseOfCommit } from "../meta/GraphErrors.ts"
import { plainWords } from "../PlainWords.ts"
import type { Platform } from "../Platform.ts"
import { refuseGraph } from "./FacebookErrors.ts"
import { readCredentials } from "./FacebookSignIn.ts"

const Created = Schema.Struct({ id: Schema.String })
const Comments = Schema.Struct({
  data: Schema.Array(
    Schema.Struct({
      id: Schema.String,
      message: Schema.optionalKey(Schema.String),
      from: Schema.optionalKey(Schema.Struct({ id: Schema.String }))
    })
  )
})

const newest = 50
/** 50 comments of 8,000 characters each, of which each may be written as six bytes. */
const commentsAnswer = newest * 48 * 1024

/** https://developers.facebook.com/docs/graph-api/reference/object/comments */
export const postComments = ({ get, post: send }: Graph<"facebook">): NonNullable<Platform["comments"]> => ({
  create: Effect.fn("Facebook.comment")(function* ({ post, text }, credentials) {
    const { token } = yield* readCredentials(credentials)
    const page = { login: "facebook", token } as const
    const { id } = yield* send(page, `${post.id}/comments`, { message: text }, Created, {
      commit: true,
      refuse: refuseOfCommit(refuseGraph)
    })
    return id
  }),

  find: Effect.fn("Facebook.findComment")(function* ({ post, remote_id, text }, credentials) {
    const { token } = yield* readCredentials(credentials)
    const { data } = yield* get(
      { login: "facebook", token },
      `${post.id}/comments`,
      { fields: "id,message,from", order: "reverse_chronological", limit: String(newest) },
      Comments,
      { maxAnswerBytes: commentsAnswer }
    )
    const words = plainWords(text)
    const alike = data.filter(({ message = "" }) => plainWords(message) === words)
    const own = alike.find(({ from }) => from?.id === remote_id)
    if (own !== undefined) return own
    const isOpen = data.length === newest || alike.some(({ from }) => from === undefined)
    return isOpen ? "unknown" : "not_published"
  })
})
