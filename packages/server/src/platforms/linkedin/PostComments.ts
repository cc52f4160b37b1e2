import { Effect, Schema } from "effect"
import type { Platform } from "../Platform.ts"
import type { LinkedInRest } from "./LinkedInRest.ts"
import { readCredentials } from "./LinkedInSignIn.ts"
import { isOrganization } from "./PostBody.ts"

const Created = Schema.Struct({ headers: Schema.Struct({ "x-restli-id": Schema.String }) })
const Comment = Schema.Struct({
  id: Schema.optionalKey(Schema.String),
  actor: Schema.String,
  message: Schema.optionalKey(Schema.Struct({ text: Schema.optionalKey(Schema.String) }))
})
const Comments = Schema.Struct({ elements: Schema.Array(Comment) })

const newest = 50
/** A comment has 1,250 characters, and LinkedIn adds who wrote it and when. */
const commentsAnswer = newest * 16 * 1024

/** https://learn.microsoft.com/linkedin/marketing/community-management/shares/network-update-social-actions */
export const postComments = ({ rest }: LinkedInRest): NonNullable<Platform["comments"]> => {
  const pathOf = (urn: string) => `socialActions/${encodeURIComponent(urn)}/comments`

  return {
    create: Effect.fn("LinkedIn.comment")(function* ({ post, remote_id, text }, credentials) {
      const { access_token: bearer } = yield* readCredentials(credentials)
      const { headers } = yield* rest({
        method: "POST",
        path: pathOf(post.id),
        bearer,
        json: { actor: remote_id, object: post.id, message: { text } },
        commit: true,
        format: "whole",
        answer: Created
      })
      return headers["x-restli-id"]
    }),

    /** Comments on a person's posts cannot be read with the scopes that apps get. */
    find: Effect.fn("LinkedIn.findComment")(function* (comment, credentials) {
      if (!isOrganization(comment)) return "unknown"
      const { access_token: bearer } = yield* readCredentials(credentials)
      const { elements } = yield* rest({
        method: "GET",
        path: pathOf(comment.post.id),
        query: { start: "0", count: String(newest) },
        bearer,
        maxAnswerBytes: commentsAnswer,
        answer: Comments
      })
      const found = elements.find(
        ({ actor, message }) => actor === comment.remote_id && message?.text?.trim() === comment.text.trim()
      )
      return found === undefined ? "not_published" : { id: found.id ?? comment.post.id }
    })
  }
}
