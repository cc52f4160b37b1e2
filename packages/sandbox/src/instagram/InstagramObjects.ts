import { Effect } from "effect"
import type { Publication } from "../Ledger.ts"
import { processingError } from "../meta/GraphErrors.ts"
import type { GraphObject } from "../meta/GraphObject.ts"
import { pick, pickFields } from "../meta/GraphParameters.ts"
import { NodeServer } from "../NodeServer.ts"
import type { Grant } from "../oauth/Tokens.ts"
import { type ContainerState, Instagram } from "./Instagram.ts"

/** Finds a container or something that was published of an account. */
export const instagramObjects = Effect.gen(function* () {
  const instagram = yield* Instagram
  const { url } = yield* NodeServer

  const containerBody = Effect.fnUntraced(function* (container: ContainerState) {
    const status_code = yield* instagram.status(container)
    const { id, fails_with, received, media } = container
    return {
      id,
      status_code,
      status: status_code === "ERROR" ? processingError(fails_with ?? "") : words[status_code],
      video_status: {
        uploading_phase: {
          status: media === null ? "in_progress" : "complete",
          bytes_transferred: received
        },
        processing_phase: { status: status_code === "FINISHED" ? "complete" : "not_started" }
      }
    }
  })

  /** The newest posts of an account, as many and with such fields as were asked for. */
  const listed = (account: string, list: "feed" | "stories", given: URLSearchParams) =>
    instagram
      .posts(account, list)
      .slice(0, Number(given.get("limit") ?? 25))
      .map((publication) => pick(mediaBody(publication, url()), given))

  const objectOf = (username: string, id: string): GraphObject | undefined => {
    const container = instagram.container(username, id)
    if (container !== undefined) {
      return {
        operation: "media_status",
        body: (fields) =>
          Effect.map(containerBody(container), (body) => {
            instagram.looked(container)
            return pickFields(body, fields)
          })
      }
    }
    const published = [...instagram.posts(username, "feed"), ...instagram.posts(username, "stories")]
    const publication = published.find((one) => one.id === id)
    return publication === undefined
      ? undefined
      : {
          operation: "post_status",
          body: (fields) => Effect.succeed(pickFields(mediaBody(publication, url()), fields)),
          comments: {
            all: () => instagram.comments(id).map(({ id, text }) => ({ id, text, username })),
            add: (message) => instagram.comment(id, message)
          }
        }
  }

  return { listed, objectOf: ({ account }: Grant, id: string) => Effect.sync(() => objectOf(account, id)) }
})

export const mediaBody = ({ id, text, published_at }: Publication, url: string) => ({
  id,
  caption: text,
  permalink: `${url}/posts/${id}`,
  shortcode: Buffer.from(id.slice(-9)).toString("base64url"),
  timestamp: published_at.replace(/\.\d+Z$/, "+0000")
})

const words = {
  IN_PROGRESS: "In Progress: Media is still being processed.",
  FINISHED: "Finished: Media has been uploaded and it is ready to be published.",
  PUBLISHED: "Published: Media has been published.",
  EXPIRED: "Expired: The container was not published within 24 hours and has expired."
} as const
