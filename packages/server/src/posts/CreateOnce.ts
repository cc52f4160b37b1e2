import type { CreatePost } from "@carillon/domain"
import { Effect } from "effect"
import type { HttpServerResponse } from "effect/http"
import { CurrentRecord, keyTaken } from "../http/Idempotency.ts"
import type { Created, Posts } from "./Posts.ts"

/** Creates a post. If the request has an idempotency key, the answer is stored in the same statement. */
export const createOnce = Effect.fnUntraced(function* (
  posts: Posts["Service"],
  request: CreatePost,
  answerOf: (created: Created) => HttpServerResponse.HttpServerResponse
) {
  const record = yield* CurrentRecord
  let answer: HttpServerResponse.HttpServerResponse | undefined
  const created = posts.create(
    request,
    record && ((post) => record((answer = answerOf(post)), post.post.created_at))
  )
  return yield* created.pipe(
    Effect.map((post) => answer ?? answerOf(post)),
    Effect.catchTag("KeyTaken", () => Effect.succeed(keyTaken))
  )
})
